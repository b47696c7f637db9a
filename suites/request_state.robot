*** Settings ***
Documentation    `requestState`: what a server lets its client carry from round to round (2026-07-28). The client can read, change and replay it, so a
...              server that builds on it has to seal it. Each test calls the tools of the roles `elicitation_tool` and
...              `handwritten_rounds_tool`, and answers their questions with the `answer` of the role.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        rounds


*** Variables ***
@{SPOILT}      changed    shortened    longer    garbage
@{NO_STATE}    empty    number


*** Test Cases ***
Spoilt State Is Not Taken
    [Documentation]    A state that was changed in the middle, cut, prolonged or made up does not let the call complete, and neither does an empty
    ...    one or a number. How it is refused is free here. (X-08) A server that completes without any state builds nothing on
    ...    it and is left alone, see the next test.
    [Metadata]    Rule    MRTR-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    MRTR-11
    [Setup]    Use Server That May Ask    modern
    [Template]    Spoilt State Should Not Be Taken
    elicitation_tool
    handwritten_rounds_tool

Spoilt State Is Refused By An Error
    [Documentation]    A spoilt state is the fault of the request, so it is refused by a JSON-RPC error, not by a tool result, a new question or an
    ...    internal error; also where nothing depends on the state. Code and words are free: `-32602 Invalid or expired
    ...    requestState` is a habit of SDKs. (X-08)
    [Metadata]    Rule    MRTR-11
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: the specification says rejected, not how, and only where something depends on the state
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    MRTR-11
    [Setup]    Use Server That May Ask    modern
    [Template]    Spoilt State Should Be Refused By An Error
    elicitation_tool
    handwritten_rounds_tool

Refused State Has No Effect
    [Documentation]    A call whose state is refused has done nothing: the state probe shows the same as before. Role: state_probe.
    [Metadata]    Rule    MRTR-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    MRTR-11
    Use Server That May Ask    modern
    ${probe} =    Require Role    state_probe
    ${round} =    Start Answered Round    elicitation_tool
    ${before} =    Get State Of Server    ${probe}
    FOR    ${way}    IN    @{SPOILT}
        ${spoilt} =    Tamper Request State    ${round}    ${way}
        ${reply} =    Retry With Answers    ${round}    state=${spoilt}
        State Of Server Should Be    ${before}    ${probe}    ${reply}
    END

State Of Another Call Is Not Taken
    [Documentation]    A state counts for the call that it was given for: not with other arguments (`other_arguments` of the role).
    [Metadata]    Rule    MRTR-13
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    SHOULD    MRTR-13
    [Setup]    Use Server That May Ask    modern
    [Template]    State Should Not Be Taken With Other Arguments
    elicitation_tool
    handwritten_rounds_tool

State Of Another Tool Is Not Taken
    [Documentation]    A state counts for the tool that gave it: what one tool remembers must not answer for another. Needs both roles, with
    ...    different tools.
    [Metadata]    Rule    MRTR-13, MRTR-24
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    SHOULD    MRTR-13    MRTR-24
    [Setup]    Use Server That May Ask    modern
    [Template]    State Should Not Be Taken By Another Tool
    elicitation_tool    handwritten_rounds_tool
    handwritten_rounds_tool    elicitation_tool

Refused States Look Alike
    [Documentation]    Whether a state is spoilt, cut, made up or of another call, its refusal is the same in status, code, message and data: what
    ...    differs would help to forge one. The time that each took is logged, not judged.
    [Metadata]    Rule    MRTR-12
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    advice    MRTR-12
    [Setup]    Use Server That May Ask    modern
    [Template]    Refused States Of Role Should Look Alike
    elicitation_tool
    handwritten_rounds_tool

One Time State Counts Once
    [Documentation]    Where an answer must count only once, sending the same retry again does not complete again. Only a tool whose role says
    ...    `one_time: true` is judged: others may take a state as often as it comes.
    [Metadata]    Rule    MRTR-16
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    MRTR-16
    Use Server That May Ask    modern
    ${tool} =    Require Role    handwritten_rounds_tool
    Skip If
    ...    not $tool.get('one_time')
    ...    Not applicable: the role says of ${tool.name} that answers may count more than once.
    ${round} =    Start Answered Round    handwritten_rounds_tool
    ${first} =    Retry With Answers    ${round}
    Skip If
    ...    $first.asks or $first.error or $first.is_error
    ...    Nothing was judged: the first retry did not complete (MRTR-05).
    ${second} =    Replay Request State    ${round}
    Request State Should Not Be Taken    ${second}    a state whose answer was used before

State Works On Another Connection
    [Documentation]    A retry is a request of its own and may come over another connection: the server must not need to remember the first one. A
    ...    second stdio connection would be another process, so this is for servers that take several connections.
    [Metadata]    Rule    MRTR-18
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    MUST    MRTR-18
    Use Server That May Ask    modern
    Require Transport    http
    ${round} =    Start Answered Round    elicitation_tool
    ${other} =    Connect To Server Under Test    modern    handshake=${True}
    ${end} =    Replay Request State    ${round}    server=${other}
    Round Should Complete    ${end}

