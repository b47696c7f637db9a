"""The roles that a profile may name, and what a role looks like: the one place for these words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

TOOLS = (
    "safe_tool", "structured_tool", "media_tool", "echo_tool", "failing_tool", "crashing_tool", "slow_tool", "logging_tool",
    "header_tool", "whoami_tool", "elicitation_tool", "sampling_tool", "roots_tool", "handwritten_rounds_tool",
    "imperative_tool", "open_handle_tool", "use_handle_tool", "booking_tool", "mutating_tool", "state_probe",
    "destructive_tool", "prompt", "crashing_prompt",
)  # fmt: skip
"""Roles with a ``name`` and ``arguments``."""

RESOURCES = ("text_resource", "binary_resource", "resource_template", "crashing_resource")
"""Roles with a ``uri``."""

OTHERS = ("missing_resource_uri", "completion")

ROLES = (*TOOLS, *RESOURCES, *OTHERS)


def role_problems(roles: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the ROLES of a profile: unknown names, and roles without what they need."""
    for role, value in roles.items():
        if role not in ROLES:
            close = difflib.get_close_matches(str(role), ROLES, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else f". Roles are: {', '.join(ROLES)}"
            yield f"there is no role {role!r}{meant}"
        elif role in TOOLS and not (isinstance(value, dict) and isinstance(value.get("name"), str)):
            yield f"role {role!r} needs a mapping with 'name' and 'arguments', got {value!r}"
        elif role in TOOLS and not isinstance(value.get("arguments", {}), dict):
            yield f"the arguments of role {role!r} must be a mapping, got {value['arguments']!r}"
        elif role in RESOURCES and not (isinstance(value, dict) and isinstance(value.get("uri"), str)):
            yield f"role {role!r} needs a mapping with 'uri', got {value!r}"
