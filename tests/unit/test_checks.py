"""The rules as functions: a healthy value has no problem, each defect has one."""

from types import SimpleNamespace

import pytest

from McpLibrary.checks import arguments, errors, handshake, headers, leaks, streams
from McpLibrary.session.envelope import SERVER_INFO_KEY
from McpLibrary.session.revisions import LATEST_LEGACY, LATEST_MODERN, Era


def changed(value, **members):
    """A copy with members replaced; an Ellipsis removes one."""
    return {k: v for k, v in {**value, **members}.items() if v is not ...}


def one(problems, words):
    assert len(problems) == 1, problems
    assert words in problems[0]


# -- responses ------------------------------------------------------------------------------------------------------

RESULT = {"jsonrpc": "2.0", "id": 7, "result": {}}
ERROR = {"jsonrpc": "2.0", "id": 7, "error": {"code": -32601, "message": "m"}}


@pytest.mark.parametrize("message", [RESULT, ERROR, changed(ERROR, error={"code": 1, "message": "", "data": None})])
def test_healthy_responses(message):
    assert errors.response_problems(message) == []
    assert errors.response_problems(message, 7) == []


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ([], "a response must be an object, got list"),
        (None, "a response must be an object, got NoneType"),
        (changed(RESULT, jsonrpc=...), "'jsonrpc' must be \"2.0\", got None"),
        (changed(RESULT, jsonrpc=2.0), "'jsonrpc' must be"),
        (changed(RESULT, error={"code": 1, "message": "m"}), "this has both"),
        (changed(RESULT, result=...), "this has neither"),
        (changed(RESULT, result=[]), "'result' must be an object, got list"),
        (changed(RESULT, result=None), "'result' must be an object, got NoneType"),
        (changed(ERROR, error="text"), "'error' must be an object, got str"),
        (changed(ERROR, error={"message": "m"}), "'error.code' must be an integer, got None"),
        (changed(ERROR, error={"code": True, "message": "m"}), "'error.code' must be an integer"),
        (changed(ERROR, error={"code": 1.0, "message": "m"}), "'error.code' must be an integer"),
        (changed(ERROR, error={"code": "1", "message": "m"}), "'error.code' must be an integer"),
        (changed(ERROR, error={"code": 1}), "'error.message' must be a string, got None"),
        (changed(ERROR, error={"code": 1, "message": ["m"]}), "'error.message' must be a string"),
        (changed(RESULT, id="7"), "the id must be 7 with its type, got '7'"),
        (changed(RESULT, id=7.0), "the id must be 7"),
        (changed(RESULT, id=None), "the id must be 7 with its type, got None"),
        (changed(RESULT, id=...), "got 'none'"),
    ],
)
def test_each_defect_of_a_response(message, words):
    one(errors.response_problems(message, 7), words)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (1, 1, True),
        ("1", "1", True),
        (None, None, True),
        (1, "1", False),
        (1, True, False),
        (1, 1.0, False),
        (0, False, False),
    ],
)
def test_ids_are_the_same_with_their_type(first, second, same):
    assert errors.same_id(first, second) is same


@pytest.mark.parametrize("code", [-32700, -32601, -32020, -32021, -32022, -32000, -32019, -32100, 0, 1, "text", None])
def test_codes_that_a_modern_server_may_send(code):
    assert errors.code_problems(code, LATEST_MODERN) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [(-32002, "retired"), (-32042, "retired"), (-32023, "reserved"), (-32050, "reserved"), (-32099, "reserved")],
)
def test_codes_that_a_modern_server_must_not_send(code, words):
    one(errors.code_problems(code, LATEST_MODERN), words)
    assert errors.code_problems(code, LATEST_LEGACY) == []


@pytest.mark.parametrize(
    "data", [{"requiredCapabilities": {"sampling": {}}}, {"requiredCapabilities": {"sampling": {}, "x": {}}}]
)
def test_a_missing_capability_that_is_named(data):
    assert errors.missing_capability_problems(data, "sampling") == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "must be an object, got None"),
        ({}, "must be an object, got None"),
        ({"requiredCapabilities": ["sampling"]}, "must be an object"),
        ({"requiredCapabilities": {}}, "must name 'sampling', got []"),
        ({"requiredCapabilities": {"roots": {}}}, "must name 'sampling', got ['roots']"),
    ],
)
def test_a_missing_capability_that_is_not_named(data, words):
    one(errors.missing_capability_problems(data, "sampling"), words)


