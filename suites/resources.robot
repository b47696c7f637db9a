*** Settings ***
Documentation    Resources: what a server publishes about them, what reading gives, and what happens to URIs that lead nowhere or astray, in the
...              newest era that is judged.
...
...              Reading is safe, so the listed resources are read: at most 20, and none that says it has more than 5 MB. Roles of the profile add
...              what cannot be seen from outside, such as which text a resource holds.

Resource         ../resources/server.resource

Suite Setup      Open Server Under Test

Test Tags        resources


*** Test Cases ***
Resources Are Declared And Listed
    [Documentation]    A server that has resources declares the capability, and one that declares it answers `resources/list` with an array, which may
    ...    be empty.
    [Metadata]    Rule    RES-01
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#capabilities
    [Tags]    legacy    modern    MUST    RES-01
    Use Server Under Test
    Listed Items Should Be Declared    resources/list

Resource List Is The Same On Every Connection
    [Documentation]    In the modern era a server remembers no connection: two clients with the same authorization see the same resources.
    [Metadata]    Rule    RES-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#capabilities
    [Tags]    modern    MUST    RES-02
    Use Server Under Test    modern
    Require Capability    resources
    ${here} =    List Resources
    Connect To Server Under Test    modern    handshake=True
    ${there} =    List Resources
    Lists Should Be The Same    resources/list    ${here}    ${there}

Requests Leave The Resource List As It Was
    [Documentation]    The list does not change as a side effect of requests: reads resources, gets prompts and calls the tools that may be called. A
    ...    tool that is meant to change lists is the role mutating_tool, which is not called here (X-26).
    [Metadata]    Rule    RES-02
    [Metadata]    Level    MUST NOT
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#capabilities
    [Tags]    modern    MUST    RES-02
    Use Server Under Test    modern
    Require Capability    resources
    ${before} =    List Resources
    Make Permitted Requests
    ${after} =    List Resources
    Lists Should Be The Same    resources/list    ${before}    ${after}

Resource Definitions Are Valid
    [Documentation]    Each resource has a `uri` and a `name`; what else it says of itself has the type of the schema: texts, a MIME type, the `size`
    ...    an integer of bytes, annotations.
    [Metadata]    Rule    RES-03
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource
    [Tags]    legacy    modern    MUST    RES-03
    ${pages} =    Pages Of    resources/list
    Definitions Should Be Valid    resources    @{pages}

Resource URIs Follow RFC 3986
    [Documentation]    Own schemes are welcome, but a URI has a scheme, and spaces, umlauts and the like only as %-escapes: clients that parse it fail
    ...    otherwise.
    [Metadata]    Rule    RES-03, RES-18
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#custom-uri-schemes
    [Tags]    legacy    modern    MUST    RES-03    RES-18
    ${pages} =    Pages Of    resources/list
    Definitions Should Be Valid    resource URIs    @{pages}

Resource Templates Are Valid
    [Documentation]    Each template has a `name` and a `uriTemplate` by the grammar of RFC 6570, from which clients make URIs.
    [Metadata]    Rule    RES-11
    [Metadata]    Level    MUST (schema)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
    [Tags]    legacy    modern    MUST    RES-11
    ${pages} =    Pages Of    resources/templates/list
    Definitions Should Be Valid    resource templates    @{pages}

Listed Resources Can Be Read
    [Documentation]    What is listed is there: reading it gives no error, and contents that are not empty.
    [Metadata]    Rule    RES-20
    [Metadata]    Level    advice (derived)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#reading-resources
    [Tags]    legacy    modern    advice    RES-20
    ${replies} =    Contents Of Listed Resources
    Resources Should Be Readable    @{replies}

Contents Are Text Or Base64
    [Documentation]    Reading gives an array `contents`; each item has the `uri` it came from, and its `text`, or in `blob` Base64 in the standard
    ...    alphabet.
    [Metadata]    Rule    RES-04, RES-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-contents
    [Tags]    legacy    modern    MUST    RES-04    RES-05
    ${replies} =    Contents Of Listed Resources
    Resource Contents Should Be Valid    items    @{replies}

Binary Contents Are What Their Type Says
    [Documentation]    The bytes begin as files of the MIME type do, where that can be told.
    [Metadata]    Rule    RES-05
    [Metadata]    Level    MUST (derived)
    [Metadata]    Verdict    WARN: the specification names a type and does not say that the bytes are of it
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#binary-content
    [Tags]    legacy    modern    MUST    RES-05
    ${replies} =    Contents Of Listed Resources
    Resource Contents Should Be Valid    bytes    @{replies}

