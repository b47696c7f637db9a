"""A scripted MCP server, healthy in both eras, able to break one rule at a time; this is its command line.

Run `python tests/faults/server.py --list-faults` to see what it can break. To drive it without a process,
create `Server(["fault-name"])` and await `server.handle(message, Context(Session(), send))`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from faults.catalog import FAULTS, Fault
from faults.core import Server
from faults.messages import Answer, Context, Session

__all__ = ["FAULTS", "Answer", "Context", "Fault", "Server", "Session"]


def main(arguments: list[str] | None = None) -> None:
    """Serve over stdio or HTTP with the chosen faults, or list the faults."""
    parser = argparse.ArgumentParser(description="A scripted MCP server that can break one rule at a time.")
    parser.add_argument("--http", action="store_true", help="serve Streamable HTTP on loopback instead of stdio")
    parser.add_argument("--port", type=int, default=0, help="port of --http; 0 takes a free one")
    parser.add_argument("--fault", nargs="+", action="extend", default=[], metavar="NAME")
    parser.add_argument("--eras", choices=("both", "legacy", "modern"), default="both")
    parser.add_argument("--list-faults", action="store_true", help="print name, rules and sentence of each fault")
    options = parser.parse_args(arguments)
    if options.list_faults:
        for fault in FAULTS.values():
            print(fault.name, ",".join(fault.rules), fault.sentence, sep="\t")
        return
    try:
        server = Server(options.fault, options.eras)
    except ValueError as error:
        parser.error(f"{error}; --list-faults shows all")
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(server, options.http, options.port))


async def _serve(server: Server, http: bool, port: int) -> None:
    if http:
        from faults.over_http import serve as serve_http

        await serve_http(server, port)
    else:
        from faults.over_stdio import serve as serve_stdio

        await serve_stdio(server)


if __name__ == "__main__":
    main()