@pytest.mark.parametrize(
    ("message", "concise"),
    [("A sentence.", True), ("A sentence.\n", True), ("", True), ("x" * 301, False), ("two\nlines", False)],
)
def test_a_message_is_concise(message, concise):
    assert errors.is_concise(message) is concise


# -- handshake ------------------------------------------------------------------------------------------------------

INFO = {"name": "shop", "version": "1"}
INITIALIZED = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": INFO}


def test_a_healthy_initialize_result():
    assert handshake.initialize_problems(INITIALIZED) == []


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("text", "the result must be an object, got str"),
        (changed(INITIALIZED, protocolVersion=...), "the result has no 'protocolVersion'"),
        (changed(INITIALIZED, protocolVersion=1), "'protocolVersion' must be a string, got 1"),
        (changed(INITIALIZED, capabilities=...), "the result has no 'capabilities'"),
        (changed(INITIALIZED, capabilities=[]), "'capabilities' must be an object, got []"),
        (changed(INITIALIZED, serverInfo=...), "the result has no 'serverInfo'"),
        (changed(INITIALIZED, serverInfo=None), "'serverInfo' must be an object, got None"),
    ],
)
def test_each_defect_of_an_initialize_result(result, words):
    one(handshake.initialize_problems(result), words)


DISCOVERED = {"supportedVersions": ["2026-07-28", "2025-11-25"], "capabilities": {}}


def test_a_healthy_discover_result():
    assert handshake.discover_problems(DISCOVERED, LATEST_MODERN) == []


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "the result must be an object"),
        (changed(DISCOVERED, supportedVersions=...), "must be a list of non-empty strings, got None"),
        (changed(DISCOVERED, supportedVersions=[]), "must be a list of non-empty strings"),
        (changed(DISCOVERED, supportedVersions="2026-07-28"), "must be a list of non-empty strings"),
        (changed(DISCOVERED, supportedVersions=["2026-07-28", ""]), "must be a list of non-empty strings"),
        (changed(DISCOVERED, supportedVersions=["2026-07-28", 1]), "must be a list of non-empty strings"),
        (changed(DISCOVERED, supportedVersions=["2025-11-25"]), "must contain the version just served, 2026-07-28"),
        (changed(DISCOVERED, capabilities=...), "'capabilities' must be an object, got 'none'"),
        (changed(DISCOVERED, capabilities=[]), "'capabilities' must be an object, got []"),
    ],
)
def test_each_defect_of_a_discover_result(result, words):
    one(handshake.discover_problems(result, LATEST_MODERN), words)


@pytest.mark.parametrize(
    "info",
    [
        INFO,
        {**INFO, "title": "", "description": "d", "websiteUrl": "u", "icons": [], "extra": 1},
        {**INFO, "icons": [{"src": "s", "mimeType": "image/png", "sizes": ["any"], "theme": "dark"}]},
    ],
)
def test_a_healthy_server_info(info):
    assert handshake.server_info_problems(info) == []
    assert handshake.stamp_problems({"_meta": {SERVER_INFO_KEY: info}}) == []


@pytest.mark.parametrize(
    ("info", "words"),
    [
        ([], "serverInfo must be an object"),
        (changed(INFO, name=...), "the name must be a string that is not empty, got None"),
        (changed(INFO, name=" "), "the name must be a string that is not empty"),
        (changed(INFO, name=7), "the name must be a string"),
        (changed(INFO, version=...), "the version must be a string, got None"),
        (changed(INFO, version=1), "the version must be a string"),
        (changed(INFO, title=None), "'title' must be a string, got None"),
        (changed(INFO, description=1), "'description' must be a string"),
        (changed(INFO, websiteUrl=[]), "'websiteUrl' must be a string"),
        (changed(INFO, icons={}), "'icons' must be a list"),
        (changed(INFO, icons=["logo.png"]), "an icon must be an object with a string 'src', got 'logo.png'"),
        (changed(INFO, icons=[{"src": "s", "mimeType": 1}]), "the 'mimeType' of an icon must be a string"),
        (changed(INFO, icons=[{"src": "s", "sizes": "48x48"}]), "the 'sizes' of an icon must be a list of strings"),
        (changed(INFO, icons=[{"src": "s", "theme": "blue"}]), "the 'theme' of an icon must be light or dark"),
    ],
)
def test_each_defect_of_a_server_info(info, words):
    one(handshake.server_info_problems(info), words)
    one(handshake.stamp_problems({"_meta": {SERVER_INFO_KEY: info}}), words)


