"""Checks of notifications: their shape, the capability behind them, and what belongs to a listen stream (NOTIF, LOG, SUB)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..session.revisions import LOG_LEVELS, PROGRESS_MESSAGE_SINCE
from .errors import same_id

PREFIX = "notifications/"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"
PROGRESS, LOG, CANCELLED = "notifications/progress", "notifications/message", "notifications/cancelled"

KINDS = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
    "resourceSubscriptions": UPDATED,
}
"""What a subscription can ask for, and the notification that it then gets."""

FLAGS = {
    "notifications/tools/list_changed": "tools.listChanged",
    "notifications/prompts/list_changed": "prompts.listChanged",
    "notifications/resources/list_changed": "resources.listChanged",
    UPDATED: "resources.subscribe",
    LOG: "logging",
}
"""The capability that stands behind a notification."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _token(value: Any) -> bool:
    return isinstance(value, str) or (_number(value) and value == int(value))


def _object(value: Any) -> bool:
    return isinstance(value, dict)


Member = tuple[bool, str, Callable[[Any], bool]]
_SHAPES: dict[str, dict[str, Member]] = {
    PROGRESS: {
        "progressToken": (True, "a string or an integer", _token),
        "progress": (True, "a number", _number),
        "total": (False, "a number", _number),
        "message": (False, "a text", _text),
    },
    LOG: {
        "level": (True, f"one of {', '.join(LOG_LEVELS)}", lambda value: _text(value) and value in LOG_LEVELS),
        "logger": (False, "a text", _text),
        "data": (True, "there", lambda value: True),
    },
    CANCELLED: {"requestId": (True, "a string or an integer", _token), "reason": (False, "a text", _text)},
    UPDATED: {"uri": (True, "a text", _text)},
    ACKNOWLEDGED: {"notifications": (True, "an object", _object)},
    "notifications/elicitation/complete": {"elicitationId": (True, "a text", _text)},
}
"""By method: each member of its params, whether it must be there, and what it must be."""


def shape_problems(message: Any, revision: str, member: str | None = None) -> list[str]:
    """What is wrong with one notification: params that do not fit its method and revision (NOTIF-03, PROG-06, LOG-10).

    With ``member`` only what is wrong with that one.
    """
    method = message.get("method")
    params = message.get("params", {})
    if not isinstance(params, dict):
        return [f"the params of {method} must be an object, got {params!r}"]
    if not isinstance(params.get("_meta", {}), dict):
        return [f"the _meta of {method} must be an object, got {params['_meta']!r}"]
    problems = []
    for name, (needed, kind, fits) in _SHAPES.get(method, {}).items():
        late = method == PROGRESS and name == "message" and revision < PROGRESS_MESSAGE_SINCE
        if late or (member is not None and name != member):
            continue
        if name not in params:
            if needed:
                problems.append(f"{method} must have {name!r}")
        elif not fits(params[name]):
            problems.append(f"{name!r} of {method} must be {kind}, got {params[name]!r}")
    return problems


def is_declared(capabilities: Any, flag: str) -> bool:
    """Whether a capability such as ``logging`` or ``tools.listChanged`` is declared."""
    value = capabilities
    for part in flag.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value is not None and value is not False


def undeclared(method: str | None, capabilities: Any) -> str | None:
    """The capability that a notification of this method needs and that is not declared (NOTIF-02, LOG-05)."""
    flag = FLAGS.get(method or "")
    return None if flag is None or is_declared(capabilities, flag) else flag


def declared_kinds(capabilities: Any) -> list[str]:
    """What a client of this server can subscribe to."""
    return [kind for kind, method in KINDS.items() if is_declared(capabilities, FLAGS[method])]


def subscription_id(message: Any) -> Any:
    """The id of the subscription that a notification or result says it belongs to, or ``None``."""
    body = message.get("params", message.get("result")) if isinstance(message, dict) else None
    meta = body.get("_meta") if isinstance(body, dict) else None
    return meta.get(SUBSCRIPTION_ID) if isinstance(meta, dict) else None


