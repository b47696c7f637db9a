*** Settings ***
Documentation    Tools: what a server publishes about them, and what comes back when they are called, in the newest era that is judged.
...
...              Definitions are judged over all pages of the list. Results are judged of the tools that may be called: those that the
...              profile names, and those that say `readOnlyHint: true` and neither `openWorldHint: true` nor `destructiveHint: true`. What happens
...              to malformed calls and to failures is judged in the errors suite.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        tools


*** Variables ***
# Bytes that all definitions together may take; about four of them are one token of a model's context.
${TOOL_LIST_LIMIT}    100000


*** Test Cases ***
Tools Are Declared
    [Documentation]    A server that has tools declares the capability `tools`: clients that look there first never ask for the list otherwise.
    [Metadata]    Rule    TOOL-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities
    [Tags]    legacy    modern    MUST    TOOL-01
    Use Server Under Test
    Listed Items Should Be Declared    tools/list

Tools Are Listed
    [Documentation]    `tools/list` returns an array of tools, each an object with a name. It may be empty.
    [Metadata]    Rule    TOOL-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
    [Tags]    legacy    modern    MUST    TOOL-02
    Use Server Under Test
    Require Capability    tools
    List Tools
    Tool Definitions Should Have Valid    shapes

Tool List Is The Same On Every Connection
    [Documentation]    In the modern era a server remembers no connection, so a list must not depend on it: two clients with the same authorization see
    ...    the same tools.
    [Metadata]    Rule    TOOL-03
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities
    [Tags]    modern    MUST    TOOL-03
    Use Server Under Test    modern
    Require Capability    tools
    ${tools} =    List Tools
    Connect To Server Under Test    modern    handshake=True
    ${others} =    List Tools
    Lists Should Be The Same    tools/list    ${tools}    ${others}

Calls Leave The Tool List As It Was
    [Documentation]    A list does not change as a side effect of requests: a tool that was approved must not be another one after a few calls. Calls the
    ...    tools that may be called; a tool that is meant to change lists is the role mutating_tool, which is not called here (X-26).
    [Metadata]    Rule    TOOL-03
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities
    [Tags]    modern    MUST    TOOL-03
    Use Server Under Test    modern
    Require Capability    tools
    ${before} =    List Tools
    Call Permitted Tools    again=True
    ${after} =    List Tools
    Lists Should Be The Same    tools/list    ${before}    ${after}

Tools Come In The Same Order
    [Documentation]    The order is the same each time and on another connection, over stdio thus in another process: clients and models cache what
    ...    they are given word for word.
    [Metadata]    Rule    TOOL-05
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#capabilities
    [Tags]    modern    SHOULD    TOOL-05
    Use Server Under Test    modern
    Require Capability    tools
    ${first} =    List Tools
    ${second} =    List Tools
    Connect To Server Under Test    modern    handshake=True
    ${third} =    List Tools
    Tool Lists Should Have The Same Order    ${first}    ${second}    ${third}

Tool Names Are Plain
    [Documentation]    Names are 1 to 128 characters of A-Z a-z 0-9 _ - and . only; clients and models refuse others.
    [Metadata]    Rule    TOOL-06
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
    [Tags]    legacy    modern    SHOULD    TOOL-06
    [Setup]    Use Server With Tools
    Tool Definitions Should Have Valid    names

Tool Names Are Unique
    [Documentation]    Over all pages no two tools have the same name: a client could call only one of them, and does not know which.
    [Metadata]    Rule    TOOL-07
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
    [Tags]    legacy    modern    SHOULD    TOOL-07
    [Setup]    Use Server With Tools
    Tool Names Should Be Unique

Tools Are Described
    [Documentation]    A model chooses a tool by its description. The schema makes it optional, so this is advice (X-17).
    [Metadata]    Rule    TOOL-08
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
    [Tags]    legacy    modern    advice    TOOL-08
    [Setup]    Use Server With Tools
    Tool Definitions Should Have Valid    descriptions

Input Schemas Are For Objects
    [Documentation]    `inputSchema` is an object whose own `type` is `object`, also for a tool without parameters, and never null. Clients drop other
    ...    tools, and some the whole list.
    [Metadata]    Rule    TOOL-09, SCHEMA-06
    [Metadata]    Level    MUST (schema)
    [Metadata]    Verdict    FAIL: official clients drop the tool or the whole list
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
    [Tags]    legacy    modern    MUST    TOOL-09    SCHEMA-06
    [Setup]    Use Server With Tools
    Tool Definitions Should Have Valid    input roots

