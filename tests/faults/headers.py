"""HTTP headers and the modern rule that some of them mirror the body: Mcp-Method, Mcp-Name, Mcp-Param-*."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

Faulty = Callable[[str], bool]

NAME_SOURCES = {
    "tools/call": "name", "prompts/get": "name", "resources/read": "uri",
    "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId",
}  # fmt: skip
PARAM_PREFIX = "mcp-param-"
SENTINEL_START, SENTINEL_END = "=?base64?", "?="


class Mismatch(Exception):
    """A header does not mirror the body."""


class Headers:
    """Header lines as they came; names are compared without regard to case."""

    def __init__(self, lines: list[tuple[str, str]]) -> None:
        self.lines = lines

    def all(self, name: str) -> list[str]:
        """All values of a header."""
        return [value for key, value in self.lines if key.lower() == name.lower()]

    def get(self, name: str) -> str | None:
        """The first value of a header."""
        return next(iter(self.all(name)), None)


def check_mirrors(
    method: str, params: dict[str, Any], schema: dict[str, Any], headers: Headers, faulty: Faulty
) -> None:
    """Raise Mismatch unless the headers mirror the body; `schema` is the input schema of the called tool."""
    _check_method(method, headers, faulty)
    _check_name(method, params, headers, faulty)
    if method == "tools/call":
        arguments = params.get("arguments")
        _check_params(arguments if isinstance(arguments, dict) else {}, schema, headers, faulty)


def _check_method(method: str, headers: Headers, faulty: Faulty) -> None:
    value = _single("Mcp-Method", headers, faulty)
    if value is None:
        if not faulty("missing-method-header-accepted"):
            raise Mismatch("The Mcp-Method header is missing")
    elif faulty("method-header-case-ignored") and value.lower() == method.lower():
        return
    elif value != method and not faulty("method-header-not-compared"):
        raise Mismatch("The Mcp-Method header differs from the method in the body")


def _check_name(method: str, params: dict[str, Any], headers: Headers, faulty: Faulty) -> None:
    value = _single("Mcp-Name", headers, faulty)
    source = NAME_SOURCES.get(method)
    if source is None:
        if value is None and faulty("name-header-demanded-everywhere"):
            raise Mismatch("The Mcp-Name header is missing")
    elif value is None:
        if not faulty(f"missing-name-header-accepted-on-{method.partition('/')[0]}"):
            raise Mismatch("The Mcp-Name header is missing")
    elif faulty("name-header-not-compared") or (source == "taskId" and faulty("task-name-header-not-compared")):
        return
    elif value == params.get(source) and value.startswith(SENTINEL_START) and faulty("sentinel-literal-accepted"):
        return
    elif source in params and _decoded("Mcp-Name", value, faulty) != params[source]:
        raise Mismatch(f"The Mcp-Name header differs from '{source}' in the body")


def _check_params(arguments: dict[str, Any], schema: dict[str, Any], headers: Headers, faulty: Faulty) -> None:
    known = {rule["x-mcp-header"]: name for name, rule in schema["properties"].items() if "x-mcp-header" in rule}
    for suffix, argument in known.items():
        header = f"Mcp-Param-{suffix}"
        value, expected = _single(header, headers, faulty), arguments.get(argument)
        if expected is None and value is None:
            if faulty("param-header-demanded-for-absent-argument"):
                raise Mismatch(f"The {header} header is missing")
        elif expected is None:
            if not faulty("param-header-without-argument-accepted"):
                raise Mismatch(f"The {header} header has no argument '{argument}' in the body")
        elif value is None:
            if not faulty("missing-param-header-accepted"):
                raise Mismatch(f"The {header} header is missing")
        elif not _says(_decoded(header, value, faulty), expected, faulty) and not faulty("param-header-not-compared"):
            raise Mismatch(f"The {header} header differs from the argument '{argument}'")
    _check_unknown_params(known, headers, faulty)


def _check_unknown_params(known: dict[str, str], headers: Headers, faulty: Faulty) -> None:
    if faulty("unknown-param-header-refused"):
        expected_names = {PARAM_PREFIX + suffix.lower() for suffix in known}
        if any(key.lower().startswith(PARAM_PREFIX) and key.lower() not in expected_names for key, _ in headers.lines):
            raise Mismatch("Unknown Mcp-Param header")


def _single(name: str, headers: Headers, faulty: Faulty) -> str | None:
    values = headers.all(name)
    if len(values) > 1 and not faulty("duplicate-header-accepted"):
        raise Mismatch(f"The {name} header appears more than once")
    return values[0] if values else None


def _decoded(name: str, value: str, faulty: Faulty) -> str:
    start = value[: len(SENTINEL_START)]
    if faulty("sentinel-case-ignored"):
        start = start.lower()
    if start != SENTINEL_START or not value.endswith(SENTINEL_END) or faulty("sentinel-not-decoded"):
        if faulty("header-bytes-read-as-utf-8"):
            return value.encode("latin-1").decode("utf-8", "replace")
        if faulty("header-bytes-read-as-latin-1"):
            return value
        if not all(" " <= character <= "~" for character in value):
            raise Mismatch(f"The {name} header has characters that a header can't carry")
        return value
    encoded = value[len(SENTINEL_START) : -len(SENTINEL_END)]
    try:
        lenient = faulty("malformed-sentinel-accepted")
        raw = base64.b64decode(encoded + "===" if lenient else encoded)
        if base64.b64encode(raw).decode() != encoded and not lenient:
            raise Mismatch(f"The {name} header is not well-formed Base64")
        text = raw.decode("ascii" if faulty("non-ascii-sentinel-refused") else "utf-8")
        if text.startswith(SENTINEL_START) and text.endswith(SENTINEL_END) and faulty("sentinel-decoded-twice"):
            return _decoded(name, text, faulty)
        return text
    except ValueError as error:
        raise Mismatch(f"The {name} header is not well-formed Base64") from error


def _says(text: str, argument: Any, faulty: Faulty) -> bool:
    if isinstance(argument, str):
        return text == argument
    if isinstance(argument, bool):
        text = text.lower() if faulty("boolean-header-case-ignored") else text
        return text == json.dumps(argument)
    try:
        return text == str(argument) or (float(text) == argument and not faulty("integer-header-compared-as-text"))
    except ValueError:
        return False
