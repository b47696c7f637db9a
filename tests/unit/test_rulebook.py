"""The rulebook: reading the catalogue and the suites, the documents as GitHub shows them, and what the command line lists."""

import html
import io
import os
import re
import subprocess
import sys

import pytest
import yaml

from McpLibrary import cli, documents, listing, rulebook
from McpLibrary.checks.roles import ROLES, role_problems
from McpLibrary.rulebook import Contradiction, Rule, Rulebook, Seed, SuiteTest

HOSTILE = [
    "`a|b` and c|d",
    "a \\| b \\ c",
    "*no* _emphasis_ **here** ~~nor~~ here",
    "a ` lonely and `` two",
    "<script>alert(1)</script> & <b>&amp;",
    "[no](link) ![no](image)",
    "_meta and tools/* and x_y_z*",
    "two\nlines\r\nand\ttabs",
    "`=?base64?<x>|*_?=`",
    "| --- |",
]


def rule(name="RPC-01", level="MUST", revisions="all", over="all", text="Text.", proof=(), reason=""):
    return Rule(name, level, revisions, over, text, "page §Heading", proof, reason)


def suite_test(name="One Works", rules="RPC-01", doc="", roles=(), **metadata):
    return SuiteTest(name, "framing.robot", doc, {"Rule": rules, **metadata}, frozenset(), frozenset(roles))


BOOK = Rulebook(
    [
        rule("RPC-01", text="Answers carry the id."),
        rule("RPC-02", "SHOULD (schema)", "2025-06-18+", "stdio http", "Pipes | and `ticks|` are fine."),
        rule("HDR-01", "advice", "2026-07-28", "http", "Headers fit.", reason="not observable (X-01)"),
        rule("HS-01", "MUST NOT", "legacy", "stdio", "Nothing is said twice.", proof=("tests/unit/test_x.py::test_y",)),
        rule("TASK-L01", "MAY", "2025-03-26 2025-06-18", "all", "Tasks may wait."),
    ],
    [Seed("S1-01", "start", "ids first", ("RPC-01", "X-01")), Seed("S2-01", "end", "the rest", ("HS-01", "TASK-L01"))],
    [Contradiction("X-01", "spec vs spec", "One page says A | another says `B`.")],
    [
        suite_test("Ids Come Back", "RPC-01, RPC-02", "Decides X-01.", ["safe_tool"], Verdict="WARN: SDKs break it"),
        suite_test("Ids Keep Their Type", "RPC-01", Specification="https://example.org/spec"),
    ],
)


# -- the catalogue --------------------------------------------------------------------------------------------------


def test_words_mean_revisions():
    def meant(words):
        return sorted(rule(revisions=words).revision_names)

    assert meant("all") == ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
    assert meant("legacy") == ["2025-03-26", "2025-06-18", "2025-11-25"]
    assert meant("2025-11-25+") == ["2025-11-25", "2026-07-28"]
    assert meant("2025-03-26 2026-07-28") == ["2025-03-26", "2026-07-28"]
    assert meant("soon") == []


@pytest.mark.parametrize(
    ("level", "keyword"),
    [
        ("MUST", "MUST"),
        ("MUST NOT (derived)", "MUST"),
        ("SHOULD NOT", "SHOULD"),
        ("MAY (absent)", "MAY"),
        ("advice (seed)", "advice"),
        ("unspecified", "advice"),
        ("MUST (a duty of clients)", "advice"),
        ("MUST (a duty of clients; the refusal is derived from JSON-RPC)", "MUST"),
    ],
)
def test_the_keyword_is_what_binds_a_server(level, keyword):
    assert rule(level=level).keyword == keyword


def test_a_table_is_read_with_empty_cells_and_quotes_as_they_are(tmp_path):
    (tmp_path / "t.tsv").write_text('id\tsays\tmore\nA-01\tis "2.0"\nA-02\t"\tx\n', encoding="utf-8")
    assert rulebook.read_table(tmp_path / "t.tsv") == [
        {"id": "A-01", "says": 'is "2.0"', "more": ""},
        {"id": "A-02", "says": '"', "more": "x"},
    ]


