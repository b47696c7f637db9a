*** Settings ***
Documentation    Roots: the folders that the client opens to servers, which servers ask for in both eras. Tests call the tool of the role `roots_tool`.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        roots


*** Test Cases ***
Roots Need The Declared Capability
    [Documentation]    A client that does not declare `roots` is not asked for them. In the modern era the call is refused by -32021, in the legacy
    ...    era it ends in some way without the question. Role: roots_tool.
    [Metadata]    Rule    ROOTS-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: official SDKs ask all the same when a tool asks by its own code (X-14)
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/roots
    [Tags]    legacy    modern    MUST    ROOTS-01
    Use Server Under Test
    Role Should Not Ask When Nothing Is Declared    roots_tool

Declared Roots Are Asked For In The Way Of The Era
    [Documentation]    A client that declares `roots` is asked, by a request of the server in the legacy era and by `inputRequests` of a result in
    ...    the modern one, where the server sends no request; then the call completes. Role: roots_tool.
    [Metadata]    Rule    ROOTS-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/roots
    [Tags]    legacy    modern    MUST    ROOTS-01
    ${era} =    Use Server That May Ask
    Role Should Complete When Answered    roots_tool    roots
    IF    $era == 'modern'    Server Should Send No Requests    roots/list

Changed Roots Are Taken Note Of
    [Documentation]    `notifications/roots/list_changed` of a client is no error, and the server goes on answering.
    [Metadata]    Rule    ROOTS-02
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/client/roots#root-list-changes
    [Tags]    legacy    SHOULD    ROOTS-02
    Use Server That May Ask    legacy
    Notification Should Be Accepted Silently    notifications/roots/list_changed    silence=${SILENCE}
    Server Should Still Answer
