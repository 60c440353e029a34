"""Rows that say the same or contradict each other: shown side by side, never let in unseen."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from goldloop.feedback.entries import store as entries
from goldloop.feedback.entries.store import NewRow
from goldloop.feedback.model import FeedbackSource, Rating
from goldloop.knowledge.rows import compare_store, likeness_service
from goldloop.tenants.model import Role
from tests.knowledge.lessons import ROWS, Lessons
from tests.records import ok

EUROS = "Give the valuation in euros instead of dollars"
ALIKE = "Give valuations in euros rather than in dollars"  # the encoder knows that it is the same
FORTNIGHT = "Answer questions about invoices within 14 days"
MONTH = "Answer questions about invoices within 30 days"
SETTINGS = f"{ROWS}/settings"


async def _learn(lessons: Lessons, content: str, **more: Any) -> Any:
    """What an agent writes down on the word of two members, who say it in these words."""
    if not more.get("sourceFeedbackIds"):
        more["sourceFeedbackIds"] = [await _said(lessons, content, place) for place in range(2)]
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    return ok(await agent.post("/api/tools/addLesson", json={"content": content, **more}))


async def _said(lessons: Lessons, comment: str, place: int = 0) -> str:
    _, person = await lessons.signals.desk.person()
    context = {"tool_slug": "lookup", "tool_run_id": f"{comment} {place}"}
    given = await lessons.signals.give(person, comment=comment, context=context)
    return str(given["id"])


async def _neighbours(lessons: Lessons, row: Any) -> Any:
    return ok(await lessons.admin.get(f"{ROWS}/{row['id']}/neighbours"))


async def _let_agents_activate(lessons: Lessons) -> None:
    ok(await lessons.admin.put(SETTINGS, json={"activates": True}))


async def test_what_passes_every_check_is_active_once_it_is_compared(lessons: Lessons) -> None:
    await _let_agents_activate(lessons)
    made = await _learn(lessons, EUROS)
    assert (made["state"], made["near"]) == ("proposed", [])
    assert made["waitsFor"] == ["it is compared with other knowledge first"]
    await lessons.compare()
    row = await lessons.show(made)
    assert (row["state"], row["standing"], row["metadata"]["waits_for"]) == ("active", "support", [])
    assert {each["status"] for each in row["support"]} == {"applied"}
    assert (row["history"][0]["change"], row["history"][0]["actor"]["kind"]) == ("approved", "system")


async def test_a_row_that_was_read_when_the_worker_ended_is_settled_by_the_next(lessons: Lessons) -> None:
    await _let_agents_activate(lessons)
    made = await _learn(lessons, EUROS)
    workspace = lessons.signals.desk.workspace
    encoded = await lessons.signals.outside.embedder.embed([EUROS])
    vector = [float(each) for each in encoded.vectors[0]]
    async with workspace.db.tx(workspace.system) as tx:
        await compare_store.set_vectors(tx, encoded.model, [(UUID(made["id"]), EUROS, vector)])
    assert (await lessons.show(made))["state"] == "proposed"
    await lessons.compare()
    row = await lessons.show(made)
    assert (row["state"], row["metadata"]["waits_for"]) == ("active", [])


@pytest.mark.parametrize("touched", ["reworded", "switched off", "dismissed"])
async def test_what_somebody_touched_meanwhile_waits_for_a_person(lessons: Lessons, touched: str) -> None:
    await _let_agents_activate(lessons)
    made = await _learn(lessons, EUROS)
    if touched == "reworded":
        await lessons.change(made, content="Give the valuation in euros, never in dollars")
    elif touched == "switched off":
        ok(await lessons.admin.put(SETTINGS, json={"activates": False}))
    else:
        await lessons.dismiss((await lessons.show(made))["support"][0]["feedback_id"])
    await lessons.compare()
    assert (await lessons.show(made))["state"] == "proposed"


@pytest.mark.parametrize(("content", "at_once"), [(EUROS, True), (ALIKE, False)])
async def test_what_is_there_already_is_shown_and_not_let_in(
    lessons: Lessons, content: str, at_once: bool
) -> None:
    await _let_agents_activate(lessons)
    there = await lessons.write(EUROS)
    await lessons.compare()
    made = await _learn(lessons, content)
    assert [(each["id"], each["likeness"]) for each in made["near"]] == (
        [(there["id"], "duplicate")] if at_once else []
    )
    await lessons.compare()
    row = await lessons.show(made)
    name = there["id"].replace("-", "")[-12:]
    assert (row["state"], row["metadata"]["waits_for"]) == ("proposed", [f"it says the same as [{name}]"])
    (found,) = (await _neighbours(lessons, row))["data"]
    assert (found["id"], found["likeness"], found["stated"]) == (there["id"], "duplicate", False)


async def test_what_holds_for_somebody_else_is_no_duplicate(lessons: Lessons) -> None:
    await _let_agents_activate(lessons)
    agents = [str((await lessons.signals.desk.workspace.make_agent(slug)).id) for slug in ("a", "b")]
    await lessons.write(EUROS, agent_id=agents[0])
    made = await _learn(lessons, EUROS, agentId=agents[1])
    await lessons.compare()
    assert ((await lessons.show(made))["state"], made["near"]) == ("active", [])


async def test_a_row_is_compared_by_its_words_until_the_encoder_has_read_it(lessons: Lessons) -> None:
    rows = [await lessons.write(EUROS), await lessons.write(EUROS)]
    found = await _neighbours(lessons, rows[0])
    assert not found["compared"]
    assert [(each["id"], each["likeness"]) for each in found["data"]] == [(rows[1]["id"], "duplicate")]
    await lessons.compare()
    assert (await _neighbours(lessons, rows[0]))["compared"]


async def test_what_is_said_to_contradict_is_kept_and_shown_on_both_sides(lessons: Lessons) -> None:
    await _let_agents_activate(lessons)
    there = await lessons.write("Greet every customer by their first name")
    made = await _learn(lessons, EUROS, conflictsWith=[there["id"]])
    await lessons.compare()
    row = await lessons.show(made)
    assert row["state"] == "proposed"
    for one, other in ((row, there), (there, row)):
        (found,) = (await _neighbours(lessons, one))["data"]
        assert (found["id"], found["likeness"], found["stated"]) == (other["id"], "conflict", True)
    approved = await lessons.step(row, "approve")
    assert approved["state"] == "active"
    assert (await lessons.show(there))["flags"] == ["contradicted"]
    await lessons.step(row, "keep-both", other_id=there["id"])
    assert (await lessons.show(there))["flags"] == []


async def test_a_contradiction_of_what_is_not_there_is_refused(lessons: Lessons) -> None:
    body = {"content": EUROS, "conflictsWith": [str(uuid4())]}
    for by in (lessons.admin, await lessons.signals.desk.agent()):
        answer = ok(await by.post("/api/tools/addLesson", json=body))
        assert answer["error"].startswith("There is no such knowledge"), answer
    assert await lessons.listed() == []


@pytest.mark.parametrize("read", [True, False])
async def test_what_comes_into_prompts_is_compared_with_what_they_have(lessons: Lessons, read: bool) -> None:
    older = await lessons.write(FORTNIGHT)
    newer = await lessons.write(MONTH, active=False)
    if read:
        await lessons.compare()
    assert (await lessons.show(older))["flags"] == []
    await lessons.step(newer, "approve")
    assert (await lessons.show(older))["flags"] == ["contradicted"]
    (entry, *_) = (await lessons.show(newer))["history"]
    assert entry["evidence"]["conflicts_with"] == [older["id"]]


async def test_an_older_row_that_comes_back_beside_a_newer_one_is_flagged(lessons: Lessons) -> None:
    older = await lessons.step(await lessons.write(FORTNIGHT), "retire")
    newer = await lessons.write(MONTH)
    await lessons.compare()
    assert (await lessons.show(older))["flags"] == []
    assert (await lessons.step(older, "undo"))["flags"] == ["contradicted"]
    assert (await lessons.show(newer))["flags"] == []


async def test_a_change_of_words_or_scope_in_prompts_is_compared(lessons: Lessons) -> None:
    ids = [str((await lessons.signals.desk.workspace.make_agent(slug)).id) for slug in ("a", "b")]
    older = await lessons.write(FORTNIGHT, agent_id=ids[0])
    newer = await lessons.write(MONTH, agent_id=ids[1])
    await lessons.compare()
    assert (await lessons.show(older))["flags"] == []
    await lessons.change(newer, agent_id=None)
    assert (await lessons.show(older))["flags"] == ["contradicted"]


async def test_an_administrators_flag_is_enough_by_itself(lessons: Lessons) -> None:
    await _let_agents_activate(lessons)
    record = await lessons.signals.desk.make_record()
    _, by = await lessons.signals.desk.person(Role.ADMIN)
    body = {"source_type": "observation", "comment": EUROS, "entity_id": record["id"]}
    flagged = await lessons.signals.give(by, **body)
    made = await _learn(lessons, EUROS, sourceFeedbackIds=[flagged["id"]])
    await lessons.compare()
    row = await lessons.show(made)
    assert (row["state"], row["origins"], row["standing"]) == ("active", 1, "support")
    assert [(each["flagged"], each["counts"]) for each in row["support"]] == [(True, True)]
    await lessons.dismiss(flagged["id"])
    assert (await lessons.show(made))["state"] == "proposed"
    await lessons.review(flagged["id"], "pending")
    assert (await lessons.show(made))["state"] == "active"
    alone = await _learn(
        lessons, "Ask before a record is closed", sourceFeedbackIds=[await _said(lessons, "Ask before that")]
    )
    assert alone["waitsFor"][0] == "only 1 distinct signals support it"


async def test_what_was_brought_in_the_name_of_somebody_is_no_flag_of_theirs(lessons: Lessons) -> None:
    workspace = lessons.signals.desk.workspace
    viewer = await workspace.make_member(Role.VIEWER)
    brought = NewRow(
        id=uuid4(), key="import:1", source_type=FeedbackSource.OBSERVATION, rating=Rating.NEGATIVE, comment=EUROS, context={},
        actor=f"user:{viewer}", artefact="trace:1", created_by=viewer,
    )  # fmt: skip
    async with workspace.db.tx(workspace.system) as tx:
        await entries.take_in(tx, brought)
    made = await _learn(lessons, EUROS, sourceFeedbackIds=[str(brought.id)])
    assert made["waitsFor"][0] == "only 1 distinct signals support it"
    assert [each["flagged"] for each in (await lessons.show(made))["support"]] == [False]


async def test_a_list_of_neighbours_says_where_not_all_were_compared(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [await lessons.write(EUROS) for _ in range(4)]
    found = await _neighbours(lessons, rows[0])
    assert (len(found["data"]), found["truncated"]) == (3, False)
    for module, name in (
        (likeness_service, "MOST_COMPARED"),
        (likeness_service, "MOST_SHOWN"),
        (compare_store, "LOOKED_AT"),
    ):
        with monkeypatch.context() as fewer:
            fewer.setattr(module, name, 2)
            assert (await _neighbours(lessons, rows[0]))["truncated"], name
