"""What one call costs: our keywords in a real Robot run, against the bare ``mcp.Client``, an empty keyword and a rival.

How it is measured. Each row of a transport runs in a process of its own, started alike (a stdio server by that process,
one HTTP server for all of them); the processes of a round run one after the other, in turning order, and the rounds
repeat, so that what else the machine does hits all rows alike. Inside a process calls come in blocks; the first block
warms up and is dropped, and a process counts by the median of its blocks. In Robot a block is a FOR loop with nothing
but the keyword in it, timed by a keyword before and one after it; nothing is deducted, so the cost of the loop and of
Robot's log (output.xml, level INFO) is part of the figure. The blocks of all keywords of one library alternate in one
run, the empty keyword among them. Figures of the table are medians over the rounds; the bars pair what ran in the same
round.

Run it by ``python tests/benchmarks/per_call.py [--json FILE]``.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SERVER = HERE / "server.py"
TRANSPORTS = ("stdio", "http", "memory")
ERAS = ("modern", "legacy")
RIVAL = "robotframework-mcpclient"
IMPORT_BAR = 1.3
RIVAL_BAR = 0.5

Times = dict[str, float]
"""Seconds per call, by row."""

LOOP = """
        Start Watch
        FOR    ${{i}}    IN RANGE    ${{CALLS}}
            {call}
        END
        Stop Watch    {name}    ${{CALLS}}"""

SUITE = """*** Settings ***
Library           {library}
Library           Stopwatch
Suite Setup       {connect}

*** Test Cases ***
Measure
    FOR    ${{block}}    IN RANGE    ${{BLOCKS}}{loops}
    END
    Write Times    ${{FILE}}
