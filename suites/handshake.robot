*** Settings ***
Documentation    The handshake of the legacy era: `initialize` with its version negotiation, `notifications/initialized`, and what may and may not
...              happen before and after them.

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
    ...    error. It must not be accepted as it is, and what is offered instead must then be accepted. (X-15: the
    ...    specification shows both answers.)
    [Metadata]    Rule    HS-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
    [Tags]    legacy    MUST    HS-03
    Connect To Server Under Test    legacy
    ${reply} =    Unsupported Revision Should Be Refused    1999-01-01
    IF    $reply.result
        Revision Should Be Negotiated    ${reply.result.protocolVersion}
    END

Unsupported Version Is Answered With The Newest Revision
    [Documentation]    A client that asks for too much should get the best that the server has. Judged by what the server negotiates with a client
    ...    that asks for the newest legacy revision.
    [Metadata]    Rule    HS-03
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation
    [Tags]    legacy    SHOULD    HS-03
    Use Server Under Test    legacy
    ${newest} =    Get Protocol Revision
    Connect To Server Under Test    legacy
    ${reply} =    Unsupported Revision Should Be Refused    1999-01-01
    Skip If    not $reply.result    Not applicable: the server refuses the unsupported version with an error.
    Offered Revision Should Be At Least    ${reply}    ${newest}

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
    [Documentation]    `protocolVersion`, `capabilities` and `clientInfo` are required by the schema; without them there is nothing to negotiate.
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
    {"protocolVersion": "2025-06-18", "clientInfo": {"name": "t", "version": "1"}}

Server Info Has A Name And A Version
    [Documentation]    Hosts show this name to people. It must be a string that is not empty; the version must be a string. What else may be said
    ...    (title, description, website, icons) must have its shape.
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

Server Asks Nothing Before The Client Is Ready
    [Documentation]    Until `notifications/initialized` came the client may not be able to answer; only `ping` and log messages may be sent. Watches
    ...    the connection for a moment, over HTTP its event stream too.
    [Metadata]    Rule    HS-10
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
    [Tags]    legacy    SHOULD    HS-10
    Connect To Server Under Test    legacy
    ${reply} =    Initialize Session    complete=${False}
    Call Should Succeed    ${reply}
    Server Should Ask Nothing Yet    silence=${SILENCE}

Ping Is Answered With An Empty Result
    [Documentation]    Clients and proxies ping to see whether a server lives; the answer says nothing. A server that does not answer fails.
    [Metadata]    Rule    PING-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
    [Tags]    legacy    MUST    PING-01
    Use Server Under Test    legacy
    Ping Should Be Empty

Lists Hold Nothing Newer Than The Revision
    [Documentation]    A client of an older revision may choke on what that did not have yet: `outputSchema` or `title` of tools, icons, and more. Reads the
    ...    lists in each revision that the server negotiates.
    [Metadata]    Rule    HS-17, HS-20
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: official SDKs send their newest shapes in every legacy revision (X-31)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    MUST    HS-17    HS-20
    [Template]    Revision Bounds The Lists
    2025-11-25
    2025-06-18
    2025-03-26

Tool Results Hold Nothing Newer Than The Revision
    [Documentation]    A content block of a type that the negotiated revision does not have is refused by strict clients: no `resource_link` and no
    ...    `structuredContent` before 2025-06-18. Calls the tools of the roles media_tool, structured_tool and safe_tool.
    [Metadata]    Rule    HS-17
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: official SDKs send their newest shapes in every legacy revision (X-31)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    MUST    HS-17
    [Template]    Revision Bounds The Results
    2025-11-25
    2025-06-18
    2025-03-26

Questions Are None Newer Than The Revision
    [Documentation]    Elicitation came with 2025-06-18, its URL mode with 2025-11-25: a client of an older revision is not asked so, whatever it declares.
    [Metadata]    Rule    HS-17
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: official SDKs send their newest shapes in every legacy revision (X-31)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    MUST    HS-17
    [Template]    Revision Bounds The Questions
    2025-06-18
    2025-03-26

Client That Declared Nothing Is Asked Nothing
    [Documentation]    A client that declares neither elicitation nor sampling nor roots cannot answer; the tool ends with an error instead. (X-14)
    [Metadata]    Rule    HS-18
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: the python SDK asks all the same when its author calls ctx.elicit and the like
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    MUST    HS-18
    @{tools} =    Require Any Role    elicitation_tool    sampling_tool    roots_tool    imperative_tool
    Connect To Server Under Test    legacy    handshake=${True}
    Calls Should Ask Only What They May    @{tools}


*** Keywords ***
Asked Revision Is Negotiated
    [Documentation]    Template: a fresh connection asks for a revision; what the server names is then asked for itself.
    [Arguments]    ${revision}
    Connect To Server Under Test    legacy
    ${negotiated} =    Initialize Should Settle On A Legacy Revision    ${revision}
    IF    $negotiated != $revision
        Revision Should Be Negotiated    ${negotiated}
    END

Revision Should Be Negotiated
    [Documentation]    On a fresh connection `initialize` answers with the asked revision.
    [Arguments]    ${revision}
    Connect To Server Under Test    legacy
    ${reply} =    Initialize Session    ${revision}
    Call Should Succeed    ${reply}
    Negotiated Revision Should Be    ${revision}

Revision Bounds The Lists
    [Documentation]    Template: a connection of this revision.
    [Arguments]    ${revision}
    Connect To Server Under Test    ${revision}    handshake=${True}
    Lists Should Fit The Revision

Revision Bounds The Results
    [Documentation]    Template: a connection of this revision, and tools with more than text.
    [Arguments]    ${revision}
    @{tools} =    Require Any Role    media_tool    structured_tool    safe_tool
    Connect To Server Under Test    ${revision}    handshake=${True}
    Tool Results Should Fit The Revision    @{tools}

Revision Bounds The Questions
    [Documentation]    Template: a connection of this revision, whose client declares elicitation, and tools that ask.
    [Arguments]    ${revision}
    @{tools} =    Require Any Role    elicitation_tool    imperative_tool
    Answer Elicitation    CANCEL
    Connect To Server Under Test    ${revision}    handshake=${True}
    Calls Should Ask Only What They May    @{tools}

Initialize Without Is Refused
    [Documentation]    Template: `initialize` with incomplete params is answered by an error.
    [Arguments]    ${params}
    Connect To Server Under Test    legacy
    ${reply} =    Send Raw Request    initialize    ${params}
    Call Should Be Protocol Error    ${reply}
