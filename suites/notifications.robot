*** Settings ***
Documentation    Notifications: what a server says by itself is announced by its capabilities, has the right shape, and does come when a list
...              changes. In the modern era a client listens by a subscription; in the legacy era it hears on stdio or the GET stream
...              without asking. Role: mutating_tool, which is called twice each time, so that its changes are undone.

Resource         ../resources/streams.resource

Suite Setup      Open Server Under Test

Test Tags        notifications


*** Test Cases ***
Changed Tools Are Announced
    [Documentation]    A client keeps the list of tools and reads it again when told to; without the notification it offers its model tools that do
    ...    not exist.
    [Metadata]    Rule    TOOL-37
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#list-changed-notification
    [Tags]    legacy    modern    SHOULD    TOOL-37
    Change Should Be Announced    tools
    [Teardown]    Undo Changes

Changed Resources Are Announced
    [Documentation]    A client keeps the list of resources and reads it again when told to.
    [Metadata]    Rule    RES-19
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#list-changed-notification
    [Tags]    legacy    modern    SHOULD    RES-19
    Change Should Be Announced    resources
    [Teardown]    Undo Changes

Changed Prompts Are Announced
    [Documentation]    A client keeps the list of prompts and reads it again when told to.
    [Metadata]    Rule    PROMPT-09
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#list-changed-notification
    [Tags]    legacy    modern    SHOULD    PROMPT-09
    Change Should Be Announced    prompts
    [Teardown]    Undo Changes

Legacy Clients Hear Of Changes Unasked
    [Documentation]    Legacy clients do not subscribe to lists: what is declared as `listChanged` and changes is announced, in terms of the legacy
    ...    era, that is without the id of a subscription.
    [Metadata]    Rule    NOTIF-01
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification
    [Tags]    legacy    SHOULD    NOTIF-01
    Use Server Under Test    legacy
    ${tool} =    Require Role    mutating_tool    changes
    ${kinds} =    Require Change Notifications
    ${change} =    Make A Change    ${tool}
    FOR    ${list}    IN    @{tool.changes}
        IF    '${list}ListChanged' in $kinds
            ${message} =    Wait For Notification    ${list}/list_changed    since=${change}    timeout=${SILENCE}
            Notification Should Name No Subscription    ${message}
        END
    END
    [Teardown]    Undo Changes

Only Declared Notifications Are Sent
    [Documentation]    Log messages need `logging`, list changes `listChanged`, updates of resources `subscribe`. Judges all notifications of the
    ...    connection, and those that the roles slow_tool, logging_tool and mutating_tool provoke.
    [Metadata]    Rule    NOTIF-02
    [Metadata]    Level    MUST NOT (derived)
    [Metadata]    Verdict    WARN: no sentence of the specification says it in these words, and the official python SDK sends both undeclared (X-29)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    modern    MUST    NOTIF-02
    ${era} =    Use Server Under Test
    Provoke Notifications    ${era}
    Notifications Should Be Declared
    [Teardown]    Undo Changes

Notifications Have The Shape Of Their Revision
    [Documentation]    The params of progress, log messages, changes and acknowledgments have the members of the schema. Judges all notifications of
    ...    the connection, and those that the roles slow_tool, logging_tool and mutating_tool provoke.
    [Metadata]    Rule    NOTIF-03
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#servernotification
    [Tags]    legacy    modern    MUST    NOTIF-03
    ${era} =    Use Server Under Test
    Provoke Notifications    ${era}
    Notifications Should Be Valid
    [Teardown]    Undo Changes


*** Keywords ***
Change Should Be Announced
    [Documentation]    Changes the lists and waits for the notification that one of them was changed. Skipped if this is not declared, or if the
    ...    list is the same as before.
    [Arguments]    ${list}
    ${era} =    Use Server Under Test
    ${tool} =    Require Role    mutating_tool    changes
    Skip If    $list not in $tool.changes    Not applicable: the role mutating_tool does not change ${list}.
    Require Change Notifications    ${list}ListChanged
    ${before} =    Get List    ${list}
    ${subscription} =    Listen To All Declared Changes    ${era}
    ${change} =    Make A Change    ${tool}
    ${after} =    Get List    ${list}
    Skip If    $before == $after    Nothing was judged: the role mutating_tool did not change ${list}.
    Wait For Notification
    ...    ${list}/list_changed
    ...    subscription=${subscription}
    ...    since=${change}
    ...    timeout=${SILENCE}

Get List
    [Documentation]    Tools, resources or prompts, over all pages.
    [Arguments]    ${list}
    ${items} =    Run Keyword    List ${list}
    RETURN    ${items}
