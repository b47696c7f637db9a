"""URIs and templates, lists and pages, caching hints, and what resources, prompts and completions must be like."""

from __future__ import annotations

import base64

import pytest

from McpLibrary.checks import caching, completion, prompts, resources
from McpLibrary.checks.lists import identity, list_differences, order_difference, repeated
from McpLibrary.checks.uris import filled, template_problem, uri_problem, variables
from McpLibrary.session.revisions import REVISIONS

LATEST = REVISIONS["2026-07-28"]


# -- URIs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "uri",
    [
        "shop://menu", "file:///a/b.txt", "urn:isbn:0451450523", "mailto:a@b.c", "https://u:p@h:80/p/;x=1?q=/?#f?/", "a:", "a:/",
        "a://", "http://[::1]:8000/", "http://[v1.x]/", "memo://x/%C3%A4", "git+ssh://h/p", "a:b//c", "x-y.z+1:(*)!$&',;=@",
    ],
)  # fmt: skip
def test_uris(uri):
    assert uri_problem(uri) == ""


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("", "is empty"), (5, "is no text"), ("menu", "has no scheme"), ("/menu", "has no scheme"), ("1a://x", "has no scheme"),
        ("://x", "has no scheme"), ("shop://the menu", "has ' '"), ("shop://men\u00fc", "has '\u00fc'"), ("shop://{item}", "has '{'"),
        ("shop://100%", "has '%', which is no"), ("shop://%4g", "has '%4g'"), ("shop://a\\b", "which a URI"), ("a:b#c#d", "built"),
        ("http://h:port/", "built"), ("http://[::1/", "built"), ("a://b[c]/", "built"), ("x:\n", "has '\\n'"), ("x:<y>", "has '<'"),
    ],
)  # fmt: skip
def test_no_uris(uri, said):
    assert said in uri_problem(uri)


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("shop://menu", []), ("shop://{a}", ["a"]), ("file:///{+path}", ["path"]), ("a:{b}/{b}{?c,d*}{&e:3}", ["b", "c", "d", "e"]),
        ("a:{;x.y,z_1}{#f}{.g}{/h}", ["x.y", "z_1", "f", "g", "h"]), ("a:{%C3%A4}", ["%C3%A4"]), ("shop://\u00e4/{a}", ["a"]),
    ],
)  # fmt: skip
def test_templates(template, names):
    assert template_problem(template) == ""
    assert variables(template) == names


@pytest.mark.parametrize(
    ("template", "said"),
    [
        (None, "is no text"), ("", "is empty"), ("a:{b", "without its other half"), ("a:b}", "without its other half"), ("a:{}", "names no variable"),
        ("a:{b c}", "{b c}"), ("a:{b:0}", "{b:0}"), ("a:{b-c}", "{b-c}"), ("a:{=b}", "{=b}"), ("a: {b}", "has ' '"), ("a:%{b}", "has '%'"),
        ("a:{{b}}", "without its other half"),
    ],
)  # fmt: skip
def test_no_templates(template, said):
    assert said in template_problem(template)


@pytest.mark.parametrize(
    ("template", "got"),
    [
        ("a:{b}/{+c}", "a:../x/../x"), ("a:{b,c}", "a:../x,../x"), ("a:{?b,c}", "a:?b=../x&c=../x"), ("a:{/b}{#c}", "a:/../x#../x"),
        ("a:{;b*}", "a:;b=../x"), ("a:{b c}", "a:../x"), ("a:b", "a:b"),
    ],
)  # fmt: skip
def test_filled_templates(template, got):
    assert filled(template, "../x") == got


# -- lists ----------------------------------------------------------------------------------------------------------


def test_items_are_known_by_their_own_name():
    assert identity({"uri": "a:b", "name": "x"}) == "a:b"
    assert identity({"uriTemplate": "a:{b}", "name": "x"}) == "a:{b}"
    assert identity({"name": "x"}) == "x"
    assert identity("x") == "'x'"


def test_repeated_items_are_the_very_same():
    one, two = {"name": "a", "x": 1}, {"name": "a", "x": 2}
    assert repeated([one, two]) == []
    assert repeated([one, two, one, one]) == ["a"]


