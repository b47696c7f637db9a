"""A tiny stdio MCP server without any SDK that does what a test wishes, and writes down what it met.

Tools: `echo`, `wait` (seconds), `tick` (notifications at a pace), `flood` (notifications at once), `huge` (bytes in one
line), `die` (in mid-call). The record is a file of JSON lines; `toy_records.py` reads it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

LEGACY, MODERN = "2025-11-25", "2026-07-28"
NAMES = ("echo", "wait", "tick", "flood", "huge", "die")


class Toy:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.lock = threading.Lock()
        self.waits: dict[Any, threading.Event] = {}

    def record(self, what: str, **facts: Any) -> None:
        line = json.dumps({"what": what, "pid": os.getpid(), "at": time.monotonic(), **facts}) + "\n"
        # One write in append mode, so that several servers can share a file.
        descriptor = os.open(self.options.record, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)

    def send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def write(self, line: bytes) -> None:
        with self.lock:
            try:
                sys.stdout.buffer.write(line + b"\n")
                sys.stdout.buffer.flush()
            except (BrokenPipeError, ValueError):
                self.record("nobody reads")

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": f"notifications/{method}", "params": params})

    def serve(self) -> None:
        self.record("started", pgid=os.getpgrp())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.on_signal)
        if self.options.child:
            child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], stdin=subprocess.DEVNULL)
            self.record("child", child=child.pid)
        if self.options.say:
            print(self.options.say, file=sys.stderr, flush=True)
        if self.options.exit is not None:
            self.leave(self.options.exit)
        for line in self.options.garbage:
            self.write(line.encode())
        for line in sys.stdin.buffer:
            self.take(json.loads(line))
        self.record("end of input")
        while self.options.stubborn:
            signal.pause()
        self.leave(0)

    def on_signal(self, number: int, frame: Any) -> None:
        self.record(signal.Signals(number).name)
        if number == signal.SIGTERM and not self.options.stubborn:
            self.leave(0)

    def leave(self, code: int) -> None:
        self.record("exited", code=code)
        os._exit(code)

    def take(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        self.record("received", method=method, name=params.get("name"), message=message)
        if self.options.mute:
            return
        if method == "notifications/cancelled":
            if (waiting := self.waits.get(params.get("requestId"))) is not None:
                waiting.set()
        elif "id" in message:
            threading.Thread(target=self.answer, args=(message, method, params), daemon=True).start()

    def answer(self, message: dict[str, Any], method: str | None, params: dict[str, Any]) -> None:
        identifier = message["id"]
        if self.options.modern:
            self.answer_modern(identifier, method, params)
        elif method == "initialize":
            self.send({"id": identifier, "result": {
                "protocolVersion": LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "toy", "version": "1"},
            }})  # fmt: skip
        else:
            self.common(identifier, method, params, {})

    def answer_modern(self, identifier: Any, method: str | None, params: dict[str, Any]) -> None:
        extra = {"resultType": "complete"}
        if method == "server/discover":
            self.send(
                {"id": identifier, "result": {**extra, "supportedVersions": [MODERN], "capabilities": {"tools": {}}}}
            )
        else:
            self.common(identifier, method, params, extra)

    def common(self, identifier: Any, method: str | None, params: dict[str, Any], extra: dict[str, Any]) -> None:
        if method == "tools/list":
            tools = [{"name": name, "inputSchema": {"type": "object"}} for name in NAMES]
            self.send({"id": identifier, "result": {**extra, "tools": tools}})
        elif method == "tools/call" and params.get("name") in NAMES:
            text = getattr(self, params["name"])(identifier, **params.get("arguments", {}))
            if text is not None:
                self.send({"id": identifier, "result": {**extra, "content": [{"type": "text", "text": text}]}})
        else:
            self.send({"id": identifier, "error": {"code": -32601, "message": f"no method {method}"}})

    # -- tools: a text to answer with, or None for no answer -------------------------------------------------------

    def echo(self, identifier: Any, text: str = "") -> str:
        return text

    def wait(self, identifier: Any, seconds: float, label: str = "") -> str | None:
        waiting = self.waits[identifier] = threading.Event()
        self.record("waiting", label=label, id=identifier)
        if waiting.wait(seconds):
            self.record("cancelled", label=label, id=identifier)
            return None
        return "waited"

    def tick(self, identifier: Any, count: int, pace: float) -> str:
        def run() -> None:
            for number in range(count):
                time.sleep(pace)
                self.notify("tick", number=number, sent=time.monotonic())
            self.record("ticked")

        threading.Thread(target=run, daemon=True).start()
        return "ticking"

    def flood(self, identifier: Any, count: int, size: int) -> str:
        def run() -> None:
            for number in range(count):
                self.notify("flood", number=number, filler="x" * size)
            self.record("flooded")

        threading.Thread(target=run, daemon=True).start()
        return "flooding"

    def huge(self, identifier: Any, size: int) -> str:
        return "x" * size

    def die(self, identifier: Any, code: int = 7, say: str = "") -> None:
        print(say, file=sys.stderr, flush=True)
        self.leave(code)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", required=True)
    parser.add_argument("--modern", action="store_true", help="speak 2026-07-28 instead of 2025-11-25")
    parser.add_argument("--mute", action="store_true", help="never answer")
    parser.add_argument("--stubborn", action="store_true", help="ignore the end of input and SIGTERM")
    parser.add_argument("--exit", type=int, help="end at once with this code")
    parser.add_argument("--say", default="", help="write this to stderr at the start")
    parser.add_argument("--garbage", action="append", default=[], help="write this line to stdout at the start")
    parser.add_argument("--child", action="store_true", help="leave a child process behind")
    Toy(parser.parse_args()).serve()


if __name__ == "__main__":
    main()
