*** Settings ***
Documentation    Streamable HTTP: who may reach the MCP endpoint, forms and statuses of its answers, its event streams, and what happens when a
...              client hangs up. Sessions and streams of the legacy era have a suite of their own. Skipped for servers on other transports.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        http


*** Test Cases ***
Requests Are Answered By Json Or An Event Stream
    [Documentation]    A request posted to the endpoint is answered by one JSON object or by an event stream, and by nothing else: clients read no
    ...    third form.
    [Metadata]    Rule    HTTP-01, HTTP-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    MUST    HTTP-01    HTTP-02
    Use Server Over Http
    ${reply} =    Send Plain Request
    Answer Should Be Json Or Events    ${reply}
    Call Should Succeed    ${reply}

Notifications Are Accepted Without A Body
    [Documentation]    A notification is answered by 202 and not a single byte; no JSON-RPC response ever.
    [Metadata]    Rule    HTTP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    MUST    HTTP-03
    Use Server Over Http
    ${reply} =    Send Raw Notification    notifications/cancelled    {"requestId": "mcplibrary-none"}
    Answer Should Have Http Status    ${reply}    202
    Answer Should Have No Body    ${reply}

Refused Notifications Get An Http Error Without An Id
    [Documentation]    A notification that the server does not accept, here one of an unsupported version, gets an HTTP error. A body names no id,
    ...    since a notification has none; null is let through (X-19). A server that does not look at the version of notifications
    ...    may accept it (X-38).
    [Metadata]    Rule    HTTP-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    MUST    HTTP-04
    Use Server Over Http
    ${reply} =    Send Raw Notification    notifications/cancelled    {"requestId": "mcplibrary-none"}
    ...    headers={"MCP-Protocol-Version": "1900-01-01"}
    Notification Should Be Refused Rightly    ${reply}

Get And Delete Are Not Part Of The Modern Era
    [Documentation]    GET and DELETE with the modern version header answer 405. A SHOULD, and only for servers that speak nothing older; servers
    ...    of both eras may use them for legacy sessions. (X-02)
    [Metadata]    Rule    HTTP-05, HTTP-06
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-streamable-http-revisions
    [Tags]    modern    SHOULD    HTTP-05    HTTP-06
    Use Modern Server Over Http
    FOR    ${method}    IN    GET    DELETE
        ${reply} =    Send Http Request    ${method}    peek=True
        ...    headers={"MCP-Protocol-Version": "2026-07-28", "Accept": "text/event-stream"}
        Answer Should Have Http Status    ${reply}    405
    END

Session And Event Ids Are Ignored
    [Documentation]    A modern request with a stray `Mcp-Session-Id` or `Last-Event-ID` is served, and no session id is minted or echoed. Only
    ...    answers to modern requests are looked at. (X-03)
    [Metadata]    Rule    HTTP-07, HTTP-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-streamable-http-revisions
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
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    MUST    HTTP-09    HTTP-10    SEC-10
    [Setup]    Use Server Over Http
    [Template]    Foreign Origin Should Be Refused
    https://evil.example
    null
    http://127.0.0.1.evil.example
    http://localhost.evil.example
    https://evil.example    GET

Foreign Origin Cannot End A Session
    [Documentation]    The origin is checked on DELETE as well: a web page must not end the sessions of others. Uses a session of its own.
    [Metadata]    Rule    HTTP-10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    MUST    HTTP-10
    Use Server Over Http
    Connect To Server Under Test    handshake=True
    Foreign Origin Should Be Refused    https://evil.example    DELETE

Server Without Origin Header Is Served
    [Documentation]    Clients that are no browsers send no `Origin`; the origin check must not refuse them.
    [Metadata]    Rule    HTTP-11
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    MUST    HTTP-11
    Use Server Over Http
    Server Should Still Answer

Own Origin Is Served
    [Documentation]    A page that the server on loopback itself could have delivered is no foreign one. Which origins are allowed is the server's
    ...    choice, so this warns.
    [Metadata]    Rule    HTTP-11
    [Metadata]    Level    MUST (derived)
    [Metadata]    Verdict    WARN: which origins are allowed is the server's choice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    MUST    HTTP-11
    Use Server Over Http
    ${origin} =    Require Loopback Url
    ${reply} =    Send Plain Request    headers={"Origin": "${origin}"}
    Answer Should Have Http Status    ${reply}    200

Foreign Host Is Refused
    [Documentation]    A name of someone else that resolves to loopback (DNS rebinding) makes a web page same-origin with a local server; the
    ...    `Host` header shows it. Judged for servers on loopback only.
    [Metadata]    Rule    HTTP-12
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    advice    HTTP-12
    Use Server Over Http
    Require Loopback Url
    ${reply} =    Send Plain Request    headers={"Host": "evil.example"}
    Http Request Should Be Refused    ${reply}

Local Server Listens On Loopback Only
    [Documentation]    A server for this machine has no business on the network: its port accepts no connections on the machine's other addresses.
    [Metadata]    Rule    HTTP-13
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#security-&-endpoint
    [Tags]    legacy    modern    SHOULD    HTTP-13
    Use Server Over Http
    Require Loopback Url
    Port Should Be Closed On Other Addresses

