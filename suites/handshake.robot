*** Settings ***
Documentation    How a connection begins, in both eras: `initialize` with its version negotiation and capabilities, and since
...              2026-07-28 `server/discover`, the envelope that each request carries, and the HTTP headers that mirror it.
...
...              Tests of an era that the server does not speak are skipped with the reason. The exact request and answer are
...              in the log of each test.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        handshake


*** Test Cases ***
Initialize Returns Version Capabilities And Server Info
    [Documentation]    A server that mishandles `initialize` fails every client before a single tool is called.
    [Metadata]    Rule    HS-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    [Tags]    legacy    MUST    HS-01
    Connect To Server Under Test    legacy
    ${reply} =    Initialize Session
    Answer Should Be Well Formed    ${reply}
    Initialize Result Should Be Complete    ${reply}

Initialize Answers With A Legacy Revision
    [Documentation]    Asked for one revision after the other, `initialize` answers with that revision when the server supports it
    ...    and with another legacy revision when not. What it names is asked for in turn and must then be answered with itself.
    [Metadata]    Rule    HS-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
    [Tags]    legacy    MUST    HS-02
    [Template]    Asked Revision Is Negotiated
    2025-11-25
    2025-06-18
    2025-03-26

Unsupported Version Is Not Accepted By Initialize
    [Documentation]    A version that no server supports is answered with another version that the server supports, or with an
    ...    error. It must not be accepted as it is. (X-15: the specification shows both answers.)
    [Metadata]    Rule    HS-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
    [Tags]    legacy    MUST    HS-03
    Connect To Server Under Test    legacy
    Unsupported Revision Should Be Refused    1999-01-01

Initialize Never Negotiates A Modern Revision
    [Documentation]    2026-07-28 has no `initialize`; asked for it, a server answers with a legacy revision or an error.
    [Metadata]    Rule    HS-04
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
    [Tags]    legacy    MUST    HS-04
    Connect To Server Under Test    legacy
    Unsupported Revision Should Be Refused    2026-07-28

