*** Settings ***
Documentation    Elicitation: what servers ask the user, by a form or by a URL to visit, in both eras. Each test calls the tool of a role; the user
...              cancels where only the question matters. Whether a client is asked that did not declare it, is judged in `handshake` (legacy)
...              and `envelope` (modern).

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        elicitation


*** Test Cases ***
Form Is Well Formed
    [Documentation]    A form has a message for the user, and a flat schema whose fields are strings, numbers, booleans or choices: more a client
    ...    cannot show. The mode is `form`, `url` or absent.
    [Metadata]    Rule    ELIC-01, ELIC-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
    [Tags]    legacy    modern    MUST    ELIC-01    ELIC-02
    [Setup]    Use Server That May Ask
    [Template]    Elicitation Of Role Should Be Well Formed
    elicitation_tool
    handwritten_rounds_tool
    imperative_tool

Url To Visit Is Well Formed
    [Documentation]    What is asked by URL has the mode `url`, an absolute URL and a message. Role: url_elicitation_tool.
    [Metadata]    Rule    ELIC-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
    [Tags]    legacy    modern    MUST    ELIC-02
    Use Server That May Ask
    Elicitation Of Role Should Be Well Formed    url_elicitation_tool

Legacy Url Elicitation Has An Id
    [Documentation]    On 2025-11-25 what is asked by URL has an `elicitationId`, by which the server says later that it is done. Role:
    ...    url_elicitation_tool.
    [Metadata]    Rule    ELIC-09
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-mode-elicitation-requests
    [Tags]    legacy    MUST    ELIC-09
    Use Server That May Ask    legacy
    ${questions} =    Get Questions Of Role    url_elicitation_tool    elicitation
    Url Should Have An Elicitation Id    @{questions}

Retired Parts Of Elicitation Are Gone
    [Documentation]    In the modern era there is no error -32042, no `elicitationId` and no `notifications/elicitation/complete`. Roles:
    ...    url_elicitation_tool, url_required_tool.
    [Metadata]    Rule    ELIC-11
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/changelog
    [Tags]    modern    MUST    ELIC-11
    [Setup]    Use Server That May Ask    modern
    [Template]    Role Should Not Use Retired Elicitation
    url_elicitation_tool
    url_required_tool

Required Url Is Listed
    [Documentation]    The error -32042 of 2025-11-25 lists what to visit before the call is made again, each with mode, URL, id and message. Role:
    ...    url_required_tool.
    [Metadata]    Rule    ELIC-10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
    [Tags]    legacy    MUST    ELIC-10
    Use Server That May Ask    legacy
    ${reply} =    Call Role Answering    url_required_tool    elicitation    cancel
    Required Url Should Be Listed    ${reply}

Form Asks For No Secrets
    [Documentation]    Passwords, keys and card numbers are never asked by a form, which every program between sees: a URL is for that. Judged by the
    ...    words of the form.
    [Metadata]    Rule    ELIC-03
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: words are a sign, not a proof
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
    [Tags]    legacy    modern    MUST    ELIC-03
    [Setup]    Use Server That May Ask
    [Template]    Form Of Role Should Not Ask For Secrets
    elicitation_tool
    handwritten_rounds_tool
    imperative_tool

Form Holds No Links
    [Documentation]    A form shows no URL that a user might click, and so be led astray.
    [Metadata]    Rule    ELIC-06
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#safe-url-handling
    [Tags]    legacy    modern    SHOULD    ELIC-06
    [Setup]    Use Server That May Ask
    [Template]    Form Of Role Should Hold No Links
    elicitation_tool
    handwritten_rounds_tool
    imperative_tool

Url Carries Nothing Sensitive
    [Documentation]    The URL to visit holds no credentials and no personal data, and does not log in whoever opens it: it passes through logs and
    ...    many hands. Judged by the names and shapes of its parameters. Role: url_elicitation_tool.
    [Metadata]    Rule    ELIC-04
    [Metadata]    Level    MUST NOT
    [Metadata]    Verdict    WARN: names of parameters are a sign, not a proof
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#safe-url-handling
    [Tags]    legacy    modern    MUST    ELIC-04
    Use Server That May Ask
    ${questions} =    Get Questions Of Role    url_elicitation_tool    elicitation
    Url Should Carry Nothing Sensitive    @{questions}

