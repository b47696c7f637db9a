"""Checks of messages against the schema of their revision (RPC-30), with the models of the official ``mcp-types`` package.

The package has one set of models for all legacy revisions, that of 2025-11-25; what an older revision does not know yet is
judged by its own facts elsewhere (HS-17). Values are taken strictly: a number in a text is no number. In one thing the models
are too lenient, which is mended here (they take null for whatever may be left out), and in one too strict (5.0 is an integer).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from types import UnionType
from typing import Any, get_args

from ..wire import jsonrpc
from .errors import response_problems

CORE_RESULT_TYPES = ("complete", "input_required")


def message_problems(message: Any, version: str, request: Any = None) -> list[str] | None:
    """What is wrong with a message of a server by the schema of its revision; ``None`` when the schema says nothing of it.

    ``request`` is the request that a response answers. An error without an id, or with null, is accepted (X-19).
    """
    kind = jsonrpc.kind(message)
    if kind == "notification":
        return _with_model("SERVER_NOTIFICATIONS", message["method"], version, message)
    if kind == "request":
        return _with_model("SERVER_REQUESTS", message["method"], version, message)
    if kind == "error":
        return response_problems(message)
    if kind == "result":
        return response_problems(message) or _result_problems(message["result"], version, request)
    return None


def _result_problems(result: dict[str, Any], version: str, request: Any) -> list[str] | None:
    method = request.get("method") if isinstance(request, dict) else None
    params = request.get("params") if isinstance(request, dict) else None
    if not isinstance(method, str) or result.get("resultType", "complete") not in CORE_RESULT_TYPES:
        return None  # What an extension adds is judged by the rules of that extension.
    if isinstance(params, dict) and "task" in params:
        return None
    return _with_model("SERVER_RESULTS", method, version, result)


def _with_model(table: str, method: str, version: str, value: Any) -> list[str] | None:
    from mcp_types import methods
    from pydantic import TypeAdapter, ValidationError

    model: Any = getattr(methods, table).get((method, version))
    if model is None:
        return None
    if isinstance(model, UnionType) and value.get("resultType") != "input_required":
        # The model of a round has no required member, so that it would take anything.
        model = reduce(or_, (one for one in get_args(model) if one.__name__ != "InputRequiredResult"))
    try:
        read = TypeAdapter(model).validate_json(
            jsonrpc.encode(_whole_numbers(value)), strict=True, by_alias=True, by_name=False
        )
    except ValidationError as error:
        return [_in_words(one) for one in _nearest(error.errors(include_url=False, include_context=False))]
    return [f"{place}: what is not there is left out, got null" for place in _nulls(read)]


def _whole_numbers(value: Any) -> Any:
    """The value with 5 for 5.0, which JSON Schema takes for an integer as well."""
    if isinstance(value, dict):
        return {name: _whole_numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _nulls(value: Any, place: str = "") -> Iterator[str]:
    """Where a model was given null for a member that the schema lets a server leave out, but not be null."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _nulls(item, f"{place}{number}.")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _nulls(item, f"{place}{name}.")
    for name in getattr(value, "model_fields_set", ()):
        field, item = type(value).model_fields.get(name), getattr(value, name)
        if field is None:
            continue  # Members that the schema does not know are free.
        if item is not None:
            yield from _nulls(item, f"{place}{field.alias or name}.")
        elif not field.is_required() and Any not in get_args(field.annotation):
            yield f"{place}{field.alias or name}"


def _nearest(errors: list[Any]) -> list[Any]:
    """Of a union of models, the complaints of the one that fits best: deepest in the value, and fewest."""
    groups: dict[Any, list[Any]] = {}
    for error in errors:
        groups.setdefault(error["loc"][:-1], []).append(error)
    return min(groups.values(), key=lambda group: (-len(group[0]["loc"]), len(group)))


def _in_words(error: Any) -> str:
    place = ".".join(str(step) for step in error["loc"]) or "the message"
    got = "" if error["type"] == "missing" else f", got {jsonrpc.to_json(error['input'])[:80]}"
    return f"{place}: {error['msg'][0].lower()}{error['msg'][1:]}{got}"
