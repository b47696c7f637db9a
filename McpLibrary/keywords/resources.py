"""Keywords that read resources and judge what comes back: contents, bytes, URIs that lead astray, subscriptions."""

from __future__ import annotations

from typing import Any, Literal

from robot.api import SkipExecution, logger
from robot.api.deco import keyword

from ..checks.content import bytes_problems, each, resource_contents_problems
from ..checks.resources import TRAVERSALS, contents_problems, foreign_content
from ..checks.uris import filled
from ..failures import WrongUse
from ..session.revisions import CAPABILITY_METHODS
from ..wire.jsonrpc import INVALID_PARAMS, MISSING
from .base import Group, Reply, ended, source_of

MOST_READS = 20
LARGEST = 5_000_000
"""Bytes that a listed resource may have, by its own ``size``, to be read."""

MOST_TEMPLATES = 4


class Resources(Group):
    assert_error_code: Any
    send_raw_request: Any

    @keyword(tags=["resources"])
    def read_listed_resources(self, *, again: bool = False, server: str | None = None) -> list[Reply]:
        """Read the listed resources and those that the profile names, and return the replies, whatever they are.

        Reading is safe. At most 20 listed ones are read, none that says it has more than 5 MB, and not the
        `crashing_resource` of the profile. Tests share the replies: each is read once per era.

        Args:
            again: `True` reads in any case.
            server: Alias of the connection; the current one if not given.

        Returns:
            The replies. Skips when there is nothing to read.
        """
        under_test = self.ctx.under_test
        if under_test is None:
            raise WrongUse("There is no server under test. Use 'Set Server Under Test' in the suite setup.")
        known = under_test.results
        key = f"resources {self.ctx.test_era}"
        if again or key not in known:
            roles = under_test.roles
            listed = self.walk("resources/list", timeout=None, server=server)
            uris = [
                item["uri"]
                for item in listed
                if isinstance(item, dict) and isinstance(item.get("uri"), str) and not _is_large(item)
            ]
            if len(uris) > MOST_READS:
                logger.info(f"Of {len(listed)} resources the first {MOST_READS} are read.")
            named = [roles[role]["uri"] for role in ("text_resource", "binary_resource") if role in roles]
            crashing = roles.get("crashing_resource", {}).get("uri")
            wanted = [uri for uri in dict.fromkeys([*uris[:MOST_READS], *named]) if uri != crashing]
            known[key] = [self._read(uri, server) for uri in wanted]
        if not known[key]:
            raise SkipExecution("Nothing was judged: the server lists no resources, and the profile names none.")
        return list(known[key])

    def _read(self, uri: Any, server: str | None = None) -> Reply:
        reply: Reply = self.send_raw_request("resources/read", {"uri": uri}, server=server)
        return reply

    @keyword(tags=["resources", "assertion"])
    def resources_should_be_readable(self, *replies: Any) -> None:
        """Fail if reading a listed resource gave an error, or nothing. (RES-20)

        Args:
            replies: What *Read Listed Resources* or *Read Resource* returned. A result that asks for input is passed over.
        """
        for reply in replies:
            exchange = source_of(reply)
            if exchange.answer is None:
                raise self.ctx.defect(f"{_uri(reply)!r} should be readable, but there was {ended(exchange)}.", exchange)
            if exchange.result is MISSING:
                raise self.ctx.broken(
                    f"{_uri(reply)!r} is listed, so it should be readable, but was {ended(exchange)}.", exchange
                )
            if not _asks(exchange.result) and exchange.result.get("contents") == []:
                raise self.ctx.broken(
                    f"{_uri(reply)!r} is listed, so it should have contents, but they are empty.", exchange
                )

    @keyword(tags=["resources", "assertion"])
    def resource_contents_should_be_valid(self, aspect: Literal["items", "bytes"], *replies: Any) -> None:
        """Fail if the contents of a resource are not what the schema says of them.

        Args:
            aspect: `items` (an array `contents`, each with `uri` and `text` or Base64 in `blob`: RES-04, RES-05), or `bytes`
                (they begin as files of their `mimeType` do, where that can be told).
            replies: What *Read Listed Resources* or *Read Resource* returned. Skips when none is a result, or none has bytes.
        """
        judged = 0
        for reply in replies:
            exchange = source_of(reply)
            if not isinstance(exchange.result, dict) or _asks(exchange.result):
                continue
            contents = exchange.result.get("contents")
            if aspect == "items":
                problems = contents_problems(exchange.result) or each(contents, resource_contents_problems, "item")
                judged += 1
            else:
                problems = each(contents, bytes_problems, "item")
                judged += (
                    any(isinstance(i, dict) and "blob" in i for i in contents) if isinstance(contents, list) else 0
                )
            if problems:
                raise self.ctx.broken(
                    f"The contents of {_uri(reply)!r} are not valid: {'; '.join(problems[:3])}.", exchange
                )
        if not judged:
            what = "no resource could be read" if aspect == "items" else "no resource has bytes"
            raise SkipExecution(f"Nothing was judged: {what}.")

    @keyword(tags=["resources", "assertion"])
    def resource_should_play_its_role(self, reply: Any, role: Any, member: Literal["text", "blob"]) -> None:
        """Fail unless a resource holds what the profile says of it. (RES-04, RES-05, RES-12)

        Args:
            reply: What *Read Resource* returned.
            role: The role as *Require Role* returns it: `mimeType`, `text` and `text_contains` are compared when they are there.
            member: Where its content should be: `text`, or `blob` for what is not text.
        """
        exchange = source_of(reply)
        contents = exchange.result.get("contents") if isinstance(exchange.result, dict) else None
        first = contents[0] if isinstance(contents, list) and contents and isinstance(contents[0], dict) else {}
        if member not in first:
            raise self.ctx.broken(
                f"The contents of {_uri(reply)!r} should be in {member!r}, but there is {', '.join(first) or ended(exchange)}.",
                exchange,
            )
        for name, got in (("mimeType", first.get("mimeType")), ("text", first.get("text"))):
            if name in role and got != role[name]:
                raise self.ctx.broken(
                    f"{name!r} of {_uri(reply)!r} should be {role[name]!r}, but is {got!r}.", exchange
                )
        if "text_contains" in role and role["text_contains"] not in str(first.get("text")):
            raise self.ctx.broken(
                f"The text of {_uri(reply)!r} should have {role['text_contains']!r} in it, but is {first.get('text')!r}.", exchange
            )  # fmt: skip

    # -- URIs ---------------------------------------------------------------------------------------------------

    @keyword(tags=["resources"])
    def get_missing_resource_uris(self) -> list[str]:
        """Return URIs that name no resource: one of a scheme of our own, and the `missing_resource_uri` of the profile."""
        roles = self.ctx.under_test.roles if self.ctx.under_test else {}
        named = roles.get("missing_resource_uri")
        return ["mcplibrary://no-such-resource", *([named] if named else [])]

    @keyword(tags=["resources", "assertion"])
    def invalid_uri_should_have_a_code_for_it(self, reply: Any) -> None:
        """Fail unless the error for a malformed URI is -32602, or the one for a missing resource in the revision. (RES-14)

        Args:
            reply: The reply of a `resources/read` of what is no URI.
        """
        self.assert_error_code(
            reply, *{INVALID_PARAMS: None, **dict.fromkeys(self.revision(reply.server).missing_resource)}
        )

    @keyword(tags=["resources", "assertion"])
    def traversal_should_be_refused(self, *, server: str | None = None) -> int:
        """Read URIs that lead out of a server's folder, and fail if one yields a file of the machine. (RES-13)

        The values `../../etc/passwd` and its like, in many spellings, go into the first four templates, after each folder of
        a listed `file:` resource, and into `file:` itself. An invented text is no fault, for a value may be any text; the
        content of such a file is one, and so is no answer or HTTP status 500 and above.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            How many URIs were tried.
        """
        uris = self._astray(server)
        for uri in uris:
            exchange = source_of(self._read(uri, server))
            if exchange.answer is None and (exchange.status is None or exchange.status >= 500):
                raise self.ctx.defect(f"Reading {uri!r} should be refused, but there was {ended(exchange)}.", exchange)
            if line := foreign_content(exchange.result):
                raise self.ctx.broken(
                    f"Reading {uri!r} should not lead out of what the server offers, but gave a file of the machine.", exchange,
                    evidence=line, hint="decode the value, resolve the path, and refuse what is not below the folder.",
                )  # fmt: skip
        logger.info(f"{len(uris)} URIs were tried.")
        return len(uris)

    def _astray(self, server: str | None) -> list[str]:
        listed = [i.get("uri") for i in self.listed("resources/list", server) if isinstance(i, dict)]
        uris = [uri for uri in listed if isinstance(uri, str)]
        folders = dict.fromkeys(uri.rpartition("/")[0] + "/" for uri in uris if uri.startswith("file://"))
        bases = ["file:///", *folders]
        found = [base + value.removeprefix("/") for base in bases[:MOST_TEMPLATES] for value in TRAVERSALS]
        for item in self.listed("resources/templates/list", server)[:MOST_TEMPLATES]:
            template = item.get("uriTemplate") if isinstance(item, dict) else None
            if isinstance(template, str):
                found += [filled(template, value) for value in TRAVERSALS]
        return [uri for uri in dict.fromkeys(found) if uri not in uris]

    # -- subscriptions of the legacy era --------------------------------------------------------------------------

    @keyword(tags=["resources", "assertion"])
    def subscribing_should_work(self, uri: str, *, server: str | None = None) -> None:
        """Subscribe to a resource and unsubscribe, and fail unless both give a result. (RES-15)

        Args:
            uri: A resource that exists.
            server: Alias of a legacy connection; the current one if not given.
        """
        for method in CAPABILITY_METHODS["resources.subscribe"]:
            exchange = source_of(self.send_raw_request(method, {"uri": uri}, server=server))
            if exchange.answer is None:
                raise self.ctx.no_answer(exchange, self.ctx.connection(server))
            if exchange.result is MISSING:
                raise self.ctx.broken(
                    f"The server declares 'resources.subscribe', so {method} should work, but was {ended(exchange)}.",
                    exchange,
                )


def _uri(reply: Any) -> str:
    return str(source_of(reply).request.value["params"].get("uri"))


def _is_large(item: dict[str, Any]) -> bool:
    size = item.get("size")
    return isinstance(size, (int, float)) and size > LARGEST


def _asks(result: Any) -> bool:
    return isinstance(result, dict) and result.get("resultType") == "input_required"
