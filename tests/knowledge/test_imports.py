"""Lists of knowledge under keys become rows, once."""

import json
from typing import Any

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


async def _import(lessons: Lessons, dry_run: bool) -> Any:
    body = {"kind": "shared-context", "text": json.dumps(ROWS), "dry_run": dry_run}
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
