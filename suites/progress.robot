*** Settings ***
Documentation    Progress: a call that takes a while reports how far it is, but only to who asked for it, on the stream of that call and not
...              after its end. Role: slow_tool.

Resource         ../resources/streams.resource

Suite Setup      Open Server Under Test

Test Tags        progress


*** Test Cases ***
Progress Rises Under The Token Of Its Call
    [Documentation]    Clients show progress in a bar that must not go back, and find the call that it belongs to by the token, with its JSON
    ...    type. `progress` and `total` are numbers, `message` a text. Skipped if the tool reports no progress.
    [Metadata]    Rule    PROG-02, PROG-03, PROG-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#progress-flow
    [Tags]    legacy    modern    MUST    PROG-02    PROG-03    PROG-06
    Use Server Under Test
    ${tool} =    Require Slow Tool    0.06
    FOR    ${token}    IN    "mcplibrary-progress"    7001
        ${reply} =    Call Role    ${tool}    meta={"progressToken": ${token}}
        Require Notifications    ${reply}    progress
        Notifications Should Be Valid    progress
        Progress Should Increase    ${reply}
    END

Progress Ends With The Response
    [Documentation]    After the response nothing more comes for its token: the client has forgotten the call.
    [Metadata]    Rule    PROG-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#behavior-requirements
    [Tags]    legacy    modern    MUST    PROG-04
    Use Server Under Test
    ${tool} =    Require Slow Tool    0.06
    ${reply} =    Call Role    ${tool}    meta={"progressToken": "mcplibrary-end"}
    Require Notifications    ${reply}    progress
    Nothing Should Come After    ${reply}    progress    silence=${SILENCE}

Progress Is Sent Only When Asked For
    [Documentation]    Without a token in the request there is no progress.
    [Metadata]    Rule    PROG-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress#progress-flow
    [Tags]    legacy    modern    MUST    PROG-01
    Use Server Under Test
    ${tool} =    Require Slow Tool    0.06
    ${reply} =    Call Role    ${tool}
    Server Should Still Answer
    Progress Should Be Wanted    ${reply}

Malformed Progress Tokens Are Not Used
    [Documentation]    A token that is neither a string nor an integer is refused or ignored; no progress comes under it, and the server goes
    ...    on serving.
    [Metadata]    Rule    PROG-07
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#progresstoken
    [Tags]    legacy    modern    MUST    PROG-07
    Use Server Under Test
    ${tool} =    Require Slow Tool    0.06
    FOR    ${token}    IN    true    ["a"]
        ${reply} =    Call Role    ${tool}    meta={"progressToken": ${token}}
        Server Should Still Answer
        Progress Should Be Wanted    ${reply}
    END

Progress Comes On The Stream Of Its Call
    [Documentation]    Over HTTP the progress of a call comes on the stream that answers it, also while another call is in flight; a client looks
    ...    for it nowhere else.
    [Metadata]    Rule    PROG-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
    [Tags]    modern    MUST    PROG-05
    Use Modern Server Over Http
    ${tool} =    Require Slow Tool    0.06
    ${other} =    Start Role Call    ${tool}    meta={"progressToken": "mcplibrary-other"}
    ${reply} =    Call Role    ${tool}    meta={"progressToken": "mcplibrary-own"}
    ${other} =    Wait For Call    ${other}    expect=ANY
    Require Notifications    ${reply}    progress
    Notifications Should Travel With Their Call    ${reply}    progress
    Notifications Should Travel With Their Call    ${other}    progress