Tool Schemas Are Valid
    [Documentation]    Both schemas of each tool are valid in the dialect that `$schema` names, in 2020-12 when it names none (X-18), and their
    ...    references lead somewhere. A dialect that we do not know is not judged; nothing is fetched.
    [Metadata]    Rule    TOOL-10, TOOL-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
    [Tags]    legacy    modern    MUST    TOOL-10    TOOL-11
    [Setup]    Use Server With Tools
    Tool Definitions Should Have Valid    dialects

Tool Schemas Are Valid In Older Revisions Too
    [Documentation]    Before 2025-11-25 no dialect is named; their clients validate by 2020-12 or draft-07 all the same.
    [Metadata]    Rule    TOOL-12
    [Metadata]    Level    advice
    [Metadata]    Revisions    2025-06-18
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-06-18/server/tools#tool
    [Tags]    legacy    advice    TOOL-12
    Connect To Server Under Test    2025-06-18    handshake=True
    Require Capability    tools
    Tool Definitions Should Have Valid    dialects

Unsupported Dialect Is Answered In Words
    [Documentation]    A server that can not apply the dialect of a schema says so; it does not crash. Calls a tool that may be called and whose
    ...    `inputSchema` names a dialect unknown to us.
    [Metadata]    Rule    TOOL-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#implementation-requirements
    [Tags]    legacy    modern    MUST    TOOL-13
    [Setup]    Use Server With Tools
    ${calls} =    Get Calls With An Unknown Dialect
    FOR    ${call}    IN    @{calls}
        ${reply} =    Call Role    ${call}
        Failure Should Be Graceful    ${reply}
    END

Schemas Refer To Nothing Outside
    [Documentation]    A `$ref` that leaves its schema is not fetched by a careful client, and a schema that is not whole must not pass for one that
    ...    allows everything.
    [Metadata]    Rule    TOOL-15
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#ref-resolution
    [Tags]    modern    SHOULD    TOOL-15
    Use Server Under Test    modern
    Require Capability    tools
    Tool Definitions Should Have Valid    references

Output Schemas Are Of The Revision
    [Documentation]    Until 2025-11-25 an `outputSchema` is for an object, and official clients refuse the whole list otherwise; since 2026-07-28 it may
    ...    be for anything.
    [Metadata]    Rule    TOOL-16
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#tool
    [Tags]    legacy    MUST    TOOL-16
    Use Server Under Test    legacy
    Require Capability    tools
    Tool Definitions Should Have Valid    output roots

Tool Hints Are Booleans
    [Documentation]    `readOnlyHint`, `destructiveHint`, `idempotentHint` and `openWorldHint` are true or false: a client that asks the user before it
    ...    calls decides by them.
    [Metadata]    Rule    TOOL-26
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
    [Tags]    legacy    modern    MUST    TOOL-26
    [Setup]    Use Server With Tools
    Tool Definitions Should Have Valid    annotations

Icons Are Safe To Load
    [Documentation]    Icons of the server, its tools, prompts and resources are `https:` or `data:` URIs. Clients must refuse others, so they are never
    ...    seen.
    [Metadata]    Rule    TOOL-38
    [Metadata]    Level    MUST (of consumers)
    [Metadata]    Verdict    WARN: the duty is the client's
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
    [Tags]    legacy    modern    MUST    TOOL-38
    Use Server Under Test
    Icons Should Be Safe To Load

Task Support Is A Known Word
    [Documentation]    `execution.taskSupport` is `forbidden`, `optional` or `required`.
    [Metadata]    Rule    TOOL-39
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#toolexecution
    [Tags]    legacy    MUST    TOOL-39
    Use Server Under Test    legacy
    Require Capability    tools
    Tool Definitions Should Have Valid    executions

Schemas Stay Within What Consumers Accept
    [Documentation]    Schemas that are valid may still be refused by the clients and models that people use: boolean schemas, combiners at the root,
    ...    recursion, tuples, arrays without items. What is only misread by some is in the log.
    [Metadata]    Rule    SCHEMA-02
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
    [Tags]    legacy    modern    advice    SCHEMA-02
    [Setup]    Use Server With Tools
    Schemas Should Be Portable

Schema Keywords Survive The List
    [Documentation]    `$defs`, `$anchor`, `allOf`, `if` and `additionalProperties` reach the client as they were written. Role: schema_tool, with its
    ...    `schema`.
    [Metadata]    Rule    SCHEMA-03
    [Metadata]    Level    MUST (official suite)
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
    [Tags]    legacy    modern    MUST    SCHEMA-03
    [Setup]    Use Server With Tools
    ${tool} =    Require Role    schema_tool
    Tool Schema Should Equal    ${tool.name}    ${tool.schema}

