"""Checks of Streamable HTTP: forms of answers, session ids, and what may come on which event stream (HTTP)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

JSON, EVENTS = "application/json", "text/event-stream"
ENOUGH_BITS = 64
"""Bits of chance that a session id needs at the least; a random UUID has 122."""

_VISIBLE = re.compile(r"[\x21-\x7e]+")


class _Event(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def retry(self) -> int | None: ...
    @property
    def empty(self) -> bool: ...


def form_problems(media_type: str, value: Any) -> list[str]:
    """What is wrong with the form of a successful answer to a request: one JSON object, or an event stream (HTTP-02)."""
    if media_type == EVENTS:
        return []
    if media_type != JSON:
        return [f"its content type is {media_type or 'missing'}, not {JSON} or {EVENTS}"]
    return [] if isinstance(value, dict) else [f"its JSON is no single object but {type(value).__name__}"]


def visible_ascii_problems(identifiers: Iterable[str]) -> list[str]:
    """The session ids that are not made of visible ASCII characters, 0x21 to 0x7E (HTTP-30)."""
    return [
        f"the session id {identifier!r} holds something else than visible ASCII characters"
        for identifier in identifiers
        if not _VISIBLE.fullmatch(identifier)
    ]


def repeated(identifiers: Sequence[str]) -> list[str]:
    """The ids that were handed out more than once."""
    return sorted({identifier for identifier in identifiers if identifiers.count(identifier) > 1})


def chance_problems(identifiers: Sequence[str]) -> list[str]:
    """Whether session ids can be guessed from each other, by how much of them differs (HTTP-31).

    Only places in which the ids differ count, each for as many bits as the alphabet seen in these places has. So
    counters, and times of the day, are told from random numbers; how good these are cannot be seen from outside.
    """
    length = min(map(len, identifiers), default=0)
    columns = [{identifier[place] for identifier in identifiers} for place in range(length)]
    varying = [column for column in columns if len(column) > 1]
    alphabet = {character for column in varying for character in column}
    bits = len(varying) * math.log2(len(alphabet)) if alphabet else 0
    if bits >= ENOUGH_BITS:
        return []
    shown = ", ".join(repr(identifier) for identifier in identifiers[:3])
    return [
        f"{len(identifiers)} session ids differ in so little (about {bits:.0f} bits) that others can be guessed: {shown}"
    ]


def foreign_progress(streams: Iterable[tuple[Any, Iterable[Any]]]) -> list[str]:
    """Progress on the stream of another call; each stream is the call's own token and its messages (HTTP-17, HTTP-43)."""
    problems = []
    for own, messages in streams:
        for message in messages:
            params = message.get("params") if isinstance(message, dict) else None
            if not isinstance(params, dict) or message.get("method") != "notifications/progress":
                continue
            if params.get("progressToken") != own:
                problems.append(f"progress of {params.get('progressToken')!r} came on the stream of {own!r}")
    return problems


def spread_messages(streams: Mapping[str, Iterable[Any]]) -> list[str]:
    """Notifications and requests that came on more than one of these streams (HTTP-29)."""
    seen: dict[str, list[str]] = {}
    for name, messages in streams.items():
        texts = {_canonical(message) for message in messages if isinstance(message, dict) and "method" in message}
        for text in texts:
            seen.setdefault(text, []).append(name)
    return [f"one message came on {' and on '.join(names)}: {text}" for text, names in seen.items() if len(names) > 1]


def event_id_problems(streams: Mapping[str, Sequence[_Event]]) -> list[str]:
    """Event ids that name events of two streams of a session, or two events of one (HTTP-35)."""
    owner: dict[str, str] = {}
    problems = []
    for name, events in streams.items():
        for event in events:
            if event.id and event.id in owner:
                other = "the same stream" if owner[event.id] == name else owner[event.id]
                problems.append(f"the event id {event.id!r} of {name} was given before, on {other}")
            if event.id:
                owner[event.id] = name
    return problems


def priming_problems(events: Sequence[_Event], *, answered: bool) -> list[str]:
    """What a stream lacks for being resumed: a first event with an id and no data, and a time to wait (HTTP-37)."""
    problems = []
    if events and not (events[0].id and events[0].empty):
        problems.append("it does not begin with an event that has an id and empty data")
    if not answered and all(event.retry is None for event in events):
        problems.append("the server closed it before the answer without having sent a 'retry'")
    return problems


def replay_problems(replayed: Iterable[Any], own: Iterable[Any], others: Iterable[Any]) -> list[str]:
    """Messages in a replay that came on other streams, and not on the one that is resumed (HTTP-36)."""
    foreign = {*map(_canonical, others)} - {*map(_canonical, own)}
    return [f"it holds a message of another stream: {text}" for text in map(_canonical, replayed) if text in foreign]


def _canonical(message: Any) -> str:
    return json.dumps(message, sort_keys=True)
