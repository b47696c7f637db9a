*** Settings ***
Documentation    The two error channels, in the newest era that is judged (`-v PROTOCOL:legacy` for the other; `mcplibrary check` judges both).
...
...              A *JSON-RPC error* says that the request was malformed or that what it asks for does not exist: the client's code deals with
...              it. A *tool error*, a result with `isError: true`, says that the tool ran and failed: the model reads its text and tries
...              something else. Neither may leak into the other, and no answer may show the inside of the server.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        errors


*** Test Cases ***
Unknown Method Is Method Not Found
    [Documentation]    A method that does not exist is answered by -32601; in the modern era over HTTP with status 404 and a JSON-RPC body, so that it
    ...    can be told from a wrong URL.
    [Metadata]    Rule    RPC-17, HTTP-21, HTTP-23
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
    [Tags]    legacy    modern    MUST    RPC-17    HTTP-21    HTTP-23
    ${era} =    Use Server Under Test
    ${reply} =    Send Raw Request    tools/nope
    Answer Should Be Well Formed    ${reply}
    Assert Error Code    ${reply}    method not found
    IF    '${era}' == 'modern' and $reply['status'] is not None
        Answer Should Have Http Status    ${reply}    404
    END

Malformed Params Are Refused
    [Documentation]    A known method with params of the wrong shape is a malformed request: a JSON-RPC error, never a tool result.
    [Metadata]    Rule    RPC-19, TOOL-30
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    RPC-19    TOOL-30
    [Setup]    Run Keywords    Use Server Under Test    AND    Require Capability    tools
    [Template]    Malformed Params Should Be Refused
    tools/call    {"name": "mcplibrary-no-such-tool", "arguments": [1, 2]}
    tools/call    {"arguments": {}}
    tools/list    {"cursor": 5}

Malformed Params Are Invalid Params
    [Documentation]    The code of that refusal is -32602. Sixteen of forty servers in the field answer -32603 with the dump of a validator, so this
    ...    warns.
    [Metadata]    Rule    RPC-19, TOOL-30
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a whole SDK generation answers -32603
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    RPC-19    TOOL-30
    Use Server Under Test
    Require Capability    tools
    ${reply} =    Send Raw Request    tools/call    {"name": "mcplibrary-no-such-tool", "arguments": [1, 2]}
    Assert Error Code    ${reply}    invalid params
    Error Text Should Be Concise    ${reply}

Unknown Tool Does Not Look Like Success
    [Documentation]    A model that calls a tool that does not exist must be told so, by either channel.
    [Metadata]    Rule    TOOL-27
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    TOOL-27
    Use Server Under Test
    Require Capability    tools
    ${reply} =    Call Tool    mcplibrary-no-such-tool    arguments={}    expect=ANY
    Call Should Fail    ${reply}

Unknown Tool Is A Protocol Error
    [Documentation]    The specification classes it as a protocol error with -32602. The official Python SDK answers with a tool error (X-11), so
    ...    this warns.
    [Metadata]    Rule    TOOL-27
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: an official SDK breaks it
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    TOOL-27
    Use Server Under Test
    Require Capability    tools
    ${reply} =    Call Tool    mcplibrary-no-such-tool    arguments={}    expect=ANY
    Assert Error Code    ${reply}    invalid params

Arguments Against The Schema Are Refused
    [Documentation]    Required arguments that are missing, and values of a wrong type, are refused: as a tool error that the model can read, or as
    ...    -32602 (X-28). Never a successful run. Calls the safe tool.
    [Metadata]    Rule    TOOL-28, TOOL-41
    [Metadata]    Level    MUST (never a successful run)
    [Metadata]    Verdict    FAIL: whichever channel, what the schema forbids must not run
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    TOOL-28    TOOL-41
    Use Server Under Test
    ${tool} =    Require Safe Tool
    Tool Should Refuse Wrong Types    ${tool}

