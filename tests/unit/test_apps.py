"""The checks of MCP Apps: which tools bring a page, and whether the page can be shown."""

import pytest

from McpLibrary.checks import apps


def test_the_views_of_tools_are_found():
    tools = [
        {"name": "plain"},
        {"name": "odd", "_meta": {"ui": "x"}},
        {"name": "seen", "_meta": {"ui": {"resourceUri": "ui://a"}}},
        {"name": "wrong", "_meta": {"ui": {"resourceUri": 5}}},
        "garbage",
    ]
    assert list(apps.view_uris(tools)) == [("seen", "ui://a"), ("wrong", 5)]


@pytest.mark.parametrize(
    ("uri", "right"), [("ui://a/b.html", True), ("ui://", False), ("https://x", False), (5, False)]
)
def test_the_address_of_a_view(uri, right):
    assert (apps.uri_problems(uri) == []) is right


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"contents": [{"mimeType": "text/html;profile=mcp-app", "text": "<p>"}]}, None),
        ({"contents": [{"mimeType": "text/html; profile=mcp-app", "blob": "PHA+"}]}, None),
        ({"contents": [{"mimeType": "text/html", "text": "<p>"}]}, "must be 'text/html;profile=mcp-app'"),
        ({"contents": [{"mimeType": "text/html;profile=mcp-app", "text": " "}]}, "empty"),
        ({"contents": []}, "no contents"),
        (None, "no contents"),
    ],
)
def test_the_page_of_a_view(result, words):
    problems = apps.view_problems(result)
    assert problems == [] if words is None else words in problems[0]
