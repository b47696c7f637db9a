"""Keywords of the suites about questions: the tools that ask are called by their roles, and what they ask is judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import questions as checks
from ..checks.rounds import asks, misfit, round_problems
from ..context import SHARED
from ..session.client_side import (
    ELICITATION,
    EVERYTHING,
    METHOD_OF,
    ROOTS,
    SAMPLING,
    Refusal,
    elicitation_answer,
    roots_answer,
    sampling_answer,
)
from ..types import AutoClose, Expect
from ..wire.frame import Exchange
from ..wire.jsonrpc import INTERNAL_ERROR, MISSING, URL_ELICITATION_REQUIRED, describe_code, to_json
from .base import Group, Reply, ended, source_of, to_robot

Kind = Literal["elicitation", "sampling", "roots"]
Way = Literal["accept", "decline", "cancel", "wrongly", "error"]

USER_SAID_NO = -1
"""The code of a client whose user refuses, which no server can take for one of its own."""


class Questions(Group):
    call_role: Any
    call_tool: Any
    call_tool_one_round: Any
    require_role: Any
    require_era: Any
    round_should_ask: Any
    answer_input_request: Any
    retry_with_answers: Any
    _state: Any
    _connect: Any
    _protocol_for: Any
    _under_test: Any

    @keyword(tags=["suites"])
    def use_server_that_may_ask(self, era: str | None = None) -> str:
        """As *Use Server Under Test*, by a shared connection whose client declares that it can be asked everything.

        Args:
            era: `legacy` or `modern`; without it the newest era that is judged.

        Returns:
            The era. Skips the test when the era is not judged.
        """
        chosen: str = self.require_era(era) if era else self._under_test().eras[-1]
        self.ctx.test_era = chosen
        alias = f"{SHARED}-{chosen}-asked"
        if alias in self.ctx.connections:
            if not self.ctx.connection(alias).session.transport.closed_because:
                self.ctx.connections.switch(alias)
                return chosen
            self.ctx.close_connection(alias)
        self._connect(alias, self._protocol_for(chosen), close=AutoClose.RUN, client_capabilities=EVERYTHING)
        return chosen

    @keyword(tags=["suites", "rounds"])
    def start_round_of_role(self, role: str) -> Reply:
        """Call the tool of a role on a modern connection, and return the round of questions that it answers with.

        Args:
            role: Name of a role whose tool asks, such as `elicitation_tool`. Skips when it is not named.

        Returns:
            The round, as *Call Tool One Round* gives it. Skips when it is none of the right shape, which
            *Role Should Ask In The Right Shape* judges.
        """
        tool = self.require_role(role)
        round: Reply = self.call_tool_one_round(tool["name"], dict(tool["arguments"]), expect=Expect.ANY)  # noqa: A001
        exchange = source_of(round)
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        if not asks(exchange.result) or round_problems(exchange.result, round["raw"]):
            raise SkipExecution(
                f"Nothing was judged: {tool['name']} does not ask by a round of the right shape (MRTR-01)."
            )
        return round

    @keyword(tags=["suites", "rounds", "assertion"])
    def role_should_ask_in_the_right_shape(self, role: str) -> None:
        """Call the tool of a role on a modern connection, and fail unless it asks in the right shape. (MRTR-01, MRTR-03, MRTR-04)

        Args:
            role: Name of a role whose tool asks. Skips when it is not named.
        """
        tool = self.require_role(role)
        self.round_should_ask(self.call_tool_one_round(tool["name"], dict(tool["arguments"]), expect=Expect.ANY))

    @keyword(tags=["suites", "rounds"])
    def start_answered_round(self, role: str) -> Reply:
        """As *Start Round Of Role*, with all questions of the round answered by the `answer` of the role; nothing is sent yet.

        Args:
            role: Name of a role whose tool asks. Skips when it is not named.

        Returns:
            The round, for *Retry With Answers*.
        """
        round: Reply = self.start_round_of_role(role)  # noqa: A001
        if round["questions"]:
            self.answer_input_request(round, self.require_role(role).get("answer"))
        return round

    @keyword(tags=["suites", "rounds"])
    def skip_when_nothing_depends_on_the_state(self, round: Any) -> None:  # noqa: A002
        """Skip the test when a call completes by its answers alone, or its rounds have no state.

        Args:
            round: A round whose questions are answered.
        """
        if round["state"] is None:
            raise SkipExecution("Not applicable: the call keeps no requestState.")
        exchange = source_of(self.retry_with_answers(round, without="requestState"))
        if isinstance(exchange.result, dict) and not exchange.is_tool_error and not asks(exchange.result):
            raise SkipExecution(
                "Not applicable: the call completes without its requestState, so nothing depends on it."
            )

    @keyword(tags=["suites"])
    def get_state_of_server(self, probe: Any) -> str:
        """Return what the state probe shows; skip the test when it shows something else each time.

        Args:
            probe: What *Require Role* returned for `state_probe`.
        """
        state: str = self._state(probe)
        if self._state(probe) != state:
            raise SkipExecution("Nothing was judged: the state_probe shows another state each time it is called.")
        return state

    @keyword(tags=["suites", "assertion"])
    def state_of_server_should_be(self, before: str, probe: Any, reply: Any) -> None:
        """Fail if the state probe shows another state than before a call that should have done nothing. (MRTR-11, MRTR-26)

        Args:
            before: What *Get State Of Server* returned.
            probe: What *Require Role* returned for `state_probe`.
            reply: The reply of the call.
        """
        after = self._state(probe)
        if after != before:
            raise self.ctx.broken(
                f"The call should have changed nothing, but {probe['name']!r} says {after[:200]} after {before[:200]}.",
                source_of(reply),
            )

    @keyword(tags=["suites"])
    def get_questions_of_role(self, role: str, kind: Kind) -> list[Any]:
        """Call the tool of a role and return what it asks for; the user cancels, so nothing shall come of it.

        The tool is called once in each era, whatever number of tests look at its questions.

        Args:
            role: Name of a role whose tool asks. Skips when it is not named.
            kind: What it asks for: `elicitation`, `sampling` or `roots`.

        Returns:
            A list of dictionaries with `method` and `params`. Skips when it asks for nothing of the kind.
        """
        tool = self.require_role(role)
        kept = self._under_test().results
        place = f"questions of {role}, {self.ctx.test_era}"
        if place not in kept:
            kept[place] = self._ask_and_cancel(tool)
        found = [question for question in kept[place] if question["method"] == METHOD_OF[kind]]
        if not found:
            raise SkipExecution(f"Not applicable: {tool['name']} did not ask for {kind} in this era.")
        logger.info("\n".join(to_json(question) for question in found))
        return [to_robot(question) for question in found]

    def _ask_and_cancel(self, tool: Any) -> list[dict[str, Any]]:
        session = self.ctx.connection().session
        if session.modern:
            round = self.call_tool_one_round(tool["name"], dict(tool["arguments"]), expect=Expect.ANY)  # noqa: A001
            exchange = source_of(round)
            asked = [dict(item) for item in round["questions"].values() if isinstance(item, dict)]
        else:
            self._script_answer(tool, "elicitation", "cancel")
            self._script_answer(tool, "sampling", "accept")
            self._script_answer(tool, "roots", "accept")
            earlier = len(session.client_side.questions)
            exchange = source_of(self.call_role(tool))
            asked = [{"method": q.method, "params": q.params} for q in session.client_side.questions[earlier:]]
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        return asked

    @keyword(tags=["suites"])
    def call_role_answering(self, role: str, kind: Kind, way: Way = "accept") -> Reply:
        """Call the tool of a role, whose questions the client answers in this way, in either era.

        Args:
            role: Name of a role whose tool asks. Skips when it is not named.
            kind: What it asks for.
            way: `accept` gives the `answer` of the role, or what fits; `decline`, `cancel` and `wrongly` (a form that breaks
                the asked schema) are for elicitation; `error` is a JSON-RPC error, which only the legacy era has.

        Returns:
            The reply. A server that asks more than ten times is a defect.
        """
        tool = self.require_role(role)
        self._script_answer(tool, kind, way)
        reply: Reply = self.call_role(tool)
        exchange = source_of(reply)
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        return reply

    def _script_answer(self, tool: Any, kind: Kind, way: Way) -> None:
        given = tool.get("answer")

        def fill(params: dict[str, Any]) -> dict[str, Any]:
            if way == "wrongly":
                return elicitation_answer(params, "accept", misfit(params.get("requestedSchema")))
            return elicitation_answer(params, way, given)

        answer: Any = {
            ELICITATION: fill,
            SAMPLING: lambda params: sampling_answer(given if isinstance(given, str) else "ok"),
            ROOTS: lambda params: roots_answer(given if isinstance(given, list) else []),
        }[METHOD_OF[kind]]
        if way == "error":
            answer = Refusal(USER_SAID_NO, "The user does not want to be asked.")
        self.ctx.client_side.script(METHOD_OF[kind], answer, level=self.ctx.level)

    # -- verdicts -----------------------------------------------------------------------------------------------

    @keyword(tags=["suites", "assertion"])
    def role_should_complete_when_answered(self, role: str, kind: Kind) -> Reply:
        """Call the tool of a role, answer what it asks, and fail unless it then succeeds. (MRTR-05, MRTR-20, ELIC-08, MRTR-27)

        Args:
            role: Name of a role whose tool asks. Skips when it is not named, or the tool asks for nothing of the kind.
            kind: What it asks for.

        Returns:
            The reply; its text must be the `text` of the role, if that says one.
        """
        earlier = len(self.ctx.client_side.questions)
        reply: Reply = self.call_role_answering(role, kind)
        exchange = source_of(reply)
        tool = self.require_role(role)
        asked = [q for q in self.ctx.client_side.questions[earlier:] if q.method == METHOD_OF[kind]]
        good = exchange.error is MISSING and not exchange.is_tool_error
        if not asked and good:
            raise SkipExecution(f"Not applicable: {tool['name']} completed without asking for {kind}.")
        if not good:
            raise self.ctx.broken(
                f"{tool['name']} should succeed once its question ({kind}) is answered, but was {ended(exchange)}.", exchange,
                hint="" if asked else "nothing was asked, although the client declares that it can be.",
            )  # fmt: skip
        if "text" in tool and reply["text"] != tool["text"]:
            raise self.ctx.broken(
                f"{tool['name']} should say {tool['text']!r} after its answer, but said {reply['text']!r}.", exchange
            )
        return reply

    @keyword(tags=["suites", "assertion"])
    def role_should_not_ask_when_nothing_is_declared(self, role: str) -> Reply:
        """Call the tool of a role as a client that declares nothing, and fail if it asks. (SAMP-01, ROOTS-01)

        On a legacy connection a fresh one is opened for it. How the call ends is free, but it must end.

        Args:
            role: Name of a role whose tool asks. Skips when it is not named.

        Returns:
            The reply.
        """
        tool = self.require_role(role)
        reply: Reply
        if self.ctx.connection().session.modern:
            reply = self.call_tool_one_round(tool["name"], dict(tool["arguments"]), capabilities={}, expect=Expect.ANY)
            asked = [str(item.get("method")) for item in reply["questions"].values() if isinstance(item, dict)]
        else:
            self._connect(self.ctx.connections.new_alias(), self._protocol_for("legacy"), client_capabilities={})
            earlier = len(self.ctx.client_side.questions)
            reply = self.call_role(tool)
            asked = [question.method for question in self.ctx.client_side.questions[earlier:]]
        exchange = source_of(reply)
        if asked:
            raise self.ctx.broken(
                f"{tool['name']} must not ask by {asked[0]} a client that declares nothing, but does.", exchange,
                hint="look at the capabilities of the client first, and fail with words when it lacks one.",
            )  # fmt: skip
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        return reply

    @keyword(tags=["suites"])
    def let_model_of_role_use_a_tool(self, role: str) -> list[Any]:
        """Call the tool of a role; the client's model wants a tool of the question used first, and then says its text. (SAMP-03)

        Args:
            role: Name of a role whose tool samples with tools. Skips when it is not named.

        Returns:
            The questions to the model.
        """
        tool = self.require_role(role)
        text = str(tool.get("answer", "ok"))

        def say(params: dict[str, Any]) -> dict[str, Any]:
            tools = params.get("tools")
            if checks.uses_tools(params) or not isinstance(tools, list) or not tools or not isinstance(tools[0], dict):
                return sampling_answer(text)
            return sampling_answer("", tool=str(tools[0].get("name")))

        earlier = len(self.ctx.client_side.questions)
        self.ctx.client_side.script(SAMPLING, say, level=self.ctx.level)
        exchange = source_of(self.call_role(tool))
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        asked = self.ctx.client_side.questions[earlier:]
        return [to_robot({"method": q.method, "params": q.params}) for q in asked if q.method == SAMPLING]

    @keyword(tags=["suites", "assertion"])
    def call_should_end_sanely(self, reply: Any) -> None:
        """Fail if a call whose question got no good answer ended by an accident. (MRTR-22, ELIC-07, ELIC-15)

        A tool error, an error that says what is wrong, and a result for those who do not answer are all fine.

        Args:
            reply: The reply of *Call Role Answering*.
        """
        exchange = source_of(reply)
        if exchange.error_code == INTERNAL_ERROR or (exchange.status or 0) >= 500:
            raise self.ctx.broken(
                f"A user may say no, so the call should end with words for it, but was {ended(exchange)}.", exchange
            )

    @keyword(tags=["suites", "assertion"])
    def call_should_fail_with_words(self, reply: Any) -> None:
        """Fail unless a call that cannot ask in this era ended by an error or a tool error. (MRTR-27)

        Args:
            reply: The reply of *Call Role Answering*.
        """
        exchange = source_of(reply)
        if exchange.error is MISSING and not exchange.is_tool_error:
            raise self.ctx.broken(
                f"A tool that cannot ask should fail and say so, but was {ended(exchange)}.", exchange
            )

    @keyword(tags=["suites", "assertion"])
    def result_should_not_ask(self, reply: Any) -> None:
        """Fail if a result says `input_required` where that does not exist. (MRTR-02, MRTR-19)

        Args:
            reply: What an asking or raw keyword returned.
        """
        exchange = source_of(reply)
        result = exchange.result if isinstance(exchange.result, dict) else {}
        if result.get("resultType") == "input_required" or "inputRequests" in result:
            raise self.ctx.broken(
                f"{exchange.method} cannot ask by input_required in {self.revision(reply['server']).name}, but does.",
                exchange,
            )

    @keyword(tags=["suites", "assertion"])
    def server_should_send_no_requests(self, method: str | None = None, *, server: str | None = None) -> None:
        """Fail if the server sent a request on a modern connection, where questions only travel in results. (SAMP-05, ROOTS-01)

        Args:
            method: Only requests of this method.
            server: Alias of the connection; the current one if not given.
        """
        connection = self.ctx.connection(server)
        for frame in connection.session.transcript.frames():
            if frame.direction == "received" and frame.kind == "request" and method in (None, frame.method):
                raise self.ctx.broken(
                    f"A modern server sends no requests, but sent {frame.method}.",
                    where=f"Server {connection.described}.", evidence=frame.raw.decode("utf-8", "replace"),
                    hint="put the question into inputRequests of an input_required result.",
                )  # fmt: skip

    @keyword(tags=["suites", "assertion"])
    def elicitation_should_be_well_formed(self, *questions: Any) -> None:
        """Fail unless forms are flat and have a message, and URLs are URLs. (ELIC-01, ELIC-02)

        Args:
            questions: Questions as *Get Questions Of Role* or *Get Server Requests* returns them.
        """
        revision = self.revision()
        self._lint(
            questions, lambda params: checks.elicitation_problems(params, revision), "The elicitation is not right"
        )

    @keyword(tags=["suites", "assertion"])
    def url_should_have_an_elicitation_id(self, *questions: Any) -> None:
        """Fail unless what is asked by URL has an `elicitationId`. (ELIC-09)

        Args:
            questions: Questions as *Get Questions Of Role* returns them.
        """
        self._lint(self._urls(questions), checks.elicitation_id_problems, "The elicitation is not right")

    @keyword(tags=["suites", "assertion"])
    def form_should_not_ask_for_secrets(self, *questions: Any) -> None:
        """Fail if the words of a form say that it wants a password, a key, a card number. (ELIC-03)

        Args:
            questions: Questions as *Get Questions Of Role* returns them.
        """
        self._lint(self._forms(questions), checks.secrets_asked, "A form must not ask for secrets")

    @keyword(tags=["suites", "assertion"])
    def form_should_hold_no_links(self, *questions: Any) -> None:
        """Fail if a form shows a URL. (ELIC-06)

        Args:
            questions: Questions as *Get Questions Of Role* returns them.
        """
        self._lint(self._forms(questions), checks.links_in_form, "A form should hold no links")

    @keyword(tags=["suites", "assertion"])
    def url_should_carry_nothing_sensitive(self, *questions: Any) -> None:
        """Fail if the URL of an elicitation carries what looks like a credential or personal data. (ELIC-04)

        Args:
            questions: Questions as *Get Questions Of Role* returns them.
        """
        self._lint(self._urls(questions), checks.url_secrets, "The URL must carry nothing sensitive")

    @keyword(tags=["suites", "assertion"])
    def url_should_be_secure(self, *questions: Any) -> None:
        """Fail if the URL of an elicitation is neither https nor of this computer. (ELIC-05)

        Args:
            questions: Questions as *Get Questions Of Role* returns them.
        """
        self._lint(self._urls(questions), checks.insecure_url, "The URL should be https")

    @keyword(tags=["suites", "assertion"])
    def required_url_should_be_listed(self, reply: Any) -> None:
        """Fail unless the error -32042 lists the URLs to visit; skips when the call ended otherwise. (ELIC-10)

        Args:
            reply: The reply of a call.
        """
        exchange = source_of(reply)
        if exchange.error_code != URL_ELICITATION_REQUIRED:
            raise SkipExecution(
                f"Not applicable: the call does not end with {describe_code(URL_ELICITATION_REQUIRED)}."
            )
        problems = checks.required_error_problems(exchange.error)
        if problems:
            raise self.ctx.broken(f"The error does not say what to visit: {problems[0]}.", exchange)

    @keyword(tags=["suites", "assertion"])
    def retired_elicitation_should_not_be_used(self, reply: Any, *questions: Any) -> None:
        """Fail if a modern call ends with -32042, sends `notifications/elicitation/complete` or asks with an id. (ELIC-11)

        Args:
            reply: The reply of a call.
            questions: What it asked.
        """
        exchange: Exchange = source_of(reply)
        if exchange.error_code == URL_ELICITATION_REQUIRED:
            raise self.ctx.broken(
                f"{describe_code(URL_ELICITATION_REQUIRED)} is retired; a URL is asked for by input_required.", exchange
            )
        if any(frame.method == "notifications/elicitation/complete" for frame in exchange.between):
            raise self.ctx.broken("notifications/elicitation/complete is retired, but was sent.", exchange)
        if questions:
            self._lint(questions, checks.retired_member, "The elicitation has a retired member")

    @keyword(tags=["suites", "assertion"])
    def sampling_should_be_well_formed(self, *questions: Any) -> None:
        """Fail unless the request to the model has messages and `maxTokens`. (SAMP-02)

        Args:
            questions: Questions as *Get Questions Of Role* or *Get Server Requests* returns them.
        """
        revision = self.revision()
        self._lint(questions, lambda params: checks.sampling_problems(params, revision), "The sampling is not right")

    @keyword(tags=["suites", "assertion"])
    def tool_results_should_be_balanced(self, *questions: Any) -> None:
        """Fail unless each use of a tool in the messages is answered at once, by nothing but results. (SAMP-03)

        Args:
            questions: Questions as *Get Questions Of Role* or *Get Server Requests* returns them. Skips when none of them
                speaks of a use of a tool.
        """
        if not any(checks.uses_tools(question.get("params")) for question in questions):
            raise SkipExecution("Not applicable: the server did not come back to the model after it used a tool.")
        self._lint(questions, checks.tool_result_problems, "The messages to the model are not right")

    @keyword(tags=["suites", "assertion"])
    def sampling_should_want_no_undeclared_context(self, *questions: Any) -> None:
        """Fail if sampling wants context of servers, which our client does not declare. (SAMP-04)

        Args:
            questions: Questions as *Get Questions Of Role* or *Get Server Requests* returns them.
        """
        session, revision = self.ctx.connection().session, self.revision()
        declared = session.client_side.capabilities()
        self._lint(
            questions, lambda params: checks.context_problems(params, declared, revision), "The sampling wants too much"
        )

    # ---------------------------------------------------------------------------------------------------------------

    def _lint(self, questions: Any, judge: Callable[[Any], list[str]], summary: str) -> None:
        if not questions:
            raise SkipExecution("Nothing was judged: there is no question.")
        for question in questions:
            problems = judge(question.get("params") or {})
            if problems:
                more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
                raise self.ctx.broken(
                    f"{summary}: {problems[0]}{more}.",
                    where=f"Server {self.ctx.connection().described}, {question.get('method')}.", evidence=to_json(question),
                )  # fmt: skip

    @staticmethod
    def _forms(questions: Any) -> list[Any]:
        forms = [question for question in questions if checks.is_form(question.get("params") or {})]
        if not forms:
            raise SkipExecution("Not applicable: nothing is asked by a form.")
        return forms

    @staticmethod
    def _urls(questions: Any) -> list[Any]:
        urls = [question for question in questions if not checks.is_form(question.get("params") or {})]
        if not urls:
            raise SkipExecution("Not applicable: nothing is asked by a URL.")
        return urls
