"""Knowledge as the page lists it: by words and scope, how much of it there is, and in how many prompts it was."""

import pytest

from goldloop.tenants.model import Role
from tests.knowledge.lessons import ROWS, RULE, Lessons
from tests.records import code, ok
from tests.runtimes.scripted import Script, configured, start


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("euro", ["Give valuations in euros"]),
        ("EUROS val", ["Give valuations in euros"]),
        ("deals", ["Give valuations in euros"]),
        ("grösse", ["Round the Größe up"]),
        ("valuations up", []),
        ("%", ["Round the Größe up", "Give valuations in euros"]),
    ],
)
async def test_rows_are_found_by_the_beginnings_of_their_words(
    lessons: Lessons, words: str, found: list[str]
) -> None:
    await lessons.write("Give valuations in euros", context="when reading deals")
    await lessons.write("Round the Größe up")
    assert [row["content"] for row in await lessons.listed(q=words)] == found


async def test_a_row_is_found_by_its_words_of_now(lessons: Lessons) -> None:
    row = await lessons.write("Give valuations in euros")
    await lessons.change(row, content="Give prices in dollars")
    assert await lessons.listed(q="euros") == []
    assert [each["id"] for each in await lessons.listed(q="dollars")] == [row["id"]]
    await lessons.step(row, "undo")
    assert [each["id"] for each in await lessons.listed(q="euros")] == [row["id"]]
    ok(await lessons.admin.delete(f"{ROWS}/{row['id']}"))
    assert await lessons.listed(q="euros") == []


async def test_what_holds_everywhere_is_told_from_what_does_not(lessons: Lessons) -> None:
    (kind,) = ok(await lessons.admin.get("/api/entity-types"))["data"]
    everywhere = await lessons.write("Write short sentences")
    of_type = await lessons.write("Count the company itself", entity_type_id=kind["id"])
    assert [row["id"] for row in await lessons.listed(everywhere=True)] == [everywhere["id"]]
    assert [row["id"] for row in await lessons.listed(everywhere=False)] == [of_type["id"]]


async def test_rows_are_counted_by_type_and_state(lessons: Lessons) -> None:
    assert ok(await lessons.admin.get(f"{ROWS}/counts"))["data"] == []
    await lessons.proposal()
    await lessons.write()
    tried = await lessons.write("Ask before you call", type="lesson")
    await lessons.step(tried, "shadow")
    counted = ok(await lessons.admin.get(f"{ROWS}/counts"))["data"]
    assert [(each["type"], each["state"], each["count"], each["waits"]) for each in counted] == [
        ("correction", "proposed", 1, 1),
        ("correction", "active", 1, 0),
        ("lesson", "shadow", 1, 0),
    ]
    reader = await lessons.signals.desk.workspace.client(Role.REVIEWER)
    assert code(await reader.get(f"{ROWS}/counts"))[0] == 403


async def test_uses_are_the_sessions_whose_prompts_had_it(lessons: Lessons) -> None:
    row, other = await lessons.write(), await lessons.write("Nobody reads this", type="lesson")
    await lessons.step(other, "retire")
    slug = await configured(lessons.signals.desk.workspace, "reader", instructions="Read.")
    session = await lessons.run(await start(lessons.admin, slug), Script(["Read"]))
    shown = ok(await lessons.admin.get(f"/api/shared-context/manifests/{session['manifest']}"))
    assert [(each["id"], each["origins"]) for each in shown["rows"]] == [(row["id"], 0)]
    answer = await lessons.admin.post(f"{ROWS}/uses", json={"ids": [row["id"], other["id"]]})
    assert {each["id"]: each["sessions"] for each in ok(answer)["data"]} == {row["id"]: 1, other["id"]: 0}


async def test_a_diff_shows_what_another_scope_does(lessons: Lessons) -> None:
    (kind,) = ok(await lessons.admin.get("/api/entity-types"))["data"]
    row = await lessons.write()
    await lessons.prompt()
    await lessons.prompt(entity_type="company")
    shown = await lessons.step(row, "diff", entity_type_id=kind["id"])
    by_type = {each["entity_type_id"]: each for each in shown["scopes"]}
    assert any(RULE in line for line in by_type[None]["removed"])
    assert (by_type[kind["id"]]["added"], by_type[kind["id"]]["removed"]) == ([], [])
