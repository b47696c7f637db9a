*** Settings ***
Documentation    Prompts: what a server publishes about them, and the messages that they give, in the newest era that is judged.
...
...              Getting a prompt is safe, so the listed prompts that need no arguments are got, at most 20, and the one that the profile names with
...              its arguments.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        prompts


*** Test Cases ***
Prompts Are Declared And Listed
    [Documentation]    A server that has prompts declares the capability, and one that declares it answers `prompts/list` with an array, which may be
    ...    empty.
    [Metadata]    Rule    PROMPT-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#capabilities
    [Tags]    legacy    modern    MUST    PROMPT-01
    Use Server Under Test
    Listed Items Should Be Declared    prompts/list

Prompt Definitions Are Valid
    [Documentation]    Each prompt has a `name`, and so has each of its arguments; `required` is true or false.
    [Metadata]    Rule    PROMPT-01
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt
    [Tags]    legacy    modern    MUST    PROMPT-01
    Use Server With Prompts
    ${pages} =    Read Pages    prompts/list
    Definitions Should Be Valid    prompts    @{pages}

Prompt List Is The Same On Every Connection
    [Documentation]    In the modern era a server remembers no connection: two clients with the same authorization see the same prompts.
    [Metadata]    Rule    PROMPT-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#capabilities
    [Tags]    modern    MUST    PROMPT-02
    Use Server Under Test    modern
    Require Capability    prompts
    ${here} =    List Prompts
    Connect To Server Under Test    modern    handshake=True
    ${there} =    List Prompts
    Lists Should Be The Same    prompts/list    ${here}    ${there}

Requests Leave The Prompt List As It Was
    [Documentation]    The list does not change as a side effect of requests: reads resources, gets prompts and calls the tools that may be called. A
    ...    tool that is meant to change lists is the role mutating_tool, which is not called here (X-26).
    [Metadata]    Rule    PROMPT-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#capabilities
    [Tags]    modern    MUST    PROMPT-02
    Use Server Under Test    modern
    Require Capability    prompts
    ${before} =    List Prompts
    Make Permitted Requests
    ${after} =    List Prompts
    Lists Should Be The Same    prompts/list    ${before}    ${after}

Prompts Give Messages
    [Documentation]    `messages` is an array; each has the role user or assistant and one content block of a type that the revision knows (X-16).
    [Metadata]    Rule    PROMPT-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#promptmessage
    [Tags]    legacy    modern    MUST    PROMPT-03
    ${replies} =    Messages Of Permitted Prompts
    Prompt Messages Should Be Valid    messages    @{replies}

Prompt Holds Its Argument
    [Documentation]    A prompt is filled with the arguments that it is given. Role: prompt, with `text_contains` for a text of its first message.
    [Metadata]    Rule    PROMPT-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
    [Tags]    legacy    modern    MUST    PROMPT-03
    Use Server Under Test
    ${prompt} =    Require Role    prompt
    ${reply} =    Get Prompt    ${prompt.name}    arguments=${prompt.arguments}
    Prompt Should Contain    ${reply}    ${prompt.get('text_contains', '')}

Media And Resources In Prompts Are Whole
    [Documentation]    Image and audio are Base64 in the standard alphabet with a MIME type; an embedded resource has its URI and its text or Base64.
    [Metadata]    Rule    PROMPT-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#image-content
    [Tags]    legacy    modern    MUST    PROMPT-07
    ${replies} =    Messages Of Permitted Prompts
    Prompt Messages Should Be Valid    media and resources    @{replies}

Embedded Resources In Prompts Say Their Type
    [Documentation]    The page on prompts wants the MIME type of an embedded resource; the schema leaves it open, so this warns.
    [Metadata]    Rule    PROMPT-07
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: the schema says that it is optional
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#embedded-resources
    [Tags]    legacy    modern    MUST    PROMPT-07
    ${replies} =    Messages Of Permitted Prompts
    Prompt Messages Should Be Valid    types of resources    @{replies}

Unknown Prompt Is Invalid Params
    [Documentation]    An unknown prompt is answered by -32602.
    [Metadata]    Rule    PROMPT-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#error-handling
    [Tags]    legacy    modern    SHOULD    PROMPT-04
    Use Server With Prompts
    ${reply} =    Send Raw Request    prompts/get    {"name": "mcplibrary-no-such-prompt"}
    Assert Error Code    ${reply}    invalid params