Missing Arguments Are Refused By Tools That Only Read
    [Documentation]    The same for each tool that says `readOnlyHint: true` and neither `openWorldHint: true` nor `destructiveHint: true`: called without
    ...    the arguments that its schema requires, it does not run.
    [Metadata]    Rule    TOOL-28, TOOL-41
    [Metadata]    Level    MUST (never a successful run)
    [Metadata]    Verdict    FAIL: whichever channel, what the schema forbids must not run
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    TOOL-28    TOOL-41
    Use Server Under Test
    Require Capability    tools
    Read Only Tools Should Refuse Missing Arguments

Values Out Of Bounds Are Refused
    [Documentation]    A value that an `enum`, a minimum, a maximum or a length of the schema forbids is refused like one of a wrong type. Calls the
    ...    safe tool.
    [Metadata]    Rule    TOOL-28, TOOL-41
    [Metadata]    Level    MUST (never a successful run)
    [Metadata]    Verdict    FAIL: whichever channel, what the schema forbids must not run
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    MUST    TOOL-28    TOOL-41
    Use Server Under Test
    ${tool} =    Require Safe Tool
    Tool Should Refuse Values Out Of Bounds    ${tool}

Unknown Arguments Are Refused
    [Documentation]    A schema with `additionalProperties: false` forbids other arguments: a model that misspells one must be told. SDKs that leave
    ...    them out silently are common (X-12), so this warns. Calls the safe tool.
    [Metadata]    Rule    TOOL-29
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#security-considerations
    [Tags]    legacy    modern    advice    TOOL-29
    Use Server Under Test
    ${tool} =    Require Safe Tool
    Tool Should Refuse Unknown Arguments    ${tool}

Numeric Text Is Not Taken For A Number
    [Documentation]    A schema that says integer forbids `"1"`. Lenient servers convert it (X-12), so this warns. Calls the safe tool.
    [Metadata]    Rule    TOOL-29
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#security-considerations
    [Tags]    legacy    modern    advice    TOOL-29
    Use Server Under Test
    ${tool} =    Require Safe Tool
    Tool Should Refuse Numeric Text    ${tool}

Business Failure Is A Tool Error
    [Documentation]    A good call of a good tool that fails for a reason of the business is a result with `isError: true`, not a JSON-RPC error: only
    ...    so the model can read it and try something else. Its text says what is wrong. Role: failing_tool.
    [Metadata]    Rule    TOOL-31, TOOL-32
    [Metadata]    Level    SHOULD
    [Metadata]    Verdict    FAIL: a model cannot see the other channel
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    SHOULD    TOOL-31    TOOL-32
    Use Server Under Test
    ${tool} =    Require Role    failing_tool
    ${reply} =    Call Role    ${tool}
    Call Should Be Tool Error    ${reply}
    Answer Should Leak No Internals    ${reply}

Crash In A Tool Is A Tool Error And Leaks Nothing
    [Documentation]    An exception in a tool is a bug and, if its text reaches the model, a disclosure: the answer is `isError: true` without stack trace,
    ...    path, or the exception's own text. Role: crashing_tool, with `secret` for a text that must stay inside.
    [Metadata]    Rule    TOOL-33, TOOL-34
    [Metadata]    Level    MUST
    [Metadata]    Verdict    FAIL: a model cannot see the other channel
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#security-considerations
    [Tags]    legacy    modern    MUST    TOOL-33    TOOL-34
    Use Server Under Test
    ${tool} =    Require Role    crashing_tool
    ${reply} =    Call Role    ${tool}
    Call Should Be Tool Error    ${reply}
    Answer Should Leak No Internals    ${reply}    also=${{ [$tool.get('secret') or ''] }}
    Server Should Still Answer

