"""Lists of one type by one of its fields: page by page, records without a value last either way."""

from typing import Any

import pytest

from tests.entities.test_lists import cursor, page, walk
from tests.loops import some
from tests.records import Desk, places

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "price": {"type": ["number", "null"]},
        "year": {"$ref": "#/$defs/year"},
        "stage": {"type": "string"},
        "any": {},
    },
    "$defs": {"year": {"type": "integer"}},
}
NUMBERS = [5, None, 1.5, -3, 10, 1.5, 1e50, -1e50, 1e-50, None, 0]
TEXTS = ["beta", None, "Alpha", "alpha", "", "\U0010ffff", "日本", "b" * 500, "10", "9", "b" * 499]


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize(("field", "values"), [("price", NUMBERS), ("stage", TEXTS)])
async def test_a_list_in_the_order_of_a_field_shows_every_record_once(
    desk: Desk, field: str, values: list[Any], down: bool
) -> None:
    await desk.make_type("item", SCHEMA)
    for value in values:
        await desk.make_record({} if value is None else {field: value}, type="item", title="Item")
    sort = f"{'-' if down else ''}content.{field}"
    whole = await walk(desk, type="item", sort=sort, limit=200)
    assert len({e["id"] for e in whole}) == len(values)
    for limit in (1, 3, len(values)):
        assert [e["id"] for e in await walk(desk, type="item", sort=sort, limit=limit)] == [
            e["id"] for e in whole
        ]
    shown = [e["content"].get(field) for e in whole]
    if field == "price":
        numbers = [n for n in shown if n is not None]
        assert numbers == sorted(numbers, reverse=down)
        assert shown[len(numbers) :] == [None, None], "what has no number is last"
    else:
        texts = [t.lower()[:200] for t in shown if t]
        assert texts == sorted(texts, reverse=down)
        assert all(not t for t in some(shown[len(texts) :]))


async def test_a_field_that_holds_anything_is_ordered_as_text(desk: Desk) -> None:
    await desk.make_type("item", SCHEMA)
    for value in (True, {"a": 1}, [1], "x", 7):
        await desk.make_record({"any": value}, type="item", title="Item")
    assert len(await walk(desk, type="item", sort="-content.any", limit=2)) == 5
    assert [e["content"]["any"] for e in await walk(desk, type="item", sort="content.any", q="x")] == ["x"]


async def test_an_order_that_there_is_not_is_refused(desk: Desk) -> None:
    await desk.make_type("item", SCHEMA)
    for params, fault in [
        ({"sort": "content.price"}, "type_missing"),
        ({"sort": "content.nothing", "type": "item"}, "unknown_field"),
        ({"sort": "price", "type": "item"}, "unknown_sort"),
        ({"sort": "-content.'; --", "type": "item"}, "unknown_field"),
    ]:
        answer = await desk.reviewer.get("/api/entities", params=params)
        assert (answer.status_code, places(answer)) == (422, [("/sort", fault)]), params
    bad = await desk.reviewer.get(
        "/api/entities", params={"type": "item", "sort": "content.price", "cursor": cursor("x", "y")}
    )
    assert bad.status_code == 422
    assert (await page(desk, type="item", sort="content.year"))[0] == []


async def test_a_list_too_long_to_be_sorted_is_refused_until_it_is_narrowed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.make_type("item", SCHEMA)
    for place in range(4):
        await desk.make_record({"year": 2000 + place}, type="item", title="Odd" if place % 2 else "Even")
    monkeypatch.setattr("goldloop.entities.records.service.MOST_SORTED", 3)
    by_year: dict[str, Any] = {"type": "item", "sort": "-content.year"}
    for path in some(["/api/entities", "/api/entities/records.csv"]):
        answer = await desk.reviewer.get(path, params=by_year)
        assert (answer.status_code, places(answer)) == (422, [("/sort", "too_many_to_sort")])
        assert (await desk.reviewer.get(path, params={**by_year, "q": "odd"})).status_code == 200
        assert (await desk.reviewer.get(path, params={**by_year, "sort": "-title"})).status_code == 200
    assert [e["content"]["year"] for e in await walk(desk, type="item", sort="-content.year", q="odd")] == [
        2003,
        2001,
    ]