Missing Prompt Argument Is Invalid Params
    [Documentation]    A prompt without a required argument is answered by -32602, not by a text with holes. Takes the first listed prompt that
    ...    requires one.
    [Metadata]    Rule    PROMPT-05
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#error-handling
    [Tags]    legacy    modern    SHOULD    PROMPT-05
    Use Server With Prompts
    ${prompt} =    Get Prompt With Arguments    required=True
    ${reply} =    Send Raw Request    prompts/get    ${{ {'name': $prompt.name} }}
    Assert Error Code    ${reply}    invalid params

Crash In A Prompt Is An Internal Error
    [Documentation]    An exception while a prompt is made is -32603 with a neutral message. Role: crashing_prompt, with `secret` for a text that must
    ...    stay inside.
    [Metadata]    Rule    RPC-20, PROMPT-06
    [Metadata]    Level    MUST (schema text)
    [Metadata]    Verdict    FAIL: both rules are about this one failure
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#internalerror
    [Tags]    legacy    modern    MUST    RPC-20    PROMPT-06
    Use Server Under Test
    ${prompt} =    Require Role    crashing_prompt
    ${reply} =    Get Prompt    ${prompt.name}    arguments=${prompt.arguments}    expect=ANY
    Assert Error Code    ${reply}    internal error
    Answer Should Leak No Internals    ${reply}    also=${{ [$prompt.get('secret') or ''] }}

Prompt Arguments Are Validated
    [Documentation]    Arguments of prompts are texts: a number, an array or null is refused, and `arguments` is an object. Takes the first listed
    ...    prompt with arguments.
    [Metadata]    Rule    PROMPT-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#implementation-considerations
    [Tags]    legacy    modern    SHOULD    PROMPT-08
    [Setup]    Use Server With Prompts
    [Template]    Prompt Value Should Be Refused
    ${5}
    ${{ [1, 2] }}
    ${None}

Hostile Prompt Arguments Do No Harm
    [Documentation]    Injection texts as argument of the first listed prompt that takes one are put into the message as they are, or refused: no internals
    ...    show, and the server goes on.
    [Metadata]    Rule    PROMPT-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#security
    [Tags]    legacy    modern    SHOULD    PROMPT-08
    [Setup]    Use Server With Prompts
    [Template]    Prompt Value Should Do No Harm
    '; DROP TABLE orders; --
    {{7*7}} \${7*7} %s%n
    ../../../../etc/passwd
    \x00\x1b[31m

Prompt May Ask Before It Answers
    [Documentation]    A prompt may return `input_required` first; a client that answers gets the messages then. Role: asking_prompt, with the `answer` to
    ...    give and the `text` of the first message after it.
    [Metadata]    Rule    PROMPT-10
    [Metadata]    Level    MAY
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#getting-a-prompt
    [Tags]    modern    MAY    PROMPT-10
    Use Server Under Test    modern
    ${prompt} =    Require Role    asking_prompt
    Answer Elicitation    ACCEPT    ${prompt.answer}
    ${reply} =    Get Prompt    ${prompt.name}    arguments=${prompt.arguments}
    Prompt Messages Should Be Valid    messages    ${reply}
    Prompt Should Contain    ${reply}    ${prompt.get('text', '')}


*** Keywords ***
Use Server With Prompts
    [Documentation]    The shared connection; skips when the server does not declare prompts.
    Use Server Under Test
    Require Capability    prompts

Messages Of Permitted Prompts
    [Documentation]    The replies of the prompts that may be got.
    Use Server With Prompts
    ${replies} =    Get Permitted Prompts
    RETURN    ${replies}

Prompt Value Should Be Refused
    [Documentation]    Template: a prompt given this value as argument is an error.
    [Arguments]    ${value}
    ${reply} =    Fill Prompt With    ${value}
    Call Should Be Protocol Error    ${reply}

Prompt Value Should Do No Harm
    [Documentation]    Template: a prompt given this text is answered without internals.
    [Arguments]    ${value}
    ${reply} =    Fill Prompt With    ${value}
    Answer Should Be Well Formed    ${reply}
    Answer Should Leak No Internals    ${reply}
    Server Should Still Answer
