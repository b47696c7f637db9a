*** Settings ***
Documentation    Framing: what any JSON-RPC peer expects of a server, whatever the method. Answers carry the id of their request, what is no
...              request is not executed and ends nothing, notifications get no answer, and there are no batches any more.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        framing


*** Test Cases ***
Answers Carry The Id Of Their Request
    [Documentation]    The id comes back with its JSON type and value: `1` is not `"1"`. A client that gets another id waits for ever. Numbers and texts are
    ...    both served, also those that many languages take for nothing: `0` and the empty text.
    [Metadata]    Rule    RPC-01, RPC-02, RPC-04, RPC-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#responses
    [Tags]    legacy    modern    MUST    RPC-01    RPC-02    RPC-04    RPC-07
    [Setup]    Use Server Under Test
    [Template]    Id Should Come Back
    101
    -1
    0
    "abc"
    "101"
    ""
    9007199254740991

Error Objects Have A Code And A Message
    [Documentation]    `error.code` is an integer and `error.message` a string.
    [Metadata]    Rule    RPC-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
    [Tags]    legacy    modern    MUST    RPC-03
    Use Server Under Test
    ${reply} =    Send Raw Request    tools/nope
    Call Should Be Protocol Error    ${reply}
    ${reply} =    Send Raw Request    tools/call    {"name": 5}
    Call Should Be Protocol Error    ${reply}

