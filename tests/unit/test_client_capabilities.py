"""Checks of what a server may ask by what the client declared, and of extensions that both sides declare."""

import pytest

from McpLibrary.checks.client_capabilities import declared_in, question_problems, questions_of, shared_extensions
from McpLibrary.session.client_side import ELICITATION, ROOTS, SAMPLING

TOOLS = {"tools": []}


@pytest.mark.parametrize(
    ("method", "params", "declared"),
    [
        (ELICITATION, {}, {"elicitation": {}}),
        (ELICITATION, {"mode": "form"}, {"elicitation": {}}),
        (ELICITATION, {}, {"elicitation": {"form": {}}}),
        (ELICITATION, {"mode": "url"}, {"elicitation": {"url": {}}}),
        (SAMPLING, {}, {"sampling": {}}),
        (SAMPLING, TOOLS, {"sampling": {"tools": {}}}),
        (ROOTS, None, {"roots": {}}),
        ("ping", {}, {}),
    ],
)
def test_what_may_be_asked(method, params, declared):
    assert question_problems(method, params, declared) == []


@pytest.mark.parametrize(
    ("method", "params", "declared", "words"),
    [
        (ELICITATION, {}, {}, "elicitation was asked for, and not declared"),
        (ELICITATION, {}, {"elicitation": True}, "elicitation was asked for, and not declared"),
        (ELICITATION, {}, {"elicitation": {"url": {}}}, "elicitation by form was asked for, and declared was url"),
        (ELICITATION, {"mode": "url"}, {"elicitation": {}}, "elicitation by url was asked for, and declared was form"),
        (SAMPLING, {}, {"elicitation": {}}, "sampling was asked for, and not declared"),
        (SAMPLING, TOOLS, {"sampling": {}}, "sampling with tools was asked for, and sampling.tools was not declared"),
        (SAMPLING, {"toolChoice": {}}, {"sampling": {}}, "sampling with tools was asked for"),
        (ROOTS, {}, None, "the roots were asked for, and not declared"),
    ],
)
def test_what_may_not(method, params, declared, words):
    (problem,) = question_problems(method, params, declared)
    assert problem.startswith(words)


def test_the_questions_of_a_result():
    result = {"inputRequests": {"a": {"method": ROOTS}, "b": {"method": SAMPLING, "params": {}}, "c": 7}}
    assert questions_of(result) == [(ROOTS, None), (SAMPLING, {})]
    assert questions_of({"inputRequests": []}) == questions_of(None) == questions_of({}) == []


def test_the_extensions_of_both_sides():
    assert shared_extensions({"extensions": {"a/x": {}, "a/y": {}}}, {"extensions": {"a/y": {}}}) == ("a/y",)
    assert shared_extensions({"extensions": {"a/x": {}}}, {}) == shared_extensions(None, {"extensions": {}}) == ()


def test_what_a_request_declares():
    meta = {"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    assert declared_in({"params": {"_meta": meta}}) == {"roots": {}}
    assert [declared_in(request) for request in (None, {}, {"params": []}, {"params": {"_meta": 7}})] == [None] * 4
