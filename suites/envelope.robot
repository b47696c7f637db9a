*** Settings ***
Documentation    The envelope of the modern era: each request describes itself in `_meta`, its version, its client and what that client can do; each
...              result says what it is and which server made it.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        envelope


*** Test Cases ***
Request Without Envelope Is Refused
    [Documentation]    Each request describes itself: without `_meta`, its version or its client capabilities it is answered by -32602, over
    ...    HTTP with status 400, with the id echoed. Asked on a connection whose era an earlier request settled, so that nothing
    ...    may be remembered from that one either. (META-06)
    [Metadata]    Rule    META-01, META-02, META-03, META-06, META-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    META-01    META-02    META-03    META-06    META-08
    [Setup]    Use Server Under Test    modern
    [Template]    Request Without Meta Should Be Refused
    _meta
    protocolVersion
    clientCapabilities
    params

Client Info Is Optional
    [Documentation]    `clientInfo` is a SHOULD for clients: a request without it is served.
    [Metadata]    Rule    META-04
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    META-04
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list    without=clientInfo
    ${full} =    Send Raw Request    tools/list
    Replies Should End Alike    ${reply}    ${full}

Envelope Members Of The Wrong Type Are Refused
    [Documentation]    Reserved members of `_meta` have types; client capabilities that are a text are refused with -32602.
    [Metadata]    Rule    META-05
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/schema#requestmetaobject
    [Tags]    modern    MUST    META-05
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list    {"_meta": {"io.modelcontextprotocol/clientCapabilities": "nope"}}
    Assert Error Code    ${reply}    invalid params

Every Result Says What It Is
    [Documentation]    `resultType` stands in the raw JSON of every result. A typed client fills it in and hides that it is missing.
    [Metadata]    Rule    META-13, META-14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    [Tags]    modern    MUST    META-13    META-14
    Use Server Under Test    modern
    FOR    ${method}    IN    server/discover    tools/list    resources/list    resources/templates/list    prompts/list
        ${reply} =    Send Raw Request    ${method}
        IF    ${reply.result} is not None
            Result Should Carry Result Type    ${reply}
        END
    END

Tool Results Say What They Are
    [Documentation]    `resultType` stands in the raw JSON of a tool result too. Calls the safe tool.
    [Metadata]    Rule    META-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#resulttype
    [Tags]    modern    MUST    META-13
    Use Server Under Test    modern
    ${tool} =    Require Safe Tool
    ${reply} =    Call Role    ${tool}
    Result Should Carry Result Type    ${reply}

Every Result Names Its Server
    [Documentation]    Results carry `io.modelcontextprotocol/serverInfo` in `_meta`, with a name and a version.
    [Metadata]    Rule    META-11, META-12
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    SHOULD    META-11    META-12
    Use Server Under Test    modern
    FOR    ${method}    IN    server/discover    tools/list
        ${reply} =    Send Raw Request    ${method}
        IF    ${reply.result} is not None
            Server Info Should Be Valid    ${reply}
        END
    END

Missing Client Capability Is Named
    [Documentation]    A call that needs what the client did not declare is answered by -32021 whose data names the capability, so that the
    ...    client knows what to offer; over HTTP with status 400. Nothing is asked of such a client. Role: elicitation_tool.
    [Metadata]    Rule    CAP-01, CAP-02, CAP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#meta
    [Tags]    modern    MUST    CAP-01    CAP-02    CAP-03
    Use Server Under Test    modern
    ${tool} =    Require Role    elicitation_tool
    Undeclared Capability Should Be Named    ${tool}    elicitation
