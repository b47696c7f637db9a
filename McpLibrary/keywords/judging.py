"""Keywords of the ready-made suites: the server under test, and the gates that skip what does not apply to it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from robot.api import SkipExecution, logger
from robot.api.deco import keyword
from robot.utils import is_truthy

from ..checks.permission import NEEDED, may_be_called, needs_arguments
from ..checks.roles import role_problems
from ..context import SHARED, ServerUnderTest
from ..failures import RuleBroken, WrongUse
from ..session.revisions import LEGACY, MODERN, REVISIONS
from ..session.targets import DEMO
from ..types import AutoClose, Expect, OptionalJson, OptionalProtocol, Protocol
from ..verdicts import BadProfile, read_deviations
from .base import Group, Reply, convert_options, to_robot


class Judging(Group):
    connect_to_server: Any
    get_supported_eras: Any
    list_tools: Any
    _schema: Any
    cancel_open_subscriptions: Any

    @keyword(tags=["suites"])
    def set_server_under_test(
        self,
        target: Any,
        *,
        protocol: Protocol = "auto",  # type: ignore[assignment]
        profile: str | None = None,
        strict: Any = False,
        claimed: list[str] | None = None,
        **options: Any,
    ) -> list[str]:
        """Say which server the tests of this suite judge, find out which eras it speaks, and read the profile.

        Args:
            target: As in *Connect To Server*.
            protocol: `auto` judges all eras that the server speaks; `legacy`, `modern` or a revision only that.
            profile: Path of an `mcp-profile.yaml` with `ROLES` and `KNOWN_DEVIATIONS`. The demo server brings its own.
            strict: A true value makes broken SHOULD rules fail instead of warn.
            claimed: The eras that the server speaks, when that is known already; otherwise each is tried.
            options: Further options of *Connect To Server*, such as `token=`, `headers=`, `env=`, `timeout=`. Empty ones
                are left out.

        Returns:
            The eras that will be judged: `legacy`, `modern`, or both.

        Example:
        ```robotframework
        Set Server Under Test    http://127.0.0.1:8000/mcp    profile=mcp-profile.yaml
        ```
        """
        options = convert_options(self.connect_to_server, options)
        under_test = ServerUnderTest(target, str(protocol), options, strict=is_truthy(strict))
        if not profile and target == DEMO:
            profile = str(Path(__file__).parent.parent / "demo" / "profile.yaml")
        if profile:
            self._read_profile(under_test, profile)
        under_test.claimed = list(claimed) if claimed else self._claims(target, options)
        wish = "modern" if str(protocol) in MODERN else "legacy" if str(protocol) in LEGACY else str(protocol)
        under_test.eras = [era for era in under_test.claimed if wish in ("auto", era)]
        if not under_test.eras:
            raise self.ctx.broken(
                f"The server does not speak the {wish} era; it speaks {', '.join(under_test.claimed)}."
            )
        self.ctx.judge_server(under_test)
        shown = f"{self.ctx.masker.mask(str(target))}, judged as {' and '.join(under_test.eras)}"
        logger.info(f"Server under test: {shown}")
        if shown not in self.ctx.announced:
            self.ctx.announced.add(shown)
            own = "; set -v SERVER:<target> for your own" if target == DEMO else ""
            logger.console(f"McpLibrary judges {'the sample server, ' if target == DEMO else ''}{shown}{own}")
        return list(under_test.eras)

    def _claims(self, target: Any, options: dict[str, Any]) -> list[str]:
        key = (repr(target), repr(sorted(options.items(), key=str)))
        if key not in self.ctx.eras_of:
            self.ctx.eras_of[key] = self.get_supported_eras(target, **options)
        return self.ctx.eras_of[key]

    def _read_profile(self, under_test: ServerUnderTest, profile: str) -> None:
        import yaml

        path = Path(profile)
        try:
            document = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (OSError, yaml.YAMLError) as error:
            raise WrongUse(f"The profile {profile!r} cannot be read: {error}") from None
        if not isinstance(document, dict) or not isinstance(document.get("ROLES", {}), dict):
            raise WrongUse(f"The profile {profile!r} must have ROLES, a mapping of roles to your own tools.")
        under_test.roles = document.get("ROLES", {})
        problem = next(role_problems(under_test.roles), None)
        if problem:
            raise WrongUse(f"The profile {profile!r} is not right: {problem}.")
        try:
            under_test.deviations = read_deviations(document.get("KNOWN_DEVIATIONS") or [])
        except BadProfile as error:
            raise WrongUse(f"The profile {profile!r} is not right: {error}.") from None

    @keyword(tags=["suites"])
    def use_server_under_test(self, era: str | None = None) -> str:
        """Make the shared connection to the server under test the current one, opening it if need be.

        All suites of a run share it. After a test that found a plain defect (no answer, a crash) it is opened anew.

        Args:
            era: `legacy` or `modern`; without it the newest era that is judged.

        Returns:
            The era. Skips the test when the server does not speak the asked era, or it is not judged in this run.
        """
        under_test = self._under_test()
        chosen = self.require_era(era) if era else under_test.eras[-1]
        alias = f"{SHARED}-{chosen}"
        self.ctx.test_era = chosen
        if alias in self.ctx.connections:
            if not self.ctx.connection(alias).session.transport.closed_because:
                self.ctx.connections.switch(alias)
                return chosen
            self.ctx.close_connection(alias)
        self._connect(alias, self._protocol_for(chosen), close=AutoClose.RUN)
        return chosen

    @keyword(tags=["suites"])
    def connect_to_server_under_test(
        self,
        protocol: OptionalProtocol = None,
        *,
        handshake: bool = False,
        client_capabilities: OptionalJson = None,
    ) -> str:
        """Open a fresh connection to the server under test for this test alone; without a handshake if not asked for.

        Args:
            protocol: `legacy` or `modern`, or a revision such as `2025-03-26`; without it the newest era that is judged.
            handshake: `True` settles the revision at once.
            client_capabilities: What our client declares, as in *Connect To Server*.

        Returns:
            The alias. Skips the test as *Use Server Under Test* does, also when the server does not negotiate the
            named revision, or only another one is judged in this run.

        Example:
        ```robotframework
        Connect To Server Under Test    2025-03-26    handshake=True
        ```
        """
        wish = self._under_test().eras[-1] if protocol is None or str(protocol) == "auto" else str(protocol)
        named = REVISIONS.get(wish)
        era = self.require_era(named.era.value if named else wish)
        self.ctx.test_era = era
        judged = self._protocol_for(era)
        if named and judged not in (era, wish):
            raise SkipExecution(
                f"Not applicable: revision {wish} is not judged in this run, which is pinned to {judged}."
            )
        try:
            return self._connect(
                self.ctx.connections.new_alias(), wish if named else judged, handshake=handshake,
                client_capabilities=client_capabilities,
            )  # fmt: skip
        except RuleBroken as failure:
            if not named:
                raise
            self.ctx.failures.remove(failure)
            raise SkipExecution(f"Not applicable: the server does not negotiate revision {wish}.") from None

    def _connect(self, alias: str, protocol: str, **more: Any) -> str:
        under_test = self._under_test()
        options = {**under_test.options, **{name: value for name, value in more.items() if value is not None}}
        self.connect_to_server(under_test.target, alias=alias, protocol=protocol, **options)
        return alias

    def _protocol_for(self, era: str) -> str:
        """The revision asked for when it is of this era, else the era."""
        wish = self._under_test().protocol
        return wish if wish in (LEGACY if era == "legacy" else MODERN) else era

    def _under_test(self) -> ServerUnderTest:
        if self.ctx.under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        return self.ctx.under_test

    @keyword(tags=["suites"])
    def require_era(self, era: str) -> str:
        """Skip the test unless this era is judged.

        Args:
            era: `legacy`, `modern`, or `both` for a server that must speak both.

        Returns:
            The era.
        """
        eras = self._under_test().eras
        missing = [e for e in (("legacy", "modern") if era == "both" else (era,)) if e not in eras]
        if missing:
            raise SkipExecution(
                f"Not applicable: the {missing[0]} era is not spoken by this server or not judged in this run."
            )
        return era

    @keyword(tags=["suites"])
    def require_transport(self, *kinds: str) -> str:
        """Skip the test unless the current connection uses one of these transports.

        Args:
            kinds: `stdio`, `http`, `sse`, `memory`.

        Returns:
            The transport.
        """
        kind: str = self.ctx.connection().session.transport.kind
        if kind not in kinds:
            raise SkipExecution(
                f"Not applicable: this is a rule for {' and '.join(kinds)}, the server is reached over {kind}."
            )
        return kind

    @keyword(tags=["suites"])
    def require_capability(self, name: str) -> Any:
        """Skip the test unless the server declares this capability.

        Args:
            name: Name such as `prompts`, or with a flag such as `resources.subscribe`.

        Returns:
            The declared value.
        """
        value: Any = self.ctx.connection().session.server.capabilities
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None or value is False:
            raise SkipExecution(f"Not applicable: the server does not declare the capability {name!r}.")
        return to_robot(value)

    @keyword(tags=["suites"])
    def require_role(self, role: str, *members: str) -> Any:
        """Return what the profile names for a role, or skip the test.

        Args:
            role: Name of the role, such as `failing_tool`.
            members: What the role must say of itself, such as `changes`.

        Returns:
            The role as a dictionary, `name` and `arguments` for a tool.
        """
        value = self._under_test().roles.get(role)
        if value is None:
            raise SkipExecution(
                f"Not applicable: no role {role!r} is named. Add it to the ROLES of your mcp-profile.yaml "
                "(for a tool: name and arguments) to have this judged."
            )
        missing = [member for member in members if member not in value]
        if missing:
            raise SkipExecution(
                f"Not applicable: the role {role!r} of the profile does not say {' and '.join(missing)}."
            )
        if isinstance(value, dict):
            value = {"arguments": {}, **value} if "name" in value else value
        return to_robot(value)

    def role_of(self, name: str) -> dict[str, Any] | None:
        """The tool or prompt that the profile names for a role, if it names one."""
        role = self._under_test().roles.get(name)
        return {"arguments": {}, **role} if isinstance(role, dict) and "name" in role else None

    @keyword(tags=["suites"])
    def require_safe_tool(self) -> Any:
        """Return a tool that may be called, or skip the test: nothing is executed without permission.

        The role `safe_tool` of the profile comes first. Without it the first tool is taken that says
        `readOnlyHint: true`, says neither `openWorldHint: true` nor `destructiveHint: true`, and needs no arguments.
        Tools that are left alone are named in the log.

        Returns:
            A dictionary with `name` and `arguments`.
        """
        role = self.role_of("safe_tool")
        if role is not None:
            return to_robot(role)
        left_alone = []
        for tool in self.list_tools():
            if may_be_called(tool) and not needs_arguments(tool):
                return to_robot({"name": tool["name"], "arguments": {}})
            left_alone.append(str(tool.get("name")) if isinstance(tool, dict) else repr(tool))
        logger.info(f"Left alone, since nothing says that they may be called: {', '.join(left_alone) or 'no tools'}")
        raise SkipExecution(
            "Not applicable: no tool may be called. Name a safe_tool with its arguments in your mcp-profile.yaml; "
            f"by itself only a tool is called that says {NEEDED}, and needs no arguments."
        )

    @keyword(tags=["suites"])
    def get_role(self, role: str) -> Any:
        """Return what the profile names for a role, or `None`.

        Args:
            role: Name of the role, such as `crashing_tool`.
        """
        return self.require_role(role) if role in self._under_test().roles else None

    @keyword(tags=["suites"])
    def require_slow_tool(self, time: timedelta, *, share: float = 1) -> Any:
        """Return the role `slow_tool`, made to take this long if the profile names its `seconds_argument`, or skip the test.

        Args:
            time: How long its call shall take, such as `0.2` seconds.
            share: Take this part of the time only.

        Returns:
            The role as a dictionary, `name` and `arguments`.
        """
        role = self.require_role("slow_tool")
        argument, seconds = role.get("seconds_argument"), time.total_seconds() * share
        return to_robot({**role, "arguments": {**role["arguments"], argument: seconds}}) if argument else role

    @keyword(tags=["suites"])
    def call_role(self, role: Any, *, meta: OptionalJson = None) -> Reply:
        """Call the tool of a role with its arguments, whatever comes back.

        Args:
            role: What *Require Role* or *Require Safe Tool* returned.
            meta: Members for the `_meta` of the request, as a JSON object, such as `{"progressToken": 7}`.

        Returns:
            The reply.
        """
        self.prepare_call(role["name"])
        return self.ask("tools/call", self.params_of(role, meta), expect=Expect.ANY, timeout=None, server=None)

    @keyword(tags=["suites"])
    def make_a_change(self, role: Any) -> Reply:
        """Call the tool of the role `mutating_tool`. *Undo Changes*, in the teardown, calls it once more if need be.

        Args:
            role: What *Require Role* returned.

        Returns:
            The reply.

        Example:
        ```robotframework
        ${tool} =    Require Role    mutating_tool    changes
        Make A Change    ${tool}
        Wait For Notification    tools/list_changed
        [Teardown]    Undo Changes
        ```
        """
        under_test = self._under_test()
        reply: Reply = self.call_role(role)
        under_test.changed_by = None if under_test.changed_by else role
        self.judge(reply.source, Expect.RESULT, self.ctx.connection())
        return reply

    @keyword(tags=["suites"])
    def undo_changes(self) -> None:
        """Cancel all subscriptions, and bring lists back to what they were before an odd number of *Make A Change*."""
        self.cancel_open_subscriptions()
        if role := self._under_test().changed_by:
            self.make_a_change(role)

    def prepare_call(self, tool: str) -> None:
        """List the tools if a call needs to know their schemas."""
        self._schema(tool, None, needed=False)

    def params_of(self, role: Any, meta: Any) -> dict[str, Any]:
        """The params of a call of the tool of a role."""
        params: dict[str, Any] = {"name": role["name"], "arguments": dict(role["arguments"])}
        return params if meta is None else {**params, "_meta": meta}
