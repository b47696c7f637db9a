*** Settings ***
Documentation    Tasks: calls whose result is fetched later. 2025-11-25 has them in its core, as an experiment that the client asks for;
...              since 2026-07-28 they are the extension `io.modelcontextprotocol/tasks`, where the server decides. Both need the role
...              `task_tool`; servers without tasks are only asked to leave the members of tasks alone.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        tasks


*** Variables ***
${EXTENSION}       io.modelcontextprotocol/tasks
${UNKNOWN_TASK}    mcplibrary-00000000-no-such-task


*** Test Cases ***
Task Parameter Is Ignored Without Task Support
    [Documentation]    A server that offers no tasks runs a call with a `task` member as if it were not there; a client of 2025-11-25 may send it. A whole
    ...    generation of the official TypeScript SDK refuses it with -32603, so this warns. Calls the safe tool.
    [Metadata]    Rule    TASK-L01
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: an official SDK refuses such calls
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-support-and-handling
    [Tags]    legacy    MUST    TASK-L01
    Use Server Under Test    legacy
    ${tool} =    Require Safe Tool
    Skip When Core Tasks Are Offered
    Task Parameter Should Be Ignored    ${tool}

Task Parameter Is Ignored In The Modern Era
    [Documentation]    The `task` member of 2025-11-25 means nothing any more, also on a server with the extension. Calls the safe tool.
    [Metadata]    Rule    TASK-X11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X11
    Use Server Under Test    modern
    ${tool} =    Require Safe Tool
    Task Parameter Should Be Ignored    ${tool}

Task Methods Of The Core Do Not Exist In The Modern Era
    [Documentation]    `tasks/result` and `tasks/list` were methods of 2025-11-25; the extension has neither, since a list shows one caller the
    ...    tasks of another.
    [Metadata]    Rule    TASK-X11
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X11
    [Setup]    Use Server Under Test    modern
    [Template]    Method Should Not Exist
    tasks/result    {"taskId": "${UNKNOWN_TASK}"}
    tasks/list    {}

Created Task Is Complete
    [Documentation]    The answer that creates a task names its id, its status, when it was made, and how long it is kept; in the modern era it says
    ...    `resultType: task`. Role: task_tool.
    [Metadata]    Rule    TASK-L02, TASK-X03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#creating-tasks
    [Tags]    legacy    modern    MUST    TASK-L02    TASK-X03
    Use Server Under Test
    ${reply} =    Start Task
    Task Should Be Created    ${reply}

New Task Can Be Asked For At Once
    [Documentation]    A task id that was given out is good: `tasks/get` knows it without delay. Role: task_tool.
    [Metadata]    Rule    TASK-X04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X04
    Use Server Under Test    modern
    ${reply} =    Start Task
    ${state} =    Get Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${state}

Task Comes To An End And Stays There
    [Documentation]    The status moves from working, perhaps over input_required, to a final one, and never away from that. What `tasks/get` carries
    ...    fits the status. Role: task_tool.
    [Metadata]    Rule    TASK-L04, TASK-X05, TASK-X03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-status-lifecycle
    [Tags]    legacy    modern    MUST    TASK-L04    TASK-X05    TASK-X03
    Use Server Under Test
    ${reply} =    Start Task
    ${first} =    Get Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${first}
    ${end} =    Wait For Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${end}
    ${later} =    Get Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${later}
    Task Statuses Should Be Legal
    ...    ${later}
    ...    ${reply.task.status}
    ...    ${first.task.status}
    ...    @{end.statuses}
    ...    ${later.task.status}

Result Of A Task Is The Result Of Its Call
    [Documentation]    `tasks/result` waits for the end of the task and gives exactly what the call would have given, as often as it is asked, and
    ...    says in `_meta` which task it belongs to. Role: task_tool.
    [Metadata]    Rule    TASK-L05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#result-retrieval
    [Tags]    legacy    MUST    TASK-L05
    Use Server Under Test    legacy
    ${reply} =    Start Task
    ${early} =    Get Task Result    ${reply.task.taskId}    timeout=30 s
    Call Should Succeed    ${early}
    Result Should Name Its Task    ${early}    ${reply.task.taskId}
    ${state} =    Get Task    ${reply.task.taskId}
    Task Status Should Be    ${state}    completed
    ${late} =    Get Task Result    ${reply.task.taskId}
    Should Be Equal    ${late.result}    ${early.result}

