"""The command line: ``mcplibrary check TARGET`` runs the installed suites once per era and merges them into one report.

``mcplibrary rules`` and ``mcplibrary roles`` show what the suites judge by, and what a profile may name.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from .version import __version__

PACKAGE = Path(__file__).parent

# What belongs to the merged report and not to the run of one era.
REPORT_OPTIONS = (
    "output", "log", "report", "xunit", "outputdir", "timestampoutputs", "splitlog", "logtitle", "reporttitle",
    "reportbackground", "tagstatinclude", "tagstatexclude", "tagstatcombine", "tagdoc", "tagstatlink", "expandkeywords",
    "suitestatlevel", "name", "doc", "metadata", "prerebotmodifier", "removekeywords", "flattenkeywords", "nostatusrc",
)  # fmt: skip

# Tests that belong to the other era alone; tests of both eras carry both tags.
OTHER_ERA = {"legacy": ("modernNOTlegacy",), "modern": ("legacyNOTmodern",)}

STOPPED = 253
"""Robot's own exit code for a run that was stopped by the user."""

USAGE_ERROR = 252
"""Robot's own exit code for a wrong command line."""


def suites_folder() -> Path:
    """The ready-made suites: inside the installed package, or beside it in a checkout."""
    installed = PACKAGE / "suites"
    return installed if installed.is_dir() else PACKAGE.parent / "suites"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # argparse would end with 2, which among Robot's exit codes means that two tests failed.
        self.print_usage(sys.stderr)
        self.exit(USAGE_ERROR, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    main_parser = _Parser(
        prog="mcplibrary",
        description="Tell the truth about any MCP server.",
        epilog="Exit codes are Robot Framework's.",
    )
    main_parser.add_argument("--version", action="version", version=f"McpLibrary {__version__}")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check",
        help="run the ready-made suites on a server",
        description="Run the ready-made suites on a server, once for each era that it speaks, and merge the results into one "
        "output.xml, log.html and report.html.",
        epilog='Options after "--" go to robot: mcplibrary check demo -- --loglevel DEBUG --test "*Origin*"',
    )
    check.add_argument(
        "target",
        help="a URL, a command, module:object, path/to/file.py:object, a name of an mcp.json, or demo (the sample server)",
    )
    check.add_argument("--profile", metavar="FILE", help="mcp-profile.yaml with ROLES and KNOWN_DEVIATIONS")
    check.add_argument(
        "--protocol",
        default="auto",
        metavar="WORD",
        help="auto (all eras that the server speaks), legacy, modern, or a revision",
    )
    check.add_argument(
        "--over", default="", metavar="TRANSPORT", help="http serves an object on loopback; sse for HTTP+SSE"
    )
    check.add_argument(
        "--config", default="", metavar="FILE", help="mcp.json in which the name of the target is looked up"
    )
    check.add_argument(
        "--header", action="append", default=[], metavar="'NAME: VALUE'", help="HTTP header; may be repeated"
    )
    check.add_argument(
        "--token-env",
        metavar="VARIABLE",
        help="environment variable that holds a bearer token; it is masked everywhere",
    )
    check.add_argument("--timeout", default="10 s", metavar="TIME", help="time for each answer (10 s)")
    check.add_argument("--strict", action="store_true", help="broken SHOULD rules fail instead of warn")
    check.add_argument(
        "--include", "-i", action="append", default=[], metavar="TAG", help="only tests with this tag or rule id"
    )
    check.add_argument(
        "--exclude", "-e", action="append", default=[], metavar="TAG", help="no tests with this tag or rule id"
    )
    check.add_argument(
        "--outputdir", "-d", default=".", metavar="DIR", help="where the report goes (working directory)"
    )
    check.add_argument("--xunit", metavar="FILE", help="also write JUnit XML to this file in the output folder")
    rules = commands.add_parser(
        "rules",
        help="show the rules and the tests that judge them",
        description="Show the rules and, for each, the tests that judge it or why none does. Words choose: ids (RPC-11), groups (HDR) "
        "and seeds (S1-20) add up; an era, a revision, a level (MUST, SHOULD, MAY, advice) or any text narrows. X-15 is a "
        "contradiction between the sources. One rule alone is shown in full.",
    )
    rules.add_argument("words", nargs="*", metavar="WORD", help="what to show; all rules without it")
    commands.add_parser(
        "roles", help="show the roles that a profile may name", description="Show the roles of a profile."
    )
    return main_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    own, for_robot = words, []
    if "--" in words:
        cut = words.index("--")
        own, for_robot = words[:cut], words[cut + 1 :]
    options = parser().parse_args(own)
    if options.command == "check":
        return check(options, for_robot)
    return show(options, for_robot)


