*** Settings ***
Documentation    The HTTP headers that mirror a modern request, so that proxies can route and limit without reading bodies. A server that does not
...              compare them with the body can be made to run what the proxy did not see.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        headers


*** Test Cases ***
Mirrored Method Header Must Fit The Body
    [Documentation]    Proxies route by `Mcp-Method`; a server that ignores it can be made to run what the proxy did not see. Missing, other
    ...    and differently cased values are answered by 400 and -32020 with the id of the request.
    [Metadata]    Rule    HDR-02, HDR-03, HDR-04, HDR-19
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
    [Tags]    modern    http    MUST    HDR-02    HDR-03    HDR-04    HDR-19
    [Setup]    Use Modern Server Over Http
    [Template]    Header Mismatch Should Be Refused
    without=Mcp-Method
    headers={"Mcp-Method": "prompts/list"}
    headers={"Mcp-Method": "TOOLS/LIST"}

Mirrored Name Header Must Fit The Body
    [Documentation]    `Mcp-Name` is required on tools/call, prompts/get and resources/read and equals the name or uri of the body. The names
    ...    asked for need not exist: the headers are judged first.
    [Metadata]    Rule    HDR-05, HDR-06, HDR-07, HDR-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    MUST    HDR-05    HDR-06    HDR-07    HDR-08
    [Setup]    Use Modern Server Over Http
    [Template]    Name Header Mismatch Is Refused
    tools/call    {"name": "mcplibrary-no-such-tool", "arguments": {}}    tools
    prompts/get    {"name": "mcplibrary-no-such-prompt"}    prompts
    resources/read    {"uri": "mcplibrary://no-such-resource"}    resources

Encoded Name Header Is Decoded
    [Documentation]    A value in the Base64 sentinel is decoded before it is compared; a broken one is refused with -32020. Calls the safe tool.
    [Metadata]    Rule    HDR-09, HDR-12
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
    [Tags]    modern    http    MUST    HDR-09    HDR-12
    Use Modern Server Over Http
    ${tool} =    Require Safe Tool
    VAR    &{params} =    name=${tool.name}    arguments=${tool.arguments}
    VAR    ${encoded} =    ${{ base64.b64encode($tool["name"].encode()).decode() }}
    ${reply} =    Send Raw Request    tools/call    ${params}    headers={"Mcp-Name": "=?base64?${encoded}?="}
    Call Should Succeed    ${reply}
    Header Mismatch Should Be Refused
    ...    {"Mcp-Name": "=?base64?${encoded}===?="}
    ...    method=tools/call
    ...    params=${params}


*** Keywords ***
Name Header Mismatch Is Refused
    [Documentation]    Template: `Mcp-Name` is left out, then replaced by another name. Skipped parts are those of undeclared capabilities.
    [Arguments]    ${method}    ${params}    ${capability}
    ${declared} =    Get Server Capabilities
    IF    $capability not in $declared    RETURN
    ${params} =    Evaluate    json.loads($params)
    Header Mismatch Should Be Refused    without=Mcp-Name    method=${method}    params=${params}
    Header Mismatch Should Be Refused    {"Mcp-Name": "foo"}    method=${method}    params=${params}
