"""Log messages: escaped, masked, limited."""

import json
import threading

import pytest
from robot.api.types import Secret

from McpLibrary import logs
from McpLibrary.logs import MASK, Masker, exchange_html, log_frames, summary, table_html, with_table
from McpLibrary.wire.frame import Exchange, Frame, HttpFacts, Outcome

TOKEN = 's3cr"et\\é/\u2028'
REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'


def exchange(answer: bytes | None = None, request: bytes = REQUEST, **http) -> Exchange:
    found = Exchange(Frame.sent(request, "POST"), 3)
    if http:
        found.http = HttpFacts(http.pop("method", "POST"), "http://h/mcp", http.pop("sent", []), **http)
    if answer is not None:
        found.finish(Outcome.ANSWERED, answer=Frame.received(answer, "POST"))
    return found


def masker(*secrets) -> Masker:
    made = Masker()
    made.learn(*map(Secret, secrets))
    return made


# -- masking --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        json.dumps(TOKEN),
        json.dumps(TOKEN, ensure_ascii=False),
        json.dumps(json.dumps({"t": TOKEN})),
        json.dumps(json.dumps(json.dumps(TOKEN))),
        repr({"t": TOKEN}),
        repr(json.dumps({"t": TOKEN})),
        f"Bearer {TOKEN}{TOKEN}",
    ],
)
def test_a_secret_is_masked_however_it_is_escaped(text):
    masked = masker(TOKEN).mask(text)
    assert MASK in masked
    assert "s3cr" not in masked


def test_a_longer_secret_is_masked_before_its_beginning():
    assert masker("secret", "secret-long").mask("secret-long secret") == f"{MASK} {MASK}"


@pytest.mark.parametrize("value", ["abcd", 7, None, {"a": "abcd"}])
def test_only_secrets_are_learned(value):
    made = Masker()
    made.learn(value)
    assert made.mask("abcd 7 None") == "abcd 7 None"


def test_short_secrets_would_mask_everything_and_are_not_learned():
    assert masker("abc", "").mask("abc") == "abc"


def test_regular_expressions_in_secrets_mean_nothing():
    assert masker("a.*b(").mask("a.*b( axxb(") == f"{MASK} axxb("


@pytest.mark.parametrize(
    "name", ["Authorization", "AUTHORIZATION", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key"]
)
def test_the_values_of_sensitive_headers_are_masked_unlearned(name):
    assert Masker().headers([(name, "Bearer x"), ("Accept", "y")]) == f"{name}: {MASK}\nAccept: y"


def test_learned_secrets_are_masked_in_other_headers():
    assert masker("token-1").headers([("X-Mine", "a token-1 b")]) == f"X-Mine: a {MASK} b"


def test_a_secret_is_masked_in_every_part_of_an_exchange():
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"echo": TOKEN}}).encode()
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"t": TOKEN}}).encode()
    found = exchange(
        body,
        request,
        sent=[("Authorization", f"Bearer {TOKEN}")],
        status=200,
        reason=TOKEN,
        headers=[("X-Echo", TOKEN)],
    )
    found.between.append(Frame.received(json.dumps({"method": "m", "params": {"t": TOKEN}}).encode(), "POST"))
    found.more_answers.append(Frame.received(body, "POST"))
    html = exchange_html(found, masker(TOKEN), 10_000)
    assert "s3cr" not in html
    assert html.count("&lt;secret&gt;") >= 7


def test_a_secret_is_masked_before_the_text_is_cut():
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"t": "secret-token"}}).encode()
    for limit in range(60, 100):
        assert "secret-t" not in exchange_html(exchange(body), masker("secret-token"), limit)


@pytest.mark.parametrize("padding", [0, 1000, 30_000])
def test_a_secret_is_masked_in_small_and_large_messages(padding):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"t": TOKEN, "pad": "x" * padding}}).encode()
    assert "s3cr" not in exchange_html(exchange(body), masker(TOKEN), 100_000)


@pytest.mark.parametrize("echoed", [rb"tok\/en-1234", rb"\u0074ok/en-1234", rb"tok/en\u002D1234"])
@pytest.mark.parametrize("padding", [0, 30_000])
def test_a_secret_is_masked_however_a_server_escapes_it(echoed, padding):
    body = b'{"id":1,"result":{"t":"' + echoed + b'","pad":"' + b"x" * padding + b'"}}'
    assert json.loads(body)["result"]["t"] == "tok/en-1234"
    html = exchange_html(exchange(body), masker("tok/en-1234"), 100_000)
    assert MASK.replace("<", "&lt;").replace(">", "&gt;") in html


# -- escaping and limits --------------------------------------------------------------------------------------------

EVIL = "<script>alert(1)</script>&\"'"


