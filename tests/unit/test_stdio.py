"""The stdio transport: lines, ceilings, the end of stderr, and how a process ended."""

import os
import signal
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
import pytest
from scripted import answer, call, in_loop, until

from McpLibrary.wire import jsonrpc
from McpLibrary.wire import stdio as stdio_module
from McpLibrary.wire.frame import Frame, Outcome
from McpLibrary.wire.stdio import STDERR_LIMIT, StdioTransport
from McpLibrary.wire.transcript import Transcript
from McpLibrary.wire.transport import TransportError

# -- lines, without a process ---------------------------------------------------------------------------------------


async def pieces(*chunks):
    for chunk in chunks:
        await anyio.lowlevel.checkpoint()
        yield chunk


def over_pipe(*, stdout=(), stderr=(), returncode=0, **options):
    """A transport whose process is a pipe with these chunks."""
    transport = StdioTransport(["server"], Transcript(), **options)
    transport._process = SimpleNamespace(
        stdout=pieces(*stdout), stderr=pieces(*stderr), returncode=returncode, pid=None
    )
    transport._exited, transport._drained = anyio.Event(), anyio.Event()
    transport._exited.set()
    transport.signals = []
    transport._signal = transport.signals.append
    return transport


ONE, TWO = answer(1), answer(2)


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([ONE + b"\n" + TWO + b"\n"], [ONE, TWO]),
        ([ONE + b"\r\n" + TWO + b"\r\n"], [ONE, TWO]),
        ([ONE + b"\n" + TWO], [ONE, TWO]),
        ([bytes([byte]) for byte in ONE + b"\r\n" + TWO + b"\n"], [ONE, TWO]),
        ([ONE[:5], ONE[5:] + b"\n" + TWO[:3], TWO[3:] + b"\n"], [ONE, TWO]),
        ([ONE, b"\r", b"\n", TWO, b"\n"], [ONE, TWO]),
        ([b"\n\r\n\n" + ONE + b"\n\n"], [ONE]),
        ([b"a\rb\n"], [b"a\rb"]),
        (['"\u2028\u2029\x85\x0b\x0c"\n'.encode()], ['"\u2028\u2029\x85\x0b\x0c"'.encode()]),
        ([b"not json\n\xff\n"], [b"not json", b"\xff"]),
        ([b" \n"], [b" "]),
        ([], []),
    ],
)
@in_loop
async def test_lines_end_at_a_newline_and_nowhere_else(chunks, lines):
    transport = over_pipe(stdout=chunks)
    await transport._read_stdout()
    assert [frame.raw for frame in transport.transcript.frames()] == lines
    assert {frame.channel for frame in transport.transcript.frames()} <= {"stdout"}


@pytest.mark.parametrize("chunks", [[b"x" * 101], [b"x" * 60, b"x" * 60], [ONE + b"\n" + b"x" * 101]])
@in_loop
async def test_a_line_above_the_ceiling_ends_the_connection(chunks):
    transport = over_pipe(stdout=[*chunks, b"\n" + TWO + b"\n"], byte_ceiling=100)
    await transport._read_stdout()
    assert transport.closed_because == "the server wrote a line of more than 100 bytes; reading stopped"
    assert transport.signals == [signal.SIGTERM]
    assert TWO not in [frame.raw for frame in transport.transcript.frames()]


@in_loop
async def test_many_lines_may_have_more_bytes_than_one():
    transport = over_pipe(stdout=[b"x" * 60 + b"\n"] * 5, byte_ceiling=100)
    await transport._read_stdout()
    assert transport.transcript.seen == 5


@pytest.mark.parametrize(
    ("returncode", "stderr", "text"),
    [
        (0, [], "the server process exited with code 0 and wrote nothing to stderr"),
        (3, [b"one\n", b"\n two \n"], "the server process exited with code 3; its stderr ends with: one | two"),
        (-9, [], "the server process was ended by SIGKILL and wrote nothing to stderr"),
        (-250, [], "the server process was ended by signal 250 and wrote nothing to stderr"),
        (None, [], "the server closed its stdout but still runs and wrote nothing to stderr"),
    ],
)
@in_loop
async def test_the_end_is_told_with_the_tail_of_stderr(returncode, stderr, text):
    transport = over_pipe(returncode=returncode, stderr=stderr)
    await transport._read_stderr()
    await transport._read_stdout()
    assert transport.closed_because == text