def test_what_is_judged_and_what_is_missing():
    assert [test.name for test in BOOK.judging("RPC-01")] == ["Ids Come Back", "Ids Keep Their Type"]
    assert [rule.id for rule in BOOK.missing()] == ["TASK-L01"]
    assert [test.name for test in BOOK.mentioning("X-01")] == ["Ids Come Back"]
    assert [test.name for test in BOOK.using("safe_tool")] == ["Ids Come Back"]


def test_tests_are_collected_with_the_roles_that_they_ask_for(tmp_path):
    (tmp_path / "resources").mkdir()
    (tmp_path / "suites").mkdir()
    (tmp_path / "resources" / "server.resource").write_text(
        "*** Keywords ***\nShared\n    require_role    prompt\n", encoding="utf-8"
    )
    (tmp_path / "suites" / "__init__.robot").write_text("*** Settings ***\nDocumentation    All\n", encoding="utf-8")
    (tmp_path / "suites" / "shop.robot").write_text(
        """
*** Test Cases ***
Direct
    [Documentation]    Why.
    [Metadata]    Rule    RPC-01, RPC-02
    [Tags]    MUST    RPC-01
    [Setup]    Require Safe Tool
    IF    True
        ${tool} =    Require Role    slow_tool
    END
Through Keywords
    [Template]    Own
    1
Nothing
    Require Role    ${name}
    Require Role    no_such_role
By Default
    Helper
Given
    Helper    role=sampling_tool
    Helper    logging_tool    media_tool

*** Keywords ***
Helper
    [Arguments]    ${role}=header_tool    @{more}
    Require Role    ${role}
Own
    [Arguments]    ${n}
    Shared
    Own    ${n}
    Require Role    failing_tool
""",
        encoding="utf-8",
    )
    direct, through, nothing, default, given = rulebook.collect_tests(tmp_path / "suites")
    assert (direct.title, direct.rules, direct.tags) == ("shop: Direct", ("RPC-01", "RPC-02"), {"MUST", "RPC-01"})
    assert direct.roles == {"safe_tool", "slow_tool"}
    assert through.roles == {"prompt", "failing_tool"} and through.rules == ()
    assert nothing.roles == set()
    assert default.roles == {"header_tool"} and given.roles == {"sampling_tool", "logging_tool", "media_tool"}


# -- the documents --------------------------------------------------------------------------------------------------


def shown(text):
    """The tables of a document as a browser shows them: rows of the plain texts of their cells."""
    page = pytest.importorskip("markdown").markdown(text, extensions=["tables", "fenced_code"])
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return page, [[plain(found) for found in re.findall(r"<t[dh]>(.*?)</t[dh]>", row, re.DOTALL)] for row in rows]


