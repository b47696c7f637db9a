"""The words of a profile: the sample server's own profile is right, and mistakes are named."""

from pathlib import Path

import pytest
import yaml

import McpLibrary
from McpLibrary.checks.roles import role_problems


def test_profile_of_the_sample_server_is_right():
    profile = Path(McpLibrary.__file__).parent / "demo" / "profile.yaml"
    assert list(role_problems(yaml.safe_load(profile.read_text(encoding="utf-8"))["ROLES"])) == []


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"safe_tol": {"name": "x"}}, "there is no role 'safe_tol'; did you mean 'safe_tool'?"),
        ({"zzz": {}}, "there is no role 'zzz'. Roles are: safe_tool, "),
        ({"safe_tool": "add"}, "role 'safe_tool' needs a mapping with 'name' and 'arguments', got 'add'"),
        (
            {"safe_tool": {"name": "x", "arguments": [1]}},
            "the arguments of role 'safe_tool' must be a mapping, got [1]",
        ),
        ({"text_resource": {"name": "x"}}, "role 'text_resource' needs a mapping with 'uri'"),
    ],
)
def test_mistake_is_named(roles, words):
    assert next(role_problems(roles)).startswith(words)
