"""Lists of knowledge under keys become rows, once."""

import json
from typing import Any
from uuid import UUID

import pytest

from goldloop.knowledge.imports.legacy import read
from tests.knowledge.lessons import Lessons
from tests.records import ok

ROWS = [
    {
        "key": "corrections",
        "value": json.dumps(["Use euros", {"rule": "Sign letters", "when": "in mail", "by": "ada"}]),
    },
    {"key": "routing", "value": [{"text": "Ask legal", "createdAt": "2025-04-01T10:00:00Z"}]},
]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"key": "wishes", "value": []}, "key is"),
        ({"value": []}, "key is"),
        ({"key": "lessons", "value": "{"}, "no JSON"),
        ({"key": "lessons", "value": {}}, "a list"),
        ({"key": "lessons", "value": [3]}, "item 0 is neither"),
        ({"key": "lessons", "value": ["ok", {"content": " "}]}, "item 1 has no content"),
        ({"key": "lessons", "value": ["x" * 2001]}, "more than 2,000"),
    ],
)
def test_what_is_no_such_row_says_why(row: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read(row)


def test_one_text_for_two_agents_is_two_items() -> None:
    value = [{"content": "x", "agentId": str(UUID(int=n))} for n in (1, 2, 1)]
    assert len({item.key for item in read({"key": "lessons", "value": [*value, "x"]}).items}) == 3


async def _import(lessons: Lessons, dry_run: bool, rows: Any = ROWS) -> Any:
    body = {"kind": "shared-context", "text": json.dumps(rows), "dry_run": dry_run}
    return ok(await lessons.admin.post("/api/feedback/import", json=body))


async def test_each_item_of_a_list_is_a_row_once(lessons: Lessons) -> None:
    looked = await _import(lessons, dry_run=True)
    assert (looked["read"], looked["new"], looked["existing"]) == (2, 3, 0)
    assert await lessons.listed() == []
    assert (await _import(lessons, dry_run=False))["new"] == 3
    again = await _import(lessons, dry_run=False)
    assert (again["new"], again["existing"]) == (0, 3)
    found = {row["content"]: row for row in await lessons.listed()}
    assert found.keys() == {"Use euros", "Sign letters", "Ask legal"}
    signed = found["Sign letters"]
    assert (signed["type"], signed["context"], signed["state"], signed["standing"]) == (
        "correction",
        "in mail",
        "active",
        "person",
    )
    assert signed["metadata"]["legacy"] == {"key": "corrections", "position": 1, "by": "ada"}
    assert found["Ask legal"]["created_at"].startswith("2025-04-01")
    assert "Sign letters" in (await lessons.prompt())["prompt"]


async def test_what_is_for_an_agent_that_is_not_here_is_left_out_and_listed(lessons: Lessons) -> None:
    worker = await lessons.signals.desk.workspace.make_agent("worker")
    value = [
        {"content": "Use euros", "agentId": str(worker.id)},
        {"content": "Use euros", "agentId": str(UUID(int=1))},
        {"content": "Use euros", "agentId": "somebody"},
        {"content": "Use euros", "entityTypeId": str(UUID(int=2))},
    ]
    rows = [ROWS[1], {"key": "lessons", "value": value}]
    for dry_run in (True, False):
        report = await _import(lessons, dry_run, rows)
        assert (report["new"], report["rejected"]) == (2, 3)
        assert [each["reason"] for each in report["rejects"]] == [
            f"item 1: there is no agent {UUID(int=1)}",
            "item 2: there is no agent somebody",
            f"item 3: there is no type {UUID(int=2)}",
        ]
        assert len({each["place"] for each in report["rejects"]}) == 1
    (row,) = await lessons.listed(type="lesson")
    assert row["agent_id"] == str(worker.id)
    assert "Use euros" not in (await lessons.prompt())["prompt"]
