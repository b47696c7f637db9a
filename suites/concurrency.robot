*** Settings ***
Documentation    Many calls at once: each caller gets its own answer, whatever the ids, connections and speeds are. A mark in each call tells whose
...              answer it is; the log has a table of who got what. Role: echo_tool.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        concurrency


*** Test Cases ***
Each Of Many Calls Gets Its Own Answer
    [Documentation]    Twenty calls at once over one connection, each with an id of its own. An answer that goes to another call shows one user what is
    ...    another's.
    [Metadata]    Rule    CONC-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#responses
    [Tags]    legacy    modern    MUST    CONC-01
    Connect To Server Under Test    handshake=True
    ${tool} =    Require Role    echo_tool
    ${replies} =    Call Tools Concurrently
    ...    ${tool.name}
    ...    20
    ...    mark=${tool.argument}
    ...    arguments=${tool.arguments}
    Answers Should Match Requests    ${replies}
    Server Should Still Answer

Nothing Crosses Connections
    [Documentation]    Thirty calls at once over three connections, whose ids are the same on each.
    [Metadata]    Rule    CONC-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#responses
    [Tags]    legacy    modern    http    MUST    CONC-01
    Use Server Under Test
    Require Transport    http
    ${tool} =    Require Role    echo_tool
    ${one} =    Connect To Server Under Test    handshake=True
    ${two} =    Connect To Server Under Test    handshake=True
    ${three} =    Connect To Server Under Test    handshake=True
    VAR    @{servers} =    ${one}    ${two}    ${three}
    ${replies} =    Call Tools Concurrently
    ...    ${tool.name}
    ...    30
    ...    mark=${tool.argument}
    ...    arguments=${tool.arguments}
    ...    servers=${servers}
    Answers Should Match Requests    ${replies}

Equal Ids On Different Connections Do Not Cross
    [Documentation]    In the modern era each request is a connection of its own, so that ids of different clients are the same all the time. Twenty calls at
    ...    once, all with one id.
    [Metadata]    Rule    CONC-02
    [Metadata]    Level    advice
    [Metadata]    Verdict    FAIL: crossed answers are a defect
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
    [Tags]    modern    http    advice    CONC-02
    Use Modern Server Over Http
    ${tool} =    Require Role    echo_tool
    ${replies} =    Call Tools Concurrently
    ...    ${tool.name}
    ...    20
    ...    mark=${tool.argument}
    ...    arguments=${tool.arguments}
    ...    ids=duplicate
    Answers Should Match Requests    ${replies}

Equal Ids In One Session Do Not Cross
    [Documentation]    A client must not use an id twice at once in a session; a server that meets it all the same gives each call its own answer or an error,
    ...    never another's data and never silence. The official Python SDK crosses and hangs (X-07).
    [Metadata]    Rule    CONC-03
    [Metadata]    Level    advice (client misuse)
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic#requests
    [Tags]    legacy    http    advice    CONC-03
    Use Server Under Test    legacy
    Require Transport    http
    ${tool} =    Require Role    echo_tool
    Connect To Server Under Test    legacy    handshake=True
    ${replies} =    Call Tools Concurrently
    ...    ${tool.name}
    ...    6
    ...    mark=${tool.argument}
    ...    arguments=${tool.arguments}
    ...    ids=duplicate
    ...    timeout=2 s
    Answers Should Match Requests    ${replies}    refusals=True

Number And Text Are Different Ids
    [Documentation]    `7` and `"7"` are two ids, also in flight at once in one session.
    [Metadata]    Rule    CONC-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#requestid
    [Tags]    legacy    MUST    CONC-04
    Use Server Under Test    legacy
    ${tool} =    Require Role    echo_tool
    Connect To Server Under Test    legacy    handshake=True
    ${replies} =    Call Tools Concurrently
    ...    ${tool.name}
    ...    2
    ...    mark=${tool.argument}
    ...    arguments=${tool.arguments}
    ...    ids=twins
    ...    timeout=2 s
    Answers Should Match Requests    ${replies}

Progress Stays With Its Call
    [Documentation]    Six slow calls at once, each with a progress token of its own: none gets the progress of another. Role: slow_tool.
    [Metadata]    Rule    CONC-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
    [Tags]    legacy    modern    MUST    CONC-05
    Use Server Under Test
    ${tool} =    Require Slow Tool    0.3
    ${replies} =    Call Tools Concurrently    ${tool.name}    6    arguments=${tool.arguments}    progress=True
    Skip Without Progress    ${replies}
    Progress Should Not Be Mixed    ${replies}

Slow Calls Do Not Block Others
    [Documentation]    Conversations that have nothing to do with each other share a connection: a quick call is answered while a slow one is at work. Roles:
    ...    slow_tool, safe_tool.
    [Metadata]    Rule    CONC-07
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
    [Tags]    modern    SHOULD    CONC-07
    Use Server Under Test    modern
    ${slow} =    Require Slow Tool    0.5
    ${quick} =    Require Safe Tool
    Slow Calls Should Not Block Others
    ...    ${{ {"name": $slow["name"], "arguments": dict($slow["arguments"])} }}
    ...    ${{ {"name": $quick["name"], "arguments": dict($quick["arguments"])} }}


*** Keywords ***
Skip Without Progress
    [Documentation]    Skips when no call reported progress, as in a mode of the server that drops it. (X-37)
    [Arguments]    ${replies}
    Skip If    not any(r['messages'] for r in $replies)    Not judged: the slow tool reported no progress.