def test_differences_of_lists():
    one, two, other = {"name": "a", "x": 1}, {"name": "b"}, {"name": "a", "x": 2}
    assert list_differences([one, two], [two, one]) == []
    assert list_differences([one], [two]) == ["'a' is gone", "'b' is new"]
    assert list_differences([one], [other]) == ["'a' has another 'x'"]
    assert list_differences([one, one], [one]) == ["there were 2 items, now there are 1"]
    assert order_difference([one, two], [one, two]) == ""
    assert order_difference([one, two], [two, one]) == "place 1 held 'a', then 'b'"
    same_name = [{"uri": "a:1", "name": "x"}, {"uri": "a:2", "name": "x"}]
    assert list_differences(same_name, same_name[:1]) == ["'a:2' is gone"]


# -- caching --------------------------------------------------------------------------------------------------------

HINTS = {"ttlMs": 0, "cacheScope": "private"}


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("tools/list", HINTS), ("server/discover", {"ttlMs": 1000, "cacheScope": "public"}), ("tools/call", {}),
        ("tools/list", {"resultType": "input_required"}), ("tools/list", "text"),
    ],
)  # fmt: skip
def test_healthy_cache_hints(method, result):
    assert caching.hint_problems(method, result) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ttlMs": ...}, "'ttlMs' is missing (CACHE-01)"), ({"cacheScope": ...}, "'cacheScope' is missing (CACHE-01)"),
        *(({"ttlMs": value}, f"got {value!r} (CACHE-02)") for value in (-1, 1.5, True, "1", None)),
        *(({"cacheScope": value}, f"got {value!r} (CACHE-03)") for value in ("Public", ["public"], None)),
    ],
)  # fmt: skip
def test_each_defect_of_cache_hints(changes, said):
    result = {key: value for key, value in {**HINTS, **changes}.items() if value is not ...}
    (problem,) = caching.hint_problems("resources/read", result)
    assert said in problem


def test_questions_and_pages():
    assert caching.question_problems({"resultType": "input_required"}) == []
    assert len(caching.question_problems({"resultType": "input_required", **HINTS})) == 2
    assert caching.scope_problems([HINTS, HINTS]) == caching.scope_problems([]) == []
    assert caching.scope_problems([HINTS, {"cacheScope": "public"}, {}]) == [
        "page 2 says 'public', page 1 'private'", "page 3 says None, page 1 'private'",
    ]  # fmt: skip


# -- definitions ----------------------------------------------------------------------------------------------------

RESOURCE = {"uri": "a:b", "name": "n", "title": "t", "description": "", "mimeType": "text/plain", "size": 0}
TEMPLATE = {"uriTemplate": "a:{b}", "name": "n", "mimeType": "text/plain"}
PROMPT = {"name": "n", "arguments": [{"name": "a", "required": True}, {"name": "b", "description": "d"}]}


def test_healthy_definitions():
    for item in (RESOURCE, {"uri": "a:b", "name": "n", "size": 5.0, "annotations": {"priority": 1}}):
        assert resources.resource_problems(item) == resources.address_problems(item) == []
    assert resources.template_problems(TEMPLATE) == []
    for item in (PROMPT, {"name": "n"}, {"name": "n", "arguments": []}):
        assert resources.prompt_problems(item) == []


@pytest.mark.parametrize(
    ("kind", "item", "said"),
    [
        ("resources", "a:b", "must be an object"), ("resources", {**RESOURCE, "name": ""}, "'name' must be a text"),
        ("resources", {"name": "n"}, "'uri' is missing"), ("resources", {"uri": "a:b"}, "'name' is missing"),
        ("resources", {**RESOURCE, "title": 5}, "'title'"), ("resources", {**RESOURCE, "mimeType": "text"}, "MIME"),
        *(("resources", {**RESOURCE, "size": size}, "'size'") for size in ("1", -1, 1.5, True, None)),
        ("resources", {**RESOURCE, "annotations": []}, "annotations"), ("resource URIs", {"uri": "b"}, "its URI has no scheme"),
        ("resource templates", {"name": "n"}, "'uriTemplate' is missing"), ("resource templates", {"uriTemplate": "a:b"}, "'name'"),
        ("resource templates", {**TEMPLATE, "uriTemplate": "a:{"}, "its template has a brace"), ("resource templates", 5, "object"),
        ("prompts", [], "must be an object"), ("prompts", {}, "'name' is missing"), ("prompts", {"name": "n", "arguments": {}}, "array"),
        ("prompts", {"name": "n", "arguments": ["a"]}, "argument 1 must be"), ("prompts", {"name": "n", "arguments": [{}]}, "argument 1: 'name'"),
        ("prompts", {"name": "n", "arguments": [{"name": "a", "required": "yes"}]}, "'required'"),
    ],
)  # fmt: skip
def test_each_defect_of_a_definition(kind, item, said):
    (problem,) = resources.DEFINITIONS[kind][1](item)
    assert said in problem


