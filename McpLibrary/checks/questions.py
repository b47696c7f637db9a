"""Checks of what a server asks the client: forms, URLs, requests to the model (ELIC, SAMP), whatever way they came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ..session.revisions import ELICITATION_BY_URL_SINCE, Revision
from ..wire.jsonrpc import to_json

_PRIMITIVES = ("string", "number", "integer", "boolean")
_FORMATS = ("email", "uri", "date", "date-time")

_SECRETS = re.compile(
    r"\b(pass ?(word|wd|code|phrase)s?|api ?keys?|private ?keys?|(access|auth|bearer|refresh|api|session) ?tokens?|secrets?"
    r"|(credit|debit)? ?card ?numbers?|cvv|cvc|pin ?code|social security numbers?|ssn)\b"
)
_SECRET_PARAMETERS = re.compile(
    r"\b((access|id|auth|refresh|session|bearer)? ?token|api ?key|key|secret|client secret|password|pwd|session|session id|sid|jwt"
    r"|auth|authorization|credentials?|email|e mail|phone|ssn|birth ?date)\b"
)
_JWT = re.compile(r"eyJ[\w-]{5,}\.[\w-]{5,}\.")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.\w+")
_LINK = re.compile(r"\b(?:https?://|www\.)\S+", re.IGNORECASE)
_LOCAL = ("localhost", "127.0.0.1", "::1")


def is_form(params: Any) -> bool:
    return isinstance(params, dict) and params.get("mode", "form") != "url"


def elicitation_problems(params: Any, revision: Revision) -> list[str]:
    """What is wrong with the params of `elicitation/create` (ELIC-01, ELIC-02)."""
    if not isinstance(params, dict):
        return [f"its params must be an object, got {to_json(params)[:60]} (ELIC-01)"]
    problems = []
    if not isinstance(params.get("message"), str) or not params["message"]:
        problems.append(f"'message' must be a text for the user, got {_shown(params, 'message')} (ELIC-01)")
    if params.get("mode", "form") not in ("form", "url"):
        problems.append(f"'mode' must be form or url, got {_shown(params, 'mode')} (ELIC-02)")
    if is_form(params):
        problems += _form_problems(params.get("requestedSchema"), arrays=revision.name >= ELICITATION_BY_URL_SINCE)
    elif not _is_url(params.get("url")):
        problems.append(f"'url' must be an absolute URL, got {_shown(params, 'url')} (ELIC-02)")
    return problems


def elicitation_id_problems(params: Any) -> list[str]:
    """Whether a URL comes with the id of its elicitation (ELIC-09)."""
    if isinstance(params.get("elicitationId"), str) and params["elicitationId"]:
        return []
    return [f"'elicitationId' must be a string that is not empty, got {_shown(params, 'elicitationId')}"]


def retired_member(params: Any) -> list[str]:
    """Members of elicitation that the modern era has no more (ELIC-11)."""
    return ["'elicitationId' belongs to 2025-11-25 and is gone"] if "elicitationId" in params else []


def _form_problems(schema: Any, *, arrays: bool) -> Iterator[str]:
    if not isinstance(schema, dict):
        yield f"'requestedSchema' must be an object, got {to_json(schema)[:60]} (ELIC-01)"
        return
    if schema.get("type") != "object":
        yield f"the type of 'requestedSchema' must be 'object', got {_shown(schema, 'type')} (ELIC-01)"
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield f"'requestedSchema' must have properties, got {to_json(properties)[:60]} (ELIC-01)"
        return
    for name, field in properties.items():
        kind = field.get("type") if isinstance(field, dict) else None
        if kind == "array" and arrays:
            items = field.get("items")
            if not isinstance(items, dict) or not ({"enum", "anyOf", "oneOf"} & items.keys()):
                yield f"the array {name!r} of the form must offer choices (enum) to select from (ELIC-01)"
        elif kind not in _PRIMITIVES:
            yield f"the field {name!r} of the form must be a {', '.join(_PRIMITIVES)}, got {to_json(field)[:80]} (ELIC-01)"
        elif kind == "string" and field.get("format", "uri") not in _FORMATS:
            yield f"the format of field {name!r} must be one of {', '.join(_FORMATS)}, got {field['format']!r} (ELIC-01)"


def secrets_asked(params: Any) -> list[str]:
    """What a form asks for that is a secret, by the words of its fields (ELIC-03)."""
    return [
        f"{where} speaks of {found[0]!r}"
        for where, text in _form_texts(params)
        if (found := _SECRETS.search(_words(text)))
    ]


def links_in_form(params: Any) -> list[str]:
    """Links in what a form shows, on which a user might click (ELIC-06)."""
    return [f"{where} holds {found[0]}" for where, text in _form_texts(params) if (found := _LINK.search(text))]


def _form_texts(params: Any) -> Iterator[tuple[str, str]]:
    """Each text that a form shows, and where."""
    if not is_form(params):
        return
    if isinstance(params.get("message"), str):
        yield "the message", params["message"]
    schema = params.get("requestedSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for name, field in properties.items() if isinstance(properties, dict) else ():
        yield f"the field {name!r}", name
        for member in ("title", "description"):
            if isinstance(field, dict) and isinstance(field.get(member), str):
                yield f"the {member} of field {name!r}", field[member]


def url_secrets(params: Any) -> list[str]:
    """What a URL carries that is nobody's business, or lets whoever opens it in (ELIC-04)."""
    parts = _url(params)
    if parts is None:
        return []
    problems = ["it has a user name or password before its host"] if parts.username or parts.password else []
    for name, value in (*parse_qsl(parts.query), *parse_qsl(parts.fragment)):
        if _SECRET_PARAMETERS.fullmatch(_words(name)) or _JWT.search(value) or _ADDRESS.fullmatch(value):
            problems.append(f"its parameter {name!r} carries what looks like a credential or personal data")
    return problems