Unknown Task Is Invalid Params
    [Documentation]    `tasks/get` for an id that was never given out is answered by -32602.
    [Metadata]    Rule    TASK-L06, TASK-X07
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25, 2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#error-handling
    [Tags]    legacy    modern    MUST    TASK-L06    TASK-X07
    Use Server Under Test
    Require Tasks
    ${reply} =    Get Task    ${UNKNOWN_TASK}
    Assert Error Code    ${reply}    invalid params

Unknown Task Cannot Be Cancelled Or Fetched
    [Documentation]    `tasks/cancel` and `tasks/result` for an id that was never given out are answered by -32602 as well.
    [Metadata]    Rule    TASK-L06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#error-handling
    [Tags]    legacy    MUST    TASK-L06
    Use Server Under Test    legacy
    Require Tasks
    ${reply} =    Cancel Task    ${UNKNOWN_TASK}
    Assert Error Code    ${reply}    invalid params
    ${reply} =    Get Task Result    ${UNKNOWN_TASK}
    Assert Error Code    ${reply}    invalid params

Unknown Task Cannot Be Cancelled Or Updated
    [Documentation]    `tasks/cancel` and `tasks/update` for an id that was never given out are answered by -32602 as well.
    [Metadata]    Rule    TASK-X07
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a SHOULD for these two methods
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X07
    Use Server Under Test    modern
    Require Tasks
    ${reply} =    Cancel Task    ${UNKNOWN_TASK}
    Assert Error Code    ${reply}    invalid params
    ${reply} =    Update Task    ${UNKNOWN_TASK}
    Assert Error Code    ${reply}    invalid params

Ended Task Cannot Be Cancelled
    [Documentation]    Cancelling what has ended is -32602 on 2025-11-25. Role: task_tool.
    [Metadata]    Rule    TASK-L06
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#error-handling
    [Tags]    legacy    MUST    TASK-L06
    Use Server Under Test    legacy
    ${reply} =    Start Task
    Require Capability    tasks.cancel
    Wait For Task    ${reply.task.taskId}
    ${refused} =    Cancel Task    ${reply.task.taskId}
    Assert Error Code    ${refused}    invalid params

Bogus Cursor Of The Task List Is Refused
    [Documentation]    `tasks/list` with a cursor that it never gave is -32602.
    [Metadata]    Rule    TASK-L06
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: cursors of all other lists are a SHOULD, and SDKs ignore them
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#error-handling
    [Tags]    legacy    MUST    TASK-L06
    Use Server Under Test    legacy
    Require Tasks
    Require Capability    tasks.list
    ${reply} =    Send Raw Request    tasks/list    {"cursor": "mcplibrary-no-such-cursor"}
    Assert Error Code    ${reply}    invalid params

Cancelled Task Stays Cancelled
    [Documentation]    `tasks/cancel` answers with the task as cancelled, and so it stays, even when its work goes on. Role: task_tool.
    [Metadata]    Rule    TASK-L08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#task-cancellation
    [Tags]    legacy    MUST    TASK-L08
    Use Server Under Test    legacy
    ${reply} =    Start Task
    Require Capability    tasks.cancel
    ${cancelled} =    Cancel Task    ${reply.task.taskId}
    Skip If    $cancelled.error is not None    Not judged: the task had ended before it could be cancelled.
    ${state} =    Get Task    ${reply.task.taskId}
    Task Statuses Should Be Legal    ${state}    cancelled    ${cancelled.task.status}    ${state.task.status}

Task Only Tool Refuses A Plain Call
    [Documentation]    A tool whose `taskSupport` is `required` answers a call without `task` by -32601. Role: task_only_tool.
    [Metadata]    Rule    TASK-L03
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation
    [Tags]    legacy    MUST    TASK-L03
    Use Server Under Test    legacy
    Require Tasks
    ${tool} =    Require Role    task_only_tool
    ${reply} =    Call Role    ${tool}
    Assert Error Code    ${reply}    method not found