@pytest.mark.parametrize("result", [None, {}, {"_meta": {}}, {"_meta": []}, {"_meta": {"serverInfo": INFO}}])
def test_a_result_without_a_stamp(result):
    one(handshake.stamp_problems(result), f"the result's '_meta' has no '{SERVER_INFO_KEY}'")


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"tools": {}, "prompts": {"listChanged": True}, "resources": {"listChanged": False, "subscribe": True}},
        {"logging": {}, "completions": {}, "experimental": {"x": {}}, "tasks": {"list": {}}, "unknown": 7},
        {"extensions": {"io.example/thing": {}, "com.a-b.c/x.y_z-1": {"any": 1}}},
    ],
)
def test_healthy_capabilities(capabilities):
    assert handshake.capability_problems(capabilities) == []


@pytest.mark.parametrize(
    ("capabilities", "words"),
    [
        ([], "'capabilities' must be an object, got []"),
        ({"tools": True}, "capability 'tools' must be an object, got True"),
        ({"logging": None}, "capability 'logging' must be an object"),
        ({"tools": {"listChanged": "true"}}, "capability 'tools.listChanged' must be a boolean"),
        ({"resources": {"subscribe": 1}}, "capability 'resources.subscribe' must be a boolean, got 1"),
        ({"extensions": []}, "capability 'extensions' must be an object"),
        ({"extensions": {"noprefix": {}}}, "extension 'noprefix' must be named prefix/name"),
        ({"extensions": {"1.a/x": {}}}, "must be named prefix/name"),
        ({"extensions": {"a-/x": {}}}, "must be named prefix/name"),
        ({"extensions": {"a/": {}}}, "must be named prefix/name"),
        ({"extensions": {"a/b/c": {}}}, "must be named prefix/name"),
        ({"extensions": {"io.example/thing": True}}, "extension 'io.example/thing' must hold an object, got True"),
    ],
)
def test_each_defect_of_capabilities(capabilities, words):
    one(handshake.capability_problems(capabilities), words)


@pytest.mark.parametrize("result", [{}, {"instructions": ""}, {"instructions": "Be kind."}, None])
def test_healthy_instructions(result):
    assert handshake.instructions_problems(result) == []


@pytest.mark.parametrize("value", [None, 7, ["Be kind."]])
def test_instructions_that_are_no_string(value):
    one(handshake.instructions_problems({"instructions": value}), "'instructions' must be a string")


def test_a_healthy_result_type():
    assert handshake.result_type_problems({"resultType": "complete"}) == []
    assert handshake.result_type_problems({"resultType": "input_required"}) == []


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "the result must be an object"),
        ({}, "the result has no 'resultType'"),
        ({"resultType": "done"}, "'resultType' must be complete or input_required, got 'done'"),
        ({"resultType": None}, "'resultType' must be"),
    ],
)
def test_each_defect_of_a_result_type(result, words):
    one(handshake.result_type_problems(result), words)


def test_extensions_of_both_sides_have_result_types_of_their_own():
    assert handshake.result_type_problems({"resultType": "task"}, ("io.modelcontextprotocol/tasks",)) == []
    one(handshake.result_type_problems({"resultType": 7}, ("io.modelcontextprotocol/tasks",)), "'resultType' must be")


REFUSED = {"supported": ["2026-07-28"], "requested": "1999-01-01"}


def test_a_healthy_refusal_of_a_version():
    assert handshake.unsupported_version_problems({"data": REFUSED}, "1999-01-01", Era.MODERN) == []
    assert handshake.unsupported_version_problems({}, "1999-01-01", Era.LEGACY) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (None, "no data that names the supported versions"),
        ({}, "no data that names the supported versions"),
        ({"data": []}, "no data that names the supported versions"),
        ({"data": changed(REFUSED, supported=...)}, "'data.supported' must be a list of non-empty strings, got None"),
        ({"data": changed(REFUSED, supported=[])}, "'data.supported'"),
        ({"data": changed(REFUSED, supported=[1])}, "'data.supported'"),
        ({"data": changed(REFUSED, requested=...)}, "'data.requested' must be '1999-01-01', got 'none'"),
        ({"data": changed(REFUSED, requested="2000-01-01")}, "'data.requested'"),
    ],
)
def test_each_defect_of_a_refusal_of_a_version(error, words):
    one(handshake.unsupported_version_problems(error, "1999-01-01", Era.MODERN), words)