def plain(found):
    return html.unescape(
        re.sub(r"</?(?:code|a|em|sub)\b[^>]*>", "", found.replace("<br />", "\n").replace("<br>", "\n"))
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_shows_the_text_and_nothing_else(text):
    page, rows = shown(documents.table(["one", "two"], [[documents.cell(text), "end"]]))
    assert [len(row) for row in rows] == [2, 2]
    without_code = (
        re.sub(r"`([^`]+)`", r"\1", " ".join(text.split())) if text.count("`") == 2 else " ".join(text.split())
    )
    assert rows[1] == [without_code, "end"]
    assert not re.search(r"<(script|b|strong|em|del|a|img)\b", page)


def test_the_rules_as_a_document():
    _, rows = shown(documents.render_rules(BOOK))
    found = {row[0]: row[1:] for row in rows}
    assert found["RPC-01"][-1] == "framing: Ids Come Back\nframing: Ids Keep Their Type"
    assert found["RPC-02"] == ["SHOULD (schema)", "2025-06-18+; stdio, http", "Pipes | and ticks| are fine.\npage §Heading",
                               "framing: Ids Come Back"]  # fmt: skip
    assert found["HDR-01"][-1] == "not judged: not observable (X-01)"
    assert found["HS-01"][-1] == "kept by the library:\ntest_x.py: test_y"
    assert found["TASK-L01"][1:3] == ["2025-03-26, 2025-06-18", "Tasks may wait.\npage §Heading"]
    assert found["TASK-L01"][-1] == "not yet"
    assert found["X-01"] == ["spec vs spec", "One page says A | another says B.", "framing: Ids Come Back"]
    assert found["RPC"] == ["JSON-RPC framing", "2", "2", "", ""]
    assert found["all"][1:] == ["5", "2", "2", "1"]


def test_the_seeds_as_a_document():
    _, rows = shown(documents.render_seeds(BOOK))
    assert rows[1] == [
        "S1-01",
        "start",
        "ids first",
        "RPC-01 X-01",
        "framing: Ids Come Back\nframing: Ids Keep Their Type",
    ]
    assert rows[2] == ["S2-01", "end", "the rest", "HS-01 TASK-L01", "test_x.py: test_y\nnot yet: TASK-L01"]


def test_the_roles_as_a_document():
    _, rows = shown(documents.render_roles(BOOK))
    assert [row[0] for row in rows[1:]] == list(ROLES)
    assert rows[1] == ["safe_tool", ROLES["safe_tool"].meaning, f"text: {ROLES['safe_tool'].members['text']}",
                       "framing: Ids Come Back"]  # fmt: skip
    assert rows[2][-1] == "none yet"


def test_the_example_of_the_roles_is_right():
    (example,) = re.findall(r"```yaml\n(.*?)```", documents.ROLES_HEAD, re.DOTALL)
    assert list(role_problems(yaml.safe_load(example)["ROLES"])) == []


@pytest.mark.parametrize("name", ["rules.md", "seeds.md", "roles.md"])
def test_the_real_documents_are_tables_without_a_broken_row(name):
    text = documents.documents(rulebook.load())[name]
    page, rows = shown(text)
    assert "| ---" not in page and "**" not in page and "\n|" not in page
    assert len(rows) == sum(line.startswith("|") and not line.startswith("| ---") for line in text.splitlines())
    for head, body in re.findall(r"<thead>(.*?)</thead>\s*<tbody>(.*?)</tbody>", page, re.DOTALL):
        assert {row.count("<td>") for row in body.split("</tr>") if row.strip()} == {head.count("<th>")}


def test_the_documents_are_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(documents, "DOCS", tmp_path)
    monkeypatch.setattr(documents, "load", lambda: BOOK)
    documents.main()
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == documents.documents(BOOK)


# -- the command line -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ([], ["RPC-01", "RPC-02", "HDR-01", "HS-01", "TASK-L01"]),
        (["rpc"], ["RPC-01", "RPC-02"]),
        (["hdr-01", "RPC-02"], ["RPC-02", "HDR-01"]),
        (["RPC", "HDR"], ["RPC-01", "RPC-02", "HDR-01"]),
        (["task-l01"], ["TASK-L01"]),
        (["S1-01"], ["RPC-01"]),
        (["s2-01", "must"], ["HS-01"]),
        (["MUST"], ["RPC-01", "HS-01"]),
        (["should"], ["RPC-02"]),
        (["may"], ["TASK-L01"]),
        (["advice"], ["HDR-01"]),
        (["2026-07-28"], ["RPC-01", "RPC-02", "HDR-01"]),
        (["2025-03-26", "2025-06-18"], ["RPC-01", "HS-01", "TASK-L01"]),
        (["modern", "RPC"], ["RPC-01", "RPC-02"]),
        (["legacy"], ["RPC-01", "RPC-02", "HS-01", "TASK-L01"]),
        (["CARRY", "the id"], ["RPC-01"]),
        (["not yet"], ["TASK-L01"]),
        (["keep their type"], ["RPC-01"]),
        (["test_y"], ["HS-01"]),
        (["x-01", "HDR"], ["HDR-01"]),
    ],
)
def test_words_choose_rules(words, ids):
    assert [rule.id for rule in listing.select(BOOK, words)] == ids


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["RPC-99"], "there is no rule RPC-99; RPC-01 to RPC-02 exist"),
        (["nope-01"], "there is no rule NOPE-01; groups are RPC, META, "),
        (["X-77"], "there is no rule X-77; groups are "),
        (["S1-99"], "there is no rule S1-99"),
        (["no such words"], "no rule fits 'no such words'"),
        (["RPC", "may"], "no rule fits 'RPC' and 'may'"),
        (["["], "no rule fits '['"),
    ],
)
def test_words_that_fit_nothing(words, text):
    with pytest.raises(listing.NothingFound, match=re.escape(text)):
        listing.list_rules(BOOK, words)


