*** Settings ***
Documentation    The raw keywords on the wire: what is malformed is sent as it is, and what came back is shown as it is.

Library          McpLibrary    timeout=20 s

Suite Setup      Start And Connect


*** Test Cases ***
Malformed Json Is Sent
    [Template]    Bytes Should Be Answered By
    http    {"jsonrpc":    -32700
    stdio    {"jsonrpc":    -32700
    http    [1, 2    -32700
    stdio    this is not json    -32700

Invalid Utf 8 Is Sent
    VAR    ${bytes} =    ${{ b'{"jsonrpc":"2.0","id":1,"method":"\\xff\\xfe"}' }}
    ${reply} =    Send Raw Bytes    ${bytes}    server=http
    Assert Error Code    ${reply}    parse error    http_status=400
    ${reply} =    Send Raw Bytes    ${bytes}    server=stdio
    Assert Error Code    ${reply}    parse error

Batch Is Sent
    FOR    ${server}    IN    http    stdio
        ${good} =    Send Raw Request    tools/list    server=${server}
        VAR    @{batch} =    ${good.sent}
        ${reply} =    Send Raw Message    ${batch}    server=${server}
        Assert Error Code    ${reply}    invalid request
        Should Be True    isinstance($reply['sent'], list)
    END

Odd Ids Are Sent As They Are
    [Template]    Id Should Be Sent And Refused
    null
    1.5
    true
    {"a": 1}

Duplicate Ids Are Sent
    ${one} =    Send Raw Request    tools/list    id=77    server=stdio
    ${two} =    Send Raw Request    tools/list    id="77"    server=stdio
    Should Be Equal    ${one.id}    ${77}
    Should Be Equal    ${two.id}    77
    ${three} =    Send Raw Request    tools/list    id=77    server=stdio
    Call Should Succeed    ${three}

Request Without Meta Is Refused
    ${reply} =    Send Raw Request    tools/list    without=_meta    server=http
    Assert Error Code    ${reply}    invalid params    http_status=400
    Should Be Equal    ${reply.sent.params}    ${{ {} }}
    ${reply} =    Send Raw Request    tools/list    without=params    server=http
    Should Not Contain    ${reply.sent}    params
    Assert Error Code    ${reply}    invalid params

Headers Are Bent
    ${reply} =    Send Raw Request    tools/list    headers={"Mcp-Method": "prompts/list"}    server=http
    Assert Error Code    ${reply}    header mismatch    http_status=400
    ${reply} =    Send Raw Request    tools/list    without=Mcp-Method    server=http
    Assert Error Code    ${reply}    header mismatch
    VAR    @{doubled} =    Mcp-Method: tools/list    Mcp-Method: tools/list
    ${reply} =    Send Raw Request    tools/list    headers=${doubled}    server=http
    Assert Error Code    ${reply}    header mismatch
    VAR    @{padded} =    Mcp-Method:${SPACE*4}tools/list${SPACE*3}
    ${reply} =    Send Raw Request    tools/list    headers=${padded}    server=http
    Call Should Succeed    ${reply}

Other Http Methods Are Sent
    ${reply} =    Send Http Request    GET    headers={"MCP-Protocol-Version": "2026-07-28", "Accept": "text/event-stream"}
    ...    server=http
    Answer Should Have Http Status    ${reply}    405
    ${reply} =    Send Http Request    DELETE    headers={"MCP-Protocol-Version": "2026-07-28"}    server=http
    Answer Should Have Http Status    ${reply}    405
    ${reply} =    Send Http Request    OPTIONS    server=http
    Should Be True    ${reply.status} >= 200

Large And Odd Text Is Sent Raw
    VAR    ${text} =    ${{ '\u2028' + 'x' * 1024 * 1024 }}
    VAR    &{params} =    name=echo    arguments=${{ {'text': $text} }}
    FOR    ${server}    IN    http    stdio
        ${reply} =    Send Raw Request    tools/call    ${params}    server=${server}
        Should Be Equal    ${reply.text}    ${text}
    END

Notifications Get No Answer
    ${reply} =    Send Raw Notification    notifications/nope    server=http
    Answer Should Have Http Status    ${reply}    202
    Answer Should Have No Body    ${reply}
    Notification Should Be Accepted Silently    notifications/nope    silence=0.3 s    server=stdio


*** Keywords ***
Start And Connect
    [Documentation]    The sample server as a process over stdio and HTTP.
    Connect To Server    demo    over=stdio    alias=stdio    protocol=modern
    Connect To Server    demo    alias=http    protocol=modern

Bytes Should Be Answered By
    [Documentation]    Template: these bytes get this code.
    [Arguments]    ${server}    ${bytes}    ${code}
    ${reply} =    Send Raw Bytes    ${bytes}    server=${server}
    Assert Error Code    ${reply}    ${code}

Id Should Be Sent And Refused
    [Documentation]    Template: a request with this id, as JSON, is sent with it and refused over both transports.
    [Arguments]    ${id}
    FOR    ${server}    IN    http    stdio
        ${reply} =    Send Raw Request    tools/list    id=${id}    server=${server}
        Assert Error Code    ${reply}    invalid request
        Should Be Equal    ${reply.sent.id}    ${{ json.loads($id) }}
    END
