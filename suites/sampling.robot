*** Settings ***
Documentation    Sampling: what servers ask the client's model, in both eras. Each test calls the tool of the role `sampling_tool` or
...              `sampling_tools_tool`.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        sampling


*** Test Cases ***
Sampling Needs The Declared Capability
    [Documentation]    A client that does not declare `sampling` is not asked for it. In the modern era the call is refused by -32021, in the legacy
    ...    era it ends in some way without the question. Role: sampling_tool.
    [Metadata]    Rule    SAMP-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: official SDKs ask all the same when a tool asks by its own code (X-14)
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#capabilities
    [Tags]    legacy    modern    MUST    SAMP-01
    Use Server Under Test
    Role Should Not Ask When Nothing Is Declared    sampling_tool

Sampling Is Well Formed
    [Documentation]    A request to the model has messages of user and assistant with content, and says how many tokens the answer may have.
    [Metadata]    Rule    SAMP-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#messages
    [Tags]    legacy    modern    MUST    SAMP-02
    [Setup]    Use Server That May Ask
    [Template]    Sampling Of Role Should Be Well Formed
    sampling_tool
    sampling_tools_tool

Uses Of Tools Are Answered In Sampling
    [Documentation]    In the messages to the model each use of a tool is answered by the next message, which holds nothing but results. The model
    ...    wants a tool used once, then says its text. Role: sampling_tools_tool.
    [Metadata]    Rule    SAMP-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
    [Tags]    legacy    modern    MUST    SAMP-03
    Use Server That May Ask
    ${questions} =    Let Model Of Role Use A Tool    sampling_tools_tool
    Tool Results Should Be Balanced    @{questions}

Sampling Wants No Undeclared Context
    [Documentation]    `includeContext` of `thisServer` or `allServers` is only for clients that declare `sampling.context`, which ours does not.
    [Metadata]    Rule    SAMP-04
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#capabilities
    [Tags]    legacy    modern    SHOULD    SAMP-04
    [Setup]    Use Server That May Ask
    [Template]    Sampling Of Role Should Want No Undeclared Context
    sampling_tool
    sampling_tools_tool

Modern Sampling Travels In Results Only
    [Documentation]    In the modern era the model is asked by `inputRequests` of a result; the server sends no request.
    [Metadata]    Rule    SAMP-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
    [Tags]    modern    MUST    SAMP-05
    Use Server That May Ask    modern
    Call Role Answering    sampling_tool    sampling
    Server Should Send No Requests    sampling/createMessage


*** Keywords ***
Sampling Of Role Should Be Well Formed
    [Documentation]    Template: what the tool of a role asks.
    [Arguments]    ${role}
    ${questions} =    Get Questions Of Role    ${role}    sampling
    Sampling Should Be Well Formed    @{questions}

Sampling Of Role Should Want No Undeclared Context
    [Documentation]    Template: what the tool of a role asks.
    [Arguments]    ${role}
    ${questions} =    Get Questions Of Role    ${role}    sampling
    Sampling Should Want No Undeclared Context    @{questions}
