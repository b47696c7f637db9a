"""What faults do to messages that are ready to be sent, to their HTTP status, and to their bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from faults import content_faults
from faults.messages import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LEGACY_RESOURCE_NOT_FOUND,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    MODERN,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    Answer,
    Message,
    Request,
)

Faulty = Callable[[str], bool]
Edit = Callable[[Message], object]

HUGE = 42_000_000
STAMP = "io.modelcontextprotocol/serverInfo"

EDITS_BY_METHOD: dict[str, tuple[str, Edit]] = {
    "initialize-without-version": ("initialize", lambda result: result.pop("protocolVersion")),
    "initialize-without-capabilities": ("initialize", lambda result: result.pop("capabilities")),
    "initialize-without-server-info": ("initialize", lambda result: result.pop("serverInfo")),
    "server-info-with-empty-name": ("initialize", lambda result: result["serverInfo"].update(name="")),
    "server-info-icons-malformed": (
        "initialize",
        lambda result: result["serverInfo"].update(icons="logo.png"),
    ),
    "discover-without-versions": ("server/discover", lambda result: result.pop("supportedVersions")),
    "discover-versions-empty": ("server/discover", lambda result: result.update(supportedVersions=[])),
    "discover-versions-omit-served": (
        "server/discover",
        lambda result: result.update(supportedVersions=["2027-01-01"]),
    ),
    "discover-without-capabilities": ("server/discover", lambda result: result.pop("capabilities")),
    "discover-without-cache-hints": (
        "server/discover",
        lambda result: (result.pop("ttlMs"), result.pop("cacheScope")),
    ),
    "discover-server-info-in-body": (
        "server/discover",
        lambda result: result.update(serverInfo=result.pop("_meta")[STAMP]),
    ),
    "extension-id-without-prefix": (
        "server/discover",
        lambda result: result["capabilities"].update(extensions={"ui": {}}),
    ),
    "extension-value-not-an-object": (
        "server/discover",
        lambda result: result["capabilities"].update(extensions={"com.example/ui": True}),
    ),
    "no-result-type-on-discover": ("server/discover", lambda result: result.pop("resultType")),
    "no-result-type-on-tools-list": ("tools/list", lambda result: result.pop("resultType", None)),
    "no-result-type-on-tools-call": ("tools/call", lambda result: result.pop("resultType", None)),
    "null-where-nothing-is": ("tools/list", lambda result: result.setdefault("nextCursor", None)),
    "title-not-a-string": ("tools/list", lambda result: result["tools"][0].update(title=5)),
    "no-result-type-on-prompts-get": ("prompts/get", lambda result: result.pop("resultType", None)),
    "no-server-info-stamp-on-resources": ("resources/read", lambda result: result.pop("_meta", None)),
    "meta-key-malformed": ("tools/list", lambda result: _add_meta(result, "com.example/-note-")),
    "meta-key-with-bad-prefix": ("tools/list", lambda result: _add_meta(result, "1st.example/note")),
    "meta-key-reserved": ("tools/list", lambda result: _add_meta(result, "io.modelcontextprotocol/invented")),
    "huge-answer": (
        "tools/call",
        lambda result: result.update(content=[{"type": "text", "text": "x" * HUGE}]),
    ),
}
EDITS_OF_MODERN_RESULTS: dict[str, Edit] = {
    "no-server-info-stamp": lambda result: result.pop("_meta"),
    "server-info-stamp-without-version": lambda result: result["_meta"][STAMP].pop("version"),
    "unknown-result-type": lambda result: result.update(
        resultType="done" if result["resultType"] == "complete" else result["resultType"]
    ),
}
CODES_BY_KIND: dict[str, tuple[tuple[str, ...], int]] = {
    "unknown-method-wrong-code": (("unknown method",), INTERNAL_ERROR),
    "malformed-params-wrong-code": (("malformed",), INTERNAL_ERROR),
    "malformed-uri-wrong-code": (("malformed uri",), INTERNAL_ERROR),
    "malformed-completion-wrong-code": (("malformed completion",), INTERNAL_ERROR),
    "unknown-cursor-wrong-code": (("unknown cursor",), INTERNAL_ERROR),
    "missing-resource-wrong-code": (("missing resource",), INTERNAL_ERROR),
    "missing-resource-modern-code-on-legacy": (("missing resource",), INVALID_PARAMS),
    "unknown-prompt-wrong-code": (("unknown prompt",), INTERNAL_ERROR),
    "missing-prompt-argument-wrong-code": (("missing prompt argument",), INTERNAL_ERROR),
    "header-error-wrong-code": (("header",), INVALID_REQUEST),
    "unknown-task-wrong-code": (("unknown task",), INTERNAL_ERROR),
    "capability-error-wrong-code": (("capability",), INVALID_REQUEST),
}
MODERN_CODES_BY_KIND: dict[str, tuple[tuple[str, ...], int]] = {
    "meaningless-reserved-code": (("unknown", "unknown prompt", "missing resource"), -32099),
    "server-error-code-on-modern": (("unknown prompt",), -32001),
    "own-code-in-reserved-range": (("unknown prompt",), -32500),
    "retired-resource-code-on-modern": (("missing resource",), LEGACY_RESOURCE_NOT_FOUND),
}
STATUSES_ON_MODERN = {
    METHOD_NOT_FOUND: 404,
    INVALID_PARAMS: 400,
    HEADER_MISMATCH: 400,
    MISSING_CAPABILITY: 400,
    UNSUPPORTED_VERSION: 400,
}
STATUSES = {PARSE_ERROR: 400, INVALID_REQUEST: 400}


def spoil(reply: Message, request: Request, faulty: Faulty) -> None:
    """Do to the answer of a request what the chosen faults do to it."""
    if "result" in reply:
        _spoil_result(reply, request, faulty)
    _spoil_identity(reply, faulty)
    _spoil_members(reply, faulty)


def spoil_code(reply: Message, kind: str, era: str, faulty: Faulty) -> None:
    """Do to the code, data and id of an error what the chosen faults do to errors of its kind."""
    error = reply["error"]
    codes = CODES_BY_KIND | MODERN_CODES_BY_KIND if era == MODERN else CODES_BY_KIND
    for fault, (kinds, code) in codes.items():
        if kind in kinds and faulty(fault):
            error["code"] = code
    if kind == "capability" and faulty("capability-error-data-as-list"):
        error["data"] = {"requiredCapabilities": ["elicitation"]}
    if "'" in error["message"] and kind.startswith("unknown") and faulty("database-text-in-error"):
        error["message"] = 'SQLSTATE[42601]: syntax error at or near "DROP"'
    if kind == "header" and faulty("header-error-without-id"):
        del reply["id"]


def spoil_refusal(reply: Message, faulty: Faulty) -> None:
    """Do to the answer of a message that is no request what the chosen faults do to it."""
    if "id" in reply:
        _spoil_identity(reply, faulty)
    elif faulty("error-with-null-id"):
        reply["id"] = None
    _spoil_members(reply, faulty)


def status_of(reply: Message, era: str, faulty: Faulty) -> int:
    """The HTTP status of an answer."""
    code = int(reply.get("error", {}).get("code", 0))
    statuses = STATUSES | STATUSES_ON_MODERN if era == MODERN else STATUSES
    fault = {
        METHOD_NOT_FOUND: "unknown-method-status-200",
        MISSING_CAPABILITY: "capability-error-status-200",
        UNSUPPORTED_VERSION: "version-error-status-200",
    }.get(code)
    return 200 if fault and faulty(fault) else statuses.get(code, 200)


def encode(message: Message | list[Message]) -> bytes:
    """A message as one line of JSON; everything but ASCII is escaped."""
    return json.dumps(message, separators=(",", ":")).encode()


def encode_answer(answer: Answer, faulty: Faulty) -> bytes:
    """The bytes of an answer, with the faults of bytes."""
    assert answer.body is not None
    if faulty("pretty-printed-messages"):
        return json.dumps(answer.body, indent=2).encode()
    line = encode(answer.body)
    if answer.method == "tools/call" and faulty("invalid-utf8-answer"):
        line = line.replace(b'"text":"', b'"text":"\xff\xfe')
    if faulty("question-key-twice"):
        line = line.replace(b'"inputRequests":{', b'"inputRequests":{"answer":{"method":"roots/list"},')
    if answer.method == "tools/call" and faulty("truncated-json-answer"):
        line = line[: len(line) // 2]
    return line


def _spoil_result(reply: Message, request: Request, faulty: Faulty) -> None:
    result = reply["result"]
    content_faults.spoil(result, request.method, faulty)
    for fault, (method, edit) in EDITS_BY_METHOD.items():
        if request.method == method and faulty(fault):
            edit(result)
    if request.era == MODERN:
        for fault, edit in EDITS_OF_MODERN_RESULTS.items():
            if faulty(fault):
                edit(result)
        trace = request.params["_meta"].get("traceparent") if "_meta" in request.params else None
        if trace is not None and faulty("trace-context-malformed"):
            result["_meta"]["traceparent"] = "00-1-2-03"
        if faulty("behaviour-depends-on-client-info"):
            _name_client(result, request.client_name)
    if faulty("result-and-error"):
        reply["error"] = {"code": INTERNAL_ERROR, "message": "Internal error"}
    if faulty("neither-result-nor-error") and request.method.endswith("/list"):
        del reply["result"]


def _add_meta(result: Message, key: str) -> None:
    result["_meta"] = {**result.get("_meta", {}), key: 1}


def _name_client(result: Message, name: str) -> None:
    if "tools" in result:
        result["tools"] = [{**tool, "description": f"{tool['description']} For {name}."} for tool in result["tools"]]


def _spoil_identity(reply: Message, faulty: Faulty) -> None:
    identifier = reply.get("id")
    if faulty("id-as-string") and isinstance(identifier, int):
        reply["id"] = str(identifier)
    if faulty("wrong-id"):
        reply["id"] = identifier + 1000 if isinstance(identifier, int) else f"{identifier}-wrong"


def _spoil_members(reply: Message, faulty: Faulty) -> None:
    error: dict[str, Any] = reply.get("error", {})
    if error and faulty("error-code-as-string"):
        error["code"] = str(error["code"])
    if error and faulty("error-without-message"):
        error.pop("message", None)
    if isinstance(error.get("message"), str) and faulty("error-of-several-lines"):
        error["message"] += "\nThe request was:\n  it cannot be shown\nPlease try again."
    if faulty("jsonrpc-missing"):
        reply.pop("jsonrpc", None)
