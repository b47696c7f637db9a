*** Settings ***
Documentation    Caching hints, which only modern results have: `ttlMs` says for how long a client may keep a result, `cacheScope` whether it may give it to
...              other users. Legacy results need none, and nothing is demanded of them.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test
Test Setup       Use Server Under Test    modern

Test Tags        caching


*** Test Cases ***
Results Carry Caching Hints
    [Documentation]    `ttlMs`, an integer of 0 or more, and `cacheScope`, public or private, are on complete results of six methods: the seed of the
    ...    rules forgot `server/discover` (X-04). All pages of a list are judged, and the first resource that can be read.
    [Metadata]    Rule    CACHE-01, CACHE-02, CACHE-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-results
    [Tags]    modern    MUST    CACHE-01    CACHE-02    CACHE-03
    [Template]    Results Of Should Carry Hints
    server/discover
    tools/list
    prompts/list
    resources/list
    resources/templates/list
    resources/read

Questions Carry No Caching Hints
    [Documentation]    A result that asks for input belongs to one request; a cached question would be shown to somebody else. Roles: the tool
    ...    handwritten_rounds_tool, elicitation_tool, sampling_tool or roots_tool, the first that is named.
    [Metadata]    Rule    CACHE-04
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cacheable-results
    [Tags]    modern    MUST    CACHE-04
    ${tools} =    Require Any Role    handwritten_rounds_tool    elicitation_tool    sampling_tool    roots_tool
    Answer Elicitation
    Answer Sampling
    Answer Roots    file:///mcplibrary
    VAR    &{params} =    name=${tools[0].name}    arguments=${tools[0].arguments}
    ${reply} =    Send Raw Request    tools/call    ${params}
    Question Should Carry No Cache Hints    ${reply}

Pages Of A List Have One Scope
    [Documentation]    All pages of a list have the same `cacheScope`: a list of which a part is private must not be put together from a shared cache.
    [Metadata]    Rule    CACHE-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#pagination
    [Tags]    modern    MUST    CACHE-05
    [Template]    Pages Of Have One Scope
    tools/list
    prompts/list
    resources/list
    resources/templates/list


*** Keywords ***
Results Of Should Carry Hints
    [Documentation]    Template: the complete results of this method carry their caching hints.
    [Arguments]    ${method}
    IF    $method == 'server/discover'
        ${reply} =    Send Raw Request    ${method}
        VAR    @{replies} =    ${reply}
    ELSE IF    $method == 'resources/read'
        Require Capability    resources
        ${replies} =    Get Successful Reads
    ELSE
        ${replies} =    Read Pages    ${method}
    END
    Result Should Carry Cache Hints    @{replies}

Pages Of Have One Scope
    [Documentation]    Template: the pages of this list have one scope.
    [Arguments]    ${method}
    ${pages} =    Read Pages    ${method}
    Pages Should Have One Cache Scope    @{pages}

Get Successful Reads
    [Documentation]    Replies of the listed resources that could be read; skips when none could.
    ${replies} =    Read Listed Resources
    VAR    ${good} =    ${{ [reply for reply in $replies if reply.result is not None] }}
    Skip If    not $good    Nothing was judged: no resource could be read.
    RETURN    ${good}
