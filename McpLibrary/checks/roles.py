"""The roles that a profile may name, and what a role looks like: the one place for these words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Role:
    """What a server's own tool, prompt or resource can be to the suites."""

    name: str
    key: str
    """What a role of this kind must have: ``name`` (tools and prompts, with ``arguments``), ``uri``, or nothing of these."""
    meaning: str
    """One sentence: what plays the role."""
    members: dict[str, str]
    """What else the role may say of itself, and what each of these means."""


def _called(name: str, meaning: str, **members: str) -> Role:
    """A tool or a prompt."""
    return Role(name, "name", meaning, members)


def _read(name: str, meaning: str, **members: str) -> Role:
    """A resource."""
    return Role(name, "uri", meaning, members)


def _other(name: str, meaning: str, **members: str) -> Role:
    return Role(name, "", meaning, members)


_TEXT = "the text of its first content block"
_PART = "a part of the text of its first content block"
_ANSWERED = "the text of its first content block after that answer"
_OTHERS = "other arguments that are good as well"
_SECRET = "a text from inside, such as of the exception or a path, that no client must ever see"  # noqa: S105

# A new role is one more line here: its name, one sentence, and what more it may say of itself.
ROLES: dict[str, Role] = {role.name: role for role in (
    _called("safe_tool", "A tool that may be called often and at any time, with arguments that succeed.", text=_TEXT),
    _called("structured_tool", "A tool that publishes an `outputSchema`.", structured="its structured content"),
    _called("media_tool", "A tool whose result has more than text.", types="the types of its content blocks, in order"),
    _called("echo_tool", "A tool that gives back the text that it is given.", argument="the argument that takes the text"),
    _called("failing_tool", "A good call that fails for a reason of your business, such as an unknown order.",
            text_contains=_PART),
    _called("crashing_tool", "A call that makes the tool's own code raise an exception.", secret=_SECRET),
    _called("slow_tool", "A call that takes a while.", seconds_argument="the argument that says for how many seconds, which may be a fraction",
            text=_TEXT),
    _called("logging_tool", "A tool that sends log messages while it runs.", levels="their levels, in order"),
    _called("header_tool", "A tool whose `inputSchema` mirrors arguments in HTTP headers (`x-mcp-header`).", text=_TEXT),
    _called("whoami_tool", "A tool that says for whom it runs."),
    _called("elicitation_tool", "A tool that asks the user before it completes (elicitation).",
            answer="the content of an accepted form", text=_ANSWERED, other_arguments=_OTHERS),
    _called("url_elicitation_tool", "A tool that asks the user to visit a URL before it completes."),
    _called("url_required_tool", "A tool that needs a URL visited: by error -32042 on 2025-11-25, by asking since."),
    _called("sampling_tool", "A tool that asks the client's model before it completes (sampling).",
            answer="the text that the model says", text=_ANSWERED),
    _called("sampling_tools_tool", "A tool that lets the client's model use tools while it samples.",
            answer="the text that the model says", text=_ANSWERED),
    _called("extension_tool", "A tool that uses an extension when the client declares it, and does without when not.",
            extension="the identifier of the extension"),
    _called("roots_tool", "A tool that asks for the client's roots before it completes.",
            answer="the URIs of the roots", text=_ANSWERED),
    _called("handwritten_rounds_tool", "A tool whose own code, not an SDK, returns `input_required` rounds.",
            key="the key of its question", answer="the content of an accepted form", text=_ANSWERED,
            one_time="whether an answer counts only once", other_arguments=_OTHERS),
    _called("imperative_tool", "A tool that asks in the middle of its run, over the back-channel of the legacy era.",
            answer="the content of an accepted form", text=_ANSWERED),
    _called("open_handle_tool", "A tool that hands out a handle to state on the server, such as the number of a cart.",
            handle="the member of its structured content that is the handle"),
    _called("use_handle_tool", "A tool that works with such a handle.", handle_argument="the argument that takes it",
            text=_TEXT),
    _called("booking_tool", "A tool with arguments of several types, some called like arguments of keywords."),
    _called("mutating_tool", "A tool that changes lists or a resource of the server, and changes them back when called again.",
            changes="the lists that it changes", updates="the URI of the resource that it changes"),
    _called("state_probe", "A tool that shows the state that other tools change, and changes nothing.",
            counts="the members of its answer that count slow calls which `started`, `finished` and were `cancelled`"),
    _called("idempotent_tool", "A tool that changes something and says `idempotentHint: true`."),
    _called("schema_tool", "A tool whose `inputSchema` is known word for word.", schema="that schema"),
    _called("destructive_tool", "A tool that destroys what cannot be brought back."),
    _called("view_tool", "A tool that brings a page of its own (MCP Apps, `_meta.ui.resourceUri`)."),
    _called("task_tool", "A call that the server makes a task of, and that succeeds within some seconds.", text=_TEXT),
    _called("failing_task_tool", "A call that becomes a task and ends with `isError: true`."),
    _called("asking_task_tool", "A call that becomes a task and asks the user by `inputRequests` (2026-07-28).",
            answer="the content of an accepted form"),
    _called("task_only_tool", "A tool whose `execution.taskSupport` is `required` (2025-11-25)."),
    _called("prompt", "A prompt with a required argument.", required="the name of that argument",
            text_contains="a part of the text of its first message"),
    _called("asking_prompt", "A prompt that asks the user before it gives its messages (elicitation).",
            answer="the content of an accepted form", text="a part of the text of its first message after that answer"),
    _called("crashing_prompt", "A prompt whose code raises an exception.", secret=_SECRET),
    _read("text_resource", "A resource of text.", mimeType="its MIME type", text_contains="a part of its text"),
    _read("binary_resource", "A resource that is not text.", mimeType="its MIME type"),
    _read("resource_template", "A resource that is read through a template.", uriTemplate="the template that `uri` fits",
          text="its text"),
    _read("crashing_resource", "A resource whose code raises an exception.", secret=_SECRET),
    _other("missing_resource_uri", "A URI of a scheme that the server serves, with nothing behind it. The URI is the value."),
    _other("completion", "What the server completes.", ref="the prompt or template, as in `completion/complete`",
           argument="its `name` and the `value` typed so far", values="the completions for it"),
)}  # fmt: skip

CALLED_FOR_RESULTS = ("safe_tool", "structured_tool", "media_tool", "echo_tool", "failing_tool", "crashing_tool",
                      "header_tool", "whoami_tool", "state_probe")  # fmt: skip
"""Roles whose tools are called to look at their results. The others change something, take long, ask or log."""


def role_problems(roles: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the ROLES of a profile: unknown names, and roles without what they need."""
    for name, value in roles.items():
        role = ROLES.get(name)
        if role is None:
            close = difflib.get_close_matches(str(name), ROLES, n=1)
            meant = f"; did you mean {close[0]!r}?" if close else f". Roles are: {', '.join(ROLES)}"
            yield f"there is no role {name!r}{meant}"
        elif role.key == "name" and not (isinstance(value, dict) and isinstance(value.get("name"), str)):
            yield f"role {name!r} needs a mapping with 'name' and 'arguments', got {value!r}"
        elif role.key == "name" and not isinstance(value.get("arguments", {}), dict):
            yield f"the arguments of role {name!r} must be a mapping, got {value['arguments']!r}"
        elif role.key == "uri" and not (isinstance(value, dict) and isinstance(value.get("uri"), str)):
            yield f"role {name!r} needs a mapping with 'uri', got {value!r}"
