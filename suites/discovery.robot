*** Settings ***
Documentation    What a server says of itself and whether it keeps its word: `server/discover` of the modern era, and the capabilities of both eras.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        discovery


*** Test Cases ***
Discovery Is The First Message
    [Documentation]    `server/discover` needs no message before it: a modern client opens with it, on every transport.
    [Metadata]    Rule    DISC-01, DISC-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-01    DISC-06
    Connect To Server Under Test    modern
    ${reply} =    Discover Server
    Call Should Succeed    ${reply}
    Answer Should Be Well Formed    ${reply}

Discovery Lists Versions And Capabilities
    [Documentation]    `supportedVersions` holds the version just served; `capabilities` is there. Whether legacy versions are listed is
    ...    left open. (X-23)
    [Metadata]    Rule    DISC-02, DISC-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-02    DISC-03
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Discover Result Should Be Complete    ${reply}

Discovery Carries Caching Hints
    [Documentation]    `ttlMs` and `cacheScope` are required on complete results of six methods; `server/discover` is one. (X-04)
    [Metadata]    Rule    DISC-04, CACHE-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
    [Tags]    modern    MUST    DISC-04    CACHE-01
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Result Should Carry Cache Hints    ${reply}

Identity Travels In The Result Meta
    [Documentation]    The modern `server/discover` has no body member `serverInfo`; the identity is stamped into `_meta`.
    [Metadata]    Rule    DISC-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/discover
    [Tags]    modern    MUST    DISC-05
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    server/discover
    Result Should Have No Member    ${reply}    serverInfo

Capabilities Are Well Formed
    [Documentation]    Capabilities are objects and their flags booleans; extensions are named `prefix/name`.
    [Metadata]    Rule    HS-13, DISC-03, DISC-10, EXT-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#servercapabilities
    [Tags]    legacy    modern    MUST    HS-13    DISC-03    DISC-10    EXT-01
    Use Server Under Test
    ${reply} =    Get Opening
    Capabilities Should Be Well Formed    ${reply}

Declared Capabilities Are Implemented
    [Documentation]    What is declared must work: a client offers the feature to its user on the strength of it. The most common
    ...    fault in the field.
    [Metadata]    Rule    HS-11, DISC-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    modern    MUST    HS-11    DISC-07
    Use Server Under Test
    Capabilities Should Be Implemented

Undeclared Capabilities Are Not Served
    [Documentation]    What works without being declared is never found by a client. Many good servers answer with empty lists, which is
    ...    only noted; a list with entries warns.
    [Metadata]    Rule    HS-12, DISC-08, RPC-18, RES-16, COMPL-06
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a harmless habit of good servers
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#operation
    [Tags]    legacy    modern    MUST    HS-12    DISC-08    RPC-18    RES-16    COMPL-06
    Use Server Under Test
    Undeclared Capabilities Should Not Be Served

Instructions Are Text
    [Documentation]    `instructions` are optional; when they are there, they are a string.
    [Metadata]    Rule    HS-16
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#initializeresult
    [Tags]    legacy    modern    MUST    HS-16
    Use Server Under Test
    ${reply} =    Get Opening
    Instructions Should Be Text    ${reply}
