*** Settings ***
Documentation    Pagination: each list of the server is read page by page to its end, in the newest era that is judged. Each test goes over the lists of
...              tools, prompts, resources and resource templates, as far as the server declares them.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test
Test Setup       Use Server Under Test

Test Tags        pagination


*** Test Cases ***
Pages End And Hold Each Item Once
    [Documentation]    A client that follows `nextCursor` comes to an end and has seen each item once: no cursor comes again, no item is on two pages. An
    ...    empty cursor is a cursor like any other.
    [Metadata]    Rule    PAGE-01, PAGE-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#pagination-flow
    [Tags]    legacy    modern    MUST    PAGE-01    PAGE-04
    [Template]    Items Are Listed Once
    tools/list
    prompts/list
    resources/list
    resources/templates/list

Last Page Has No Cursor
    [Documentation]    The end is told by leaving `nextCursor` out; null is no text, and strict clients fail on it.
    [Metadata]    Rule    PAGE-02
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#response-format
    [Tags]    legacy    modern    SHOULD    PAGE-02
    [Template]    Last Page Ends The List
    tools/list
    prompts/list
    resources/list
    resources/templates/list

Unknown Cursor Is Invalid Params
    [Documentation]    A cursor that the server never gave out is answered by -32602. A server that takes it for the first page sends a client with an
    ...    outdated cursor in circles.
    [Metadata]    Rule    PAGE-03
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#error-handling
    [Tags]    legacy    modern    SHOULD    PAGE-03
    [Template]    Unknown Cursor Is Refused
    tools/list
    prompts/list
    resources/list
    resources/templates/list

Cursors Are Stable
    [Documentation]    A page that is read again by its cursor holds the same items in the same order: a client that lost an answer repeats the request.
    [Metadata]    Rule    PAGE-05
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination#implementation-guidelines
    [Tags]    legacy    modern    SHOULD    PAGE-05
    [Template]    Pages Are Stable
    tools/list
    prompts/list
    resources/list
    resources/templates/list

Cursors Are Texts
    [Documentation]    `nextCursor` is a text, and a `cursor` that is none is refused.
    [Metadata]    Rule    PAGE-06
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#paginatedresult
    [Tags]    legacy    modern    MUST    PAGE-06
    [Template]    Number As Cursor Is Refused
    tools/list
    prompts/list
    resources/list
    resources/templates/list


*** Keywords ***
Items Are Listed Once
    [Documentation]    Template: the pages of this list end and do not repeat.
    [Arguments]    ${method}
    ${pages} =    Read Pages    ${method}
    Items Should Be Listed Once    @{pages}

Last Page Ends The List
    [Documentation]    Template: the last page of this list has no cursor.
    [Arguments]    ${method}
    ${pages} =    Read Pages    ${method}
    Last Page Should Have No Cursor    @{pages}

Unknown Cursor Is Refused
    [Documentation]    Template: this list refuses a cursor that was never given out.
    [Arguments]    ${method}
    ${pages} =    Read Pages    ${method}
    Unknown Cursor Should Be Refused    @{pages}

Pages Are Stable
    [Documentation]    Template: the pages of this list are the same when they are read again.
    [Arguments]    ${method}
    ${pages} =    Read Pages    ${method}
    Pages Should Stay The Same    @{pages}

Number As Cursor Is Refused
    [Documentation]    Template: the cursors of this list are texts, and it refuses a number.
    [Arguments]    ${method}
    Read Pages    ${method}
    ${reply} =    Send Raw Request    ${method}    {"cursor": 5}
    Call Should Be Protocol Error    ${reply}
