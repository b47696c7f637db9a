*** Settings ***
Documentation    Revisions and eras: versions that a server does not support, methods that its revision does not have, and the matrix of clients
...              and servers of both eras.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        versions


*** Test Cases ***
Unsupported Version Is Refused With The Supported Ones
    [Documentation]    Error -32022 names `supported` and `requested`, so that the client can choose another; over HTTP with status 400. On the first
    ...    message of a connection and on later ones, for discovery and for any other request.
    [Metadata]    Rule    VER-01, VER-03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    VER-01    VER-03
    Connect To Server Under Test    modern
    Unsupported Revision Should Be Refused    1900-01-01
    Use Server Under Test    modern
    Unsupported Revision Should Be Refused    1900-01-01
    Unsupported Revision Should Be Refused    1900-01-01    method=tools/list

Known Version That Is Not Served Is Refused Like An Unknown One
    [Documentation]    A modern-only server knows 2025-11-25 and does not serve it: -32022 all the same. A server of both eras may take such a message for
    ...    a legacy one (X-06), so it is not judged.
    [Metadata]    Rule    VER-02
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    VER-02
    Require Claimed Eras    modern
    Use Server Under Test    modern
    Unsupported Revision Should Be Refused    2025-11-25
    Unsupported Revision Should Be Refused    2025-11-25    method=tools/list

Versions In The Refusal Are Those Of Discovery
    [Documentation]    What the refusal of an unsupported version calls supported is a part of what `server/discover` lists. Whether it is refused, and
    ...    with what, is judged above.
    [Metadata]    Rule    DISC-09
    [Metadata]    Level    MUST (official suite)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation
    [Tags]    modern    MUST    DISC-09
    Use Server Under Test    modern
    ${discovered} =    Send Raw Request    server/discover
    ${refused} =    Send Raw Request    server/discover    headers={"MCP-Protocol-Version": "1900-01-01"}
    ...    params={"_meta": {"io.modelcontextprotocol/protocolVersion": "1900-01-01"}}
    VAR    ${data} =    ${{ ($refused['error'] or {}).get('data') }}
    Skip If    not isinstance($data, dict) or not isinstance($data.get('supported'), list)
    ...    Not judged: no refusal named its versions.
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
    [Documentation]    A header that differs from the version in the envelope is answered by -32020 or, as one of the two versions is unsupported, by
    ...    -32022 (VER-04); with status 400. A header of a legacy version may be taken for a legacy message (X-06), so it is not sent here.
    [Metadata]    Rule    HDR-01, VER-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
    [Tags]    modern    http    MUST    HDR-01    VER-04
    [Setup]    Use Modern Server Over Http
    [Template]    Version Header Mismatch Is Refused
    2027-01-01    2026-07-28
    2026-07-28    2025-11-25
    2026-07-28    2027-01-01

Missing Version Header Is Refused By A Modern Only Server
    [Documentation]    What tells a proxy the version must be there: 400 and -32020. A server that also serves the legacy era may take such a message for a
    ...    legacy one, see the next test. (X-06)
    [Metadata]    Rule    VER-07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#protocol-version-header
    [Tags]    modern    http    MUST    VER-07
    Require Claimed Eras    modern
    Use Modern Server Over Http
    Header Mismatch Should Be Refused    without=MCP-Protocol-Version

Envelope With A Legacy Or Missing Header Is Served Or Refused
    [Documentation]    A server of both eras picks the era by the envelope, but official SDKs look at the header alone (X-06): so serving and any 4xx are
    ...    fine. A crash, a status of 500 or more, and silence are not.
    [Metadata]    Rule    VER-08, VER-07
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    modern    http    MUST    VER-08    VER-07
    Require Claimed Eras    legacy    modern
    Use Modern Server Over Http
    ${reply} =    Send Raw Request    tools/list    headers={"MCP-Protocol-Version": "2025-11-25"}
    Request Should Be Served Or Refused    ${reply}
    ${reply} =    Send Raw Request    tools/list    without=MCP-Protocol-Version
    Request Should Be Served Or Refused    ${reply}
    Server Should Still Answer

