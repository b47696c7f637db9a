"""URIs by the grammar of RFC 3986, and URI templates by that of RFC 6570 (RES-03, RES-11, RES-18)."""

from __future__ import annotations

import re
from typing import Any

_HEX = "%[0-9A-Fa-f]{2}"
_PCHAR = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|{_HEX})"
_USER = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:]|{_HEX})*"
_NAME = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=]|{_HEX})*"
_LITERAL = r"\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+)\]"
_URI = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.\-]*:"
    rf"(?://(?:{_USER}@)?(?:{_LITERAL}|{_NAME})(?::[0-9]*)?(?:/{_PCHAR}*)*|/(?:{_PCHAR}+(?:/{_PCHAR}*)*)?|{_PCHAR}+(?:/{_PCHAR}*)*|)"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_FORBIDDEN = re.compile(r"[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)

_VARIABLE = rf"(?:[A-Za-z0-9_]|{_HEX})+(?:\.(?:[A-Za-z0-9_]|{_HEX})+)*"
_EXPRESSION = re.compile(
    rf"([+#./;?&])?((?:{_VARIABLE}(?::[1-9][0-9]{{0,3}}|\*)?)(?:,{_VARIABLE}(?::[1-9][0-9]{{0,3}}|\*)?)*)"
)
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_NO_LITERAL = re.compile(r"[\x00-\x20\"<>\\^`{|}\x7f]")


def uri_problem(value: Any) -> str:
    """Why a value is no URI with a scheme, in words that fit after "it"; empty when it is one."""
    if not isinstance(value, str):
        return "is no text"
    if not value:
        return "is empty"
    if not _SCHEME.match(value):
        return "has no scheme"
    if odd := _FORBIDDEN.search(value):
        return f"has {odd[0]!r}, which a URI can hold only as %-escape"
    if odd := _LONE_PERCENT.search(value):
        return f"has {odd[0]!r}, which is no %-escape"
    return "" if _URI.fullmatch(value) else "is not built like a URI"


def template_problem(value: Any) -> str:
    """Why a value is no URI template, in words that fit after "it"; empty when it is one."""
    if not isinstance(value, str):
        return "is no text"
    if not value:
        return "is empty"
    for expression in _IN_BRACES.findall(value):
        if not _EXPRESSION.fullmatch(expression):
            return f"has the expression {{{expression}}}, which names no variable"
    literals = _IN_BRACES.sub("", value)
    if odd := re.search(r"[{}]", literals):
        return f"has a brace {odd[0]!r} without its other half"
    if odd := _NO_LITERAL.search(literals):
        return f"has {odd[0]!r} outside of expressions"
    if odd := _LONE_PERCENT.search(literals):
        return f"has {odd[0]!r}, which is no %-escape"
    return ""


def variables(template: str) -> list[str]:
    """The names of the variables of a template, each once."""
    found = [_EXPRESSION.fullmatch(expression) for expression in _IN_BRACES.findall(template)]
    names = [re.split(r"[:*]", part)[0] for match in found if match for part in match[2].split(",")]
    return list(dict.fromkeys(names))


def filled(template: str, value: str) -> str:
    """The template with this value, untouched, in the place of each variable; for values that no client would send."""

    def put(match: re.Match[str]) -> str:
        parts = _EXPRESSION.fullmatch(match[1])
        if parts is None:
            return value
        operator = parts[1] or ""
        names = [re.split(r"[:*]", part)[0] for part in parts[2].split(",")]
        between = {"": ",", "+": ",", "#": ",", "?": "&"}.get(operator, operator)
        values = [f"{name}={value}" if operator in ("?", "&", ";") else value for name in names]
        return ("" if operator == "+" else operator) + between.join(values)

    return _IN_BRACES.sub(put, template)