Text Resource Holds Its Text
    [Documentation]    What is read is what was asked for. Role: text_resource, with its `mimeType` and `text_contains`.
    [Metadata]    Rule    RES-04
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#text-content
    [Tags]    legacy    modern    MUST    RES-04
    Use Server Under Test
    ${role} =    Require Role    text_resource
    ${reply} =    Read Resource    ${role.uri}
    Resource Should Play Its Role    ${reply}    ${role}    text

Binary Resource Is A Blob
    [Documentation]    What is not text comes in `blob`; bytes that were pressed into `text` are lost. Role: binary_resource, with its `mimeType`.
    [Metadata]    Rule    RES-05
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#binary-content
    [Tags]    legacy    modern    MUST    RES-05
    Use Server Under Test
    ${role} =    Require Role    binary_resource
    ${reply} =    Read Resource    ${role.uri}
    Resource Should Play Its Role    ${reply}    ${role}    blob

Template Reflects Its Values
    [Documentation]    A URI made from a template can be read, and what comes back is about the values in it. Role: resource_template, with a `uri` made
    ...    from its `uriTemplate` and the `text` there.
    [Metadata]    Rule    RES-12
    [Metadata]    Level    MUST (official suite)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
    [Tags]    legacy    modern    MUST    RES-12
    Use Server Under Test
    ${role} =    Require Role    resource_template
    ${reply} =    Read Resource    ${role.uri}
    Resource Should Play Its Role    ${reply}    ${role}    text

Missing Resource Is An Error
    [Documentation]    Reading what does not exist is an error, never a result with empty contents. Role: missing_resource_uri, for a second one of a
    ...    scheme that the server serves.
    [Metadata]    Rule    RES-06, RES-07, RES-08
    [Metadata]    Level    MUST
    [Metadata]    Verdict    FAIL: a client takes a result for the resource
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
    [Tags]    legacy    modern    MUST    RES-06    RES-07    RES-08
    ${replies} =    Reads Of Missing Resources
    FOR    ${reply}    IN    @{replies}
        Call Should Be Protocol Error    ${reply}
    END

Missing Resource Is Invalid Params
    [Documentation]    The code is -32602 since 2026-07-28, which retired -32002.
    [Metadata]    Rule    RES-06, RPC-22
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2026-07-28
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
    [Tags]    modern    MUST    RES-06    RPC-22
    Use Server Under Test    modern
    ${replies} =    Reads Of Missing Resources
    FOR    ${reply}    IN    @{replies}
        Missing Resource Should Have The Code Of The Revision    ${reply}
    END

Missing Resource Has A Code Of Its Own
    [Documentation]    The code is -32002 in the legacy era; SDKs that serve both eras often send the -32602 of the modern one. (X-13)
    [Metadata]    Rule    RES-07
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    legacy
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling
    [Tags]    legacy    SHOULD    RES-07
    Use Server Under Test    legacy
    ${replies} =    Reads Of Missing Resources
    FOR    ${reply}    IN    @{replies}
        Missing Resource Should Have The Code Of The Revision    ${reply}
    END

Error About A Missing Resource Names It
    [Documentation]    The error carries the URI in `data.uri`, so that a client that reads many knows which one is missing.
    [Metadata]    Rule    RES-09
    [Metadata]    Level    SHOULD (official suite)
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
    [Tags]    legacy    modern    SHOULD    RES-09
    ${replies} =    Reads Of Missing Resources
    FOR    ${reply}    IN    @{replies}
        Error Should Name The Resource    ${reply}
    END

Crash In A Resource Is An Internal Error
    [Documentation]    An exception while a resource is read is -32603 with a neutral message. Role: crashing_resource, with `secret` for a text that
    ...    must stay inside.
    [Metadata]    Rule    RES-10
    [Metadata]    Level    SHOULD
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
    [Tags]    legacy    modern    SHOULD    RES-10
    Use Server Under Test
    ${resource} =    Require Role    crashing_resource
    ${reply} =    Read Resource    ${resource.uri}    expect=ANY
    Assert Error Code    ${reply}    internal error
    Answer Should Leak No Internals    ${reply}    also=${{ [$resource.get('secret') or ''] }}

URIs Lead Nowhere Else
    [Documentation]    A value such as `../../etc/passwd`, in many spellings, in a template or behind a folder, gives no file of the machine. A server may
    ...    take it for a harmless name; it may not follow it.
    [Metadata]    Rule    RES-13
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations
    [Tags]    legacy    modern    MUST    RES-13
    Use Server Under Test
    Require Capability    resources
    Traversal Should Be Refused
    Server Should Still Answer

