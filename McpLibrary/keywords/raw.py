"""Keywords that send exactly what a test wants, malformed or not, and show exactly what came back."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from robot.api.deco import keyword

from ..failures import WrongUse
from ..logs import storable
from ..types import Expect, Json, JsonOrText, OptionalHeaders, OptionalJson, OptionalProtocol
from ..wire import jsonrpc
from ..wire.frame import Exchange
from ..wire.jsonrpc import MISSING
from .base import Group, Reply, names_of, seconds, to_robot


class Raw(Group):
    @keyword(tags=["raw"])
    def send_raw_request(
        self,
        method: str,
        params: OptionalJson = None,
        *,
        id: JsonOrText = MISSING,  # noqa: A002
        headers: OptionalHeaders = None,
        without: list[str] | str = "",
        protocol: OptionalProtocol = None,
        expect: Expect = Expect.ANY,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send a request of any method, built by the rules of the connection's revision and bent as wished.

        On a modern connection the envelope (`_meta`) and the mirrored headers are added, on a legacy HTTP session its
        headers. `without=` leaves parts out, `headers=` replaces some, so one defect at a time can be sent.

        Args:
            method: Method of the request.
            params: Its params, any JSON value; left out if not given. Members of `_meta` in it win over the envelope.
            id: Id of the request as JSON (`7`, `"7"`, `null`, `1.5`) or plain text; a new number if not given.
            headers: HTTP headers that replace those of the same name or come in addition. A list of `Name: value`
                lines can double a header or pad a value.
            without: Names to leave out: `_meta`, `protocolVersion`, `clientInfo`, `clientCapabilities`, `jsonrpc`,
                `id`, `method`, `params`, or HTTP headers such as `Mcp-Method`. A list, or one text with commas.
            protocol: Build it for this revision instead, such as `2026-07-28` on a connection without handshake.
            expect: How it shall end; anything by default.
            timeout: Time for the answer.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply as described at *Call Tool*; without an answer `${r.outcome}` and `${r.problem}` say why.

        Example:
        ```robotframework
        ${r} =    Send Raw Request    tools/list    without=_meta
        Assert Error Code    ${r}    invalid params
        ${r} =    Send Raw Request    tools/list    headers={"Mcp-Method": "prompts/list"}
        ```
        """
        from ..session.revisions import REVISIONS, Era, latest

        connection = self.ctx.connection(server)
        session = connection.session
        revision = None
        if protocol is not None and str(protocol) != "auto":
            revision = REVISIONS.get(str(protocol)) or latest(Era(str(protocol)))
        message, all_headers = session.build(
            method, MISSING if params is None else params, id=id, revision=revision, without=names_of(without),
            headers=self._own_headers(headers),
        )  # fmt: skip
        return self._send(jsonrpc.encode(message), all_headers, message, expect, timeout, server)

    def _own_headers(self, headers: Any) -> list[tuple[str, str]]:
        return [(name, str(value)) for name, value in self.ctx.reveal(headers or [])]

    def _send(self, raw: bytes, headers: Any, value: Any, expect: Expect, timeout: timedelta | None, server: str | None,
              *, wait: bool = True, silence: timedelta | None = None) -> Reply:  # fmt: skip
        connection = self.ctx.connection(server)
        session = connection.session
        limit = seconds(timeout) or session.timeout

        async def run() -> Exchange:
            if silence is not None:
                return await session.send_quietly(raw, headers, value=value, silence=seconds(silence) or limit)
            return await session.send(raw, headers, value=value, wait=wait, timeout=limit)

        with self.ctx.logged(connection):
            exchange = self.ctx.wait(run, timeout=limit)
        self.judge(exchange, expect, connection)
        return Reply(exchange, connection.alias)

    @keyword(tags=["raw"])
    def send_raw_notification(
        self,
        method: str,
        params: OptionalJson = None,
        *,
        headers: OptionalHeaders = None,
        without: list[str] | str = "",
        server: str | None = None,
    ) -> Reply:
        """Send a notification. Over HTTP the reply has the status of the POST; on stdio nothing can come back.

        Args:
            method: Method of the notification.
            params: Its params, any JSON value; left out if not given.
            headers: HTTP headers, as in *Send Raw Request*.
            without: Names to leave out, as in *Send Raw Request*.
            server: Alias of the connection; the current one if not given.

        Example:
        ```robotframework
        ${r} =    Send Raw Notification    notifications/nope
        Answer Should Have Http Status    ${r}    202
        ```
        """
        message, all_headers = self.ctx.connection(server).session.build(
            method, MISSING if params is None else params, notification=True, without=names_of(without),
            headers=self._own_headers(headers),
        )  # fmt: skip
        return self._send(jsonrpc.encode(message), all_headers, message, Expect.ANY, None, server, wait=False)

    @keyword(tags=["raw"])
    def send_raw_message(
        self,
        message: Json,
        *,
        headers: OptionalHeaders = None,
        expect: Expect = Expect.ANY,
        timeout: timedelta | None = None,
        silence: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send any JSON value as one message, with nothing added to it: a batch, a response, a number.

        Args:
            message: The JSON value. A request is answered by its id; for anything else an error without id counts.
            headers: HTTP headers, as in *Send Raw Request*.
            expect: How it shall end; anything by default.
            timeout: Time for the answer.
            silence: For what may rightly get no answer: the most time for which nothing may come. Over HTTP, where each
                request is answered, it means nothing; on a stream the wait ends when later requests were answered.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply as described at *Call Tool*. The answer to a batch is in `${r.message}`.

        Example:
        ```robotframework
        ${r} =    Send Raw Message    [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]    silence=1s
        ```
        """
        session = self.ctx.connection(server).session
        all_headers = _merged(session.http_headers(message), self._own_headers(headers))
        return self._send(jsonrpc.encode(message), all_headers, message, expect, timeout, server, silence=silence)

    @keyword(tags=["raw"])
    def send_raw_bytes(
        self,
        data: Any,
        *,
        headers: OptionalHeaders = None,
        expect: Expect = Expect.ANY,
        timeout: timedelta | None = None,
        silence: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        r"""Send exactly these bytes as one line (stdio) or one POST body (HTTP): broken JSON, invalid UTF-8.

        Args:
            data: Bytes (as *Convert To Bytes* makes them), or text, which is sent as UTF-8. On stdio the line end is
                added; a newline inside makes two lines. Over memory streams the SDK's own parser reads it.
            headers: HTTP headers, as in *Send Raw Request*.
            expect: How it shall end; anything by default.
            timeout: Time for the answer.
            silence: For what may rightly get no answer: the most time for which nothing may come. Over HTTP, where each
                request is answered, it means nothing; on a stream the wait ends when later requests were answered.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply as described at *Call Tool*.

        Example:
        ```robotframework
        ${r} =    Send Raw Bytes    {"jsonrpc":    silence=1s
        ${bytes} =    Evaluate    b'{"jsonrpc":"2.0","id":1,"method":"\\xff"}'
        ${r} =    Send Raw Bytes    ${bytes}    silence=1s
        ```
        """
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        if not isinstance(data, (bytes, bytearray)):
            raise WrongUse(
                f"'Send Raw Bytes' takes bytes or text, got {type(data).__name__}; JSON goes by 'Send Raw Message'."
            )
        session = self.ctx.connection(server).session
        value, _ = jsonrpc.parse(bytes(data))
        all_headers = _merged(session.http_headers(value), self._own_headers(headers))
        return self._send(bytes(data), all_headers, MISSING, expect, timeout, server, silence=silence)

    @keyword(tags=["raw"])
    def send_http_request(
        self,
        method: str,
        *,
        headers: OptionalHeaders = None,
        body: Any = b"",
        only: bool = False,
        peek: bool = False,
        timeout: timedelta | None = None,
        server: str | None = None,
    ) -> Reply:
        """Send one HTTP request of any method to the MCP endpoint.

        Args:
            method: `GET`, `DELETE`, `OPTIONS`, `PUT`, `POST` …
            headers: HTTP headers. A list of `Name: value` lines can double a header or pad a value; then the request
                goes over a raw socket.
            body: Body as text or bytes.
            only: Send no other headers than these and `Host`; otherwise those of the connection come along (a token,
                the session, the version).
            peek: Read no events: the exchange ends as soon as an event stream has opened.
            timeout: Time for the whole answer; an event stream that stays open ends with it, what came is kept.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply; `${r.status}`, `${r.headers}` (names in lower case) and `${r.raw}` (the body) matter here.

        Fails on a connection that is not Streamable HTTP.

        Example:
        ```robotframework
        ${r} =    Send Http Request    DELETE    headers={"MCP-Protocol-Version": "2026-07-28"}
        Answer Should Have Http Status    ${r}    405
        ```
        """
        from ..wire.transport import TransportError

        connection = self.ctx.connection(server)
        session = connection.session
        body = self.ctx.reveal(body)
        if not isinstance(body, (str, bytes, bytearray)):
            raise WrongUse(f"body= takes text or bytes, got {type(body).__name__}.")
        data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else bytes(body)
        own, limit = self._own_headers(headers), seconds(timeout) or session.timeout

        async def run() -> Exchange:
            return await session.http(method.upper(), own, data, only=only, peek=peek, timeout=limit)

        with self.ctx.logged(connection):
            try:
                exchange = self.ctx.wait(run, timeout=limit)
            except TransportError as error:
                raise WrongUse(f"'Send Http Request' cannot be used here: {error}.") from None
        return Reply(exchange, connection.alias)

    @keyword(tags=["raw"])
    def read_next_message(self, *, timeout: timedelta | None = None, server: str | None = None) -> Any:
        """Return the next message of the server that no keyword has read or logged yet, whatever it is.

        Args:
            timeout: Time to wait for it.
            server: Alias of the connection; the current one if not given.

        Returns:
            The message as a dictionary; for a line that is no JSON its text. Fails when nothing comes in time.
        """
        connection = self.ctx.connection(server)
        session = connection.session
        mark = connection.read_mark
        limit = seconds(timeout) or session.timeout

        async def run() -> Any:
            return await session.wait_for_frame(lambda f: True, since=mark, timeout=limit)

        frame = self.ctx.wait(run, timeout=limit)
        if frame is None:
            raise self.ctx.defect(
                f"No message came within {limit:g} seconds.", where=f"Server {connection.described}.",
                evidence=session.transport.closed_because or "",
            )  # fmt: skip
        connection.read_mark = session.transcript.position(frame)
        return to_robot(frame.value) if frame.problem is None else frame.raw.decode("utf-8", "backslashreplace")

    @keyword(tags=["raw"])
    def get_exchange(self, number: int = -1, *, server: str | None = None) -> Reply:
        """Return an earlier exchange of the connection.

        Args:
            number: Number of the exchange as in the log, or negative from the end: -1 is the last.
            server: Alias of the connection; the current one if not given.

        Returns:
            The reply as described at *Call Tool*.
        """
        connection = self.ctx.connection(server)
        exchange = connection.session.transcript.exchange(number)
        if exchange is None:
            raise WrongUse(
                f"There is no exchange {number}; this connection has had {connection.session.transcript.count} of them."
            )
        return Reply(exchange, connection.alias)

    @keyword(tags=["raw"])
    def get_transcript(self, *, server: str | None = None) -> list[Any]:
        """Return every message of the connection in order, sent and received.

        Args:
            server: Alias of the connection; the current one if not given.

        Returns:
            A list of dictionaries: `direction`, `channel`, `kind`, `message` (or `None`), `raw` (text), `problem`, `at`
            (seconds since the first message). Secrets are masked.
        """
        return [to_robot(entry) for entry in self._entries(server)]

    def _entries(self, server: str | None) -> list[dict[str, Any]]:
        frames = self.ctx.connection(server).session.transcript.frames()
        start = frames[0].at if frames else 0.0
        entries = []
        for frame in frames:
            raw = self.ctx.masker.mask(frame.raw.decode("utf-8", "backslashreplace"))
            value, _ = jsonrpc.parse(raw.encode("utf-8"))
            entries.append(
                {"direction": frame.direction, "channel": frame.channel, "kind": frame.kind, "raw": raw,
                 "message": None if value is MISSING else value, "problem": frame.problem, "at": frame.at - start}
            )  # fmt: skip
        return entries

    @keyword(tags=["raw"])
    def save_transcript(self, path: str, *, server: str | None = None) -> str:
        """Write every message of the connection to a file, one JSON object a line, secrets masked.

        Args:
            path: File to write; its folder is made if it is missing.
            server: Alias of the connection; the current one if not given.

        Returns:
            The absolute path of the file.
        """
        file = Path(path)
        lines = (storable(json.dumps(entry, ensure_ascii=False)) for entry in self._entries(server))
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError as error:
            raise WrongUse(f"The transcript cannot be written to {path!r}: {error.strerror}.") from None
        return str(file.resolve())


def _merged(base: Any, extra: Any) -> Any:
    from ..session.envelope import merge_headers

    return merge_headers(base, extra)
