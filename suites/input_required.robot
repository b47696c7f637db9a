*** Settings ***
Documentation    Rounds: a call that needs something of the client answers `input_required` with its questions, and the client sends the call again
...              with the answers (2026-07-28). Each test calls the tool of a role that asks. What the questions hold is judged in the suites
...              of elicitation, sampling and roots, what the state is worth in that of `requestState`.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        rounds


*** Test Cases ***
Round Has The Right Shape
    [Documentation]    `input_required` brings questions or a state, so that the client can go on. A question has a key, one of three methods, and
    ...    no id: it is no request. A key stands for one question.
    [Metadata]    Rule    MRTR-01, MRTR-03, MRTR-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
    [Tags]    modern    MUST    MRTR-01    MRTR-03    MRTR-04
    [Setup]    Use Server That May Ask    modern
    [Template]    Role Should Ask In The Right Shape
    elicitation_tool
    handwritten_rounds_tool
    sampling_tool
    roots_tool

Only Calls Prompts And Reads May Ask
    [Documentation]    Of all requests, only `tools/call`, `prompts/get` and `resources/read` may end with `input_required`; lists and
    ...    `server/discover` never do, also when the client can be asked everything.
    [Metadata]    Rule    MRTR-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
    [Tags]    modern    MUST    MRTR-02
    [Setup]    Use Server That May Ask    modern
    [Template]    Method Should Not Ask
    server/discover
    tools/list
    prompts/list
    resources/list
    resources/templates/list

Answered Call Completes
    [Documentation]    The call, sent again with the answers and the state as it came, completes, or asks for something more; after ten rounds it
    ...    has to have ended. The text must be that of the role, if it names one.
    [Metadata]    Rule    MRTR-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    MUST    MRTR-05
    [Setup]    Use Server That May Ask    modern
    [Template]    Role Should Complete When Answered
    elicitation_tool    elicitation
    handwritten_rounds_tool    elicitation
    sampling_tool    sampling
    roots_tool    roots

Answers Inside Arguments Do Not Count
    [Documentation]    `inputResponses` and `requestState` are members of `params`. Inside `arguments`, where a model could write them, they are
    ...    arguments like others: the call does not complete.
    [Metadata]    Rule    MRTR-06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools
    [Tags]    modern    MUST    MRTR-06
    Use Server That May Ask    modern
    ${round} =    Start Answered Round    elicitation_tool
    VAR    &{arguments} =
    ...    &{round.sent.params.arguments}
    ...    inputResponses=${round.answers}
    ...    requestState=${round.state}
    ${reply} =    Retry With Answers    ${round}    arguments=${arguments}    without=inputResponses,requestState
    Round Should Not Complete    ${reply}    answers inside arguments do not count

Missing Or Wrong Answers Are Asked For Again
    [Documentation]    A retry without the answer, or with one under another key, is asked again and not refused: the client may have lost
    ...    something.
    [Metadata]    Rule    MRTR-07
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling
    [Tags]    modern    SHOULD    MRTR-07
    Use Server That May Ask    modern
    ${round} =    Start Answered Round    elicitation_tool
    ${unanswered} =    Retry With Answers    ${round}    answers={}
    Round Should Ask    ${unanswered}
    ${wrong_key} =    Retry With Answers    ${round}    answers={"mcplibrary-no-such-key": {"action": "decline"}}
    Round Should Ask    ${wrong_key}

Extra Answers Are Ignored
    [Documentation]    An answer to a question that was not asked does no harm.
    [Metadata]    Rule    MRTR-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling
    [Tags]    modern    SHOULD    MRTR-08
    Use Server That May Ask    modern
    ${round} =    Start Answered Round    elicitation_tool
    VAR    &{answers} =    &{round.answers}    mcplibrary-no-such-key=${{ {"action": "decline"} }}
    ${reply} =    Retry With Answers    ${round}    answers=${answers}
    Round Should Complete    ${reply}

Malformed Answers Are An Error
    [Documentation]    Answers that are no object, or an answer that is none, are refused by a JSON-RPC error: the client is broken, and asking again
    ...    would not mend it.
    [Metadata]    Rule    MRTR-09
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#error-handling
    [Tags]    modern    SHOULD    MRTR-09
    Use Server That May Ask    modern
    ${round} =    Start Answered Round    elicitation_tool
    ${text} =    Retry With Answers    ${round}    answers="yes"
    Assert Error Code    ${text}    invalid params
    Answer Input Request    ${round}    key=${{ list($round.questions)[0] }}    response={"mcplibrary": 1}
    ${bogus} =    Retry With Answers    ${round}
    Assert Error Code    ${bogus}    invalid params

Answer That Breaks The Asked Schema Is Not Processed
    [Documentation]    Values of other types than the form asked for are not worked with: the call fails, or asks again.
    [Metadata]    Rule    MRTR-10
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-security
    [Tags]    legacy    modern    SHOULD    MRTR-10
    Use Server That May Ask
    ${reply} =    Call Role Answering    elicitation_tool    elicitation    wrongly
    Round Should Not Complete    ${reply}    the form was filled with values that its schema forbids

Round Members On Other Methods Are Ignored
    [Documentation]    `requestState` and `inputResponses` on a request that cannot ask change nothing.
    [Metadata]    Rule    MRTR-25
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests
    [Tags]    modern    advice    MRTR-25
    Use Server That May Ask    modern
    ${plain} =    Send Raw Request    tools/list
    ${reply} =    Send Raw Request    tools/list    {"requestState": "mcplibrary", "inputResponses": {}}
    Replies Should End Alike    ${reply}    ${plain}

Nothing Happens Before The Answer
    [Documentation]    A call that asks has done nothing yet: the state probe shows the same as before. Roles: elicitation_tool, state_probe.
    [Metadata]    Rule    MRTR-26
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    advice    MRTR-26
    Use Server That May Ask    modern
    ${probe} =    Require Role    state_probe
    ${before} =    Get State Of Server    ${probe}
    ${round} =    Start Round Of Role    elicitation_tool
    State Of Server Should Be    ${before}    ${probe}    ${round}

Legacy Calls Never End With A Question
    [Documentation]    Older clients do not know `input_required`: there the server asks by a request of its own, or the call fails.
    [Metadata]    Rule    MRTR-19
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
    [Tags]    legacy    MUST    MRTR-19
    [Setup]    Use Server That May Ask    legacy
    [Template]    Legacy Call Should Not End With A Question
    elicitation_tool    elicitation
    handwritten_rounds_tool    elicitation
    sampling_tool    sampling
    roots_tool    roots

Imperative Tool Fails With Words On Modern
    [Documentation]    A tool that asks in the middle of its run needs a way back to the client, which the modern era has not: it fails and says so,
    ...    and neither hangs nor sends a request. Role: imperative_tool.
    [Metadata]    Rule    MRTR-27
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    advice    MRTR-27
    Use Server That May Ask    modern
    ${reply} =    Call Role Answering    imperative_tool    elicitation
    Call Should Fail With Words    ${reply}
    Server Should Send No Requests    elicitation/create


*** Keywords ***
Method Should Not Ask
    [Documentation]    Template: a request of this method by a client that can be asked everything.
    [Arguments]    ${method}
    ${reply} =    Send Raw Request    ${method}
    Result Should Not Ask    ${reply}

Legacy Call Should Not End With A Question
    [Documentation]    Template: a tool that asks, and what it asks for.
    [Arguments]    ${role}    ${kind}
    ${reply} =    Call Role Answering    ${role}    ${kind}
    Result Should Not Ask    ${reply}