"""


# -- in a process of its own ---------------------------------------------------------------------------------------


def measure_client(transport: str, era: str, url: str, blocks: int, calls: int) -> dict[str, list[float]]:
    """The bare official client."""
    import anyio
    from mcp import Client, StdioServerParameters

    if transport == "memory":
        target: Any = load_server()
    else:
        target = url or StdioServerParameters(command=sys.executable, args=[str(SERVER)], env=dict(os.environ))
    times: list[float] = []

    async def run() -> None:
        async with Client(target, mode="legacy" if era == "legacy" else "auto") as client:
            for _ in range(blocks):
                start = time.perf_counter()
                for _ in range(calls):
                    await client.call_tool("add", {"a": 1, "b": 2})
                times.append((time.perf_counter() - start) / calls)

    anyio.run(run)
    return {"mcp.Client": times}


def load_server() -> Any:
    spec = importlib.util.spec_from_file_location("bench_server", SERVER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.server


def measure_ours(transport: str, era: str, url: str, blocks: int, calls: int) -> dict[str, list[float]]:
    target = {"stdio": shlex.join([sys.executable, str(SERVER)]), "http": url, "memory": f"{SERVER}:server"}[transport]
    return robot_run(
        "McpLibrary",
        f"Connect To Server    {target}    protocol={era}",
        {
            "empty keyword": "Empty Keyword",
            "Call Tool": "Call Tool    add    a=1    b=2",
            "Send Raw Request": 'Send Raw Request    tools/call    {"name": "add", "arguments": {"a": 1, "b": 2}}',
        },
        blocks,
        calls,
    )


def measure_rival(transport: str, era: str, url: str, blocks: int, calls: int) -> dict[str, list[float]]:
    command = f"Connect To MCP Server    {sys.executable}    {SERVER}"
    times = robot_run(
        "MCPClientLibrary",
        f"Connect To MCP Server Over HTTP    {url}" if url else command,
        {"rival's empty": "Empty Keyword", RIVAL: "Call Tool    add    a=1    b=2"},
        blocks,
        calls,
    )
    return {RIVAL: times[RIVAL]}


def robot_run(library: str, connect: str, keywords: dict[str, str], blocks: int, calls: int) -> dict[str, list[float]]:
    from robot.api import TestSuite

    loops = "".join(LOOP.format(call=call, name=name) for name, call in keywords.items())
    sys.path.insert(0, str(HERE))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "times.json")
        suite = TestSuite.from_string(SUITE.format(library=library, connect=connect, loops=loops))
        result = suite.run(
            output=str(Path(folder, "output.xml")),
            stdout=sys.stderr,
            variable=[f"FILE:{file}", f"BLOCKS:{blocks}", f"CALLS:{calls}"],
        )
        if result.return_code:
            sys.exit(f"the generated suite failed: {result.suite.tests[0].message}")
        return json.loads(file.read_text())


MEASURE = {"client": measure_client, "ours": measure_ours, "rival": measure_rival}


# -- in the main process -------------------------------------------------------------------------------------------


_bytecode = ""
"""Folder of the bytecode; made by the main process."""


def environment() -> dict[str, str]:
    paths = [str(HERE.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    own = {"PYTHONPATH": os.pathsep.join(paths), "PYTHONPYCACHEPREFIX": _bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    return {**os.environ, **own}


def worker(kind: str, transport: str, era: str, url: str, options: argparse.Namespace) -> Times:
    """Median time per call of each row that one process measures."""
    # The block in front warms up.
    words = [sys.executable, str(Path(__file__).resolve()), "--worker", kind, transport, era, url,
             "--blocks", str(options.blocks + 1), "--calls", str(options.calls)]  # fmt: skip
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"{kind} on {transport} ({era}) failed:\n{done.stderr[-3000:]}")
    times = json.loads(done.stdout.splitlines()[-1])
    return {name: statistics.median(blocks[1:]) for name, blocks in times.items()}


def why_no_rival() -> str | None:
    try:
        importlib.metadata.version(RIVAL)
    except importlib.metadata.PackageNotFoundError:
        return f"{RIVAL} is not installed"
    return None


def import_time(library: str, folder: Path) -> float:
    """Seconds of a whole Robot process that imports one library and runs an empty test."""
    suite = folder / f"{library}.robot"
    suite.write_text(f"*** Settings ***\nLibrary    {library}\n\n*** Test Cases ***\nEmpty\n    No Operation\n")
    words = [sys.executable, "-m", "robot", "--output", "NONE", "--log", "NONE", "--report", "NONE",
             "--console", "none", str(suite)]  # fmt: skip
    start = time.perf_counter()
    subprocess.run(words, env=environment(), check=True, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def measure_imports(times: int) -> list[Times]:
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(times + 1):
            names = ["McpLibrary", "Process"][:: 1 if number % 2 else -1]
            rounds.append({name: import_time(name, Path(folder)) for name in names})
    return rounds[1:]  # The first round fills the caches.


def measure_calls(options: argparse.Namespace) -> dict[str, list[Times]]:
    """By 'transport era', one entry a round: seconds per call of each row."""
    rounds: dict[str, list[Times]] = {}
    with subprocess.Popen(
        [sys.executable, str(SERVER), "--http"], env=environment(), stdout=subprocess.PIPE, text=True
    ) as server:  # fmt: skip
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        try:
            for number in range(options.rounds):
                for transport in options.transports:
                    for era in ERAS:
                        kinds = ["client", "ours"]
                        if era == "legacy" and transport != "memory" and why_no_rival() is None:
                            kinds.append("rival")  # It speaks the legacy era, on stdio and HTTP.
                        turn = number % len(kinds)
                        times: Times = {}
                        for kind in kinds[turn:] + kinds[:turn]:
                            times |= worker(kind, transport, era, url if transport == "http" else "", options)
                        rounds.setdefault(f"{transport} {era}", []).append(times)
                print(f"round {number + 1} of {options.rounds} is done", file=sys.stderr, flush=True)
        finally:
            server.terminate()
    return rounds


def rows(calls: dict[str, list[Times]], imports: list[Times]) -> list[dict[str, Any]]:
    table = []
    for where, rounds in calls.items():
        for name in ("mcp.Client", "empty keyword", "Call Tool", "Send Raw Request", RIVAL):
            figures = [times[name] for times in rounds if name in times]
            if figures:
                table.append(row(where, name, figures))
            elif name == RIVAL and where in ("stdio legacy", "http legacy"):
                table.append({"where": where, "what": name, "skipped": why_no_rival()})
    for name in ("McpLibrary", "Process"):
        table.append(row("import", f"robot process, Library {name}", [times[name] for times in imports]))
    return table


def row(where: str, what: str, figures: list[float]) -> dict[str, Any]:
    return {"where": where, "what": what, "seconds": statistics.median(figures), "rounds": figures}


def bars(calls: dict[str, list[Times]], imports: list[Times]) -> list[dict[str, Any]]:
    """The bars: a ratio, and what it may be at most."""
    found = []
    for where, rounds in calls.items():
        if where.startswith("memory"):
            continue
        for name in ("Call Tool", "Send Raw Request"):
            ratios = [t[name] / (t["mcp.Client"] + t["empty keyword"]) for t in rounds]
            found.append(bar(f"{where}: {name} / (mcp.Client + empty keyword)", statistics.median(ratios), 1.0))
        if RIVAL in rounds[0]:
            ours, theirs = (statistics.median(t[n] - t["mcp.Client"] for t in rounds) for n in ("Call Tool", RIVAL))
            found.append(bar(f"{where}: overhead of Call Tool / overhead of {RIVAL}", ours / theirs, RIVAL_BAR))
    ratios = [times["McpLibrary"] / times["Process"] for times in imports]
    found.append(
        bar("import: robot process, Library McpLibrary / Library Process", statistics.median(ratios), IMPORT_BAR)
    )
    return found


def bar(what: str, ratio: float, limit: float) -> dict[str, Any]:
    return {"what": what, "ratio": ratio, "limit": limit, "met": ratio <= limit}


def show(report: dict[str, Any]) -> None:
    print(f"\n{'where':<15}{'what':<34}{'median':>12}{'lowest':>12}{'highest':>12}")
    for line in report["rows"]:
        if "skipped" in line:
            print(f"{line['where']:<15}{line['what']:<34}  skipped: {line['skipped']}")
            continue
        figures = [f"{value * 1000:.3f} ms" for value in (line["seconds"], min(line["rounds"]), max(line["rounds"]))]
        print(f"{line['where']:<15}{line['what']:<34}{figures[0]:>12}{figures[1]:>12}{figures[2]:>12}")
    print(f"\n{'bar':<74}{'ratio':>8}{'at most':>9}")
    for line in report["bars"]:
        print(f"{line['what']:<74}{line['ratio']:>8.2f}{line['limit']:>9.2f}  {'met' if line['met'] else 'MISSED'}")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure what one call costs.")
    parser.add_argument("--rounds", type=int, default=5, help="how often each process is run")
    parser.add_argument("--blocks", type=int, default=6, help="measured blocks in a process")
    parser.add_argument("--calls", type=int, default=40, help="calls in a block")
    parser.add_argument("--imports", type=int, default=9, help="Robot processes for each import figure")
    parser.add_argument("--transports", nargs="+", default=TRANSPORTS, choices=TRANSPORTS)
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def main() -> None:
    global _bytecode
    options = parse()
    if options.worker:
        kind, transport, era, url = options.worker
        print(json.dumps(MEASURE[kind](transport, era, url, options.blocks, options.calls)))
        return
    with tempfile.TemporaryDirectory() as _bytecode:
        calls, imports = measure_calls(options), measure_imports(options.imports)
    report = {
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in ("robotframework", "mcp", "httpx", "anyio")},
        "counts": {"rounds": options.rounds, "blocks": options.blocks, "calls": options.calls},
        "load": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "rows": rows(calls, imports),
        "bars": bars(calls, imports),
    }
    show(report)
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
