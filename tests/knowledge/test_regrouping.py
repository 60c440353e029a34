"""What grouping moves by itself, and what then becomes of knowledge that rests on it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from goldloop.feedback.entries import review_service
from goldloop.feedback.model import FeedbackStatus
from goldloop.kit.db import Tx
from goldloop.kit.queue import MARKS
from goldloop.knowledge.proposals import follow_service
from goldloop.knowledge.review import store as review_store
from goldloop.knowledge.rows import support_service
from tests.knowledge.lessons import NOTES, ROWS, RULE, Lessons
from tests.knowledge.test_review import _opt_in
from tests.loops import some
from tests.records import ok
from tests.tasks.duty import sessions_of, start_due

UNLIKE = "Nobody has checked the annual report for employees before"


async def _row_of_a_field(lessons: Lessons) -> Any:
    """Two people reject a field with notes that read unlike: that is a group by its key."""
    await lessons.reject(NOTES[0])
    await lessons.reject(UNLIKE)
    await lessons.work()
    (row,) = await lessons.listed()
    return row


async def _one_reads_alike(lessons: Lessons) -> Any:
    """A third note draws the first into a group by wording."""
    await lessons.reject(NOTES[1])
    await lessons.work()
    (group,) = [each for each in await lessons.signals.groups() if each["kind"] == "wording"]
    return group


async def test_what_was_approved_keeps_what_wording_draws_into_another_group(lessons: Lessons) -> None:
    row = await _row_of_a_field(lessons)
    await lessons.step(row, "approve", content=RULE)
    group = await _one_reads_alike(lessons)
    (row,) = await lessons.listed()  # nothing is proposed a second time
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"], detail["flags"]) == ("active", 3, [])
    assert [each["lost"] for each in some(detail["support"])] == [None] * 6
    await lessons.reject("Please give employees in full-time equivalents")
    await lessons.work()
    assert (await lessons.show(row))["origins"] == 4
    assert [each["id"] for each in await lessons.listed(group_id=group["id"])] == [row["id"]]


async def test_what_was_rejected_is_not_proposed_by_the_group_that_wording_drew_out_of_its_own(
    lessons: Lessons,
) -> None:
    row = await _row_of_a_field(lessons)
    await lessons.step(row, "dismiss", reason="Not so")
    group = await _one_reads_alike(lessons)
    assert [each["state"] for each in await lessons.listed()] == ["rejected"]
    outcome = ok(await lessons.admin.post(f"{ROWS}/proposals", json={"group_id": group["id"]}))
    assert outcome["why"] == "settled"


async def test_a_person_who_takes_out_what_was_drawn_takes_it_from_the_row(lessons: Lessons) -> None:
    row = await _row_of_a_field(lessons)
    await lessons.step(row, "approve", content=RULE)
    group = await _one_reads_alike(lessons)
    members = await lessons.signals.listed(group_id=group["id"])
    drawn = [each["id"] for each in members if each["comment"] == NOTES[0]]
    done = await lessons.decide(group["id"], "split", ids=drawn)
    detail = await lessons.show(row)
    assert {each["comment"] for each in detail["support"] if each["lost"] == "moved"} == {NOTES[0]}
    ok(await lessons.admin.post(f"/api/feedback/decisions/{done['decision_id']}/undo"))
    await lessons.work()
    assert (await lessons.show(row))["origins"] == 3


async def test_a_proposal_that_loses_its_words_to_another_group_goes(lessons: Lessons) -> None:
    row = await _row_of_a_field(lessons)
    assert NOTES[0] in row["content"]
    group = await _one_reads_alike(lessons)
    (standing,) = await lessons.listed(state="proposed")
    assert (standing["group_id"], standing["origins"]) == (group["id"], 2)
    detail = await lessons.show(row)
    assert (detail["state"], detail["history"][0]["evidence"]["withdrawn"]) == ("rejected", "wordless")


async def test_a_proposal_that_loses_its_words_is_put_in_those_of_the_rest(lessons: Lessons) -> None:
    await lessons.reject(NOTES[0])
    await lessons.reject(UNLIKE)
    await lessons.reject("Please give employees in full-time equivalents")
    await lessons.work()
    await _one_reads_alike(lessons)
    standing = await lessons.listed(state="proposed")
    supported = [
        {each["comment"] for each in (await lessons.show(row))["support"] if each["counts"]}
        for row in standing
    ]
    assert len(standing) == 2
    assert set(NOTES[:2]) in supported
    assert len({row["content"] for row in standing}) == 2


async def test_groups_may_be_followed_in_any_order(lessons: Lessons) -> None:
    row = await _row_of_a_field(lessons)
    await lessons.reject(NOTES[1])
    await lessons.signals.place()
    workspace = lessons.signals.desk.workspace
    keys = sorted(each["key"] for each in await lessons.signals.chats.marks("knowledge.propose"))
    assert row["group_id"] in some(keys)  # also what only lost members is followed
    for key in sorted(keys, key=lambda each: each != row["group_id"]):
        async with workspace.db.tx(workspace.system) as tx:
            await MARKS["knowledge.propose"].run(tx, key)
    (standing,) = await lessons.listed(state="proposed")
    assert standing["group_id"] != row["group_id"]


STORY = ["This is all about the parent company", "All of this is about the parent company"]


async def _rejected_story(lessons: Lessons) -> tuple[Any, list[str]]:
    """One story in several groups, of which one had a proposal that a person rejected."""
    for note in STORY:
        await lessons.reject(note, summary="A holding")
    await lessons.work()
    (row,) = await lessons.listed()
    await lessons.step(row, "dismiss", reason="No")
    others = [each["id"] for each in await lessons.signals.groups() if each["id"] != row["group_id"]]
    return row, some(others)


async def test_a_story_that_was_rejected_is_settled_in_all_its_groups(lessons: Lessons) -> None:
    row, others = await _rejected_story(lessons)
    for count in (2, 3):
        for group_id in some(others):
            outcome = ok(await lessons.admin.post(f"{ROWS}/proposals", json={"group_id": group_id}))
            assert (outcome["proposal"], outcome["why"]) == (None, "settled"), count
        await lessons.reject(STORY[count % 2], summary="A parent")
        await lessons.work()
    (again,) = await lessons.listed(state="proposed")  # two more tell it
    assert again["origins"] == 4
    assert (await lessons.show(row))["state"] == "rejected"


async def test_a_story_that_was_dismissed_with_a_group_is_settled_in_the_others(lessons: Lessons) -> None:
    for note in STORY:
        await lessons.reject(note, summary="A holding")
    await lessons.work()
    (row,) = await lessons.listed()
    await lessons.decide(row["group_id"], "dismiss", reason="noise")
    for group in some([each for each in await lessons.signals.groups() if each["id"] != row["group_id"]]):
        outcome = ok(await lessons.admin.post(f"{ROWS}/proposals", json={"group_id": group["id"]}))
        assert (outcome["proposal"], outcome["why"]) == (None, "settled")
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        assert await review_store.list_to_ask(tx, 10, 2) == []


async def test_nobody_is_asked_about_a_story_that_was_rejected(lessons: Lessons) -> None:
    await _rejected_story(lessons)
    task = await _opt_in(lessons)
    workspace = lessons.signals.desk.workspace
    await start_due(workspace.db, workspace, task, task["next_at"])
    assert await sessions_of(lessons.admin, task) == []


async def test_what_follows_a_group_holds_its_feedback_before_any_row(
    lessons: Lessons, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await lessons.proposal(3)
    support = (await lessons.show(row))["support"]
    apart = next(each["comment"] for each in support if not each["medoid"])
    ids = [each["feedback_id"] for each in support if each["comment"] == apart]
    done = await lessons.decide(row["group_id"], "split", ids=ids)
    ok(await lessons.admin.post(f"/api/feedback/decisions/{done['decision_id']}/undo"))
    heed, refused = support_service.heed_groups, []

    async def heed_after_others_tried(tx: Tx, row_id: UUID, groups: Sequence[UUID], drawn: bool) -> None:
        for each in support:
            async with lessons.signals.aborted() as other:
                await other.execute("SET LOCAL lock_timeout = '50ms'")
                with pytest.raises(asyncpg.LockNotAvailableError):
                    await review_service.review(
                        other, UUID(each["feedback_id"]), FeedbackStatus.DISMISSED, None
                    )
            refused.append(each["feedback_id"])
        await heed(tx, row_id, groups, drawn)

    monkeypatch.setattr(support_service, "heed_groups", heed_after_others_tried)
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await follow_service.follow(tx, UUID(row["group_id"]))
    assert sorted(refused) == sorted(each["feedback_id"] for each in some(support))
    assert (await lessons.show(row))["origins"] == 3


async def _medoid_of(lessons: Lessons, row: Any) -> list[str]:
    """All feedback of the person whose words a proposal has."""
    support = (await lessons.show(row))["support"]
    words = next(each["comment"] for each in support if each["medoid"])
    return [each["feedback_id"] for each in support if each["comment"] == words]


async def test_a_proposal_gives_way_when_the_feedback_whose_words_it_has_is_dismissed(
    lessons: Lessons,
) -> None:
    row = await lessons.proposal(3)
    for feedback_id in await _medoid_of(lessons, row):
        await lessons.dismiss(feedback_id)
    await lessons.work()
    (again,) = await lessons.listed(state="proposed")
    assert (again["id"] != row["id"], again["origins"]) == (True, 2)
    assert again["content"] != row["content"]


async def test_a_proposal_without_words_goes_and_comes_back_with_them(lessons: Lessons) -> None:
    row = await lessons.proposal()
    own = await _medoid_of(lessons, row)
    for feedback_id in own:
        await lessons.dismiss(feedback_id)
    await lessons.work()
    assert await lessons.listed(state="proposed") == []
    await lessons.review(own[0], "pending")  # its twins come back with it
    await lessons.work()
    (again,) = await lessons.listed(state="proposed")
    assert (again["id"], again["origins"]) == (row["id"], 2)


async def test_an_approval_that_is_undone_leaves_no_proposal_of_a_dismissed_group(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    await lessons.decide(row["group_id"], "dismiss", reason="noise")
    assert (await lessons.show(row))["state"] == "active"
    await lessons.step(row, "undo")
    await lessons.work()
    assert (await lessons.show(row))["state"] == "rejected"


async def test_an_approval_that_is_undone_after_a_merge_leaves_one_proposal(lessons: Lessons) -> None:
    for tool in ("lookup", "search"):
        for place in range(2):
            await lessons.complain(place, tool)
        await lessons.work()
    one, other = await lessons.listed(state="proposed")
    for row in (one, other):
        await lessons.step(row, "approve")
    await lessons.decide(one["group_id"], "merge", into=other["group_id"])
    for row in (one, other):
        await lessons.step(row, "undo")
    await lessons.work()
    assert len(await lessons.listed(state="proposed")) == 1


async def test_what_is_approved_after_all_rests_on_what_came_meanwhile(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "dismiss", reason="Not so")
    await lessons.reject(NOTES[2])
    await lessons.work()
    assert (await lessons.show(row))["origins"] == 2
    await lessons.step(row, "approve", content=RULE)
    await lessons.work()
    assert (await lessons.show(row))["origins"] == 3