First Message Settles The Era
    [Documentation]    A request with the modern envelope is served as the first message, without discovery before it: the envelope tells the era.
    [Metadata]    Rule    VER-08
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    modern    MUST    VER-08
    Connect To Server Under Test    modern
    ${reply} =    Send Raw Request    tools/list
    Answer Should Be Well Formed    ${reply}
    IF    $reply.error    Assert Error Code    ${reply}    method not found

Each Client Meets What The Server Claims
    [Documentation]    The matrix of eras, shown as a table: a client of each era, and of both, at this server. An era that the server claims is
    ...    served, and a client of both settles on the newest. A legacy client is refused by a modern-only server, over HTTP with 400.
    ...    What no MUST rules is shown and judged by the tests below. Each run judges the clients of its own era. (X-01)
    [Metadata]    Rule    VER-12, VER-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    legacy    modern    MUST    VER-11    VER-12
    Era Matrix Should Fit The Claims

Legacy Only Server Lets A Modern Client Fall Back
    [Documentation]    A client of both eras asks `server/discover` first. A legacy-only server refuses it with any error that is none of the modern era,
    ...    and then takes `initialize` on the same connection.
    [Metadata]    Rule    VER-10
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    legacy    advice    VER-10
    Require Claimed Eras    legacy
    Modern Client Should Fall Back

Modern Only Server Refuses A Legacy Client
    [Documentation]    `initialize` of a legacy client is refused: over HTTP with 400, as the headers are missing, on stdio with any error.
    [Metadata]    Rule    VER-11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    modern    MUST    VER-11
    Require Claimed Eras    modern
    Legacy Client Should Be Refused

Modern Only Server Names Its Versions To A Legacy Client
    [Documentation]    The refusal of `initialize` is all that a legacy client shows to its user; it should say what the server speaks.
    [Metadata]    Rule    HS-19
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility
    [Tags]    modern    SHOULD    HS-19
    Require Claimed Eras    modern
    Legacy Client Should Be Told The Versions

Both Eras Work On One Endpoint At Once
    [Documentation]    An endpoint that speaks both eras may serve a modern request between two of a legacy session. Not on stdio, where the opening settles
    ...    the era of the process.
    [Metadata]    Rule    VER-09
    [Metadata]    Level    MAY
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#compatibility-matrix
    [Tags]    legacy    http    MAY    VER-09
    Require Claimed Eras    legacy    modern
    Connect To Server Under Test    legacy    handshake=${True}
    Require Transport    http
    Server Should Still Answer
    ${reply} =    Send Raw Request    server/discover    protocol=modern
    Call Should Succeed    ${reply}
    Server Should Still Answer

Initialize After A Modern Opening Does No Harm
    [Documentation]    The opening settles the era of a stdio process. What `initialize` is answered later is left open, best with an error that names the
    ...    versions; but it is answered, and the modern connection goes on.
    [Metadata]    Rule    VER-13
    [Metadata]    Level    advice
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
    [Tags]    modern    stdio    advice    VER-13
    Connect To Server Under Test    modern    handshake=${True}
    Require Transport    stdio
    ${reply} =    Send Initialize In Modern Connection
    Request Should Be Served Or Refused    ${reply}
    Server Should Still Answer


*** Keywords ***
Version Header Mismatch Is Refused
    [Documentation]    Template: a version in the header and another one in the envelope.
    [Arguments]    ${header}    ${envelope}
    ${reply} =    Send Raw Request
    ...    tools/list
    ...    {"_meta": {"io.modelcontextprotocol/protocolVersion": "${envelope}"}}
    ...    headers={"MCP-Protocol-Version": "${header}"}
    Assert Error Code    ${reply}    header mismatch    unsupported protocol version    http_status=400
