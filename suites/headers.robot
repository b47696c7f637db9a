*** Settings ***
Documentation    The HTTP headers that mirror a modern request, so that proxies can route and limit without reading bodies. A server that does not
...              compare them with the body can be made to run what the proxy did not see.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        headers


*** Variables ***
# A name that no server has, and the same in Base64; `ü` is not in ASCII, the other looks like the Base64 marker itself.
${NO_TOOL}          mcplibrary-no-such-tool
${NON_ASCII}        mcplibrary-ünknown
${LOOKS_ENCODED}    =?base64?bWNwbGlicmFyeQ==?=


*** Test Cases ***
Mirrored Method Header Must Fit The Body
    [Documentation]    Proxies route by `Mcp-Method`; a server that ignores it can be made to run what the proxy did not see. Missing, other
    ...    and differently cased values are answered by 400 and -32020 with the id of the request. (X-22: the code is a MUST of the
    ...    specification, the official suite takes any.)
    [Metadata]    Rule    HDR-02, HDR-03, HDR-04, HDR-19
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
    [Tags]    modern    http    MUST    HDR-02    HDR-03    HDR-04    HDR-19
    [Setup]    Use Modern Server Over Http
    [Template]    Header Mismatch Should Be Refused
    without=Mcp-Method
    {"Mcp-Method": "prompts/list"}
    {"Mcp-Method": "SERVER/DISCOVER"}

Tool Calls Need Their Name In A Header
    [Documentation]    `Mcp-Name` is required on `tools/call` and equals the name in the body. The tool asked for need not exist: the headers are
    ...    judged first.
    [Metadata]    Rule    HDR-05, HDR-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    MUST    HDR-05    HDR-08
    Name Header Should Be Judged    tools    tools/call    {"name": "${NO_TOOL}", "arguments": {}}

Resource Reads Need Their Uri In A Header
    [Documentation]    `Mcp-Name` is required on `resources/read` and equals the uri in the body.
    [Metadata]    Rule    HDR-06, HDR-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    MUST    HDR-06    HDR-08
    Name Header Should Be Judged    resources    resources/read    {"uri": "mcplibrary://no-such-resource"}

Prompts Need Their Name In A Header
    [Documentation]    `Mcp-Name` is required on `prompts/get` and equals the name in the body.
    [Metadata]    Rule    HDR-07, HDR-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    MUST    HDR-07    HDR-08
    Name Header Should Be Judged    prompts    prompts/get    {"name": "mcplibrary-no-such-prompt"}

