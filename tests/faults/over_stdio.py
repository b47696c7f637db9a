"""The scripted server over stdio: one message per line, each request in a task of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from faults.core import Server
from faults.ending import Ending
from faults.envelope import era_of, parse
from faults.messages import Answer, Context, HangUp, Message, Session
from faults.replies import encode, encode_answer

LINE_LIMIT = 64 * 1024 * 1024
GRACE_SECONDS = 0.5


async def serve(server: Server) -> None:
    """Answer the lines of stdin until it ends; then give running requests a moment."""
    connection = _Connection(server)
    ending = Ending(server, connection)
    ending.begin()
    if server.faulty("banner-on-stdout"):
        connection.write(b"Shop server 1.0.0 is ready")
    reader = asyncio.StreamReader(limit=LINE_LIMIT)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    tasks: set[asyncio.Task[None]] = set()
    async for line in reader:
        if line.strip():
            task = asyncio.create_task(connection.take(line))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        elif server.faulty("ends-at-empty-line"):
            break
    await ending.before(tasks)
    server.streams.end()
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE_SECONDS)
    ending.after()


class _Connection:
    """The one connection of the process."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.last = b""
        self.context = Context(Session(), self._send, peer=str(os.getpid()))

    async def take(self, line: bytes) -> None:
        if self.server.faulty("refuses-carriage-return") and line.endswith(b"\r\n"):
            self._answer(self.server.unreadable(era_of(None, self.context, self.server.eras)))
            return
        if b'"server/discover"' in line and self.server.faulty("ends-at-probe"):
            os._exit(0)
        if b'"server/discover"' in line and self.server.faulty("silent-at-probe"):
            return
        try:
            message: Any = parse(line, self.server.faulty)
        except ValueError:
            self._answer(self.server.unreadable(era_of(None, self.context, self.server.eras)))
            return
        try:
            self._answer(await self.server.handle(message, self.context))
        except HangUp:
            os._exit(0)

    def write(self, line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()

    async def _send(self, message: Message) -> None:
        self.write(encode(message))

    def _answer(self, answer: Answer) -> None:
        if answer.body is None:
            return
        if self.server.faulty("log-line-amid-messages"):
            self.write(b"INFO shop: answering")
        line = encode_answer(answer, self.server.faulty)
        self.write(line)
        self.last = line
        if answer.method == "tools/call" and self.server.faulty("double-answer"):
            self.write(line)
        if answer.late is not None:
            self.write(encode(answer.late))
