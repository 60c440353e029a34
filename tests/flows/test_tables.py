"""What is filtered on a page is what its table for spreadsheets holds, all of it, and nobody sees more of it there."""

import csv
import io
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from goldloop.kit import csv_table
from goldloop.kit.csv_table import BOM, as_cell, unguarded
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.records import Desk, ok

NOTES = ["=1+1", 'two\nlines, "quoted"', "Größe – 日本"]


@dataclass(frozen=True)
class Table:
    """A list, the file of it, a filter that leaves some of it out, and the columns that are as the list has them."""

    path: str
    file: str
    filter: dict[str, Any]
    columns: tuple[str, ...]


TABLES = {
    "responses": Table(
        "/api/responses",
        "/api/responses/responses.csv",
        {"status": "promoted"},
        ("id", "status", "source", "review_notes", "notes", "created_at", "reviewed_at"),
    ),
    "feedback": Table(
        "/api/feedback",
        "/api/feedback/feedback.csv",
        {"rating": "negative"},
        ("id", "source_type", "rating", "comment", "status", "created_at", "entity_id", "context"),
    ),
    "knowledge": Table(
        "/api/admin/shared-context",
        "/api/admin/shared-context/knowledge.csv",
        {"type": "lesson"},
        ("id", "type", "state", "content", "context", "pinned", "rank", "version", "created_at"),
    ),
}


async def fill(desk: Desk) -> None:
    """Of each three that the filter has and one that it leaves out."""
    for place, note in enumerate([*NOTES, "left out"]):
        wanted, record = place < len(NOTES), await desk.make_record()
        response = await desk.submit(record, {"name": f"N{place}"}, notes=note)
        if wanted:
            await desk.promote(response, "name")
        given = {"source_type": "observation", "rating": "negative" if wanted else "positive"}
        ok(
            await desk.admin.post(
                "/api/feedback", json={**given, "comment": f"{note} ", "entity_id": record["id"]}
            )
        )
        kind = "lesson" if wanted else "insight"
        ok(await desk.admin.post(TABLES["knowledge"].path, json={"type": kind, "content": f"{note} x"}))


async def read(client: httpx.AsyncClient, table: Table, **params: Any) -> list[dict[str, str]]:
    answer = await client.get(table.file, params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = csv.DictReader(io.StringIO(answer.text.removeprefix(BOM), newline=""))
    return [{name: unguarded(cell) for name, cell in row.items()} for row in rows]


@pytest.mark.parametrize("name", TABLES)
async def test_a_table_holds_the_rows_that_the_filter_has(
    desk: Desk, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TABLES[name]
    await fill(desk)
    for module in ("responses.api", "feedback.entries.api", "knowledge.rows.api"):
        monkeypatch.setattr(f"goldloop.{module}.EXPORT_PAGE", 2)  # so that there is a second page
    listed = ok(await desk.admin.get(table.path, params={**table.filter, "limit": 200}))["data"]
    found = await read(desk.admin, table, **table.filter)
    assert [row["id"] for row in found] == [row["id"] for row in some(listed)]
    assert len(found) == len(NOTES)
    for row, expected in some(list(zip(found, listed, strict=True))):
        for column in some(table.columns):
            cell = csv_table.guarded(as_cell(expected[column]))
            assert row[column] == unguarded(str(cell)), column
    assert len(await read(desk.admin, table)) == len(NOTES) + 1


async def test_values_have_a_column_for_each_dimension_of_one_criteria_set(desk: Desk) -> None:
    record = await desk.make_record()
    first = await desk.submit(record, {"name": "=Acme", "employees": 3})
    (row,) = await read(desk.admin, TABLES["responses"], criteria_set=first["criteria_set_id"])
    assert (row["name"], row["employees"]) == ("=Acme", "3")


@pytest.mark.parametrize("name", TABLES)
async def test_a_table_has_nothing_of_another_workspace(
    desk: Desk, other_workspace: Workspace, name: str
) -> None:
    await fill(desk)
    stranger = await other_workspace.client(Role.OWNER)
    assert await read(stranger, TABLES[name]) == []


@pytest.mark.parametrize("name", TABLES)
async def test_who_may_not_read_a_list_gets_no_table_of_it(desk: Desk, name: str) -> None:
    nothing = await desk.workspace.client(Role.VIEWER, scopes=["jobs.team.read"])
    assert (await nothing.get(TABLES[name].file)).status_code == 403
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(desk.workspace.app), base_url="http://goldloop.test"
    ) as nobody:
        assert (await nobody.get(TABLES[name].file)).status_code == 401


async def test_feedback_of_others_is_in_no_table_of_who_does_not_review(desk: Desk) -> None:
    await fill(desk)
    assert await read(desk.contributor, TABLES["feedback"]) == []
    assert (await desk.contributor.get(TABLES["knowledge"].file)).status_code == 403
