*** Settings ***
Documentation    Extensions other than tasks: how they are named, and MCP Apps, tools that bring a page of their own. Tests of an extension
...              that the server does not use are skipped.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        extensions


*** Test Cases ***
Views Of Tools Can Be Shown
    [Documentation]    A tool that names a page (`_meta.ui.resourceUri`) names a `ui://` resource that can be read as `text/html;profile=mcp-app`; hosts
    ...    show no other.
    [Metadata]    Rule    EXT-03
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/apps/overview
    [Tags]    modern    advice    EXT-03
    Use Server Under Test    modern
    Tool Views Should Be Readable

Tools With Views Speak Without Them
    [Documentation]    A client that shows no pages gets a text that means something. Role: view_tool.
    [Metadata]    Rule    EXT-04
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/overview#graceful-degradation
    [Tags]    modern    advice    EXT-04
    Use Server Under Test    modern
    ${tool} =    Require Role    view_tool
    ${reply} =    Call Role    ${tool}
    Call Should Succeed    ${reply}
    Result Should Speak Without Its View    ${reply}