Plain Tool Refuses A Task Call
    [Documentation]    On a server with tasks, a tool whose `taskSupport` is `forbidden` or absent answers a call with `task` by -32601. Calls the safe
    ...    tool.
    [Metadata]    Rule    TASK-L03
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: a SHOULD for tools that cannot be tasks
    [Metadata]    Revisions    2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation
    [Tags]    legacy    MUST    TASK-L03
    Use Server Under Test    legacy
    Require Tasks
    ${safe} =    Require Safe Tool
    ${tool} =    Get Tool    ${safe.name}
    Skip If    ($tool.get('execution') or {}).get('taskSupport', 'forbidden') != 'forbidden'
    ...    Not applicable: the safe tool ${safe.name} can be a task.
    ${reply} =    Call Tool As Task    ${safe.name}    ${safe.arguments}
    Assert Error Code    ${reply}    method not found

Nobody Gets A Task Unasked
    [Documentation]    A client that does not declare the extension on the very request gets an ordinary result, or -32021 that names the extension.
    ...    Another request's declaration does not count. Role: task_tool.
    [Metadata]    Rule    TASK-X01, TASK-X02, EXT-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X01    TASK-X02    EXT-02
    Use Server Under Test    modern
    Start Task
    ${tool} =    Require Role    task_tool
    ${plain} =    Call Role    ${tool}
    IF    $plain.error is not None
        Extension Should Be Demanded    ${plain}    ${EXTENSION}
    ELSE
        Task Should Not Be Created    ${plain}
    END

Task Methods Need The Declared Extension
    [Documentation]    `tasks/get`, `tasks/update` and `tasks/cancel` of a client that does not declare the extension are answered by -32021 that names
    ...    it.
    [Metadata]    Rule    TASK-X08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X08
    [Setup]    Run Keywords    Use Server Under Test    modern    AND    Require Tasks
    [Template]    Undeclared Extension Should Be Demanded
    tasks/get    {"taskId": "${UNKNOWN_TASK}"}
    tasks/update    {"taskId": "${UNKNOWN_TASK}", "inputResponses": {}}
    tasks/cancel    {"taskId": "${UNKNOWN_TASK}"}

Listening For Tasks Needs The Declared Extension
    [Documentation]    A listen stream that asks for task ids is refused with the same error; an acknowledgement would promise what never comes.
    [Metadata]    Rule    TASK-X08
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X08
    Use Server Under Test    modern
    Require Tasks
    # A server that does not refuse opens a stream, which has no end.
    ${reply} =    Send Raw Request
    ...    subscriptions/listen
    ...    {"notifications": {"taskIds": ["${UNKNOWN_TASK}"]}}
    ...    timeout=2 s
    Extension Should Be Demanded    ${reply}    ${EXTENSION}

Task Streams Carry Only Tasks
    [Documentation]    Who listens for a task hears of that task: `notifications/tasks`, no progress and no log messages. That a server pushes anything at all
    ...    is its choice. Role: task_tool.
    [Metadata]    Rule    TASK-X13
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X13
    Use Server Under Test    modern
    Require Tasks
    Connect To Server Under Test
    ...    modern
    ...    handshake=True
    ...    client_capabilities={"extensions": {"${EXTENSION}": {}}}
    ${reply} =    Start Task
    ${subscription} =    Listen For Changes    {"taskIds": ["${reply.task.taskId}"]}
    Wait For Task    ${reply.task.taskId}
    Server Should Still Answer
    Task Stream Should Carry Only Tasks    ${subscription}

Tool Error Completes A Task
    [Documentation]    `failed` is for JSON-RPC errors; a tool that fails for its own reason completes, with `isError` in the result. Role:
    ...    failing_task_tool.
    [Metadata]    Rule    TASK-X06
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X06
    Use Server Under Test    modern
    ${reply} =    Start Task    failing_task_tool
    ${end} =    Wait For Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${end}
    Task Status Should Be    ${end}    completed
    Should Be Equal
    ...    ${end.task.result.get('isError')}
    ...    ${True}
    ...    The role failing_task_tool did not fail: ${end.task.result}.
    ...    values=False

Questions Of A Task Are Asked Once
    [Documentation]    A task that waits for input lists its open questions under keys that it never uses again. An answer to an unknown key is ignored,
    ...    the right one is acknowledged and lets the task go on. Role: asking_task_tool, with `answer`.
    [Metadata]    Rule    TASK-X09, TASK-X10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X09    TASK-X10
    Use Server Under Test    modern
    ${tool} =    Require Role    asking_task_tool
    ${reply} =    Start Task    asking_task_tool
    ${asked} =    Wait For Task    ${reply.task.taskId}    until=input_required
    Task State Should Be Well Formed    ${asked}
    ${ignored} =    Update Task    ${reply.task.taskId}    {"mcplibrary-no-such-key": {"action": "cancel"}}
    Task Request Should Be Acknowledged    ${ignored}
    ${still} =    Get Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${still}
    VAR    ${keys} =    ${{ list($asked.task.inputRequests) }}
    Should Be Equal    ${{ list($still.task.inputRequests) }}    ${keys}
    ...    An answer to an unknown question changed what the task asks.
    ${end} =    Answer Task Until It Ends    ${reply.task.taskId}    ${tool.answer}
    Task State Should Be Well Formed    ${end}
    Task Status Should Be    ${end}    completed

