*** Settings ***
Documentation    Streamable HTTP in the legacy era: sessions and their ids, the version header, the GET stream beside the streams of calls,
...              hanging up and resuming. Much of it is the server's choice: one without sessions, without a GET stream or without event
...              ids is skipped where these are judged, and every such SKIP says so.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        http    sessions


*** Test Cases ***
Session Ids Are Visible Ascii
    [Documentation]    The id of a session travels in a header: no spaces, no control characters, nothing beyond ASCII.
    [Metadata]    Rule    HTTP-30
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    MUST    HTTP-30
    Use Legacy Server Over Http
    ${id} =    Require Session
    Session Ids Should Be Visible Ascii    ${{ [$id] }}

Session Ids Are Hard To Guess
    [Documentation]    Who guesses the id of a session can act in it. Opens ten sessions: their ids are all different, and different enough.
    [Metadata]    Rule    HTTP-31
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    SHOULD    HTTP-31
    Use Legacy Server Over Http
    Require Session
    ${ids} =    Collect Session Ids    10
    Session Ids Should Be Hard To Guess    ${ids}

Request Without A Session Is Refused
    [Documentation]    A server that works with sessions answers 400 to a request without `Mcp-Session-Id`, so that a client knows what is missing.
    [Metadata]    Rule    HTTP-32
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    SHOULD    HTTP-32
    Use Legacy Server Over Http
    Require Session
    ${reply} =    Send Plain Request    without=Mcp-Session-Id
    Answer Should Have Http Status    ${reply}    400

Unknown Session Is Refused
    [Documentation]    A request with the id of no session is not served, and gets no session by it.
    [Metadata]    Rule    HTTP-33
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    MUST    HTTP-33
    Use Legacy Server Over Http
    Require Session
    ${reply} =    Send Plain Request    headers={"Mcp-Session-Id": "mcplibrary-no-such-session"}
    Http Request Should Be Refused    ${reply}

Unknown Session Is Not Found
    [Documentation]    The status is 404: that is what tells a client to begin a new session. The specification says so of ended sessions; that a
    ...    server cannot tell these from unknown ones follows, but official servers answer 400, so this warns.
    [Metadata]    Rule    HTTP-33
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: said of ended sessions only, and official servers answer 400
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    MUST    HTTP-33
    Use Legacy Server Over Http
    Require Session
    ${reply} =    Send Plain Request    headers={"Mcp-Session-Id": "mcplibrary-no-such-session"}
    Answer Should Have Http Status    ${reply}    404

Delete Ends The Session Or Is Not Allowed
    [Documentation]    DELETE ends a session, or is answered by 405 by a server that lets no client do that.
    [Metadata]    Rule    HTTP-34
    [Metadata]    Level    MAY
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    MAY    HTTP-34
    Use Legacy Server Over Http
    Connect To Server Under Test    legacy    handshake=True
    Require Session
    ${reply} =    Send Http Request    DELETE
    Answer Should Have Http Status    ${reply}    200    202    204    405

Ended Session Is Not Found
    [Documentation]    A session that was ended by DELETE is over: every further request in it gets 404.
    [Metadata]    Rule    HTTP-33
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
    [Tags]    legacy    MUST    HTTP-33
    Use Legacy Server Over Http
    Connect To Server Under Test    legacy    handshake=True
    Require Session
    ${reply} =    Send Http Request    DELETE
    Skip If    not 200 <= (${reply.status} or 0) < 300    Not applicable: the server did not end the session by DELETE.
    ${reply} =    Send Plain Request
    Answer Should Have Http Status    ${reply}    404

Unsupported Version Header Is A Bad Request
    [Documentation]    After the handshake a version header that the server does not know is answered by 400, not ignored.
    [Metadata]    Rule    VER-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
    [Tags]    legacy    MUST    VER-05
    [Setup]    Use Legacy Server With Version Header
    [Template]    Version Header Should Be A Bad Request
    1999-01-01
    nonsense

Request Without Version Header Is Served
    [Documentation]    A request without the header is served: the session tells the version, or 2025-03-26 is assumed, which had no such header.
    [Metadata]    Rule    VER-06
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
    [Tags]    legacy    SHOULD    VER-06
    Use Legacy Server With Version Header
    ${reply} =    Send Plain Request    without=MCP-Protocol-Version
    Call Should Succeed    ${reply}

Other Version Header Than Negotiated Does No Harm
    [Documentation]    Clients send the negotiated version. Another supported one is served or refused; it does not make the server fail.
    [Metadata]    Rule    VER-14
    [Metadata]    Level    advice
    [Metadata]    Revisions    2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#protocol-version-header
    [Tags]    legacy    advice    VER-14
    Use Legacy Server With Version Header
    ${reply} =    Send Plain Request    headers={"MCP-Protocol-Version": "2025-03-26"}
    Http Answer Should Be Sane    ${reply}
    Server Should Still Answer

Get Is Answered By A Stream Or Not Allowed
    [Documentation]    GET opens the stream on which the server speaks by itself, or is answered by 405: anything else confuses clients, which all
    ...    try it.
    [Metadata]    Rule    HTTP-27
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
    [Tags]    legacy    MUST    HTTP-27
    Use Legacy Server Over Http
    Get Should Open A Stream Or Be Not Allowed

Get Stream Carries No Responses
    [Documentation]    Responses come on the stream of their request. Looks at all that came on the GET stream so far, and after one more call. Role:
    ...    slow_tool.
    [Metadata]    Rule    HTTP-28
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
    [Tags]    legacy    MUST    HTTP-28
    Use Legacy Server Over Http
    Require Get Stream
    ${tool} =    Require Role    slow_tool
    Call Slow Tool    ${tool}
    Server Should Still Answer
    Get Stream Should Carry No Responses

