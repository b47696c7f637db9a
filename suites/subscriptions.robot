*** Settings ***
Documentation    Subscriptions of the modern era: `subscriptions/listen` opens a stream of the changes that a client asks for. It is acknowledged
...              first, every message on it carries its id, it stays open until it is cancelled, and nothing of it outlives it. Skipped
...              where no change is declared. Role: mutating_tool, which is called twice each time, so that its changes are undone.

Resource         ../resources/streams.resource

Suite Setup      Open Server Under Test

Test Tags        subscriptions


*** Test Cases ***
Subscription Begins With Its Acknowledgment
    [Documentation]    The acknowledgment is the first message: a client that has it knows that no later change is missed.
    [Metadata]    Rule    SUB-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment
    [Tags]    modern    MUST    SUB-01
    ${kinds} =    Use Modern Server With Changes
    ${subscription} =    Listen For Changes    ${kinds}
    Server Should Still Answer
    Subscription Should Begin With Acknowledgment    ${subscription}
    [Teardown]    Cancel Open Subscriptions

Messages Of A Subscription Carry Its Id
    [Documentation]    Every message of a subscription has the id of its request in `_meta`, with its JSON type: on stdio, where all subscriptions
    ...    share one stream, a client has nothing else to tell them apart. With the role mutating_tool a change is judged as well.
    [Metadata]    Rule    SUB-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#receiving-notifications
    [Tags]    modern    MUST    SUB-02
    ${kinds} =    Use Modern Server With Changes
    ${tool} =    Get Role    mutating_tool
    FOR    ${id}    IN    70001    "mcplibrary-sub-1"
        ${subscription} =    Listen For Changes    ${kinds}    id=${id}
        IF    $tool is not None    Make A Change    ${tool}
        Server Should Still Answer
        Subscription Should Carry Its Id    ${subscription}
        Cancel Request    ${subscription}
    END
    [Teardown]    Undo Changes

Only Requested Kinds Are Delivered
    [Documentation]    Of two subscriptions at the same time one asks for one kind of change, the other for the other kinds: when everything
    ...    changes, each gets its own only.
    [Metadata]    Rule    SUB-03
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#opening-a-stream
    [Tags]    modern    MUST    SUB-03
    ${kinds} =    Use Modern Server With Changes
    ${tool} =    Require Role    mutating_tool    changes
    ${one}    ${others} =    Split Kinds    ${kinds}
    ${first} =    Listen For Changes    ${one}
    ${second} =    Listen For Changes    ${others}
    Make A Change    ${tool}
    Wait For Any Change    ${first}    ${second}    timeout=${SILENCE}
    Subscription Should Deliver Only What Was Asked For    ${first}
    Subscription Should Deliver Only What Was Asked For    ${second}
    [Teardown]    Undo Changes

Acknowledgment Says What Is Honoured
    [Documentation]    The acknowledgment lists the honoured part of what was asked for, and nothing else. Asks for one kind of change only.
    [Metadata]    Rule    SUB-04
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment
    [Tags]    modern    MUST    SUB-04
    ${kinds} =    Use Modern Server With Changes
    VAR    &{one} =    &{{ dict(list($kinds.items())[:1]) }}
    ${subscription} =    Listen For Changes    ${one}
    Acknowledgment Should List Only What Was Asked For    ${subscription}
    [Teardown]    Cancel Open Subscriptions

Only Supported Kinds Are Acknowledged
    [Documentation]    Asked for all kinds and one that does not exist, the server acknowledges what it declares; a client that is promised more waits
    ...    for what never comes. A server that declares no change may as well not know the method.
    [Metadata]    Rule    SUB-04, SUB-15
    [Metadata]    Level    MUST (derived)
    [Metadata]    Verdict    WARN: the official python SDK acknowledges every kind that it knows, declared or not
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment
    [Tags]    modern    MUST    SUB-04    SUB-15
    Use Server Under Test    modern
    Only Declared Changes Should Be Acknowledged
    [Teardown]    Cancel Open Subscriptions