Name Header Is Not Demanded Elsewhere
    [Documentation]    Only calls, reads and prompts have a name to mirror; a client sends none with other requests.
    [Metadata]    Rule    HDR-17
    [Metadata]    Level    MUST NOT (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    MUST    HDR-17
    [Setup]    Use Modern Server Over Http
    [Template]    Request Without Name Header Is Accepted
    server/discover
    tools/list
    resources/list
    resources/templates/list
    prompts/list

Encoded Name Header Is Decoded
    [Documentation]    A value in the Base64 marker is decoded before it is compared, also when it holds what ASCII does not, or what looks like the
    ...    marker itself: that is decoded once. The tools asked for need not exist, so each is answered, but not by -32020.
    [Metadata]    Rule    HDR-09, HDR-10, HDR-18
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
    [Tags]    modern    http    MUST    HDR-09    HDR-10    HDR-18
    [Setup]    Require Tools Over Http
    [Template]    Name Header Is Understood
    ${NO_TOOL}    Mcp-Name: =?base64?bWNwbGlicmFyeS1uby1zdWNoLXRvb2w=?=
    ${NON_ASCII}    Mcp-Name: =?base64?bWNwbGlicmFyeS3DvG5rbm93bg==?=
    ${LOOKS_ENCODED}    Mcp-Name: =?base64?PT9iYXNlNjQ/YldOd2JHbGljbUZ5ZVE9PT89?=

Name Header That Does Not Decode To The Name Is Refused
    [Documentation]    Broken Base64 is refused. The marker is in lower case: in capitals it is a plain value that differs from the name. A name that
    ...    looks like the marker is never a plain value, so it stands for what it decodes to.
    [Metadata]    Rule    HDR-11, HDR-12, HDR-18
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
    [Tags]    modern    http    MUST    HDR-11    HDR-12    HDR-18
    [Setup]    Require Tools Over Http
    [Template]    Name Header Is Refused
    ${NO_TOOL}    Mcp-Name: =?BASE64?bWNwbGlicmFyeS1uby1zdWNoLXRvb2w=?=
    ${NO_TOOL}    Mcp-Name: =?base64?bWNwbGlicmFyeS1uby1zdWNoLXRvb2w===?=
    ${NO_TOOL}    Mcp-Name: =?base64?bWNwbGlicm!!!FyeS1uby1zdWNoLXRvb2w=?=
    ${LOOKS_ENCODED}    Mcp-Name: ${LOOKS_ENCODED}

Header Names Are Read In Any Case
    [Documentation]    HTTP field names have no case, and HTTP/2 sends them all in lower case.
    [Metadata]    Rule    HDR-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#case-sensitivity
    [Tags]    modern    http    MUST    HDR-13
    [Setup]    Require Tools Over Http
    [Template]    Name Header Is Understood
    ${NO_TOOL}    mcp-method: tools/call    mcp-name: ${NO_TOOL}    mcp-protocol-version: 2026-07-28
    ${NO_TOOL}    MCP-METHOD: tools/call    MCP-NAME: ${NO_TOOL}    MCP-PROTOCOL-VERSION: 2026-07-28

Space Around Header Values Does Not Count
    [Documentation]    HTTP allows spaces and tabs around a value and says that they are no part of it.
    [Metadata]    Rule    HDR-14
    [Metadata]    Level    MUST (RFC 9110)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://www.rfc-editor.org/rfc/rfc9110.html#section-5.5
    [Tags]    modern    http    MUST    HDR-14
    [Setup]    Require Tools Over Http
    [Template]    Name Header Is Understood
    ${NO_TOOL}    Mcp-Name: ${SPACE}\t${NO_TOOL}\t${SPACE}
    ${NO_TOOL}    Mcp-Method: ${SPACE}tools/call${SPACE}

Header Values Outside ASCII Are Refused
    [Documentation]    A value that is not in ASCII travels in Base64; as bare bytes it would be another text to each proxy on the way. The name in the
    ...    body is what the bytes mean in UTF-8, then in Latin-1. An HTTP library below the server may refuse them by itself, with 400.
    [Metadata]    Rule    HDR-15
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: the python SDK reads such bytes as Latin-1 and compares them
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
    [Tags]    modern    http    MUST    HDR-15
    [Setup]    Require Tools Over Http
    [Template]    Bare Name Header Is Refused
    mcplibrary-ü    Mcp-Name: mcplibrary-\xc3\xbc
    mcplibrary-ü    Mcp-Name: mcplibrary-\xfc

Doubled Headers Are Refused
    [Documentation]    With two values a proxy may read one and the server the other. SDKs of good standing refuse them, also when both are the same.
    [Metadata]    Rule    HDR-16
    [Metadata]    Level    advice (SDK)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
    [Tags]    modern    http    advice    HDR-16
    [Setup]    Require Tools Over Http
    [Template]    Name Header Is Refused
    ${NO_TOOL}    Mcp-Method: tools/call    Mcp-Method: tools/list
    ${NO_TOOL}    Mcp-Name: ${NO_TOOL}    Mcp-Name: another
    ${NO_TOOL}    Mcp-Name: ${NO_TOOL}    Mcp-Name: ${NO_TOOL}

Mirrored Argument Must Fit Its Header
    [Documentation]    An argument that the tool's schema mirrors (`x-mcp-header`) travels in the body and in `Mcp-Param-…`. Another value, a missing
    ...    header and a header without the argument are refused. Role: header_tool, or a read-only tool that mirrors an argument.
    [Metadata]    Rule    HDR-20, HDR-21, HDR-23
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
    [Tags]    modern    http    MUST    HDR-20    HDR-21    HDR-23
    Use Modern Server Over Http
    ${tool} =    Require Header Tool
    Header Mismatch Should Be Refused
    ...    ["${tool.header}: mcplibrary-other"]
    ...    method=tools/call
    ...    params=${tool.params}
    Header Mismatch Should Be Refused    without=${tool.header}    method=tools/call    params=${tool.params}
    Header Mismatch Should Be Refused
    ...    ["${tool.header}: ${tool.value}"]
    ...    method=tools/call
    ...    params=${tool.without}

Argument Without A Value Needs No Header
    [Documentation]    A mirrored argument that is left out or null has no header. What the call itself ends with is not judged. Role: header_tool.
    [Metadata]    Rule    HDR-22
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
    [Tags]    modern    http    MUST    HDR-22
    Use Modern Server Over Http
    ${tool} =    Require Header Tool
    Call Is Accepted    ${tool.without}
    Call Is Accepted    ${tool.null}

Encoded Argument Header Is Decoded
    [Documentation]    A mirrored value may come in Base64; broken Base64 is refused. Role: header_tool.
    [Metadata]    Rule    HDR-24, HDR-25
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
    [Tags]    modern    http    MUST    HDR-24    HDR-25
    Use Modern Server Over Http
    ${tool} =    Require Header Tool
    VAR    ${encoded} =    ${{ base64.b64encode($tool["value"].encode()).decode().rstrip("=") }}
    VAR    ${padding} =    ${{ "=" * (-len($encoded) % 4) }}
    VAR    ${wrong} =    ${{ "==" if $padding == "=" else "=" }}
    Call Is Accepted    ${tool.params}    ${tool.header}: =?base64?${encoded}${padding}?=
    FOR    ${broken}    IN    ${encoded}${wrong}    ${encoded}!!!${padding}
        Header Mismatch Should Be Refused
        ...    ["${tool.header}: =?base64?${broken}?="]
        ...    method=tools/call
        ...    params=${tool.params}
    END

Mirrored Integer Is Compared As A Number
    [Documentation]    `42.0` is another spelling of 42. Role: header_tool, with a mirrored integer.
    [Metadata]    Rule    HDR-26
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
    [Tags]    modern    http    SHOULD    HDR-26
    Use Modern Server Over Http
    ${tool} =    Require Header Tool    integer
    Call Is Accepted    ${tool.params}    ${tool.header}: ${tool.value}
    Call Is Accepted    ${tool.params}    ${tool.header}: ${tool.value}.0

Mirrored Boolean Is Compared In Lower Case
    [Documentation]    A boolean is mirrored as `true` or `false`; another case or another word is another value. Role: header_tool, with a mirrored
    ...    boolean.
    [Metadata]    Rule    HDR-27
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
    [Tags]    modern    http    MUST    HDR-27
    Use Modern Server Over Http
    ${tool} =    Require Header Tool    boolean
    Call Is Accepted    ${tool.params}    ${tool.header}: ${{ json.dumps($tool['value']) }}
    FOR    ${wrong}    IN    ${tool.value}    ${{ json.dumps(not $tool['value']) }}    ${{ int($tool['value']) }}
        Header Mismatch Should Be Refused    ["${tool.header}: ${wrong}"]    method=tools/call    params=${tool.params}
    END

Unknown Argument Header Is Ignored
    [Documentation]    A proxy may add headers that the tool knows nothing of. Calls the safe tool.
    [Metadata]    Rule    HDR-28
    [Metadata]    Level    MUST (ignore)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
    [Tags]    modern    http    MUST    HDR-28
    Use Modern Server Over Http
    ${tool} =    Require Safe Tool
    VAR    &{params} =    name=${tool.name}    arguments=${tool.arguments}
    Call Is Accepted    ${params}    Mcp-Param-Mcplibrary-Nope: x

Header Annotations Are Valid
    [Documentation]    A client must drop a tool whose `x-mcp-header` is no header name, is there twice, or stands on what cannot be mirrored: nobody could
    ...    call it over HTTP.
    [Metadata]    Rule    HDR-29
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
    [Tags]    modern    MUST    HDR-29
    Use Server Under Test    modern
    Header Annotations Should Be Valid

Secrets Are Not Mirrored
    [Documentation]    Proxies read and log headers, so an argument that is called password, token, api_key or the like is not mirrored in one.
    [Metadata]    Rule    HDR-30
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
    [Tags]    modern    SHOULD    HDR-30
    Use Server Under Test    modern
    No Secret Should Be Mirrored

Mirrored Argument Needs No Header On Stdio
    [Documentation]    There are no headers on stdio, so the annotation means nothing there. Role: header_tool.
    [Metadata]    Rule    HDR-31
    [Metadata]    Level    MAY
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
    [Tags]    modern    stdio    MAY    HDR-31
    Use Server Under Test    modern
    Require Transport    stdio
    ${tool} =    Require Header Tool
    Call Is Accepted    ${tool.params}

Notification Without Mirrored Headers Does No Harm
    [Documentation]    The specification does not say what becomes of such a notification, so 202 and any refusal are right (X-38). It is not answered by
    ...    5xx, and the server goes on.
    [Metadata]    Rule    HDR-32
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#standard-request-headers
    [Tags]    modern    http    advice    HDR-32
    Use Modern Server Over Http
    ${reply} =    Send Raw Notification    notifications/cancelled    {"requestId": "mcplibrary"}    without=Mcp-Method
    Answer Should Have Http Status    ${reply}    202    @{{ range(400, 500) }}
    Server Should Still Answer


*** Keywords ***
Require Tools Over Http
    [Documentation]    The shared modern connection over HTTP to a server that has tools; skips otherwise.
    Use Modern Server Over Http
    Require Capability    tools

Name Header Should Be Judged
    [Documentation]    A request without `Mcp-Name`, and one with another name in it, are refused. Skips when the capability is not declared.
    [Arguments]    ${capability}    ${method}    ${params}
    Use Modern Server Over Http
    Require Capability    ${capability}
    ${params} =    Evaluate    json.loads($params)
    Header Mismatch Should Be Refused    without=Mcp-Name    method=${method}    params=${params}
    Header Mismatch Should Be Refused    {"Mcp-Name": "foo"}    method=${method}    params=${params}

Request Without Name Header Is Accepted
    [Documentation]    Template: a request of this method without `Mcp-Name` is not refused for its headers.
    [Arguments]    ${method}
    ${reply} =    Send Raw Request    ${method}    without=Mcp-Name
    Headers Should Be Accepted    ${reply}

Name Header Is Understood
    [Documentation]    Template: a call of this name, which no tool has, with these headers is not refused for its headers.
    [Arguments]    ${name}    @{headers}
    VAR    &{params} =    name=${name}    arguments=&{EMPTY}
    Call Is Accepted    ${params}    @{headers}

Name Header Is Refused
    [Documentation]    Template: a call of this name, which no tool has, with these headers is refused.
    [Arguments]    ${name}    @{headers}
    VAR    &{params} =    name=${name}    arguments=&{EMPTY}
    Header Mismatch Should Be Refused    ${headers}    method=tools/call    params=${params}

Bare Name Header Is Refused
    [Documentation]    Template: a call of this name, which no tool has, with bytes in its header that HTTP does not allow is refused.
    [Arguments]    ${name}    @{headers}
    VAR    &{params} =    name=${name}    arguments=&{EMPTY}
    Unreadable Header Should Be Refused    ${headers}    method=tools/call    params=${params}

Call Is Accepted
    [Documentation]    A `tools/call` with these params and headers is not refused for its headers.
    [Arguments]    ${params}    @{headers}
    ${reply} =    Send Raw Request    tools/call    ${params}    headers=${headers}
    Headers Should Be Accepted    ${reply}
