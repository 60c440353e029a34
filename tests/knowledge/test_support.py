"""What knowledge rests on: proposals of groups, two signals, no echo, and un-learning."""

import json
from typing import Any

import httpx
import pytest

from goldloop.tenants.model import Role
from tests.feedback.imports.test_files import PHOENIX
from tests.feedback.imports.test_imports import load
from tests.feedback.signals import COMPLAINTS
from tests.knowledge.lessons import NOTES, ROWS, RULE, Lessons
from tests.loops import some
from tests.records import code, ok, places
from tests.sessions.recordings import begin


def counting(detail: Any) -> list[bool]:
    return [each["counts"] for each in detail["support"]]


async def test_rejections_by_two_people_are_proposed_with_their_words(lessons: Lessons) -> None:
    row = await lessons.proposal()
    assert (row["type"], row["state"], row["standing"], row["active"]) == (
        "correction",
        "proposed",
        "support",
        False,
    )
    assert row["origins"] == 2
    assert "group" in row["content"]
    assert row["context"] == "when filling in `employees` for records of type company"
    assert row["metadata"]["method"] == "extractive"
    assert row["metadata"]["evidence"]["measured"] is False
    detail = await lessons.show(row)
    assert {each["comment"] for each in detail["support"]} == set(NOTES[:2])
    assert sum(each["medoid"] for each in detail["support"]) == 1
    assert (await lessons.prompt())["prompt"] == ""


@pytest.mark.parametrize(
    ("notes", "origins"),
    [
        ([NOTES[0]], None),
        ([NOTES[0], NOTES[0]], None),
        ([NOTES[0], NOTES[1]], 2),
    ],
)
async def test_an_origin_is_somebody_and_what_they_speak_of(
    lessons: Lessons, notes: list[str], origins: int | None
) -> None:
    """One person who rejects values of two records, in their own words each, is two signals; their copies are one."""
    _, reviewer = await lessons.signals.desk.person(Role.REVIEWER)
    for note in notes:
        await lessons.reject(note, by=reviewer)
    await lessons.work()
    assert [row["origins"] for row in await lessons.listed()] == ([] if origins is None else [origins])


async def test_two_signals_of_one_person_put_nothing_into_prompts_without_another(lessons: Lessons) -> None:
    ok(await lessons.admin.put(f"{ROWS}/settings", json={"activates": True}))
    _, reviewer = await lessons.signals.desk.person(Role.REVIEWER)
    for note in NOTES[:2]:
        await lessons.reject(note, by=reviewer)
    ids = [each["id"] for each in await lessons.signals.listed(source_type="extraction")]
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    body = {"content": RULE, "sourceFeedbackIds": ids}
    made = ok(await agent.post("/api/tools/addCorrection", json=body))
    assert made["waitsFor"] == ["one alone gave all the signals that support it"]
    await lessons.compare()
    row = await lessons.show(made)
    assert (row["state"], row["origins"]) == ("proposed", 2)


async def test_an_extract_is_put_into_words_before_it_is_approved(lessons: Lessons) -> None:
    row = await lessons.proposal()
    answer = await lessons.try_step(row, "approve")
    assert (code(answer), places(answer)) == ((422, "needs_wording"), [("/content", "needs_wording")])
    approved = await lessons.step(row, "approve", content=RULE, reason="Both are right")
    assert (approved["state"], approved["standing"], approved["content"]) == ("active", "support", RULE)
    history = (await lessons.show(row))["history"]
    assert [entry["change"] for entry in history] == ["approved", "edited", "created"]
    assert history[0]["evidence"] == {"value": "unmeasured", "origins": 2}
    statuses = {each["status"] for each in (await lessons.show(row))["support"]}
    assert statuses == {"applied"}