@in_loop
async def test_only_the_last_lines_of_stderr_are_told_and_broken_bytes_do_not_matter():
    transport = over_pipe(stderr=[b"".join(b"line %d\n" % number for number in range(20)), b"\xff\xfe\n"])
    await transport._read_stderr()
    assert transport.stderr_tail() == "line 15 | line 16 | line 17 | line 18 | line 19 | \ufffd\ufffd"
    assert transport.stderr_tail(lines=1) == "\ufffd\ufffd"


@in_loop
async def test_stderr_is_kept_up_to_a_limit_the_newest():
    chunk = 64 * 1024
    transport = over_pipe(stderr=[bytes([65 + number]) * chunk for number in range(20)])
    await transport._read_stderr()
    kept = transport.stderr()
    assert len(kept) == STDERR_LIMIT
    assert kept.endswith(b"T" * chunk) and not kept.startswith(b"A")


# -- processes ------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def running(code, **options):
    transport = StdioTransport([sys.executable, "-S", "-c", code], Transcript(), **options)
    async with anyio.create_task_group() as tasks:
        await transport.open(tasks)
        try:
            yield transport
        finally:
            await transport.close()
            tasks.cancel_scope.cancel()


async def ask(transport, message):
    exchange = transport.transcript.open(Frame.sent(jsonrpc.encode(message), "stdin"))
    await transport.exchange(exchange, [], wait=True)
    return exchange


ECHO = (
    "import json, sys\n"
    "for line in sys.stdin:\n"
    "    print(json.dumps({'jsonrpc': '2.0', 'id': json.loads(line)['id'], 'result': {}}), flush=True)\n"
)
READY = "print('{}', flush=True)\n"


@in_loop
async def test_a_process_is_asked_and_leaves_at_the_end_of_its_input():
    async with running(ECHO) as transport:
        assert (await ask(transport, call(1))).outcome is Outcome.ANSWERED
        assert transport.returncode is None
        await transport.close()
        assert (transport.exit.code, transport.exit.by) == (0, "end of input")
        assert transport.exit.after >= 0
        assert transport.closed_because


@in_loop
async def test_a_process_that_left_before_ended_by_itself():
    async with running("import sys; sys.stderr.write('no config\\n'); sys.exit(3)") as transport:
        exchange = await ask(transport, call(1))
        assert exchange.outcome in (Outcome.CLOSED, Outcome.FAILED)
        assert exchange.problem == "the server process exited with code 3; its stderr ends with: no config"
        await transport.close()
        assert (transport.exit.code, transport.exit.by) == (3, "itself")


