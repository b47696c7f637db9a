"""What our client says when the server asks: scripted answers to elicitation, sampling and roots, and what was asked."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..wire.jsonrpc import METHOD_NOT_FOUND

ELICITATION = "elicitation/create"
SAMPLING = "sampling/createMessage"
ROOTS = "roots/list"

KEYWORD_FOR = {ELICITATION: "Answer Elicitation", SAMPLING: "Answer Sampling", ROOTS: "Answer Roots"}

Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the params of a question and gives the result."""


@dataclass(slots=True)
class Question:
    """One question of the server and what was answered."""

    method: str
    params: dict[str, Any]
    answer: dict[str, Any] | None = None
    """``None``: nothing was scripted for it."""
    at: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        text = self.params.get("message") if self.method == ELICITATION else None
        return f"{self.method} ({text!r})" if isinstance(text, str) else self.method


@dataclass(slots=True)
class _Script:
    once: deque[tuple[int, Answer]] = field(default_factory=deque)
    always: list[tuple[int, Answer]] = field(default_factory=list)
    """Each with the level of the run that scripted it; the last one counts."""


class ClientSide:
    """Scripts by method: answers to use once, in their order, then one for all that follow."""

    def __init__(self) -> None:
        self._scripts: dict[str, _Script] = {}
        self.questions: list[Question] = []
        self.declared: dict[str, Any] | None = None
        """Client capabilities set by hand; otherwise they follow the scripts."""

    def declaring(self, capabilities: dict[str, Any]) -> ClientSide:
        """The same scripts and questions, with other declared capabilities."""
        twin = ClientSide()
        twin._scripts, twin.questions = self._scripts, self.questions
        twin.declared = capabilities
        return twin

    def script(self, method: str, answer: Answer, *, times: int | None = None, level: int = 0) -> None:
        script = self._scripts.setdefault(method, _Script())
        if times is None:
            script.always.append((level, answer))
        else:
            script.once.extend(itertools.repeat((level, answer), times))

    def end_level(self, level: int) -> None:
        """Drop what was scripted at this level of the run or deeper; what was there before counts again."""
        for method, script in list(self._scripts.items()):
            script.once = deque(entry for entry in script.once if entry[0] < level)
            script.always = [entry for entry in script.always if entry[0] < level]
            if not script.once and not script.always:
                del self._scripts[method]

    def forget(self, method: str | None = None) -> None:
        if method is None:
            self._scripts.clear()
        else:
            self._scripts.pop(method, None)

    def capabilities(self) -> dict[str, Any]:
        """What a request declares that our client can do."""
        if self.declared is not None:
            return self.declared
        declared: dict[str, Any] = {}
        if ELICITATION in self._scripts:
            declared["elicitation"] = {"form": {}, "url": {}}
        if SAMPLING in self._scripts:
            declared["sampling"] = {}
        if ROOTS in self._scripts:
            declared["roots"] = {}
        return declared

    def ask(self, method: str, params: Any) -> Question:
        """Record a question and find its answer."""
        question = Question(method, params if isinstance(params, dict) else {})
        self.questions.append(question)
        script = self._scripts.get(method)
        if script and (script.once or script.always):
            _, answer = script.once.popleft() if script.once else script.always[-1]
            question.answer = answer(question.params)
        return question

    def respond(self, method: str, params: Any) -> dict[str, Any]:
        """The members of a JSON-RPC response to a request of a legacy server."""
        if method == "ping":
            return {"result": {}}
        question = self.ask(method, params)
        if question.answer is not None:
            return {"result": question.answer}
        return {"error": {"code": METHOD_NOT_FOUND, "message": f"this client does not offer {method}"}}

    def unanswered(self) -> list[Question]:
        return [question for question in self.questions if question.answer is None]


def from_schema(schema: Any) -> dict[str, Any]:
    """Content for a form: the default of each property; for required ones without, the first value that fits."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    content: dict[str, Any] = {}
    for name, field_schema in properties.items() if isinstance(properties, dict) else ():
        if isinstance(field_schema, dict) and "default" in field_schema:
            content[name] = field_schema["default"]
        elif isinstance(required, list) and name in required:
            content[name] = _smallest(field_schema if isinstance(field_schema, dict) else {})
    return content


def _smallest(schema: Any, depth: int = 0) -> Any:
    """The smallest value that fits a schema of a form; a malformed schema gives a text."""
    schema = schema if isinstance(schema, dict) else {}
    choices = _choices(schema)
    if choices:
        return choices[0]
    kind = schema.get("type")
    if kind == "boolean":
        return False
    if kind in ("integer", "number"):
        return next((v for v in (schema.get("minimum"), schema.get("maximum")) if isinstance(v, (int, float))), 0)
    if kind == "array":
        # A form is flat by the specification: what is nested deeper is only answered in small.
        count = min(_count(schema, "minItems", 0), MOST if depth == 0 else 2)
        several = _choices(schema.get("items"))
        if len(several) >= count or depth > 3:
            return several[:count]
        return [_smallest(schema.get("items"), depth + 1)] * count
    formats = {"email": "qa@example.com", "uri": "https://example.com/", "date": "2026-01-31",
               "date-time": "2026-01-31T12:00:00Z"}  # fmt: skip
    asked = schema.get("format")
    text = formats.get(asked, "text") if isinstance(asked, str) else "text"
    return text.ljust(_count(schema, "minLength", 0), "x")[: _count(schema, "maxLength", MOST)]


MOST = 10_000
"""Characters or items that an answer by schema never exceeds, whatever the server asks for."""


def _count(schema: dict[str, Any], name: str, default: int) -> int:
    value = schema.get(name)
    return min(value, MOST) if isinstance(value, int) and value >= 0 else default


def _choices(schema: Any) -> list[Any]:
    """The values that a schema allows by enum or by const, in order."""
    if not isinstance(schema, dict):
        return []
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    for name in ("oneOf", "anyOf"):
        options = schema.get(name)
        if isinstance(options, list):
            return [option["const"] for option in options if isinstance(option, dict) and "const" in option]
    return []