def test_several_rules_are_listed_in_short():
    assert (
        listing.list_rules(BOOK, ["RPC", "HDR", "HS", "TASK-L01"])
        == """\
RPC-01  MUST  (all revisions)
    Answers carry the id.
    judged by framing: Ids Come Back
    judged by framing: Ids Keep Their Type

RPC-02  SHOULD (schema)  (2025-06-18+; stdio, http)
    Pipes | and `ticks|` are fine.
    judged by framing: Ids Come Back

HDR-01  advice  (2026-07-28; http)
    Headers fit.
    not judged: not observable (X-01)

HS-01  MUST NOT  (legacy; stdio)
    Nothing is said twice.
    kept by the library: tests/unit/test_x.py::test_y

TASK-L01  MAY  (2025-03-26, 2025-06-18)
    Tasks may wait.
    not yet judged

5 rules: 2 judged by the suites, 1 not yet
"""
    )


def test_one_rule_is_shown_in_full():
    assert (
        listing.list_rules(BOOK, ["rpc-01"])
        == """\
RPC-01  MUST  (JSON-RPC framing)
    Answers carry the id.
    revisions: 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28
    transports: all
    source: page §Heading
    judged by framing: Ids Come Back
    judged by framing: Ids Keep Their Type
    verdict of Ids Come Back: WARN: SDKs break it
    specification of Ids Keep Their Type: https://example.org/spec
    S1-01: ids first
    X-01: One page says A | another says `B`.
"""
    )


def test_a_contradiction_is_shown():
    assert (
        listing.list_rules(BOOK, ["x-01"])
        == """\
X-01  spec vs spec
    One page says A | another says `B`.
    decided in framing: Ids Come Back
"""
    )


def test_on_a_terminal_lines_fit(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "50")
    lines = listing.list_roles().splitlines()
    assert max(map(len, lines)) <= 50 and lines[0] == "safe_tool"


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (["rules", "RPC-11"], 0, "RPC-11  MUST", ""),
        (["rules", "HDR", "should"], 0, "HDR-26  SHOULD", ""),
        (["rules", "--", "RPC-11"], 0, "RPC-11  MUST", ""),
        (["rules", "RPC-99"], 252, "", "mcplibrary rules: there is no rule RPC-99; RPC-01 to RPC-30 exist\n"),
        (["rules", "qqq"], 252, "", "mcplibrary rules: no rule fits 'qqq'\n"),
        (["roles"], 0, "safe_tool\n    A tool that", ""),
    ],
)
def test_the_command_line(words, code, out, err, capsys):
    assert cli.main(words) == code
    captured = capsys.readouterr()
    assert captured.out.startswith(out) and captured.err == err and "\x1b" not in captured.out


@pytest.mark.parametrize("words", [["rules", "--no-such-option"], ["roles", "safe_tool"]])
def test_wrong_use_of_the_command_line(words, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(words)
    assert ended.value.code == 252


def test_a_pipe_that_closes_early_is_no_crash():
    command = f"{sys.executable} -m McpLibrary rules | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("RPC-01  MUST  (all revisions)\n", "")


def test_a_device_of_few_characters_gets_what_it_can_show():
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "McpLibrary", "rules", "VER-08"], env=env, capture_output=True, timeout=60
    )
    assert done.returncode == 0 and b"modern `_meta` ? modern" in done.stdout
