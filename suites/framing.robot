*** Settings ***
Documentation    Framing: what any JSON-RPC peer expects of a server, whatever the method. Answers carry the id of their request, what is no
...              request is not executed and ends nothing, notifications get no answer, and there are no batches any more.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        framing


*** Test Cases ***
Answers Carry The Id Of Their Request
    [Documentation]    The id comes back with its JSON type and value: `1` is not `"1"`. A client that gets another id waits for ever.
    [Metadata]    Rule    RPC-01, RPC-02, RPC-04, RPC-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#responses
    [Tags]    legacy    modern    MUST    RPC-01    RPC-02    RPC-04    RPC-07
    [Setup]    Use Server Under Test
    [Template]    Id Should Come Back
    101
    -1
    "abc"
    "101"
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
    {}
    {"jsonrpc": "2.0", "id": 901, "method": 5}

Malformed Ids And Versions Are Not Served
    [Documentation]    Requests with a null, fractional or boolean id, without `jsonrpc` or with another version are invalid. Several SDKs serve them, so
    ...    this warns.
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
    jsonrpc    "1.0"

Batches Are Refused
    [Documentation]    One message a line or POST: since 2025-06-18 there are no batches. A batch is not executed.
    [Metadata]    Rule    RPC-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-06-18/changelog
    [Tags]    legacy    modern    MUST    RPC-11
    ${era} =    Use Server Under Test
    ${revision} =    Get Protocol Revision
    Skip If    '${revision}' < '2025-06-18'    Not applicable: ${revision} has batches.
    VAR    ${method} =    ${{ 'ping' if $era == 'legacy' else 'server/discover' }}
    ${good} =    Send Raw Request    ${method}
    VAR    @{batch} =    ${good.sent}
    ${reply} =    Send Raw Message    ${batch}    headers={"Mcp-Method": "${method}"}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer

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


*** Keywords ***
Id Should Come Back
    [Documentation]    Template: a request with this id (JSON) is answered with it.
    [Arguments]    ${id}
    ${reply} =    Send Raw Request    tools/nope    id=${id}
    Answer Should Be Well Formed    ${reply}
    ${reply} =    Send Raw Request    tools/list    id=${id}
    Answer Should Be Well Formed    ${reply}

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
    ${era} =    Use Server Under Test
    ${good} =    Send Raw Request    ${{ 'ping' if $era == 'legacy' else 'server/discover' }}
    VAR    ${bent} =    ${{ {**$good['sent'], 'id': 'mcplibrary-bent', $member: json.loads($value)} }}
    ${reply} =    Send Raw Message    ${bent}    silence=${SILENCE}
    Message Should Not Be Executed    ${reply}
    Server Should Still Answer