def show(options: argparse.Namespace, more: list[str]) -> int:
    """``rules`` and ``roles``: what the library knows by itself."""
    from .listing import NothingFound, list_roles, list_rules, say
    from .rulebook import load

    try:
        say(list_roles() if options.command == "roles" else list_rules(load(), [*options.words, *more]))
    except NothingFound as error:
        print(f"mcplibrary rules: {error}", file=sys.stderr)
        return USAGE_ERROR
    return 0


def check(options: argparse.Namespace, robot_options: list[str]) -> int:
    from robot.errors import DataError, Information
    from robot.run import RobotFramework

    try:
        more, extra_paths = RobotFramework().parse_arguments([*robot_options, str(suites_folder())])
    except (DataError, Information) as error:
        print(error, file=sys.stderr)
        return USAGE_ERROR if isinstance(error, DataError) else 251
    problem = _wrong_use(options)
    if problem:
        print(f"mcplibrary check: {problem}", file=sys.stderr)
        return USAGE_ERROR
    # Without a handler the process would end at once and leave the server that is asked behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        facts = _probe(options)
    except KeyboardInterrupt:
        return STOPPED
    except AssertionError as error:  # The server could not be reached: said in full by the report of the run.
        print(f"mcplibrary check: {error}", file=sys.stderr)
        return USAGE_ERROR
    except ValueError as error:
        print(f"mcplibrary check: {error}", file=sys.stderr)
        return USAGE_ERROR
    for_report = {key: more.pop(key) for key in REPORT_OPTIONS if key in more}
    return _run_and_merge(options, facts, more, for_report, extra_paths)


def _wrong_use(options: argparse.Namespace) -> str | None:
    import os

    from robot.utils import timestr_to_secs

    from .session.revisions import PROTOCOL_WORDS

    if options.protocol not in PROTOCOL_WORDS:
        return f"--protocol {options.protocol} is not supported. Use one of: {', '.join(PROTOCOL_WORDS)}"
    if options.profile and not Path(options.profile).is_file():
        return f"there is no profile {options.profile!r}"
    if options.token_env and options.token_env not in os.environ:
        return f"the environment has no variable {options.token_env!r}"
    try:
        timestr_to_secs(options.timeout)
    except ValueError as error:
        return f"--timeout: {error}"
    try:
        Path(options.outputdir).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"--outputdir {options.outputdir}: {error.strerror}"
    if any(":" not in header for header in options.header):
        return "a --header looks like 'Name: value'"
    return None


def _connect_options(options: argparse.Namespace) -> dict[str, Any]:
    import os

    from robot.api.types import Secret

    given: dict[str, Any] = {
        "timeout": options.timeout,
        "over": options.over,
        "config": options.config,
        "headers": options.header or None,
    }
    if options.token_env:
        given["token"] = Secret(os.environ[options.token_env])
    return given


def _probe(options: argparse.Namespace) -> tuple[list[str], str]:
    """The eras that the server speaks, and the name that it gives itself. Raises when it cannot be reached."""
    from .library import McpLibrary

    library = McpLibrary()
    try:
        eras = library.set_server_under_test(
            options.target, protocol=options.protocol, profile=options.profile, **_connect_options(options)
        )
        under_test = library.ctx.under_test
        library.connect_to_server(options.target, protocol=eras[-1], **under_test.options)  # type: ignore[union-attr]
        name = str(library.get_server_info().get("name") or options.target)
        return eras, name
    finally:
        library._close()


