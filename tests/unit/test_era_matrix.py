"""The matrix of eras as data: which cells there are for which server, and what the refusals in them must be."""

import pytest

from McpLibrary.checks import era_matrix as matrix
from McpLibrary.checks.era_matrix import Client

BOTH = ("legacy", "modern")


def by_client(claimed, judged, transport="stdio"):
    return {cell.client: cell for cell in matrix.cells(claimed, judged, transport)}


def test_a_server_of_both_eras_must_serve_both():
    cells = by_client(BOTH, BOTH)
    assert list(cells) == list(Client)
    assert not any(cell.left_out for cell in cells.values())
    assert {cell.client for cell in cells.values() if cell.must} == {Client.MODERN, Client.LEGACY, Client.AUTO}
    assert cells[Client.AUTO].expected == "settles on the modern era"
    assert cells[Client.LEGACY_FIRST].rule == "VER-13"
    assert by_client(BOTH, BOTH, "http")[Client.LEGACY_FIRST].rule == "VER-09"


def test_a_run_leaves_out_the_clients_of_the_other_era():
    legacy, modern = by_client(BOTH, ["legacy"]), by_client(BOTH, ["modern"])
    for client in Client:
        assert bool(legacy[client].left_out) != bool(modern[client].left_out)
    assert legacy[Client.MODERN].left_out == "belongs to the run of the modern era"
    assert not legacy[Client.LEGACY_FIRST].left_out


def test_a_modern_only_server_refuses_the_legacy_client():
    cells = by_client(["modern"], ["modern"], "http")
    assert cells[Client.LEGACY].expected == "an error with HTTP status 400"
    assert cells[Client.LEGACY].rule == "VER-11" and cells[Client.LEGACY].must
    assert cells[Client.MODERN_FIRST].left_out == "the server does not claim both eras"
    assert by_client(["modern"], ["modern"])[Client.LEGACY].expected == "an error"


def test_what_a_legacy_only_server_owes_a_modern_client_is_advice():
    cells = by_client(["legacy"], ["legacy"])
    assert not cells[Client.MODERN].must and not cells[Client.AUTO].must
    assert cells[Client.MODERN].rule == cells[Client.AUTO].rule == "VER-10"
    assert cells[Client.LEGACY].must


def test_failures_and_summary_count_what_was_judged():
    cells = by_client(BOTH, ["legacy"])
    shown = [
        cells[Client.MODERN],
        cells[Client.LEGACY].ended("error -32600", "tools/list was error -32600"),
        cells[Client.LEGACY_FIRST].ended("nothing", "it got no answer"),
    ]
    assert matrix.failures(shown) == [
        "Client 'legacy', server 'both eras': expected both are served, but tools/list was error -32600 (VER-12)"
    ]
    assert matrix.summary(shown) == "0 of 2 meetings of clients with this server (both eras) went as expected."
    assert [cell.verdict for cell in shown] == ["not judged", "BROKEN", "differs"]
    assert cells[Client.LEGACY].ended("fine").verdict == "as expected"
    assert len(shown[0].row) == len(matrix.HEADER)


@pytest.mark.parametrize(
    ("error", "status", "problem"),
    [
        ({"code": -32022}, None, ""),
        ({"code": -32020}, 400, ""),
        (None, 400, ""),
        (None, None, "initialize was not refused"),
        (None, 200, "initialize was not refused"),
        ({"code": -32601}, 404, "the refusal of initialize has HTTP status 404, not 400"),
        ({"code": -32601}, 200, "the refusal of initialize has HTTP status 200, not 400"),
    ],
)
def test_refusals_of_initialize(error, status, problem):
    assert matrix.refusal_of_initialize(error, status) == problem


@pytest.mark.parametrize(
    ("error", "status", "problem"),
    [
        ({"code": -32601}, None, ""),
        ({"code": -32600}, 400, ""),
        (None, 404, ""),
        (None, None, "server/discover was not refused"),
        (None, 202, "server/discover was not refused"),
        (None, 500, "server/discover was refused with HTTP status 500"),
        ({"code": -32022}, 400,
         "server/discover was refused with -32022, by which a client takes the server for a modern one"),
    ],
)  # fmt: skip
def test_answers_to_a_probe(error, status, problem):
    assert matrix.answer_to_probe(error, status) == problem
