"""The checks of tasks: their shape in both generations, the steps of their status, ids that can be guessed."""

import pytest

from McpLibrary.checks import tasks
from McpLibrary.checks.tasks import BY_EXTENSION, CORE, EXTENSION, RELATED_KEY

TIMES = {"createdAt": "2026-12-01T08:00:00Z", "lastUpdatedAt": "2026-12-01T08:00:01.5+01:00"}
OLD = {"taskId": "t-1", "status": "working", "ttl": 60000, "pollInterval": 5, **TIMES}
NEW = {"taskId": "t-1", "status": "working", "ttlMs": None, **TIMES}


@pytest.mark.parametrize(
    ("modern", "capabilities", "offered"),
    [
        (False, {"tasks": {"requests": {"tools": {"call": {}}}}}, True),
        (False, {"tasks": {"list": {}}}, False),
        (False, {"tasks": {"requests": {"tools": True}}}, False),
        (False, {"extensions": {EXTENSION: {}}}, False),
        (True, {"extensions": {EXTENSION: {}}}, True),
        (True, {"extensions": {"com.example/tasks": {}}}, False),
        (True, {"tasks": {"requests": {"tools": {"call": {}}}}}, False),
        (True, None, False),
    ],
)
def test_tasks_are_offered_in_the_way_of_the_revision(modern, capabilities, offered):
    assert tasks.task_support(capabilities, modern=modern) is offered


@pytest.mark.parametrize(("dialect", "result"), [(CORE, {"task": OLD}), (BY_EXTENSION, {"resultType": "task", **NEW})])
def test_a_created_task_is_found_and_is_right(dialect, result):
    assert tasks.created_task(result, dialect)["taskId"] == "t-1"
    assert tasks.creation_problems(result, dialect) == []


@pytest.mark.parametrize("result", [None, [], "x", {"content": []}, {"task": "t-1"}, {"resultType": "complete"}])
@pytest.mark.parametrize("dialect", [CORE, BY_EXTENSION])
def test_an_ordinary_result_creates_no_task(dialect, result):
    assert tasks.created_task(result, dialect) is None
    assert tasks.creation_problems(result, dialect)


def test_a_task_without_its_result_type_is_seen_and_wrong():
    result = {"resultType": "complete", **NEW}
    assert tasks.created_task(result, BY_EXTENSION) is not None
    assert "resultType" in tasks.creation_problems(result, BY_EXTENSION)[0]


def test_a_core_task_begins_as_working():
    assert "must be working" in tasks.creation_problems({"task": {**OLD, "status": "completed"}}, CORE)[0]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("taskId", 5), ("taskId", ""), ("status", "done"), ("status", None), ("createdAt", 1765000000),
        ("createdAt", "yesterday"), ("lastUpdatedAt", None), ("ttl", "60"), ("ttl", -1), ("ttl", True), ("ttl", 1.5),
        ("pollInterval", "soon"), ("pollInterval", -5),
    ],
)  # fmt: skip
def test_each_wrong_member_of_a_task_is_told(member, value):
    problems = tasks.task_problems({**OLD, member: value}, CORE)
    assert len(problems) == 1
    assert member in problems[0]


@pytest.mark.parametrize("member", ["taskId", "status", "createdAt", "lastUpdatedAt", "ttl"])
def test_each_missing_member_of_a_task_is_told(member):
    assert member in tasks.task_problems({k: v for k, v in OLD.items() if k != member}, CORE)[0]


@pytest.mark.parametrize(
    ("status", "more", "words"),
    [
        ("working", {}, None),
        ("cancelled", {}, None),
        ("completed", {"result": {"content": []}}, None),
        ("failed", {"error": {"code": -32603, "message": "x"}}, None),
        ("input_required", {"inputRequests": {"k": {}}}, None),
        ("completed", {}, "must carry 'result'"),
        ("failed", {"error": "text"}, "must carry 'error'"),
        ("input_required", {}, "must carry 'inputRequests'"),
        ("working", {"result": {}}, "must not carry 'result'"),
    ],
)
def test_the_state_of_the_extension_carries_what_its_status_says(status, more, words):
    problems = tasks.state_problems({**NEW, "status": status, **more}, BY_EXTENSION)
    assert problems == [] if words is None else words in problems[0]


def test_the_state_of_a_core_task_carries_nothing_more():
    assert tasks.state_problems({**OLD, "status": "completed"}, CORE) == []


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (["working", "working", "completed", "completed"], None),
        (["working", "input_required", "working", "failed"], None),
        (["completed", "working"], "from completed, which is final, to working"),
        (["cancelled", "completed"], "from cancelled"),
        (["working", "done"], "does not exist"),
    ],
)
def test_steps_of_the_status(statuses, words):
    problems = tasks.transition_problems(statuses)
    assert problems == [] if words is None else words in problems[0]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"resultType": "complete", "_meta": {}}, None),
        ({}, "resultType"),
        ({"resultType": "task"}, "resultType"),
        ({"resultType": "complete", **NEW}, "must be empty"),
        (None, "must be a result object"),
    ],
)
def test_acknowledgements_are_empty(result, words):
    problems = tasks.acknowledgement_problems(result)
    assert problems == [] if words is None else words in problems[0]


@pytest.mark.parametrize("error", [None, {}, {"data": []}, {"data": {"requiredCapabilities": {"extensions": []}}}])
def test_a_demand_names_the_extension(error):
    assert EXTENSION in tasks.demand_problems(error, EXTENSION)[0]
    good = {"data": {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}}
    assert tasks.demand_problems(good, EXTENSION) == []


def test_a_result_names_its_task():
    assert tasks.related_problems({"_meta": {RELATED_KEY: {"taskId": "t-1"}}}, "t-1") == []
    for result in ({}, None, {"_meta": {RELATED_KEY: {"taskId": "t-2"}}}, {"_meta": {RELATED_KEY: "t-1"}}):
        assert RELATED_KEY in tasks.related_problems(result, "t-1")[0]


@pytest.mark.parametrize(
    ("identifiers", "words"),
    [
        (["0c1f5a60b0e94d5bb7a0", "9f8e7d6c5b4a39281706"], None),
        (["550e8400-e29b-41d4-a716-446655440000", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"], None),
        (["task-0000000000001", "task-0000000000002"], "count up"),
        (["a" * 20, "a" * 20], "two tasks"),
        (["7", "12"], "characters"),
    ],
)
def test_ids_that_can_be_guessed(identifiers, words):
    problems = tasks.id_problems(identifiers)
    assert problems == [] if words is None else words in problems[0]
