"""Keywords that script what our client answers when the server asks, in both eras the same."""

from __future__ import annotations

from typing import Any

from robot.api.deco import keyword

from ..session.client_side import ELICITATION, ROOTS, SAMPLING, from_schema
from ..types import Action, OptionalJson
from .base import Group, to_robot


class Answering(Group):
    @keyword(tags=["answers"])
    def answer_elicitation(
        self, action: Action = Action.ACCEPT, content: OptionalJson = None, *, times: int | None = None
    ) -> None:
        """Script the answer to questions by form (`elicitation/create`).

        From now on requests declare the `elicitation` capability. In the legacy era it is declared in `initialize`, so
        use this before *Connect To Server* there. Scripts end with the test or suite that made them.

        Args:
            action: `ACCEPT`, `DECLINE` or `CANCEL`.
            content: The values of an accepted form as a JSON object. Without it the defaults of the asked schema are
                taken, and for required fields without a default the first value that fits.
            times: Use it this often, in the order of scripting, before the script without `times` comes in.

        Example:
        ```robotframework
        Answer Elicitation    ACCEPT    {"qty": 2}
        ${r} =    Call Tool    gift_order    item=tea
        ```
        """

        def answer(params: dict[str, Any]) -> dict[str, Any]:
            if action is not Action.ACCEPT:
                return {"action": action.value}
            if params.get("mode") == "url" and content is None:
                return {"action": action.value}
            return {
                "action": "accept",
                "content": from_schema(params.get("requestedSchema")) if content is None else content,
            }

        self.ctx.client_side.script(ELICITATION, answer, times=times, level=self.ctx.level)

    @keyword(tags=["answers"])
    def answer_sampling(self, text: str = "ok", *, model: str = "test-model", times: int | None = None) -> None:
        """Script the answer to `sampling/createMessage`, and declare the `sampling` capability.

        Args:
            text: Text of the assistant's message.
            model: Name of the model that is said to have answered.
            times: As in *Answer Elicitation*.
        """
        message = {
            "role": "assistant",
            "content": {"type": "text", "text": text},
            "model": model,
            "stopReason": "endTurn",
        }
        self.ctx.client_side.script(SAMPLING, lambda params: dict(message), times=times, level=self.ctx.level)

    @keyword(tags=["answers"])
    def answer_roots(self, *uris: str, times: int | None = None) -> None:
        """Script the answer to `roots/list`, and declare the `roots` capability.

        Args:
            uris: The roots, as `file://` URIs.
            times: As in *Answer Elicitation*.
        """
        roots = {"roots": [{"uri": uri} for uri in uris]}
        self.ctx.client_side.script(ROOTS, lambda params: roots, times=times, level=self.ctx.level)

    @keyword(tags=["answers"])
    def forget_answers(self) -> None:
        """Drop all scripted answers; nothing is declared any more."""
        self.ctx.client_side.forget()

    @keyword(tags=["answers"])
    def get_server_requests(self) -> list[Any]:
        """Return every question that servers asked our client so far.

        Returns:
            A list of dictionaries: `method`, `params`, `answer` (`None` when nothing was scripted).
        """
        return [
            to_robot({"method": q.method, "params": q.params, "answer": q.answer})
            for q in self.ctx.client_side.questions
        ]