@pytest.mark.parametrize("negotiated", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_healthy_negotiated_revisions(negotiated):
    assert handshake.negotiated_problems("1999-01-01", negotiated) == []


@pytest.mark.parametrize(
    ("negotiated", "words"),
    [
        (None, "'protocolVersion' must be a string, got None"),
        ("1999-01-01", "the server negotiated '1999-01-01', which is no legacy revision"),
        ("2026-07-28", "which is no legacy revision"),
        ("", "which is no legacy revision"),
    ],
)
def test_negotiated_revisions_that_are_none(negotiated, words):
    one(handshake.negotiated_problems("1999-01-01", negotiated), words)


# -- header annotations ---------------------------------------------------------------------------------------------


def annotated(token="Region", kind="string"):
    return {"type": kind, "x-mcp-header": token}


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": annotated()}},
        {"properties": {"a": annotated("A", "integer"), "b": annotated("B", "boolean")}},
        {"properties": {"o": {"type": "object", "properties": {"a": annotated()}}}},
        {"properties": {"x-mcp-header": {"type": "string"}}},
        {},
        True,
        None,
        [],
    ],
)
def test_healthy_annotations(schema):
    assert headers.annotation_problems(schema) == []


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"properties": {"a": annotated("")}}, "#/properties/a: x-mcp-header '' is empty"),
        ({"properties": {"a": annotated("has space")}}, "is no token of a header name"),
        ({"properties": {"a": annotated("é")}}, "is no token of a header name"),
        ({"properties": {"a": annotated("a:b")}}, "is no token of a header name"),
        ({"properties": {"a": annotated("a\n")}}, "is no token of a header name"),
        ({"properties": {"a": annotated(7)}}, "must be a string, got int"),
        ({"properties": {"a": annotated(kind="number")}}, "needs type string, integer, boolean, not 'number'"),
        ({"properties": {"a": annotated(kind="object")}}, "needs type"),
        ({"properties": {"a": {"x-mcp-header": "A"}}}, "needs type string, integer, boolean, not None"),
        ({"properties": {"a": annotated("A", ["string", "null"])}}, "needs type"),
        ({"properties": {"a": annotated("One"), "b": annotated("oNE")}}, "'oNE' is taken by #/properties/a"),
        (annotated(), "#: x-mcp-header stands where it is not reached"),
        (
            {"properties": {"a": {"type": "array", "items": annotated()}}},
            "#/properties/a/items: x-mcp-header stands where",
        ),
        ({"properties": {"a": {"items": [annotated()]}}}, "#/properties/a/items/0: x-mcp-header stands where"),
        ({"properties": {"a": {"anyOf": [{}, annotated()]}}}, "#/properties/a/anyOf/1"),
        ({"allOf": [{"properties": {"a": annotated()}}]}, "#/allOf/0/properties/a"),
        ({"$defs": {"d/~": annotated()}}, "#/$defs/d~1~0"),
        ({"additionalProperties": annotated()}, "#/additionalProperties"),
        ({"patternProperties": {"^a": annotated()}}, "#/patternProperties/^a"),
        ({"if": {"properties": {"a": annotated()}}}, "#/if/properties/a"),
        ({"not": annotated()}, "#/not"),
        ({"dependentSchemas": {"a": annotated()}}, "#/dependentSchemas/a"),
    ],
)
def test_each_defect_of_an_annotation(schema, words):
    one(headers.annotation_problems(schema), words)


def test_very_deep_schemas_are_walked():
    schema = annotated()
    for _ in range(900):
        schema = {"items": schema}
    assert len(headers.annotation_problems(schema)) == 1


