*** Settings ***
Documentation    Cancellation: a client that lost interest says so, by a notification or, over modern HTTP, by closing the stream. The server
...              stops the work, says nothing more about it, and takes no harm from what comes too late. Roles: slow_tool, state_probe.

Resource         ../resources/streams.resource

Suite Setup      Open Server Under Test

Test Tags        cancellation


*** Test Cases ***
Cancelled Request Stays Silent
    [Documentation]    After `notifications/cancelled` for a call in flight nothing more comes for it on stdio: no response, no error, no progress.
    ...    The client has forgotten its id. The call would take two thirds of the time that is waited.
    [Metadata]    Rule    CANC-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#behavior-requirements
    [Tags]    modern    MUST    CANC-01
    Use Server Under Test    modern
    Require Transport    stdio
    ${call} =    Start Cancellable Call
    Cancel Request    ${call}    not needed any more
    Cancelled Call Should Stay Silent    ${call}    progress=${True}    silence=${SILENCE}
    Server Should Still Answer

Cancelled Legacy Request Gets No Response
    [Documentation]    After `notifications/cancelled` the call in flight is not answered; over HTTP its stream just ends. The call would take two thirds of
    ...    the time that is waited.
    [Metadata]    Rule    CANC-04
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation#behavior-requirements
    [Tags]    legacy    SHOULD    CANC-04
    Use Server Under Test    legacy
    ${call} =    Start Cancellable Call
    Cancel Request    ${call}    not needed any more
    Cancelled Call Should Stay Silent    ${call}    silence=${SILENCE}
    Server Should Still Answer

Cancelled Work Stops
    [Documentation]    A cancelled call stops working, whether it was cancelled by a notification or by closing its stream; otherwise it goes on
    ...    costing. The `counts` of the role state_probe name the numbers that count such calls.
    [Metadata]    Rule    CANC-02
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#behavior-requirements
    [Tags]    legacy    modern    SHOULD    CANC-02
    Use Server Under Test
    ${probe} =    Require Role    state_probe
    ${before} =    Count Slow Calls    ${probe}
    ${call} =    Start Cancellable Call    seconds=2
    Slow Call Should Have    started    ${probe}    since=${before}
    Cancel Request    ${call}    not needed any more
    Slow Call Should Have    cancelled    ${probe}    since=${before}    timeout=${SILENCE}

Pointless Cancellations Are Ignored
    [Documentation]    A cancellation that names an unknown request, one that is answered already, or none at all is not answered and hurts nobody:
    ...    by the nature of the matter it may come too late.
    [Metadata]    Rule    CANC-03
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#error-handling
    [Tags]    legacy    modern    SHOULD    CANC-03
    Use Server Under Test
    ${tool} =    Require Safe Tool
    ${reply} =    Call Role    ${tool}
    Answer Should Be Well Formed    ${reply}
    FOR    ${params}    IN    {"requestId": 987654321}    {"requestId": ${reply.id}}    {}    {"requestId": [1]}
        Cancellation Should Be Ignored    ${params}    silence=${SILENCE}
    END

Posted Cancellation Is Not The Signal
    [Documentation]    Over modern HTTP a client cancels by closing the stream; requests know nothing of each other, so that a posted
    ...    `notifications/cancelled` may end nobody's call.
    [Metadata]    Rule    CANC-05
    [Metadata]    Level    advice (note)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation
    [Tags]    modern    advice    CANC-05
    Use Modern Server Over Http
    ${call} =    Start Cancellable Call    seconds=0.2    share=1    id=mcplibrary-posted
    Send Raw Notification    notifications/cancelled    {"requestId": "mcplibrary-posted"}
    Wait For Call    ${call}

Cancellation At Completion Is Survived
    [Documentation]    Cancellation and response can cross. Calls of the safe tool are cancelled right before, at and after their completion: each
    ...    is answered at most once, and the server goes on serving.
    [Metadata]    Rule    CANC-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation#timing-considerations
    [Tags]    legacy    modern    MUST    CANC-06
    Use Server Under Test
    ${tool} =    Require Safe Tool
    Cancellations At Completion Should Be Survived    ${tool}
    Server Should Still Answer


*** Keywords ***
Start Cancellable Call
    [Documentation]    Starts a call of the role slow_tool that reports progress, and makes sure that it has arrived: over HTTP a cancellation could
    ...    overtake it.
    [Arguments]    ${seconds}=${SILENCE}    ${share}=0.66    ${id}=${None}
    ${tool} =    Require Slow Tool    ${seconds}    share=${share}
    ${call} =    Start Role Call    ${tool}    meta={"progressToken": "mcplibrary-cancelled"}    id=${id}
    Server Should Still Answer
    RETURN    ${call}
