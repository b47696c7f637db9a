"""Checks of rounds: the shape of `input_required`, states that were tampered with or can be read, refusals that tell too much."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

QUESTIONS = ("elicitation/create", "sampling/createMessage", "roots/list")
"""What a round may ask (MRTR-03)."""

GARBAGE = "bWNwbGlicmFyeTp0aGlzLXdhcy1uZXZlci1hLXN0YXRl"
"""A state that no server gave, in the alphabet of states."""

WAYS = ("changed", "shortened", "longer", "empty", "garbage", "number")
"""The ways to spoil a state."""

_TELLING = 4
"""Characters below which a text may stand in a random state by chance."""


def asks(result: Any) -> bool:
    return isinstance(result, dict) and result.get("resultType") == "input_required"


def tampered(state: str, way: str) -> Any:
    """The state spoilt in one of the `WAYS`; what it decodes to always differs, also for a lenient decoder.

    So the character that changes is in the middle: the last one of Base64 may hold bits that nobody reads (X-08), and
    what comes after the padding may be ignored.
    """
    body = state.rstrip("=")
    padding = state[len(body) :]
    if way == "changed":
        at = _middle(body)
        return body[:at] + ("A" if body[at : at + 1] != "A" else "B") + body[at + 1 :] + padding
    if way == "longer":
        return f"{body}AAAA{padding}"
    return {"shortened": body[: len(body) * 3 // 4], "empty": "", "garbage": GARBAGE, "number": 5}[way]


def _middle(text: str) -> int:
    """The place in the middle of a text that holds a letter or a digit."""
    places = sorted(range(len(text)), key=lambda at: abs(at - len(text) // 2))
    return next((at for at in places if text[at].isalnum()), 0)


def round_problems(result: Any, raw: str) -> list[str]:
    """What is wrong with the shape of an `input_required` result (MRTR-01, MRTR-03, MRTR-04). Params are judged elsewhere."""
    requests, state = result.get("inputRequests"), result.get("requestState")
    problems = []
    if not requests and "requestState" not in result:
        problems.append("it has neither 'inputRequests' nor 'requestState', so nobody can go on (MRTR-01)")
    if "requestState" in result and not isinstance(state, str):
        problems.append(f"'requestState' must be a string, got {json.dumps(state)[:60]} (MRTR-01)")
    if requests is not None and not isinstance(requests, dict):
        return [*problems, f"'inputRequests' must be an object, got {json.dumps(requests)[:60]} (MRTR-03)"]
    for key, request in (requests or {}).items():
        problems += _request_problems(key, request)
    twice = sorted(twice_in(raw, "inputRequests"))
    if twice:
        problems.append(f"the key {twice[0]!r} stands twice in 'inputRequests' (MRTR-04)")
    return problems


def _request_problems(key: str, request: Any) -> Iterator[str]:
    if not isinstance(request, dict):
        yield f"the question {key!r} must be an object, got {json.dumps(request)[:60]} (MRTR-03)"
        return
    if request.get("method") not in QUESTIONS:
        yield f"the question {key!r} has the method {request.get('method')!r}, not one of {', '.join(QUESTIONS)} (MRTR-03)"
    if not isinstance(request.get("params", {}), dict):
        yield f"the params of the question {key!r} must be an object, got {json.dumps(request['params'])[:60]} (MRTR-03)"
    extra = [name for name in ("id", "jsonrpc") if name in request]
    if extra:
        yield f"the question {key!r} has the member {extra[0]!r} of a JSON-RPC request, which it is not (MRTR-03)"


def twice_in(raw: str, member: str) -> set[str]:
    """Keys that stand more than once in an object of this name, which parsing hides."""
    found: set[str] = set()

    class Pairs(dict[str, Any]):
        twice: frozenset[str] = frozenset()

    def pairs(items: list[tuple[str, Any]]) -> Pairs:
        names = [name for name, _ in items]
        value = Pairs(items)
        value.twice = frozenset(name for name in names if names.count(name) > 1)
        for name, child in items:
            if name == member and isinstance(child, Pairs):
                found.update(child.twice)
        return value

    try:
        json.loads(raw, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return set()
    return found


def readable_parts(state: str, arguments: Any) -> list[str]:
    """What a client can read in a state without a key: arguments of the call, or JSON (MRTR-23)."""
    texts = [text for text in _texts(arguments) if len(text) >= _TELLING]
    problems = []
    for part in (state, *_decoded(state)):
        found = next((text for text in texts if text in part), None)
        if found is not None:
            problems.append(f"it shows the argument {found!r}")
        elif _is_json(part):
            problems.append(f"it shows {part[:80]}")
    return problems


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _decoded(state: str) -> Iterator[str]:
    """What the state, and each part of it between dots, is in Base64 or hex."""
    for part in {state, *state.split(".")}:
        body = part.rstrip("=").replace("-", "+").replace("_", "/")
        if re.fullmatch(r"[A-Za-z0-9+/]{8,}", body):
            try:
                yield base64.b64decode(body + "=" * (-len(body) % 4)).decode("utf-8", "replace")
            except binascii.Error:
                continue
        if re.fullmatch(r"(?:[0-9A-Fa-f]{2}){8,}", part):
            yield bytes.fromhex(part).decode("utf-8", "replace")


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def differences(refusals: Sequence[tuple[str, int | None, Any]]) -> list[str]:
    """What tells one refusal from another: (label, HTTP status, error object) each, compared with the first (MRTR-12)."""
    first, *others = refusals
    problems = []
    for label, status, error in others:
        if status != first[1]:
            problems.append(f"{label!r} has HTTP status {status}, {first[0]!r} has {first[1]}")
        for member in ("code", "message", "data"):
            ours, theirs = _member(error, member), _member(first[2], member)
            if ours != theirs:
                problems.append(f"{label!r} has the {member} {_shown(ours)}, {first[0]!r} has {_shown(theirs)}")
    return problems


_ABSENT = object()


def _member(error: Any, name: str) -> Any:
    return error.get(name, _ABSENT) if isinstance(error, dict) else _ABSENT


def _shown(value: Any) -> str:
    return "none" if value is _ABSENT else json.dumps(value)[:120]


def misfit(schema: Any) -> dict[str, Any]:
    """Content for a form that its schema forbids: each field has a value of another type, which contents may have."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    fields = properties.items() if isinstance(properties, dict) else ()
    return {name: ["misfit"] if _is_text(field) else "misfit" for name, field in fields}


def _is_text(field: Any) -> bool:
    return not isinstance(field, dict) or field.get("type") in (None, "string")
