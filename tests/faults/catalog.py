"""The registry of faults: for each its name, the rules it breaks, where it shows, one sentence about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One way in which the scripted server can be wrong; its rules are those of rules.md, or `DEFECT`."""

    name: str
    rules: tuple[str, ...]
    eras: str
    """``legacy``, ``modern``, ``both``, or ``legacy only`` and ``modern only`` for a server that speaks no other."""
    transports: tuple[str, ...]
    sentence: str


# A heading gives the eras and the transports in which the faults below it show.
_TABLE = """
# both | stdio http
id-as-string | RPC-01 | A number id comes back as a string in every answer.
falsy-id-taken-for-none | RPC-01 | Requests whose id is 0 or an empty text are taken for notifications.
text-id-refused | RPC-07 | Requests whose id is a text give -32600.
wrong-id | RPC-01 | Every answer carries an id that nobody asked with.
result-and-error | RPC-02 | Every successful answer has an `error` beside its `result`.
neither-result-nor-error | RPC-02 | Successful answers to lists have neither `result` nor `error`.
error-code-as-string | RPC-03 | The `code` of every error is a string.
error-without-message | RPC-03 | Errors have no `message`.
jsonrpc-missing | RPC-04 | Answers have no `jsonrpc` member.
null-id-executed | RPC-05 | A request whose id is null is executed and answered.
odd-id-executed | RPC-06 | Requests with fractional, boolean, object or array ids are executed.
parse-error-wrong-code | RPC-08 | Text that is not JSON gives -32600.
invalid-request-wrong-code | RPC-09 | Messages that are no requests give -32602.
dies-on-garbage | RPC-08,STDIO-07 | Text that is not JSON ends the process.
deaf-after-garbage | RPC-08 | After text that is not JSON nothing is ever answered again.
garbage-answered-with-id-zero | RPC-08,RPC-10 | The parse error carries the id 0.
invalid-request-executed | RPC-09 | Requests without `jsonrpc` 2.0 or with array params are executed.
error-with-null-id | RPC-10 | Errors to unreadable messages carry `id: null`.
batch-executed | RPC-11 | Batches are executed in revisions that have no batches.
answers-notification | RPC-14 | notifications/cancelled gets a result with a null id.
unknown-notification-ends-connection | RPC-16 | An unknown notification ends the connection.
unknown-method-gives-result | RPC-17 | An unknown method gives an empty result.
unknown-method-wrong-code | RPC-17 | An unknown method gives -32603.
serves-undeclared-prompts | HS-12,DISC-08,RPC-18,PROMPT-01 | Prompts are served although not declared.
malformed-cursor-accepted | RPC-19,PAGE-06 | A cursor that is a number is ignored and a page is returned.
malformed-params-wrong-code | RPC-19 | Structurally wrong params give -32603.
crash-code-zero | RPC-20 | A failure outside a tool gives code 0 with the exception's text.
crash-shows-stack-trace | RPC-20 | A failure outside a tool sends its stack trace as the message.
invalid-utf8-accepted | RPC-25 | Broken UTF-8 in a request is replaced and the request executed.
prompts-declared-but-missing | HS-11,DISC-07,PROMPT-01 | Prompts are declared, but their methods are not found.
capabilities-of-wrong-shape | HS-13,DISC-03 | The capability `tools` is `true` instead of an object.
unknown-params-refused | RPC-28 | Requests with unknown members in their params give -32602.
vendor-meta-refused | RPC-28 | Requests with a vendor's key in `_meta` give -32602.
meta-key-malformed | META-09 | The result of tools/list has a `_meta` key whose name ends with a hyphen.
meta-key-with-bad-prefix | META-09 | The result of tools/list has a `_meta` key whose prefix begins with a digit.
meta-key-reserved | META-10 | The result of tools/list has an invented `_meta` key under io.modelcontextprotocol.
form-for-url-only-client | CAP-04 | `ask` shows a form to a client that only opens URLs.
empty-elicitation-refused | CAP-04 | `ask` does not ask a client that declares elicitation as an empty object.
sampling-tools-for-undeclared | CAP-05 | `delegate` samples with tools at a client without sampling.tools.
instructions-not-a-string | HS-16 | `instructions` is an array.
serves-undeclared-tools | TOOL-01,HS-12 | Tools are served although not declared.
tool-list-is-no-array | TOOL-02 | The result of tools/list has an object where the array should be.
tool-without-name | TOOL-02 | One tool has no name.
tool-name-with-spaces | TOOL-06 | One tool has spaces in its name.
tool-name-twice | TOOL-07 | Two tools on different pages have the same name.
tool-without-description | TOOL-08 | One tool has no description.
input-schema-without-type | TOOL-09,SCHEMA-06 | The inputSchema of a tool without parameters is `{}`.
input-schema-is-null | TOOL-09,SCHEMA-06 | The inputSchema of a tool without parameters is null.
schema-invalid | TOOL-10,TOOL-11 | A property has the type `str`.
schema-reference-to-nothing | TOOL-10 | A property refers to a `$defs` that is not there.
unknown-dialect-crashes | TOOL-13 | Calling the tool of an unknown schema dialect gives -32603.
structured-content-misfit | TOOL-17 | The structuredContent of `add` lacks what its outputSchema requires.
structured-content-missing | TOOL-18 | The result of `add` has no structuredContent.
structured-content-without-text | TOOL-19 | The text of `add` is not the JSON of its structuredContent.
content-is-a-text | TOOL-21 | The content of `show` is a string.
content-of-unknown-type | TOOL-21 | The content of `show` has a block of the type `video`.
image-in-url-alphabet | TOOL-22 | Image data is in the Base64 alphabet of URLs.
image-without-mime-type | TOOL-22 | An image block has no mimeType.
image-of-another-type | TOOL-22 | An image block says image/jpeg and holds a PNG.
link-without-name | TOOL-23 | A resource_link block has no name.
link-without-scheme | TOOL-23 | The uri of a resource_link block has no scheme.
embedded-resource-without-uri | TOOL-24 | An embedded resource has no uri.
embedded-resource-is-empty | TOOL-24 | An embedded resource has neither text nor blob.
embeds-undeclared-resources | TOOL-24,HS-12 | Resources are embedded, and served, although not declared.
content-audience-unknown | TOOL-25 | The audience of a block is `model`.
content-priority-above-one | TOOL-25 | The priority of a block is 7.
hint-is-a-text | TOOL-26 | The readOnlyHint of a tool is the string `false`.
bounds-not-checked | TOOL-28,TOOL-41 | `add` runs with numbers beyond its minimum and maximum.
unknown-arguments-ignored | TOOL-29 | Arguments that additionalProperties excludes are left out and the tool runs.
listed-tool-cannot-be-called | TOOL-36 | Calling the listed tool `show` gives -32602, as if it were unknown.
icon-over-http | TOOL-38 | The icon of a tool has an http: URL.
read-only-tool-writes | TOOL-43 | `show` says readOnlyHint and changes the state.
idempotent-tool-adds-up | TOOL-43 | `note` says idempotentHint and adds a note each time.
absent-arguments-refused | TOOL-44 | A call without `arguments` gives -32602.
boolean-schema | SCHEMA-02 | The schema of a property is `true`.
combiner-at-the-root | SCHEMA-02 | An inputSchema has anyOf at its root.
recursive-schema | SCHEMA-02 | A property refers to the schema that holds it.
schema-keywords-lost | SCHEMA-03 | The inputSchema of `parcel` is published without its $defs.
tool-list-too-large | SCHEMA-05 | The description of one tool has 240000 characters.
unknown-tool-succeeds | TOOL-27 | Calling an unknown tool is a success.
unknown-tool-is-error-result | TOOL-27 | Calling an unknown tool is a tool result with isError.
invalid-arguments-run | TOOL-28 | Missing and wrong arguments are replaced by defaults and the tool runs.
coerces-numeric-strings | TOOL-29 | A numeric string is taken for a number.
malformed-call-accepted | TOOL-30 | Array arguments or a missing tool name give a tool result.
business-failure-as-protocol-error | TOOL-31 | The tool `fail` fails with a JSON-RPC error.
business-failure-as-success | TOOL-31 | The tool `fail` tells its failure without isError.
business-failure-without-text | TOOL-32 | The error result of `fail` has an empty text.
crash-result-shows-stack-trace | TOOL-33 | The result of `crash` holds a stack trace.
crash-result-leaks-secret | TOOL-33 | The result of `crash` holds the exception's text with a password.
crash-as-protocol-error | TOOL-34 | The tool `crash` fails with -32603.
validation-error-leaks-internals | TOOL-35 | Wrong arguments are told in a validator's dump with a URL.
resources-declared-but-missing | RES-01,HS-11,DISC-07 | Resources are declared, but their methods are not found.
serves-undeclared-resources | RES-01,HS-12 | Resources are listed although not declared.
resource-list-is-no-array | RES-01 | The result of resources/list has an object where the array should be.
resource-without-name | RES-03 | One resource has no name.
resource-size-is-a-text | RES-03 | The size of a resource is `2 kB`.
resource-audience-is-a-text | RES-03 | The audience in the annotations of a resource is a text.
resource-uri-with-spaces | RES-03,RES-18 | The URI of a resource has a space in it.
resource-uri-without-scheme | RES-03,RES-18 | The URI of a resource has no scheme.
resource-uri-with-lone-percent | RES-03,RES-18 | The URI of a resource has a percent sign that begins no escape.
contents-is-an-object | RES-04 | `contents` is an object instead of an array.
contents-without-uri | RES-04 | The contents of a text have no uri.
contents-without-text | RES-04 | The contents of a text have neither text nor blob.
text-resource-cut | RES-04,RES-12 | Only the first word of a text is given.
blob-in-url-alphabet | RES-05 | Blobs are in the Base64 alphabet of URLs.
blob-is-no-base64 | RES-05 | Blobs are plain texts.
binary-sent-as-text | RES-05 | Bytes are sent as a text with replacement characters.
blob-of-another-type | RES-05 | A PNG says that it is image/jpeg.
template-without-name | RES-11 | A resource template has no name.
template-with-open-brace | RES-11 | A brace of a resource template is not closed.
template-value-ignored | RES-12 | Each order that is read is the first one.
template-value-traverses | RES-13 | The path of a note is followed out of the folder.
only-plain-traversal-refused | RES-13 | The path of a note is followed out of the folder when its slashes are escaped.
file-uri-served | RES-13 | Each file of the machine can be read under its file: URI.
malformed-uri-served | RES-14 | What is no URI gives the first resource.
malformed-uri-wrong-code | RES-14 | What is no URI gives -32603.
listed-resource-missing | RES-20 | A listed resource cannot be read.
listed-resource-empty | RES-20 | Reading gives an empty `contents`.
prompt-list-is-no-array | PROMPT-01 | The result of prompts/list has an object where the array should be.
prompt-without-name | PROMPT-01 | One prompt has no name.
prompt-arguments-as-object | PROMPT-01 | The arguments of a prompt are an object by name.
prompt-role-system | PROMPT-03 | The first message of each prompt has the role `system`.
prompt-messages-missing | PROMPT-03 | Prompts give no messages.
prompt-content-is-a-text | PROMPT-03 | The content of a message is a text instead of a block.
prompt-content-of-unknown-type | PROMPT-03 | The content of a message is of the type `picture`.
prompt-argument-lost | PROMPT-03 | A prompt is given without the text of its argument.
prompt-image-without-mime-type | PROMPT-07 | An image in a prompt has no mimeType.
prompt-image-is-no-base64 | PROMPT-07 | The data of an image in a prompt is plain text.
prompt-resource-without-uri | PROMPT-07 | An embedded resource in a prompt has no uri.
prompt-resource-without-text | PROMPT-07 | An embedded resource in a prompt has neither text nor blob.
prompt-resource-without-mime-type | PROMPT-07 | An embedded resource in a prompt has no mimeType.
prompt-arguments-not-checked | PROMPT-08 | Numbers, arrays and null are put into a prompt.
prompt-argument-reaches-database | PROMPT-08 | A quote in an argument of a prompt gives the error of a database.
completions-declared-but-missing | COMPL-01,HS-11,DISC-07 | Completions are declared, but the method is not found.
serves-undeclared-completions | COMPL-01,COMPL-06,HS-12 | Completions are served although not declared.
too-many-completions | COMPL-02 | 101 values are proposed.
completions-are-objects | COMPL-02 | The proposed values are objects.
completion-ignores-typed-text | COMPL-02 | All values are proposed, whatever was typed.
completion-total-too-small | COMPL-03 | `total` is less than the number of values.
completion-has-more-wrong | COMPL-03 | `hasMore` is false though `total` says that there are more.
unknown-prompt-completed | COMPL-04 | Arguments of unknown prompts are completed with nothing.
malformed-completion-served | COMPL-05 | Malformed completions get an empty result.
malformed-completion-wrong-code | COMPL-05 | Malformed completions give -32603.
completion-context-refused | COMPL-07 | A completion with `context` gives -32602.
pages-repeat-the-first | PAGE-01 | Each cursor of the templates gives the first page.
pages-overlap | PAGE-01 | The last item of a page of the prompts is on the next one too.
last-page-cursor-is-null | PAGE-02 | The last page has `nextCursor: null`.
unknown-cursor-ignored | PAGE-03 | An unknown cursor gives the first page.
unknown-cursor-wrong-code | PAGE-03 | An unknown cursor gives -32603.
empty-cursor-is-none | PAGE-04 | The cursor `""` counts as none.
cursors-work-once | PAGE-05 | A cursor of the prompts is refused when it comes again in the same walk.
list-order-changes | PAGE-05 | Every other list is in another order.
cursor-is-a-number | PAGE-06 | `nextCursor` is a number.
missing-resource-wrong-code | RES-06,RES-07 | A missing resource gives -32603.
missing-resource-gives-content | RES-06 | A missing resource gives an invented text.
missing-resource-empty-contents | RES-08 | A missing resource gives an empty `contents`.
missing-resource-without-uri | RES-09 | The error about a missing resource has no data.
resource-crash-wrong-code | RES-10 | A failing resource gives -32000 with the exception's text.
unknown-prompt-wrong-code | PROMPT-04 | An unknown prompt gives -32603.
missing-prompt-argument-wrong-code | PROMPT-05 | A missing prompt argument gives -32603.
missing-prompt-argument-accepted | PROMPT-05 | A missing prompt argument is taken for an empty text.
prompt-crash-wrong-code | PROMPT-06 | A failing prompt gives -32602.
unknown-task-wrong-code | TASK-L06,TASK-X07 | An unknown task id gives -32603.
notification-with-id | RPC-15 | Progress notifications have an id.
null-where-nothing-is | RPC-30,SCHEMA-01 | The last page of the tools has the nextCursor null.
title-not-a-string | RPC-30,SCHEMA-01 | The `title` of a tool is a number.
error-of-several-lines | RPC-29 | The message of every error has several lines.
database-text-in-error | SEC-07 | A name with a quote in it gives an error with the text of a database.
hang-on-call | DEFECT | tools/call is never answered.
one-of-many-lost | CONC-01 | Of several calls at a time one is never answered.
dies-on-call | DEFECT | tools/call ends the process.
huge-answer | DEFECT | tools/call answers with a text of 42 million characters.
invalid-utf8-answer | DEFECT | The answer to tools/call holds bytes that are not UTF-8.
truncated-json-answer | DEFECT | The answer to tools/call is cut in half.
crossed-answers | CONC-01 | Two calls at the same time get each other's results.
logs-undeclared | LOG-05,NOTIF-02 | Log messages are sent although `logging` is not declared.
log-level-invented | LOG-10,NOTIF-03 | Log messages have the level `trace`.
log-without-data | NOTIF-03 | Log messages have no `data`.
log-holds-secret | LOG-06 | Log messages hold a password.
tools-change-not-announced | TOOL-37,SUB-05,NOTIF-01 | A change of the tools is not announced, although this is declared.
resources-change-not-announced | RES-19,SUB-05,NOTIF-01 | A change of the resources is not announced.
prompts-change-not-announced | PROMPT-09,SUB-05,NOTIF-01 | A change of the prompts is not announced.
progress-without-token | PROG-01,PROG-07 | Progress is sent to clients that gave no token.
progress-token-as-text | PROG-02 | A progress token that is a number comes back as a string.
progress-token-invented | PROG-02 | Progress comes under a token that nobody gave.
progress-stands-still | PROG-03 | The last two steps report the same progress.
progress-falls | PROG-03 | Progress is counted down.
progress-after-response | PROG-04 | One more progress notification follows the response.
progress-as-text | PROG-06,NOTIF-03 | `progress` is a text.
progress-total-as-text | PROG-06,NOTIF-03 | `total` is a text.
progress-message-not-a-text | PROG-06,NOTIF-03 | `message` of the progress is an array.
odd-token-used | PROG-07 | Progress is sent under a token that is neither string nor integer.
cancelled-call-works-on | CANC-02 | A cancelled call is silent, but its work goes on.
malformed-cancellation-ends-connection | CANC-03 | A cancellation without requestId ends the connection.
late-cancellation-answered | CANC-03,CANC-06 | The cancellation of a finished call is answered by an error under its id.

# both | stdio
banner-on-stdout | STDIO-01 | A banner is printed on stdout before the first message.
log-line-amid-messages | STDIO-01 | A log line is printed on stdout before each answer.
pretty-printed-messages | STDIO-02 | Messages are written over several lines.
double-answer | STDIO-06 | Every tools/call is answered twice.
farewell-on-stdout | STDIO-01 | A farewell is printed on stdout after the end of the input.
half-line-at-end | STDIO-10 | At the end of the input half an answer is written for calls in flight.
answers-again-at-end | STDIO-10,STDIO-06 | At the end of the input the last answer is written once more.
refuses-carriage-return | STDIO-11 | A line that ends in CR LF is not read.
ends-at-empty-line | STDIO-11 | An empty line ends the process.
waits-for-calls-at-end | STDIO-04 | After the end of its input the process goes on until its calls are done.
ignores-sigterm | STDIO-04 | SIGTERM has no effect.
leaves-child-behind | STDIO-04 | A child process goes on for a minute after the server.
ignores-end-of-input | STDIO-04 | The process goes on for two minutes after its stdin was closed.

cancelled-call-gets-error | CANC-01,CANC-04 | A cancelled call is answered by -32800.
cancelled-call-goes-on | CANC-01,CANC-02,CANC-04 | A cancellation is ignored.

# both | http
html-on-garbage | RPC-08 | Text that is not JSON gives 200 and a page of HTML.
wrong-content-type | HTTP-02 | Answers are sent as text/plain.
notification-status-200 | HTTP-03 | A notification gets 200 and the body `{}`.
origin-not-checked | HTTP-09,HTTP-10 | Requests of every Origin are served.
origin-substring-checked | HTTP-09 | Every Origin is served that has `localhost` somewhere in it.
origin-null-accepted | HTTP-10 | `Origin: null` is served.
host-not-checked | HTTP-12 | A foreign Host is served.
post-refused | HTTP-01 | POST gets 405.
refused-notification-status-200 | HTTP-04 | The error that refuses a notification comes with status 200.
refused-notification-with-id | HTTP-04 | The error that refuses a notification has the id 0.
origin-demanded | HTTP-11 | Requests without Origin get 403.
own-origin-refused | HTTP-11 | Requests of the server's own origin get 403.
listens-everywhere | HTTP-13 | The port is open on all addresses of the machine.
narrow-accept-crashes | HTTP-14 | Requests that do not accept both content types get 500.
any-content-type-served | HTTP-15 | A body of any content type is taken for JSON.
stream-stays-open | HTTP-16 | An event stream stays open after the answer.
progress-on-other-streams | HTTP-17,HTTP-43,PROG-05,CONC-05 | Progress is sent on the stream of another call in flight.
answers-on-other-streams | HTTP-39 | Two calls at the same time are answered on each other's streams.
any-method-served | HTTP-40 | PUT and other methods get 200.
dies-on-big-body | HTTP-41 | A body of more than 4 MiB ends the process.

# legacy | stdio http
batch-refused-on-2025-03-26 | RPC-12 | Batches are refused after negotiating 2025-03-26.
initialize-without-version | HS-01 | The initialize result has no protocolVersion.
initialize-without-capabilities | HS-01 | The initialize result has no capabilities.
initialize-without-server-info | HS-01 | The initialize result has no serverInfo.
initialize-answers-another-version | HS-02 | A supported version is answered with another one.
initialize-echoes-unsupported-version | HS-03 | An unsupported version is accepted and echoed.
unsupported-version-answered-with-oldest | HS-03 | An unsupported version is answered with 2024-11-05.
offered-version-not-negotiated | HS-03 | An unsupported version is answered with 2025-06-18, which is not negotiated.
initialize-negotiates-modern | HS-04 | initialize accepts 2026-07-28.
initialize-accepts-incomplete-params | HS-05 | initialize succeeds without version or clientInfo.
server-info-with-empty-name | HS-06 | The name in serverInfo is empty.
ping-refused-before-initialized | HS-08 | ping is refused until notifications/initialized has come.
answers-initialized-notification | HS-09 | notifications/initialized gets a result with a null id.
serves-undeclared-logging | HS-12,RPC-18 | logging/setLevel is served although not declared.
second-initialize-breaks-session | HS-14 | After a second initialize every request fails with -32603.
cancelled-initialize-breaks-session | HS-15 | Cancelling the initialize request makes all others fail.
asks-undeclared-client | HS-18,SAMP-01,ROOTS-01 | The tools that ask send their requests to a client that declared nothing.
newer-tool-members-on-old-revisions | HS-17 | Tools have the members of 2025-11-25 in all legacy revisions.
elicits-on-2025-03-26 | HS-17,ELIC-14 | `ask` sends elicitation/create in 2025-03-26.
elicits-by-url-on-2025-06-18 | HS-17 | `ask` elicits by URL in 2025-06-18.
server-info-newer-than-revision | HS-20,HS-17 | serverInfo has a websiteUrl in all revisions.
subscribe-declared-but-missing | HS-11,RES-15 | resources.subscribe is declared, but its methods are not found.
legacy-updates-not-announced | RES-15 | Updates of resources are not announced, though subscribed to.
legacy-updates-for-all | RES-15 | Updates of resources are announced to those who did not subscribe.
unsubscribing-ignored | RES-15 | Updates of resources are announced after resources/unsubscribe.
serves-undeclared-subscribe | HS-12,RES-16 | resources/subscribe is served although not declared.
ping-result-not-empty | PING-01 | The result of ping says more than nothing.
server-info-icons-malformed | HS-20 | `icons` in serverInfo is a string.
hangs-before-initialized | HS-21 | Requests before notifications/initialized are never answered.
output-schema-for-an-array | TOOL-16 | The root type of an outputSchema is not `object` alone.
structured-content-is-an-array | TOOL-20,TOOL-17 | The structuredContent of `add` is an array.
newer-content-on-2025-03-26 | TOOL-20,TOOL-21,HS-17 | structuredContent and resource_link are sent to a 2025-03-26 client.
task-support-unknown | TOOL-39 | The taskSupport of a tool is `sometimes`.
schema-invalid-before-2025-11-25 | TOOL-12 | A property has the type `str`, for older clients only.
missing-resource-modern-code-on-legacy | RES-07 | A missing resource gives -32602 on legacy.

makes-tasks-undeclared | TASK-L01 | Calls with `task` become tasks although no tasks are declared.
task-without-times | TASK-L02 | A created task has no createdAt.
task-only-tool-runs-plainly | TASK-L03 | A tool that must be a task runs without.
plain-tool-takes-task | TASK-L03 | A tool that cannot be a task becomes one.
task-comes-back-to-life | TASK-L04 | A task that ended is working again at every second look.
task-result-does-not-wait | TASK-L05 | tasks/result gives an empty result while the task is working.
task-result-names-no-task | TASK-L05 | The result of tasks/result does not say which task it belongs to.
ended-task-cancelled | TASK-L06 | A task that ended can be cancelled.
task-cursor-ignored | TASK-L06 | tasks/list ignores a cursor that it never gave.
cancelled-task-goes-on | TASK-L08 | A cancelled task is shown as working.
legacy-changes-not-announced | NOTIF-01 | Legacy clients hear of no change, although this is declared.
announces-undeclared | NOTIF-02 | Changes are announced although `listChanged` is not declared.
set-level-ignored | LOG-09 | logging/setLevel changes nothing.
unknown-level-accepted | LOG-08 | logging/setLevel accepts any level.
high-levels-refused | LOG-07 | logging/setLevel refuses `alert` and `emergency`.
set-level-result-not-empty | LOG-07 | logging/setLevel answers with the level.
ids-told-apart-as-texts | CONC-04 | Calls in flight under 7 and "7" get each other's results.

# legacy | stdio
asks-before-initialized | HS-10 | roots/list is sent while initialize is answered.
ends-at-probe | STDIO-09 | server/discover ends the process.
silent-at-probe | STDIO-09 | server/discover is never answered.
serves-before-initialize | HS-07 | Requests are served without any initialize.
initialize-in-batch-processed | RPC-13 | initialize is processed as a member of a batch.

# legacy | http
asks-on-stream-before-initialized | HS-10 | roots/list is sent on the GET stream at once.
origin-checked-on-post-only | HTTP-10 | GET and DELETE of a foreign Origin are not refused.
bad-version-header-served | VER-05 | An unsupported MCP-Protocol-Version header is ignored in a session.
get-answers-json | HTTP-27 | GET answers 200 with a JSON body.
session-id-with-spaces | HTTP-30 | The session id has spaces in it.
session-not-required | HTTP-32,HS-07 | Requests without a session id are served.
missing-session-status-404 | HTTP-32 | A request without a session id gets 404.
unknown-session-served | HTTP-33 | Requests with an unknown session id are served.
unknown-session-status-400 | HTTP-33 | A request with an unknown session id gets 400.
delete-keeps-session | HTTP-33,HTTP-34 | DELETE answers 200, but the session goes on.
delete-fails | HTTP-34 | DELETE answers 500.
hanging-up-cancels | HTTP-26 | A call whose connection is closed is cancelled.
answers-on-get-stream | HTTP-28 | Answers are sent on the GET stream as well.
messages-on-all-streams | HTTP-29 | Progress and questions are sent on the GET stream as well.
session-ids-counted | HTTP-31 | Session ids are counted up.
event-ids-repeat | HTTP-35 | Event ids are counted in each stream alone.
replays-all-streams | HTTP-36 | Resuming one stream replays all streams of the session.
stream-not-primed | HTTP-37 | The first event of a stream is a message.
unknown-event-crashes | HTTP-38 | GET with an unknown Last-Event-ID gets 500.
posted-response-status-200 | HTTP-42 | A posted response gets 200 and the body `{}`.
questions-on-get-stream | HTTP-43 | Questions during a call are sent on the GET stream.
version-header-demanded | VER-06 | Requests without version header get 400 in a session.
other-version-header-crashes | VER-14 | Another version header than negotiated gets 500.

# modern | stdio http
calls-one-by-one | CONC-07 | Calls are worked on one after the other.
notification-flood | LOG-01 | tools/call sends 10000 log notifications before its answer.
logs-unasked | LOG-01 | Log messages are sent to requests without logLevel.
log-level-ignored | LOG-02 | Log messages of all levels are sent whatever the logLevel.
unknown-log-level-served | LOG-04 | A request with an unknown logLevel is served.
acknowledgment-comes-second | SUB-01 | A subscription begins with a notification of a change.
subscription-not-acknowledged | SUB-01 | A subscription is served without acknowledgment.
subscription-id-as-text | SUB-02,SUB-10 | A subscription id that is a number comes back as a string.
subscription-id-invented | SUB-02,SUB-10 | The id on the messages of a subscription is not that of its request.
subscription-id-only-on-acknowledgment | SUB-02,SUB-10 | Notifications of changes carry no subscription id.
filter-ignored | SUB-03 | Every listener gets every kind of list change.
remembers-subscriptions | SUB-03,SUB-14 | What one listener asked for is sent to all later ones.
acknowledges-more-than-asked | SUB-04 | The acknowledgment lists kinds that were not asked for.
acknowledgment-without-kinds | SUB-04,NOTIF-03 | The acknowledgment does not say what is honoured.
unknown-kinds-acknowledged | SUB-04 | The acknowledgment repeats a kind that does not exist.
undeclared-kinds-acknowledged | SUB-04,SUB-15 | No change is declared, but all kinds are acknowledged.
listen-not-served | SUB-15 | Changes are declared, but subscriptions/listen is not found.
updates-of-foreign-resources | SUB-06 | Updates are sent to listeners of other resources.
update-without-uri | SUB-06,NOTIF-03 | Updates do not say which resource was updated.
new-subscription-ends-others | SUB-07 | A new subscription ends all earlier ones.
progress-on-subscriptions | SUB-08 | Progress is sent to all listeners, too.
log-on-subscriptions | SUB-08,LOG-03 | Log messages are sent to all listeners, too.
server-cancels-calls | SUB-12 | The server sends notifications/cancelled for each tools/call.
listen-without-filter-accepted | SUB-13 | A subscription without `notifications` is served.
subscription-ends-at-once | SUB-16 | A subscription ends right after its acknowledgment.
tool-list-differs-by-connection | TOOL-03 | The description of a tool names the connection.
calls-change-tool-list | TOOL-03 | The description of a tool changes with the number of calls.
tool-order-changes | TOOL-05 | Every other list has two tools in another order.
schema-refers-to-network | TOOL-15 | A property refers to a schema at an https: URL.
unknown-handle-served | TOOL-42 | A made-up handle opens an empty cart.
schema-too-deep | SCHEMA-04 | A schema is nested 40 arrays deep.
meaningless-reserved-code | RPC-21 | Unknown tools, prompts and resources give -32099.
retired-resource-code-on-modern | RPC-22,RES-06 | A missing resource gives -32002 on modern.
asks-by-request-on-modern | RPC-26,STDIO-05 | `ask` sends the request elicitation/create on modern.
pings-client-on-modern | RPC-26,STDIO-05 | Each tools/call makes the server send a ping request.
missing-meta-accepted | META-01 | A request without `_meta` is served.
missing-meta-version-accepted | META-02 | A request without protocolVersion in `_meta` is served.
missing-client-capabilities-accepted | META-03 | A request without clientCapabilities is served.
demands-client-info | META-04 | A request without clientInfo gives -32602.
malformed-meta-accepted | META-05 | `_meta` members of wrong types are ignored.
remembers-meta | META-06 | A request without `_meta` is served with that of an earlier request.
remembers-client-capabilities | META-07 | Capabilities of earlier requests count for later ones.
missing-params-accepted | META-08 | A request without any `params` is served.
no-server-info-stamp | META-11 | Results have no serverInfo in their `_meta`.
server-info-stamp-without-version | META-12 | The serverInfo in the `_meta` of results has no version.
no-result-type-on-discover | META-13 | The result of server/discover has no resultType.
no-result-type-on-tools-list | META-13 | The result of tools/list has no resultType.
no-result-type-on-tools-call | META-13 | The result of tools/call has no resultType.
no-result-type-on-prompts-get | META-13 | The result of prompts/get has no resultType.
no-server-info-stamp-on-resources | META-11 | The result of resources/read has no serverInfo in its `_meta`.
unknown-result-type | META-14 | The resultType of every complete result is `done`.
trace-context-malformed | META-16 | Results of traced requests carry a traceparent of another format.
garbage-trace-refused | META-16 | A request whose traceparent is garbage gives -32602.
behaviour-depends-on-client-info | META-17 | The descriptions of tools name the client that asked.
discover-missing | DISC-01 | server/discover is not found.
discover-without-versions | DISC-02 | The discover result has no supportedVersions.
discover-versions-empty | DISC-02 | supportedVersions is empty.
discover-versions-omit-served | DISC-02 | supportedVersions lacks the version that was just served.
discover-without-capabilities | DISC-03 | The discover result has no capabilities.
discover-without-cache-hints | DISC-04,CACHE-01 | The discover result has no ttlMs and no cacheScope.
discover-server-info-in-body | DISC-05 | The discover result has serverInfo in its body, not in `_meta`.
discover-needs-earlier-request | DISC-06 | server/discover fails until another request was served.
version-error-lists-more | DISC-09 | The -32022 error lists a version that discover does not.
extension-id-without-prefix | DISC-10,EXT-01 | capabilities.extensions has an id without a vendor prefix.
extension-value-not-an-object | DISC-10,EXT-01 | The value of an extension in capabilities is `true`.
serves-unsupported-version | VER-01 | Requests of any protocol version are served.
serves-unsupported-version-later | VER-02,VER-03 | After a good request any version is served.
version-error-wrong-code | VER-01,VER-03 | An unsupported version gives -32602.
version-error-without-data | VER-01,VER-03 | The -32022 error has no data.
initialize-served-on-modern | HTTP-22 | initialize with the modern envelope is served on modern.
set-level-served-on-modern | HTTP-22 | logging/setLevel is served on modern.
subscribe-served-on-modern | HTTP-22 | resources/subscribe and resources/unsubscribe are served on modern.
modern-lists-need-a-session | VER-12 | Lists are refused on modern, although both eras are claimed.
resource-list-differs-by-connection | RES-02 | The description of a resource names the connection.
requests-change-resource-list | RES-02 | The description of a resource counts what was read.
prompt-list-differs-by-connection | PROMPT-02 | The description of a prompt names the connection.
requests-change-prompt-list | PROMPT-02 | The description of a prompt counts what was read.
prompt-asks-for-ever | PROMPT-10 | `interview` asks again after each answer.
prompt-forgets-answer | PROMPT-10 | The message of `interview` does not hold the answer.
lists-without-cache-hints | CACHE-01 | The results of all lists have no ttlMs and no cacheScope.
read-without-cache-hints | CACHE-01 | The result of resources/read has no ttlMs and no cacheScope.
ttl-is-negative | CACHE-02 | The ttlMs of resources/templates/list is -1.
ttl-is-a-text | CACHE-02 | The ttlMs of prompts/list is a string.
cache-scope-unknown | CACHE-03 | The cacheScope of resources/read is `user`.
question-with-cache-hints | CACHE-04 | A result that asks for input has ttlMs and cacheScope.
cache-scope-differs-by-page | CACHE-05 | The last page of each list is private, the others public.
ping-served-on-modern | HTTP-22,PING-02 | ping is served on modern.
capability-error-wrong-code | CAP-01 | A missing client capability gives -32600.
capability-error-data-as-list | CAP-01 | requiredCapabilities in the -32021 error is an array.
input-required-for-undeclared | CAP-03,SAMP-01,ROOTS-01 | The tools that ask give input_required to a client that declared nothing.
header-annotation-empty | HDR-29 | A property of `routed` has an empty x-mcp-header.
header-annotation-with-space | HDR-29 | A property of `routed` has an x-mcp-header with spaces in it.
header-annotation-twice | HDR-29 | Two properties of `routed` have the same x-mcp-header but for its case.
header-annotation-on-number | HDR-29 | A property of `routed` of type number has an x-mcp-header.
header-annotation-in-array | HDR-29 | Items of an array of `routed` have an x-mcp-header.
secret-mirrored | HDR-30 | A property of `routed` has the x-mcp-header `Api-Key`.
view-missing | EXT-03 | The page that a tool names cannot be read.
view-of-wrong-type | EXT-03 | The page that a tool names is plain HTML.
view-tool-without-text | EXT-04 | A tool with a page answers with an empty text.
task-for-undeclared | TASK-X01,EXT-02,CAP-06 | A call becomes a task for a client that did not declare the extension.
task-demand-without-data | TASK-X02 | The -32021 that demands the extension does not name it.
task-result-type-complete | TASK-X03 | The result that creates a task says resultType complete.
task-state-says-task | TASK-X03 | tasks/get says resultType task.
task-known-late | TASK-X04 | A new task is unknown at the first look.
completed-task-without-result | TASK-X05 | A completed task carries no result.
tool-error-fails-task | TASK-X06 | A tool that fails for its own reason makes its task failed.
tasks-served-to-undeclared | TASK-X08 | Task methods are served to clients that did not declare the extension.
task-question-key-reused | TASK-X09 | A task asks a second question under the key of the first.
unknown-answer-taken | TASK-X09 | An answer to an unknown question lets the task go on.
task-update-not-empty | TASK-X10 | tasks/update answers with the task.
task-cancel-says-task | TASK-X10,TASK-X03 | tasks/cancel says resultType task.
progress-for-task-listeners | TASK-X13 | Listeners of a task get its progress, too.
task-ids-count-up | TASK-X14 | Task ids are counted up.
core-task-list-served | TASK-X11 | tasks/list is served in the modern era.
server-error-code-on-modern | RPC-23 | An unknown prompt gives -32001.
own-code-in-reserved-range | RPC-24 | An unknown prompt gives -32500.

# modern | stdio
reserved-code-at-end | RPC-23 | Calls in flight give -32000 at the end of the input.
needs-clean-end | STDIO-08 | A server that was killed serves nothing when it is started again.

# modern | stdio http
round-without-anything | MRTR-01 | input_required results have neither questions nor a state.
request-state-is-an-object | MRTR-01 | requestState is an object.
prompt-list-asks | MRTR-02 | prompts/list answers with input_required.
question-with-id | MRTR-03 | Questions have an id, as requests do.
question-of-unknown-method | MRTR-03 | The method of questions is elicitation/ask.
question-without-object | MRTR-03 | The params of questions are an array.
question-key-twice | MRTR-04 | Two questions have the same key.
asks-for-ever | MRTR-05 | Each good answer is answered with the question again.
answers-inside-arguments-count | MRTR-06 | Answers and state are taken out of the arguments.
wrong-key-refused | MRTR-07 | A missing or wrongly keyed answer gives -32602.
extra-answer-refused | MRTR-08 | An answer to no question gives -32602.
malformed-answers-ignored | MRTR-09 | Malformed inputResponses are taken for none.
state-not-verified | MRTR-11,MRTR-13,MRTR-24 | Any state is taken.
longer-state-taken | MRTR-11 | What stands behind a good state is ignored.
shortened-state-taken | MRTR-11 | A state that was cut is taken.
empty-state-taken | MRTR-11 | An empty state is taken.
bad-state-crashes | MRTR-11 | A bad state gives -32603.
bad-state-asks-again | MRTR-11 | A bad state is taken for none, and the question asked again.
acts-on-refused-state | MRTR-11 | The call acts before its state is refused.
state-refusal-tells-why | MRTR-12 | The refusal of a state says what is wrong with it.
state-of-other-arguments-taken | MRTR-13 | A state counts for other arguments too.
state-of-other-tool-taken | MRTR-13,MRTR-24 | A state counts for other tools too.
one-time-state-taken-twice | MRTR-16 | The state of `confirm` counts as often as it comes.
state-can-be-read | MRTR-23 | The state holds the arguments in Base64.
list-refuses-round-members | MRTR-25 | tools/list with a requestState gives -32602.
acts-before-it-asks | MRTR-26 | `ask` makes its note before it has the answer.
imperative-tool-says-yes | MRTR-27 | `interrupt` completes on modern without having asked.

# both | stdio http
content-not-validated | MRTR-10 | A form is accepted whatever its values are.
refusal-of-user-crashes | MRTR-22,ELIC-07 | A user who declines or cancels gives -32603.
form-without-message | ELIC-01 | Forms have no message.
form-with-nested-object | ELIC-01 | A field of the form is an object.
elicitation-mode-unknown | ELIC-02 | The mode of elicitations is `popup`.
url-without-scheme | ELIC-02 | The URL to visit has no scheme.
form-asks-for-password | ELIC-03 | A field of the form is a password.
url-carries-token | ELIC-04 | The URL to visit has an access token in it.
url-over-http | ELIC-05 | The URL to visit is http.
form-holds-a-link | ELIC-06 | The message of the form holds a URL.
sampling-without-max-tokens | SAMP-02 | Sampling has no maxTokens.
sampling-role-unknown | SAMP-02 | A message to the model has the role `system`.
tool-result-beside-text | SAMP-03 | The result of a tool stands beside a text in a message to the model.
sampling-wants-all-context | SAMP-04 | Sampling wants the context of all servers.

# legacy | stdio http
input-required-on-legacy | MRTR-19 | `ask` answers input_required on legacy.
answer-of-user-lost | ELIC-08 | Accepted answers are taken for none.
url-without-id | ELIC-09 | The URL to visit has no elicitationId.
url-required-lists-nothing | ELIC-10 | The error -32042 lists no URL.
error-of-client-crashes | ELIC-15 | An error of the client gives -32603.
answers-changed-roots | ROOTS-02 | notifications/roots/list_changed gets a result with a null id.

# modern | stdio http
url-required-on-modern | ELIC-11 | `need_visit` gives -32042 on modern.
elicitation-id-on-modern | ELIC-11 | The URL to visit has an elicitationId on modern.
samples-by-request-on-modern | SAMP-05 | The model is asked by a request on modern, too.
roots-by-request-on-modern | ROOTS-01 | The roots are asked for by a request on modern, too.

# modern | stdio
state-breaks-new-process | MRTR-18 | A state of another process gives -32603.
envelope-needs-discovery | VER-08 | Modern requests are refused until server/discover was served.
initialize-ends-modern-connection | VER-13 | initialize after a modern opening ends the process.
initialize-hangs-after-modern | VER-13 | initialize after a modern opening is never answered.
param-header-demanded-on-stdio | HDR-31 | Calls of `routed` are refused on stdio, since they have no headers.

# modern only | stdio http
known-version-served | VER-02 | Requests of 2025-11-25 in a modern envelope are served.
initialize-served-by-modern-only | VER-11 | A modern-only server opens a legacy session.
refusal-of-initialize-names-nothing | HS-19 | A modern-only server refuses initialize without naming versions.

# modern only | http
refusal-of-initialize-status-200 | VER-11 | A modern-only server refuses initialize with status 200.
missing-version-header-accepted | VER-07 | A request without version header is served.

# legacy only | stdio http
probe-refused-as-modern | VER-10 | A legacy-only server refuses server/discover with -32022.
probe-breaks-handshake | VER-10 | After server/discover initialize fails.

# legacy only | stdio
probe-ends-connection | VER-10 | server/discover ends the process of a legacy-only server.
probe-never-answered | VER-10 | A legacy-only server never answers server/discover.

# legacy | http
session-mixes-equal-ids | CONC-03 | Calls in flight under one id in one session get each other's results.
modern-request-ends-session | VER-09 | A modern request makes the server forget its legacy sessions.
modern-refused-beside-sessions | VER-09 | Modern requests are refused while there is a legacy session.

# modern | stdio
cancelled-subscription-goes-on | SUB-09 | A cancelled subscription is served as before.
subscription-ends-without-result | SUB-10,SUB-11 | Open subscriptions just stop when the server ends.
# modern | http
equal-ids-crossed | CONC-02 | Calls in flight under one id on different connections get each other's results.
state-bound-to-connection | MRTR-18 | A state counts only on the connection that it was given on.
task-name-header-not-compared | TASK-X12 | The Mcp-Name of task methods may differ from the task id.
log-on-foreign-stream | LOG-03 | With two calls in flight, log messages come on the stream of the other.
posted-cancellation-obeyed | CANC-05 | A posted notifications/cancelled ends a call of another request.
posted-response-accepted | RPC-27 | A posted response gets 202.
version-error-status-200 | VER-01 | The -32022 error comes with status 200.
get-served-on-modern | HTTP-05 | GET with the modern version header opens a stream.
delete-served-on-modern | HTTP-06 | DELETE with the modern version header gets 200.
mints-session-on-modern | HTTP-07 | Modern answers carry an Mcp-Session-Id header.
stray-session-refused | HTTP-07 | A modern request with an Mcp-Session-Id header gets 404.
stream-may-be-buffered | HTTP-18 | Event streams come without X-Accel-Buffering.
replays-on-modern | HTTP-19 | A request with Last-Event-ID gets all that came on earlier streams.
hanging-up-ignored | HTTP-25 | A call whose connection is closed goes on.
last-event-id-refused | HTTP-08 | A modern request with a Last-Event-ID header gets 400.
unknown-method-status-200 | HTTP-21 | An unknown method gets status 200.
unknown-method-without-body | HTTP-23 | An unknown method gets 404 with a plain text.
version-mismatch-wrong-code | VER-04,HDR-01 | A version header that differs from `_meta` gives -32600.
legacy-header-on-envelope-crashes | VER-08 | A modern request with a legacy version header gets 500.
envelope-without-header-crashes | VER-08,VER-07 | A modern request without version header gets 500.
version-header-not-compared | HDR-01 | The version header may differ from `_meta`.
missing-method-header-accepted | HDR-02 | A request without Mcp-Method is served.
method-header-not-compared | HDR-03 | Any Mcp-Method is served.
method-header-case-ignored | HDR-04 | Mcp-Method is compared without regard to case.
missing-name-header-accepted-on-tools | HDR-05 | tools/call without Mcp-Name is served.
missing-name-header-accepted-on-resources | HDR-06 | resources/read without Mcp-Name is served.
missing-name-header-accepted-on-prompts | HDR-07 | prompts/get without Mcp-Name is served.
name-header-not-compared | HDR-08 | Any Mcp-Name is served.
sentinel-not-decoded | HDR-09,HDR-24 | Base64 header values are compared without decoding.
non-ascii-sentinel-refused | HDR-10 | Base64 header values that hold non-ASCII text are refused.
sentinel-case-ignored | HDR-11 | `=?BASE64?` counts as the Base64 marker.
malformed-sentinel-accepted | HDR-12,HDR-25 | Base64 header values with wrong padding are accepted.
sentinel-literal-accepted | HDR-18 | A name that looks like the Base64 marker is accepted as it is.
sentinel-decoded-twice | HDR-18 | What a Base64 header value decodes to is decoded once more.
header-names-case-sensitive | HDR-13 | Mcp-Method and Mcp-Name are known in exactly this spelling.
padded-header-refused | HDR-14 | White space around header values counts as part of them.
header-bytes-read-as-utf-8 | HDR-15 | Header bytes that are not ASCII are read as UTF-8.
header-bytes-read-as-latin-1 | HDR-15 | Header bytes that are not ASCII are read as Latin-1.
duplicate-header-accepted | HDR-16 | The first of several Mcp-Method or Mcp-Name headers is taken.
name-header-demanded-everywhere | HDR-17 | tools/list and others without Mcp-Name are refused.
header-error-without-body | HDR-19 | Header mismatches get 400 with an empty body.
header-error-without-id | HDR-19 | The -32020 error has no id.
header-error-wrong-code | HDR-19 | Header mismatches give -32600.
param-header-not-compared | HDR-20 | Mcp-Param-Region may differ from the argument.
missing-param-header-accepted | HDR-21 | Mcp-Param-Region may be missing.
param-header-demanded-for-absent-argument | HDR-22 | Mcp-Param-Region is demanded without argument.
param-header-without-argument-accepted | HDR-23 | Mcp-Param-Region is ignored without argument.
integer-header-compared-as-text | HDR-26 | Mcp-Param-Limit is compared as a text.
boolean-header-case-ignored | HDR-27 | Mcp-Param-Fresh is compared without regard to case.
unknown-param-header-refused | HDR-28 | An unknown Mcp-Param header gives -32020.
notification-without-method-header-fails | HDR-32 | A notification without Mcp-Method gets 500.
handle-bound-to-connection | META-18 | A handle of `open_cart` is only known on the connection that got it.
capability-error-status-200 | CAP-02 | The -32021 error comes with status 200.
"""


def _read(table: str) -> dict[str, Fault]:
    faults: dict[str, Fault] = {}
    eras, transports = "", ""
    for line in filter(None, table.splitlines()):
        if line.startswith("#"):
            eras, transports = line.removeprefix("# ").split(" | ")
            continue
        name, rules, sentence = line.split(" | ")
        faults[name] = Fault(name, tuple(rules.split(",")), eras, tuple(transports.split()), sentence)
    return faults


FAULTS: dict[str, Fault] = _read(_TABLE)