def alike(first: Any, second: Any) -> bool:
    """Whether two ids are the same but for their type."""
    return first is not None and str(first) == str(second)


def acknowledgment_problems(messages: Iterable[Any]) -> list[str]:
    """What is wrong with how a subscription begins (SUB-01)."""
    methods = [message.get("method") for message in messages]
    if not methods:
        return ["nothing came on the subscription, not even its acknowledgment"]
    if methods[0] != ACKNOWLEDGED:
        return [f"the first message of a subscription must be {ACKNOWLEDGED}, but was {methods[0] or 'a response'}"]
    return ["the subscription was acknowledged twice"] if methods.count(ACKNOWLEDGED) > 1 else []


def id_problems(identifier: Any, messages: Iterable[Any]) -> list[str]:
    """Messages of a subscription that do not carry the id of its request, with its type (SUB-02)."""
    return [
        f"{message.get('method', 'the result')} must carry {SUBSCRIPTION_ID} {identifier!r} in its _meta, got {got!r}"
        for message in messages
        if not same_id(got := subscription_id(message), identifier)
    ]


def honoured(messages: Iterable[Any]) -> dict[str, Any] | None:
    """What the acknowledgment of a subscription says that it honours; ``None`` when it does not say it."""
    for message in messages:
        if message.get("method") == ACKNOWLEDGED:
            params = message.get("params")
            kinds = params.get("notifications") if isinstance(params, dict) else None
            return kinds if isinstance(kinds, dict) else None
    return None


def honoured_problems(asked: dict[str, Any], kinds: dict[str, Any] | None) -> list[str]:
    """What an acknowledgment lists that was not asked for (SUB-04)."""
    if kinds is None:
        return ["the acknowledgment must say in 'notifications' what is honoured"]
    problems = []
    for kind, value in kinds.items():
        if value in (False, None, []):
            continue
        wanted = asked.get(kind)
        if not wanted:
            problems.append(f"the acknowledgment lists {kind!r}, which was not asked for")
        elif isinstance(wanted, list) and not (isinstance(value, list) and all(item in wanted for item in value)):
            problems.append(f"the acknowledgment lists other {kind} than were asked for: {value!r}")
    return problems


def unsupported_kinds(kinds: dict[str, Any], capabilities: Any) -> list[str]:
    """What an acknowledgment lists although the server does not declare it (SUB-04)."""
    declared = declared_kinds(capabilities)
    return [kind for kind, value in kinds.items() if value not in (False, None, []) and kind not in declared]


def kind_problems(asked: dict[str, Any], messages: Iterable[Any]) -> list[str]:
    """Messages of a subscription that it did not ask for (SUB-03, SUB-06, SUB-08)."""
    problems = []
    uris = asked.get("resourceSubscriptions") or []
    for message in messages:
        method = message.get("method")
        if method in (None, ACKNOWLEDGED, CANCELLED):
            continue
        if method in (PROGRESS, LOG):
            problems.append(f"{method} belongs to the stream of its own request, but came on a subscription (SUB-08)")
            continue
        kind = next((kind for kind, name in KINDS.items() if name == method), None)
        if kind is not None and not asked.get(kind):
            problems.append(f"{method} came on a subscription that did not ask for {kind} (SUB-03)")
        elif method == UPDATED:
            params = message.get("params")
            uri = params.get("uri") if isinstance(params, dict) else None
            # A resource below a subscribed one may be named instead of it.
            if not isinstance(uri, str) or not any(uri.startswith(wanted) for wanted in uris):
                problems.append(f"{UPDATED} came for {uri!r}, subscribed were only {', '.join(uris)} (SUB-06)")
    return problems


def below(messages: Iterable[Any], lowest: str) -> list[str]:
    """The levels of log messages that are less severe than the lowest one that is wanted (LOG-02, LOG-09)."""
    levels = [message["params"].get("level") for message in messages if isinstance(message.get("params"), dict)]
    known = [level for level in levels if level in LOG_LEVELS]
    return [level for level in known if LOG_LEVELS.index(level) < LOG_LEVELS.index(lowest)]