async def test_undoing_an_approval_lets_its_feedback_wait_again(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    undone = await lessons.step(row, "undo")
    assert (undone["state"], undone["content"]) == ("proposed", RULE)
    assert {each["status"] for each in (await lessons.show(row))["support"]} == {"pending"}


async def _dismiss_of(lessons: Lessons, row: Any, count: int) -> list[str]:
    """Dismiss all that as many people said."""
    detail = await lessons.show(row)
    people = sorted({each["author"]["id"] for each in detail["support"]})[:count]
    ids = [each["feedback_id"] for each in detail["support"] if each["author"]["id"] in people]
    for feedback_id in ids:
        if (await lessons.admin.get(f"/api/feedback/{feedback_id}")).json()["status"] != "dismissed":
            await lessons.dismiss(feedback_id)
    return ids


@pytest.mark.parametrize(("people", "state"), [(1, "shadow"), (2, "proposed")])
async def test_lost_support_takes_knowledge_out_of_prompts_and_restoring_it_brings_it_back(
    lessons: Lessons, people: int, state: str
) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    scope = {"agent": row["agent_id"], "entity_type": row["entity_type_id"]}
    before = await lessons.prompt(**scope)
    assert RULE in before["prompt"]
    lost = await _dismiss_of(lessons, row, people)
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"], detail["decided"]) == (state, 2 - people, "active")
    assert "lost_support" in detail["flags"]
    assert RULE not in (await lessons.prompt(**scope))["prompt"]
    assert row["id"] in [each["id"] for each in await lessons.listed(waits=True)]
    assert detail["history"][0]["change"] == "support"
    for feedback_id in lost:
        await lessons.admin.patch(f"/api/feedback/{feedback_id}", json={"status": "pending"})
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"], detail["flags"]) == ("active", 2, [])
    assert (await lessons.prompt(**scope))["manifest"] == before["manifest"]


async def test_dismissing_one_row_of_a_rejection_takes_all_its_support(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    (one, *_) = (await lessons.show(row))["support"]
    await lessons.dismiss(one["feedback_id"])
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"]) == ("shadow", 1)
    await lessons.review(one["feedback_id"], "pending")
    assert (await lessons.show(row))["state"] == "active"


async def test_three_people_can_lose_one(lessons: Lessons) -> None:
    row = await lessons.proposal(3)
    await lessons.step(row, "approve", content=RULE)
    await _dismiss_of(lessons, row, 1)
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"]) == ("active", 2)
    assert "lost_support" in detail["flags"]


async def test_what_a_person_approves_again_is_only_flagged(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    await _dismiss_of(lessons, row, 1)
    again = await lessons.step(row, "approve", reason="It holds all the same")
    assert (again["state"], again["standing"], again["flags"]) == ("active", "person", [])
    await _dismiss_of(lessons, row, 2)
    detail = await lessons.show(row)
    assert (detail["state"], detail["origins"]) == ("active", 0)
    assert "lost_support" in detail["flags"]


async def test_erased_feedback_supports_nothing(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    support = (await lessons.show(row))["support"]
    people = {each["author"]["id"] for each in support}
    for left, person in zip((1, 0), sorted(people), strict=True):
        for feedback_id in [each["feedback_id"] for each in support if each["author"]["id"] == person]:
            await _erase(lessons, feedback_id)
        detail = await lessons.show(row)
        assert (detail["state"], detail["origins"]) == (("shadow", "proposed")[1 - left], left)
        assert detail["flags"] == ["lost_support", "reread"]
        scope = {"agent": row["agent_id"], "entity_type": row["entity_type_id"]}
        assert (await lessons.prompt(**scope))["prompt"] == ""
        assert row["id"] in [each["id"] for each in await lessons.listed(waits=True)]
    assert detail["support"] == []
    assert code(await lessons.admin.post(f"/api/feedback/{feedback_id}/erase")) == (404, "feedback_not_found")


async def _erase(lessons: Lessons, feedback_id: str) -> None:
    ok(await lessons.admin.post(f"/api/feedback/{feedback_id}/erase"))


async def test_a_proposal_in_the_words_of_what_was_erased_goes_and_others_propose_theirs(
    lessons: Lessons,
) -> None:
    row = await lessons.proposal(3)
    support = (await lessons.show(row))["support"]
    (medoid,) = [each for each in support if each["medoid"]]
    for each in support:
        if each["comment"] == medoid["comment"]:
            await _erase(lessons, each["feedback_id"])
    assert code(await lessons.admin.get(f"{ROWS}/{row['id']}")) == (404, "shared_context_not_found")
    await lessons.work()
    (again,) = await lessons.listed()
    assert (again["origins"], again["group_id"]) == (2, row["group_id"])
    assert medoid["comment"] not in again["content"]


async def test_only_an_administrator_erases(lessons: Lessons) -> None:
    _, person = await lessons.signals.desk.person(Role.REVIEWER)
    given = await lessons.signals.give(person, comment="Slow")
    assert (await person.post(f"/api/feedback/{given['id']}/erase")).status_code == 403
    await _erase(lessons, given["id"])
    assert code(await person.get(f"/api/feedback/{given['id']}")) == (404, "feedback_not_found")


async def test_more_of_the_same_strengthens_what_waits(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.reject(NOTES[2])
    await lessons.work()
    (again,) = await lessons.listed()
    assert (again["id"], again["origins"]) == (row["id"], 3)


async def test_what_was_rejected_comes_back_only_with_more_signals(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "dismiss", reason="One-offs")
    body = {"group_id": row["group_id"]}
    assert ok(await lessons.admin.post(f"{ROWS}/proposals", json=body))["proposal"] is None
    for note in (NOTES[2], NOTES[0]):
        await lessons.reject(note)
    await lessons.work()
    assert [each["state"] for each in await lessons.listed()] == ["proposed", "rejected"]


async def test_a_group_can_strengthen_a_row_in_place_of_a_proposal(lessons: Lessons) -> None:
    written = await lessons.write()
    proposal = await lessons.proposal()
    after = await lessons.step(written, "strengthen", group_id=proposal["group_id"])
    assert after["origins"] == 2
    assert (await lessons.show(proposal))["state"] == "rejected"


async def test_a_correction_and_notes_with_other_numbers_are_not_brought_together_unasked(
    lessons: Lessons,
) -> None:
    row = await lessons.write("Give the deadline as 14 days")
    proposal = await lessons.proposal()
    for number in range(2):
        _, person = await lessons.signals.desk.person()
        await lessons.signals.give(
            person, comment=f"The deadline has to be 30 days, as {number + 8} of us say"
        )
    await lessons.signals.place()
    (group,) = [each for each in await lessons.signals.groups() if each["id"] != proposal["group_id"]]
    answer = await lessons.try_step(row, "strengthen", group_id=group["id"])
    assert code(answer) == (409, "particulars_differ")
    assert answer.json()["conflict"]["named"] == ["14"]
    assert (await lessons.show(row))["origins"] == 0
    after = await lessons.step(row, "strengthen", group_id=group["id"], anyway=True)
    assert after["origins"] == 2


async def test_what_recurs_where_it_was_in_the_prompt_is_proposed_to_be_retired(lessons: Lessons) -> None:
    row = await lessons.write("Say when a parcel arrives")
    held = await lessons.prompt()
    signals = lessons.signals
    for text in COMPLAINTS[:2]:
        _, person = await signals.desk.person()
        session = await begin(lessons.admin, manifest=held["manifest"])
        await signals.give(person, comment=text, session_id=session["id"])
    await signals.place()
    (group,) = await signals.groups()
    after = await lessons.step(row, "strengthen", group_id=group["id"])
    assert (after["flags"], after["state"], after["origins"]) == (["recurs"], "active", 2)
    assert row["id"] in [each["id"] for each in await lessons.listed(waits=True)]


async def test_words_of_the_prompt_are_no_support(lessons: Lessons) -> None:
    await lessons.write("Always count the employees of the company itself and never those of its group")
    held = await lessons.prompt()
    session = await begin(lessons.admin, manifest=held["manifest"])
    given = []
    for text in (
        "You should always count the employees of the company itself and never those of its group",
        "The staff was taken from a press release about the holding",
    ):
        _, person = await lessons.signals.desk.person(Role.CONTRIBUTOR)
        given.append(await lessons.signals.give(person, comment=text, session_id=session["id"]))
    body = {"content": "Count the staff", "sourceFeedbackIds": [each["id"] for each in given]}
    row = ok(await lessons.admin.post("/api/tools/addLesson", json=body))
    detail = await lessons.show(row)
    assert {each["feedback_id"]: each["echo"] for each in detail["support"]} == {
        given[0]["id"]: True,
        given[1]["id"]: False,
    }
    assert detail["origins"] == 1


async def test_what_a_machine_scored_elsewhere_counts_for_nothing(lessons: Lessons) -> None:
    note = {"label": "incorrect", "explanation": COMPLAINTS[0]}
    await load(
        lessons.signals, "phoenix", [{**PHOENIX, "annotator_kind": "LLM", "result": note, "user_id": None}]
    )
    scored = await lessons.signals.only()
    _, person = await lessons.signals.desk.person()
    given = await lessons.signals.give(person, comment=COMPLAINTS[1])
    body = {"content": "Use euros", "sourceFeedbackIds": [scored["id"], given["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addLesson", json=body))
    detail = await lessons.show(row)
    counts = {each["feedback_id"]: each["counts"] for each in detail["support"]}
    assert counts == {scored["id"]: False, given["id"]: True}
    assert detail["origins"] == 1


@pytest.mark.parametrize("after", ["ok", None])
async def test_a_reaction_that_was_rated_anew_or_taken_back_supports_nothing(
    lessons: Lessons, after: str | None
) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok")
    feedback = await lessons.signals.only(source_type="chat")
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    await lessons.review(feedback["id"], "applied")
    assert counting(await lessons.show(row)) == [True]
    await chats.react("c1", turn, after)
    (lost,) = (await lessons.show(row))["support"]
    assert (lost["counts"], lost["lost"]) == (False, "rated_anew")


async def test_an_administrator_dismisses_and_restores_what_others_decided(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    _, other = await lessons.signals.desk.person(Role.ADMIN)
    support = (await lessons.show(row))["support"]
    author = support[0]["author"]["id"]
    ids = sorted(each["feedback_id"] for each in support if each["author"]["id"] == author)
    assert {each["status"] for each in support} == {"applied"}
    path, body = f"{ROWS}/{row['id']}/support", {"feedback_ids": ids}
    done = ok(await other.post(path, json=body | {"dismissed": True, "review_notes": "A mistake"}))
    assert (done["changed"], done["row"]["state"]) == (ids, "shadow")
    assert ok(await lessons.admin.post(path, json=body | {"dismissed": True}))["changed"] == []
    restored = ok(await lessons.admin.post(path, json=body | {"dismissed": False}))
    assert (restored["changed"], restored["row"]["state"]) == (ids, "active")
    assert ok(await other.post(path, json=body | {"dismissed": False}))["changed"] == []


async def test_only_feedback_that_a_row_rests_on_is_dismissed_there(lessons: Lessons) -> None:
    row = await lessons.proposal()
    elsewhere = await lessons.write()
    (one, *_) = (await lessons.show(row))["support"]
    body = {"feedback_ids": [one["feedback_id"]], "dismissed": True}
    found = await lessons.admin.post(f"{ROWS}/{elsewhere['id']}/support", json=body)
    assert code(found) == (404, "feedback_not_found")
    _, reviewer = await lessons.signals.desk.person(Role.REVIEWER)
    assert (await reviewer.post(f"{ROWS}/{row['id']}/support", json=body)).status_code == 403
    assert {each["lost"] for each in (await lessons.show(row))["support"]} == {None}


async def test_echoes_alone_propose_nothing(lessons: Lessons) -> None:
    rule = "Always count the employees of the company itself and never those of its group"
    await lessons.write(rule)
    held = await lessons.prompt()
    for text in (f"You should {rule.lower()}", f"Please {rule.lower()}, as told"):
        session = await begin(lessons.admin, manifest=held["manifest"])
        _, person = await lessons.signals.desk.person()
        await lessons.signals.give(person, comment=text, session_id=session["id"])
    await lessons.work()
    assert await lessons.listed(state="proposed") == []


async def _erase_words(lessons: Lessons, row: Any, words: str) -> None:
    for each in (await lessons.show(row))["support"]:
        if each["comment"] == words:
            await _erase(lessons, each["feedback_id"])


async def _words_of(lessons: Lessons, row: Any) -> str:
    """Those of the feedback that a proposal was copied out of."""
    (words,) = [each["comment"] for each in (await lessons.show(row))["support"] if each["medoid"]]
    return str(words)


async def test_a_rejected_proposal_stays_so_without_words_that_are_erased(lessons: Lessons) -> None:
    row = await lessons.proposal()
    words = await _words_of(lessons, row)
    await lessons.step(row, "dismiss")
    await _erase_words(lessons, row, words)
    detail = await lessons.show(row)
    assert (detail["state"], detail["content"]) == ("rejected", "(erased)")
    assert words not in json.dumps([detail, await lessons.listed()])
    assert code(await lessons.try_step(row, "undo")) == (409, "nothing_to_undo")
    assert code(await lessons.try_step(row, "approve")) == (422, "needs_wording")


@pytest.mark.parametrize("step", ["approve", "change"])
async def test_no_undo_brings_back_words_that_are_erased(lessons: Lessons, step: str) -> None:
    row = await lessons.proposal()
    words = await _words_of(lessons, row)
    if step == "approve":
        await lessons.step(row, "approve", content=RULE)
    else:
        await lessons.change(row, content=RULE)
    await _erase_words(lessons, row, words)
    assert words not in json.dumps((await lessons.show(row))["history"])
    if step == "approve":
        assert (await lessons.step(row, "undo"))["content"] == RULE
    assert not any(entry["undoable"] for entry in (await lessons.show(row))["history"])
    assert code(await lessons.try_step(row, "undo")) == (409, "nothing_to_undo")
    assert (await lessons.show(row))["content"] == RULE


@pytest.mark.parametrize("reviewed", [False, True])
async def test_a_reaction_in_other_words_supports_no_more_what_rests_on_the_first(
    lessons: Lessons, reviewed: bool
) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok", text="The answer should be in French")
    feedback = await lessons.signals.only(source_type="chat")
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    if reviewed:
        await lessons.review(feedback["id"], "reviewed")
    await chats.react("c1", turn, "not_ok", text="The price is wrong")
    assert counting(await lessons.show(row)) == [False]
    if not reviewed:
        await chats.react("c1", turn, "not_ok", text="The answer should be in French")
        assert counting(await lessons.show(row)) == [True]


async def test_the_last_of_several_reactions_decides_about_what_rests_on_the_first(lessons: Lessons) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok")
    feedback = await lessons.signals.only(source_type="chat")
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    await lessons.review(feedback["id"], "applied")
    for reaction, counts in (
        ("neutral", False),
        ("not_ok", True),
        ("ok", False),
        ("not_ok", True),
        (None, False),
    ):
        await chats.react("c1", turn, reaction)
        assert counting(await lessons.show(row)) == [counts], reaction


async def test_who_takes_a_reaction_back_and_gives_it_again_is_counted_again(lessons: Lessons) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok")
    feedback = await lessons.signals.only(source_type="chat")
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    await lessons.review(feedback["id"], "applied")
    for reaction, counts in (
        (None, False),
        ("not_ok", True),
        ("ok", False),
        ("not_ok", True),
        (None, False),
        ("neutral", False),
        ("not_ok", True),
    ):
        await chats.react("c1", turn, reaction)
        assert counting(await lessons.show(row)) == [counts], reaction


async def test_erasing_what_took_the_place_of_a_reaction_leaves_the_first(lessons: Lessons) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok")
    feedback = await lessons.signals.only(source_type="chat")
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    await lessons.review(feedback["id"], "applied")
    await chats.react("c1", turn, "ok")
    assert counting(await lessons.show(row)) == [False]
    (_, since) = await lessons.signals.listed(source_type="chat")
    await _erase(lessons, since["id"])
    assert counting(await lessons.show(row)) == [True]


@pytest.mark.parametrize(
    ("note", "origins", "state"), [(NOTES[0], 2, "active"), ("Something else", 1, "shadow")]
)
async def test_a_rejection_that_is_taken_back_and_made_again_in_its_words_supports_again(
    lessons: Lessons, note: str, origins: int, state: str
) -> None:
    _, reviewer = await lessons.signals.desk.person(Role.REVIEWER)
    response = await lessons.reject(NOTES[0], by=reviewer)
    await lessons.reject(NOTES[1])
    await lessons.work()
    (row,) = await lessons.listed(state="proposed")
    await lessons.step(row, "approve", content=RULE)
    path = f"/api/entities/{response['entity_id']}/responses/{response['id']}"
    ok(await reviewer.patch(path, json={"status": "submitted"}))
    assert (await lessons.show(row))["state"] == "shadow"
    ok(await reviewer.patch(path, json={"status": "rejected", "review_notes": note}))
    after = await lessons.show(row)
    assert (after["origins"], after["state"]) == (origins, state)


async def test_a_complaint_that_its_author_replaced_proposes_nothing(lessons: Lessons) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok", text=COMPLAINTS[0])
    feedback = await lessons.signals.only(source_type="chat")
    await lessons.work()
    await lessons.review(feedback["id"], "applied")
    await chats.react("c1", turn, "ok")
    _, person = await lessons.signals.desk.person()
    turn = await chats.say("c2")
    await chats.react("c2", turn, "not_ok", by=person, text=COMPLAINTS[1])
    await lessons.work()
    assert await lessons.listed() == []


@pytest.mark.parametrize("after", ["ok", None])
async def test_a_complaint_that_its_author_replaced_supports_nothing_from_the_start(
    lessons: Lessons, after: str | None
) -> None:
    chats = lessons.signals.chats
    turn = await chats.say("c1")
    await chats.react("c1", turn, "not_ok")
    feedback = await lessons.signals.only(source_type="chat")
    await lessons.review(feedback["id"], "applied")
    await chats.react("c1", turn, after)
    body = {"content": "Answer in French", "sourceFeedbackIds": [feedback["id"]]}
    row = ok(await lessons.admin.post("/api/tools/addInsight", json=body))
    (lost,) = (await lessons.show(row))["support"]
    assert (lost["counts"], lost["lost"]) == (False, "rated_anew")
    await chats.react("c1", turn, "not_ok")
    assert counting(await lessons.show(row)) == [True]


async def test_a_rejection_that_is_taken_back_supports_nothing(lessons: Lessons) -> None:
    responses = [await lessons.reject(note) for note in NOTES[:2]]
    await lessons.work()
    (row,) = await lessons.listed(state="proposed")
    await lessons.step(row, "approve", content=RULE)
    _, reviewer = await lessons.signals.desk.person(Role.REVIEWER)
    path = f"/api/entities/{responses[0]['entity_id']}/responses/{responses[0]['id']}"
    ok(await reviewer.patch(path, json={"status": "submitted"}))
    after = await lessons.show(row)
    assert (after["origins"], after["state"], after["flags"]) == (1, "shadow", ["lost_support", "reread"])
    assert {each["status"] for each in after["support"]} == {"applied"}


async def _agents_try(lessons: Lessons, agent: httpx.AsyncClient, feedback_id: str) -> list[int]:
    """The answers to an agent with an administrator's key that wants to be rid of feedback, each way."""
    path = f"/api/feedback/{feedback_id}"
    await agent.patch(path, json={"status": "pending"})
    many = {"ids": [feedback_id], "status": "dismissed"}
    tool = {"id": feedback_id, "action": "dismissed", "notes": "Noise"}
    return [
        (await agent.patch(path, json={"status": "dismissed"})).status_code,
        (await agent.post("/api/feedback/review", json=many)).status_code,
        (await agent.post("/api/tools/reviewFeedback", json=tool)).status_code,
        (await agent.post(f"{path}/erase")).status_code,
    ]


async def test_an_agent_un_learns_nothing_that_a_person_decided_about(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    for each in some((await lessons.show(row))["support"]):
        assert await _agents_try(lessons, agent, each["feedback_id"]) == [403] * 4
    after = await lessons.show(row)
    assert (after["state"], after["origins"], after["flags"]) == ("active", 2, [])


async def test_an_agent_takes_no_rejection_back_that_carries_what_a_person_approved(lessons: Lessons) -> None:
    responses = [await lessons.reject(note) for note in NOTES[:2]]
    await lessons.work()
    (row,) = await lessons.listed(state="proposed")
    await lessons.step(row, "approve", content=RULE)
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    path = f"/api/entities/{responses[0]['entity_id']}/responses/{responses[0]['id']}"
    assert (await agent.patch(path, json={"status": "submitted"})).status_code == 403
    assert (await lessons.show(row))["state"] == "active"


async def test_an_agent_may_dismiss_what_only_proposals_rest_on(lessons: Lessons) -> None:
    row = await lessons.proposal()
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    (one, *_) = (await lessons.show(row))["support"]
    ok(await agent.patch(f"/api/feedback/{one['feedback_id']}", json={"status": "dismissed"}))
    assert (await lessons.show(row))["origins"] == 1


async def test_what_an_end_user_takes_back_by_the_key_of_an_agent_is_un_learnt(lessons: Lessons) -> None:
    chats = lessons.signals.chats
    turns = []
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    for number in range(2):
        turns.append(await chats.say(f"c{number}", user_id=f"user-{number}"))
        await chats.react(f"c{number}", turns[number], "not_ok", by=agent, user_id=f"user-{number}")
    ids = [each["id"] for each in await lessons.signals.listed(source_type="chat")]
    body = {"content": "Answer in French", "sourceFeedbackIds": ids}
    row = ok(await agent.post("/api/tools/addLesson", json=body))
    await lessons.step(row, "approve")
    assert (await lessons.show(row))["state"] == "active"
    await chats.react("c0", turns[0], None, by=agent, user_id="user-0")
    assert (await lessons.show(row))["state"] == "shadow"


async def test_the_history_names_who_took_support_away(lessons: Lessons) -> None:
    row = await lessons.proposal()
    await lessons.step(row, "approve", content=RULE)
    user_id, other = await lessons.signals.desk.person(Role.ADMIN)
    (one, *_) = (await lessons.show(row))["support"]
    for status in ("pending", "dismissed"):
        ok(await other.patch(f"/api/feedback/{one['feedback_id']}", json={"status": status}))
    (entry, *_) = (await lessons.show(row))["history"]
    assert (entry["change"], entry["actor"]["kind"], entry["actor"]["id"]) == (
        "support",
        "user",
        str(user_id),
    )