Request For One Content Type Is Answered Or Refused
    [Documentation]    Clients must accept JSON and event streams both. What a server does with one that does not is open; it does not fail.
    [Metadata]    Rule    HTTP-14
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    advice    HTTP-14
    [Setup]    Use Server Over Http
    [Template]    Odd Request Should Be Survived
    headers={"Accept": "application/json"}
    headers={"Accept": "text/event-stream"}
    headers={"Accept": "text/html"}
    without=Accept

Body That Is Not Called Json Is Refused
    [Documentation]    A browser sends `text/plain` anywhere without asking first; refusing it keeps web pages out.
    [Metadata]    Rule    HTTP-15
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    advice    HTTP-15
    Use Server Over Http
    ${reply} =    Send Plain Request    headers={"Content-Type": "text/plain"}
    Http Request Should Be Refused    ${reply}
    Server Should Still Answer

Other Http Methods Are Refused
    [Documentation]    PUT and PATCH mean nothing here: 405, or another refusal.
    [Metadata]    Rule    HTTP-40
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://www.rfc-editor.org/rfc/rfc9110#name-405-method-not-allowed
    [Tags]    legacy    modern    advice    HTTP-40
    Use Server Over Http
    FOR    ${method}    IN    PUT    PATCH
        ${reply} =    Send Http Request
        ...    ${method}
        ...    body={}
        ...    headers={"Content-Type": "application/json"}
        ...    peek=True
        Http Request Should Be Refused    ${reply}    501
    END
    Server Should Still Answer

Big Body Does No Harm
    [Documentation]    A body of 5 MiB is served or refused (413), and the server goes on serving.
    [Metadata]    Rule    HTTP-41
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://www.rfc-editor.org/rfc/rfc9110#name-413-content-too-large
    [Tags]    legacy    modern    advice    HTTP-41
    Use Server Over Http
    ${reply} =    Send Raw Request    mcplibrary/nope    ${{ {'x': 'x' * 5242880} }}
    Http Answer Should Be Sane    ${reply}    may_hang_up=True
    Server Should Still Answer

Answer Ends Its Event Stream
    [Documentation]    The answer is the last event of its stream, which then ends: an open one keeps clients and proxies waiting. Role: slow_tool.
    [Metadata]    Rule    HTTP-16
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
    [Tags]    legacy    modern    SHOULD    HTTP-16
    Use Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}
    Require Event Stream    @{replies}
    Stream Should End With The Answer    ${replies}[0]

Event Streams Ask Not To Be Buffered
    [Documentation]    `X-Accel-Buffering: no` keeps proxies from holding events back until the end. Role: slow_tool.
    [Metadata]    Rule    HTTP-18
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
    [Tags]    modern    SHOULD    HTTP-18
    Use Modern Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}
    Require Event Stream    @{replies}
    Answer Should Have Header    ${replies}[0]    X-Accel-Buffering    no

Calls At Once Are Answered On Their Own Streams
    [Documentation]    Several calls in flight together are each answered on the HTTP answer to their own POST. Role: slow_tool.
    [Metadata]    Rule    HTTP-39
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
    [Tags]    legacy    modern    MUST    HTTP-39
    Use Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}    times=3
    Answers Should Come On Their Own Streams    @{replies}

Streams Carry Messages Of Their Own Request Only
    [Documentation]    What comes on the stream of a request belongs to that request: progress of one call never shows on the stream of another.
    ...    Role: slow_tool.
    [Metadata]    Rule    HTTP-17
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
    [Tags]    modern    MUST    HTTP-17
    Use Modern Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}    times=2
    Require Event Stream    @{replies}
    Streams Should Carry Only Their Own Progress    @{replies}

Nothing Is Replayed
    [Documentation]    Modern streams cannot be resumed: a request with `Last-Event-ID` is a new one, and brings nothing of an earlier stream. Role:
    ...    slow_tool.
    [Metadata]    Rule    HTTP-19
    [Metadata]    Level    MUST NOT (removed)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/changelog
    [Tags]    modern    MUST    HTTP-19
    Use Modern Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}
    ${event} =    Get Last Event Id    ${replies}[0]    default=1
    ${reply} =    Send Raw Request    server/discover    headers={"Last-Event-ID": "${event}"}
    Nothing Should Be Replayed    ${reply}

Hanging Up Cancels A Modern Request
    [Documentation]    A client of the modern era cancels by closing the stream; a server that works on wastes what nobody waits for. Roles:
    ...    slow_tool, which reports progress, and state_probe with `counts`.
    [Metadata]    Rule    HTTP-25
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation
    [Tags]    modern    MUST    HTTP-25
    Use Modern Server Over Http
    ${tool} =    Require Role    slow_tool
    ${probe} =    Require Role    state_probe
    ${before} =    Count Slow Calls    ${probe}
    ${call} =    Start Slow Call    ${tool}    duration=1
    Slow Call Should Have    started    ${probe}    since=${before}
    Require Open Stream    ${call}
    Hang Up Call    ${call}
    Slow Call Should Have    cancelled    ${probe}    since=${before}


*** Keywords ***
Odd Request Should Be Survived
    [Documentation]    Template: a request with these headers gets an HTTP answer that is no failure, and the next one is served.
    [Arguments]    &{headers}
    ${reply} =    Send Plain Request    &{headers}
    Http Answer Should Be Sane    ${reply}
    Server Should Still Answer