def insecure_url(params: Any) -> list[str]:
    """A URL that is not https, unless it leads to this computer (ELIC-05)."""
    parts = _url(params)
    if parts is None or parts.scheme == "https" or parts.hostname in _LOCAL:
        return []
    return [f"its URL is {parts.scheme}, not https"]


def required_error_problems(error: Any) -> list[str]:
    """What is wrong with the error -32042: it lists the URLs to visit first (ELIC-10)."""
    data = error.get("data") if isinstance(error, dict) else None
    listed = data.get("elicitations") if isinstance(data, dict) else None
    if not isinstance(listed, list) or not listed:
        return [f"'data.elicitations' must list what to visit, got {to_json(listed)[:60]}"]
    problems = []
    for number, item in enumerate(listed, 1):
        item = item if isinstance(item, dict) else {}
        if item.get("mode") != "url":
            problems.append(f"elicitation {number} must have the mode url, got {_shown(item, 'mode')}")
        for member in ("elicitationId", "message"):
            if not isinstance(item.get(member), str):
                problems.append(f"'{member}' of elicitation {number} must be a string, got {_shown(item, member)}")
        if not _is_url(item.get("url")):
            problems.append(f"'url' of elicitation {number} must be an absolute URL, got {_shown(item, 'url')}")
    return problems


def sampling_problems(params: Any, revision: Revision) -> list[str]:
    """What is wrong with the params of `sampling/createMessage` (SAMP-02)."""
    if not isinstance(params, dict):
        return [f"its params must be an object, got {to_json(params)[:60]}"]
    problems = []
    tokens = params.get("maxTokens")
    if isinstance(tokens, bool) or not isinstance(tokens, int):
        problems.append(f"'maxTokens' must be a whole number, got {_shown(params, 'maxTokens')}")
    messages = params.get("messages")
    if not isinstance(messages, list):
        return [*problems, f"'messages' must be a list, got {_shown(params, 'messages')}"]
    with_tools = revision.name >= ELICITATION_BY_URL_SINCE
    kinds = ("text", "image", "audio", *(("tool_use", "tool_result") if with_tools else ()))
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
            problems.append(f"the role of message {number} must be user or assistant, got {_shown(message, 'role')}")
            continue
        content = message.get("content")
        blocks = content if isinstance(content, list) and with_tools else [content]
        wrong = [block for block in blocks if not isinstance(block, dict) or block.get("type") not in kinds]
        if wrong or not blocks:
            problems.append(f"the content of message {number} must be {', '.join(kinds)}, got {to_json(content)[:80]}")
    return problems


def tool_result_problems(params: Any) -> list[str]:
    """Where uses of tools and their results do not fit each other in the messages to the model (SAMP-03)."""
    messages = params.get("messages") if isinstance(params, dict) else None
    problems: list[str] = []
    open_uses: set[Any] = set()
    for number, message in enumerate(messages if isinstance(messages, list) else [], 1):
        blocks = _blocks(message)
        results = {block.get("toolUseId") for block in blocks if block.get("type") == "tool_result"}
        if results and any(block.get("type") != "tool_result" for block in blocks):
            problems.append(f"message {number} has results of tools beside other content")
        if open_uses - results:
            problems.append(
                f"message {number} should answer the tool use {sorted(map(str, open_uses - results))[0]!r} first"
            )
        if results - open_uses:
            problems.append(f"message {number} has the result of a tool that was not used before")
        open_uses = {block.get("id") for block in blocks if block.get("type") == "tool_use"}
    return problems + (["the last message uses a tool, and nothing answers it"] if open_uses else [])


def uses_tools(params: Any) -> bool:
    """Whether a message to the model speaks of a tool that was used."""
    messages = params.get("messages") if isinstance(params, dict) else None
    blocks = [block for message in (messages if isinstance(messages, list) else []) for block in _blocks(message)]
    return any(block.get("type") in ("tool_use", "tool_result") for block in blocks)


def _blocks(message: Any) -> list[dict[str, Any]]:
    content = message.get("content") if isinstance(message, dict) else None
    return [block for block in (content if isinstance(content, list) else [content]) if isinstance(block, dict)]


def context_problems(params: Any, declared: Any, revision: Revision) -> list[str]:
    """Context of servers that is wanted from a client that did not say it gives it, since it can (SAMP-04)."""
    wanted = params.get("includeContext", "none") if isinstance(params, dict) else "none"
    sampling = declared.get("sampling") if isinstance(declared, dict) else None
    gives = isinstance(sampling, dict) and "context" in sampling
    if wanted == "none" or gives or revision.name < ELICITATION_BY_URL_SINCE:
        return []
    return [f"'includeContext' is {wanted!r}, and the client did not declare sampling.context"]


# ---------------------------------------------------------------------------------------------------------------------


def _words(text: str) -> str:
    """A text or a name in snake or camel case as words in lower case."""
    return re.sub(r"[\W_]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)).strip().lower()


def _url(params: Any) -> Any:
    url = params.get("url") if isinstance(params, dict) else None
    return urlsplit(url) if not is_form(params) and _is_url(url) else None


def _is_url(value: Any) -> bool:
    try:
        parts = urlsplit(value) if isinstance(value, str) else None
    except ValueError:
        return False
    return parts is not None and bool(parts.scheme) and bool(parts.netloc) and not re.search(r"\s", value)


def _shown(value: Any, member: str) -> str:
    return to_json(value[member])[:60] if isinstance(value, dict) and member in value else "none"
