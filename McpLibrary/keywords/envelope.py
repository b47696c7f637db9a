"""Keywords that judge the envelope: what results say of themselves, the keys of `_meta`, and what must not change an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks import handshake as checks
from ..checks import meta
from ..checks.client_capabilities import declared_in, shared_extensions
from ..session.envelope import CLIENT_INFO_KEY
from ..session.revisions import CAPABILITY_METHODS, LIST_KEYS, META_GRAMMAR_SINCE
from ..types import OptionalJson
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, ended, names_of, source_of


class Envelope(Group):
    role_of: Any
    require_role: Any
    require_safe_tool: Any
    replies_should_end_alike: Any
    _request: Any
    _result_of: Any

    @keyword(tags=["envelope"])
    def ask_every_method(self, extra: OptionalJson = None, *, without: list[str] | str = "") -> list[Reply]:
        """Ask a request of every method that may be asked: of the era, the lists that are declared, and what roles name.

        Tools are called only by the role `safe_tool` or as *Require Safe Tool* permits; prompts, resources and completions
        need the roles `prompt`, `text_resource` and `completion`.

        Args:
            extra: Members to add to the params, as a JSON object; those of `_meta` are added to the envelope.
            without: Names to leave out, as in *Send Raw Request*.

        Returns:
            The replies, results and errors. No answer at all is a defect.
        """
        replies = [self._ask_with(method, params, extra, without) for method, params in self._requests()]
        logger.info("\n".join(f"{reply.source.method}: {ended(reply.source)}" for reply in replies))
        return replies

    @keyword(tags=["envelope", "assertion"])
    def requests_should_be_served_all_the_same(
        self, extra: OptionalJson = None, *, without: list[str] | str = ""
    ) -> None:
        """Ask as *Ask Every Method* does, plainly and changed; fail unless both end alike. (META-04, META-16, RPC-28)

        Args:
            extra: Members to add to the params, as a JSON object.
            without: Names to leave out, as in *Send Raw Request*.

        Example:
        ```robotframework
        Requests Should Be Served All The Same    {"_meta": {"com.example/x": 1}}
        ```
        """
        for method, params in self._requests():
            plain = self._ask_with(method, params, None, "")
            self.replies_should_end_alike(self._ask_with(method, params, extra, without), plain)

    @keyword(tags=["envelope", "assertion"])
    def results_should_not_depend_on_the_name_of_the_client(self, *names: str) -> list[str]:
        """Ask as *Ask Every Method* does, once for each client name; fail unless the results are equal. (META-17)

        Args:
            names: Names of clients. The first one asks twice: what differs by itself, such as a time, is left out.

        Returns:
            The methods that were compared.
        """
        first, *others = names
        compared = []
        for method, params in self._requests():

            def ask(name: str, method: str = method, params: Any = params) -> Exchange:
                info = {CLIENT_INFO_KEY: {"name": name, "version": "1"}}
                return source_of(self._ask_with(method, params, {"_meta": info}, ""))

            one, again = ask(first), ask(first)
            if _ending(one) != _ending(again):
                logger.info(f"Left out, since it differs from call to call: {method}")
                continue
            for name in others:
                other = ask(name)
                if _ending(other) != _ending(one):
                    raise self.ctx.broken(
                        f"{method} should answer every client the same, but {name!r} gets another answer than {first!r}.",
                        other, evidence=f"{first}: {self.ctx.evidence(one)}\n{name}: {self.ctx.evidence(other)}",
                    )  # fmt: skip
            compared.append(method)
        if not compared:
            raise SkipExecution("Nothing was judged: every answer differs from call to call.")
        return compared

    @keyword(tags=["envelope", "assertion"])
    def result_should_carry_result_type(self, reply: Any) -> None:
        """Fail unless the raw result of a modern request says `resultType`, of a kind that both sides know. (META-13, META-14)

        Args:
            reply: The reply of a modern request. With an extension that both sides declared any type is taken (X-05).
        """
        exchange = self._result_of(reply)
        server = self.ctx.connection(reply.server).session.server.capabilities
        extensions = shared_extensions(declared_in(exchange.request.value), server)
        problems = checks.result_type_problems(exchange.result, extensions)
        self.fail_on(problems, f"The result of {exchange.method} does not say what it is", exchange)

    @keyword(tags=["envelope", "assertion"])
    def result_should_name_its_server(self, reply: Any) -> None:
        """Fail unless the `_meta` of a modern result has `io.modelcontextprotocol/serverInfo`. (META-11)

        Args:
            reply: The reply of a modern request.
        """
        exchange = self._result_of(reply)
        self.fail_on(
            checks.missing_stamp(exchange.result), f"The result of {exchange.method} does not name its server", exchange
        )

    @keyword(tags=["envelope", "assertion"])
    def meta_keys_should_be_well_formed(self, *, server: str | None = None) -> None:
        """Fail if a `_meta` that the server sent on this connection has a key that does not follow the grammar. (META-09)

        Args:
            server: Alias of the connection; the current one if not given. Skips when it sent no `_meta` yet.
        """
        self._lint_meta(lambda message: bool(list(meta.meta_objects(message))), meta.key_problems, "`_meta`", server)

    @keyword(tags=["envelope", "assertion"])
    def reserved_meta_keys_should_be_known(self, *, server: str | None = None) -> None:
        """Fail if a `_meta` that the server sent on this connection has an unknown key under a prefix of MCP. (META-10)

        Args:
            server: Alias of the connection; the current one if not given. Skips when it sent no `_meta` yet.
        """
        declared = self.ctx.connection(server).session.server.capabilities.get("extensions")
        extensions = tuple(declared) if isinstance(declared, dict) else ()
        self._lint_meta(
            lambda message: bool(list(meta.meta_objects(message))),
            lambda message: meta.reserved_problems(message, extensions), "`_meta`", server,
        )  # fmt: skip

    @keyword(tags=["envelope", "assertion"])
    def trace_context_should_be_well_formed(self, *, server: str | None = None) -> None:
        """Fail if the server sent `traceparent`, `tracestate` or `baggage` in another format than that of the W3C. (META-16)

        Args:
            server: Alias of the connection; the current one if not given. Servers need not send any.
        """
        self._lint_meta(meta.has_trace_keys, meta.trace_problems, "", server)

    def _lint_meta(self, is_there: Callable[[Any], bool], judge: Callable[[Any], list[str]], what: str,
              server: str | None) -> None:  # fmt: skip
        connection = self.ctx.connection(server)
        revision = connection.session.revision
        if revision is not None and revision.name < META_GRAMMAR_SINCE:
            raise SkipExecution(f"Not applicable: {revision.name} says nothing about the keys of _meta.")
        frames = [f for f in connection.session.transcript.frames() if f.direction == "received" and not f.problem]
        judged = [frame for frame in frames if is_there(frame.value)]
        for frame in judged:
            problems = judge(frame.value)
            if problems:
                raise self.ctx.broken(
                    f"What the server says in _meta is not right: {problems[0]}.",
                    where=f"Server {connection.described}.", evidence=frame.raw.decode("utf-8", "replace"),
                )  # fmt: skip
        if not judged and what:
            raise SkipExecution(f"Nothing was judged: the server sent no {what} on this connection.")

    # -- helpers ------------------------------------------------------------------------------------------------

    def _requests(self) -> list[tuple[str, dict[str, Any]]]:
        """What may be asked of this server: method and params."""
        session = self.ctx.connection().session
        declared = session.server.capabilities
        requests: list[tuple[str, dict[str, Any]]] = [("server/discover" if session.modern else "ping", {})]
        for capability, methods in CAPABILITY_METHODS.items():
            if capability in declared:
                requests += [(method, {}) for method in methods if method in LIST_KEYS]
        if "tools" in declared:
            try:
                tool = self.require_safe_tool()
                requests.append(("tools/call", {"name": tool["name"], "arguments": dict(tool["arguments"])}))
            except SkipExecution as reason:
                logger.info(str(reason))
        roles = self.ctx.under_test.roles if self.ctx.under_test else {}
        prompt, resource, completion = self.role_of("prompt"), roles.get("text_resource"), roles.get("completion")
        if prompt:
            requests.append(("prompts/get", {"name": prompt["name"], "arguments": dict(prompt["arguments"])}))
        if resource:
            requests.append(("resources/read", {"uri": resource["uri"]}))
        if completion:
            requests.append(("completion/complete", {name: completion[name] for name in ("ref", "argument")}))
        return requests

    def _ask_with(self, method: str, params: dict[str, Any], extra: Any, without: Any) -> Reply:
        extra = extra or {}
        exchange = self._request(method, {**params, **extra}, None, None, without=names_of(without))
        if exchange.answer is None:
            raise self.ctx.no_answer(exchange, self.ctx.connection())
        return Reply(exchange, self.ctx.connection().alias)


def _ending(exchange: Exchange) -> Any:
    """What an exchange ended with, to be compared."""
    return exchange.error_code if exchange.result is MISSING else exchange.result