Url Is Secure
    [Documentation]    The URL to visit is https, unless it leads to this computer as in development. Role: url_elicitation_tool.
    [Metadata]    Rule    ELIC-05
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#safe-url-handling
    [Tags]    legacy    modern    SHOULD    ELIC-05
    Use Server That May Ask
    ${questions} =    Get Questions Of Role    url_elicitation_tool    elicitation
    Url Should Be Secure    @{questions}

User May Say No
    [Documentation]    A user who declines or cancels is no accident: the call ends with words for it, or goes another way, and neither hangs nor
    ...    crashes.
    [Metadata]    Rule    ELIC-07, MRTR-22
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#error-handling
    [Tags]    legacy    modern    MUST    ELIC-07    MRTR-22
    [Setup]    Use Server That May Ask
    [Template]    User Should Be Able To Say No
    elicitation_tool    decline
    elicitation_tool    cancel
    handwritten_rounds_tool    decline
    handwritten_rounds_tool    cancel
    imperative_tool    decline
    imperative_tool    cancel

Legacy Question Is A Request Of Its Own
    [Documentation]    In the legacy era the server asks by a request with an id of its own while the call runs, takes the answer, and completes the
    ...    call. The text must be that of the role, if it names one.
    [Metadata]    Rule    ELIC-08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
    [Tags]    legacy    MUST    ELIC-08
    [Setup]    Use Server That May Ask    legacy
    [Template]    Role Should Complete When Answered
    elicitation_tool    elicitation
    imperative_tool    elicitation

No Elicitation Before It Was Invented
    [Documentation]    A 2025-03-26 client knows no elicitation: it is not asked, whatever it declares. Role: elicitation_tool.
    [Metadata]    Rule    ELIC-14
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2025-03-26
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle#capability-negotiation
    [Tags]    legacy    MUST    ELIC-14
    ${tool} =    Require Role    elicitation_tool
    Answer Elicitation    CANCEL
    Connect To Server Under Test    2025-03-26    handshake=${True}
    Calls Should Ask Only What They May    ${tool}

Error Of The Client Ends The Call
    [Documentation]    A client that answers the question with an error does not make the server hang or crash: the call ends in some way.
    [Metadata]    Rule    ELIC-15
    [Metadata]    Level    advice
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#error-handling
    [Tags]    legacy    advice    ELIC-15
    [Setup]    Use Server That May Ask    legacy
    [Template]    Client Should Be Able To Answer With An Error
    elicitation_tool
    imperative_tool


*** Keywords ***
Elicitation Of Role Should Be Well Formed
    [Documentation]    Template: what the tool of a role asks.
    [Arguments]    ${role}
    ${questions} =    Get Questions Of Role    ${role}    elicitation
    Elicitation Should Be Well Formed    @{questions}

Form Of Role Should Not Ask For Secrets
    [Documentation]    Template: what the tool of a role asks.
    [Arguments]    ${role}
    ${questions} =    Get Questions Of Role    ${role}    elicitation
    Form Should Not Ask For Secrets    @{questions}

Form Of Role Should Hold No Links
    [Documentation]    Template: what the tool of a role asks.
    [Arguments]    ${role}
    ${questions} =    Get Questions Of Role    ${role}    elicitation
    Form Should Hold No Links    @{questions}

Role Should Not Use Retired Elicitation
    [Documentation]    Template: the tool of a role, whose user cancels.
    [Arguments]    ${role}
    ${reply} =    Call Role Answering    ${role}    elicitation    cancel
    ${questions} =    Get Server Requests    elicitation
    Retired Elicitation Should Not Be Used    ${reply}    @{questions}

User Should Be Able To Say No
    [Documentation]    Template: the tool of a role, and what the user does.
    [Arguments]    ${role}    ${way}
    ${reply} =    Call Role Answering    ${role}    elicitation    ${way}
    Call Should End Sanely    ${reply}

Client Should Be Able To Answer With An Error
    [Documentation]    Template: the tool of a role, whose question the client answers with an error.
    [Arguments]    ${role}
    ${reply} =    Call Role Answering    ${role}    elicitation    error
    Call Should End Sanely    ${reply}
