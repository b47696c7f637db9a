"""Servers of the keyword tests: a scripted one over stdio, and any wished answers over HTTP on loopback."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

HERE = Path(__file__).resolve().parent

Answer = Callable[[str, dict[str, str], bytes], tuple[int, dict[str, str], bytes]]
"""Takes method, headers (names in lower case) and body of a request; gives status, headers and body."""


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., str]:
    """Makes a command that starts the scripted server with a script."""

    def make(**script: Any) -> str:
        file = tmp_path / "script.json"
        file.write_text(json.dumps(script), encoding="utf-8")
        return shlex.join([sys.executable, str(HERE / "script_server.py"), str(file)])

    return make


@pytest.fixture
def http_server() -> Iterator[Callable[[Answer], str]]:
    """Starts an HTTP server on loopback; its URL."""
    servers: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def serve(answer: Answer) -> str:
        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, headers, data = answer(self.command, {k.lower(): v for k, v in self.headers.items()}, body)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *args: Any) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_address[1]}/mcp"

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join(10)
        server.server_close()


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No child process and no thread stays behind after a test."""
    processes, threads = set(_children()), set(threading.enumerate())
    yield
    left = set(_children()) - processes
    _, alive = psutil.wait_procs(left, timeout=5)
    assert not alive, f"child processes are left: {alive}"
    for thread in set(threading.enumerate()) - threads:
        thread.join(5)
    new = set(threading.enumerate()) - threads
    assert not new, f"threads are left: {new}"


def _children() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)
