"""Keywords that get prompts, ask for completions, and judge what comes back."""

from __future__ import annotations

from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import completion as completion_checks
from ..checks import prompts as checks
from ..checks.uris import variables
from ..failures import WrongUse
from ..wire import jsonrpc
from ..wire.jsonrpc import METHOD_NOT_FOUND, MISSING
from .base import Group, Reply, ended, source_of, to_robot

MOST = 20
"""Prompts that are got, and arguments that are completed."""


class Prompts(Group):
    assert_error_code: Any
    send_raw_request: Any

    @keyword(tags=["prompts"])
    def get_permitted_prompts(self, *, server: str | None = None) -> list[Reply]:
        """Get the listed prompts that need no arguments and the `prompt` of the profile; return the replies, whatever they are.

        Getting a prompt is safe. At most 20 are got, and not the `crashing_prompt` of the profile. Questions are not answered.
        Tests share the replies: each is got once per era.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies. Skips when there is nothing to get.
        """
        under_test = self.ctx.under_test
        if under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        known, key = under_test.results, f"prompts {self.ctx.test_era}"
        if key not in known:
            role = under_test.roles.get("prompt")
            crashing = under_test.roles.get("crashing_prompt", {}).get("name")
            names = [
                prompt["name"]
                for prompt in self._listed_prompts(server)
                if isinstance(prompt.get("name"), str) and not _required(prompt) and prompt["name"] != crashing
            ]
            wanted: list[dict[str, Any]] = [{"name": name} for name in names[:MOST]]
            if role:
                wanted.append({"name": role["name"], "arguments": dict(role.get("arguments") or {})})
            known[key] = [self.send_raw_request("prompts/get", params, server=server) for params in wanted]
        if not known[key]:
            raise SkipExecution(
                "Nothing was judged: each listed prompt needs arguments, and the profile names no prompt with its arguments."
            )
        return list(known[key])

    def _listed_prompts(self, server: str | None) -> list[dict[str, Any]]:
        return [item for item in self.walk("prompts/list", timeout=None, server=server) if isinstance(item, dict)]

    @keyword(tags=["prompts"])
    def get_prompt_with_arguments(self, *, required: bool = False, server: str | None = None) -> Any:
        """Return a listed prompt that takes arguments, or skip the test.

        Args:
            required: `True` for one that requires an argument.
            server: Alias of the connection; the current one if not given.

        Returns:
            The prompt as it is listed.
        """
        found = [p for p in self._listed_prompts(server) if (_required(p) if required else _arguments(p))]
        if not found:
            raise SkipExecution(f"Not applicable: no listed prompt {'requires' if required else 'takes'} an argument.")
        return to_robot(found[0])

    @keyword(tags=["prompts"])
    def fill_prompt_with(self, value: Any, *, server: str | None = None) -> Reply:
        """Get the first listed prompt that takes arguments, with this value for all that it requires, or for its first one.

        Args:
            value: What to send; anything but a text is against the schema.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply, whatever it is. Skips when no listed prompt takes arguments.
        """
        prompt = self.get_prompt_with_arguments(server=server)
        names = _required(prompt) or [str(_arguments(prompt)[0].get("name"))]
        params = {"name": prompt.get("name"), "arguments": dict.fromkeys(names, value)}
        reply: Reply = self.send_raw_request("prompts/get", params, server=server)
        return reply

    @keyword(tags=["prompts", "assertion"])
    def prompt_messages_should_be_valid(
        self, aspect: Literal["messages", "media and resources", "types of resources"], *replies: Any
    ) -> None:
        """Fail if the messages of a prompt are not what the schema says of them.

        Args:
            aspect: `messages` (role user or assistant, one content block of the revision's types: PROMPT-03), `media and
                resources` (Base64, MIME types, `uri` and `text` or `blob`: PROMPT-07), or `types of resources` (the MIME type of
                embedded ones: PROMPT-07).
            replies: What *Get Permitted Prompts* or *Get Prompt* returned. Errors and results that ask for input are passed over;
                skips when nothing is left.
        """
        judged = 0
        for reply in replies:
            exchange = source_of(reply)
            result = exchange.result
            if exchange.answer is None:
                raise self.ctx.defect(f"A prompt should be given, but there was {ended(exchange)}.", exchange)
            if not isinstance(result, dict) or result.get("resultType") == "input_required":
                continue
            if aspect != "messages" and not checks.holds_media_or_resources(result):
                continue
            judged += 1
            if aspect == "messages":
                problems = checks.message_problems(result, self.revision(reply.server))
            elif aspect == "media and resources":
                problems = checks.media_and_resource_problems(result)
            else:
                problems = checks.untyped_resource_problems(result)
            if problems:
                name = exchange.request.value["params"].get("name")
                raise self.ctx.broken(f"Prompt {name!r} is not valid: {'; '.join(problems[:3])}.", exchange)
        if not judged:
            what = "no prompt was given" if aspect == "messages" else "no prompt holds media or embedded resources"
            raise SkipExecution(f"Nothing was judged: {what}.")

    @keyword(tags=["prompts", "assertion"])
    def prompt_should_contain(self, reply: Any, text: str) -> None:
        """Fail unless the text of the first message has this text in it. (PROMPT-03)

        Args:
            reply: What *Get Prompt* returned.
            text: A part of that text.
        """
        exchange = source_of(reply)
        first = next(iter(checks.contents_of(exchange.result)), None)
        got = first.get("text") if isinstance(first, dict) else first
        if not isinstance(got, str) or text not in got:
            raise self.ctx.broken(f"The first message should have {text!r} in its text, but that is {got!r}.", exchange)

    # -- completion ---------------------------------------------------------------------------------------------

    @keyword(tags=["completion", "assertion"])
    def completion_should_be_served_as_declared(self, *, server: str | None = None) -> bool:
        """Ask for a completion; fail if `completions` is declared and the method does not exist, or the other way round. (COMPL-01)

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            Whether it is declared.
        """
        connection = self.ctx.connection(server)
        declared = "completions" in connection.session.server.capabilities
        # Of what exists, if there is anything: only then an undeclared completion gives itself away by a result.
        ref, name = next(iter(self._completable(server)), ({"type": "ref/prompt", "name": "mcplibrary-probe"}, "x"))
        exchange = source_of(self._complete(ref, {"name": name, "value": ""}, server))
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, connection)
        if declared and exchange.error_code == METHOD_NOT_FOUND:
            raise self.ctx.broken(
                f"The server declares 'completions', so completion/complete should work, but was {ended(exchange)}.",
                exchange,
            )
        if not declared and exchange.result is not MISSING:
            raise self.ctx.broken(
                "A server that completes should declare the capability 'completions', but does not.", exchange
            )
        return declared

    @keyword(tags=["completion"])
    def complete_listed_arguments(self, *, server: str | None = None) -> list[Reply]:
        """Ask for completions of what a server lists: arguments of prompts and variables of resource templates, with no text typed.

        Completing is safe. At most 20 are asked for. Tests share the replies: each is asked once per era.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies. Skips when there is nothing to complete.
        """
        under_test = self.ctx.under_test
        if under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        known, key = under_test.results, f"completions {self.ctx.test_era}"
        if key not in known:
            wanted = self._completable(server)
            if len(wanted) > MOST:
                logger.info(f"Of {len(wanted)} arguments the first {MOST} are completed.")
            known[key] = [self._complete(ref, {"name": name, "value": ""}, server) for ref, name in wanted[:MOST]]
        if not known[key]:
            raise SkipExecution("Nothing was judged: no listed prompt takes arguments, and no template has variables.")
        return list(known[key])

    def _completable(self, server: str | None) -> list[tuple[dict[str, Any], str]]:
        declared = self.ctx.connection(server).session.server.capabilities
        found: list[tuple[dict[str, Any], str]] = []
        if "prompts" in declared:
            for prompt in self._listed_prompts(server):
                ref = {"type": "ref/prompt", "name": prompt.get("name")}
                found += [(ref, str(argument.get("name"))) for argument in _arguments(prompt)]
        if "resources" in declared:
            for item in self.listed("resources/templates/list", server):
                template = item.get("uriTemplate") if isinstance(item, dict) else None
                if isinstance(template, str):
                    found += [({"type": "ref/resource", "uri": template}, name) for name in variables(template)]
        return found

    def _complete(self, ref: Any, argument: Any, server: str | None) -> Reply:
        reply: Reply = self.send_raw_request("completion/complete", {"ref": ref, "argument": argument}, server=server)
        return reply

    @keyword(tags=["completion", "assertion"])
    def completions_should_be_valid(self, aspect: Literal["values", "counts"], *replies: Any) -> None:
        """Fail if completions are not what the schema says of them.

        Args:
            aspect: `values` (at most 100 texts: COMPL-02), or `counts` (`total` and `hasMore` fit them: COMPL-03).
            replies: What *Complete Listed Arguments* or *Complete Argument* returned. Errors are passed over; skips when
                nothing is left.
        """
        judged = 0
        for reply in replies:
            exchange = source_of(reply)
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, self.ctx.connection(reply.server))
            if exchange.result is MISSING:
                continue
            problems = completion_checks.completion_problems(exchange.result)
            if aspect == "counts":
                if problems:  # That is the matter of the other aspect.
                    continue
                problems = completion_checks.count_problems(exchange.result)
            judged += 1
            if problems:
                argument = exchange.request.value["params"]["argument"].get("name")
                raise self.ctx.broken(
                    f"The completions of {argument!r} are not valid: {'; '.join(problems[:3])}.", exchange
                )
        if not judged:
            raise SkipExecution("Nothing was judged: no argument was completed.")

    @keyword(tags=["completion", "assertion"])
    def completions_should_be(self, reply: Any, *values: str) -> None:
        """Fail unless these values are proposed, in any order. (COMPL-02)

        Args:
            reply: What *Complete Argument* returned.
            values: The values.
        """
        exchange = source_of(reply)
        got = exchange.result["completion"]["values"] if exchange.result is not MISSING else None
        if got is None or sorted(got) != sorted(values):
            shown = ended(exchange) if got is None else jsonrpc.to_json(got)
            raise self.ctx.broken(
                f"The completions should be {', '.join(values) or 'none'}, but are {shown}.", exchange
            )


def _arguments(prompt: dict[str, Any]) -> list[dict[str, Any]]:
    arguments = prompt.get("arguments")
    return [a for a in arguments if isinstance(a, dict)] if isinstance(arguments, list) else []


def _required(prompt: dict[str, Any]) -> list[str]:
    return [str(argument.get("name")) for argument in _arguments(prompt) if argument.get("required") is True]
