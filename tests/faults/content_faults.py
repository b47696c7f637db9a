"""What faults do to lists, resources, prompts and completions of the scripted server, and to caching hints."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from faults.messages import Message, Request

if TYPE_CHECKING:
    from faults.core import Server

FOREIGN = "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
ODD_URIS = {
    "resource-uri-with-spaces": "shop://the logo",
    "resource-uri-without-scheme": "logo",
    "resource-uri-with-lone-percent": "shop://logo-100%",
}
LISTS = {"resources/list": "resources", "resources/templates/list": "resourceTemplates", "prompts/list": "prompts"}


def vary(items: list[Message], key: str, server: Server, request: Request) -> None:
    """Do to all items of a list what faults do that depend on what was before."""
    number = {"resources": "resource", "prompts": "prompt"}.get(key)
    if number and server.faulty(f"{number}-list-differs-by-connection"):
        items[-1]["description"] = f"You are {request.context.peer}."
    if number and server.faulty(f"requests-change-{number}-list"):
        items[-1]["description"] = f"{server.reads} were asked for."
    server.orders[key] = server.orders.get(key, 0) + ("cursor" not in request.params)
    if server.faulty("list-order-changes") and server.orders[key] % 2:
        items.reverse()


def meant(uri: Any, server: Server) -> Any:
    """The URI that is meant by one that a fault lists."""
    return "shop://logo" if any(uri == odd and server.faulty(fault) for fault, odd in ODD_URIS.items()) else uri


def leads_astray(uri: str, server: Server) -> bool:
    """Whether a careless server would read a file of the machine here."""
    path = unquote(uri.partition("://")[2])
    if uri.startswith("file:"):
        return server.faulty("file-uri-served") and path == "/etc/passwd"
    if not uri.startswith("shop://notes/"):
        return False
    if server.faulty("template-value-traverses"):
        return "/../" in path and path.endswith("/etc/passwd")
    return server.faulty("only-plain-traversal-refused") and "%2F" in uri and path.endswith("/etc/passwd")


def _of(key: str, name: str, edit: Callable[[Message], object]) -> Callable[[Message], object]:
    """An edit of the item of this name, if it is on the page."""
    return lambda result: [edit(item) for item in result[key] if item.get("name") == name]


def _resource(**changes: Any) -> Callable[[Message], object]:
    return _of("resources", "logo", lambda item: _change(item, changes))


def _template(**changes: Any) -> Callable[[Message], object]:
    return _of("resourceTemplates", "note", lambda item: _change(item, changes))


def _prompt(**changes: Any) -> Callable[[Message], object]:
    return _of("prompts", "review", lambda item: _change(item, changes))


def _item(member: str, **changes: Any) -> Callable[[Message], object]:
    """An edit of the contents that have this member."""
    return lambda result: [_change(item, changes) for item in result["contents"] if member in item]


def _block(kind: str, **changes: Any) -> Callable[[Message], object]:
    """An edit of the messages of a prompt whose content is of this kind."""

    def edit(result: Message) -> None:
        for message in result.get("messages", ()):
            if message["content"]["type"] == kind:
                _change(message["content"], changes)

    return edit


def _embedded(**changes: Any) -> Callable[[Message], object]:
    def edit(result: Message) -> None:
        for message in result.get("messages", ()):
            if message["content"]["type"] == "resource":
                _change(message["content"]["resource"], changes)

    return edit


def _change(item: Message, changes: Message) -> None:
    """New values of members; ``None`` takes a member away."""
    for member, value in changes.items():
        item.pop(member, None)
        if value is not None:
            item[member] = value


def _messages(edit: Callable[[Message], object]) -> Callable[[Message], object]:
    return lambda result: edit(result) if "messages" in result else None


def _completion(**changes: Any) -> Callable[[Message], object]:
    return lambda result: _change(result["completion"], changes)


EDITS: dict[str, tuple[str, Callable[[Message], object]]] = {
    "resource-list-is-no-array": ("resources/list", lambda result: result.update(resources={})),
    "resource-without-name": ("resources/list", _of("resources", "logo", lambda item: item.pop("name"))),
    "resource-size-is-a-text": ("resources/list", _resource(size="2 kB")),
    "resource-audience-is-a-text": ("resources/list", _resource(annotations={"audience": "user"})),
    **{fault: ("resources/list", _resource(uri=uri)) for fault, uri in ODD_URIS.items()},
    "template-without-name": (
        "resources/templates/list",
        _of("resourceTemplates", "note", lambda item: item.pop("name")),
    ),
    "template-with-open-brace": ("resources/templates/list", _template(uriTemplate="shop://notes/{path")),
    "contents-is-an-object": ("resources/read", lambda result: result.update(contents=result["contents"][0])),
    "contents-without-uri": ("resources/read", _item("text", uri=None)),
    "contents-without-text": ("resources/read", _item("text", text=None)),
    "text-resource-cut": ("resources/read", _item("text", text="Orders")),
    "blob-in-url-alphabet": ("resources/read", _item("blob", blob="__79")),
    "blob-is-no-base64": ("resources/read", _item("blob", blob="all bytes")),
    "binary-sent-as-text": ("resources/read", _item("blob", blob=None, text="\ufffdPNG")),
    "blob-of-another-type": ("resources/read", _item("blob", mimeType="image/jpeg")),
    "listed-resource-empty": ("resources/read", lambda result: result.update(contents=[])),
    "prompt-list-is-no-array": ("prompts/list", lambda result: result.update(prompts={})),
    "prompt-without-name": ("prompts/list", _of("prompts", "banner", lambda item: item.pop("name"))),
    "prompt-arguments-as-object": ("prompts/list", _prompt(arguments={"code": {"required": True}})),
    "prompt-role-system": ("prompts/get", _messages(lambda result: result["messages"][0].update(role="system"))),
    "prompt-messages-missing": ("prompts/get", _messages(lambda result: result.pop("messages"))),
    "prompt-content-is-a-text": (
        "prompts/get",
        _messages(lambda result: result["messages"][0].update(content="Review.")),
    ),
    "prompt-content-of-unknown-type": ("prompts/get", _block("image", type="picture")),
    "prompt-image-without-mime-type": ("prompts/get", _block("image", mimeType=None)),
    "prompt-image-is-no-base64": ("prompts/get", _block("image", data="the logo")),
    "prompt-resource-without-uri": ("prompts/get", _embedded(uri=None)),
    "prompt-resource-without-text": ("prompts/get", _embedded(text=None)),
    "prompt-resource-without-mime-type": ("prompts/get", _embedded(mimeType=None)),
    "too-many-completions": ("completion/complete", _completion(values=[f"value {n}" for n in range(101)], total=None)),
    "completions-are-objects": ("completion/complete", _completion(values=[{"value": "java"}], total=1)),
    "completion-total-too-small": ("completion/complete", _completion(total=-1)),
    "completion-has-more-wrong": ("completion/complete", _completion(total=500)),
}
CACHE_EDITS: dict[str, tuple[tuple[str, ...], Callable[[Message], object]]] = {
    "lists-without-cache-hints": (
        ("tools/list", *LISTS),
        lambda result: (result.pop("ttlMs"), result.pop("cacheScope")),
    ),
    "read-without-cache-hints": (("resources/read",), lambda result: (result.pop("ttlMs"), result.pop("cacheScope"))),
    "ttl-is-negative": (("resources/templates/list",), lambda result: result.update(ttlMs=-1)),
    "ttl-is-a-text": (("prompts/list",), lambda result: result.update(ttlMs="60000")),
    "cache-scope-unknown": (("resources/read",), lambda result: result.update(cacheScope="user")),
    "cache-scope-differs-by-page": (
        tuple(LISTS),
        lambda result: "nextCursor" in result or result.update(cacheScope="private"),
    ),
}
PAGE_EDITS: dict[str, Callable[[Message], object]] = {
    "last-page-cursor-is-null": lambda result: result.setdefault("nextCursor", None),
    "cursor-is-a-number": lambda result: "nextCursor" in result and result.update(nextCursor=2),
}


def spoil(result: Message, method: str, faulty: Callable[[str], bool]) -> None:
    """Do to a result what the chosen faults do to it."""
    for fault, (own, edit) in EDITS.items():
        if method == own and faulty(fault):
            edit(result)
    for fault, (methods, edit) in CACHE_EDITS.items():
        if method in methods and "ttlMs" in result and faulty(fault):
            edit(result)
    for fault, edit in PAGE_EDITS.items():
        if method in LISTS and faulty(fault):
            edit(result)
    if result.get("resultType") == "input_required" and faulty("question-with-cache-hints"):
        result.update(ttlMs=60_000, cacheScope="private")
