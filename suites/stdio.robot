*** Settings ***
Documentation    The stdio transport: a process that writes nothing but messages to its stdout, one a line, and ends when its input ends. Skipped
...              for servers on other transports.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        stdio


*** Variables ***
# What a client waits before it becomes rude.
${LEAVE}    5 s


*** Test Cases ***
Stdout Carries Only Messages
    [Documentation]    From its start to its end a stdio server writes nothing but messages to stdout. A banner, a log line or a farewell there breaks
    ...    clients; they belong on stderr.
    [Metadata]    Rule    STDIO-01
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    MUST    STDIO-01
    Connect To Server Over Stdio
    Server Should Still Answer
    ${tool} =    Get Role    safe_tool
    IF    $tool is not None    Call Role    ${tool}
    Send Raw Bytes    this is not json    silence=${SILENCE}
    Close Server Input    timeout=${LEAVE}
    Stdout Should Carry Only Messages

Text With Line Ends Stays On One Line
    [Documentation]    A message is one line. Line ends inside a text travel escaped, and come back as they were; U+2028 is a line end only for some
    ...    readers, and may stand as it is. Role: echo_tool.
    [Metadata]    Rule    STDIO-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    MUST    STDIO-02
    Use Server Under Test
    Require Transport    stdio
    ${tool} =    Require Role    echo_tool
    VAR    ${text} =    one\ntwo\r\nthree\u2028four\u0085five
    VAR    ${arguments} =    ${{ {**$tool['arguments'], $tool['argument']: $text} }}
    ${reply} =    Call Tool    ${tool.name}    arguments=${arguments}
    Stdout Should Carry Only Messages
    Should Contain    ${reply.text}    ${text}    The text came back with other line ends than it had.    values=False

Concurrent Requests Are Each Answered Once
    [Documentation]    Answers may come in any order, and notifications between them, but each request is answered once, under its id. Ten requests at
    ...    once: of the safe tool if one is named, else for the list of tools. With a role slow_tool, its progress comes in between.
    [Metadata]    Rule    STDIO-06
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    MUST    STDIO-06
    Connect To Server Over Stdio
    ${tool} =    Get Role    safe_tool
    ${slow} =    Get Role    slow_tool
    VAR    @{calls} =    @{EMPTY}
    IF    $slow is not None
        ${call} =    Start Slow Call    ${slow}    duration=0.2
        VAR    @{calls} =    ${call}
    END
    FOR    ${_}    IN RANGE    10
        IF    $tool is None
            ${call} =    Start Call    tools/list
        ELSE
            ${call} =    Start Call
            ...    tools/call
            ...    ${{ {"name": $tool["name"], "arguments": dict($tool["arguments"])} }}
        END
        VAR    @{calls} =    @{calls}    ${call}
    END
    FOR    ${call}    IN    @{calls}
        Wait For Call    ${call}    expect=ANY
    END
    Server Should Still Answer
    Requests Should Be Answered Once

Line Ends Of Other Systems Are Tolerated
    [Documentation]    A line that ends in CR LF, as Windows programs write it, is a good line, and an empty line is none.
    [Metadata]    Rule    STDIO-11
    [Metadata]    Level    advice
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
    [Tags]    legacy    modern    advice    STDIO-11
    Connect To Server Over Stdio
    ${good} =    Server Should Still Answer
    Send Raw Bytes    ${EMPTY}    silence=${SILENCE}
    Server Should Still Answer
    VAR    ${again} =    ${{ {**$good['sent'], 'id': 'mcplibrary-crlf'} }}
    VAR    ${line} =    ${{ json.dumps($again) + chr(13) }}
    ${reply} =    Send Raw Bytes    ${line}
    Replies Should End Alike    ${reply}    ${good}

Era Probe Is Answered
    [Documentation]    A client that speaks both eras asks `server/discover` first. Whatever the server says, it says something, and a server of the legacy
    ...    era still takes `initialize` afterwards on the same process. Clients must expect silence from old servers, so that only warns.
    [Metadata]    Rule    STDIO-09, VER-10
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility
    [Tags]    legacy    modern    SHOULD    STDIO-09    VER-10
    Use Server Under Test
    Require Transport    stdio
    Era Probe Should Work

