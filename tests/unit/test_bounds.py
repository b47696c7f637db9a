"""What belongs to a revision and to what a client declared: nothing newer, nothing that was not declared."""

import pytest

from McpLibrary.checks import bounds
from McpLibrary.session.revisions import REVISIONS

OLD, MIDDLE, NEW = (REVISIONS[name] for name in ("2025-03-26", "2025-06-18", "2025-11-25"))
TOOL = {"name": "add", "inputSchema": {}, "outputSchema": {}, "icons": []}


def test_members_that_came_later_are_told_with_their_revision():
    assert bounds.newer_members("tool", TOOL, OLD, "add") == [
        "tool 'add' has 'outputSchema', which came with 2025-06-18",
        "tool 'add' has 'icons', which came with 2025-11-25",
    ]
    assert bounds.newer_members("tool", TOOL, MIDDLE) == ["the tool has 'icons', which came with 2025-11-25"]
    assert bounds.newer_members("tool", TOOL, NEW) == []


@pytest.mark.parametrize("value", [None, [], "text", {}])
def test_what_has_no_members_is_fine(value):
    assert bounds.newer_members("tool", value, OLD) == []


def test_each_item_of_a_list_is_looked_at():
    prompts = [{"name": "a"}, {"name": "b", "title": "B"}, 7]
    assert bounds.newer_items("prompt", prompts, OLD) == ["prompt 'b' has 'title', which came with 2025-06-18"]


@pytest.mark.parametrize(
    ("result", "revision", "problems"),
    [
        ({"content": [{"type": "text"}, {"type": "audio"}]}, OLD, []),
        ({"content": [{"type": "audio"}]}, REVISIONS["2024-11-05"],
         ["there is a content block of type 'audio', which came with 2025-03-26"]),
        ({"content": [{"type": "resource_link"}]}, OLD,
         ["there is a content block of type 'resource_link', which came with 2025-06-18"]),
        ({"content": [{"type": "resource_link"}]}, MIDDLE, []),
        ({"content": [{"type": "text", "_meta": {}}]}, OLD,
         ["content block 'text' has '_meta', which came with 2025-06-18"]),
        ({"content": [], "structuredContent": {}}, OLD, ["the result has 'structuredContent', which came with 2025-06-18"]),
        ({"content": [], "structuredContent": {}}, NEW, []),
        ({"content": [], "resultType": "complete"}, NEW, ["the result has 'resultType', which came with 2026-07-28"]),
        ({"content": [{"type": "unheard of"}, {"type": ["text"]}, None]}, OLD, []),
        ({"content": "text"}, OLD, []),
        (None, OLD, []),
    ],
)  # fmt: skip
def test_content(result, revision, problems):
    assert bounds.newer_content(result, revision) == problems


ALL = {"elicitation": {}, "sampling": {}, "roots": {}}


@pytest.mark.parametrize(
    ("method", "params", "declared", "revision", "reason"),
    [
        ("elicitation/create", {}, ALL, OLD, "2025-03-26 has no elicitation (it came with 2025-06-18)"),
        ("elicitation/create", {"mode": "url"}, ALL, MIDDLE, "2025-06-18 has no elicitation by URL (it came with 2025-11-25)"),
        ("elicitation/create", {"mode": "form"}, ALL, MIDDLE, None),
        ("elicitation/create", {"mode": "url"}, ALL, NEW, None),
        ("elicitation/create", {}, {}, NEW, "the client did not declare 'elicitation'"),
        ("sampling/createMessage", {}, {"elicitation": {}}, OLD, "the client did not declare 'sampling'"),
        ("roots/list", None, None, NEW, "the client did not declare 'roots'"),
        ("roots/list", None, ALL, OLD, None),
        ("ping", None, {}, OLD, None),
        (None, None, {}, OLD, None),
    ],
)  # fmt: skip
def test_questions(method, params, declared, revision, reason):
    assert bounds.forbidden_question(method, params, declared, revision) == reason


def test_only_ping_may_come_early():
    assert bounds.early_requests(["ping", "roots/list", None]) == ["roots/list", "None"]
    assert bounds.early_requests(["ping"]) == []
