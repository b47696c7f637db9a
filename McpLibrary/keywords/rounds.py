"""Keywords that walk through the rounds of a modern call by hand, and try what can be wrong with an answer or a state."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import rounds as checks
from ..failures import WrongUse
from ..session.client_side import (
    ELICITATION,
    EVERYTHING,
    ROOTS,
    SAMPLING,
    elicitation_answer,
    roots_answer,
    sampling_answer,
)
from ..session.envelope import CAPABILITIES_KEY
from ..types import Action, Expect, Json, JsonOrText, OptionalJson
from ..wire.frame import Exchange
from ..wire.jsonrpc import INTERNAL_ERROR, MISSING, describe_code, to_json
from .base import Group, Reply, ended, names_of, seconds, source_of, to_robot

ASKING_METHODS = ("tools/call", "prompts/get", "resources/read")
"""The methods that may answer with questions (MRTR-02)."""

Way = Literal["changed", "shortened", "longer", "empty", "garbage", "number"]


class Rounds(Group):
    @keyword(tags=["rounds"])
    def call_tool_one_round(
        self,
        name: str,
        arguments: OptionalJson = None,
        *,
        capabilities: OptionalJson = None,
        expect: Expect = Expect.RESULT,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Call a tool on a modern connection and return what it answers, be it questions, without answering them.

        Args:
            name: Name of the tool.
            arguments: Its arguments as a JSON object.
            capabilities: What this request declares that our client can do, as a JSON object. Without it what the
                connection declares, and when that is nothing, all there is.
            expect: How the round shall end; questions are a result.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            A round: the reply as described at *Call Tool*, and `${round.asks}` (whether it asks), `${round.questions}`
            (by key, each with `method` and `params`), `${round.state}` (its `requestState`, `None` without).

        Example:
        ```robotframework
        ${round} =    Call Tool One Round    gift_order    {"item": "tea"}
        Answer Input Request    ${round}    {"qty": 2}
        ${end} =    Retry With Answers    ${round}
        Should Be Equal    ${end.asks}    ${False}
        ```
        """
        params: Any = {"name": name, "arguments": arguments or {}}
        reply: Reply = self.ask_one_round(
            "tools/call", params, capabilities=capabilities, expect=expect, timeout=timeout, server=server
        )
        return reply

    @keyword(tags=["rounds"])
    def ask_one_round(
        self,
        method: Literal["tools/call", "prompts/get", "resources/read"],
        params: Json,
        *,
        capabilities: OptionalJson = None,
        expect: Expect = Expect.RESULT,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send a request of any method that may ask, as *Call Tool One Round* does for tools.

        Args:
            method: Method.
            params: Its params as a JSON object.
            capabilities: As in *Call Tool One Round*.
            expect: As in *Call Tool One Round*.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            A round.
        """
        session = self.ctx.connection(server).session
        if not session.modern:
            raise WrongUse(
                "Rounds exist on modern connections only; in the legacy era a server asks by requests, which "
                "'Answer Elicitation' and its like answer."
            )
        if not isinstance(params, dict):
            raise WrongUse(f"The params must be a JSON object, got {to_json(params)[:60]}.")
        declared = capabilities if capabilities is not None else session.client_side.capabilities() or EVERYTHING
        meta = {**(params.get("_meta") or {}), CAPABILITIES_KEY: declared}
        return self._round(method, {**params, "_meta": meta}, expect, timeout, server)

    @keyword(tags=["rounds"])
    def answer_input_request(
        self,
        round: Any,  # noqa: A002
        answer: JsonOrText = None,  # type: ignore[assignment]
        *,
        key: str | None = None,
        action: Action = Action.ACCEPT,
        response: OptionalJson = None,
    ) -> Any:
        """Note the answer to a question of a round, for *Retry With Answers*; nothing is sent.

        Args:
            round: What *Call Tool One Round* or *Retry With Answers* returned.
            answer: The content of an accepted form as a JSON object, the text that the model says, or the list of URIs of
                roots, as the question wants. Without it what fits the asked schema, `ok`, or no roots.
            key: Key of the question. Without it each question that is not answered yet.
            action: `ACCEPT`, `DECLINE` or `CANCEL`, for elicitation.
            response: The whole answer as any JSON, sent untouched; for answers that are wrong.

        Returns:
            All answers noted so far, by key.
        """
        questions = _of_round(round)
        keys = [key] if key is not None else [name for name in questions if name not in round["answers"]]
        if not keys or any(name not in questions for name in keys):
            raise WrongUse(f"The round asks nothing under {key!r}. It asks: {', '.join(questions) or 'nothing'}.")
        for name in keys:
            answered = response if response is not None else _answer(questions[name], answer, action)
            round["answers"][name] = answered
        return to_robot(dict(round["answers"]))

    @keyword(tags=["rounds"])
    def retry_with_answers(
        self,
        round: Any,  # noqa: A002
        *,
        answers: OptionalJson = None,
        state: Any = MISSING,
        name: str | None = None,
        arguments: OptionalJson = None,
        without: list[str] | str = "",
        expect: Expect = Expect.ANY,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send the request of a round again under a new id, with the answers noted and its state byte for byte.

        Args:
            round: What *Call Tool One Round* or *Retry With Answers* returned.
            answers: Any JSON to send as `inputResponses` instead of the answers noted.
            state: Anything to send as `requestState` instead of the round's own.
            name: Another tool, prompt or URI to ask.
            arguments: Other arguments.
            without: What to leave out: `inputResponses`, `requestState` or both.
            expect: How the retry shall end; whatever comes if not given, but an answer it must be.
            timeout: Time for the answer.
            server: Alias of the connection, which may be another one; that of the round if not given.

        Returns:
            A round again.
        """
        params = dict(source_of(round).request.value["params"])
        params["inputResponses"] = dict(round["answers"]) if answers is None else answers
        if state is not MISSING:
            params["requestState"] = state
        elif round["state"] is not None:
            params["requestState"] = round["state"]
        else:
            params.pop("requestState", None)
        for name_of in names_of(without):
            params.pop(name_of, None)
        method = str(source_of(round).method)
        if name is not None:
            params["uri" if method == "resources/read" else "name"] = name
        if arguments is not None:
            params["arguments"] = arguments
        return self._round(method, params, expect, timeout, server or round["server"], noted=round["answers"])

    @keyword(tags=["rounds"])
    def tamper_request_state(self, round: Any, way: Way = "changed") -> Any:  # noqa: A002
        """Return the state of a round spoilt, for `state=` of *Retry With Answers*. (MRTR-11)

        Args:
            round: A round with a state.
            way: `changed` (one character in the middle), `shortened`, `longer`, `empty`, `garbage`, or `number` (no text
                at all).

        Returns:
            The spoilt state. Skips when the round has none.
        """
        return checks.tampered(self._state_of(round), way)

    @keyword(tags=["rounds"])
    def replay_request_state(
        self,
        round: Any,  # noqa: A002
        onto: Any = None,
        *,
        name: str | None = None,
        arguments: OptionalJson = None,
        server: str | None = None,
    ) -> Reply:
        """Send the answers and the state of a round again, with the same call or with another one. (MRTR-13, MRTR-16)

        Args:
            round: A round with a state.
            onto: A round of another call, whose answers are sent with the state of the first. (MRTR-24)
            name: Another tool, prompt or URI.
            arguments: Other arguments.
            server: Alias of the connection, which may be another one; that of the round if not given.

        Returns:
            The round that came of it. Skips when the first round has no state.
        """
        state = self._state_of(round)
        target = round if onto is None else onto
        reply: Reply = self.retry_with_answers(target, state=state, name=name, arguments=arguments, server=server)
        return reply

    # -- verdicts -----------------------------------------------------------------------------------------------

    @keyword(tags=["rounds", "assertion"])
    def round_should_ask(self, round: Any) -> Any:  # noqa: A002
        """Fail unless a round ended with `input_required` of the right shape. (MRTR-01, MRTR-03, MRTR-04)

        Args:
            round: What *Call Tool One Round* or *Retry With Answers* returned.

        Returns:
            Its questions by key.
        """
        exchange = source_of(round)
        if not checks.asks(exchange.result):
            raise self.ctx.broken(
                f"{exchange.method} should ask (input_required), but was {_ended(exchange)}.", exchange
            )
        problems = checks.round_problems(exchange.result, round["raw"])
        if problems:
            raise self.ctx.broken(f"The input_required result is not right: {problems[0]}.", exchange)
        return round["questions"]

    @keyword(tags=["rounds", "assertion"])
    def round_should_complete(self, round: Any, text: str | None = None) -> None:  # noqa: A002
        """Fail unless a round ended with a complete result that is no tool error. (MRTR-05, MRTR-08)

        Args:
            round: What *Retry With Answers* returned.
            text: What its text must be.
        """
        exchange = source_of(round)
        if not _completes(exchange):
            raise self.ctx.broken(f"The answered call should complete, but was {_ended(exchange)}.", exchange)
        if text is not None and round["text"] != text:
            raise self.ctx.broken(f"The answered call should say {text!r}, but said {round['text']!r}.", exchange)

    @keyword(tags=["rounds", "assertion"])
    def round_should_not_complete(self, round: Any, because: str = "what it was sent must not count") -> None:  # noqa: A002
        """Fail if a round ended with a success: a tool error, an error and new questions are all fine. (MRTR-06, MRTR-10)

        Args:
            round: What *Retry With Answers* returned.
            because: Why it must not, for the failure.
        """
        exchange = source_of(round)
        self._answered(exchange)
        if _completes(exchange):
            raise self.ctx.broken(f"The call must not complete, since {because}, but it did.", exchange)

    @keyword(tags=["rounds", "assertion"])
    def request_state_should_not_be_taken(self, reply: Any, what: str = "a state that the server never gave") -> None:
        """Fail if the retry with a bad state completed, as if the state were good. (MRTR-11, MRTR-13, MRTR-15, MRTR-16)

        Args:
            reply: What *Retry With Answers* or *Replay Request State* returned.
            what: What was sent, for the failure.
        """
        exchange = source_of(reply)
        self._answered(exchange)
        if _completes(exchange):
            raise self.ctx.broken(
                f"A call with {what} should be refused, but completed.", exchange,
                hint="seal requestState with a key of the server, bound to the call and to a lifetime, and verify it before "
                "anything else; SDKs bring this (RequestStateBoundary in Python, createRequestStateCodec in TypeScript).",
            )  # fmt: skip

    @keyword(tags=["rounds", "assertion"])
    def request_state_should_be_refused_by_an_error(self, reply: Any, what: str = "a spoilt state") -> None:
        """Fail unless the retry with a bad state is a JSON-RPC error, and none that blames an accident. (MRTR-11, X-08)

        Which code and which words is free.

        Args:
            reply: What *Retry With Answers* or *Replay Request State* returned.
            what: What was sent, for the failure.
        """
        exchange = source_of(reply)
        self._answered(exchange)
        if not isinstance(exchange.error, dict):
            raise self.ctx.broken(
                f"A call with {what} should be refused by a JSON-RPC error, but was {_ended(exchange)}.", exchange
            )
        if exchange.error_code == INTERNAL_ERROR:
            raise self.ctx.broken(
                f"A call with {what} is the client's fault, and should not be refused by {describe_code(INTERNAL_ERROR)}.",
                exchange,
            )

    @keyword(tags=["rounds", "assertion"])
    def refused_states_should_be_indistinguishable(self, *replies: Any) -> None:
        """Fail if refusals of bad states differ in HTTP status, code, message or data, so that one can learn from them. (MRTR-12)

        How long each took is logged and not judged.

        Args:
            replies: Refusals as *Retry With Answers* and *Replay Request State* returned them. Those that are no JSON-RPC
                error are judged elsewhere and left out; skips when fewer than two are left.
        """
        refused = [source_of(reply) for reply in replies if isinstance(source_of(reply).error, dict)]
        if len(refused) < 2:
            raise SkipExecution("Nothing was judged: fewer than two states were refused by an error.")
        logger.info("\n".join(f"exchange {e.number}: {e.elapsed * 1000:.1f} ms" for e in refused))
        problems = checks.differences([(f"exchange {e.number}", e.status, e.error) for e in refused])
        if problems:
            raise self.ctx.broken(
                f"Refusals of bad states should all look alike, but {problems[0]}.", refused[0],
                evidence="\n".join(to_json(e.error) for e in refused[:6]),
                hint="what differs tells an attacker how far a forged state got; keep the reason for the server's own log.",
            )  # fmt: skip

    @keyword(tags=["rounds", "assertion"])
    def request_state_should_be_opaque(self, round: Any) -> None:  # noqa: A002
        """Fail if the state of a round can be read without a key: arguments of the call, or JSON. (MRTR-23)

        Args:
            round: A round with a state; skips without.
        """
        exchange = source_of(round)
        parts = checks.readable_parts(self._state_of(round), exchange.request.value["params"].get("arguments"))
        if parts:
            raise self.ctx.broken(
                f"requestState should be opaque, but can be read: {parts[0]}.", exchange,
                hint="a signed state is safe from change, but not from being read; encrypt what is not for the client's eyes.",
            )  # fmt: skip

    # ---------------------------------------------------------------------------------------------------------------

    def _round(self, method: str, params: Any, expect: Expect, timeout: timedelta | None, server: str | None,
               noted: Any = None) -> Reply:  # fmt: skip
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or session.timeout

        async def run() -> Exchange:
            if method == "tools/call" and session.transport.kind == "http":
                await session.tool_schemas()  # For the headers that mirror arguments.
            return await session.request(method, params, timeout=limit)

        with self.ctx.logged(connection):
            exchange = self.ctx.wait(run, timeout=limit * 2)
        self.judge(exchange, expect, connection)
        reply = Reply(exchange, connection.alias)
        result = exchange.result if isinstance(exchange.result, dict) else {}
        requests, state = result.get("inputRequests"), result.get("requestState")
        reply["asks"] = checks.asks(result)
        reply["questions"] = to_robot(requests if isinstance(requests, dict) else {})
        reply["state"] = state if isinstance(state, str) else None
        # Answers of earlier rounds are in the state; a key that is asked again wants a new answer.
        reply["answers"] = to_robot({} if reply["asks"] or noted is None else dict(noted))
        return reply

    def _state_of(self, round: Any) -> str:  # noqa: A002
        _of_round(round)
        if round["state"] is None:
            raise SkipExecution("Not applicable: the call keeps no requestState.")
        return str(round["state"])

    def _answered(self, exchange: Exchange) -> None:
        if exchange.answer is None and (exchange.status is None or exchange.status >= 500):
            raise self.ctx.defect(f"{exchange.method} should be answered, but there was {ended(exchange)}.", exchange)


def _of_round(round: Any) -> Any:  # noqa: A002
    if not isinstance(round, Reply) or "questions" not in round:
        raise WrongUse("Expected a round, as 'Call Tool One Round' or 'Retry With Answers' returns it.")
    return round["questions"]


def _answer(question: Any, answer: Any, action: Action) -> Any:
    method, params = question.get("method"), question.get("params") or {}
    if method == ELICITATION:
        return elicitation_answer(params, action.value, answer)
    if method == SAMPLING:
        return sampling_answer("ok" if answer is None else str(answer))
    if method == ROOTS:
        return roots_answer([answer] if isinstance(answer, str) else answer or [])
    raise WrongUse(f"There is no answer to the question {method!r}; give one with response=.")


def _completes(exchange: Exchange) -> bool:
    result = exchange.result
    return isinstance(result, dict) and not checks.asks(result) and not exchange.is_tool_error


def _ended(exchange: Exchange) -> str:
    if checks.asks(exchange.result):
        return "a new question (input_required)"
    return ended(exchange)
