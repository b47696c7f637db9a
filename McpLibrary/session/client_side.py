"""What our client says when the server asks: scripted answers to elicitation, sampling and roots, and what was asked."""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..wire.jsonrpc import METHOD_NOT_FOUND, to_json

ELICITATION = "elicitation/create"
SAMPLING = "sampling/createMessage"
ROOTS = "roots/list"

KEYWORD_FOR = {ELICITATION: "Answer Elicitation", SAMPLING: "Answer Sampling", ROOTS: "Answer Roots"}

METHOD_OF = {"elicitation": ELICITATION, "sampling": SAMPLING, "roots": ROOTS}
"""The method by which a server asks for what a client capability offers."""

EVERYTHING: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {"tools": {}}, "roots": {}}
"""The capabilities of a client that can be asked everything."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The client answers with a JSON-RPC error. Answers of rounds cannot say that, so there it stays silent."""

    code: int
    message: str


Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the params of a question and gives the result."""


@dataclass(slots=True)
class Question:
    """One question of the server and what was answered."""

    method: str
    params: dict[str, Any]
    answer: dict[str, Any] | None = None
    """``None``: no result was given, whether by script or for want of one."""
    error: dict[str, Any] | None = None
    scripted: bool = False
    """Whether a script was there, be it one that gives no answer."""
    delay: float = 0.0
    """Seconds that the client lets pass before it answers."""
    at: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        text = self.params.get("message") if self.method == ELICITATION else None
        return f"{self.method} ({text!r})" if isinstance(text, str) else self.method


@dataclass(frozen=True, slots=True)
class _Entry:
    level: int
    """The level of the run that scripted it."""
    answer: Answer | Refusal | None
    about: str | None
    """Only questions that hold this text."""
    delay: float

    def fits(self, params: dict[str, Any]) -> bool:
        return self.about is None or self.about.casefold() in to_json(params).casefold()


@dataclass(slots=True)
class _Script:
    once: deque[_Entry] = field(default_factory=deque)
    always: list[_Entry] = field(default_factory=list)
    """The last one that fits counts."""
    declares: dict[str, Any] = field(default_factory=dict)
    """What its capability says beside being there."""

    def take(self, params: dict[str, Any]) -> _Entry | None:
        once = next((entry for entry in self.once if entry.fits(params)), None)
        if once is not None:
            self.once.remove(once)
            return once
        return next((entry for entry in reversed(self.always) if entry.fits(params)), None)


class ClientSide:
    """Scripts by method: answers to use once, in their order, then one for all that follow."""

    def __init__(self) -> None:
        self._scripts: dict[str, _Script] = {}
        self.questions: list[Question] = []
        self.declared: dict[str, Any] | None = None
        """Client capabilities set by hand; otherwise they follow the scripts."""
        self._declared_at = 0

    def declaring(self, capabilities: dict[str, Any]) -> ClientSide:
        """The same scripts and questions, with other declared capabilities."""
        twin = ClientSide()
        twin._scripts, twin.questions = self._scripts, self.questions
        twin.declared = capabilities
        return twin

    def declare(self, capabilities: dict[str, Any] | None, *, level: int = 0) -> None:
        """Declare this from now on whatever is scripted; ``None`` lets the capabilities follow the scripts again."""
        self.declared, self._declared_at = capabilities, level

    def script(
        self,
        method: str,
        answer: Answer | Refusal | None,
        *,
        times: int | None = None,
        level: int = 0,
        about: str | None = None,
        delay: float = 0.0,
        declares: dict[str, Any] | None = None,
    ) -> None:
        """Say what is answered: a result, an error, or (``None``) nothing at all."""
        script = self._scripts.setdefault(method, _Script())
        entry = _Entry(level, answer, about, delay)
        if times is None:
            script.always.append(entry)
        else:
            script.once.extend(itertools.repeat(entry, times))
        script.declares |= declares or {}

    def end_level(self, level: int) -> None:
        """Drop what was scripted at this level of the run or deeper; what was there before counts again."""
        for method, script in list(self._scripts.items()):
            script.once = deque(entry for entry in script.once if entry.level < level)
            script.always = [entry for entry in script.always if entry.level < level]
            if not script.once and not script.always:
                del self._scripts[method]
        if self._declared_at >= level:
            self.declare(None)

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
            declared["sampling"] = dict(self._scripts[SAMPLING].declares)
        if ROOTS in self._scripts:
            declared["roots"] = {}
        return declared

    def ask(self, method: str, params: Any) -> Question:
        """Record a question and find its answer."""
        question = Question(method, params if isinstance(params, dict) else {})
        self.questions.append(question)
        script = self._scripts.get(method)
        entry = script.take(question.params) if script else None
        if entry is not None:
            question.scripted, question.delay = True, entry.delay
            if isinstance(entry.answer, Refusal):
                question.error = {"code": entry.answer.code, "message": entry.answer.message}
            elif entry.answer is not None:
                question.answer = entry.answer(question.params)
        return question

    def respond(self, method: str, params: Any) -> tuple[dict[str, Any] | None, float]:
        """The members of a JSON-RPC response to a request of a legacy server, and after how many seconds it is sent.

        ``None``: nothing is sent at all.
        """
        if method == "ping":
            return {"result": {}}, 0.0
        question = self.ask(method, params)
        if question.answer is not None:
            return {"result": question.answer}, question.delay
        if question.error is not None:
            return {"error": question.error}, question.delay
        if question.scripted:
            return None, 0.0
        return {"error": {"code": METHOD_NOT_FOUND, "message": f"this client does not offer {method}"}}, 0.0

    def unanswered(self) -> list[Question]:
        """The questions that nothing was scripted for."""
        return [question for question in self.questions if not question.scripted]


def elicitation_answer(params: dict[str, Any], action: str, content: Any = None) -> dict[str, Any]:
    """What the user does with a form or a URL; an accepted form without content is filled as its schema wants."""
    if action != "accept":
        return {"action": action}
    if params.get("mode") == "url" and content is None:
        return {"action": action}
    return {"action": action, "content": from_schema(params.get("requestedSchema")) if content is None else content}


def sampling_answer(
    text: str, *, model: str = "test-model", tool: str | None = None, given: Any = None
) -> dict[str, Any]:
    """What the client's model says: a text, or that it wants this tool used with this input."""
    content: dict[str, Any] = {"type": "text", "text": text}
    if tool is not None:
        content = {"type": "tool_use", "id": "call-1", "name": tool, "input": given or {}}
    stop = "endTurn" if tool is None else "toolUse"
    return {"role": "assistant", "content": content, "model": model, "stopReason": stop}


def roots_answer(uris: Iterable[str]) -> dict[str, Any]:
    return {"roots": [{"uri": uri} for uri in uris]}


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