Message Comes On One Stream Only
    [Documentation]    A message is sent once: what came on the stream of a call does not come on the GET stream as well. Role: slow_tool, which
    ...    reports progress.
    [Metadata]    Rule    HTTP-29
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#multiple-connections
    [Tags]    legacy    MUST    HTTP-29
    Use Legacy Server Over Http
    Require Get Stream
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}
    Server Should Still Answer
    Messages Should Come On One Stream Only    ${replies}[0]

Streams Of Calls Carry Their Own Progress
    [Documentation]    What comes on the stream of a call relates to that call: progress of another one belongs elsewhere. Role: slow_tool.
    [Metadata]    Rule    HTTP-43
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    [Tags]    legacy    SHOULD    HTTP-43
    Use Legacy Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}    times=2
    Require Event Stream    @{replies}
    Streams Should Carry Only Their Own Progress    @{replies}

Questions Come On The Stream Of Their Call
    [Documentation]    What a server asks during a call comes on the stream of that call, and not on the GET stream. Role: elicitation_tool.
    [Metadata]    Rule    HTTP-43
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    [Tags]    legacy    SHOULD    HTTP-43
    ${reply} =    Call A Tool That Asks
    Questions Should Come On The Stream Of Their Call    ${reply}

Posted Responses Are Accepted Without A Body
    [Documentation]    The client's answer to a question of the server is posted, and accepted by 202 without a body. Role: elicitation_tool.
    [Metadata]    Rule    HTTP-42
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    [Tags]    legacy    MUST    HTTP-42
    ${reply} =    Call A Tool That Asks
    Responses Of Ours Should Be Accepted    ${reply}

Hanging Up Does Not Cancel A Legacy Request
    [Documentation]    A lost connection is no cancellation in the legacy era: the call runs to its end. Roles: slow_tool, and state_probe with
    ...    `counts`.
    [Metadata]    Rule    HTTP-26
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    [Tags]    legacy    SHOULD    HTTP-26
    Use Legacy Server Over Http
    ${tool} =    Require Role    slow_tool
    ${probe} =    Require Role    state_probe
    ${before} =    Count Slow Calls    ${probe}
    ${call} =    Start Slow Call    ${tool}    duration=0.5
    Slow Call Should Have    started    ${probe}    since=${before}
    Hang Up Call    ${call}
    Slow Call Should Have    finished    ${probe}    since=${before}

Event Ids Are Unique In A Session
    [Documentation]    Events may have ids, by which a broken stream is resumed; then each names one event of the whole session. Role: slow_tool.
    [Metadata]    Rule    HTTP-35
    [Metadata]    Level    MUST
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
    [Tags]    legacy    MUST    HTTP-35
    ${replies} =    Call On Resumable Streams
    Event Ids Should Be Unique    @{replies}

Replay Stays On Its Stream
    [Documentation]    Who resumes a stream gets what was missed on that stream, and nothing of others. Role: slow_tool.
    [Metadata]    Rule    HTTP-36
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
    [Tags]    legacy    MUST    HTTP-36
    ${replies} =    Call On Resumable Streams
    Replay Should Stay On Its Stream    @{replies}

Resumable Stream Begins With An Event To Resume From
    [Documentation]    A stream that can be resumed begins with an event of an id and empty data, so that it can be resumed even when it breaks at
    ...    once. Role: slow_tool.
    [Metadata]    Rule    HTTP-37
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
    [Tags]    legacy    SHOULD    HTTP-37
    Use Legacy Server Over Http
    Connect To Server Under Test    2025-11-25    handshake=True
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}
    Require Event Stream    @{replies}
    Require Event Ids    @{replies}
    Stream Should Be Primed    ${replies}[0]

Attempt To Resume What Is Not There Does No Harm
    [Documentation]    GET with a `Last-Event-ID` that the server never gave is refused, or answered by a stream; the server does not fail.
    [Metadata]    Rule    HTTP-38
    [Metadata]    Level    advice
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
    [Tags]    legacy    advice    HTTP-38
    Use Legacy Server Over Http
    ${reply} =    Send Http Request    GET    peek=True
    ...    headers={"Accept": "text/event-stream", "Last-Event-ID": "mcplibrary-no-such-event"}
    Http Answer Should Be Sane    ${reply}
    Server Should Still Answer


*** Keywords ***
Use Legacy Server With Version Header
    [Documentation]    The shared legacy connection over HTTP; skips when its revision has no version header.
    Use Legacy Server Over Http
    Require Version Header

Version Header Should Be A Bad Request
    [Documentation]    Template: a request with this version header gets 400.
    [Arguments]    ${version}
    ${reply} =    Send Plain Request    headers={"MCP-Protocol-Version": "${version}"}
    Answer Should Have Http Status    ${reply}    400

Call A Tool That Asks
    [Documentation]    Connects as a client that can be asked, calls the elicitation_tool, and returns the reply.
    Use Legacy Server Over Http
    ${tool} =    Require Role    elicitation_tool
    Answer Elicitation    content=${tool.get('answer')}
    Connect To Server Under Test    legacy    handshake=True
    ${reply} =    Call Role    ${tool}
    RETURN    ${reply}

Call On Resumable Streams
    [Documentation]    Two calls of the slow_tool at once; skips when their streams have no event ids.
    Use Legacy Server Over Http
    ${tool} =    Require Role    slow_tool
    ${replies} =    Call Slow Tool    ${tool}    times=2
    Require Event Stream    @{replies}
    Require Event Ids    @{replies}
    RETURN    ${replies}
