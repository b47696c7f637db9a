"""Checks of what results carry: content blocks of tools and prompts, contents of resources, their annotations.

For tool results (TOOL-21 to TOOL-25), prompt messages (PROMPT-03, PROMPT-07) and resource contents (RES-04, RES-05). Each
check takes one block, or one item of ``contents``, and is silent about what is not its matter; `each` goes over many.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import re
from collections.abc import Callable
from typing import Any

from ..session.revisions import Revision
from .uris import uri_problem

MEDIA = ("image", "audio")
ROLES = ("user", "assistant")

_MIME = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(?:\s*;.*)?", re.DOTALL)

_MAGIC: tuple[tuple[str, re.Pattern[bytes]], ...] = tuple(
    (kind, re.compile(pattern, re.DOTALL))
    for kind, pattern in (
        ("image/png", rb"\x89PNG\r\n\x1a\n"),
        ("image/jpeg", rb"\xff\xd8\xff"),
        ("image/gif", rb"GIF8[79]a"),
        ("image/webp", rb"RIFF....WEBP"),
        ("audio/wav", rb"RIFF....WAVE"),
        ("audio/mpeg", rb"ID3|\xff[\xe2-\xff]"),
        ("audio/ogg", rb"OggS"),
        ("audio/flac", rb"fLaC"),
        ("application/pdf", rb"%PDF-"),
        ("application/zip", rb"PK(?:\x03\x04|\x05\x06)"),
        ("application/gzip", rb"\x1f\x8b"),
    )
)
"""How files of these types begin."""

_ALIASES = {
    "image/jpg": "image/jpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav",
    "audio/mp3": "audio/mpeg", "audio/x-flac": "audio/flac", "application/x-gzip": "application/gzip",
}  # fmt: skip


def each(blocks: Any, check: Callable[[Any], list[str]], what: str = "block") -> list[str]:
    """The problems of all blocks of a list, each with its place and type: ``block 2 (image): …``."""
    if not isinstance(blocks, list):
        return []
    problems = []
    for number, block in enumerate(blocks, 1):
        kind = block.get("type") if isinstance(block, dict) else None
        place = f"{what} {number} ({kind})" if isinstance(kind, str) else f"{what} {number}"
        problems += [f"{place}: {problem}" for problem in check(block)]
    return problems


def blocks_of(result: Any) -> list[Any]:
    """What a result carries: the blocks of a tool, those of a prompt's messages, or the contents of a resource."""
    if not isinstance(result, dict):
        return []
    if isinstance(result.get("messages"), list):
        return [message.get("content") if isinstance(message, dict) else message for message in result["messages"]]
    found = result.get("contents", result.get("content"))
    return found if isinstance(found, list) else []


def block_problems(block: Any, revision: Revision) -> list[str]:
    """A content block of no type that the revision knows, or a text block without its text (TOOL-21, X-16)."""
    if not isinstance(block, dict):
        return [f"a content block must be an object, got {_shown(block)}"]
    kind = block.get("type")
    if not isinstance(kind, str) or kind not in revision.content_types:
        known = ", ".join(sorted(revision.content_types))
        return [f"'type' must be one of {known} in {revision.name}, got {_shown(kind)}"]
    if kind == "text" and not isinstance(block.get("text"), str):
        return [f"'text' must be a string, got {_shown(block.get('text'))}"]
    return []


def media_problems(block: Any) -> list[str]:
    """An image or audio block whose data is no Base64, or whose MIME type is none (TOOL-22)."""
    if not _is(block, *MEDIA):
        return []
    return base64_problems(block.get("data"), "data") + mime_problems(block.get("mimeType"))


def link_problems(block: Any) -> list[str]:
    """A resource_link block without its URI or its name (TOOL-23)."""
    if not _is(block, "resource_link"):
        return []
    problems = uri_problems(block.get("uri"))
    if not isinstance(block.get("name"), str):
        problems.append(f"'name' must be a string, got {_shown(block.get('name'))}")
    if "mimeType" in block:
        problems += mime_problems(block["mimeType"])
    return problems


def embedded_problems(block: Any) -> list[str]:
    """An embedded resource that is not one (TOOL-24)."""
    if not _is(block, "resource"):
        return []
    return resource_contents_problems(block.get("resource"))


def resource_contents_problems(item: Any) -> list[str]:
    """Contents of a resource without URI, or with neither text nor Base64 (TOOL-24, RES-04, RES-05)."""
    if not isinstance(item, dict):
        return [f"the resource must be an object, got {_shown(item)}"]
    problems = uri_problems(item.get("uri"))
    if "text" not in item and "blob" not in item:
        problems.append("the resource has neither 'text' nor 'blob'")
    if "text" in item and not isinstance(item["text"], str):
        problems.append(f"'text' must be a string, got {_shown(item['text'])}")
    if "blob" in item:
        problems += base64_problems(item["blob"], "blob")
    if "mimeType" in item:
        problems += mime_problems(item["mimeType"])
    return problems