# -- what is read, got and completed --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["root:x:0:0:root:/root:/bin/bash\n", "daemon:x\nroot::0:0:", "; for 16-bit app support\r\n[fonts]"]
)
def test_files_of_the_machine_are_known(text):
    assert resources.foreign_content({"contents": [{"uri": "a:b", "text": text}]})
    assert resources.foreign_content({"contents": [{"uri": "a:b", "blob": base64.b64encode(text.encode()).decode()}]})


@pytest.mark.parametrize(
    "result", [None, {}, {"contents": {}}, {"contents": [5, {"text": 5}, {"text": "Hello, ../../etc/passwd root:x"}, {"blob": "?"}]}]
)  # fmt: skip
def test_nothing_foreign(result):
    assert resources.foreign_content(result) == ""


def test_contents_are_an_array():
    assert resources.contents_problems({"contents": []}) == []
    assert resources.contents_problems({"contents": {}}) == ["'contents' must be an array, got dict"]
    assert resources.contents_problems({}) == ["'contents' must be an array, got none"]


def message(role="user", **content):
    return {"messages": [{"role": role, "content": {"type": "text", "text": "", **content}}]}


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({}, "'messages' must be an array, got none"), ({"messages": ["x"]}, "message 1 must be an object"), (message(role="system"), "'role'"),
        (message(type="video"), "'type' must be one of"), ({"messages": [{"role": "user", "content": "x"}]}, "must be an object"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]}, "must be an object"),
        (message(type="resource_link", uri="a:b"), "'name'"),
    ],
)  # fmt: skip
def test_each_defect_of_a_message(result, said):
    (problem,) = prompts.message_problems(result, LATEST)
    assert said in problem


def test_what_messages_hold():
    good = message()
    assert prompts.message_problems(good, LATEST) == prompts.media_and_resource_problems(good) == []
    assert not prompts.holds_media_or_resources(good) and not prompts.holds_media_or_resources({"messages": None})
    bad = message(type="image", data="?", mimeType="png")
    assert prompts.holds_media_or_resources(bad)
    assert [p[:9] for p in prompts.media_and_resource_problems(bad)] == ["message 1"] * 2
    untyped = message(type="resource", resource={"uri": "a:b", "text": ""})
    assert prompts.media_and_resource_problems(untyped) == []
    assert prompts.untyped_resource_problems(untyped) == ["message 1: the resource has no 'mimeType'"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"values": None}, "must be an array"), ({"values": ["a", 5]}, "value 2 must be a text"), ({"values": ["a"] * 101}, "at most 100"),
        ({"values": [], "total": "1"}, "'total'"), ({"values": [], "total": True}, "'total'"), ({"values": [], "hasMore": 0}, "'hasMore'"),
    ],
)  # fmt: skip
def test_each_defect_of_a_completion(values, said):
    (problem,) = completion.completion_problems({"completion": values})
    assert said in problem


def test_completions():
    assert completion.completion_problems({}) == ["'completion' must be an object, got none"]
    assert completion.completion_problems({"completion": {"values": ["a"] * 100, "total": 500, "hasMore": True}}) == []

    def said(**counts):
        return completion.count_problems({"completion": {"values": ["a", "b"], **counts}})

    assert (
        said()
        == said(total=2)
        == said(total=2, hasMore=False)
        == said(total=3, hasMore=True)
        == said(hasMore=True)
        == []
    )
    assert said(total=3) == []
    assert said(total=1) == ["'total' is 1, but there are 2 values"]
    assert "'hasMore' is false" in said(total=3, hasMore=False)[0]
    assert "'hasMore' is true" in said(total=2, hasMore=True)[0]