Schemas Are Bounded
    [Documentation]    A schema that is nested deeply or has very many parts costs each client that validates by it. The limits are those of the
    ...    keyword; own suites may set others.
    [Metadata]    Rule    SCHEMA-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#composition-keyword-resource-use
    [Tags]    modern    SHOULD    SCHEMA-04
    Use Server Under Test    modern
    Require Capability    tools
    Schemas Should Be Bounded

Tool List Fits Into A Context
    [Documentation]    All definitions are read by the model in each conversation. The limit is the variable TOOL_LIST_LIMIT, in bytes.
    [Metadata]    Rule    SCHEMA-05
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools
    [Tags]    legacy    modern    advice    SCHEMA-05
    [Setup]    Use Server With Tools
    Tool List Should Be No Larger Than    ${TOOL_LIST_LIMIT}

Results Hold Known Content
    [Documentation]    `content` is an array of blocks of the types that the revision knows (X-16), and text blocks hold text.
    [Metadata]    Rule    TOOL-21
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
    [Tags]    legacy    modern    MUST    TOOL-21
    ${replies} =    Results Of Permitted Tools
    Content Should Be Known    @{replies}

Media Is Base64 With A Type
    [Documentation]    Image and audio blocks carry Base64 in the standard alphabet and a MIME type; a client cannot show them otherwise.
    [Metadata]    Rule    TOOL-22
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#image-content
    [Tags]    legacy    modern    MUST    TOOL-22
    ${replies} =    Results Of Permitted Tools
    Content Should Be Valid    media    @{replies}

Media Is What Its Type Says
    [Documentation]    The bytes begin as files of the MIME type do, where that can be told: models refuse an image/png that is a WebP.
    [Metadata]    Rule    TOOL-22
    [Metadata]    Level    MUST (derived)
    [Metadata]    Verdict    WARN: the specification names a type and does not say that the bytes are of it
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#image-content
    [Tags]    legacy    modern    MUST    TOOL-22
    ${replies} =    Results Of Permitted Tools
    Content Should Be Valid    bytes    @{replies}

Resource Links Have A URI And A Name
    [Documentation]    A link without URI leads nowhere, and one without name cannot be shown.
    [Metadata]    Rule    TOOL-23
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#resource-links
    [Tags]    legacy    modern    MUST    TOOL-23
    ${replies} =    Results Of Permitted Tools
    Content Should Be Valid    links    @{replies}

Embedded Resources Are Whole
    [Documentation]    An embedded resource has its URI and its text or Base64 data.
    [Metadata]    Rule    TOOL-24
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources
    [Tags]    legacy    modern    MUST    TOOL-24
    ${replies} =    Results Of Permitted Tools
    Content Should Be Valid    embedded resources    @{replies}

Embedded Resources Are Declared
    [Documentation]    A server that embeds resources declares the capability `resources`.
    [Metadata]    Rule    TOOL-24
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources
    [Tags]    legacy    modern    SHOULD    TOOL-24
    ${replies} =    Results Of Permitted Tools
    Embedded Resources Should Be Declared    @{replies}

Content Annotations Are Valid
    [Documentation]    `audience` holds user and assistant, `priority` lies between 0 and 1, `lastModified` is an ISO 8601 time.
    [Metadata]    Rule    TOOL-25
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations
    [Tags]    legacy    modern    MUST    TOOL-25
    ${replies} =    Results Of Permitted Tools
    Content Should Be Valid    annotations    @{replies}

Structured Content Fits The Output Schema
    [Documentation]    A tool with an `outputSchema` returns `structuredContent` that fits it, unless the result is an error. Clients that
    ...    validate fail the whole call otherwise.
    [Metadata]    Rule    TOOL-17, TOOL-18
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
    [Tags]    legacy    modern    MUST    TOOL-17    TOOL-18
    ${replies} =    Results Of Permitted Tools
    Result Should Match Output Schema    @{replies}

Structured Content Is An Object Where It Must Be
    [Documentation]    In 2025-06-18 and 2025-11-25 `structuredContent` is an object; since 2026-07-28 it may be any JSON.
    [Metadata]    Rule    TOOL-20
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/schema#calltoolresult
    [Tags]    legacy    MUST    TOOL-20
    Use Server Under Test    legacy
    Require Capability    tools
    ${replies} =    Call Permitted Tools
    Structured Content Should Fit The Revision    @{replies}

