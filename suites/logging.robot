*** Settings ***
Documentation    Log messages: sent to who wants them, at the levels that are wanted, without secrets. In the modern era each request says by its
...              `logLevel` what it wants; in the legacy era `logging/setLevel` says it for the session. Role: logging_tool.

Resource         ../resources/streams.resource

Suite Setup      Open Server Under Test

Test Tags        logging


*** Test Cases ***
Log Messages Are Sent Only When Asked For
    [Documentation]    A modern request without `logLevel` wants no log messages.
    [Metadata]    Rule    LOG-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#requesting-log-messages
    [Tags]    modern    MUST    LOG-01
    Use Server Under Test    modern
    ${tool} =    Require Role    logging_tool
    ${reply} =    Call Role    ${tool}
    Server Should Still Answer
    No Notification Should Have Come Since    ${reply}    message

Log Messages Are Of The Wanted Severity
    [Documentation]    With a `logLevel` only messages of that severity and above are sent.
    [Metadata]    Rule    LOG-02
    [Metadata]    Level    MAY (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#requesting-log-messages
    [Tags]    modern    MAY    LOG-02
    Use Server Under Test    modern
    ${tool} =    Require Role    logging_tool
    ${all} =    Call Role    ${tool}    meta={"io.modelcontextprotocol/logLevel": "debug"}
    Require Notifications    ${all}    message
    ${reply} =    Call Role    ${tool}    meta={"io.modelcontextprotocol/logLevel": "error"}
    Log Messages Should Be At Least    ${reply}    error

Log Messages Come On The Stream Of Their Request
    [Documentation]    Of two calls at the same time one wants log messages: over HTTP they come on its stream only, not on that of the other and
    ...    not on a subscription.
    [Metadata]    Rule    LOG-03
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#requesting-log-messages
    [Tags]    modern    MUST    LOG-03
    Use Modern Server Over Http
    ${tool} =    Require Role    logging_tool
    Listen If Possible    modern
    ${other} =    Start Another Call    ${tool}
    ${reply} =    Call Role    ${tool}    meta={"io.modelcontextprotocol/logLevel": "debug"}
    Wait For Call    ${other}    expect=ANY
    Notifications Should Travel With Their Call    ${reply}    message
    Require Notifications    ${reply}    message
    [Teardown]    Cancel Open Subscriptions

Unknown Log Level Is Invalid Params
    [Documentation]    A request whose `logLevel` is none of the eight is refused with -32602, so that a typing error is seen.
    [Metadata]    Rule    LOG-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#error-handling
    [Tags]    modern    SHOULD    LOG-04
    Use Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list    {"_meta": {"io.modelcontextprotocol/logLevel": "loud"}}
    Assert Error Code    ${reply}    invalid params

Server That Logs Declares It
    [Documentation]    Who sends log messages declares the capability `logging`. Judges all messages of the connection, and those of the
    ...    logging_tool if it is named.
    [Metadata]    Rule    LOG-05
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: the official python SDK lets tools log without declaring it, in both eras (X-29)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#capabilities
    [Tags]    legacy    modern    MUST    LOG-05
    ${era} =    Use Server Under Test
    Provoke Log Messages    ${era}
    Notifications Should Be Declared    message

Log Messages Hold No Secrets
    [Documentation]    Log messages go to the client and whoever reads its logs: no passwords, keys or tokens, no stack traces, and not the
    ...    `secret` of the role crashing_tool, which is called as well.
    [Metadata]    Rule    LOG-06
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#security
    [Tags]    legacy    modern    MUST    LOG-06
    ${era} =    Use Server Under Test
    Provoke Log Messages    ${era}
    ${secrets} =    Provoke Crash
    Log Messages Should Leak Nothing    also=${secrets}

Log Levels Are Those Of Syslog
    [Documentation]    The level of a message is one of eight names; clients sort and colour by it.
    [Metadata]    Rule    LOG-10
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-levels
    [Tags]    legacy    modern    MUST    LOG-10
    ${era} =    Use Server Under Test
    Provoke Log Messages    ${era}
    Notifications Should Be Valid    message    member=level

Every Log Level Can Be Set
    [Documentation]    With `logging` declared `logging/setLevel` accepts each of the eight levels and answers with an empty result.
    [Metadata]    Rule    LOG-07
    [Metadata]    Level    MUST (result)
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level
    [Tags]    legacy    MUST    LOG-07
    Use Server Under Test    legacy
    Require Capability    logging
    ${levels} =    Get Log Levels
    FOR    ${level}    IN    @{levels}
        ${reply} =    Set Log Level    ${level}    expect=ANY
        Call Should Succeed    ${reply}
        Result Should Be Empty    ${reply}
    END
    [Teardown]    Set Log Level    info    expect=ANY

Setting An Unknown Log Level Is Invalid Params
    [Documentation]    A level that is none of the eight is refused with -32602.
    [Metadata]    Rule    LOG-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#error-handling
    [Tags]    legacy    SHOULD    LOG-08
    Use Server Under Test    legacy
    Require Capability    logging
    ${reply} =    Set Log Level    loud    expect=ANY
    Assert Error Code    ${reply}    invalid params

Lower Levels Are Not Sent After The Level Was Set
    [Documentation]    After `logging/setLevel` with `error` nothing less severe is sent.
    [Metadata]    Rule    LOG-09
    [Metadata]    Level    SHOULD (derived)
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging#setting-log-level
    [Tags]    legacy    SHOULD    LOG-09
    Use Server Under Test    legacy
    Require Capability    logging
    ${tool} =    Require Role    logging_tool
    Set Log Level    debug
    ${all} =    Call Role    ${tool}
    Require Notifications    ${all}    message
    Set Log Level    error
    ${reply} =    Call Role    ${tool}
    Server Should Still Answer
    Log Messages Should Be At Least    ${reply}    error
    [Teardown]    Set Log Level    info    expect=ANY
