"""Checks of what a server says of itself in ``initialize`` and ``server/discover`` (HS, DISC, META-11 to META-14)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any

from ..session.envelope import SERVER_INFO_KEY
from ..session.revisions import LEGACY, Era, Revision

CORE_RESULTS = ("complete", "input_required")

_BOOLEAN_FLAGS = {
    "tools": ("listChanged",),
    "prompts": ("listChanged",),
    "resources": ("listChanged", "subscribe"),
}
_CAPABILITIES = ("tools", "prompts", "resources", "completions", "logging", "experimental", "extensions", "tasks")
_IDENTIFIER = re.compile(
    r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*/[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?"
)


def initialize_problems(result: Any) -> list[str]:
    """Members that ``initialize`` must return and are missing or of the wrong type (HS-01)."""
    if not isinstance(result, dict):
        return [f"the result must be an object, got {type(result).__name__}"]
    problems = []
    for member, kind in (("protocolVersion", str), ("capabilities", dict), ("serverInfo", dict)):
        if member not in result:
            problems.append(f"the result has no {member!r}")
        elif not isinstance(result[member], kind):
            problems.append(f"{member!r} must be {_WORDS[kind]}, got {result[member]!r}")
    return problems


def discover_problems(result: Any, revision: Revision) -> list[str]:
    """What ``server/discover`` must return and does not: versions and capabilities (DISC-02, DISC-03)."""
    if not isinstance(result, dict):
        return [f"the result must be an object, got {type(result).__name__}"]
    problems = []
    versions = result.get("supportedVersions")
    if not isinstance(versions, list) or not versions or not all(isinstance(v, str) and v for v in versions):
        problems.append(f"'supportedVersions' must be a list of non-empty strings, got {versions!r}")
    elif revision.name not in versions:
        problems.append(f"'supportedVersions' must contain the version just served, {revision.name}, got {versions!r}")
    if not isinstance(result.get("capabilities"), dict):
        problems.append(f"'capabilities' must be an object, got {result.get('capabilities', 'none')!r}")
    return problems


def server_info_problems(info: Any) -> list[str]:
    """What is wrong with an Implementation object: name and version (HS-06, META-12), optional members (HS-20)."""
    if not isinstance(info, dict):
        return [f"serverInfo must be an object, got {info!r}"]
    problems = []
    if not isinstance(info.get("name"), str) or not info["name"].strip():
        problems.append(f"the name must be a string that is not empty, got {info.get('name')!r}")
    if not isinstance(info.get("version"), str):
        problems.append(f"the version must be a string, got {info.get('version')!r}")
    for member in ("title", "description", "websiteUrl"):
        if member in info and not isinstance(info[member], str):
            problems.append(f"{member!r} must be a string, got {info[member]!r}")
    if "icons" in info:
        problems += _icon_problems(info["icons"])
    return problems


def _icon_problems(icons: Any) -> list[str]:
    if not isinstance(icons, list):
        return [f"'icons' must be a list, got {icons!r}"]
    problems = []
    for icon in icons:
        if not isinstance(icon, dict) or not isinstance(icon.get("src"), str):
            problems.append(f"an icon must be an object with a string 'src', got {icon!r}")
            continue
        if not isinstance(icon.get("mimeType", ""), str):
            problems.append(f"the 'mimeType' of an icon must be a string, got {icon['mimeType']!r}")
        sizes = icon.get("sizes", [])
        if not isinstance(sizes, list) or not all(isinstance(size, str) for size in sizes):
            problems.append(f"the 'sizes' of an icon must be a list of strings, got {sizes!r}")
        if icon.get("theme", "light") not in ("light", "dark"):
            problems.append(f"the 'theme' of an icon must be light or dark, got {icon['theme']!r}")
    return problems


def is_declared(capabilities: Any, name: str) -> bool:
    """Whether a capability, or a flag of one such as ``resources.subscribe``, is declared."""
    value = capabilities
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value is not None and value is not False


def capability_problems(capabilities: Any) -> list[str]:
    """Capabilities of the wrong shape: objects whose flags are booleans (HS-13, DISC-03, DISC-10)."""
    if not isinstance(capabilities, dict):
        return [f"'capabilities' must be an object, got {capabilities!r}"]
    problems = []
    for name in _CAPABILITIES:
        if name not in capabilities:
            continue
        value = capabilities[name]
        if not isinstance(value, dict):
            problems.append(f"capability {name!r} must be an object, got {value!r}")
            continue
        for flag in _BOOLEAN_FLAGS.get(name, ()):
            if flag in value and not isinstance(value[flag], bool):
                problems.append(f"capability '{name}.{flag}' must be a boolean, got {value[flag]!r}")
    extensions = capabilities.get("extensions")
    for identifier, value in extensions.items() if isinstance(extensions, dict) else ():
        if not _IDENTIFIER.fullmatch(identifier):
            problems.append(f"extension {identifier!r} must be named prefix/name")
        elif not isinstance(value, dict):
            problems.append(f"extension {identifier!r} must hold an object, got {value!r}")
    return problems


def instructions_problems(result: Any) -> list[str]:
    """``instructions`` that are there and no string (HS-16)."""
    if isinstance(result, dict) and "instructions" in result and not isinstance(result["instructions"], str):
        return [f"'instructions' must be a string, got {result['instructions']!r}"]
    return []


def result_type_problems(result: Any, extensions: Collection[str] = ()) -> list[str]:
    """A modern result without a proper ``resultType`` (META-13, META-14). Legacy results need none (META-15).

    ``extensions`` are those that both sides declared: they may have types of their own (X-05).
    """
    if not isinstance(result, dict):
        return [f"the result must be an object, got {type(result).__name__}"]
    if "resultType" not in result:
        return ["the result has no 'resultType'"]
    kind = result["resultType"]
    if not isinstance(kind, str) or (kind not in CORE_RESULTS and not extensions):
        return [f"'resultType' must be {' or '.join(CORE_RESULTS)}, got {kind!r}"]
    return []


def missing_stamp(result: Any) -> list[str]:
    """A modern result whose ``_meta`` does not say which server answered (META-11)."""
    return [] if _stamp(result) is not None else [f"the result's '_meta' has no '{SERVER_INFO_KEY}'"]


def stamp_problems(result: Any) -> list[str]:
    """A modern result that names no server, or not properly (META-11, META-12)."""
    return missing_stamp(result) or server_info_problems(_stamp(result))


def _stamp(result: Any) -> Any:
    meta = result.get("_meta") if isinstance(result, dict) else None
    return meta.get(SERVER_INFO_KEY) if isinstance(meta, dict) else None


def unsupported_version_problems(error: Any, requested: str, era: Era) -> list[str]:
    """What is wrong with the refusal of a version: the modern -32022 names ``supported`` and ``requested`` (VER-01)."""
    if era is Era.LEGACY:
        return []
    data = error.get("data") if isinstance(error, dict) else None
    if not isinstance(data, dict):
        return ["the error has no data that names the supported versions"]
    problems = []
    supported = data.get("supported")
    if not isinstance(supported, list) or not supported or not all(isinstance(v, str) and v for v in supported):
        problems.append(f"'data.supported' must be a list of non-empty strings, got {supported!r}")
    if data.get("requested") != requested:
        problems.append(f"'data.requested' must be {requested!r}, got {data.get('requested', 'none')!r}")
    return problems


def ping_problems(result: Any) -> list[str]:
    """A result of ``ping`` that says anything (PING-01); ``_meta`` may come with every result."""
    more = sorted(set(result) - {"_meta"}) if isinstance(result, dict) else [repr(result)]
    return [f"the result of ping must be empty, but has {', '.join(more)}"] if more else []


def unhelpful_refusal(error: Any, body: str, versions: Iterable[str]) -> list[str]:
    """A refusal of ``initialize`` that names none of the versions that the server speaks (HS-19)."""
    text = f"{error} {body}"
    if any(version in text for version in versions):
        return []
    return [
        f"neither the data nor the text of the refusal names a version that the server speaks ({', '.join(versions)})"
    ]


def negotiated_problems(requested: str, negotiated: Any) -> list[str]:
    """An answer of ``initialize`` that settles on no legacy revision (HS-02, HS-03, HS-04)."""
    if not isinstance(negotiated, str):
        return [f"'protocolVersion' must be a string, got {negotiated!r}"]
    if negotiated not in LEGACY:
        return [
            f"asked for {requested}, the server negotiated {negotiated!r}, which is no legacy revision ({', '.join(LEGACY)})"
        ]
    return []


_WORDS: dict[type, str] = {str: "a string", dict: "an object"}
