"""Records as a table for spreadsheets: all that the list has, in its order, and nothing that would be computed."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldloop.entities.model import Entity
from goldloop.entities.records import api, table
from goldloop.kit.csv_table import csv_lines
from goldloop.kit.ids import new_id
from goldloop.tenants.model import Party
from tests.records import Desk, code

ITEM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "price": {"type": "number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "more": {},
    },
}


def read(answer: httpx.Response) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(answer.text[1:])))


async def test_the_table_has_what_is_filtered_with_a_column_for_each_field(desk: Desk) -> None:
    await desk.make_type("item", ITEM)
    contents: list[dict[str, Any]] = [
        {"price": 3, "tags": ["a", "b"], "more": {"x": 1}},
        {"price": 20, "more": True},
        {},
    ]
    for place, content in enumerate(contents):
        await desk.make_record(content, type="item", title=f"=Item {place}")
    await desk.make_record(title="Other")
    params = {"type": "item", "sort": "-content.price", "q": "item"}
    answer = await desk.reviewer.get("/api/entities/records.csv", params=params)
    head, *rows = read(answer)
    assert answer.headers["content-disposition"] == 'attachment; filename="item.csv"'
    assert head == ["id", "type", "title", "score", "created_at", "updated_at", "price", "tags", "more"]
    assert [(row[2], *row[6:]) for row in rows] == [
        ("'=Item 1", "20", "", "true"),
        ("'=Item 0", "3", "a, b", '{"x":1}'),
        ("'=Item 2", "", "", ""),
    ]


async def test_the_table_goes_on_past_a_page(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "EXPORT_PAGE", 10)
    for place in range(23):
        await desk.make_record({"name": "Acme"}, title=f"Thing {place}")
    head, *rows = read(await desk.reviewer.get("/api/entities/records.csv", params={"sort": "created"}))
    assert head[-1] == "content"
    assert [row[2] for row in rows] == [f"Thing {place}" for place in range(23)]
    assert rows[0][-1] == '{"name":"Acme"}'


async def test_the_table_has_the_columns_that_are_asked_for_in_their_order(desk: Desk) -> None:
    await desk.make_record({"name": "Acme", "employees": 7, "stage": "seed"}, title="Acme")
    params = {"type": "company", "columns": ["stage", "name", "stage"]}
    head, row = read(await desk.reviewer.get("/api/entities/records.csv", params=params))
    assert head[6:] == ["stage", "name"]
    assert row[6:] == ["seed", "Acme"]
    of_any = read(await desk.reviewer.get("/api/entities/records.csv", params={"columns": ["name", "gone"]}))
    assert [line[6:] for line in of_any] == [["name", "gone"], ["Acme", ""]]
    for bad in ([""], ["x" * 201], ["x"] * 201):
        answer = await desk.reviewer.get("/api/entities/records.csv", params={"columns": bad})
        assert answer.status_code == 422


async def test_a_table_of_nothing_that_there_is_is_refused(desk: Desk) -> None:
    answer = await desk.reviewer.get("/api/entities/records.csv", params={"type": "none"})
    assert code(answer) == (404, "entity_type_not_found")
    assert (await desk.reviewer.get("/api/entities/records.csv?sort=content.x")).status_code == 422


CASES = json.loads((Path(__file__).parents[2] / "cases" / "record_table.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_value_becomes_the_same_cell_here_and_in_the_browser(case: dict[str, Any]) -> None:
    party = Party(kind="user", id=None, name="Ada")
    entity = Entity(
        id=new_id(),
        type="deal",
        title="Acme",
        content={"field": case["value"]},
        metadata={},
        version=1,
        score=None,
        waiting=0,
        raters=None,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        updated_at=datetime(2026, 1, 2, tzinfo=UTC),
        created_by=party,
    )
    *head, cell, none = table.row(entity, ["field", "none"])
    assert (cell, none) == (case["cell"], None)
    assert head[1:] == ["deal", "Acme", None, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]


def test_no_text_in_a_table_is_taken_for_a_formula() -> None:
    assert (
        csv_lines([["=1+1", " @x", "a,b", None, -1, 2.5, "plain"]]) == "'=1+1,' @x,\"a,b\",,-1,2.5,plain\r\n"
    )
    assert csv_lines([]) == ""
