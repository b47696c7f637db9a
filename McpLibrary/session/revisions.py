"""The protocol revisions and what differs between them: the one place for such facts."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ..wire.jsonrpc import INVALID_PARAMS, RESOURCE_NOT_FOUND


class Era(enum.Enum):
    """How a connection is used: with a handshake and sessions, or with an envelope on each request."""

    LEGACY = "legacy"
    MODERN = "modern"


@dataclass(frozen=True, slots=True)
class Revision:
    """One dated revision of the specification."""

    name: str
    era: Era
    version_header: bool
    """Whether requests over HTTP carry ``MCP-Protocol-Version`` (since 2025-06-18)."""
    batches: bool
    """Whether JSON-RPC batches are part of the protocol (2025-03-26 and before)."""
    content_types: frozenset[str]
    """Types of content blocks."""
    missing_resource: tuple[int, ...]
    """Error codes for a resource that does not exist, the right one first."""
    origin_status: tuple[int, ...]
    """HTTP statuses that refuse a foreign Origin; 2025-03-26 and 2025-06-18 leave the status open (X-21)."""

    @property
    def modern(self) -> bool:
        return self.era is Era.MODERN

    @property
    def structured_content(self) -> bool:
        """Whether tools may publish an ``outputSchema`` and results hold ``structuredContent`` (since 2025-06-18)."""
        return self.name >= "2025-06-18"

    @property
    def output_of_any_type(self) -> bool:
        """Whether these may be of any JSON type; until 2025-11-25 they are objects."""
        return self.modern

    @property
    def defines_names_and_dialects(self) -> bool:
        """Whether the characters of tool names, the dialect of schemas, and icons are defined (since 2025-11-25)."""
        return self.name >= "2025-11-25"

    @property
    def task_support(self) -> bool:
        """Whether tools have ``execution.taskSupport`` (only in 2025-11-25; later a matter of an extension)."""
        return self.name == "2025-11-25"


_BLOCKS = frozenset({"text", "image", "audio", "resource"})
_LINKS = _BLOCKS | {"resource_link"}
_ANY_4XX = tuple(range(400, 500))

REVISIONS: dict[str, Revision] = {
    revision.name: revision
    for revision in (
        Revision("2024-11-05", Era.LEGACY, False, True, frozenset({"text", "image", "resource"}),
                 (RESOURCE_NOT_FOUND, INVALID_PARAMS), _ANY_4XX),
        Revision("2025-03-26", Era.LEGACY, False, True, _BLOCKS, (RESOURCE_NOT_FOUND, INVALID_PARAMS), _ANY_4XX),
        Revision("2025-06-18", Era.LEGACY, True, False, _LINKS, (RESOURCE_NOT_FOUND, INVALID_PARAMS), _ANY_4XX),
        Revision("2025-11-25", Era.LEGACY, True, False, _LINKS, (RESOURCE_NOT_FOUND, INVALID_PARAMS), (403,)),
        Revision("2026-07-28", Era.MODERN, True, False, _LINKS, (INVALID_PARAMS,), (403,)),
    )
}  # fmt: skip

LEGACY = [name for name, revision in REVISIONS.items() if not revision.modern]
MODERN = [name for name, revision in REVISIONS.items() if revision.modern]
LATEST_LEGACY = REVISIONS[LEGACY[-1]]
LATEST_MODERN = REVISIONS[MODERN[-1]]

PROTOCOL_WORDS = ("auto", "legacy", "modern", *REVISIONS)
"""What ``protocol=`` understands."""

REMOVED_IN_MODERN = ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
"""Methods of the legacy era that do not exist any more (HTTP-22)."""

MEMBERS_SINCE: dict[str, dict[str, str]] = {
    "server info": {
        "title": "2025-06-18", "description": "2025-11-25", "icons": "2025-11-25", "websiteUrl": "2025-11-25",
    },
    "tool": {
        "annotations": "2025-03-26", "title": "2025-06-18", "outputSchema": "2025-06-18", "_meta": "2025-06-18",
        "icons": "2025-11-25", "execution": "2025-11-25",
    },
    "resource": {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "resource template": {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "prompt": {"title": "2025-06-18", "_meta": "2025-06-18", "icons": "2025-11-25"},
    "content block": {"_meta": "2025-06-18"},
    "result": {
        "structuredContent": "2025-06-18", "resultType": "2026-07-28", "ttlMs": "2026-07-28", "cacheScope": "2026-07-28",
    },
}  # fmt: skip
"""The revision that brought a member, by what has it (HS-17, HS-20); members that were always there are not listed."""

ELICITATION_SINCE = "2025-06-18"
ELICITATION_BY_URL_SINCE = "2025-11-25"
"""The revision with modes of elicitation, and with tools in sampling (CAP-04, CAP-05)."""

ASKING_NEEDS = {"elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots"}
"""The client capability without which a server must not send a request (HS-18)."""
META_GRAMMAR_SINCE = "2025-06-18"
"""The revision that says how keys of ``_meta`` look, and which are reserved (META-09, META-10)."""

CACHEABLE = (
    "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read",
)  # fmt: skip
"""Methods whose modern results carry ``ttlMs`` and ``cacheScope`` (CACHE-01, X-04)."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""The levels of log messages, the least severe first."""

PROGRESS_MESSAGE_SINCE = "2025-03-26"
"""The revision that gave progress notifications their ``message``."""

CAPABILITY_METHODS: dict[str, tuple[str, ...]] = {
    "tools": ("tools/list",),
    "resources": ("resources/list", "resources/templates/list"),
    "resources.subscribe": ("resources/subscribe", "resources/unsubscribe"),
    "prompts": ("prompts/list",),
    "completions": ("completion/complete",),
    "logging": ("logging/setLevel",),
}
"""The methods that a declared capability, or a flag of one, promises."""

LIST_KEYS: dict[str, str] = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
"""The member that holds the items of a list result."""


def latest(era: Era) -> Revision:
    return LATEST_MODERN if era is Era.MODERN else LATEST_LEGACY
