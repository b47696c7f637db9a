"""Checks of what a server publishes as resources and prompts, and of what reading a resource gives (RES, PROMPT-01)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .content import annotation_problems, decoded, mime_problems
from .uris import template_problem, uri_problem

TRAVERSALS = (
    "../../../../../../../../etc/passwd",
    "..%2F..%2F..%2F..%2F..%2F..%2F..%2F..%2Fetc%2Fpasswd",
    "%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "..%252F..%252F..%252F..%252F..%252F..%252F..%252F..%252Fetc%252Fpasswd",
    "....//....//....//....//....//....//....//....//etc/passwd",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "file:%2F%2F%2Fetc%2Fpasswd",
    "..%2F..%2F..%2F..%2F..%2F..%2F..%2F..%2Fetc%2Fpasswd%00.txt",
    "..%5C..%5C..%5C..%5C..%5C..%5C..%5C..%5CWindows%5Cwin.ini",
    "C:%5CWindows%5Cwin.ini",
)
"""Values that lead a careless server out of its folder, to a file that every machine of its kind has."""

_FOREIGN = re.compile(r"^root:[^:\n]*:0:0:|^; for 16-bit app support", re.MULTILINE)


def _text(item: dict[str, Any], member: str, *, needed: bool = False) -> list[str]:
    if member not in item:
        return [f"{member!r} is missing"] if needed else []
    if not isinstance(item[member], str) or (needed and not item[member]):
        return [f"{member!r} must be a text, got {item[member]!r}"]
    return []


def _texts(item: dict[str, Any]) -> list[str]:
    return _text(item, "name", needed=True) + _text(item, "title") + _text(item, "description")


def resource_problems(item: Any) -> list[str]:
    """An entry of ``resources/list`` that is no resource; its URI is a matter of `address_problems` (RES-03)."""
    if not isinstance(item, dict):
        return [f"a resource must be an object, got {type(item).__name__}"]
    problems = _text(item, "uri", needed=True) + _texts(item) + annotation_problems(item)
    if "mimeType" in item:
        problems += mime_problems(item["mimeType"])
    size = item.get("size", 0)
    if not isinstance(size, (int, float)) or isinstance(size, bool) or size % 1 or size < 0:
        problems.append(f"'size' must be an integer of bytes, got {size!r}")
    return problems


def address_problems(item: Any) -> list[str]:
    """A resource whose URI does not follow RFC 3986 (RES-03, RES-18)."""
    uri = item.get("uri") if isinstance(item, dict) else None
    return [f"its URI {problem}"] if isinstance(uri, str) and (problem := uri_problem(uri)) else []


def template_problems(item: Any) -> list[str]:
    """An entry of ``resources/templates/list`` without name, or whose template does not follow RFC 6570 (RES-11)."""
    if not isinstance(item, dict):
        return [f"a resource template must be an object, got {type(item).__name__}"]
    problems = _text(item, "uriTemplate", needed=True) + _texts(item) + annotation_problems(item)
    if isinstance(item.get("uriTemplate"), str) and (problem := template_problem(item["uriTemplate"])):
        problems.append(f"its template {problem}")
    if "mimeType" in item:
        problems += mime_problems(item["mimeType"])
    return problems


def prompt_problems(item: Any) -> list[str]:
    """An entry of ``prompts/list`` without name, or whose arguments are none (PROMPT-01)."""
    if not isinstance(item, dict):
        return [f"a prompt must be an object, got {type(item).__name__}"]
    problems = _texts(item)
    arguments = item.get("arguments", [])
    if not isinstance(arguments, list):
        return [*problems, f"'arguments' must be an array, got {type(arguments).__name__}"]
    for number, argument in enumerate(arguments, 1):
        if not isinstance(argument, dict):
            problems.append(f"argument {number} must be an object, got {type(argument).__name__}")
            continue
        problems += [f"argument {number}: {problem}" for problem in _texts(argument)]
        if not isinstance(argument.get("required", False), bool):
            problems.append(f"argument {number}: 'required' must be true or false, got {argument['required']!r}")
    return problems


DEFINITIONS: dict[str, tuple[str, Callable[[Any], list[str]]]] = {
    "resources": ("resources/list", resource_problems),
    "resource URIs": ("resources/list", address_problems),
    "resource templates": ("resources/templates/list", template_problems),
    "prompts": ("prompts/list", prompt_problems),
}
"""What is judged of entries, by the words that keywords use: the list, and the check of one entry."""


def contents_problems(result: Any) -> list[str]:
    """A result of ``resources/read`` without an array ``contents`` (RES-04)."""
    contents = result.get("contents") if isinstance(result, dict) else None
    if isinstance(contents, list):
        return []
    return [f"'contents' must be an array, got {'none' if contents is None else type(contents).__name__}"]


def foreign_content(result: Any) -> str:
    """A line of a file of the machine that no server has a reason to show, if the contents hold one (RES-13)."""
    contents = result.get("contents") if isinstance(result, dict) else None
    for item in contents if isinstance(contents, list) else ():
        if isinstance(item, dict):
            data = decoded(item.get("blob")) or b""
            for text in (item.get("text"), data.decode("utf-8", "replace")):
                if isinstance(text, str) and (found := _FOREIGN.search(text)):
                    return found[0]
    return ""
