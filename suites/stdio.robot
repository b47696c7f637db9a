*** Settings ***
Documentation    The stdio transport: a process that writes nothing but messages to its stdout, and ends when its input ends. Skipped for servers on
...              other transports.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        stdio


*** Test Cases ***
Stdout Carries Only Messages
    [Documentation]    From its start on a stdio server writes nothing but messages to stdout. A banner or a log line there breaks
    ...    clients; they belong on stderr.
    [Metadata]    Rule    STDIO-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    MUST    STDIO-01
    Connect To Server Under Test    handshake=${True}
    Require Transport    stdio
    Server Should Still Answer
    Stdout Should Carry Only Messages