@pytest.mark.parametrize(
    ("prepare", "code", "by"),
    [("", -signal.SIGTERM, "SIGTERM"), ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n", -signal.SIGKILL, "SIGKILL")],
    ids=["SIGTERM", "SIGKILL"],
)
@pytest.mark.skipif(os.name == "nt", reason="signals")
@in_loop
async def test_a_process_that_stays_is_ended_by_signals(prepare, code, by, monkeypatch):
    monkeypatch.setattr(stdio_module, "EXIT_GRACE", 0.3)
    async with running(f"import signal\n{prepare}{READY}while True: signal.pause()") as transport:
        await until(lambda: transport.transcript.seen)
        await transport.close()
        assert (transport.exit.code, transport.exit.by) == (code, by)


CHILD = "import subprocess, sys\nnothing = subprocess.DEVNULL\nsubprocess.Popen([sys.executable, '-S', '-c', %r], stdin=nothing, stdout=nothing, stderr=nothing)\n"
NAP = "import time; time.sleep(30)"
ZOMBIE = """import os, time
group = os.getpid()
ends, end = os.pipe()
if os.fork() == 0:
    os.setpgid(0, 0)
    if os.fork() == 0:
        os.setpgid(0, group)
        os._exit(0)
    os.closerange(0, 3)
    os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
    os.write(end, b"x")
    time.sleep(3)
    os._exit(0)
os.read(ends, 1)
"""


@pytest.mark.skipif(os.name == "nt", reason="process groups")
@pytest.mark.parametrize(
    ("before", "left"),
    [("", []), (CHILD % "pass", []), (CHILD % NAP, ["python"]), (ZOMBIE, [])],
    ids=["no child", "a child that ended", "a child that stays", "a child that was not reaped"],
)
@in_loop
async def test_what_a_process_leaves_behind_is_found(before, left):
    async with running(before + ECHO) as transport:
        assert (await ask(transport, call(1))).outcome is Outcome.ANSWERED
        facts = await transport.end_input(5)
        assert (facts.code, facts.by) == (0, "end of input")
        found = await transport.left_behind(0.2 if left or before == ZOMBIE else 5)
        assert len(found) == len(left)
        assert all(name in text for name, text in zip(left, found, strict=True)) or not os.path.exists("/proc")
        await transport.close()
        assert await transport.left_behind(5) == []


@pytest.mark.skipif(os.name == "nt", reason="signals")
@in_loop
async def test_a_process_is_signalled_while_its_input_is_open():
    async with running(ECHO) as transport:
        assert (await ask(transport, call(1))).outcome is Outcome.ANSWERED
        facts = await transport.signal("SIGTERM", 5)
        assert (facts.code, facts.by) == (-signal.SIGTERM, "SIGTERM")


@in_loop
async def test_a_process_that_does_not_notice_the_end_of_its_input_is_given_up():
    async with running(f"{READY}import time; time.sleep(30)") as transport:
        await until(lambda: transport.transcript.seen)
        assert await transport.end_input(0.1) is None
        assert transport.returncode is None


@in_loop
async def test_the_last_words_of_a_process_are_read_before_its_end_is_told():
    async with running("import sys; sys.stdin.read(); sys.stdout.write('bye')") as transport:
        await transport.end_input(5)
        assert transport.transcript.frames()[-1].raw == b"bye"


@in_loop
async def test_closing_twice_changes_nothing():
    async with running(ECHO) as transport:
        await transport.close()
        first = transport.exit
        await transport.close()
        assert transport.exit is first


@in_loop
async def test_what_was_never_opened_can_be_closed():
    transport = StdioTransport(["server"], Transcript())
    await transport.close()
    assert (transport.pid, transport.returncode, transport.exit) == (None, None, None)


@in_loop
async def test_environment_and_folder_are_given(tmp_path):
    code = "import os, json\nprint(json.dumps([os.environ['MCP_UNIT'], os.getcwd(), 'PATH' in os.environ]), flush=True)"
    async with running(code, env={"MCP_UNIT": "here"}, cwd=str(tmp_path)) as transport:
        await until(lambda: transport.transcript.seen)
        value = transport.transcript.frames()[0].value
        assert (value[0], os.path.realpath(value[1]), value[2]) == (
            "here",
            os.path.realpath(tmp_path),
            "PATH" in os.environ,
        )


@pytest.mark.parametrize(
    ("command", "options", "text"),
    [
        (["mcp-no-such-command"], {}, "command 'mcp-no-such-command' was not found on PATH"),
        ([sys.executable], {"cwd": "no-such-folder"}, "working directory 'no-such-folder' does not exist"),
        (["."], {}, "cannot start '.'"),
    ],
)
@in_loop
async def test_what_cannot_be_started_says_why(command, options, text):
    with pytest.raises(TransportError) as caught:
        await StdioTransport(command, Transcript(), **options).open(None)
    assert str(caught.value).startswith(text)


@pytest.mark.skipif(os.name == "nt", reason="interpreter lines")
@in_loop
async def test_a_missing_interpreter_is_told_from_a_missing_command(tmp_path):
    script = tmp_path / "server"
    script.write_text("#!no-such-folder/python\n")
    script.chmod(0o755)
    with pytest.raises(TransportError, match="its interpreter was not found"):
        await StdioTransport([str(script)], Transcript()).open(None)
