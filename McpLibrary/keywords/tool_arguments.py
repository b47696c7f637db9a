"""How named values of *Call Tool* become arguments: converted by the tool's own schema, told apart from our options."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from robot.utils import is_truthy, timestr_to_secs

from ..failures import WrongUse
from ..types import Expect, to_json_or_text, to_json_value
from ..wire import jsonrpc
from ..wire.jsonrpc import MISSING

OPTIONS = ("expect", "timeout", "server", "max_rounds", "as_text", "progress_token")


@dataclass(slots=True)
class CallOptions:
    expect: Expect = Expect.RESULT
    timeout: float | None = None
    server: str | None = None
    max_rounds: int = 10
    as_text: bool = False
    progress_token: Any = MISSING


def take_options(given: Mapping[str, Any]) -> CallOptions:
    """The options that are ours, converted. Raises `WrongUse` with what would be right."""
    options = CallOptions()
    for name, value in given.items():
        try:
            setattr(options, name, _READERS[name](value))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            problem = str(error).removesuffix(".")
            raise WrongUse(f"{name}={value} is not understood: {problem}. {_RIGHT.get(name, '')}".strip()) from None
    return options


def _expect(value: Any) -> Expect:
    if isinstance(value, Expect):
        return value
    folded = str(value).upper().replace(" ", "_").replace("-", "_")
    if folded not in Expect.__members__:
        raise ValueError(f"expected one of {', '.join(Expect.__members__)}")
    return Expect[folded]


def _timeout(value: Any) -> float:
    seconds = value.total_seconds() if hasattr(value, "total_seconds") else float(timestr_to_secs(value))
    if not seconds < 10**9:
        raise ValueError("a timeout must be a time that comes to an end")
    if seconds <= 0:
        raise ValueError("a timeout must be longer than nothing")
    return seconds


_READERS: dict[str, Any] = {
    "expect": _expect,
    "timeout": _timeout,
    "server": str,
    "max_rounds": int,
    "as_text": is_truthy,
    "progress_token": to_json_or_text,
}
_RIGHT = {"timeout": "A time looks like 5 s or 1 minute; if it is meant for the tool, the tool does not declare it."}


def convert_named(
    named: Mapping[str, Any], schema: Mapping[str, Any] | None, *, as_text: bool = False
) -> tuple[dict[str, Any], list[str]]:
    """The arguments to send, and a note for each value that was changed or could not be judged.

    Only text is converted, only to a type that the schema asks for, and only if it reads as that type: what does not
    fit goes out as the text it is, and the server may judge it.
    """
    arguments: dict[str, Any] = {}
    notes: list[str] = []
    properties = (schema or {}).get("properties")
    declared = properties if isinstance(properties, dict) else {}
    for name, value in named.items():
        if as_text or not isinstance(value, str):
            try:
                arguments[name] = to_json_value(value) if not isinstance(value, str) else value
            except (ValueError, RecursionError) as error:
                raise WrongUse(f"Argument {name!r} cannot be sent: {error}.") from None
            continue
        if name not in declared:
            notes.append(f"Argument {name!r} is not declared by the tool's inputSchema; sent as text.")
            arguments[name] = value
            continue
        types = allowed_types(declared[name], schema or {})
        converted = convert(value, types)
        arguments[name] = converted
        if converted != value or type(converted) is not str:
            notes.append(
                f"Argument {name!r}: text {value!r} sent as {jsonrpc.to_json(converted)}, as the inputSchema asks."
            )
        elif types and "string" not in types:
            notes.append(f"Argument {name!r}: {value!r} does not read as {' or '.join(sorted(types))}; sent as text.")
    return arguments, notes


def misspelled(named: Mapping[str, Any], schema: Mapping[str, Any] | None) -> list[str]:
    """A warning for each name that the tool does not declare and that looks like one that it or *Call Tool* knows."""
    properties = (schema or {}).get("properties")
    known = [*(properties if isinstance(properties, dict) else {}), *OPTIONS]
    return [
        f"{name!r} is no argument of this tool; it was sent all the same. Did you mean {close[0]!r}?"
        for name in named
        if schema is not None and name not in known and (close := difflib.get_close_matches(name, known, n=1))
    ]


NODES = 200
"""Parts of one schema that are looked at; a hostile one could branch for ever."""


def allowed_types(schema: Any, root: Mapping[str, Any], budget: list[int] | None = None) -> set[str]:
    """The JSON types that a property may have; local ``$ref``, ``anyOf``, ``oneOf``, ``allOf``, enum and const are read."""
    budget = [NODES] if budget is None else budget
    budget[0] -= 1
    if not isinstance(schema, dict) or budget[0] < 0:
        return set()
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        target: Any = root
        for part in reference[2:].split("/"):
            target = target.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
        return allowed_types(target, root, budget)
    kind = schema.get("type")
    if isinstance(kind, str):
        return {kind}
    if isinstance(kind, list):
        return {item for item in kind if isinstance(item, str)}
    values = schema["enum"] if isinstance(schema.get("enum"), list) else [schema["const"]] if "const" in schema else []
    found = {_type_of(value) for value in values}
    for combiner in ("anyOf", "oneOf", "allOf"):
        parts = schema.get(combiner)
        for part in parts if isinstance(parts, list) else ():
            found |= allowed_types(part, root, budget)
    return found


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return {int: "integer", float: "number", str: "string", list: "array", dict: "object"}[type(value)]


def convert(text: str, types: set[str]) -> Any:
    """The text as one of the types, or the text itself. A property that may be a string stays one, null excepted."""
    if "null" in types and text.lower() in ("null", "none"):
        return None
    if not types or "string" in types:
        return text
    folded = text.strip().lower()
    if "boolean" in types and folded in ("true", "false"):
        return folded == "true"
    try:
        value = jsonrpc.strict_loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, bool):
        return text
    if isinstance(value, int) and types & {"integer", "number"}:
        return value
    if isinstance(value, float) and ("number" in types or ("integer" in types and value.is_integer())):
        return value
    if isinstance(value, list) and "array" in types:
        return value
    if isinstance(value, dict) and "object" in types:
        return value
    return text