Changes Reach Those Who Listen
    [Documentation]    Each list that is declared to change, and the resource that the role mutating_tool names in `updates`, is announced to who
    ...    asked for it.
    [Metadata]    Rule    SUB-05
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#list-changed-notification
    [Tags]    modern    SHOULD    SUB-05
    Use Modern Server With Changes
    ${tool} =    Require Role    mutating_tool    changes
    ${kinds} =    Get Declared Changes    updates=${tool.get('updates')}
    ${subscription} =    Listen For Changes    ${kinds}
    Make A Change    ${tool}
    FOR    ${list}    IN    @{tool.changes}
        IF    '${list}ListChanged' in $kinds
            Wait For Notification    ${list}/list_changed    subscription=${subscription}    timeout=${SILENCE}
        END
    END
    IF    'resourceSubscriptions' in $kinds
        Wait For Notification    resources/updated    subscription=${subscription}    timeout=${SILENCE}
    END
    [Teardown]    Undo Changes

Updates Come For Subscribed Resources Only
    [Documentation]    One subscription asks for the resource that the role mutating_tool names in `updates`, the other for another one: the first gets
    ...    the update, with the URI, the second gets none.
    [Metadata]    Rule    SUB-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#subscriptions
    [Tags]    modern    MUST    SUB-06
    Use Server Under Test    modern
    Require Change Notifications    resourceSubscriptions
    ${tool} =    Require Role    mutating_tool    updates
    ${other} =    Get Another Resource    ${tool.updates}
    ${first} =    Listen For Changes    {"resourceSubscriptions": ["${tool.updates}"]}
    ${second} =    Listen For Changes    {"resourceSubscriptions": ["${other}"]}
    Make A Change    ${tool}
    Wait For Any Change    ${first}    ${second}    timeout=${SILENCE}
    Subscription Should Deliver Only What Was Asked For    ${first}
    Subscription Should Deliver Only What Was Asked For    ${second}
    [Teardown]    Undo Changes

Several Subscriptions Run At Once
    [Documentation]    Subscriptions are independent: opening a second one ends or changes nothing about the first.
    [Metadata]    Rule    SUB-07
    [Metadata]    Level    MAY
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#multiple-subscriptions
    [Tags]    modern    MAY    SUB-07
    ${kinds} =    Use Modern Server With Changes
    ${first} =    Listen For Changes    ${kinds}
    ${second} =    Listen For Changes    ${kinds}
    Server Should Still Answer
    Subscription Should Be Open    ${first}
    Subscription Should Be Open    ${second}
    [Teardown]    Cancel Open Subscriptions

Subscription Carries Nothing Of Other Requests
    [Documentation]    Progress and log messages belong to the request that asked for them and never come on a subscription. Roles: slow_tool,
    ...    logging_tool, of which one must be named.
    [Metadata]    Rule    SUB-08
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#receiving-notifications
    [Tags]    modern    MUST    SUB-08
    ${kinds} =    Use Modern Server With Changes
    ${slow} =    Get Role    slow_tool
    ${logging} =    Get Role    logging_tool
    Skip If    $slow is None and $logging is None    Not applicable: neither role slow_tool nor logging_tool is named.
    ${subscription} =    Listen For Changes    ${kinds}
    IF    $slow is not None
        ${slow} =    Require Slow Tool    0.06
        Call Role    ${slow}    meta={"progressToken": "mcplibrary-beside"}
    END
    Provoke Log Messages    modern
    Server Should Still Answer
    Subscription Should Deliver Only What Was Asked For    ${subscription}
    [Teardown]    Cancel Open Subscriptions

Cancelled Subscription Stays Silent
    [Documentation]    Two subscriptions ask for the same, one of them is cancelled: of the next change only the other one hears.
    [Metadata]    Rule    SUB-09
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#cancellation
    [Tags]    modern    MUST    SUB-09
    ${kinds} =    Use Modern Server With Changes
    ${tool} =    Require Role    mutating_tool    changes
    ${cancelled} =    Listen For Changes    ${kinds}
    ${other} =    Listen For Changes    ${kinds}
    Cancel Request    ${cancelled}
    Server Should Still Answer
    Make A Change    ${tool}
    Wait For Any Change    ${other}    ${cancelled}    timeout=${SILENCE}
    Cancelled Subscription Should Be Silent    ${cancelled}
    [Teardown]    Undo Changes

