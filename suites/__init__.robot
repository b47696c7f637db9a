*** Settings ***
Documentation    Ready-made suites for any MCP server. Each test judges rules of the specification, named by id in its metadata; what does
...              not apply to a server is skipped with the reason. FAIL is a broken MUST or a plain defect; a broken SHOULD passes with a
...              warning and the tag `should-broken`.
...
...              | robot suites | the sample server of the library |
...              | robot -v "SERVER:python server.py" suites | any other |
...              | mcplibrary check "python server.py" | the same, once per era, in one report |

Test Timeout     5 minutes