State Of A Process That Ended Is Answered
    [Documentation]    A stdio server that was started anew takes a state of its predecessor, asks again or refuses it, as its key allows; it neither
    ...    hangs nor crashes.
    [Metadata]    Rule    MRTR-18
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    MUST    MRTR-18
    Use Server That May Ask    modern
    Require Transport    stdio
    ${round} =    Start Answered Round    elicitation_tool
    ${other} =    Connect To Server Under Test    modern    handshake=${True}
    ${end} =    Replay Request State    ${round}    server=${other}
    Call Should End Sanely    ${end}

State Is Opaque
    [Documentation]    A client cannot read in the state what the server remembers: neither the arguments of the call nor JSON, plain or in Base64. A
    ...    signature alone does not hide.
    [Metadata]    Rule    MRTR-23
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    advice    MRTR-23
    [Setup]    Use Server That May Ask    modern
    [Template]    State Of Role Should Be Opaque
    elicitation_tool
    handwritten_rounds_tool


*** Keywords ***
Spoilt State Should Not Be Taken
    [Documentation]    Template: the state of a role's round, spoilt in each way.
    [Arguments]    ${role}
    ${round} =    Start Answered Round    ${role}
    Skip When Nothing Depends On The State    ${round}
    FOR    ${way}    IN    @{SPOILT}    @{NO_STATE}
        ${spoilt} =    Tamper Request State    ${round}    ${way}
        ${reply} =    Retry With Answers    ${round}    state=${spoilt}
        Request State Should Not Be Taken    ${reply}    a spoilt state (${way})
    END

Spoilt State Should Be Refused By An Error
    [Documentation]    Template: the state of a role's round, spoilt in each way but empty, which many take for none.
    [Arguments]    ${role}
    ${round} =    Start Answered Round    ${role}
    FOR    ${way}    IN    @{SPOILT}
        ${spoilt} =    Tamper Request State    ${round}    ${way}
        ${reply} =    Retry With Answers    ${round}    state=${spoilt}
        Request State Should Be Refused By An Error    ${reply}    a spoilt state (${way})
    END

State Should Not Be Taken With Other Arguments
    [Documentation]    Template: the state of a role's round, with the `other_arguments` of the role.
    [Arguments]    ${role}
    ${tool} =    Require Role    ${role}
    Skip If    'other_arguments' not in $tool
    ...    Not applicable: the role ${role} names no other_arguments, with which the call would be a good one too.
    ${round} =    Start Answered Round    ${role}
    Skip When Nothing Depends On The State    ${round}
    ${reply} =    Replay Request State    ${round}    arguments=${tool.other_arguments}
    Request State Should Not Be Taken    ${reply}    the state of a call with other arguments

State Should Not Be Taken By Another Tool
    [Documentation]    Template: the state of one role's round with the call and the answers of another's.
    [Arguments]    ${role}    ${other_role}
    ${one}    ${other} =    Require Roles With Different Tools    ${role}    ${other_role}
    ${round} =    Start Answered Round    ${role}
    ${other_round} =    Start Answered Round    ${other_role}
    Skip When Nothing Depends On The State    ${other_round}
    ${reply} =    Replay Request State    ${round}    ${other_round}
    Request State Should Not Be Taken    ${reply}    the state that ${one.name} gave, sent to ${other.name},

Require Roles With Different Tools
    [Documentation]    The tools of two roles; skips unless they are two.
    [Arguments]    ${role}    ${other_role}
    ${one} =    Require Role    ${role}
    ${other} =    Require Role    ${other_role}
    Skip If    $one.name == $other.name    Not applicable: ${role} and ${other_role} name the same tool.
    RETURN    ${one}    ${other}

Refused States Of Role Should Look Alike
    [Documentation]    Template: refusals of the state of a role's round, spoilt in each way.
    [Arguments]    ${role}
    ${tool} =    Require Role    ${role}
    ${round} =    Start Answered Round    ${role}
    VAR    @{replies} =    @{EMPTY}
    FOR    ${way}    IN    @{SPOILT}
        ${spoilt} =    Tamper Request State    ${round}    ${way}
        ${reply} =    Retry With Answers    ${round}    state=${spoilt}
        VAR    @{replies} =    @{replies}    ${reply}
    END
    IF    'other_arguments' in $tool
        ${reply} =    Replay Request State    ${round}    arguments=${tool.other_arguments}
        VAR    @{replies} =    @{replies}    ${reply}
    END
    Refused States Should Be Indistinguishable    @{replies}

State Of Role Should Be Opaque
    [Documentation]    Template: the state of a role's round.
    [Arguments]    ${role}
    ${round} =    Start Round Of Role    ${role}
    Request State Should Be Opaque    ${round}