Cancelling A Task Is Acknowledged
    [Documentation]    `tasks/cancel` is answered by an empty, complete result; whether and when the work stops is the server's affair, so a later
    ...    status only has to be legal. Role: task_tool.
    [Metadata]    Rule    TASK-X10
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X10
    Use Server Under Test    modern
    ${reply} =    Start Task
    ${cancelled} =    Cancel Task    ${reply.task.taskId}
    Task Request Should Be Acknowledged    ${cancelled}
    ${state} =    Get Task    ${reply.task.taskId}
    Task State Should Be Well Formed    ${state}

Name Header Of Task Methods Must Fit The Body
    [Documentation]    `Mcp-Name` of the task methods is the task id, by which proxies find the instance that has the task. The text binds clients; that a
    ...    server compares it is what the official suite asks, so this warns.
    [Metadata]    Rule    TASK-X12
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: asked by the official suite, the extension's text binds clients
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    http    MUST    TASK-X12
    Use Modern Server Over Http
    Require Tasks
    VAR    ${declared} =    ${{ {"io.modelcontextprotocol/clientCapabilities": {"extensions": {$EXTENSION: {}}}} }}
    VAR    &{params} =    taskId=${UNKNOWN_TASK}    _meta=${declared}
    Header Mismatch Should Be Refused    {"Mcp-Name": "another"}    method=tasks/get    params=${params}

Task Ids Cannot Be Guessed
    [Documentation]    Who has the id may have the task: ids hold enough randomness. Role: task_tool.
    [Metadata]    Rule    TASK-X14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/extensions/tasks/overview
    [Tags]    modern    MUST    TASK-X14
    Use Server Under Test    modern
    ${one} =    Start Task
    ${two} =    Start Task
    ${three} =    Start Task
    Task Ids Should Be Unguessable    ${three}    ${one.task.taskId}    ${two.task.taskId}    ${three.task.taskId}


*** Keywords ***
Start Task
    [Documentation]    Calls the tool of the role as a task; skips when the server made none of it, which is its right in the modern era.
    [Arguments]    ${role}=task_tool
    Require Tasks
    ${tool} =    Require Role    ${role}
    ${reply} =    Call Tool As Task    ${tool.name}    ${tool.arguments}
    IF    $reply.task is None and $reply.result is not None and $reply.result.get('resultType') == 'complete'
        Skip    Not applicable: the server chose not to make a task of ${tool.name}.
    END
    Call Should Succeed    ${reply}
    RETURN    ${reply}

Task Parameter Should Be Ignored
    [Documentation]    A call with a `task` member gives an ordinary result.
    [Arguments]    ${tool}
    VAR    &{params} =    name=${tool.name}    arguments=${tool.arguments}    task=${{ {"ttl": 60000} }}
    List Tools
    ${reply} =    Send Raw Request    tools/call    ${params}
    Call Should Succeed    ${reply}
    Task Should Not Be Created    ${reply}

Skip When Core Tasks Are Offered
    [Documentation]    Skips on a server of 2025-11-25 that offers tasks: there `task` means something.
    ${capabilities} =    Get Server Capabilities
    Skip If    'tasks' in $capabilities    Not applicable: the server offers tasks.

Method Should Not Exist
    [Documentation]    Template: this method is answered by -32601.
    [Arguments]    ${method}    ${params}
    ${reply} =    Send Raw Request    ${method}    ${params}
    Assert Error Code    ${reply}    method not found

Undeclared Extension Should Be Demanded
    [Documentation]    Template: a request of a client that does not declare the extension is answered by -32021 that names it.
    [Arguments]    ${method}    ${params}
    ${reply} =    Send Raw Request    ${method}    ${params}
    Extension Should Be Demanded    ${reply}    ${EXTENSION}