# -- leaks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Traceback (most recent call last):\n  x", "a Python traceback"),
        ('  File "/srv/app/server.py", line 12, in call', "a Python traceback"),
        ("Error: x\n    at handler (/srv/app/index.js:10:5)", "a JavaScript stack trace"),
        ("Error: x\n    at async Server.run (node:internal/main:10:5)", "a JavaScript stack trace"),
        ("Error: x\n    at file:///srv/app/index.mjs:10:5", "a JavaScript stack trace"),
        ("at com.example.Shop.call(Shop.java:12)", "a Java stack trace"),
        ("goroutine 1 [running]:", "a Go stack trace"),
        ("panic: runtime error: index out of range", "a Go stack trace"),
        ("thread 'main' panicked at src/main.rs:2", "a Rust panic"),
        ("at Shop.Call(Int32 n) in C:\\src\\Shop.cs:line 12", "a .NET stack trace"),
        ("#0 /srv/app/index.php(12): call()", "a PHP or Ruby stack trace"),
        ("/srv/app/shop.rb:12:in `call'", "a PHP or Ruby stack trace"),
        ("cannot find module in /x/node_modules/y", "a path into node_modules"),
        ("/usr/lib/python3/dist-packages/x", "a path into site-packages"),
        ("SQLSTATE[42S02]: no such table", "database internals"),
        ("sqlite3.OperationalError: no such table", "database internals"),
        ("ORA-00942: table or view", "database internals"),
    ],
)
def test_each_kind_of_leak_is_found(text, what):
    found = leaks.find_leaks(f"Something failed. {text}")
    assert what in [leak.what for leak in found]
    assert all(leak.text and leak.text in f"Something failed. {text}" for leak in found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The order 999999 does not exist.",
        "Look at https://example.com/help for more.",
        "Meet at noon (line 12 of the form).",
        "The file report.py has 3 lines.",
        "A traceback is not shown.",
        "Error: quantity must be at least 1",
        "Oracle of Delphi, ORA-1",
    ],
)
def test_ordinary_texts_leak_nothing(text):
    assert leaks.find_leaks(text) == []
    assert leaks.find_validator_dump(text) is None


def test_the_place_of_a_leak_is_shortened():
    leak = leaks.find_leaks("x" * 1000 + " SQLSTATE " + "y" * 1000)[0]
    assert "SQLSTATE" in leak.text and len(leak.text) <= 100


@pytest.mark.parametrize(
    "text",
    [
        "For further information visit https://errors.pydantic.dev/2.9/v/missing",
        "qty [type=int_parsing, input_value='x']",
        '[{"code": "invalid_type", "path": ["qty"]}]',
        '"code":"too_small"',
    ],
)
def test_the_dump_of_a_validator_is_found(text):
    assert leaks.find_validator_dump(text).what == "the dump of a validation library"


# -- arguments ------------------------------------------------------------------------------------------------------

SCHEMA = {
    "properties": {
        "s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"}, "b": {"type": "boolean"},
        "a": {"type": "array"}, "o": {"type": "object"}, "u": {"type": ["string", "null"]}, "x": {}, "z": True,
    },
    "required": ["s", "i", "absent"],
}  # fmt: skip
GOOD = {"s": "x", "i": 1, "n": 1.5, "b": True}


def test_arguments_without_each_required_one():
    found = list(arguments.without_required(SCHEMA, GOOD))
    assert [what for what, _ in found] == ["required argument 's' missing", "required argument 'i' missing"]
    assert [set(GOOD) - set(bad) for _, bad in found] == [{"s"}, {"i"}]
    assert GOOD == {"s": "x", "i": 1, "n": 1.5, "b": True}


def test_arguments_with_a_wrong_type_each():
    jsonschema = pytest.importorskip("jsonschema")
    found = list(arguments.with_wrong_types(SCHEMA, GOOD))
    assert len(found) == 6
    for what, bad in found:
        wrong = [name for name in bad if bad[name] != GOOD.get(name)]
        assert len(wrong) == 1 and f"argument {wrong[0]!r} of type" in what
        assert not jsonschema.Draft202012Validator(SCHEMA["properties"][wrong[0]]).is_valid(bad[wrong[0]])


def test_numbers_given_as_text():
    assert list(arguments.with_numeric_text(SCHEMA, GOOD)) == [
        ("argument 'i' of type integer given as text", {**GOOD, "i": "1"}),
        ("argument 'n' of type number given as text", {**GOOD, "n": "1.5"}),
    ]