def test_every_text_of_a_server_is_escaped():
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "error": {"code": EVIL, "message": EVIL}}).encode()
    request = json.dumps({"jsonrpc": "2.0", "id": EVIL, "method": EVIL}).encode()
    found = exchange(body, request, sent=[("X", EVIL)], status=200, reason=EVIL, headers=[(EVIL, EVIL)])
    found.between.append(Frame.received(f"garbage {EVIL}".encode(), "POST"))
    found.more_answers.append(Frame.received(body, "POST"))
    html = exchange_html(found, Masker(), 10_000)
    assert "<script>" not in html
    assert html.count("&lt;script&gt;") >= 8


def test_a_body_that_is_no_message_is_escaped():
    found = exchange(status=500, reason="x", buffer=bytearray(EVIL.encode() + b"\xff"))
    found.finish(Outcome.REFUSED, EVIL)
    html = exchange_html(found, Masker(), 10_000)
    assert "<script>" not in html and "\\xff" in html


def test_long_messages_are_cut_with_a_word_about_the_rest():
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"x": "y" * 5000}}).encode()
    html = exchange_html(exchange(body), Masker(), 100)
    assert "more characters; 'Save Transcript' writes them to a file" in html
    assert len(html) < 2000


def test_many_messages_in_between_are_counted():
    found = exchange(b'{"id":1,"result":{}}')
    found.between += [Frame.received(b'{"method":"m"}', "POST")] * 60
    html = exchange_html(found, Masker(), 100_000)
    assert "60 message(s) in between" in html and "… and 10 more" in html


@pytest.mark.parametrize(
    "body",
    [
        b'{"id":1,"result":{"x":"\\ud800","pad":"' + b"x" * 1000 + b'"}}',
        b'{"id":1,"error":{"code":"\\udfff"}}',
    ],
    ids=["in the message", "in the summary"],
)
def test_lone_surrogates_can_be_written_to_the_log(body):
    exchange_html(exchange(body), Masker(), 1000).encode("utf-8")


def test_what_could_be_read_can_be_logged_however_deep():
    frames = []
    body = b'{"id":1,"result":{"a":' + b"[" * 150 + b"]" * 150 + b"}}"
    reader = threading.Thread(target=lambda: frames.append(Frame.received(body, "stdout")))
    reader.start()
    reader.join(20)
    assert frames[0].problem is None
    found = exchange()
    found.finish(Outcome.ANSWERED, answer=frames[0])

    def below(depth):
        return exchange_html(found, Masker(), 1000) if depth == 0 else below(depth - 1)

    assert below(150)


@pytest.mark.parametrize(
    ("answer", "http", "text"),
    [
        (b'{"id":1,"result":{}}', {}, "#3 tools/call → result ("),
        (b'{"id":1,"result":{"isError":true}}', {}, "#3 tools/call → tool error ("),
        (b'{"id":1,"error":{"code":-32601}}', {}, "#3 tools/call → error -32601 (method not found) ("),
        (b'{"id":1,"error":{"code":"x"}}', {}, '#3 tools/call → error "x" ('),
        (b'{"id":1,"error":"text"}', {}, "#3 tools/call → error ("),
        (b'{"id":1}', {}, "#3 tools/call → invalid ("),
        (b'{"id":1,"result":{}}', {"status": 200}, "#3 tools/call → HTTP 200, result ("),
        (None, {}, "#3 tools/call → still open ("),
        (None, {"status": 404, "method": "GET"}, "#3 HTTP GET → HTTP 404, still open ("),
    ],
)
def test_the_summary_is_one_line(answer, http, text):
    assert summary(exchange(answer, **http)).startswith(text)
    assert summary(exchange(answer, **http)).endswith(" ms)")


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (b"{nonsense", "raw bytes"),
        (b'[{"method":"m","id":1}]', "a batch"),
        (b"7", "a message"),
        (b'{"method":7}', "a message"),
    ],
)
def test_the_summary_names_what_has_no_method(request_, name):
    assert summary(exchange(request=request_)).startswith(f"#3 {name} → ")


def test_the_summary_of_an_error_without_a_code():
    assert summary(exchange(b'{"id":1,"error":{"message":"m"}}')).startswith("#3 tools/call → error")


def test_nothing_is_logged_for_no_frames(monkeypatch):
    written = []
    monkeypatch.setattr(logs.logger, "info", lambda text, html=False: written.append((text, html)))
    log_frames([], Masker(), 100)
    assert written == []
    log_frames([Frame.received(EVIL.encode(), "stdout")], Masker(), 1000)
    text, html = written[0]
    assert html and "1 message(s) came in since the last keyword" in text and "<script>" not in text


def test_a_table_escapes_and_masks_its_cells():
    table = table_html(["<a>", "b"], [["<script>", TOKEN], ["\ud800", "x"]], masker(TOKEN))
    assert "<script>" not in table and "&lt;script&gt;" in table and "<th>&lt;a&gt;</th>" in table
    assert TOKEN not in table and "&lt;secret&gt;" in table
    assert "\\ud800" in table


def test_the_text_comes_before_its_table():
    assert with_table("It's <bad>\nmore", "<table>") == "*HTML*It's &lt;bad&gt;<br>more<table>"
