"""What all keyword groups share: the context, replies, and the verdict on how a call ended."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast, get_type_hints

from robot.api import TypeInfo
from robot.utils import DotDict

from ..checks.errors import same_id
from ..context import Context
from ..failures import WrongUse
from ..logs import summary
from ..types import CONVERTERS, Expect
from ..wire import jsonrpc
from ..wire.frame import Exchange, Frame, Outcome
from ..wire.jsonrpc import MISSING

if TYPE_CHECKING:
    from ..session.connections import Connection
    from ..session.revisions import Revision


def to_robot(value: Any) -> Any:
    """A copy of JSON data whose objects can be read as ``${value.member}``."""
    if isinstance(value, dict):
        copy = DotDict.__new__(DotDict)  # Its constructor would look through what is not there yet.
        for key, item in value.items():
            OrderedDict.__setitem__(copy, key, to_robot(item))
        return copy
    if isinstance(value, list):
        return [to_robot(item) for item in value]
    return value


class Reply(DotDict):  # type: ignore[misc]
    """What came back for a message of ours, as a dictionary with dots. Made by asking and raw keywords."""

    def __init__(self, exchange: Exchange, alias: str) -> None:
        message = to_robot(exchange.answer.value) if exchange.answer is not None else None
        members = message if isinstance(message, dict) else {}
        http = exchange.http
        values = {
            "result": members.get("result"),
            "error": members.get("error"),
            "id": None if exchange.answer is None or (i := exchange.answer.member("id")) is MISSING else i,
            "is_error": exchange.is_tool_error,
            "text": text_of(exchange.result),
            "outcome": exchange.outcome.name.lower().replace("_", " "),
            "problem": exchange.problem,
            "message": message,
            "sent": None if exchange.request.value is MISSING else to_robot(exchange.request.value),
            "raw": _raw(exchange),
            "status": exchange.status,
            "headers": DotDict({n.lower(): v for n, v in reversed(http.headers)}) if http else None,
            "messages": [to_robot(frame.value) for frame in exchange.between if frame.problem is None],
            "elapsed": exchange.elapsed,
            "exchange": exchange.number,
            "server": alias,
        }
        super().__init__()
        for key, value in values.items():  # Not by the constructor, which would copy all of it once more.
            OrderedDict.__setitem__(self, key, value)
        OrderedDict.__setattr__(self, "_source", exchange)

    def __copy__(self) -> DotDict:
        """A copy is a plain dictionary: it can be changed, and is no reply any more."""
        return DotDict(self)

    def __deepcopy__(self, memo: Any) -> DotDict:
        return cast(DotDict, to_robot(copy.deepcopy(dict(self), memo)))

    def copy(self) -> DotDict:
        return self.__copy__()

    def __str__(self) -> str:
        """What Robot shows when it assigns a reply: one line instead of all of it."""
        return f"{summary(self.source)} {self['raw'][:150]}"

    @property
    def source(self) -> Exchange:
        """The exchange itself, for keywords that judge a reply."""
        return cast(Exchange, OrderedDict.__getattribute__(self, "_source"))


def text_of(result: Any) -> str | None:
    """The text blocks of a tool result, joined by newlines; ``None`` when there is no content."""
    content = result.get("content") if isinstance(result, dict) else None
    if not isinstance(content, list):
        return None
    texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
    return "\n".join(text for text in texts if isinstance(text, str))


def _raw(exchange: Exchange) -> str:
    if exchange.answer is not None:
        return exchange.answer.raw.decode("utf-8", "backslashreplace")
    return exchange.http.body.decode("utf-8", "backslashreplace") if exchange.http else ""


def source_of(reply: Any) -> Exchange:
    """The exchange behind a reply that a user hands to a judging keyword."""
    if isinstance(reply, Reply):
        return reply.source
    raise WrongUse(
        f"Expected the reply that 'Call Tool', 'Send Raw Request' or another asking keyword returned, "
        f"got {type(reply).__name__}."
    )


def ended(exchange: Exchange) -> str:
    """How an exchange ended, in words that fit after 'but was'."""
    if exchange.answer is None:
        return f"no JSON-RPC answer ({exchange.problem or exchange.outcome.value})"
    error = exchange.error
    if isinstance(error, dict):
        return f"error {jsonrpc.describe_code(error.get('code'))}: {str(error.get('message', ''))!r}"
    if exchange.is_tool_error:
        return f"a tool error: {(text_of(exchange.result) or 'without text')!r}"
    return {"result": "a result", "invalid": "a message with neither result nor error"}.get(
        exchange.answer.kind, f"a {exchange.answer.kind}"
    )


def seconds(value: timedelta | None) -> float | None:
    if value is None:
        return None
    if value.total_seconds() <= 0:
        raise WrongUse(f"A timeout must be longer than nothing, got {value}.")
    return value.total_seconds()


def names_of(without: list[str] | tuple[str, ...] | str) -> list[str]:
    """What a `without=` names: a list, or one text with commas."""
    names = without.split(",") if isinstance(without, str) else without
    return [name.strip() for name in names if name.strip()]


def convert_options(function: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that pass through ``**options`` of one keyword, converted as the keyword that takes them would.

    Empty ones are left out. Raises `WrongUse` for one that the keyword does not know, or a value that does not fit.
    """
    hints = get_type_hints(function)
    converted = {}
    for name, value in options.items():
        if name not in hints:
            known = ", ".join(sorted(set(hints) - {"return", "target"}))
            raise WrongUse(f"There is no option {name!r}. Options are: {known}.")
        if value is None or (isinstance(value, str) and not value):
            continue
        try:
            converted[name] = TypeInfo.from_type_hint(hints[name]).convert(value, name, CONVERTERS)
        except (ValueError, TypeError) as error:
            raise WrongUse(str(error)) from None
    return converted


