*** Settings ***
Documentation    Completion: the values that a server proposes for arguments of prompts and variables of resource templates, in the newest era that is
...              judged. Completing is safe, so whatever the server lists is completed, at most 20 arguments.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        completion


*** Test Cases ***
Completion Is Served As Declared
    [Documentation]    A server that completes declares `completions`, since clients do not ask otherwise; and what is declared works.
    [Metadata]    Rule    COMPL-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#capabilities
    [Tags]    legacy    modern    MUST    COMPL-01
    Use Server Under Test
    Completion Should Be Served As Declared

Completions Are At Most A Hundred Texts
    [Documentation]    `completion.values` is an array of at most 100 texts, `total` an integer and `hasMore` true or false.
    [Metadata]    Rule    COMPL-02
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results
    [Tags]    legacy    modern    MUST    COMPL-02
    ${replies} =    Completions Of Listed Arguments
    Completions Should Be Valid    values    @{replies}

Counts Of Completions Are Consistent
    [Documentation]    `total` is not below the number of values, and `hasMore` says whether it is above.
    [Metadata]    Rule    COMPL-03
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#completion-results
    [Tags]    legacy    modern    SHOULD    COMPL-03
    ${replies} =    Completions Of Listed Arguments
    Completions Should Be Valid    counts    @{replies}

Completions Are Those Of The Argument
    [Documentation]    The values are for the argument that was named and what was typed of it. Role: completion, with `ref`, `argument` and the `values`.
    [Metadata]    Rule    COMPL-02
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#requesting-completions
    [Tags]    legacy    modern    MUST    COMPL-02
    Use Server That Completes
    ${role} =    Require Role    completion
    ${reply} =    Complete    ${role}
    Completions Should Be Valid    values    ${reply}
    Completions Should Be    ${reply}    @{role['values']}

Unknown Prompt Is Not Completed
    [Documentation]    A reference to a prompt that does not exist is answered by -32602, so that a client sees its mistake.
    [Metadata]    Rule    COMPL-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#error-handling
    [Tags]    legacy    modern    SHOULD    COMPL-04
    Use Server That Completes
    ${reply} =    Complete Argument    mcplibrary-no-such-prompt    x    expect=ANY
    Assert Error Code    ${reply}    invalid params

Malformed Completions Are Refused
    [Documentation]    A reference of an unknown type, and a request without its argument, are malformed: a JSON-RPC error, never values.
    [Metadata]    Rule    COMPL-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#error-handling
    [Tags]    legacy    modern    MUST    COMPL-05
    [Setup]    Use Server That Completes
    [Template]    Completion Should Be Refused
    {"ref": {"type": "ref/bogus", "name": "x"}, "argument": {"name": "x", "value": ""}}
    {"ref": {"type": "ref/prompt", "name": "x"}}
    {"argument": {"name": "x", "value": ""}}

Malformed Completions Are Invalid Params
    [Documentation]    The code of that refusal is -32602. A whole SDK generation answers -32603 with the dump of a validator, so this warns.
    [Metadata]    Rule    COMPL-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Verdict    WARN: a whole SDK generation answers -32603
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#error-handling
    [Tags]    legacy    modern    MUST    COMPL-05
    Use Server That Completes
    ${reply} =    Send Raw Request    completion/complete
    ...    {"ref": {"type": "ref/bogus", "name": "x"}, "argument": {"name": "x", "value": ""}}
    Assert Error Code    ${reply}    invalid params

Settled Arguments Are Accepted
    [Documentation]    `context.arguments`, the arguments that are settled already, may be used or not, but do not break the request. Role: completion.
    [Metadata]    Rule    COMPL-07
    [Metadata]    Level    MAY
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion#requesting-completions
    [Tags]    legacy    modern    MAY    COMPL-07
    Use Server That Completes
    ${role} =    Require Role    completion
    ${reply} =    Complete    ${role}    context=${{ {'arguments': {'mcplibrary-settled': 'yes'}} }}
    Call Should Succeed    ${reply}


*** Keywords ***
Use Server That Completes
    [Documentation]    The shared connection; skips when the server does not declare completions.
    Use Server Under Test
    Require Capability    completions

Completions Of Listed Arguments
    [Documentation]    The replies to completing what is listed.
    Use Server That Completes
    ${replies} =    Complete Listed Arguments
    RETURN    ${replies}

Complete
    [Documentation]    The reply to completing what a role says, with more params if wished.
    [Arguments]    ${role}    &{more}
    VAR    &{params} =    ref=${role.ref}    argument=${role.argument}    &{more}
    ${reply} =    Send Raw Request    completion/complete    ${params}
    RETURN    ${reply}

Completion Should Be Refused
    [Documentation]    Template: a completion with these params is answered by a JSON-RPC error.
    [Arguments]    ${params}
    ${reply} =    Send Raw Request    completion/complete    ${params}
    Call Should Be Protocol Error    ${reply}
