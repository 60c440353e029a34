"""What groups of feedback propose, and how proposals follow them."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from goldloop.feedback.entries import review_service
from goldloop.feedback.model import FeedbackSource, FeedbackStatus
from goldloop.knowledge.proposals import service
from goldloop.knowledge.proposals.extract import Member, extract
from goldloop.knowledge.review import store as review_store
from tests.feedback.signals import COMPLAINTS
from tests.knowledge.lessons import NOTES, ROWS, RULE, Lessons
from tests.loops import some
from tests.records import ok
from tests.sessions.recordings import begin


def _rejection(number: int, **more: Any) -> Member:
    note = "This is not what the register says"
    given = {"field": "contact", "rejected": "none", "accepted": "none yet"} | more
    return Member(UUID(int=number), FeedbackSource.EXTRACTION, note, **given)


def test_values_of_fields_are_masked_as_notes_are() -> None:
    account = "DE89 3704 0044 0532 0130 00"
    found = extract([_rejection(1, rejected="ann@example.com", accepted=f"Ann Lee, {account}")], ["Ann Lee"])
    assert found is not None
    assert found.content.endswith("(`contact` <email> → <name>, <account> in 1 of 1)")


def test_part_of_an_address_that_was_cut_is_masked_as_well() -> None:
    found = extract([_rejection(1, rejected="x" * 50 + " somebody@example.com")])
    assert found is not None
    assert "somebody" not in found.content


def test_values_without_anything_private_are_quoted_as_they_are() -> None:
    found = extract([_rejection(1, field="valuation", rejected="12", accepted="12,000,000")])
    assert found is not None
    assert found.content.endswith("(`valuation` 12 → 12,000,000 in 1 of 1)")


async def _propose(lessons: Lessons, group_id: str) -> Any:
    return ok(await lessons.admin.post(f"{ROWS}/proposals", json={"group_id": group_id}))


async def test_a_rejection_that_names_one_of_several_fields_is_proposed_once(lessons: Lessons) -> None:
    for note in NOTES[:2]:
        await lessons.reject(note, summary="A holding", name="Acme")
    await lessons.work()
    responses = some(await lessons.signals.listed(source_type="response"))
    assert {row["context"].get("field_name") for row in responses} == {"employees"}
    (row,) = await lessons.listed()
    assert (row["type"], row["origins"]) == ("correction", 2)


@pytest.mark.parametrize(
    "words",
    [
        ["This is all about the parent company", "All of this is about the parent company"],
        ["Employees and summary are of the group", "Both employees and summary are of the whole group"],
    ],
)
async def test_one_story_in_several_groups_is_proposed_once(lessons: Lessons, words: list[str]) -> None:
    for note in words:
        await lessons.reject(note, summary="A holding")
    await lessons.work()
    (row,) = await lessons.listed()
    others = some([each for each in await lessons.signals.groups() if each["id"] != row["group_id"]])
    for group in others:
        outcome = {"proposal": None, "why": "covered", "covered_by": row["id"]}
        assert await _propose(lessons, group["id"]) == outcome
    await lessons.reject(words[0], summary="A parent")  # one more says so, in each of the groups
    await lessons.signals.place()
    for group in others:
        assert (await _propose(lessons, group["id"]))["why"] == "covered"
    await lessons.work()
    (row,) = await lessons.listed()
    assert row["origins"] == 3


async def test_what_the_same_people_say_of_something_else_is_proposed_as_well(lessons: Lessons) -> None:
    for _ in range(2):
        _, person = await lessons.signals.desk.person()
        for tool in ("lookup", "search"):
            about = {"tool_slug": tool, "tool_run_id": f"{tool}-{id(person)}"}
            await lessons.signals.give(person, comment=f"It takes {tool} a minute to answer", context=about)
    await lessons.work()
    rows = await lessons.listed(state="proposed")
    assert {row["context"] for row in rows} == {"when calling `lookup`", "when calling `search`"}
    outcome = await _propose(lessons, rows[0]["group_id"])
    assert (outcome["proposal"]["id"], outcome["why"]) == (rows[0]["id"], None)


async def _members(lessons: Lessons, group_id: str, comment: str) -> list[str]:
    found = await lessons.signals.listed(group_id=group_id)
    return [row["id"] for row in found if row["comment"] == comment]


async def _words_of(lessons: Lessons, row: Any) -> str:
    (words,) = [each["comment"] for each in (await lessons.show(row))["support"] if each["medoid"]]
    return str(words)


async def test_a_proposal_rests_on_what_is_left_of_a_group_that_was_split(lessons: Lessons) -> None:
    row = await lessons.proposal(3)
    own = await _words_of(lessons, row)
    apart = next(note for note in NOTES if note != own)
    ids = await _members(lessons, row["group_id"], apart)
    done = await lessons.decide(row["group_id"], "split", ids=ids)
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"]) == ("proposed", 2)
    lost = {each["comment"]: each["lost"] for each in detail["support"] if not each["counts"]}
    assert lost == {apart: "moved"}
    ok(await lessons.admin.post(f"/api/feedback/decisions/{done['decision_id']}/undo"))
    await lessons.work()
    assert (await lessons.show(row))["origins"] == 3


async def test_what_lost_its_words_by_a_split_is_proposed_in_those_of_the_rest(lessons: Lessons) -> None:
    row = await lessons.proposal(3)
    own = await _words_of(lessons, row)
    await lessons.decide(row["group_id"], "split", ids=await _members(lessons, row["group_id"], own))
    (again,) = await lessons.listed(state="proposed")
    assert (again["group_id"], again["origins"]) == (row["group_id"], 2)
    assert own not in again["content"]
    assert (await lessons.show(row))["state"] == "rejected"


async def test_what_was_approved_stays_and_is_counted_anew_when_its_group_is_split(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    ids = await _members(lessons, row["group_id"], NOTES[1])
    await lessons.decide(row["group_id"], "split", ids=ids)
    detail = await lessons.show(row)
    assert (detail["state"], detail["decided"], detail["origins"]) == ("shadow", "active", 1)
    assert "lost_support" in detail["flags"]


async def test_a_proposal_goes_with_its_group_and_comes_back_with_it(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.decide(row["group_id"], "dismiss", reason="noise")
    detail = await lessons.show(row)
    assert (detail["state"], detail["history"][0]["reason"]) == ("rejected", "Its group was dismissed")
    assert await lessons.listed(waits=True) == []
    assert (await _propose(lessons, row["group_id"]))["why"] == "decided"
    await lessons.decide(row["group_id"], "reopen")
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"]) == ("proposed", 2)
    assert [entry["change"] for entry in detail["history"]] == ["undone", "rejected", "created"]


async def test_what_a_person_rejected_does_not_come_back_with_its_group(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "dismiss", reason="Not so")
    await lessons.decide(row["group_id"], "dismiss", reason="noise")
    await lessons.decide(row["group_id"], "reopen")
    assert [each["state"] for each in await lessons.listed()] == ["rejected"]


async def test_what_was_approved_stays_when_its_group_is_dismissed(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    await lessons.decide(row["group_id"], "dismiss", reason="already_covered")
    assert (await lessons.show(row))["decided"] == "active"


async def test_a_dismissed_group_that_returns_proposes_what_came_since(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.decide(row["group_id"], "dismiss", reason="noise")
    for note in (NOTES[2], f"{NOTES[2]} again"):
        await lessons.reject(note)
    await lessons.work()
    (again,) = await lessons.listed(state="proposed")
    assert (again["group_id"], again["origins"]) == (row["group_id"], 2)
    assert NOTES[2] in again["content"]


async def _two_proposals(lessons: Lessons) -> list[Any]:
    """Of two groups about one matter, the older first."""
    for tool in ("lookup", "search"):
        for place in (0, 1) if tool == "lookup" else (2, 3):
            await lessons.complain(place, tool)
        await lessons.work()
    rows = await lessons.listed(state="proposed")
    assert len(rows) == 2
    return list(reversed(rows))


@pytest.mark.parametrize("approved", [None, 0, 1])
async def test_groups_that_are_merged_have_one_proposal_with_the_support_of_both(
    lessons: Lessons, approved: int | None
) -> None:
    rows = await _two_proposals(lessons)
    if approved is not None:
        await lessons.step(rows[approved], "approve")
    stays, goes = (rows[approved], rows[1 - approved]) if approved is not None else rows
    done = await lessons.decide(rows[0]["group_id"], "merge", into=rows[1]["group_id"])
    kept, gone = await lessons.show(stays), await lessons.show(goes)
    assert (kept["state"], kept["origins"]) == ("proposed" if approved is None else "active", 4)
    assert gone["state"] == "rejected"
    ok(await lessons.admin.post(f"/api/feedback/decisions/{done['decision_id']}/undo"))
    await lessons.work()
    kept, gone = await lessons.show(stays), await lessons.show(goes)
    assert (kept["state"], kept["origins"]) == ("proposed" if approved is None else "active", 2)
    assert (gone["state"], gone["origins"]) == ("proposed", 2)


async def test_both_rows_that_people_approved_stay_when_their_groups_are_merged(lessons: Lessons) -> None:
    rows = await _two_proposals(lessons)
    for row in rows:
        await lessons.step(row, "approve")
    await lessons.decide(rows[0]["group_id"], "merge", into=rows[1]["group_id"])
    states = [(row["state"], row["origins"]) for row in await lessons.listed()]
    assert states == [("active", 4), ("active", 4)]


async def test_what_is_put_into_another_group_supports_what_was_made_of_that(lessons: Lessons) -> None:
    rows = await _two_proposals(lessons)
    (moved,) = await _members(lessons, rows[0]["group_id"], COMPLAINTS[0])
    await lessons.decide(rows[1]["group_id"], "add", ids=[moved])
    assert (await lessons.show(rows[1]))["origins"] == 3
    assert moved not in [
        each["feedback_id"]
        for row in await lessons.listed(group_id=rows[0]["group_id"])
        for each in (await lessons.show(row))["support"]
        if each["counts"]
    ]


EUROS = "Amounts have to be in euros here, not in dollars"


async def _flag(lessons: Lessons, **more: Any) -> Any:
    record = await lessons.signals.desk.make_record()
    body = {"source_type": "observation", "rating": "negative", "comment": EUROS, "entity_id": record["id"]}
    return ok(await lessons.admin.post("/api/feedback", json=body | more))


@pytest.mark.parametrize(
    ("more", "kind"), [({}, "wording"), ({"context": {"field_name": "valuation"}}, "field")]
)
async def test_what_an_administrator_flagged_is_proposed_though_it_is_alone(
    lessons: Lessons, more: dict[str, Any], kind: str
) -> None:
    flag = await _flag(lessons, **more)
    await lessons.work()
    (group,) = await lessons.signals.groups()
    assert (group["kind"], group["origins"], group["proposed"]) == (kind, 1, True)
    (row,) = await lessons.listed()
    assert (row["state"], row["origins"], row["group_id"]) == ("proposed", 1, group["id"])
    assert EUROS in row["content"]
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        assert await review_store.list_to_ask(tx, 10, 2) == [UUID(group["id"])]
    await lessons.dismiss(flag["id"])
    await lessons.work()
    assert await lessons.listed(state="proposed") == []


@pytest.mark.parametrize("more", [{"rating": "positive"}, {"comment": "Wrong"}])
async def test_a_flag_that_praises_or_says_nothing_is_not_proposed(
    lessons: Lessons, more: dict[str, Any]
) -> None:
    await _flag(lessons, **more)
    await lessons.work()
    assert await lessons.signals.groups() == []
    assert await lessons.listed() == []


async def test_what_reads_like_a_flag_strengthens_what_it_proposes(lessons: Lessons) -> None:
    flag = await _flag(lessons)
    await lessons.work()
    (row,) = await lessons.listed()
    _, person = await lessons.signals.desk.person()
    note = "Amounts have to be in euros here and not in US dollars"
    await lessons.signals.give(person, comment=note, entity_id=flag["entity_id"])
    await lessons.work()
    (after,) = await lessons.listed()
    assert (after["id"], after["origins"]) == (row["id"], 2)


async def test_nobody_dismisses_feedback_while_it_comes_to_support_a_row(lessons: Lessons) -> None:
    for note in NOTES[:2]:
        await lessons.reject(note)
    await lessons.signals.place()
    (group,) = await lessons.signals.groups()
    feedback_id = UUID((await lessons.signals.listed())[0]["id"])
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as proposing:
        assert (await service.propose(proposing, UUID(group["id"]))).row is not None
        async with lessons.signals.aborted() as tx:
            await tx.execute("SET LOCAL lock_timeout = '50ms'")
            with pytest.raises(asyncpg.LockNotAvailableError):
                await review_service.review(tx, feedback_id, FeedbackStatus.DISMISSED, None)
    await lessons.review(str(feedback_id), "dismissed")
    (row,) = await lessons.listed()
    lost = [each["lost"] for each in (await lessons.show(row))["support"] if not each["counts"]]
    assert lost == ["dismissed", "dismissed"]


async def test_of_two_who_propose_a_group_at_once_the_second_waits_for_the_first(lessons: Lessons) -> None:
    for note in NOTES[:2]:
        await lessons.reject(note)
    await lessons.signals.place()
    (group,) = await lessons.signals.groups()
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as proposing:
        made = (await service.propose(proposing, UUID(group["id"]))).row
        async with lessons.signals.aborted() as tx:
            await tx.execute("SET LOCAL lock_timeout = '50ms'")
            with pytest.raises(asyncpg.LockNotAvailableError):
                await service.propose(tx, UUID(group["id"]))
    assert made is not None
    assert (await _propose(lessons, group["id"]))["proposal"]["id"] == str(made.id)
    assert len(await lessons.listed()) == 1


async def test_complaints_that_come_one_by_one_recur_as_well(lessons: Lessons) -> None:
    row = await lessons.step(await lessons.lesson(), "approve")
    prompt = await lessons.prompt(agent=row["agent_id"]) if row["agent_id"] else await lessons.prompt()
    for place, flags in ((2, []), (3, ["recurs"])):
        session = await begin(lessons.admin, manifest=prompt["manifest"])
        await lessons.complain(place, session_id=session["id"])
        await lessons.work()
        assert (await lessons.show(row))["flags"] == flags
    await lessons.step(row, "approve", reason="It helps all the same")
    session = await begin(lessons.admin, manifest=prompt["manifest"])
    _, person = await lessons.signals.desk.person()
    about = {"tool_slug": "lookup", "tool_run_id": "run-9"}
    await lessons.signals.give(
        person, comment="Dollars again in the valuation", context=about, session_id=session["id"]
    )
    await lessons.work()
    assert (await lessons.show(row))["flags"] == []  # one since somebody looked


async def test_a_group_that_strengthens_a_row_shows_it_and_is_not_proposed_again(lessons: Lessons) -> None:
    row = await lessons.write("Give valuations in euros")
    for place in range(2):
        await lessons.complain(place)
    await lessons.signals.place()
    await lessons.clear("knowledge.propose")
    (group,) = await lessons.signals.groups()
    await lessons.step(row, "strengthen", group_id=group["id"])
    assert [each["id"] for each in await lessons.listed(group_id=group["id"])] == [row["id"]]
    assert (await _propose(lessons, group["id"]))["proposal"]["id"] == row["id"]
    await lessons.complain(2)
    await lessons.work()
    (only,) = await lessons.listed()
    assert (only["id"], only["origins"]) == (row["id"], 3)