Incomplete Initialize Is Refused
    [Documentation]    `protocolVersion` and `clientInfo` are required by the schema; without them there is nothing to negotiate.
    ...    Any error is accepted as a refusal; the code -32602 is judged in the error suite.
    [Metadata]    Rule    HS-05
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: several SDKs of good standing fill in what is missing
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#initializerequest
    [Tags]    legacy    MUST    HS-05
    [Template]    Initialize Without Is Refused
    {"capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    {"capabilities": {}, "protocolVersion": "2025-06-18"}

Server Info Has A Name And A Version
    [Documentation]    Hosts show this name to people. It must be a string that is not empty; the version must be a string.
    [Metadata]    Rule    HS-06, HS-20
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#implementation
    [Tags]    legacy    MUST    HS-06    HS-20
    Connect To Server Under Test    legacy
    ${reply} =    Initialize Session
    Server Info Should Be Valid    ${reply}

Requests Before Initialize Are Refused
    [Documentation]    Normal requests wait for the handshake. More than half of the servers in the field serve them all the same
    ...    (their SDKs allow it), so this warns. A server that does not answer at all fails.
    [Metadata]    Rule    HS-07
    [Metadata]    Level    MUST (ordering)
    [Metadata]    Verdict    WARN: most good servers break it
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    [Tags]    legacy    MUST    HS-07
    Connect To Server Under Test    legacy
    ${reply} =    Send Raw Request    tools/list
    Request Should Be Refused    ${reply}

Ping Is Answered Before Initialization Completes
    [Documentation]    `ping` is the one request that is allowed at any time.
    [Metadata]    Rule    HS-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
    [Tags]    legacy    SHOULD    HS-08
    Connect To Server Under Test    legacy
    Initialize Session    complete=${False}
    Ping Server

Initialized Notification Is Accepted Silently
    [Documentation]    `notifications/initialized` has no id and gets no answer: over HTTP 202 without a body, on stdio nothing.
    [Metadata]    Rule    HS-09, RPC-14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    [Tags]    legacy    MUST    HS-09    RPC-14
    Connect To Server Under Test    legacy
    Initialize Session    complete=${False}
    Notification Should Be Accepted Silently    notifications/initialized    silence=${SILENCE}
    Server Should Still Answer

Request Before Initialized Does Not Hang
    [Documentation]    Some clients ask before they send `notifications/initialized`. Serving or refusing is fine, silence is not.
    [Metadata]    Rule    HS-21
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    [Tags]    legacy    SHOULD    HS-21
    Connect To Server Under Test    legacy
    Initialize Session    complete=${False}
    ${reply} =    Send Raw Request    tools/list
    Answer Should Be Well Formed    ${reply}

Second Initialize Does Not Break The Session
    [Documentation]    A second `initialize` is refused or is a clean new handshake; what follows still works.
    [Metadata]    Rule    HS-14
    [Metadata]    Level    advice (derived)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
    [Tags]    legacy    advice    HS-14
    Connect To Server Under Test    legacy    handshake=${True}
    ${again} =    Send Raw Request    initialize
    ...    {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    Should Be True    $again['outcome'] in ('answered', 'refused')    The second initialize got no answer.
    Server Should Still Answer

Cancelling Initialize Does Not Break The Session
    [Documentation]    A client must not cancel `initialize`; a server that meets it all the same ignores it.
    [Metadata]    Rule    HS-15
    [Metadata]    Level    advice (derived)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation
    [Tags]    legacy    advice    HS-15
    Connect To Server Under Test    legacy
    ${reply} =    Initialize Session
    Send Raw Notification    notifications/cancelled    ${{ {"requestId": $reply["id"]} }}
    Server Should Still Answer

Declared Capabilities Are Implemented
    [Documentation]    What is declared must work: a client offers the feature to its user on the strength of it. The most common
    ...    fault in the field.
    [Metadata]    Rule    HS-11, DISC-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    modern    MUST    HS-11    DISC-07
    Use Server Under Test
    Capabilities Should Be Implemented

Undeclared Capabilities Are Not Served
    [Documentation]    What works without being declared is never found by a client. Many good servers answer with empty lists, which is
    ...    only noted; a list with entries warns.
    [Metadata]    Rule    HS-12, DISC-08, RPC-18
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a harmless habit of good servers
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    modern    MUST    HS-12    DISC-08    RPC-18
    Use Server Under Test
    Undeclared Capabilities Should Not Be Served

Capabilities Are Well Formed
    [Documentation]    Capabilities are objects and their flags booleans; extensions are named `prefix/name`.
    [Metadata]    Rule    HS-13, DISC-03, DISC-10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#servercapabilities
    [Tags]    legacy    modern    MUST    HS-13    DISC-03    DISC-10
    ${reply} =    Open Handshake
    Capabilities Should Be Well Formed    ${reply}

Instructions Are Text
    [Documentation]    `instructions` are optional; when they are there, they are a string.
    [Metadata]    Rule    HS-16
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult
    [Tags]    legacy    modern    MUST    HS-16
    ${reply} =    Open Handshake
    Instructions Should Be Text    ${reply}

Discovery Is The First Message
    [Documentation]    `server/discover` needs no message before it: a modern client opens with it, on every transport.
    [Metadata]    Rule    DISC-01, DISC-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-01    DISC-06
    Connect To Server Under Test    modern
    ${reply} =    Discover Server
    Call Should Succeed    ${reply}
    Answer Should Be Well Formed    ${reply}

Discovery Lists Versions And Capabilities
    [Documentation]    `supportedVersions` holds the version just served; `capabilities` is there. Whether legacy versions are listed is
    ...    left open. (X-23)
    [Metadata]    Rule    DISC-02, DISC-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-02    DISC-03
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Discover Result Should Be Complete    ${reply}

Discovery Carries Caching Hints
    [Documentation]    `ttlMs` and `cacheScope` are required on complete results of six methods; `server/discover` is one. (X-04)
    [Metadata]    Rule    DISC-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
    [Tags]    modern    MUST    DISC-04    CACHE-01
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Result Should Carry Cache Hints    ${reply}

Identity Travels In The Result Meta
    [Documentation]    The modern `server/discover` has no body member `serverInfo`; the identity is stamped into `_meta`.
    [Metadata]    Rule    DISC-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-05
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Result Should Have No Member    ${reply}    serverInfo

Every Result Names Its Server
    [Documentation]    Results carry `io.modelcontextprotocol/serverInfo` in `_meta`, with a name and a version.
    [Metadata]    Rule    META-11, META-12
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    SHOULD    META-11    META-12
    Use Server Under Test    modern
    FOR    ${method}    IN    server/discover    tools/list
        ${reply} =    Send Raw Request    ${method}
        IF    ${reply.result} is not None
            Server Info Should Be Valid    ${reply}
        END
    END

Every Result Says What It Is
    [Documentation]    `resultType` stands in the raw JSON of every result. A typed client fills it in and hides that it is missing.
    [Metadata]    Rule    META-13, META-14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    [Tags]    modern    MUST    META-13    META-14
    Use Server Under Test    modern
    FOR    ${method}    IN    server/discover    tools/list    resources/list    resources/templates/list    prompts/list
        ${reply} =    Send Raw Request    ${method}
        IF    ${reply.result} is not None
            Result Should Carry Result Type    ${reply}
        END
    END

Tool Results Say What They Are
    [Documentation]    `resultType` stands in the raw JSON of a tool result too. Calls the safe tool.
    [Metadata]    Rule    META-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    [Tags]    modern    MUST    META-13
    Use Server Under Test    modern
    ${tool} =    Require Safe Tool
    ${reply} =    Call Role    ${tool}
    Result Should Carry Result Type    ${reply}

Missing Client Capability Is Named
    [Documentation]    A call that needs what the client did not declare is answered by -32021 whose data names the capability, so that the
    ...    client knows what to offer; over HTTP with status 400. Nothing is asked of such a client. Role: elicitation_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Use Server Under Test    modern
    ${tool} =    Require Role    elicitation_tool
    Undeclared Capability Should Be Named    ${tool}    elicitation

Unsupported Version Is Refused With The Supported Ones
    [Documentation]    Error -32022 names `supported` and `requested`, so that the client can choose another; over HTTP with status 400.
    [Metadata]    Rule    VER-01, VER-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    VER-01    VER-03
    Use Server Under Test    modern
    Unsupported Revision Should Be Refused    1900-01-01

Versions In The Refusal Are Those Of Discovery
    [Documentation]    What the refusal of an unsupported version calls supported is a part of what `server/discover` lists.
    [Metadata]    Rule    DISC-09
    [Metadata]    Level    MUST (official suite)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    DISC-09
    Use Server Under Test    modern
    ${discovered} =    Send Raw Request    server/discover
    ${refused} =    Unsupported Revision Should Be Refused    1900-01-01
    Supported Versions Should Agree    ${refused}    ${discovered}

Request Without Envelope Is Refused
    [Documentation]    Each request describes itself: without `_meta`, its version or its client capabilities it is answered by -32602, over
    ...    HTTP with status 400, with the id echoed. Asked on a connection whose era an earlier request settled, so that nothing
    ...    may be remembered from that one either. (META-06)
    [Metadata]    Rule    META-01, META-02, META-03, META-06, META-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    META-01    META-02    META-03    META-06    META-08
    [Setup]    Use Server Under Test    modern
    [Template]    Request Without Meta Should Be Refused
    _meta
    protocolVersion
    clientCapabilities
    params

Client Info Is Optional
    [Documentation]    `clientInfo` is a SHOULD for clients: a request without it is served.
    [Metadata]    Rule    META-04
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    META-04
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list    without=clientInfo
    ${full} =    Send Raw Request    tools/list
    Replies Should End Alike    ${reply}    ${full}

Envelope Members Of The Wrong Type Are Refused
    [Documentation]    Reserved members of `_meta` have types; client capabilities that are a text are refused with -32602.
    [Metadata]    Rule    META-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#requestmetaobject
    [Tags]    modern    MUST    META-05
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list    {"_meta": {"io.modelcontextprotocol/clientCapabilities": "nope"}}
    Assert Error Code    ${reply}    invalid params

Methods Of The Legacy Era Do Not Exist
    [Documentation]    `initialize`, `ping` and the rest were removed in 2026-07-28: -32601, over HTTP with status 404.
    [Metadata]    Rule    HTTP-22, PING-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/changelog
    [Tags]    modern    MUST    HTTP-22    PING-02
    [Setup]    Use Server Under Test    modern
    [Template]    Removed Method Should Not Exist
    initialize
    ping
    logging/setLevel
    resources/subscribe
    resources/unsubscribe

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

Version Header Must Fit The Envelope
    [Documentation]    A version header that is no legacy version and differs from the envelope is answered by -32020 or, being unsupported itself,
    ...    -32022 (VER-04). A missing header is -32020 on a server that speaks the modern era only; a server that also speaks the legacy
    ...    era may treat the message as legacy (X-06), so there any HTTP error will do.
    [Metadata]    Rule    HDR-01, VER-04, VER-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
    [Tags]    modern    http    MUST    HDR-01    VER-04    VER-07
    Use Modern Server Over Http
    ${reply} =    Send Raw Request    tools/list    headers={"MCP-Protocol-Version": "2027-01-01"}
    Assert Error Code    ${reply}    header mismatch    unsupported protocol version    http_status=400
    ${reply} =    Send Raw Request    tools/list    without=MCP-Protocol-Version
    Request Should Be Refused    ${reply}

Notifications Are Accepted Without A Body
    [Documentation]    A notification is answered by 202 and not a single byte; no JSON-RPC response ever.
    [Metadata]    Rule    HTTP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    legacy    modern    http    MUST    HTTP-03
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
    [Tags]    modern    http    SHOULD    HTTP-05    HTTP-06
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
    [Tags]    modern    http    SHOULD    HTTP-07    HTTP-08
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
    [Tags]    legacy    modern    http    MUST    HTTP-09    HTTP-10    SEC-10
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
    [Tags]    legacy    modern    http    MUST    HTTP-11
    Use Server Under Test
    Require Transport    http
    Server Should Still Answer

Stdout Carries Only Messages
    [Documentation]    From its start on a stdio server writes nothing but messages to stdout. A banner or a log line there breaks
    ...    clients; they belong on stderr.
    [Metadata]    Rule    STDIO-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    stdio    MUST    STDIO-01
    Connect To Server Under Test    handshake=${True}
    Require Transport    stdio
    Server Should Still Answer
    Stdout Should Carry Only Messages

Both Eras Work On The Same Server
    [Documentation]    The matrix of eras, as far as the server claims it: a client of each era connects and lists. A modern-only server refuses
    ...    `initialize` with an error that names its versions (HS-19, VER-11), a legacy-only one answers the modern probe with an
    ...    error and stays usable (VER-10).
    [Metadata]    Rule    VER-10, VER-11, VER-12
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    legacy    modern    MUST    VER-10    VER-11    VER-12
    Eras Should Fit The Claims


*** Keywords ***
Asked Revision Is Negotiated
    [Documentation]    Template: a fresh connection asks for a revision; what the server names is then asked for itself.
    [Arguments]    ${revision}
    Connect To Server Under Test    legacy
    ${negotiated} =    Initialize Should Settle On A Legacy Revision    ${revision}
    IF    $negotiated != $revision
        Connect To Server Under Test    legacy
        ${again} =    Initialize Session    ${negotiated}
        Call Should Succeed    ${again}
        Negotiated Revision Should Be    ${negotiated}
    END

Initialize Without Is Refused
    [Documentation]    Template: `initialize` with incomplete params is answered by an error.
    [Arguments]    ${params}
    Connect To Server Under Test    legacy
    ${reply} =    Send Raw Request    initialize    ${params}
    Call Should Be Protocol Error    ${reply}

Open Handshake
    [Documentation]    The reply with which the server introduces itself: of `initialize`, or of `server/discover` in the modern era.
    ${era} =    Use Server Under Test
    IF    '${era}' == 'modern'
        ${reply} =    Send Raw Request    server/discover
    ELSE
        Connect To Server Under Test    legacy
        ${reply} =    Initialize Session
    END
    RETURN    ${reply}

Name Header Mismatch Is Refused
    [Documentation]    Template: `Mcp-Name` is left out, then replaced by another name. Skipped parts are those of undeclared capabilities.
    [Arguments]    ${method}    ${params}    ${capability}
    ${declared} =    Get Server Capabilities
    IF    $capability not in $declared    RETURN
    ${params} =    Evaluate    json.loads($params)
    Header Mismatch Should Be Refused    without=Mcp-Name    method=${method}    params=${params}
    Header Mismatch Should Be Refused    {"Mcp-Name": "foo"}    method=${method}    params=${params}
