"""Checks of what a server publishes about its tools, part by part (TOOL, SCHEMA-06)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..session.revisions import Revision
from .lists import identity
from .schemas import external_references, schema_problems

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
SCHEMAS = ("inputSchema", "outputSchema")

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True, slots=True)
class Part:
    """One matter that is judged for each tool."""

    problems: Callable[[Any, Revision], list[str]]
    applies: Callable[[Revision], bool] = lambda revision: True
    """Whether the revision has a rule about it."""
    member: str = ""
    """Only tools with this member are judged."""


def shape_problems(tool: Any, revision: Revision) -> list[str]:
    """An item of the list that is no tool with a name and a description that is text (TOOL-02)."""
    if not isinstance(tool, dict):
        return [f"a tool must be an object, got {type(tool).__name__}"]
    problems = []
    if not isinstance(tool.get("name"), str):
        problems.append(f"'name' must be a string, got {tool.get('name', 'none')!r}")
    for member in ("title", "description"):
        if member in tool and not isinstance(tool[member], str):
            problems.append(f"'{member}' must be a string, got {tool[member]!r}")
    return problems


def name_problems(tool: Any, revision: Revision) -> list[str]:
    """A name of other characters than letters, digits, ``_``, ``-`` and ``.``, or of more than 128 (TOOL-06)."""
    name = str(tool.get("name"))
    if _NAME.fullmatch(name):
        return []
    if len(name) > 128:
        return [f"the name must have at most 128 characters, got {len(name)}"]
    odd = sorted({c for c in name if not _NAME.fullmatch(c)})
    return [f"the name must have only A-Z a-z 0-9 _ - and ., got {' '.join(map(repr, odd)) or 'an empty one'}"]


def description_problems(tool: Any, revision: Revision) -> list[str]:
    """No description, which a model needs to choose the tool (TOOL-08, X-17)."""
    description = tool.get("description")
    if isinstance(description, str) and description.strip():
        return []
    return [f"'description' should say what the tool does, got {description!r}"]


def input_root_problems(tool: Any, revision: Revision) -> list[str]:
    """An inputSchema that is no object, or not for an object (TOOL-09, SCHEMA-06)."""
    return _root_problems(tool, "inputSchema")


def output_root_problems(tool: Any, revision: Revision) -> list[str]:
    """A legacy outputSchema that is not for an object (TOOL-16)."""
    if revision.output_of_any_type:
        return _object_problems(tool, "outputSchema")
    return _root_problems(tool, "outputSchema")


def _object_problems(tool: Any, member: str) -> list[str]:
    schema = tool.get(member)
    return [] if isinstance(schema, dict) else [f"'{member}' must be an object, got {schema!r}"]


def _root_problems(tool: Any, member: str) -> list[str]:
    kind = tool[member].get("type") if isinstance(tool.get(member), dict) else "object"
    wrong = [] if kind == "object" else [f"'{member}.type' must be \"object\", got {kind!r}"]
    return _object_problems(tool, member) or wrong


def dialect_problems(tool: Any, revision: Revision) -> list[str]:
    """Schemas that are not valid in their own dialect (TOOL-10, TOOL-11, TOOL-12)."""
    return _over_schemas(tool, schema_problems)


def reference_problems(tool: Any, revision: Revision) -> list[str]:
    """Schemas with references that leave them (TOOL-15)."""
    return _over_schemas(tool, external_references)


def _over_schemas(tool: Any, check: Callable[[Any], list[str]]) -> list[str]:
    problems = []
    for member in SCHEMAS:
        if isinstance(tool.get(member), dict):
            problems += [f"in '{member}', {problem}" for problem in check(tool[member])]
        elif member in tool and member == "outputSchema" and check is schema_problems:
            problems.append(f"'{member}' must be an object, got {tool[member]!r}")
    return problems


def annotation_problems(tool: Any, revision: Revision) -> list[str]:
    """Annotations whose hints are no booleans (TOOL-26)."""
    annotations = tool.get("annotations")
    if not isinstance(annotations, dict):
        return [f"'annotations' must be an object, got {annotations!r}"]
    return [
        f"'annotations.{hint}' must be true or false, got {annotations[hint]!r}"
        for hint in HINTS
        if hint in annotations and not isinstance(annotations[hint], bool)
    ]


def icon_problems(owner: Any, revision: Revision) -> list[str]:
    """Icons of a tool, prompt, resource or server that a client must not load (TOOL-38)."""
    icons = owner.get("icons")
    if not isinstance(icons, list):
        return [f"'icons' must be an array, got {icons!r}"]
    problems = []
    for number, icon in enumerate(icons, 1):
        src = icon.get("src") if isinstance(icon, dict) else None
        if not isinstance(src, str) or not src.lower().startswith(("https:", "data:")):
            problems.append(f"'src' of icon {number} must be an https: or data: URI, got {str(src)[:60]!r}")
    return problems


def execution_problems(tool: Any, revision: Revision) -> list[str]:
    """A taskSupport that the schema does not know (TOOL-39)."""
    execution = tool.get("execution")
    if not isinstance(execution, dict):
        return [f"'execution' must be an object, got {execution!r}"]
    support = execution.get("taskSupport", "forbidden")
    if support in ("forbidden", "optional", "required"):
        return []
    return [f"'execution.taskSupport' must be forbidden, optional or required, got {support!r}"]


PARTS: dict[str, Part] = {
    "shapes": Part(shape_problems),
    "names": Part(name_problems, lambda revision: revision.defines_names_and_dialects),
    "descriptions": Part(description_problems),
    "input roots": Part(input_root_problems),
    "output roots": Part(output_root_problems, lambda revision: revision.structured_content, "outputSchema"),
    "dialects": Part(dialect_problems),
    "references": Part(reference_problems),
    "annotations": Part(annotation_problems, lambda revision: revision.name >= "2025-03-26", "annotations"),
    "icons": Part(icon_problems, lambda revision: revision.defines_names_and_dialects, "icons"),
    "executions": Part(execution_problems, lambda revision: revision.task_support, "execution"),
}  # fmt: skip


def doubled_names(tools: Iterable[Any]) -> list[str]:
    """Names that more than one tool has (TOOL-07)."""
    seen: set[str] = set()
    doubled = []
    for name in map(identity, tools):
        if name in seen and name not in doubled:
            doubled.append(name)
        seen.add(name)
    return doubled
