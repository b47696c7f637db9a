"""Keywords that script what our client answers when the server asks, in both eras the same."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

from robot.api.deco import keyword

from ..checks.rounds import misfit
from ..failures import WrongUse
from ..session.client_side import (
    ELICITATION,
    METHOD_OF,
    ROOTS,
    SAMPLING,
    Question,
    Refusal,
    elicitation_answer,
    roots_answer,
    sampling_answer,
)
from ..types import Action, Json, OptionalJson
from ..wire.jsonrpc import to_json
from .base import Group, to_robot

Kind = Literal["elicitation", "sampling", "roots"]


class Answering(Group):
    @keyword(tags=["answers"])
    def answer_elicitation(
        self,
        action: Action = Action.ACCEPT,
        content: OptionalJson = None,
        *,
        times: int | None = None,
        about: str | None = None,
        after: timedelta | None = None,
    ) -> None:
        """Script what the user does with a form or a URL (`elicitation/create`).

        From now on requests declare the `elicitation` capability. In the legacy era it is declared in `initialize`, so
        use this before *Connect To Server* there. Scripts end with the test or suite that made them.

        Args:
            action: `ACCEPT`, `DECLINE` or `CANCEL`.
            content: The values of an accepted form as a JSON object, sent untouched. Without it the defaults of the asked
                schema are taken, and for required fields without a default the first value that fits.
            times: Use it this often, in the order of scripting, before the script without `times` comes in.
            about: Only for questions whose params hold this text, in any case of letters.
            after: Time that the user takes.

        Example:
        ```robotframework
        Answer Elicitation    ACCEPT    {"qty": 2}    about=how many
        Answer Elicitation    DECLINE
        ${r} =    Call Tool    gift_order    item=tea
        ```
        """
        self._script(ELICITATION, lambda params: elicitation_answer(params, action.value, content), times, about, after)

    @keyword(tags=["answers"])
    def answer_elicitation_wrongly(self, *, times: int | None = None, about: str | None = None) -> None:
        """Script an accepted form whose values break the asked schema: each is of another type. (MRTR-10)

        Args:
            times: As in *Answer Elicitation*.
            about: As in *Answer Elicitation*.
        """

        def answer(params: dict[str, Any]) -> dict[str, Any]:
            return elicitation_answer(params, Action.ACCEPT.value, misfit(params.get("requestedSchema")))

        self._script(ELICITATION, answer, times, about, None)

    @keyword(tags=["answers"])
    def answer_sampling(
        self,
        text: str = "ok",
        *,
        model: str = "test-model",
        use_tool: str | None = None,
        tool_input: OptionalJson = None,
        message: OptionalJson = None,
        times: int | None = None,
        about: str | None = None,
        after: timedelta | None = None,
    ) -> None:
        """Script the answer to `sampling/createMessage`, and declare the `sampling` capability.

        Args:
            text: Text of the assistant's message.
            model: Name of the model that is said to have answered.
            use_tool: Name of a tool of the question that the model wants used, instead of a text; declares
                `sampling.tools` too.
            tool_input: Its input as a JSON object.
            message: The whole answer as a JSON object, sent untouched.
            times: As in *Answer Elicitation*.
            about: As in *Answer Elicitation*.
            after: As in *Answer Elicitation*.

        Example:
        ```robotframework
        Answer Sampling    use_tool=look_up    tool_input={"word": "tea"}    times=1
        Answer Sampling    Tea is a plant.
        ```
        """
        answer = message if message is not None else sampling_answer(text, model=model, tool=use_tool, given=tool_input)
        declares: dict[str, Any] = {"tools": {}} if use_tool else {}
        self._script(SAMPLING, lambda params: _object(answer), times, about, after, declares)

    @keyword(tags=["answers"])
    def answer_roots(self, *uris: str, times: int | None = None, after: timedelta | None = None) -> None:
        """Script the answer to `roots/list`, and declare the `roots` capability.

        Args:
            uris: The roots, as `file://` URIs.
            times: As in *Answer Elicitation*.
            after: As in *Answer Elicitation*.
        """
        self._script(ROOTS, lambda params: roots_answer(uris), times, None, after)

    @keyword(tags=["answers"])
    def answer_with_error(
        self,
        kind: Kind,
        message: str = "The client could not ask.",
        *,
        code: int = -32603,
        times: int | None = None,
        about: str | None = None,
    ) -> None:
        """Script a JSON-RPC error as the answer to a question, and declare its capability. (ELIC-15)

        In the modern era an answer cannot be an error, so there the answer is left out of the retry.

        Args:
            kind: `elicitation`, `sampling` or `roots`.
            message: Message of the error.
            code: Its code.
            times: As in *Answer Elicitation*.
            about: As in *Answer Elicitation*.
        """
        self._script(METHOD_OF[kind], Refusal(code, message), times, about, None)

    @keyword(tags=["answers"])
    def give_no_answer(self, kind: Kind, *, times: int | None = None, about: str | None = None) -> None:
        """Script silence: the capability is declared, but a question of this kind is never answered.

        In the modern era the answer is left out of the retry.

        Args:
            kind: `elicitation`, `sampling` or `roots`.
            times: As in *Answer Elicitation*.
            about: As in *Answer Elicitation*.
        """
        self._script(METHOD_OF[kind], None, times, about, None)

    @keyword(tags=["answers"])
    def declare_client_capabilities(self, capabilities: Json) -> None:
        """Declare exactly these client capabilities from now on, whatever is scripted.

        Counts for each request of a modern connection, and for `initialize` of connections that are opened later. Ends
        with the test or suite that said so.

        Args:
            capabilities: A JSON object such as `{"elicitation": {"url": {}}}`; `{}` declares nothing.
        """
        self.ctx.client_side.declare(_object(capabilities), level=self.ctx.level)

    @keyword(tags=["answers"])
    def forget_answers(self) -> None:
        """Drop all scripted answers; nothing is declared any more."""
        self.ctx.client_side.forget()

    @keyword(tags=["answers"])
    def get_server_requests(self, kind: Kind | None = None, *, about: str | None = None) -> list[Any]:
        """Return what servers asked our client in the current test, oldest first.

        Args:
            kind: Only `elicitation`, `sampling` or `roots`.
            about: Only questions whose params hold this text, in any case of letters.

        Returns:
            A list of dictionaries: `method`, `params`, `answer` (`None` when no result was given).
        """
        return [
            to_robot({"method": q.method, "params": q.params, "answer": q.answer}) for q in self._questions(kind, about)
        ]

    @keyword(tags=["answers", "assertion"])
    def server_should_have_asked_for(
        self, kind: Kind, *, about: str | None = None, times: int | None = None
    ) -> list[Any]:
        """Fail unless a server asked for this in the current test.

        Args:
            kind: `elicitation`, `sampling` or `roots`.
            about: Text that the params of the question hold, in any case of letters.
            times: How often it must have asked; once or more if not given, and never with `0`.

        Returns:
            The questions, as *Get Server Requests* gives them.

        Example:
        ```robotframework
        Server Should Have Asked For    elicitation    about=how many    times=1
        ```
        """
        found: list[Any] = self.get_server_requests(kind, about=about)
        if len(found) != times if times is not None else not found:
            wanted = f"{times} time(s)" if times is not None else "at least once"
            text = f" about {about!r}" if about is not None else ""
            others = ", ".join(str(question) for question in self.ctx.client_side.questions)
            raise self.ctx.broken(
                f"The server should have asked for {kind}{text} {wanted}, but did so {len(found)} time(s).",
                where="In this test.", evidence=f"asked: {others or 'nothing'}",
            )  # fmt: skip
        return found

    # ---------------------------------------------------------------------------------------------------------------

    def _script(self, method: str, answer: Any, times: int | None, about: str | None, after: timedelta | None,
                declares: dict[str, Any] | None = None) -> None:  # fmt: skip
        self.ctx.client_side.script(
            method, answer, times=times, about=about, declares=declares, level=self.ctx.level,
            delay=after.total_seconds() if after else 0.0,
        )  # fmt: skip

    def _questions(self, kind: str | None, about: str | None) -> list[Question]:
        return [
            question
            for question in self.ctx.client_side.questions
            if (kind is None or question.method == METHOD_OF[kind])
            and (about is None or about.casefold() in to_json(question.params).casefold())
        ]


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WrongUse(f"Expected a JSON object, got {to_json(value)[:60]}.")
    return dict(value)
