*** Settings ***
Documentation    The envelope of the modern era: each request describes itself in `_meta`, its version, its client and what that client can do; each
...              result says what it is and which server made it.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        envelope


*** Variables ***
${TRACEPARENT}    00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01


*** Test Cases ***
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
    Requests Should Be Served All The Same    without=clientInfo

Envelope Members Of The Wrong Type Are Refused
    [Documentation]    Reserved members of `_meta` have types; with another one the request is refused with -32602.
    [Metadata]    Rule    META-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#requestmetaobject
    [Tags]    modern    MUST    META-05
    [Setup]    Use Server Under Test    modern
    [Template]    Envelope Is Refused
    clientCapabilities    "nope"
    clientCapabilities    {"elicitation": true}
    clientInfo    {"name": 1, "version": "1"}
    clientInfo    {"name": "t"}
    logLevel    "loud"

Capabilities Are Not Remembered
    [Documentation]    What the client can do counts for the request that says so: a tool that asked after one request asks nothing after the next
    ...    one, which declares nothing. Role: elicitation_tool.
    [Metadata]    Rule    META-07
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
    [Tags]    modern    MUST    META-07
    Use Server Under Test    modern
    ${tool} =    Require Role    elicitation_tool
    ${asked} =    Role Should Ask Only What Is Declared    ${tool}    {"elicitation": {"form": {}, "url": {}}}
    Skip If    not $asked    Not applicable: ${tool.name} asks nothing, although elicitation is declared.
    Role Should Ask Only What Is Declared    ${tool}

Unknown Params And Meta Are Ignored
    [Documentation]    Newer clients send members that a server does not know, and vendors have keys of their own in `_meta`.
    [Metadata]    Rule    RPC-28
    [Metadata]    Level    MAY
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    legacy    modern    MAY    RPC-28
    [Setup]    Use Server Under Test
    [Template]    Requests Should Be Served All The Same
    {"mcplibraryUnknown": {"a": 1}}
    {"_meta": {"com.example/x": {"a": 1}}}

Meta Keys Are Well Formed
    [Documentation]    A key of `_meta` is a name, with a vendor's prefix before it such as `com.example/`. Proxies and clients sort by them.
    [Metadata]    Rule    META-09
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18+
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    legacy    modern    MUST    META-09
    Use Server Under Test
    Ask Every Method
    Meta Keys Should Be Well Formed

Reserved Meta Keys Are Not Invented
    [Documentation]    A prefix whose second label is `modelcontextprotocol` or `mcp` belongs to the specification and its extensions.
    [Metadata]    Rule    META-10
    [Metadata]    Level    MUST NOT (reserved)
    [Metadata]    Verdict    WARN: official extensions may define keys that this library does not know
    [Metadata]    Revisions    2025-06-18+
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    legacy    modern    MUST    META-10
    Use Server Under Test
    Ask Every Method
    Reserved Meta Keys Should Be Known

Every Result Says What It Is
    [Documentation]    `resultType` stands in the raw JSON of every result. A typed client fills it in and hides that it is missing. Other values than
    ...    complete and input_required are those of extensions that both sides declared, and our client declares none (X-05). Judges the
    ...    lists, and what the roles safe_tool, prompt, text_resource and completion name.
    [Metadata]    Rule    META-13, META-14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    [Tags]    modern    MUST    META-13    META-14
    ${results} =    Results Of Every Method
    FOR    ${result}    IN    @{results}
        Result Should Carry Result Type    ${result}
    END

Every Result Names Its Server
    [Documentation]    Results carry `io.modelcontextprotocol/serverInfo` in `_meta`, so that logs tell whose they are without a handshake.
    [Metadata]    Rule    META-11
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    SHOULD    META-11
    ${results} =    Results Of Every Method
    FOR    ${result}    IN    @{results}
        Result Should Name Its Server    ${result}
    END

Servers Named In Results Have A Name And A Version
    [Documentation]    Where a result names its server, that has a name that is not empty and a version.
    [Metadata]    Rule    META-12
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#implementation
    [Tags]    modern    MUST    META-12
    ${results} =    Results Of Every Method
    VAR    ${stamped} =
    ...    ${{ [r for r in $results if "io.modelcontextprotocol/serverInfo" in (r["result"].get("_meta") or {})] }}
    Skip If    not $stamped    Not applicable: no result names its server.
    FOR    ${result}    IN    @{stamped}
        Server Info Should Be Valid    ${result}
    END

Trace Context Does No Harm
    [Documentation]    Tracing passes through `_meta`: a request is served whether its trace keys are right or garbage, and what a server sends itself has
    ...    the formats of the W3C.
    [Metadata]    Rule    META-16
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    META-16
    Use Server Under Test    modern
    Requests Should Be Served All The Same
    ...    {"_meta": {"traceparent": "${TRACEPARENT}", "tracestate": "a=1", "baggage": "k=v"}}
    Requests Should Be Served All The Same
    ...    {"_meta": {"traceparent": "garbage", "tracestate": "=,=", "baggage": ";;"}}
    Trace Context Should Be Well Formed

