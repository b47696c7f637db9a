"""Checks of what a server may ask a client, by what that client declared; and of the extensions that both sides declare (CAP)."""

from __future__ import annotations

from typing import Any

from ..session.client_side import ELICITATION, ROOTS, SAMPLING
from ..session.envelope import CAPABILITIES_KEY


def question_problems(method: Any, params: Any, declared: Any) -> list[str]:
    """What the client did not declare and is asked for all the same (CAP-03, CAP-04, CAP-05, HS-18)."""
    declared = declared if isinstance(declared, dict) else {}
    params = params if isinstance(params, dict) else {}
    if method == ELICITATION:
        modes = declared.get("elicitation")
        mode = params.get("mode", "form")
        if not isinstance(modes, dict):
            return ["elicitation was asked for, and not declared"]
        # An empty object is that of clients from before there were modes, which show forms.
        if mode not in (modes or ("form",)):
            return [f"elicitation by {mode} was asked for, and declared was {', '.join(modes) or 'form'}"]
    if method == SAMPLING:
        sampling = declared.get("sampling")
        if not isinstance(sampling, dict):
            return ["sampling was asked for, and not declared"]
        if ("tools" in params or "toolChoice" in params) and "tools" not in sampling:
            return ["sampling with tools was asked for, and sampling.tools was not declared"]
    if method == ROOTS and "roots" not in declared:
        return ["the roots were asked for, and not declared"]
    return []


def questions_of(result: Any) -> list[tuple[Any, Any]]:
    """Method and params of each question in an ``input_required`` result."""
    requests = result.get("inputRequests") if isinstance(result, dict) else None
    items = requests.values() if isinstance(requests, dict) else ()
    return [(item.get("method"), item.get("params")) for item in items if isinstance(item, dict)]


def shared_extensions(client: Any, server: Any) -> tuple[str, ...]:
    """The extensions that the capabilities of both sides name."""
    ours, theirs = (side.get("extensions") if isinstance(side, dict) else None for side in (client, server))
    return tuple(name for name in ours if name in theirs) if isinstance(ours, dict) and isinstance(theirs, dict) else ()


def declared_in(request: Any) -> Any:
    """The client capabilities that a modern request declares."""
    params = request.get("params") if isinstance(request, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta.get(CAPABILITIES_KEY) if isinstance(meta, dict) else None