Server Survives What Is Not JSON
    [Documentation]    After a line or body that cannot be read the server goes on serving. Over HTTP it answers with a status of 400 or more;
    ...    on stdio most servers say nothing, which is accepted.
    [Metadata]    Rule    RPC-08, STDIO-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://www.jsonrpc.org/specification#error_object
    [Tags]    legacy    modern    MUST    RPC-08    STDIO-07
    [Setup]    Use Server Under Test
    [Template]    Bytes Should Be Survived
    {"jsonrpc":
    this is not json
    {"jsonrpc":"2.0","id":1,"method":"\\xff"}

Parse Error Has Its Code
    [Documentation]    When what is not JSON is answered by a JSON-RPC error, its code is -32700. Silence on stdio and a plain HTTP refusal say nothing.
    [Metadata]    Rule    RPC-08
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a client learns from any error that it was not understood
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#parseerror
    [Tags]    legacy    modern    MUST    RPC-08
    Use Server Under Test
    ${reply} =    Send Raw Bytes    this is not json    silence=${SILENCE}
    Refusal Should Have Code    ${reply}    parse error

Invalid Request Has Its Code
    [Documentation]    When JSON that is no request is answered by a JSON-RPC error, its code is -32600. Silence on stdio and a plain HTTP refusal say nothing.
    [Metadata]    Rule    RPC-09
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: official SDKs answer -32602 or -32700
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#invalidrequesterror
    [Tags]    legacy    modern    MUST    RPC-09
    Use Server Under Test
    ${reply} =    Send Raw Message    {"jsonrpc": "2.0", "id": 903, "method": 5}    silence=${SILENCE}
    Refusal Should Have Code    ${reply}    invalid request

Broken Text Is Not Repaired
    [Documentation]    Messages are UTF-8. A server that replaces what it cannot decode runs something that nobody asked for. A good request with a broken
    ...    byte in a member that means nothing is refused. Official SDKs repair it, on stdio (Python) or everywhere (TypeScript), so this warns.
    [Metadata]    Rule    RPC-25
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: official SDKs of two languages repair broken text
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#messages
    [Tags]    legacy    modern    MUST    RPC-25
    Use Server Under Test
    Broken Text Should Not Be Executed

Server Survives Messages That Are No Requests
    [Documentation]    JSON that is no valid JSON-RPC request must not be executed, and the next good request is served.
    [Metadata]    Rule    RPC-05, RPC-06, RPC-09
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://www.jsonrpc.org/specification#request_object
    [Tags]    legacy    modern    MUST    RPC-05    RPC-06    RPC-09
    [Setup]    Use Server Under Test
    [Template]    Message Should Be Survived
    42
    "text"
    null
    {}
    {"jsonrpc": "2.0", "id": 901, "method": 5}
    {"jsonrpc": "2.0", "id": 902, "method": null}

Malformed Ids And Versions Are Not Served
    [Documentation]    Requests with an id that is no text and no whole number, without `jsonrpc` or with another version, or with params that are no object,
    ...    are invalid. Several SDKs serve them, so this warns.
    [Metadata]    Rule    RPC-05, RPC-06, RPC-09
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: SDKs of several languages serve them
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#requests
    [Tags]    legacy    modern    MUST    RPC-05    RPC-06    RPC-09
    [Setup]    Use Server Under Test
    [Template]    Bent Request Should Not Be Executed
    id    null
    id    1.5
    id    true
    id    [1]
    id    {}
    jsonrpc    "1.0"
    jsonrpc    2.0
    params    [1]

Errors To Unreadable Messages Name No Id
    [Documentation]    When the id could not be read the error leaves it out: the schema has no null id. JSON-RPC itself wants null, and the official SDKs
    ...    send it (X-19), so this warns. Silence on stdio says nothing.
    [Metadata]    Rule    RPC-10
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: JSON-RPC and MCP contradict each other here, and the official SDKs send null
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-responses
    [Tags]    legacy    modern    MUST    RPC-10
    Use Server Under Test
    ${reply} =    Send Raw Bytes    {"jsonrpc":    silence=${SILENCE}
    Error Should Name No Id    ${reply}

Batches Are Refused
    [Documentation]    One message a line or POST: since 2025-06-18 there are no batches. Neither a batch of one good request nor an empty one is executed.
    [Metadata]    Rule    RPC-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-06-18/changelog
    [Tags]    legacy    modern    MUST    RPC-11
    Use Server Under Test
    Require No Batches
    ${good} =    Server Should Still Answer
    VAR    @{batch} =    ${good.sent}
    ${reply} =    Send Raw Message    ${batch}    headers={"Mcp-Method": "${good.sent.method}"}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    VAR    @{empty} =    @{EMPTY}
    ${reply} =    Send Raw Message    ${empty}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

Batches Are Answered Where They Belong
    [Documentation]    2025-03-26 has batches, and a server that negotiates it answers every request in one. Official SDKs negotiate the revision and
    ...    refuse its batches (X-31), so this warns: the revision is not fully served.
    [Metadata]    Rule    RPC-12
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: an official SDK negotiates the revision without its batches
    [Metadata]    Revisions    2025-03-26
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
    [Tags]    legacy    MUST    RPC-12
    Connect To Server Under Test    2025-03-26    handshake=${True}
    Batch Should Be Answered
    ...    [{"jsonrpc": "2.0", "id": 905, "method": "ping"}, {"jsonrpc": "2.0", "id": 906, "method": "ping"}]
    Server Should Still Answer

Initialize In A Batch Is Not Processed
    [Documentation]    The handshake must not be a part of a batch: nothing could be said before it.
    [Metadata]    Rule    RPC-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#initialization
    [Tags]    legacy    MUST    RPC-13
    Connect To Server Under Test    legacy
    # The process is up, so that silence is no slow start.
    Send Raw Request    ping
    VAR    &{params} =
    ...    protocolVersion=2025-03-26
    ...    capabilities=${{ {} }}
    ...    clientInfo=${{ {"name": "t", "version": "1"} }}
    VAR    &{initialize} =    jsonrpc=2.0    id=${907}    method=initialize    params=${params}
    VAR    @{batch} =    ${initialize}
    ${reply} =    Send Raw Message    ${batch}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}

Notifications Are Not Answered
    [Documentation]    A notification of an unknown method, or the cancellation of a request that is not in flight, is not answered, and what
    ...    follows is served.
    [Metadata]    Rule    RPC-14, RPC-16
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://www.jsonrpc.org/specification#notification
    [Tags]    legacy    modern    MUST    RPC-14    RPC-16
    Use Server Under Test
    Notification Should Be Accepted Silently    notifications/mcplibrary-unknown    silence=${SILENCE}
    Notification Should Be Accepted Silently
    ...    notifications/cancelled
    ...    {"requestId": "mcplibrary-none"}
    ...    silence=${SILENCE}
    Server Should Still Answer

Notifications Of The Server Have No Id
    [Documentation]    A notification with an id is a request, and a client would have to answer it. Role: slow_tool, asked for progress.
    [Metadata]    Rule    RPC-15
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications
    [Tags]    legacy    modern    MUST    RPC-15
    Use Server Under Test
    ${tool} =    Require Role    slow_tool
    Call Slow Tool    ${tool}
    Notifications Should Have No Id

Posted Responses Are Not Accepted
    [Documentation]    Nobody asked the client anything, so a response of it is refused over HTTP and ignored on stdio.
    [Metadata]    Rule    RPC-27
    [Metadata]    Level    MUST NOT (client), derived
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
    [Tags]    modern    MUST    RPC-27
    Use Server Under Test    modern
    ${reply} =    Send Raw Message    {"jsonrpc": "2.0", "id": 908, "result": {}}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

Server Sends No Requests In The Modern Era
    [Documentation]    What a server wants to know travels in `inputRequests`; a request of its own is answered by no modern client. Calls the tools of the
    ...    roles that ask, with a client that can be asked, then looks at every message that came.
    [Metadata]    Rule    RPC-26, STDIO-05
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns
    [Tags]    modern    MUST    RPC-26    STDIO-05
    Use Server Under Test    modern
    ${called} =    Call Roles That Ask
    Skip If
    ...    not ${called}
    ...    Not judged: no role of a tool that asks is named (elicitation_tool, sampling_tool, roots_tool, imperative_tool).
    Server Should Have Sent No Requests

Messages Fit The Schema Of Their Revision
    [Documentation]    Lists, results, errors and notifications are what the schema of the negotiated revision says, values of the right type included.
    ...    Asks for what every server has and what the roles offer, then judges everything that came on the shared connection so far.
    [Metadata]    Rule    RPC-30, SCHEMA-01
    [Metadata]    Level    MUST
    [Metadata]    Verdict    FAIL: a client that reads by the schema cannot read the message
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema
    [Tags]    legacy    modern    MUST    RPC-30    SCHEMA-01
    Use Server Under Test
    Ask For Everything
    Messages Should Match Protocol Schema


*** Keywords ***
Id Should Come Back
    [Documentation]    Template: a request with this id (JSON) is answered with it.
    [Arguments]    ${id}
    ${reply} =    Send Raw Request    tools/nope    id=${id}
    Answer Should Be Well Formed    ${reply}
    ${reply} =    Send Raw Request    tools/list    id=${id}
    Answer Should Be Well Formed    ${reply}
    ${good} =    Server Should Still Answer
    ${reply} =    Send Raw Request    ${good.sent.method}    id=${id}
    Answer Should Be Well Formed    ${reply}
    Replies Should End Alike    ${reply}    ${good}

Bytes Should Be Survived
    [Documentation]    Template: after these bytes (escapes as in Python) the server answers a good request.
    [Arguments]    ${text}
    ${bytes} =    Evaluate    $text.encode().decode('unicode_escape').encode('latin-1')
    ${reply} =    Send Raw Bytes    ${bytes}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Answer Should Leak No Internals    ${reply}
    Server Should Still Answer

Message Should Be Survived
    [Documentation]    Template: this JSON value is not executed, and the server answers a good request after it.
    [Arguments]    ${message}
    ${reply} =    Send Raw Message    ${message}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

Bent Request Should Not Be Executed
    [Documentation]    Template: an otherwise good request with this member replaced is not executed.
    [Arguments]    ${member}    ${value}
    ${good} =    Server Should Still Answer
    VAR    ${bent} =    ${{ {**$good['sent'], 'id': 'mcplibrary-bent', $member: json.loads($value)} }}
    ${reply} =    Send Raw Message    ${bent}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

Broken Text Should Not Be Executed
    [Documentation]    Sends a good request with a byte that is not UTF-8 in a member without meaning.
    ${good} =    Server Should Still Answer
    VAR    ${params} =    ${{ {**($good['sent'].get('params') or {}), 'mcplibrary-text': 'BROKEN'} }}
    VAR    ${bent} =    ${{ {**$good['sent'], 'id': 'mcplibrary-broken', 'params': $params} }}
    VAR    ${bytes} =    ${{ json.dumps($bent).encode().replace(b'BROKEN', bytes([98, 255, 98])) }}
    ${reply} =    Send Raw Bytes    ${bytes}    headers={"Mcp-Method": "${good.sent.method}"}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

Call Roles That Ask
    [Documentation]    Calls the tools that ask the client something, with scripted answers, and returns how many there were.
    Answer Elicitation    DECLINE
    Answer Sampling    none
    Answer Roots    file:///mcplibrary
    VAR    ${called} =    ${0}
    FOR    ${role}    IN    elicitation_tool    sampling_tool    roots_tool    imperative_tool
        ${tool} =    Get Role    ${role}
        IF    $tool is None    CONTINUE
        Call Role    ${tool}
        VAR    ${called} =    ${called + 1}
    END
    RETURN    ${called}

Ask For Everything
    [Documentation]    One request of each kind that asks for no permission, and those of the roles that are named.
    Walk All Lists
    Send Raw Request    tools/nope
    FOR    ${role}    IN    safe_tool    structured_tool    media_tool    failing_tool    logging_tool
        ${tool} =    Get Role    ${role}
        IF    $tool is not None    Call Role    ${tool}
    END
    ${resource} =    Get Role    text_resource
    IF    $resource is not None
        Read Resource    ${resource.uri}    expect=ANY
    END
    ${prompt} =    Get Role    prompt
    IF    $prompt is not None
        Get Prompt    ${prompt.name}    arguments=${prompt.arguments}    expect=ANY
    END
