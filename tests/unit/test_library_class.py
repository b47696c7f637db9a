"""The library class: its mixins must not hide each other's methods."""

from McpLibrary import McpLibrary


def test_no_mixin_hides_a_method_of_another():
    owners: dict[str, str] = {}
    for mixin in McpLibrary.__bases__:
        for name in list(vars(mixin)):
            if name.startswith("__"):
                continue
            if name in getattr(mixin, "__annotations__", {}):
                continue
            assert name not in owners, f"{mixin.__name__}.{name} hides {owners[name]}.{name}"
            owners[name] = mixin.__name__
    own = {name for name in vars(McpLibrary) if not name.startswith("__")} - {"ROBOT_LISTENER_API_VERSION"}
    assert not own & {name for name in owners if not name.startswith("__")}