Process Ends With Its Input
    [Documentation]    The end of stdin is how a client says good-bye. A server that does not notice stays behind, with each session one more; so do
    ...    children of a launcher that passes nothing on.
    [Metadata]    Rule    STDIO-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
    [Tags]    legacy    modern    SHOULD    STDIO-04
    Connect To Server Over Stdio
    Server Should Still Answer
    Server Should Exit At End Of Input    timeout=${LEAVE}
    Server Should Leave No Processes

Process Ends At SIGTERM
    [Documentation]    A client that waited in vain sends SIGTERM, supervisors begin with it. The process ends while its input is open, and leaves no
    ...    children behind.
    [Metadata]    Rule    STDIO-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
    [Tags]    legacy    modern    SHOULD    STDIO-04
    Connect To Server Over Stdio
    Server Should Still Answer
    Server Should Exit At Sigterm    timeout=${LEAVE}
    Server Should Leave No Processes

Process Ends With Its Input During A Call
    [Documentation]    A client that goes does not wait for calls in flight, and neither does the server: nobody is left to read the answer. Role:
    ...    slow_tool, best with its `seconds_argument`.
    [Metadata]    Rule    STDIO-04
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
    [Tags]    legacy    modern    SHOULD    STDIO-04
    ${tool} =    Require Role    slow_tool
    Connect To Server Over Stdio
    ${call} =    Start Slow Call    ${tool}    duration=60
    Server Should Still Answer
    Server Should Exit At End Of Input    timeout=${LEAVE}
    Wait For Call    ${call}    expect=ANY

Calls In Flight End Cleanly
    [Documentation]    When the input ends during a call, that call gets one answer or none, and no half line is left on stdout. Role: slow_tool.
    [Metadata]    Rule    STDIO-10
    [Metadata]    Level    MUST (derived)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
    [Tags]    legacy    modern    MUST    STDIO-10
    ${tool} =    Require Role    slow_tool
    Connect To Server Over Stdio
    ${call} =    Start Slow Call    ${tool}    duration=1
    Server Should Still Answer
    Close Server Input    timeout=${LEAVE}
    Wait For Call    ${call}    expect=ANY
    Requests Should Be Answered Once    at_most=True
    Stdout Should Carry Only Messages

Errors At The End Have No Reserved Code
    [Documentation]    A call that is given up because the input ended may be answered by an error, but not by one of -32019 to -32000, which new
    ...    implementations leave alone. Role: slow_tool.
    [Metadata]    Rule    RPC-23
    [Metadata]    Level    SHOULD NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
    [Tags]    modern    SHOULD    RPC-23
    ${tool} =    Require Role    slow_tool
    Connect To Server Over Stdio    modern
    ${call} =    Start Slow Call    ${tool}    duration=60
    Server Should Still Answer
    Close Server Input    timeout=${LEAVE}
    Wait For Call    ${call}    expect=ANY
    Error Codes Should Lie Outside Reserved Ranges

Restart Is Harmless
    [Documentation]    A modern server needs nothing from the process before it: killed and started again, it answers as before. Calls the safe tool.
    [Metadata]    Rule    STDIO-08
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#unexpected-termination
    [Tags]    modern    SHOULD    STDIO-08
    Connect To Server Over Stdio    modern
    ${tool} =    Require Safe Tool
    ${before} =    Call Role    ${tool}
    Kill Server Process
    Connect To Server Over Stdio    modern
    ${after} =    Call Role    ${tool}
    Replies Should End Alike    ${after}    ${before}


*** Keywords ***
Connect To Server Over Stdio
    [Documentation]    A fresh process for this test; skips when the server is reached by another transport.
    [Arguments]    ${era}=${None}
    Use Server Under Test    ${era}
    Require Transport    stdio
    Connect To Server Under Test    ${era}    handshake=${True}