Structured Content Is Text Too
    [Documentation]    A text block holds the JSON of `structuredContent`, for clients that know only text.
    [Metadata]    Rule    TOOL-19
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-06-18, 2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content
    [Tags]    legacy    modern    SHOULD    TOOL-19
    ${replies} =    Results Of Permitted Tools
    Structured Content Should Be Told As Text    @{replies}

Older Clients Get No Newer Content
    [Documentation]    2025-03-26 has neither `resource_link` blocks nor `structuredContent`. SDKs that negotiate it send both all the same (X-31), so this
    ...    warns. Roles: media_tool, structured_tool.
    [Metadata]    Rule    TOOL-20, TOOL-21
    [Metadata]    Level    MUST (schema)
    [Metadata]    Verdict    WARN: an official SDK breaks it
    [Metadata]    Revisions    2025-03-26
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-03-26/server/tools#tool-result
    [Tags]    legacy    MUST    TOOL-20    TOOL-21
    [Setup]    Connect To Server Under Test    2025-03-26    handshake=True
    [Template]    Result Should Be Of An Older Revision
    media_tool
    structured_tool

Arguments May Be Left Out
    [Documentation]    A tool that needs no arguments is called without `arguments` like with an empty object; null is answered by whatever is
    ...    right.
    [Metadata]    Rule    TOOL-44
    [Metadata]    Level    MAY
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#calltoolrequestparams
    [Tags]    legacy    modern    MAY    TOOL-44
    [Setup]    Use Server With Tools
    ${calls} =    Get Permitted Calls
    VAR    ${plain} =    ${{ [call for call in $calls if not call['arguments']] }}
    Skip If    not $plain    Not applicable: each tool that may be called has arguments.
    Call Without Arguments Should Be Taken    ${plain}[0]

Unknown Handle Is A Tool Error
    [Documentation]    A call with a handle that expired or never was is a tool error that says so, so that the model can get a new one. Role:
    ...    use_handle_tool, with its `handle_argument`.
    [Metadata]    Rule    TOOL-42
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#stateful-tools
    [Tags]    modern    advice    TOOL-42
    Use Server Under Test    modern
    ${tool} =    Require Role    use_handle_tool
    VAR    &{arguments} =    &{tool.arguments}    ${tool.handle_argument}=mcplibrary-no-such-handle
    ${reply} =    Call Tool    ${tool.name}    arguments=${arguments}    expect=ANY
    Call Should Be Tool Error    ${reply}

Read Only Tools Change Nothing
    [Documentation]    Clients call tools that say `readOnlyHint: true` without asking the user. The state that the role state_probe shows is the
    ...    same after each of them.
    [Metadata]    Rule    TOOL-43
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
    [Tags]    legacy    modern    advice    TOOL-43
    [Setup]    Use Server With Tools
    ${probe} =    Require Role    state_probe
    ${calls} =    Get Permitted Calls    readOnlyHint
    State Should Stay The Same    ${probe}    @{calls}

Idempotent Tools Can Be Repeated
    [Documentation]    Clients repeat a call that says `idempotentHint: true` when its answer was lost: the second call changes nothing more. Roles:
    ...    idempotent_tool, state_probe.
    [Metadata]    Rule    TOOL-43
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations
    [Tags]    legacy    modern    advice    TOOL-43
    [Setup]    Use Server With Tools
    ${probe} =    Require Role    state_probe
    ${tool} =    Require Role    idempotent_tool
    Call Role    ${tool}
    State Should Stay The Same    ${probe}    ${tool}

Every Listed Tool Can Be Called
    [Documentation]    What is listed exists: each tool that may be called is answered, by a result or a tool error. Tools that were left alone are
    ...    named in the log.
    [Metadata]    Rule    TOOL-36
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
    [Tags]    legacy    modern    advice    TOOL-36
    ${replies} =    Results Of Permitted Tools
    Tools Should Be Answered    @{replies}


*** Keywords ***
Use Server With Tools
    [Documentation]    The shared connection; skips when the server does not declare tools.
    Use Server Under Test
    Require Capability    tools

Results Of Permitted Tools
    [Documentation]    The replies of the tools that may be called; skips when there are none.
    Use Server With Tools
    ${replies} =    Call Permitted Tools
    RETURN    ${replies}

Result Should Be Of An Older Revision
    [Documentation]    Template: the tool of this role gives nothing that the connection's revision does not know.
    [Arguments]    ${role}
    ${tool} =    Require Role    ${role}
    ${reply} =    Call Role    ${tool}
    Content Should Be Known    ${reply}
    IF    'structuredContent' in $reply.result
        Structured Content Should Fit The Revision    ${reply}
    END