def _run_and_merge(
    options: argparse.Namespace,
    facts: tuple[list[str], str],
    more: dict[str, Any],
    for_report: dict[str, Any],
    paths: list[str],
) -> int:
    from robot.rebot import rebot
    from robot.run import run

    eras, name = facts
    outputdir = for_report.pop("outputdir", None) or options.outputdir
    xunit = options.xunit or for_report.pop("xunit", None)
    for_report.pop("xunit", None)
    more["include"] = [*(more.get("include") or []), *options.include]
    more["exclude"] = [*(more.get("exclude") or []), *options.exclude]
    variables = [*(more.pop("variable", None) or []), *_variables(options, eras)]
    with tempfile.TemporaryDirectory(prefix="mcplibrary-") as folder:
        outputs = []
        for era in eras:
            title = options.protocol if options.protocol not in ("auto", "legacy", "modern") else era
            output = Path(folder, f"{era}.xml")
            code: int = run(
                *paths,
                **{
                    **more,
                    "name": f"{title.capitalize()} era" if title == era else title,
                    "exclude": [*more["exclude"], *OTHER_ERA[era]],
                    "variable": [*variables, f"PROTOCOL:{title}"],
                    "output": str(output),
                    "log": "NONE",
                    "report": "NONE",
                    "runemptysuite": True,
                },
            )
            if code > 250 or not output.is_file():
                return code
            outputs.append(str(output))
        kept = {key: value for key, value in for_report.items() if value not in (None, [], False)}
        one_era = f", {eras[0]} era" if len(eras) == 1 else ""
        kept.setdefault("name", f"{_plain(name)}{one_era}")
        kept["metadata"] = [*(kept.get("metadata") or []), f"Target:{' '.join(options.target.split())}", f"Eras:{', '.join(eras)}",
                            f"McpLibrary:{__version__}"]  # fmt: skip
        # A line for each rule id would bury the few tags that say something at a glance.
        kept.setdefault("tagstatexclude", ["*-[0-9][0-9]", "TASK-*"])
        kept.setdefault("tagstatcombine", ["should-broken:Broken SHOULD rules (warnings)"])
        kept.pop("output", None)
        if xunit:
            kept["xunit"] = xunit
        merged: int = rebot(*outputs, outputdir=outputdir, output="output.xml", log=kept.pop("log", "log.html"),
                     report=kept.pop("report", "report.html"), processemptysuite=True, **kept)  # fmt: skip
    if merged > 250:
        return merged
    return merged if _say_counts(Path(outputdir, "output.xml")) else USAGE_ERROR


def _variables(options: argparse.Namespace, eras: list[str]) -> list[str]:
    variables = [f"SERVER:{options.target}", f"TIMEOUT:{options.timeout}", f"STRICT:{'yes' if options.strict else 'no'}",
                 f"PROFILE:{options.profile or ''}", f"OVER:{options.over or 'auto'}", f"CONFIG:{options.config}"]  # fmt: skip
    if options.protocol == "auto":
        variables.append(f"CLAIMED: list:{eras!r}")
    if options.header:
        variables.append(f"HEADERS: list:{options.header!r}")
    if options.token_env:
        variables.append(f"TOKEN: Secret:%{{{options.token_env}}}")
    return variables


def _plain(name: str) -> str:
    """A server's own name as the name of the report: one short line without characters that Robot reads."""
    return "".join(c if c.isprintable() and c not in "${}@&%\\." else "_" for c in name)[:60] or "server"


def _say_counts(output: Path) -> bool:
    """Print what failed and what was warned of, and the three numbers of every summary; false when nothing was selected."""
    from robot.api import ExecutionResult

    result = ExecutionResult(str(output))
    total = result.statistics.total
    tests = list(result.suite.all_tests)
    if not tests:
        print("\nmcplibrary check: no test has the asked tags; nothing was judged", file=sys.stderr)
        return False
    warned = [test for test in tests if "should-broken" in test.tags]
    print()
    for word, found in (("FAIL", [t for t in tests if t.failed]), ("WARN", warned)):
        for test in found:
            print(f"{word}  {test.full_name}")
    print(
        f"{total.passed} passed ({len(warned)} of them with a warning), {total.failed} failed, {total.skipped} skipped"
    )
    return True
