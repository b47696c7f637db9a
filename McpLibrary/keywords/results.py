"""Keywords that call what may be called, and judge the results: content blocks, structured content, truthful hints."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import results as checks
from ..checks.content import ASPECTS, block_problems, blocks_of, each, holds
from ..checks.permission import NEEDED, may_be_called, needs_arguments
from ..checks.roles import CALLED_FOR_RESULTS, ROLES
from ..checks.schemas import known_dialect
from ..failures import WrongUse
from ..wire import jsonrpc
from ..wire.frame import Outcome
from ..wire.jsonrpc import METHOD_NOT_FOUND, describe_code
from .base import Group, Reply, ended, source_of, text_of, to_robot

Aspect = Literal["media", "bytes", "links", "embedded resources", "annotations"]


class Results(Group):
    get_tool: Any
    list_tools: Any
    send_raw_request: Any

    # -- what may be called -------------------------------------------------------------------------------------

    @keyword(tags=["suites"])
    def get_permitted_calls(self, hint: str | None = None) -> list[Any]:
        """Return the calls that may be made for their results, or skip the test: nothing is executed without permission.

        These are tools that the profile names for roles such as `safe_tool`, `structured_tool` and `media_tool`, with their
        arguments, and tools that say `readOnlyHint: true` and neither `openWorldHint: true` nor `destructiveHint: true`, with
        no arguments where they need none. Tools with another role (slow, asking, changing …) are left to the tests of it.

        Args:
            hint: Only tools that say this of themselves, such as `readOnlyHint`.

        Returns:
            A list of dictionaries with `name` and `arguments`. Tools that are left alone are named in the log.
        """
        under_test = self.ctx.under_test
        if under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        tools = {str(tool["name"]): tool for tool in self.list_tools() if isinstance(tool, dict) and "name" in tool}
        named = {role: value for role, value in under_test.roles.items() if ROLES[role].key == "name"}
        calls = [
            {"name": value["name"], "arguments": dict(value.get("arguments") or {})}
            for role, value in named.items()
            if role in CALLED_FOR_RESULTS and value["name"] in tools
        ]
        taken = {value["name"] for value in named.values()}
        calls += [
            {"name": name, "arguments": {}}
            for name, tool in tools.items()
            if name not in taken and may_be_called(tool) and not needs_arguments(tool)
        ]
        if hint is not None:
            calls = [call for call in calls if (tools[call["name"]].get("annotations") or {}).get(hint) is True]
        left_alone = sorted(set(tools) - {call["name"] for call in calls})
        if left_alone:
            logger.info(f"Left alone: {', '.join(left_alone)}")
        if not calls:
            raise SkipExecution(
                f"Not applicable: no tool {f'with {hint} ' if hint else ''}may be called. Name tools with their arguments in your mcp-profile.yaml; by "
                f"itself only a tool is called that says {NEEDED}, and needs no arguments."
            )
        return [to_robot(call) for call in calls]

    @keyword(tags=["suites"])
    def call_permitted_tools(self, *, again: bool = False) -> list[Reply]:
        """Make each of the *Get Permitted Calls* and return the replies, whatever they are.

        Tests of one suite share the replies: each call is made once per era. Rounds of questions are not answered.

        Args:
            again: `True` makes the calls in any case.

        Returns:
            The replies, for *Content Should Be Valid* and the like. Skips when nothing may be called.
        """
        calls, under_test = self.get_permitted_calls(), self.ctx.under_test
        era = self.ctx.test_era or ""
        assert under_test is not None
        if again or era not in under_test.results:
            under_test.results[era] = [
                self.send_raw_request("tools/call", {"name": call["name"], "arguments": dict(call["arguments"])})
                for call in calls
            ]
        return list(under_test.results[era])

    @keyword(tags=["suites"])
    def get_calls_with_an_unknown_dialect(self) -> list[Any]:
        """Return those of the *Get Permitted Calls* whose tool names a dialect for its arguments that we do not know. (TOOL-13)

        Returns:
            A list of dictionaries with `name` and `arguments`. Skips when there are none.
        """
        schemas = {str(tool.get("name")): tool.get("inputSchema") for tool in self.list_tools()}
        calls = [call for call in self.get_permitted_calls() if not known_dialect(schemas[call["name"]])]
        if not calls:
            raise SkipExecution("Not applicable: no tool that may be called names an unknown dialect.")
        return calls

    @keyword(tags=["suites", "assertion"])
    def tools_should_be_answered(self, *replies: Any) -> None:
        """Fail if a listed tool got no answer, or is not known to `tools/call`. (TOOL-36)

        A tool error is an answer: whether a call can succeed is the server's business.

        Args:
            replies: Replies of tool calls.
        """
        for reply in replies:
            exchange = source_of(reply)
            if exchange.answer is None:
                # A tool may take its time; a connection that ended may not.
                late = exchange.outcome is Outcome.NO_ANSWER
                raise (self.ctx.broken if late else self.ctx.defect)(
                    f"Tool {_tool(reply)!r} should be answered, but there was {ended(exchange)}.", exchange,
                    hint="name a tool that takes long as slow_tool in the profile, or raise the timeout." if late else "",
                )  # fmt: skip
            if isinstance(exchange.error, dict):
                raise self.ctx.broken(
                    f"The listed tool {_tool(reply)!r} should run when it is called, but the call gave {ended(exchange)}.", exchange
                )  # fmt: skip

    # -- content ------------------------------------------------------------------------------------------------

    @keyword(tags=["content", "assertion"])
    def content_should_be_known(self, *replies: Any) -> None:
        """Fail unless results have `content`, an array of blocks whose types the revision knows. (TOOL-21, X-16)

        Args:
            replies: Replies of tool calls. Those that are no whole result are passed over; skips when none is left.
        """
        for reply in self._whole(replies, lambda result: True, "no call gave a result"):
            exchange, revision = source_of(reply), self.revision(reply.server)
            if not isinstance(exchange.result.get("content"), list):
                raise self.ctx.broken(
                    f"The result of {_tool(reply)!r} should have an array 'content', but has "
                    f"{jsonrpc.to_json(exchange.result.get('content'))[:60]}.", exchange,
                )  # fmt: skip
            self._report(each(exchange.result["content"], functools.partial(block_problems, revision=revision)), reply)

    @keyword(tags=["content", "assertion"])
    def content_should_be_valid(self, aspect: Aspect, *replies: Any) -> None:
        """Fail if this aspect of what results carry is not right. For tool results, prompts, and read resources.

        Args:
            aspect: `media` (Base64 and MIME type of image and audio, TOOL-22), `bytes` (begin as the MIME type says, where
                that can be told), `links` (`uri` and `name`, TOOL-23), `embedded resources` (`uri` and `text` or `blob`,
                TOOL-24), `annotations` (TOOL-25).
            replies: Replies of tool calls, *Get Prompt* or *Read Resource*. Skips when none has anything of the kind.

        Example:
        ```robotframework
        ${r} =    Call Tool    product_media
        Content Should Be Valid    media    ${r}
        ```
        """
        what = f"no result has {aspect}"
        for reply in self._whole(replies, lambda result: any(holds(b, aspect) for b in blocks_of(result)), what):
            self._report(each(blocks_of(source_of(reply).result), ASPECTS[aspect]), reply)

    @keyword(tags=["content", "assertion"])
    def embedded_resources_should_be_declared(self, *replies: Any) -> None:
        """Fail if a result embeds a resource though the server does not declare the capability `resources`. (TOOL-24)

        Args:
            replies: Replies of tool calls. Skips when none embeds a resource.
        """
        embeds = lambda result: any(holds(b, "embedded resources") for b in blocks_of(result))  # noqa: E731
        for reply in self._whole(replies, embeds, "no result has embedded resources"):
            if "resources" not in self.ctx.connection(reply.server).session.server.capabilities:
                raise self.ctx.broken(
                    f"A server that embeds resources, as {_tool(reply)!r} does, should declare the capability 'resources'.",
                    source_of(reply),
                )

    # -- structured content -------------------------------------------------------------------------------------

    @keyword(tags=["content", "assertion"])
    def result_should_match_output_schema(self, *replies: Any) -> None:
        """Fail if the `structuredContent` of a result does not fit the tool's `outputSchema`, or is missing. (TOOL-17, TOOL-18)

        A tool error need not have any. The dialect is that of the schema; nothing is fetched.

        Args:
            replies: Replies of tool calls. Skips when no successful one is of a tool with an `outputSchema`.

        Example:
        ```robotframework
        ${r} =    Call Tool    describe_offer    item=cake
        Result Should Match Output Schema    ${r}
        ```
        """
        tools = {tool.get("name"): tool for tool in self.list_tools() if isinstance(tool, dict)}
        promised = [reply for reply in replies if "outputSchema" in tools.get(_tool(reply), {})]
        what = "no successful call was of a tool with an outputSchema"
        for reply in self._whole(promised, checks.is_success, what):
            if not self.revision(reply.server).structured_content:
                raise SkipExecution("Not applicable: the revision has no structured content.")
            result, tool = source_of(reply).result, tools[_tool(reply)]
            self._report(checks.missing_output_problems(result, tool) + checks.output_problems(result, tool), reply)

    @keyword(tags=["content", "assertion"])
    def structured_content_should_be_told_as_text(self, *replies: Any) -> None:
        """Fail if no text block holds the JSON of `structuredContent`, which is all that older clients read. (TOOL-19)

        Args:
            replies: Replies of tool calls. Skips when none has structured content.
        """
        for reply in self._structured(replies):
            self._report(checks.text_copy_problems(source_of(reply).result), reply)

    @keyword(tags=["content", "assertion"])
    def structured_content_should_fit_the_revision(self, *replies: Any) -> None:
        """Fail if `structuredContent` is of a kind that the revision does not have. (TOOL-20)

        It is an object in 2025-06-18 and 2025-11-25, any JSON since 2026-07-28, and unknown before.

        Args:
            replies: Replies of tool calls. Skips when none has structured content.
        """
        for reply in self._structured(replies):
            self._report(checks.kind_problems(source_of(reply).result, self.revision(reply.server)), reply)

    # -- truthful hints -----------------------------------------------------------------------------------------

    @keyword(tags=["tools", "assertion"])
    def state_should_stay_the_same(self, probe: Any, *calls: Any) -> None:
        """Fail if the state that a probe shows is another one after a call. (TOOL-43)

        Args:
            probe: A tool that shows the state, as *Require Role* returns it.
            calls: Calls to make, dictionaries with `name` and `arguments`.

        Skips when the probe shows something else each time by itself, or there is nothing to call.
        """
        if not calls:
            raise SkipExecution("Nothing was judged: there is nothing to call.")
        before = self._state(probe)
        if self._state(probe) != before:
            raise SkipExecution("Nothing was judged: the state_probe shows another state each time it is called.")
        for call in calls:
            reply = self._call(call)
            after = self._state(probe)
            if after != before:
                raise self.ctx.broken(
                    f"Tool {call['name']!r} should leave the state as it was, but the probe {probe['name']!r} says {after[:200]} "
                    f"after {before[:200]}.", source_of(reply), hint="its annotations promise more than it keeps.",
                )  # fmt: skip

    def _state(self, probe: Any) -> str:
        exchange = source_of(self._call(probe))
        if not checks.is_success(exchange.result):
            raise self.ctx.broken(
                f"The probe {probe['name']!r} should show the state, but was {ended(exchange)}.", exchange
            )
        return text_of(exchange.result) or jsonrpc.to_json(exchange.result.get("structuredContent"))

    def _call(self, call: Any) -> Reply:
        reply: Reply = self.send_raw_request("tools/call", {"name": call["name"], "arguments": dict(call["arguments"])})
        return reply

    @keyword(tags=["tools", "assertion"])
    def call_without_arguments_should_be_taken(self, tool: Any) -> None:
        """Leave out `arguments`, then send null: the first should end like a call with `{}`, neither may hang or crash. (TOOL-44)

        Args:
            tool: A tool that needs no arguments, as a dictionary with `name`.
        """
        name = tool["name"]
        full = source_of(self._call({"name": name, "arguments": {}}))
        absent = source_of(self.send_raw_request("tools/call", {"name": name}))
        null = source_of(self.send_raw_request("tools/call", {"name": name, "arguments": None}))
        for exchange, what in ((absent, "without 'arguments'"), (null, "with 'arguments': null")):
            if exchange.answer is None:
                raise self.ctx.defect(f"A call of {name!r} {what} should be answered: {ended(exchange)}.", exchange)
        if (absent.error_code, absent.is_tool_error) != (full.error_code, full.is_tool_error):
            raise self.ctx.broken(
                f"A call of {name!r} without 'arguments' should end like one with {{}}, with {ended(full)}, but was {ended(absent)}.",
                absent,
            )

    @keyword(tags=["errors", "assertion"])
    def failure_should_be_graceful(self, reply: Any) -> None:
        """Fail if a call that the server cannot serve had no answer, or one that blames an accident. (TOOL-13)

        Args:
            reply: What an asking or raw keyword returned. A result, a tool error, and any error but -32603 and -32601 are fine.
        """
        exchange = source_of(reply)
        if exchange.answer is None:
            raise self.ctx.defect(f"The call should be answered, but there was {ended(exchange)}.", exchange)
        if exchange.error_code in (jsonrpc.INTERNAL_ERROR, METHOD_NOT_FOUND):
            raise self.ctx.broken(
                f"What the server does not support should be said in words, not as {describe_code(exchange.error_code)}.",
                exchange,
            )

    # -- helpers ------------------------------------------------------------------------------------------------

    def _structured(self, replies: Any) -> list[Any]:
        return self._whole(replies, lambda result: "structuredContent" in result, "no result has structured content")

    @staticmethod
    def _whole(replies: Any, wanted: Callable[[dict[str, Any]], bool], nothing: str) -> list[Any]:
        """The replies that hold a whole result that is wanted; skips when there are none."""
        found = []
        for reply in replies:
            result = source_of(reply).result
            if isinstance(result, dict) and result.get("resultType", "complete") == "complete" and wanted(result):
                found.append(reply)
        if not found:
            raise SkipExecution(f"Nothing was judged: {nothing}.")
        return found

    def _report(self, problems: list[str], reply: Any) -> None:
        if problems:
            more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
            exchange = source_of(reply)
            of = f"{exchange.method} of {_tool(reply)!r}" if _tool(reply) else f"{exchange.method}"
            raise self.ctx.broken(f"The result of {of} is not right: {problems[0]}{more}.", exchange)


def _tool(reply: Any) -> str:
    """The name or URI that was asked for."""
    params = reply["sent"].get("params") if isinstance(reply["sent"], dict) else None
    return str(params.get("name") or params.get("uri") or "") if isinstance(params, dict) else ""
