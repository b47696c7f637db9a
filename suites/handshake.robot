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