@pytest.mark.parametrize(
    "schema", [None, True, [], {}, {"properties": [], "required": "s"}, {"properties": {"s": None}}]
)
def test_schemas_that_say_nothing_give_no_bad_arguments(schema):
    for make in (arguments.without_required, arguments.with_wrong_types, arguments.with_numeric_text):
        assert list(make(schema, GOOD)) == []


# -- progress and stdout --------------------------------------------------------------------------------------------


def asked(token=...):
    return {"params": {} if token is ... else {"_meta": {"progressToken": token}}}


def progress(*values, token="t"):
    return [{"params": {"progressToken": token, "progress": value}} for value in values]


@pytest.mark.parametrize(
    ("request_", "notes"),
    [
        (asked("t"), progress(0, 0.5, 1, 100)),
        (asked(7), progress(-1, 0, token=7)),
        (asked(0), progress(1, token=0)),
        (asked("t"), []),
        (asked(), []),
    ],
)
def test_healthy_progress(request_, notes):
    assert streams.progress_problems(request_, notes) == []


@pytest.mark.parametrize(
    ("request_", "notes", "words"),
    [
        (asked("t"), progress(1, 1), "progress must rise, but went from 1 to 1"),
        (asked("t"), progress(2, 1), "progress must rise, but went from 2 to 1"),
        (asked("t"), progress("1"), "'progress' must be a number, got '1'"),
        (asked("t"), progress(True), "'progress' must be a number"),
        (asked("t"), progress(None), "'progress' must be a number"),
        (asked("t"), [{}], "a progress notification has no params"),
        (asked("t"), [{"params": [1]}], "a progress notification has no params"),
        (asked("t"), progress(1, token="other"), "the progress token must be 't' with its type, got 'other'"),
        (asked("1"), progress(1, token=1), "the progress token must be '1' with its type, got 1"),
        (asked(1), progress(1, token=True), "the progress token must be 1 with its type, got True"),
        (asked(), progress(1), "progress was sent for a request without a token, under 't'"),
        (None, progress(1), "progress was sent for a request without a token"),
    ],
)
def test_each_defect_of_progress(request_, notes, words):
    one(streams.progress_problems(request_, notes), words)


@pytest.mark.parametrize(
    ("channel", "kind", "shown"),
    [
        ("stdout", "garbage", True),
        ("stdout", "invalid", True),
        ("stdout", "result", False),
        ("stdout", "batch", False),
        ("stdin", "garbage", False),
        ("POST", "garbage", False),
    ],
)
def test_only_messages_belong_on_stdout(channel, kind, shown):
    frame = SimpleNamespace(channel=channel, kind=kind, raw=b"ready \xff")
    assert streams.stdout_problems([frame]) == (["ready \\xff"] if shown else [])


# -- what is declared, pings, helpful refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capabilities", "name", "declared"),
    [
        ({"tools": {}}, "tools", True),
        ({"tools": {}}, "prompts", False),
        ({"tools": None}, "tools", False),
        ({"resources": {"subscribe": True}}, "resources.subscribe", True),
        ({"resources": {"subscribe": False}}, "resources.subscribe", False),
        ({"resources": {}}, "resources.subscribe", False),
        ({"resources": True}, "resources.subscribe", False),
        ({}, "resources.subscribe", False),
    ],
)
def test_what_counts_as_declared(capabilities, name, declared):
    assert handshake.is_declared(capabilities, name) is declared


@pytest.mark.parametrize("result", [{}, {"_meta": {}}])
def test_an_empty_ping(result):
    assert handshake.ping_problems(result) == []


@pytest.mark.parametrize(
    ("result", "words"), [({"b": 1, "a": 2}, "but has a, b"), ("pong", "but has 'pong'"), (None, "None")]
)
def test_a_ping_that_says_something(result, words):
    one(handshake.ping_problems(result), words)


def test_a_refusal_helps_when_it_names_a_version_anywhere():
    versions = ["2026-07-28"]
    assert handshake.unhelpful_refusal({"code": 1, "data": {"supported": versions}}, "", versions) == []
    assert handshake.unhelpful_refusal({"code": 1, "message": "use 2026-07-28"}, "", versions) == []
    assert handshake.unhelpful_refusal(None, "<p>only 2026-07-28</p>", versions) == []
    one(handshake.unhelpful_refusal({"code": 1, "message": "no 2025-11-25"}, "", versions), "2026-07-28")
