*** Settings ***
Documentation    Revisions and eras: versions that a server does not support, methods that its revision does not have, and the matrix of clients
...              and servers of both eras.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        versions


*** Test Cases ***
Unsupported Version Is Refused With The Supported Ones
    [Documentation]    Error -32022 names `supported` and `requested`, so that the client can choose another; over HTTP with status 400.
    [Metadata]    Rule    VER-01, VER-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    VER-01    VER-03
    Use Server Under Test    modern
    Unsupported Revision Should Be Refused    1900-01-01

Versions In The Refusal Are Those Of Discovery
    [Documentation]    What the refusal of an unsupported version calls supported is a part of what `server/discover` lists.
    [Metadata]    Rule    DISC-09
    [Metadata]    Level    MUST (official suite)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    DISC-09
    Use Server Under Test    modern
    ${discovered} =    Send Raw Request    server/discover
    ${refused} =    Unsupported Revision Should Be Refused    1900-01-01
    Supported Versions Should Agree    ${refused}    ${discovered}

Methods Of The Legacy Era Do Not Exist
    [Documentation]    `initialize`, `ping` and the rest were removed in 2026-07-28: -32601, over HTTP with status 404.
    [Metadata]    Rule    HTTP-22, PING-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/changelog
    [Tags]    modern    MUST    HTTP-22    PING-02
    [Setup]    Use Server Under Test    modern
    [Template]    Removed Method Should Not Exist
    initialize
    ping
    logging/setLevel
    resources/subscribe
    resources/unsubscribe

Version Header Must Fit The Envelope
    [Documentation]    A version header that is no legacy version and differs from the envelope is answered by -32020 or, being unsupported itself,
    ...    -32022 (VER-04). A missing header is -32020 on a server that speaks the modern era only; a server that also speaks the legacy
    ...    era may treat the message as legacy (X-06), so there any HTTP error will do.
    [Metadata]    Rule    HDR-01, VER-04, VER-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
    [Tags]    modern    http    MUST    HDR-01    VER-04    VER-07
    Use Modern Server Over Http
    ${reply} =    Send Raw Request    tools/list    headers={"MCP-Protocol-Version": "2027-01-01"}
    Assert Error Code    ${reply}    header mismatch    unsupported protocol version    http_status=400
    ${reply} =    Send Raw Request    tools/list    without=MCP-Protocol-Version
    Request Should Be Refused    ${reply}

Both Eras Work On The Same Server
    [Documentation]    The matrix of eras, as far as the server claims it: a client of each era connects and lists. A modern-only server refuses
    ...    `initialize` with an error that names its versions (HS-19, VER-11), a legacy-only one answers the modern probe with an
    ...    error and stays usable (VER-10).
    [Metadata]    Rule    VER-10, VER-11, VER-12
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    legacy    modern    MUST    VER-10    VER-11    VER-12
    Eras Should Fit The Claims