Error Answers Leak No Internals
    [Documentation]    Whatever is asked wrongly, no answer shows a stack trace, a path into the server, or database internals. Goes over requests that
    ...    fail in different layers, injection text among them; no tool runs.
    [Metadata]    Rule    SEC-07
    [Metadata]    Level    advice (derived)
    [Metadata]    Verdict    FAIL: a leak is a defect
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#security-considerations
    [Tags]    legacy    modern    advice    SEC-07
    [Setup]    Use Server Under Test
    [Template]    Failure Should Leak Nothing
    tools/nope    {}
    tools/call    {"name": "'; DROP TABLE orders; --", "arguments": {}}
    tools/call    {"name": 5}
    resources/read    {"uri": "file:///../../../../etc/passwd"}
    resources/read    {"uri": "not a uri"}
    prompts/get    {"name": "'; DROP TABLE orders; --", "arguments": {"x": 1}}
    completion/complete    {"ref": {"type": "ref/bogus"}}

Validation Texts Name The Problem And Not The Validator
    [Documentation]    The text of a refusal is for a model or a person; the dump of a validation library, with links and class names, is not. Calls
    ...    the safe tool with an argument missing.
    [Metadata]    Rule    TOOL-35, RPC-29
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
    [Tags]    legacy    modern    advice    TOOL-35    RPC-29
    Use Server Under Test
    ${tool} =    Require Safe Tool
    ${reply} =    Call Without A Required Argument    ${tool}
    Error Text Should Be Concise    ${reply}

Reserved And Retired Codes Are Not Used
    [Documentation]    In the modern era no error carries a code that the specification reserves or has retired. Provokes errors of several kinds, then
    ...    looks at every answer that the shared connection got so far.
    [Metadata]    Rule    RPC-21, RPC-22
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
    [Tags]    modern    MUST    RPC-21    RPC-22
    Use Server Under Test    modern
    Provoke Errors
    Error Codes Should Be Allowed

Own Codes Lie Outside The Reserved Ranges
    [Documentation]    JSON-RPC reserves -32768 to -32000, and new implementations leave -32019 to -32000 alone. Provokes errors of several kinds, then looks
    ...    at every answer that the shared connection got so far.
    [Metadata]    Rule    RPC-23, RPC-24
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
    [Tags]    modern    SHOULD    RPC-23    RPC-24
    Use Server Under Test    modern
    Provoke Errors
    Error Codes Should Lie Outside Reserved Ranges

Error Messages Are One Sentence
    [Documentation]    The message of an error is shown in one line of a log or a dialog. Provokes errors of several kinds, then looks at every error that the
    ...    shared connection got so far.
    [Metadata]    Rule    RPC-29
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#error
    [Tags]    legacy    modern    SHOULD    RPC-29
    Use Server Under Test
    Provoke Errors
    Send Raw Message    {"jsonrpc": "2.0", "id": 904, "method": 5}    silence=${SILENCE}
    Error Messages Should Be Concise


*** Keywords ***
Provoke Errors
    [Documentation]    Requests that fail in different ways; no tool runs.
    FOR    ${method}    ${params}    IN
    ...    tools/nope    {}
    ...    tools/call    {"name": "mcplibrary-no-such-tool", "arguments": {}}
    ...    tools/call    {"name": 5}
    ...    resources/read    {"uri": "mcplibrary://no-such-resource"}
    ...    prompts/get    {"name": "mcplibrary-no-such-prompt"}
        Send Raw Request    ${method}    ${params}
    END

Malformed Params Should Be Refused
    [Documentation]    Template: a request with these params is answered by a JSON-RPC error.
    [Arguments]    ${method}    ${params}
    ${reply} =    Send Raw Request    ${method}    ${params}
    Call Should Be Protocol Error    ${reply}

Failure Should Leak Nothing
    [Documentation]    Template: this request is answered without internals, whatever the answer is.
    [Arguments]    ${method}    ${params}
    ${reply} =    Send Raw Request    ${method}    ${params}
    Answer Should Leak No Internals    ${reply}
