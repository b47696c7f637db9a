"""What counts as a good content block, and what is said about a bad one."""

from __future__ import annotations

import base64

import pytest

from McpLibrary.checks import content
from McpLibrary.demo.media import bell_wav, logo_png
from McpLibrary.session.revisions import REVISIONS

LATEST = REVISIONS["2026-07-28"]
PNG = base64.b64encode(logo_png()).decode()
WAV = base64.b64encode(bell_wav()).decode()

GOOD = [
    {"type": "text", "text": ""},
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {"type": "audio", "data": WAV, "mimeType": "audio/x-wav"},
    {"type": "resource_link", "uri": "shop://logo", "name": "logo"},
    {"type": "resource", "resource": {"uri": "shop://menu", "text": "", "mimeType": "text/plain; charset=utf-8"}},
    {"type": "resource", "resource": {"uri": "urn:isbn:0451450523", "blob": PNG, "mimeType": "image/png"}},
    {"type": "text", "text": "x", "annotations": {"audience": ["user"], "priority": 1, "lastModified": "2025-01-12T15:00:58Z"}},
    {"type": "text", "text": "x", "annotations": {}},
]  # fmt: skip


@pytest.mark.parametrize("block", GOOD)
def test_good_blocks_have_no_problems(block):
    for check in (content.media_problems, content.bytes_problems, content.link_problems, content.embedded_problems,
                  content.annotation_problems):  # fmt: skip
        assert check(block) == []
    assert content.block_problems(block, LATEST) == []


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("text", "must be an object"),
        ({"type": "video"}, "must be one of audio, image, resource, resource_link, text in 2026-07-28, got 'video'"),
        ({"text": "x"}, "got none"),
        ({"type": ["text"]}, "must be one of"),
        ({"type": "text", "text": None}, "'text' must be a string"),
    ],
)
def test_unknown_blocks(block, said):
    (problem,) = content.block_problems(block, LATEST)
    assert said in problem


def test_types_depend_on_the_revision():
    link, audio = {"type": "resource_link"}, {"type": "audio"}
    assert content.block_problems(link, REVISIONS["2025-03-26"])
    assert not content.block_problems(link, REVISIONS["2025-06-18"])
    assert content.block_problems(audio, REVISIONS["2024-11-05"])
    assert not content.block_problems(audio, REVISIONS["2025-03-26"])


@pytest.mark.parametrize(
    ("data", "mime", "said"),
    [
        (None, "image/png", "'data' must be a string of Base64, got none"),
        ("abc", "image/png", "'data' must be Base64, got 'abc'"),
        ("YWJj\nYWJj", "image/png", "'data' must be Base64"),
        ("__8=", "image/png", "standard alphabet"),
        ("data:image/png;base64,YWJj", "image/png", "data: URL"),
        (PNG, None, "'mimeType' must be a MIME type"),
        (PNG, "png", "'mimeType' must be a MIME type"),
        (PNG, "image/", "'mimeType' must be a MIME type"),
    ],
)
def test_media(data, mime, said):
    (problem,) = content.media_problems({"type": "image", "data": data, "mimeType": mime})
    assert said in problem


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\x01\x02\x03\x04WEBP", "image/webp"),
        (b"ID3\x04", "audio/mp3"),
        (b"\xff\xfb\x90", "audio/mpeg"),
        (b"OggS", "audio/ogg"),
        (b"%PDF-1.7", "application/pdf"),
        (b"<svg", "image/svg+xml"),
    ],
)
def test_bytes_agree_with_the_type(head, mime):
    item = {"type": "image", "data": base64.b64encode(head).decode(), "mimeType": mime}
    assert content.bytes_problems(item) == []


def test_bytes_that_say_something_else():
    said = content.bytes_problems({"type": "image", "data": PNG, "mimeType": "image/jpeg"})
    assert said == [
        f"'mimeType' says image/jpeg, but the {len(logo_png())} bytes begin like image/png: 89 50 4e 47 0d 0a 1a 0a"
    ]
    (said,) = content.bytes_problems({"uri": "x:y", "blob": "YWJj", "mimeType": "image/png"})
    assert "do not begin like that" in said
    (said,) = content.bytes_problems({"type": "audio", "data": "", "mimeType": "audio/wav"})
    assert "there are none" in said
    # Another fault, told by another check.
    assert content.bytes_problems({"type": "audio", "data": "?", "mimeType": "audio/wav"}) == []


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"name": "x"}, "'uri' must be a URI"),
        ({"uri": "/no/scheme", "name": "x"}, "'uri' must be a URI"),
        ({"uri": "shop://a b", "name": "x"}, "'uri' must be a URI"),
        ({"uri": "shop://a"}, "'name' must be a string"),
        ({"uri": "shop://a", "name": "x", "mimeType": 5}, "'mimeType'"),
    ],
)
def test_links(link, said):
    (problem,) = content.link_problems({"type": "resource_link", **link})
    assert said in problem


@pytest.mark.parametrize(
    ("resource", "said"),
    [
        (None, "must be an object"),
        ({"text": "x"}, "'uri' must be a URI"),
        ({"uri": "a:b"}, "neither 'text' nor 'blob'"),
        ({"uri": "a:b", "text": 5}, "'text' must be a string"),
        ({"uri": "a:b", "blob": "~"}, "'blob' must be Base64"),
        ({"uri": "a:b", "text": "", "mimeType": "text"}, "'mimeType'"),
    ],
)
def test_embedded_resources(resource, said):
    (problem,) = content.embedded_problems({"type": "resource", "resource": resource})
    assert said in problem


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        ([], "must be an object"),
        ({"audience": "user"}, "audience"),
        ({"audience": ["model"]}, "audience"),
        ({"audience": [["user"]]}, "audience"),
        ({"priority": 2}, "priority"),
        ({"priority": True}, "priority"),
        ({"priority": "1"}, "priority"),
        ({"lastModified": "yesterday"}, "lastModified"),
        ({"lastModified": 5}, "lastModified"),
    ],
)
def test_annotations(annotations, said):
    (problem,) = content.annotation_problems({"type": "text", "annotations": annotations})
    assert said in problem


def test_each_names_the_place():
    assert content.each([*GOOD, {"type": "image"}], content.media_problems) == [
        "block 9 (image): 'data' must be a string of Base64, got none",
        "block 9 (image): 'mimeType' must be a MIME type such as image/png, got none",
    ]
    assert content.each(None, content.media_problems) == []
    assert content.each([5], content.resource_contents_problems, "item") == ["item 1: the resource must be an object, got 5"]  # fmt: skip
