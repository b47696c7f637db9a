*** Settings ***
Documentation    Streamable HTTP: methods, statuses, content types and streams of the MCP endpoint, and who may reach it. Skipped for servers on other
...              transports.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        http


*** Test Cases ***
Notifications Are Accepted Without A Body
    [Documentation]    A notification is answered by 202 and not a single byte; no JSON-RPC response ever.
    [Metadata]    Rule    HTTP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    MUST    HTTP-03
    Use Server Under Test
    Require Transport    http
    ${reply} =    Send Raw Notification    notifications/cancelled    {"requestId": "mcplibrary-none"}
    Answer Should Have Http Status    ${reply}    202
    Answer Should Have No Body    ${reply}

Get And Delete Are Not Part Of The Modern Era
    [Documentation]    GET and DELETE with the modern version header answer 405. A SHOULD, and only for servers that speak nothing older; servers
    ...    of both eras may use them for legacy sessions. (X-02)
    [Metadata]    Rule    HTTP-05, HTTP-06
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-revisions
    [Tags]    modern    SHOULD    HTTP-05    HTTP-06
    Use Modern Server Over Http
    FOR    ${method}    IN    GET    DELETE
        ${reply} =    Send Http Request    ${method}    timeout=${SILENCE}
        ...    headers={"MCP-Protocol-Version": "2026-07-28", "Accept": "text/event-stream"}
        Answer Should Have Http Status    ${reply}    405
    END

Session And Event Ids Are Ignored
    [Documentation]    A modern request with a stray `Mcp-Session-Id` or `Last-Event-ID` is served, and no session id is minted or echoed. Only
    ...    answers to modern requests are looked at. (X-03)
    [Metadata]    Rule    HTTP-07, HTTP-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-revisions
    [Tags]    modern    SHOULD    HTTP-07    HTTP-08
    Use Modern Server Over Http
    ${reply} =    Send Raw Request    server/discover    headers={"Mcp-Session-Id": "bogus", "Last-Event-ID": "5"}
    Call Should Succeed    ${reply}
    Answer Should Have No Header    ${reply}    Mcp-Session-Id

Foreign Origin Is Refused
    [Documentation]    A web page of anyone can reach a server on the user's machine; the `Origin` header is what tells it apart. 403 from
    ...    2025-11-25 on, any refusal before (X-21). Give a token when the server wants one: authorization is judged first.
    [Metadata]    Rule    HTTP-09, HTTP-10, SEC-10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-warning
    [Tags]    legacy    modern    MUST    HTTP-09    HTTP-10    SEC-10
    [Setup]    Run Keywords    Use Server Under Test    AND    Require Transport    http
    [Template]    Foreign Origin Should Be Refused
    https://evil.example
    null
    http://127.0.0.1.evil.example
    http://localhost.evil.example
    https://evil.example    GET

Server Without Origin Header Is Served
    [Documentation]    Clients that are no browsers send no `Origin`; the origin check must not refuse them.
    [Metadata]    Rule    HTTP-11
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-warning
    [Tags]    legacy    modern    MUST    HTTP-11
    Use Server Under Test
    Require Transport    http
    Server Should Still Answer
