"""The words of a profile: the sample server's own profile is right, and mistakes are named."""

from pathlib import Path

import pytest
import yaml

import McpLibrary
from McpLibrary.checks.roles import ROLES, role_problems

DEMO = Path(McpLibrary.__file__).parent / "demo" / "profile.yaml"
SCRIPTED = Path(__file__).parent.parent / "faults" / "profile.yaml"


def roles_of(profile):
    return yaml.safe_load(profile.read_text(encoding="utf-8"))["ROLES"]


@pytest.mark.parametrize("profile", [DEMO, SCRIPTED], ids=["demo", "scripted"])
def test_our_own_profiles_are_right_and_say_only_what_is_described(profile):
    roles = roles_of(profile)
    assert list(role_problems(roles)) == []
    for name, value in roles.items():
        role = ROLES[name]
        known = {"name": {"name", "arguments"}, "uri": {"uri"}, "": set()}[role.key] | set(role.members)
        said = set(value) if isinstance(value, dict) else set()
        assert said <= known, f"describe these members of {name} in McpLibrary/checks/roles.py: {said - known}"


def test_the_sample_server_plays_every_role_and_shows_every_member():
    roles = roles_of(DEMO)
    without = {"task_only_tool"}  # Core tasks of 2025-11-25, which the SDK that it is built on does not have.
    assert set(roles) == set(ROLES) - without
    for name, role in ROLES.items():
        if name in without:
            continue
        shown = set(roles[name]) if isinstance(roles[name], dict) else set()
        assert set(role.members) <= shown, f"{name} of {DEMO} does not show {set(role.members) - shown}"


@pytest.mark.parametrize("role", ROLES.values(), ids=list(ROLES))
def test_a_role_is_described_in_a_sentence(role):
    assert role.meaning[0].isupper() and role.meaning.endswith(".")
    assert all(text and text[0].islower() and not text.endswith(".") for text in role.members.values()), role.members


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