def bytes_problems(block: Any) -> list[str]:
    """Bytes that begin like a file of another type than the MIME type says, where that can be told.

    Takes a content block or an item of a resource's ``contents``.
    """
    item = block.get("resource") if _is(block, "resource") else block
    if not isinstance(item, dict) or not isinstance(item.get("mimeType"), str):
        return []
    data = decoded(item.get("blob") if "blob" in item else item.get("data"))
    declared = item["mimeType"].partition(";")[0].strip().lower()
    wanted = dict(_MAGIC).get(_ALIASES.get(declared, declared))
    if data is None or wanted is None or wanted.match(data):
        return []
    looks = next((f"begin like {kind}" for kind, pattern in _MAGIC if pattern.match(data)), "do not begin like that")
    return [f"'mimeType' says {declared}, but the {len(data)} bytes {looks}: {data[:8].hex(' ') or 'there are none'}"]


def annotation_problems(block: Any) -> list[str]:
    """Annotations of a block or a resource whose members are not what the schema says (TOOL-25)."""
    if not isinstance(block, dict) or "annotations" not in block:
        return []
    annotations = block["annotations"]
    if not isinstance(annotations, dict):
        return [f"'annotations' must be an object, got {_shown(annotations)}"]
    problems = []
    audience = annotations.get("audience", [])
    if not isinstance(audience, list) or not all(role in ROLES for role in audience):
        problems.append(f"'annotations.audience' must be an array of user and assistant, got {_shown(audience)}")
    priority = annotations.get("priority", 0)
    if not isinstance(priority, (int, float)) or isinstance(priority, bool) or not 0 <= priority <= 1:
        problems.append(f"'annotations.priority' must be a number from 0 to 1, got {_shown(priority)}")
    if "lastModified" in annotations and not _is_date(annotations["lastModified"]):
        problems.append(
            f"'annotations.lastModified' must be an ISO 8601 time, got {_shown(annotations['lastModified'])}"
        )
    return problems


def base64_problems(data: Any, member: str) -> list[str]:
    """Data that is no Base64 in the standard alphabet, with its padding and nothing else."""
    if not isinstance(data, str):
        return [f"'{member}' must be a string of Base64, got {_shown(data)}"]
    if decoded(data) is not None:
        return []
    if "-" in data or "_" in data:
        return [f"'{member}' must be Base64 in the standard alphabet, got the one for URLs: {_shown(data)}"]
    if data[:5].lower() == "data:":
        return [f"'{member}' must be Base64 alone, got a data: URL: {_shown(data)}"]
    return [f"'{member}' must be Base64, got {_shown(data)}"]


def decoded(data: Any) -> bytes | None:
    """The bytes of strict Base64, or ``None``."""
    if not isinstance(data, str):
        return None
    try:
        return base64.b64decode(data.encode(), validate=True)
    except (binascii.Error, ValueError):
        return None


def mime_problems(value: Any) -> list[str]:
    """No MIME type of the form ``type/subtype``."""
    if isinstance(value, str) and _MIME.fullmatch(value):
        return []
    return [f"'mimeType' must be a MIME type such as image/png, got {_shown(value)}"]


def uri_problems(value: Any) -> list[str]:
    """No URI by RFC 3986, with its scheme."""
    problem = uri_problem(value)
    return [f"'uri' must be a URI, but {_shown(value)} {problem}"] if problem else []


ASPECTS: dict[str, Callable[[Any], list[str]]] = {
    "media": media_problems,
    "bytes": bytes_problems,
    "links": link_problems,
    "embedded resources": embedded_problems,
    "annotations": annotation_problems,
}
"""What is judged of blocks apart from their types, by the word that keywords use."""


def holds(block: Any, aspect: str) -> bool:
    """Whether there is anything to judge in a block."""
    if not isinstance(block, dict):
        return False
    if aspect == "annotations":
        return "annotations" in block
    if aspect == "bytes":
        item = block.get("resource") if _is(block, "resource") else block
        return isinstance(item, dict) and bool({"data", "blob"} & item.keys())
    kinds = {"media": MEDIA, "links": ("resource_link",), "embedded resources": ("resource",)}
    return _is(block, *kinds[aspect])


def _is(block: Any, *kinds: str) -> bool:
    return isinstance(block, dict) and block.get("type") in kinds


def _is_date(value: Any) -> bool:
    try:
        datetime.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _shown(value: Any) -> str:
    text = "none" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
