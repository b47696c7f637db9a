"""What servers ask: forms, URLs, requests to the model."""

import pytest

from McpLibrary.checks import questions
from McpLibrary.session.revisions import REVISIONS

MODERN, LATEST, OLD = REVISIONS["2026-07-28"], REVISIONS["2025-11-25"], REVISIONS["2025-06-18"]
FORM = {"message": "How many?", "requestedSchema": {"type": "object", "properties": {"qty": {"type": "integer"}}}}
VISIT = {"mode": "url", "message": "Pay.", "url": "https://pay.example/7"}
CHOICES = {"type": "array", "items": {"type": "string", "enum": ["a"]}}


def form(**field):
    return {**FORM, "requestedSchema": {"type": "object", "properties": {"x": field}}}


@pytest.mark.parametrize(
    "params", [FORM, {**FORM, "mode": "form"}, VISIT, form(type="string", format="email"), form(**CHOICES)]
)
def test_good_elicitations(params):
    assert questions.elicitation_problems(params, MODERN) == []


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({**FORM, "message": ""}, "'message' must be a text"),
        ({**FORM, "mode": "popup"}, "'mode' must be form or url"),
        ({"message": "?"}, "'requestedSchema' must be an object"),
        ({"message": "?", "requestedSchema": {"type": "array", "properties": {}}}, "must be 'object'"),
        ({"message": "?", "requestedSchema": {"type": "object"}}, "must have properties"),
        (form(type="object"), "the field 'x' of the form must be"),
        (form(enum=["a"]), "the field 'x' of the form must be"),
        (form(type="string", format="password"), "the format of field 'x'"),
        (form(type="array", items={"type": "string"}), "must offer choices"),
        ({**VISIT, "url": "pay.example/7"}, "'url' must be an absolute URL"),
        ("x", "must be an object"),
    ],
)
def test_bad_elicitations(params, words):
    assert words in questions.elicitation_problems(params, MODERN)[0]


def test_choices_of_several_came_with_2025_11_25():
    assert questions.elicitation_problems(form(**CHOICES), OLD) and not questions.elicitation_problems(
        form(**CHOICES), LATEST
    )


def test_ids_of_elicitations():
    assert questions.elicitation_id_problems({**VISIT, "elicitationId": "7"}) == []
    assert "got none" in questions.elicitation_id_problems(VISIT)[0]
    assert questions.retired_member(VISIT) == [] and questions.retired_member({**VISIT, "elicitationId": "7"})


@pytest.mark.parametrize(
    "name", ["password", "apiKey", "API_KEY", "accessToken", "card_number", "cvv", "secret", "ssn"]
)
def test_secrets_are_known_by_their_names(name):
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    assert questions.secrets_asked({"message": "?", "requestedSchema": schema})


@pytest.mark.parametrize("name", ["qty", "token_count", "secretary", "keyboard", "passenger", "pin"])
def test_other_names_are_no_secrets(name):
    schema = {"type": "object", "properties": {name: {"type": "string", "title": "A title"}}}
    assert questions.secrets_asked({"message": "How many?", "requestedSchema": schema}) == []


def test_links_and_urls():
    assert questions.links_in_form({**FORM, "message": "See https://x.example/a"}) == [
        "the message holds https://x.example/a"
    ]
    assert questions.links_in_form(FORM) == [] == questions.links_in_form(VISIT)
    assert questions.insecure_url({**VISIT, "url": "http://x.example/"}) == ["its URL is http, not https"]
    assert questions.insecure_url({**VISIT, "url": "http://localhost:8000/"}) == [] == questions.insecure_url(VISIT)


@pytest.mark.parametrize(
    "end", ["?access_token=f", "?api_key=1", "#id_token=f", "?mail=ada@example.com", "?x=eyJhbGciOi.eyJzdWIiOi.x"]
)
def test_sensitive_parts_of_a_url(end):
    assert questions.url_secrets({**VISIT, "url": VISIT["url"] + end})


def test_harmless_parts_of_a_url():
    assert questions.url_secrets({**VISIT, "url": "https://x.example/a?state=abc&elicitation=7&client_id=9"}) == []
    assert questions.url_secrets({**VISIT, "url": "https://ada:pw@x.example/a"})


def test_required_urls_are_listed():
    good = {"data": {"elicitations": [{**VISIT, "elicitationId": "7"}]}}
    assert questions.required_error_problems(good) == []
    assert questions.required_error_problems({"data": {"elicitations": []}})
    assert (
        "'elicitationId' of elicitation 1" in questions.required_error_problems({"data": {"elicitations": [VISIT]}})[0]
    )


TEXT = {"type": "text", "text": "hi"}
USE = {"type": "tool_use", "id": "1", "name": "t", "input": {}}
RESULT = {"type": "tool_result", "toolUseId": "1", "content": []}


def said(*messages, **more):
    return {"maxTokens": 5, "messages": [{"role": role, "content": content} for role, content in messages], **more}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"messages": []}, "'maxTokens' must be a whole number, got none"),
        ({"maxTokens": 5}, "'messages' must be a list"),
        (said(("system", TEXT)), "the role of message 1"),
        (said(("user", "hi")), "the content of message 1"),
        (said(("user", {"type": "video"})), "the content of message 1"),
    ],
)
def test_bad_sampling(params, words):
    assert words in questions.sampling_problems(params, MODERN)[0]


def test_good_sampling():
    assert questions.sampling_problems(said(("user", TEXT), ("assistant", [USE]), ("user", [RESULT])), MODERN) == []
    assert questions.sampling_problems(said(("user", [TEXT])), OLD)  # Lists of content came with 2025-11-25.


def test_uses_of_tools_are_balanced():
    good = said(("user", TEXT), ("assistant", [TEXT, USE]), ("user", [RESULT]))
    assert questions.tool_result_problems(good) == [] and questions.uses_tools(good)
    assert not questions.uses_tools(said(("user", TEXT)))
    for bad in (
        said(("assistant", [USE]), ("user", [RESULT, TEXT])),
        said(("assistant", [USE]), ("user", TEXT)),
        said(("user", [RESULT])),
        said(("assistant", [USE])),
    ):
        assert questions.tool_result_problems(bad), bad


def test_context_is_only_for_clients_that_declare_it():
    wanting = {"includeContext": "allServers"}
    assert questions.context_problems(wanting, {"sampling": {}}, MODERN)
    assert questions.context_problems(wanting, {"sampling": {"context": {}}}, MODERN) == []
    assert questions.context_problems(wanting, {"sampling": {}}, OLD) == []
    assert questions.context_problems({"includeContext": "none"}, {}, MODERN) == []
