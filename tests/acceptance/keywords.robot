*** Settings ***
Documentation    The keywords against the sample server, over the transport that `${OVER}` names: stdio (a process), http (served on
...              loopback) or memory; in the era that `${ERA}` names.

Library          McpLibrary    timeout=20 s

Test Setup       Connect


*** Variables ***
${OVER}          memory
${ERA}           modern


*** Test Cases ***
Server Introduces Itself
    ${info} =    Get Server Info
    Should Be Equal    ${info.name}    orders-shop
    ${capabilities} =    Get Server Capabilities
    Should Contain    ${capabilities}    tools
    ${instructions} =    Get Server Instructions
    Should Not Be Empty    ${instructions}
    Negotiated Revision Should Be    ${ERA}

Lists Are Walked Through All Pages
    ${tools} =    List Tools
    Should Be True    len($tools) > 20
    VAR    ${names} =    ${{ [t['name'] for t in $tools] }}
    Should Be Equal    ${{ len($names) }}    ${{ len(set($names)) }}
    ${resources} =    List Resources
    Should Be True    len($resources) > 2
    ${templates} =    List Resource Templates
    Should Be True    len($templates) > 1
    ${prompts} =    List Prompts
    Should Be True    len($prompts) > 2

Named Values Become What The Schema Asks For
    ${reply} =    Call Tool    book_order    name=Ada    item=tea    qty=2    express=true    timeout=noon    expect=a bell    server=Bo
    Should Be Equal    ${reply.sent.params.arguments.qty}    ${2}
    Should Be Equal    ${reply.sent.params.arguments.express}    ${True}
    Should Be Equal    ${reply.sent.params.arguments.timeout}    noon
    Should Be Equal    ${reply.is_error}    ${False}

Arguments Are Sent Untouched
    ${reply} =    Call Tool    price_of    arguments={"item": "tea", "qty": 3}
    Should Be Equal    ${reply.text}    3 x tea = 7.50 EUR
    ${reply} =    Call Tool    price_of    arguments={"item": "tea", "qty": "3"}    expect=TOOL_ERROR
    Should Be Equal    ${reply.sent.params.arguments.qty}    3

Both Error Channels Are Told Apart
    ${reply} =    Call Tool    get_order    number=999999    expect=ANY
    Call Should Be Tool Error    ${reply}    text=*999999*
    Run Keyword And Expect Error    Expected a protocol error*    Call Should Be Protocol Error    ${reply}
    ${reply} =    Call Tool    no_such_tool    expect=ANY
    Assert Error Code    ${reply}    -32602
    Assert Error Code    ${reply}    invalid params
    Run Keyword And Expect Error    Error code should be -32601 (method not found), but was -32602 (invalid params).*
    ...    Assert Error Code    ${reply}    method not found
    Run Keyword And Expect Error    Expected a tool error*    Call Should Be Tool Error    ${reply}

Resources Prompts And Completion Are Asked
    ${reply} =    Read Resource    shop://menu
    Should Contain    ${reply.result.contents}[0][text]    tea
    Read Resource    shop://nothing-here    expect=PROTOCOL_ERROR
    ${reply} =    Get Prompt    order_letter    arguments={"customer": "Ada"}
    Should Contain    ${reply.raw}    Ada
    ${reply} =    Complete Argument    order_letter    tone    f
    Should Be Equal    ${reply.result.completion['values']}    ${{ ['formal', 'friendly', 'funny'] }}

Text Comes Back Unchanged
    VAR    ${text} =    ${{ 'ünïcödé 世界 ☃ \u2028 "quoted" \\ back\nnew\ttab ' + 'x' * 100000 }}
    ${reply} =    Call Tool    echo    text=${text}
    Should Be Equal    ${reply.text}    ${text}

Megabyte Comes Back Whole
    VAR    ${text} =    ${{ 'm' * 1024 * 1024 }}
    ${reply} =    Call Tool    echo    text=${text}
    Length Should Be    ${reply.text}    ${{ 1024 * 1024 }}

Questions Are Answered From The Script
    [Setup]    No Operation
    Answer Elicitation    ACCEPT    {"qty": 2}
    Answer Sampling    Tea for two
    Answer Roots    file:///shop
    Connect
    ${reply} =    Call Tool    gift_order    item=tea
    Should Be Equal    ${reply.text}    Wrapped 2 x tea for 5.00 EUR
    ${reply} =    Call Tool    suggest_slogan    item=tea
    Should Contain    ${reply.text}    Tea for two
    ${reply} =    Call Tool    count_folders
    Should Contain    ${reply.text}    file:///shop
    ${asked} =    Get Server Requests
    Should Be Equal    ${asked}[-1][method]    roots/list

Progress Rises And Stops
    ${reply} =    Call Tool    brew_slowly    seconds=0.3    progress_token=brew
    ${progress} =    Progress Should Increase    ${reply}
    Length Should Be    ${progress}    5

Started Call Is Waited For Or Cancelled
    ${call} =    Start Call    tools/call    {"name": "brew_slowly", "arguments": {"seconds": 30}}
    Cancel Request    ${call}    not thirsty
    ${reply} =    Call Tool    price_of    arguments={"item": "tea"}
    Should Contain    ${reply.text}    tea

Transcript Is Complete And Can Be Saved
    Call Tool    price_of    arguments={"item": "tea"}
    ${transcript} =    Get Transcript
    VAR    ${methods} =    ${{ [e['message'].get('method') for e in $transcript if e['direction'] == 'sent'] }}
    Should Contain    ${methods}    tools/call
    ${path} =    Save Transcript    ${OUTPUT_DIR}/transcript.jsonl
    ${lines} =    Evaluate    open($path, encoding='utf-8').read().splitlines()
    Length Should Be    ${lines}    ${{ len($transcript) }}
    ${last} =    Get Exchange    -1
    Should Be Equal    ${last.text}    1 x tea = 2.50 EUR


*** Keywords ***
Connect
    IF    '${OVER}' == 'stdio'
        Connect To Server    ${{ [sys.executable, '-m', 'McpLibrary.demo'] }}    protocol=${ERA}
    ELSE
        Connect To Server    McpLibrary.demo.server:build_server    over=${OVER}    protocol=${ERA}
    END
