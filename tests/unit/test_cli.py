"""The command line: what it takes, how wrong use ends, and how the suites are chosen by era."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from robot import api
from robot.model import TagPatterns

from McpLibrary import cli
from McpLibrary.session.revisions import PROTOCOL_WORDS


def options(*words):
    return cli.parser().parse_args(["check", *words])


def test_defaults():
    found = options("demo")
    assert (found.target, found.protocol, found.timeout, found.outputdir) == ("demo", "auto", "10 s", ".")
    assert (found.strict, found.header, found.include, found.exclude, found.profile) == (False, [], [], [], None)


def test_repeated_options_add_up():
    found = options(
        "http://h/mcp",
        "--header",
        "A: 1",
        "--header",
        "B: 2",
        "-i",
        "RPC-01",
        "--include",
        "errors",
        "-e",
        "slow",
        "-d",
        "out",
        "--strict",
    )
    assert found.header == ["A: 1", "B: 2"]
    assert (found.include, found.exclude, found.outputdir, found.strict) == (
        ["RPC-01", "errors"],
        ["slow"],
        "out",
        True,
    )


@pytest.mark.parametrize(
    ("words", "own", "for_robot"),
    [
        (["check", "demo"], "demo", []),
        (["check", "demo", "--"], "demo", []),
        (["check", "demo", "--", "--loglevel", "DEBUG"], "demo", ["--loglevel", "DEBUG"]),
        (
            ["check", "demo", "--strict", "--", "--test", "*Origin*", "--", "x"],
            "demo",
            ["--test", "*Origin*", "--", "x"],
        ),
    ],
)
def test_what_stands_behind_two_dashes_goes_to_robot(words, own, for_robot, monkeypatch):
    given = []
    monkeypatch.setattr(cli, "check", lambda parsed, robot: given.append((parsed.target, robot)) or 0)
    assert cli.main(words) == 0
    assert given == [(own, for_robot)]


def test_without_arguments_those_of_the_process_are_taken(monkeypatch):
    monkeypatch.setattr(cli, "check", lambda parsed, robot: 7)
    monkeypatch.setattr("sys.argv", ["mcplibrary", "check", "demo"])
    assert cli.main() == 7


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (
            ["demo", "--protocol", "stateless"],
            f"--protocol stateless is not supported. Use one of: {', '.join(PROTOCOL_WORDS)}",
        ),
        (["demo", "--profile", "nowhere.yaml"], "there is no profile 'nowhere.yaml'"),
        (["demo", "--token-env", "MCP_UNIT_ABSENT"], "the environment has no variable 'MCP_UNIT_ABSENT'"),
        (["demo", "--header", "no colon"], "a --header looks like 'Name: value'"),
        (["demo", "--", "--no-such-option"], "option --nosuchoption not recognized"),
        (["ws://h/mcp"], "is a URL of a kind that MCP does not use"),
        (["nowhere", "--config", "nowhere.json"], "there is no file 'nowhere.json'"),
        (["mcp-no-such-command --x"], "'mcp-no-such-command' was not found on PATH"),
    ],
)
def test_wrong_use_ends_with_the_exit_code_of_robot(words, text, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MCP_UNIT_ABSENT", raising=False)
    assert cli.main(["check", *words]) == cli.USAGE_ERROR == 252
    captured = capsys.readouterr()
    assert text in captured.err and captured.out == ""
    assert "Traceback" not in captured.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [[], ["check"], ["chek", "demo"], ["check", "demo", "--no-such-option"], ["check", "a", "b"]]
)
def test_a_wrong_command_line_ends_with_the_exit_code_of_robot(words, capsys):
    try:
        code = cli.main(words)
    except SystemExit as ended:
        code = ended.code
    assert code == 252


@pytest.mark.parametrize(
    ("words", "text"), [(["--version"], "McpLibrary "), (["--help"], "COMMAND"), (["check", "--help"], "--protocol")]
)
def test_asking_for_help_is_no_failure(words, text, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 0
    assert text in capsys.readouterr().out


def test_help_of_robot_has_its_own_code(capsys):
    assert cli.main(["check", "demo", "--", "--help"]) == 251


# -- suites and eras ------------------------------------------------------------------------------------------------


class Collecting(api.SuiteVisitor):
    def __init__(self, found):
        self._found = found

    def visit_test(self, test):
        self._found.append(test)


def all_tests():
    found = []
    api.TestSuite.from_file_system(cli.suites_folder()).visit(Collecting(found))
    return found


def test_the_suites_are_found():
    assert (cli.suites_folder() / "handshake.robot").is_file()
    assert len(all_tests()) > 10


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_each_era_leaves_out_tests_that_exist(era):
    tests = all_tests()
    for pattern in cli.OTHER_ERA[era]:
        matched = [test for test in tests if TagPatterns([pattern]).match(test.tags)]
        assert matched, f"no test has the tag {pattern}"
        assert len(matched) < len(tests)


def test_every_test_is_run_in_an_era_and_shared_ones_in_both():
    for test in all_tests():
        left_out = {era for era, patterns in cli.OTHER_ERA.items() if TagPatterns(list(patterns)).match(test.tags)}
        assert left_out != set(cli.OTHER_ERA), f"{test.full_name} is never run"
        if {"legacy", "modern"} <= set(test.tags) and not {t for t in test.tags if t.endswith("-only")}:
            assert not left_out, f"{test.full_name} has the tags of both eras"


def test_every_test_names_its_era():
    without = [test.full_name for test in all_tests() if not {"legacy", "modern"} & set(test.tags)]
    assert without == []


def test_every_tag_of_one_era_alone_is_left_out_in_the_other():
    only = {tag for test in all_tests() for tag in test.tags if re.fullmatch(r"(legacy|modern)-only", tag)}
    left_out = {pattern for patterns in cli.OTHER_ERA.values() for pattern in patterns}
    assert only <= left_out


# -- variables and names --------------------------------------------------------------------------------------------


def test_variables_of_the_run():
    found = options(
        "python server.py",
        "--strict",
        "--over",
        "http",
        "--header",
        "A: 1",
        "--token-env",
        "MY_TOKEN",
        "--timeout",
        "3 s",
    )
    assert cli._variables(found, ["legacy", "modern"]) == [
        "SERVER:python server.py", "TIMEOUT:3 s", "STRICT:yes", "PROFILE:", "OVER:http", "CONFIG:",
        "CLAIMED: list:['legacy', 'modern']", "HEADERS: list:['A: 1']", "TOKEN: Secret:%{MY_TOKEN}",
    ]  # fmt: skip


def test_a_pinned_protocol_claims_nothing():
    assert not [
        v for v in cli._variables(options("demo", "--protocol", "modern"), ["modern"]) if v.startswith("CLAIMED")
    ]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("orders-shop", "orders-shop"),
        ("a\nb\x1b[31m", "a_b_[31m"),
        ("${EVIL} @{x} &{y} %{z}", "__EVIL_ __x_ __y_ __z_"),
        ("a.b\\c", "a_b_c"),
        ("x" * 100, "x" * 60),
        ("", "server"),
    ],
)
def test_the_name_of_a_server_is_harmless_as_the_name_of_a_report(name, plain):
    assert cli._plain(name) == plain


def test_the_counts_are_said(monkeypatch, capsys):
    result = SimpleNamespace(
        statistics=SimpleNamespace(total=SimpleNamespace(passed=3, failed=2, skipped=1)),
        suite=SimpleNamespace(
            all_tests=[
                SimpleNamespace(tags=["should-broken"], failed=False, full_name="A.One"),
                SimpleNamespace(tags=[], failed=True, full_name="A.Two"),
            ]
        ),
    )
    monkeypatch.setattr("robot.api.ExecutionResult", lambda path: result)
    assert cli._say_counts(Path("output.xml"))
    assert (
        capsys.readouterr().out
        == "\nFAIL  A.Two\nWARN  A.One\n3 passed (1 of them with a warning), 2 failed, 1 skipped\n"
    )


def test_a_selection_of_nothing_is_an_error(monkeypatch, capsys):
    result = SimpleNamespace(
        statistics=SimpleNamespace(total=SimpleNamespace(passed=0, failed=0, skipped=0)),
        suite=SimpleNamespace(all_tests=[]),
    )
    monkeypatch.setattr("robot.api.ExecutionResult", lambda path: result)
    assert not cli._say_counts(Path("output.xml"))
    assert "no test has the asked tags" in capsys.readouterr().err