class Group:
    """Base of the keyword mixins; the library class sets the context."""

    ctx: Context

    def ask(
        self,
        method: str,
        params: dict[str, Any],
        *,
        expect: Expect,
        timeout: float | None,
        server: str | None,
        max_rounds: int = 10,
    ) -> Reply:
        """Send a request, answer its rounds, judge its ending, and give the reply."""
        from ..session.session import TooManyRounds, Unanswered

        connection = self.ctx.connection(server)
        limit = connection.session.timeout if timeout is None else timeout

        async def run() -> Exchange:
            return await connection.session.ask(method, params, timeout=limit, max_rounds=max_rounds)

        with self.ctx.logged(connection):
            try:
                exchange = self.ctx.wait(run, timeout=limit * (max_rounds + 1))
            except Unanswered as error:
                last = connection.session.transcript.exchange(-1)
                raise self.ctx.broken(
                    f"{method} needs an answer: the server asked {error.question}, and none was scripted.",
                    last,
                    hint=self.ctx.hint_for(error.question),
                ) from None
            except TooManyRounds as error:
                raise self.ctx.defect(f"{method}: {error}.", connection.session.transcript.exchange(-1)) from None
        self.judge(exchange, expect, connection)
        return Reply(exchange, connection.alias)

    def revision(self, server: str | None = None) -> Revision:
        """The revision of a connection, for judgements that depend on it."""
        revision = self.ctx.connection(server).session.revision
        if revision is None:
            raise WrongUse("The connection has no revision yet, so nothing can be told right or wrong.")
        return revision

    def judge(self, exchange: Exchange, expect: Expect, connection: Connection | None) -> None:
        """Fail unless the exchange ended as expected."""
        if expect is Expect.ANY:
            return
        if expect is Expect.NO_ANSWER:
            if exchange.answer is not None:
                raise self.ctx.broken(f"Expected no answer, but got {ended(exchange)}.", exchange)
            return
        if exchange.answer is None:
            if exchange.outcome in (Outcome.REFUSED, Outcome.ACCEPTED):
                raise self.ctx.broken(f"Expected {expect.value}, but got {ended(exchange)}.", exchange)
            raise self.ctx.no_answer(exchange, connection)
        answered, asked = exchange.answer.member("id"), exchange.id
        if exchange.request.kind == "request" and type(asked) in (int, str) and not same_id(answered, asked):
            if exchange.answer.kind != "error" or answered not in (MISSING, None):
                raise self.ctx.broken(
                    f"The answer should carry the id of its request, {asked!r}, but has {answered!r}.", exchange
                )
        is_result = exchange.result is not MISSING and exchange.error is MISSING
        good = {
            Expect.RESULT: is_result and not exchange.is_tool_error,
            Expect.TOOL_ERROR: is_result and exchange.is_tool_error,
            Expect.PROTOCOL_ERROR: isinstance(exchange.error, dict),
        }[expect]
        if not good:
            raise self.ctx.broken(
                f"Expected {expect.value}, but got {ended(exchange)}.", exchange, hint=_hint(exchange)
            )

    def fail_on(self, problems: list[str], summary: str, exchange: Exchange | None = None) -> None:
        """Fail with the first of the problems that a check found, and say how many more there are."""
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            raise self.ctx.broken(f"{summary}: {problems[0]}{more}.", exchange)

    def walk(self, method: str, *, timeout: float | None, server: str | None) -> list[Any]:
        """All items of a list, over all pages."""
        from ..session.session import BadList

        connection = self.ctx.connection(server)
        limit = connection.session.timeout if timeout is None else timeout

        async def run() -> tuple[list[Any], list[Exchange]]:
            return await connection.session.walk(method, timeout=limit)

        with self.ctx.logged(connection):
            try:
                items, exchanges = self.ctx.wait(run, timeout=limit * 20)
            except BadList as error:
                raise self.ctx.broken(f"{error}.", connection.session.transcript.exchange(-1)) from None
        self.judge(exchanges[-1], Expect.RESULT, connection)
        if method == "tools/list":
            connection.session.remember_tools(items)
        return items

    def listed(self, method: str, server: str | None) -> list[Any]:
        """The items of a list as far as they can be had; what is wrong with the list is a matter of others."""
        from ..session.session import BadList

        connection = self.ctx.connection(server)
        with self.ctx.logged(connection):
            try:
                return self.ctx.wait(connection.session.walk, method, timeout=connection.session.timeout * 20)[0]
            except BadList:
                return []


def _hint(exchange: Exchange) -> str:
    code = exchange.error_code
    message = str(exchange.error.get("message", "")) if isinstance(exchange.error, dict) else ""
    if "back-channel" in message:
        return (
            "the server asks imperatively (ctx.elicit and the like), which only works in the legacy era; "
            "its author should use resolver parameters or return an input_required result."
        )
    if code == jsonrpc.MISSING_CLIENT_CAPABILITY:
        return "the tool asks the client something; script it with 'Answer Elicitation', 'Answer Sampling' or 'Answer Roots'."
    if exchange.status in (401, 403):
        return "the server wants another token; give it with token= on 'Connect To Server'."
    return ""


def frames_as_values(frames: Iterable[Frame]) -> list[Any]:
    return [to_robot(frame.value) for frame in frames if frame.problem is None]


def full_name(method: str) -> str:
    """The method of a notification that a user may name without its prefix."""
    return method if method.startswith("notifications/") else f"notifications/{method}"


def notifications(frames: Iterable[Frame]) -> list[Frame]:
    return [f for f in frames if f.direction == "received" and f.kind == "notification"]
