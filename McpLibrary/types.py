"""Argument types of the keywords, with converters whose texts tell a tester what would be right."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from robot.api.types import Secret

from .session.revisions import PROTOCOL_WORDS
from .wire.jsonrpc import CODE_NAMES, strict_loads


class Json:
    """A JSON value: text in JSON notation, or a variable that holds a value already.

    Text is read as JSON, so ``true``, ``null``, ``7``, ``"text"`` and ``{"qty": 2}`` are what they are in JSON.
    Variables (dictionaries, lists, numbers) are taken as they are.
    """


class JsonOrText:
    """A JSON value, or plain text when it is no JSON: ``7`` is a number, ``"7"`` a string, ``abc`` the string abc."""


class ErrorCode:
    """A JSON-RPC error code by number or name: ``-32601``, ``method not found``, ``invalid params``."""


class Protocol:
    """``auto`` (discover, then initialize), ``legacy``, ``modern``, or the name of a revision like ``2025-11-25``."""


class HeaderMap:
    """HTTP headers: a dictionary, JSON object text, or a list of ``Name: value`` lines for doubled ones.

    Values may be ``Secret``. Spaces around a value in a ``Name:  value`` line are kept as they are after the first one.
    """


if TYPE_CHECKING:
    OptionalJson = Json | None
    OptionalJsonOrText = JsonOrText | None
    OptionalProtocol = Protocol | None
    OptionalHeaders = HeaderMap | None
else:
    # Robot accepts the default None by itself. A union would hide what the converters say about a wrong value.
    OptionalJson, OptionalJsonOrText, OptionalProtocol, OptionalHeaders = Json, JsonOrText, Protocol, HeaderMap


class ToolOption:
    """An option of *Call Tool*, unless the tool declares an argument of this name: then it is the tool's argument."""


class Expect(enum.Enum):
    """What a call is expected to end with.

    RESULT: a result, and for a tool call one without ``isError``. TOOL_ERROR: a result with ``isError: true``.
    PROTOCOL_ERROR: a JSON-RPC error. NO_ANSWER: nothing within the timeout. ANY: whatever comes is returned.
    """

    RESULT = "a result"
    TOOL_ERROR = "a tool error (isError: true)"
    PROTOCOL_ERROR = "a protocol error (JSON-RPC error)"
    NO_ANSWER = "no answer"
    ANY = "anything"


class AutoClose(enum.Enum):
    """When connections are closed by themselves.

    LEVEL: with the test or suite that opened them. SUITE: with the suite. RUN: at the end of the run.
    """

    LEVEL = "level"
    SUITE = "suite"
    RUN = "run"


class Action(enum.Enum):
    """What the user of our client does with a form."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"


def plain(value: Any) -> Any:
    """A value as plain JSON data: Robot's dictionaries, tuples and secrets replaced by what they hold."""
    if isinstance(value, Secret):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def to_json_value(value: object) -> Any:
    if isinstance(value, str):
        try:
            return strict_loads(value)
        except (ValueError, RecursionError) as error:
            raise ValueError(
                f'expected JSON such as {{"qty": 2}}, true or "text" with its quotes, but {value[:60]!r} is none: {error}'
            ) from None
    value = plain(value)
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"this {type(value).__name__} has no JSON form: {error}") from None
    return value


def to_json_or_text(value: object) -> Any:
    if isinstance(value, str):
        try:
            return strict_loads(value)
        except (ValueError, RecursionError):
            return value
    return to_json_value(value)


def to_error_code(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise ValueError(f"expected a number or a name, got {type(value).__name__}")
    try:
        return int(value)
    except ValueError:
        names = {_fold(name): code for code, name in CODE_NAMES.items()}
        if _fold(str(value)) in names:
            return names[_fold(str(value))]
        raise ValueError(f"{value!r} is no number and none of: {', '.join(CODE_NAMES.values())}") from None


def _fold(text: str) -> str:
    return text.lower().replace(" ", "").replace("_", "").replace("-", "")


def to_protocol(value: object) -> str:
    text = str(value).strip().lower()
    if text not in PROTOCOL_WORDS:
        raise ValueError(f"{value!r} is not supported. Use one of: {', '.join(PROTOCOL_WORDS)}")
    return text


def to_headers(value: object) -> list[tuple[str, Any]]:
    """Headers as pairs, secrets still closed. A list keeps doubles and padding."""
    if isinstance(value, str):
        value = json.loads(value) if value.lstrip().startswith(("{", "[")) else value.splitlines()
    if isinstance(value, Mapping):
        return [(str(name), item) for name, item in value.items()]
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a dictionary or a list of 'Name: value' lines, got {type(value).__name__}")
    pairs: list[tuple[str, Any]] = []
    for item in value:
        if isinstance(item, str):
            name, colon, text = item.partition(":")
            if not colon:
                raise ValueError(f"a header line looks like 'Name: value', got {item!r}")
            pairs.append((name.strip(), text.removeprefix(" ")))
        elif isinstance(item, (list, tuple)) and len(item) == 2:
            pairs.append((str(item[0]), item[1]))
        else:
            raise ValueError(f"a header is a 'Name: value' line or a pair, got {item!r}")
    return pairs


def to_tool_option(value: object) -> Any:
    """As it is: whose it is, and so what it means, is known only with the tool's schema."""
    return value


def _masking(convert: Callable[[object], Any]) -> Callable[..., Any]:
    # Robot logs converted arguments at TRACE, so the secrets in them must be known before they are opened.
    def converter(value: object, *library: Any) -> Any:
        for instance in library:
            instance.ctx.reveal(value)
        return convert(value)

    return converter


CONVERTERS = {
    ToolOption: to_tool_option,
    Json: _masking(to_json_value),
    JsonOrText: _masking(to_json_or_text),
    ErrorCode: to_error_code,
    Protocol: to_protocol,
    HeaderMap: to_headers,
}

for _converter in CONVERTERS.values():
    # Robot reads the converters anew for each keyword call; evaluating annotations would be most of a call's cost.
    _converter.__annotations__ = {}
