"""Where a value comes from: every change of every field, absent told apart from null."""

from typing import Any

from tests.records import Desk, code, ok, some_id

NULLABLE: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["number", "null"]}},
}


def values(history: list[Any]) -> list[tuple[Any, ...]]:
    """Newest first: present before, value before, present, value."""
    return [(h["present_before"], h["value_before"], h["present"], h["value"]) for h in history]


async def test_each_field_has_an_entry_for_each_edit_that_changed_it(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme", "employees": 1})
    await desk.edit(record, content={"name": "Acme", "employees": 2})
    await desk.edit(record, title="Only the title")
    await desk.edit(record, content={"name": "Corp", "employees": 2, "active": False})
    assert values(await desk.history(record, "name")) == [
        (True, "Acme", True, "Corp"),
        (False, None, True, "Acme"),
    ]
    employees = await desk.history(record, "employees")
    assert values(employees) == [(True, 1, True, 2), (False, None, True, 1)]
    assert [h["entity_version"] for h in employees] == [2, 1]
    assert [h["current"] for h in employees] == [True, False]
    assert {h["kind"] for h in employees} == {"edit"}
    assert employees[0]["actor"]["id"] == str(desk.workspace.owner_id)
    assert values(await desk.history(record, "active")) == [(False, None, True, False)]
    assert await desk.history(record, "summary") == []


async def test_absent_is_not_null(desk: Desk) -> None:
    await desk.make_type("loose", NULLABLE)
    record = await desk.make_record({"a": None}, type="loose")
    await desk.edit(record, content={})
    await desk.edit(record, content={"a": "x"})
    await desk.edit(record, content={"a": None})
    await desk.edit(record, content={"a": None, "b": 0})
    assert values(await desk.history(record, "a")) == [
        (True, "x", True, None),
        (False, None, True, "x"),
        (True, None, False, None),
        (False, None, True, None),
    ]
    assert (await desk.show(record))["content"] == {"a": None, "b": 0}


async def test_the_present_sources_are_the_newest_entries(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme", "employees": 1})
    await desk.edit(record, content={"name": "Acme"})
    sources = await desk.sources(record)
    assert {f: (s["value"], s["present"], s["entity_version"]) for f, s in sources.items()} == {
        "name": ("Acme", True, 1),
        "employees": (None, False, 2),
    }
    for field, source in sources.items():
        assert (await desk.history(record, field))[0] == source


async def test_a_history_is_read_page_by_page(desk: Desk) -> None:
    record = await desk.make_record({"employees": 0})
    for number in range(1, 6):
        await desk.edit(record, content={"employees": number})
    seen, cursor = [], None
    path = f"/api/entities/{record['id']}/fields/employees/history"
    while True:
        page = ok(await desk.reviewer.get(path, params={"limit": 2} | ({"cursor": cursor} if cursor else {})))
        seen += [change["value"] for change in page["data"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert seen == [5, 4, 3, 2, 1, 0]


async def test_a_history_of_no_record_or_with_no_cursor_is_refused(desk: Desk) -> None:
    answer = await desk.reviewer.get(f"/api/entities/{some_id()}/fields/name/history")
    assert code(answer) == (404, "entity_not_found")
    record = await desk.make_record({"name": "Acme"})
    path = f"/api/entities/{record['id']}/fields/name/history"
    for cursor, expected in (("x", 422), ("Wy00NjExNjg2MDE4NDI3Mzg3OTA0XQ", 200), ("WzBd", 200)):
        answer = await desk.reviewer.get(path, params={"cursor": cursor})
        assert answer.status_code == expected, answer.text
        assert expected == 422 or answer.json()["data"] == [], "before the first version there is nothing"