Ending Server Closes Its Subscriptions
    [Documentation]    A server that ends tells its listeners, so that they can tell an orderly end from a crash: by a complete result that carries the
    ...    id of the subscription, or by `notifications/cancelled`. One page asks for the one, another page for the other; either is
    ...    right (X-20). Only for servers whose process this library starts.
    [Metadata]    Rule    SUB-10, SUB-11
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: the pages on subscriptions and on cancellation differ, and the official SDKs of Python and TypeScript do neither (X-20)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure
    [Tags]    modern    MUST    SUB-10    SUB-11
    Use Server Under Test    modern
    Require Transport    stdio
    Require Change Notifications
    Connect To Server Under Test    modern    handshake=${True}
    ${kinds} =    Require Change Notifications
    ${subscription} =    Listen For Changes    ${kinds}
    Server Should Close Subscription When It Ends    ${subscription}

Server Cancels Nothing But Subscriptions
    [Documentation]    A modern server has no requests of its own to cancel, and those of the client are not its to cancel. Judges all messages of the
    ...    connection, after a call of the safe tool.
    [Metadata]    Rule    SUB-12
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
    [Tags]    modern    MUST    SUB-12
    Use Server Under Test    modern
    ${tool} =    Require Safe Tool
    Call Role    ${tool}
    Server Should Cancel Only Subscriptions

Subscription Without Filter Is Invalid Params
    [Documentation]    The filter `notifications` is required: without it, or with one that is no object, nobody knows what to deliver.
    [Metadata]    Rule    SUB-13
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#subscriptionslistenrequestparams
    [Tags]    modern    MUST    SUB-13
    Use Modern Server With Changes
    FOR    ${params}    IN    {}    {"notifications": "all"}
        ${reply} =    Send Raw Request    subscriptions/listen    ${params}    timeout=2 s
        Assert Error Code    ${reply}    invalid params
    END
    [Teardown]    Cancel Open Subscriptions

Nothing Of A Subscription Survives Its Connection
    [Documentation]    A client that connects anew listens anew: of what an earlier connection asked for it hears nothing. (On stdio
    ...    a new connection is a new process.)
    [Metadata]    Rule    SUB-14
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#cancellation
    [Tags]    modern    MUST    SUB-14
    ${kinds} =    Use Modern Server With Changes
    Require Transport    http
    ${tool} =    Require Role    mutating_tool    changes
    ${one}    ${others} =    Split Kinds    ${kinds}
    ${earlier} =    Connect To Server Under Test    modern    handshake=${True}
    Listen For Changes    ${others}
    Disconnect From Server    ${earlier}
    Connect To Server Under Test    modern    handshake=${True}
    ${subscription} =    Listen For Changes    ${one}
    Make A Change    ${tool}
    Wait For Any Change    ${subscription}    timeout=${SILENCE}
    Subscription Should Deliver Only What Was Asked For    ${subscription}
    [Teardown]    Undo Changes

Subscription Stays Open
    [Documentation]    A subscription that nobody cancelled is still open after a while, while other requests are served.
    [Metadata]    Rule    SUB-16
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
    [Tags]    modern    MUST    SUB-16
    ${kinds} =    Use Modern Server With Changes
    ${subscription} =    Listen For Changes    ${kinds}
    Subscription Should Be Open    ${subscription}    after=${SILENCE}
    Server Should Still Answer
    [Teardown]    Cancel Open Subscriptions


*** Keywords ***
Use Modern Server With Changes
    [Documentation]    The shared modern connection; skips when the server declares no change of lists. Returns what it declares.
    Use Server Under Test    modern
    ${kinds} =    Require Change Notifications
    RETURN    ${kinds}

Split Kinds
    [Documentation]    The first of the declared kinds of changes, and the others.
    [Arguments]    ${kinds}
    VAR    ${one} =    ${{ dict(list($kinds.items())[:1]) }}
    VAR    ${others} =    ${{ dict(list($kinds.items())[1:]) }}
    RETURN    ${one}    ${others}

Get Another Resource
    [Documentation]    The URI of a listed resource that is another one.
    [Arguments]    ${uri}
    ${resources} =    List Resources
    FOR    ${resource}    IN    @{resources}
        IF    $resource.uri != $uri    RETURN    ${resource.uri}
    END
    Skip    Not applicable: there is no resource beside ${uri}.