URIs Are Validated
    [Documentation]    What is no URI is refused before anything is read.
    [Metadata]    Rule    RES-14
    [Metadata]    Level    MUST
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations
    [Tags]    legacy    modern    MUST    RES-14
    [Setup]    Use Server With Resources
    [Template]    Read Should Be Refused
    {"uri": "not a uri"}
    {"uri": ""}
    {"uri": 5}
    {}

Refused URIs Have A Code For It
    [Documentation]    The code is -32602, or that of a missing resource in the revision. SDKs in wide use let the exception of their parser through as
    ...    -32603, so this warns.
    [Metadata]    Rule    RES-14
    [Metadata]    Level    MUST
    [Metadata]    Verdict    WARN: an official SDK breaks it
    [Metadata]    Revisions    all
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2026-07-28/server/resources#security-considerations
    [Tags]    legacy    modern    MUST    RES-14
    Use Server With Resources
    FOR    ${params}    IN    {"uri": "not a uri"}    {"uri": ""}
        ${reply} =    Send Raw Request    resources/read    ${params}
        Invalid URI Should Have A Code For It    ${reply}
    END

Resources Can Be Subscribed To
    [Documentation]    With `resources.subscribe` a client may subscribe to a resource and end that again. That the methods do not exist without it is
    ...    judged with the other capabilities.
    [Metadata]    Rule    RES-15
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
    [Tags]    legacy    MUST    RES-15
    Use Server Under Test    legacy
    Require Capability    resources.subscribe
    ${replies} =    Read Listed Resources
    Subscribing Should Work    ${replies[0].sent.params.uri}

Updates Come While A Resource Is Subscribed To
    [Documentation]    A change of a resource is announced with its URI to those who subscribed to it, and to nobody else: neither before, nor after
    ...    the subscription ended. Role: mutating_tool, with the URI of what it `updates`.
    [Metadata]    Rule    RES-15
    [Metadata]    Level    MUST
    [Metadata]    Revisions    2025-03-26, 2025-06-18, 2025-11-25
    [Metadata]    Specification    https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
    [Tags]    legacy    MUST    RES-15
    Use Server Under Test    legacy
    Require Capability    resources.subscribe
    ${tool} =    Require Role    mutating_tool    updates
    Connect To Server Under Test    legacy    handshake=True
    Change Should Not Be Announced    ${tool}    without a subscription    before=${0}
    Subscribe To Resource    ${tool.updates}
    Make A Change    ${tool}
    ${update} =    Wait For Notification    resources/updated
    Should Be Equal
    ...    ${update.params.uri}
    ...    ${tool.updates}
    ...    The update should name the resource that was subscribed to.
    Unsubscribe From Resource    ${tool.updates}
    ${updates} =    Get Notifications    resources/updated
    Change Should Not Be Announced    ${tool}    after the subscription ended    before=${{ len($updates) }}
    [Teardown]    Undo Changes


*** Keywords ***
Change Should Not Be Announced
    [Documentation]    Makes a change; there are no more updates than before by the time another request was answered.
    [Arguments]    ${tool}    ${when}    ${before}
    Make A Change    ${tool}
    Server Should Still Answer
    ${updates} =    Get Notifications    resources/updated
    Length Should Be    ${updates}    ${before}    No update should come ${when}, but there was: ${updates}

Use Server With Resources
    [Documentation]    The shared connection; skips when the server does not declare resources.
    Use Server Under Test
    Require Capability    resources

Pages Of
    [Documentation]    All pages of a list.
    [Arguments]    ${method}
    Use Server With Resources
    ${pages} =    Read Pages    ${method}
    RETURN    ${pages}

Contents Of Listed Resources
    [Documentation]    The replies of the resources that may be read.
    Use Server With Resources
    ${replies} =    Read Listed Resources
    RETURN    ${replies}

Reads Of Missing Resources
    [Documentation]    The replies to reading what is not there.
    Use Server With Resources
    ${uris} =    Get Missing Resource Uris
    VAR    @{replies} =    @{EMPTY}
    FOR    ${uri}    IN    @{uris}
        ${reply} =    Read Resource    ${uri}    expect=ANY
        VAR    @{replies} =    @{replies}    ${reply}
    END
    RETURN    ${replies}

Read Should Be Refused
    [Documentation]    Template: a read with these params is answered by a JSON-RPC error.
    [Arguments]    ${params}
    ${reply} =    Send Raw Request    resources/read    ${params}
    Call Should Be Protocol Error    ${reply}

Error Should Name The Resource
    [Documentation]    The error has the URI of the request in its data.
    [Arguments]    ${reply}
    Call Should Be Protocol Error    ${reply}
    Assert Error Code    ${reply}    ${reply.error.code}    data=${{ {'uri': $reply.sent.params.uri} }}