Behaviour Does Not Depend On The Name Of The Client
    [Documentation]    `clientInfo` is what a client says of itself: something for logs, nothing to decide by. Calls the safe tool.
    [Metadata]    Rule    META-17
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    SHOULD    META-17
    Use Server Under Test    modern
    Results Should Not Depend On The Name Of The Client    mcplibrary-one    claude-code

Handles Work On Other Connections
    [Documentation]    State that outlives a request is named by a handle, not by the connection: a load balancer may send the next request over another
    ...    one. On stdio a connection is a process, so this is judged over HTTP. Roles: open_handle_tool, use_handle_tool.
    [Metadata]    Rule    META-18
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: of connections the specification only says SHOULD NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
    [Tags]    modern    http    MUST    META-18
    Use Modern Server Over Http
    ${open} =    Require Role    open_handle_tool
    ${use} =    Require Role    use_handle_tool
    Connect To Server Under Test    modern    handshake=${True}
    ${opened} =    Call Role    ${open}
    ${result} =    Call Should Succeed    ${opened}
    VAR    &{arguments} =    &{use.arguments}    ${use.handle_argument}=${result.structuredContent}[${open.handle}]
    Connect To Server Under Test    modern    handshake=${True}
    Call Tool    ${use.name}    arguments=${arguments}

Missing Elicitation Is Named
    [Documentation]    A call that needs what the client did not declare is answered by -32021 whose data names the capability, so that the
    ...    client knows what to offer; over HTTP with status 400. Nothing is asked of such a client. Role: elicitation_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Missing Capability Is Named    elicitation_tool    elicitation

Missing Sampling Is Named
    [Documentation]    As for elicitation, where a tool asks the client's model. Role: sampling_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Missing Capability Is Named    sampling_tool    sampling

Missing Roots Are Named
    [Documentation]    As for elicitation, where a tool asks for the client's roots. Role: roots_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Missing Capability Is Named    roots_tool    roots

Missing Elicitation Is Named Where Rounds Are Made By Hand
    [Documentation]    SDKs watch over the questions that they ask themselves. What an author's own code returns they often pass on as it is (X-14).
    ...    Role: handwritten_rounds_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Missing Capability Is Named    handwritten_rounds_tool    elicitation

Elicitation Modes Are Respected
    [Documentation]    A client that declares only URLs is shown no form; one that declares an empty object is from before there were modes and shows
    ...    forms. Role: elicitation_tool.
    [Metadata]    Rule    CAP-04
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2025-11-25+
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities
    [Tags]    legacy    modern    MUST    CAP-04
    Use Server Under Test
    ${tool} =    Require Role    elicitation_tool
    Role Should Ask Only What Is Declared    ${tool}    {"elicitation": {"url": {}}}
    Role Should Ask Only What Is Declared    ${tool}    {"elicitation": {}}    must_ask=${True}

Sampling With Tools Needs Its Own Capability
    [Documentation]    A client that declares sampling without `tools` gets no sampling request with tools in it. Role: sampling_tools_tool.
    [Metadata]    Rule    CAP-05
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2025-11-25+
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#tools-in-sampling
    [Tags]    legacy    modern    MUST    CAP-05
    Use Server Under Test
    ${tool} =    Require Role    sampling_tools_tool
    Role Should Ask Only What Is Declared    ${tool}    {"sampling": {}}
    Role Should Ask Only What Is Declared    ${tool}    {"sampling": {"tools": {}}}    must_ask=${True}

Extensions Are Withheld From Clients Without Them
    [Documentation]    A request that does not declare the extension gets what the core protocol knows, or -32021 that names the extension; one that does
    ...    is not refused. Role: extension_tool.
    [Metadata]    Rule    CAP-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
    [Tags]    modern    MUST    CAP-06
    Use Server Under Test    modern
    ${tool} =    Require Role    extension_tool
    ${declared} =    Call Role Declaring    ${tool}    {"extensions": {"${tool.extension}": {}}}
    Result Should Carry Result Type    ${declared}
    ${plain} =    Call Role Declaring    ${tool}
    IF    $plain.error is not None
        Extension Should Be Demanded    ${plain}    ${tool.extension}
    ELSE
        Result Should Carry Result Type    ${plain}
    END


*** Keywords ***
Envelope Is Refused
    [Documentation]    Template: a request whose `_meta` has this value for a reserved member is refused with -32602.
    [Arguments]    ${member}    ${value}
    ${reply} =    Send Raw Request    server/discover    {"_meta": {"io.modelcontextprotocol/${member}": ${value}}}
    Call Should Be Protocol Error    ${reply}    invalid params

Results Of Every Method
    [Documentation]    The replies that are results, of every method that may be asked on the shared modern connection.
    Use Server Under Test    modern
    ${replies} =    Ask Every Method
    VAR    @{results} =    @{{ [reply for reply in $replies if reply["result"] is not None] }}
    Should Not Be Empty    ${results}    No request gave a result.
    RETURN    ${results}

Missing Capability Is Named
    [Documentation]    A call of the role that declares nothing is refused by an error that names the capability.
    [Arguments]    ${role}    ${capability}
    Use Server Under Test    modern
    ${tool} =    Require Role    ${role}
    Undeclared Capability Should Be Named    ${tool}    ${capability}
