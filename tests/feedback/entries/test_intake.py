"""Every way in which feedback comes in, the whole way: once, in the transaction of its cause, with the right status."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest

from goldloop.conversations.gate.model import Detection
from goldloop.conversations.reactions import service as reactions
from goldloop.conversations.reactions.model import Reactor, TurnPlace
from goldloop.conversations.reactions.targeting import Decision, Target
from goldloop.feedback.entries import service
from goldloop.feedback.entries.service import NewFeedback
from goldloop.feedback.groups import place_service, place_store
from goldloop.feedback.groups.place_store import Vector
from goldloop.feedback.model import FeedbackSource, Rating
from goldloop.kit.db import Tx
from goldloop.responses import service as responses
from goldloop.responses.model import ResponseStatus
from goldloop.sessions import derived_service
from goldloop.sessions import service as sessions
from goldloop.sessions.model import SessionError, SessionStatus
from goldloop.tenants.model import Role
from tests.conversations.chats import PROJECT
from tests.feedback.signals import Signals
from tests.records import ok
from tests.sessions.recordings import begin


async def test_a_thumb_is_feedback_with_its_turn(signals: Signals) -> None:
    agent = await signals.desk.workspace.make_agent("helper")
    session = await begin(signals.desk.contributor, agent="helper")
    turn = await signals.chats.say("c", user_id="ada", agent="helper", session_id=session["id"])
    reacted = await signals.chats.react("c", turn, "not_ok", text="Wrong year, it was 2019")
    row = await signals.only()
    assert (row["source_type"], row["rating"], row["status"]) == ("chat", "negative", "pending")
    assert (row["comment"], row["end_user"], row["created_by"]) == ("Wrong year, it was 2019", "ada", None)
    assert (row["agent_id"], row["session_id"]) == (str(agent.id), session["id"])
    rn = reacted["artifact"]["meta"]["rn"]
    assert {key: row["context"][key] for key in ("conversation_id", "turn_id", "rn")} == {
        "conversation_id": "c",
        "turn_id": turn,
        "rn": rn,
    }


async def test_ratings_follow_reactions(signals: Signals) -> None:
    for place, reaction in enumerate(["ok", "not_ok", "neutral"]):
        await signals.chats.react(f"c{place}", await signals.chats.say(f"c{place}", user_id="ada"), reaction)
    assert [row["rating"] for row in await signals.listed()] == ["positive", "negative", "neutral"]


async def test_the_same_thumb_twice_is_one_row(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    for _ in range(2):
        await signals.chats.react("c", turn, "not_ok")
    assert len(await signals.listed()) == 1


async def test_a_replaced_reaction_changes_its_row_while_it_waits(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="too long")
    first = await signals.only()
    reacted = await signals.chats.react("c", turn, "ok", text="fine after all")
    row = await signals.only()
    assert (row["id"], row["rating"], row["comment"]) == (first["id"], "positive", "fine after all")
    assert row["context"]["rn"] == reacted["artifact"]["meta"]["rn"]
    (changed,) = await signals.desk.events("feedback.changed")
    assert changed["subject_id"] == row["id"]


async def test_a_replaced_reaction_is_not_found_by_words_that_it_had(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="zebra everywhere")
    await signals.place()
    assert len(await signals.listed(q="zebra")) == 1
    await signals.chats.react("c", turn, "ok")
    assert (await signals.only())["comment"] is None
    assert await signals.listed(q="zebra") == []


async def test_a_vector_stays_beside_the_words_that_it_was_made_of(signals: Signals) -> None:
    db, system = signals.desk.workspace.db, signals.desk.workspace.system
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="The year is wrong in this table")
    async with db.tx(system) as tx:
        await place_service.place_by_keys(tx)
        ((row_id, words),) = await place_store.list_without_vector(tx, "model", 10)
    await signals.chats.react("c", turn, "not_ok", text="The currency is wrong in this table")
    async with db.tx(system) as tx:
        await place_service.place_by_keys(tx)
        await place_store.set_vectors(tx, "model", [Vector(row_id, words, [1.0])])
        assert await place_store.list_without_vector(tx, "model", 10) == [
            (row_id, "The currency is wrong in this table")
        ]


async def test_nobody_gives_feedback_other_words_while_it_is_placed(signals: Signals) -> None:
    db, system = signals.desk.workspace.db, signals.desk.workspace.system
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="too long")
    async with db.tx(system) as placing:
        assert len(await place_store.list_unplaced(placing, False, None, 10)) == 1
        async with signals.aborted() as tx:
            await tx.execute("SET LOCAL lock_timeout = '50ms'")
            with pytest.raises(asyncpg.LockNotAvailableError):
                await reactions.react(tx, TurnPlace(PROJECT, "c", turn), Reactor("ada"), "ok", None, None)


async def test_a_cleared_reaction_dismisses_its_row_while_it_waits(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok")
    await signals.chats.react("c", turn, None)
    await signals.chats.react("c", turn, None)
    row = await signals.only()
    assert (row["status"], row["review_notes"]) == ("dismissed", "The reaction was taken back")
    await signals.chats.react("c", turn, "not_ok")
    assert [row["status"] for row in await signals.listed()] == ["dismissed", "pending"]


async def test_what_was_reviewed_stays_when_the_reaction_changes(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok")
    row = await signals.only()
    ok(await signals.admin.patch(f"/api/feedback/{row['id']}", json={"status": "applied"}))
    await signals.chats.react("c", turn, "ok")
    rows = await signals.listed()
    assert [(row["rating"], row["status"]) for row in rows] == [
        ("negative", "applied"),
        ("positive", "pending"),
    ]


async def test_a_members_thumb_is_their_own(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    person = await signals.desk.workspace.make_person(Role.CONTRIBUTOR)
    browser = await signals.desk.workspace.signed_in(person)
    await signals.chats.react("c", turn, "not_ok", by=browser)
    (row,) = await signals.listed(by=browser)
    assert (row["created_by"], row["end_user"], row["author"]["id"]) == (str(person.id), None, str(person.id))


async def machine_reaction(signals: Signals, turn: str | None, source: str) -> bool:
    db, system = signals.desk.workspace.db, signals.desk.workspace.system
    found = Detection(reaction="not_ok", confidence=0.9)
    decision: Decision = "clear" if turn else "undecided"
    target = Target(decision=decision, turn_id=turn, conversation_id="c", candidates=[])
    async with db.tx(system) as tx:
        context = await reactions.find_message(tx, PROJECT, "c", source)
        assert context is not None
        return await reactions.add_machine_reaction(tx, context, found, target)


async def test_a_machine_reaction_is_feedback_of_whoever_wrote_the_message(signals: Signals) -> None:
    first = await signals.chats.say("c", user_id="ada")
    second = await signals.chats.say("c", user_id="ada", user={"text": "No, that is wrong"})
    assert await machine_reaction(signals, first, second)
    assert not await machine_reaction(signals, first, second)
    row = await signals.only()
    assert (row["source_type"], row["rating"], row["context"]["origin"]) == ("chat", "negative", "machine")
    assert (row["end_user"], row["context"]["turn_id"], row["comment"]) == ("ada", first, "No, that is wrong")


async def test_an_unclear_machine_reaction_is_feedback_once_it_is_settled(signals: Signals) -> None:
    first = await signals.chats.say("c", user_id="ada")
    second = await signals.chats.say("c", user_id="ada", user={"text": "No, that is wrong"})
    assert await machine_reaction(signals, None, second)
    assert await signals.listed() == []
    (waiting,) = ok(await signals.chats.reviewer.get("/api/reactions/unsettled"))["data"]
    path = f"/api/reactions/{waiting['id']}/settle"
    settled = ok(await signals.chats.reviewer.post(path, json={"turn_id": first}))
    assert (await signals.only())["status"] == "pending"
    rn = settled["payload"]["meta"]["rn"]
    ok(await signals.chats.reviewer.post(f"{path}/undo", json={"rn": rn}))
    assert (await signals.only())["status"] == "dismissed"
    ok(await signals.chats.reviewer.post(path, json={"turn_id": first}))
    assert [row["status"] for row in await signals.listed()] == ["dismissed", "pending"]


async def test_a_killed_reaction_leaves_no_feedback(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    async with signals.aborted() as tx:
        place = TurnPlace(PROJECT, "c", turn)
        await reactions.react(tx, place, Reactor("ada"), "not_ok", "no", None)
    assert await signals.listed() == []
    await signals.chats.react("c", turn, "not_ok", text="no")
    assert len(await signals.listed()) == 1


async def test_a_rejected_response_is_one_row(signals: Signals) -> None:
    record = await signals.desk.make_record()
    response = await signals.desk.submit(record, {"employees": 3, "name": "Acme"})
    for _ in range(2):
        await signals.desk.review(response, "rejected", "Both are from last year")
    row = await signals.only()
    assert (row["source_type"], row["rating"], row["status"]) == ("response", "negative", "pending")
    assert (row["comment"], row["entity_id"], row["entity_type"]) == (
        "Both are from last year",
        record["id"],
        "company",
    )
    assert row["context"]["response_id"] == response["id"]
    assert row["created_by"] == row["author"]["id"]


async def test_a_rejection_that_is_taken_back_is_dismissed_and_a_new_one_is_new(signals: Signals) -> None:
    response = await signals.extraction({"employees": 3})
    await signals.desk.review(response, "rejected", "Thirty, not three")
    await signals.desk.review(response, "submitted")
    assert {(row["source_type"], row["status"]) for row in await signals.listed()} == {
        ("response", "dismissed"),
        ("extraction", "dismissed"),
    }
    await signals.desk.review(response, "rejected", "Thirty, not three")
    assert len(await signals.listed(status="pending")) == 2


async def test_a_rejected_extraction_has_a_row_for_each_value(signals: Signals) -> None:
    meta = {"employees": {"confidence": "low", "sources": [{"type": "web", "url": "https://acme.test"}]}}
    response = await signals.extraction({"employees": 3, "name": "Acme"}, field_meta=meta)
    for _ in range(2):
        await signals.desk.review(response, "rejected", "employees is 30 in the annual report")
    rows = {row["context"]["field_name"]: row for row in await signals.listed(source_type="extraction")}
    assert rows.keys() == {"employees", "name"}
    context = rows["employees"]["context"]
    assert (context["rejected_value"], context["response_id"]) == (3, response["id"])
    assert context["entity_type_id"] is not None
    assert context["quality"]["score"] == 100
    assert context["quality"]["summary"] == "Feedback quality: 100/100 (excellent)"
    assert rows["employees"]["agent_id"] == response["submitted_by_agent"]
    assert len(await signals.listed(source_type="response")) == 1


async def test_a_killed_rejection_leaves_no_feedback(signals: Signals) -> None:
    response = await signals.extraction({"employees": 3})
    async with signals.aborted() as tx:
        ids = UUID(response["entity_id"]), UUID(response["id"])
        await responses.review(tx, *ids, ResponseStatus.REJECTED, "Thirty")
    assert await signals.listed() == []
    await signals.desk.review(response, "rejected", "Thirty")
    assert len(await signals.listed()) == 2


async def fail(signals: Signals, session: dict[str, Any], message: str = "KeyError: 'total'") -> None:
    body = {"status": "failed", "error": {"code": "tool_failed", "message": message}}
    ok(await signals.desk.contributor.post(f"/api/sessions/{session['id']}/end", json=body))


async def test_a_failed_session_is_one_row(signals: Signals) -> None:
    await signals.desk.workspace.make_agent("scout")
    session = await begin(signals.desk.contributor, agent="scout")
    for _ in range(2):
        await fail(signals, session)
    row = await signals.only()
    assert (row["source_type"], row["rating"], row["session_id"]) == ("session", "negative", session["id"])
    assert row["context"]["failure_reason"] == "KeyError: 'total'"
    assert (row["context"]["code"], row["created_by"]) == ("tool_failed", None)


async def test_a_session_that_ends_otherwise_is_no_feedback(signals: Signals) -> None:
    for status in ("completed", "cancelled"):
        session = await begin(signals.desk.contributor)
        ok(await signals.desk.contributor.post(f"/api/sessions/{session['id']}/end", json={"status": status}))
    assert await signals.listed() == []


async def test_a_killed_failure_leaves_no_feedback(signals: Signals) -> None:
    session = await begin(signals.desk.contributor)
    async with signals.aborted() as tx:
        error = SessionError(code="x", message="It broke")
        await sessions.finish(tx, session["id"], SessionStatus.FAILED, None, error)
    assert await signals.listed() == []
    await fail(signals, session)
    assert len(await signals.listed()) == 1


async def test_a_failed_session_that_goes_on_dismisses_its_row_and_may_fail_again(signals: Signals) -> None:
    session = await begin(signals.desk.contributor)
    await fail(signals, session, "It broke")

    async def go_on(tx: Tx) -> None:
        locked = await derived_service.lock(tx, UUID(session["id"]))
        assert locked is not None
        await derived_service.reopen(tx, locked)

    async with signals.aborted() as tx:
        await go_on(tx)
    assert (await signals.only())["status"] == "pending"
    async with signals.desk.workspace.db.tx(signals.desk.workspace.system) as tx:
        await go_on(tx)
    row = await signals.only()
    assert (row["status"], row["review_notes"]) == ("dismissed", "The session went on after it had failed")
    for _ in range(2):
        await fail(signals, session, "It broke again")
    assert [(row["status"], row["context"]["failure_reason"]) for row in await signals.listed()] == [
        ("dismissed", "It broke"),
        ("pending", "It broke again"),
    ]


async def test_agents_add_feedback_by_tool_once(signals: Signals) -> None:
    agent = await signals.desk.agent()
    call = {
        "rating": "negative",
        "comment": "It returned an empty page",
        "toolSlug": "search",
        "toolRunId": "r1",
    }
    answers = [ok(await agent.post("/api/tools/addFeedback", json=call)) for _ in range(2)]
    assert answers[0] == answers[1]
    row = await signals.only()
    assert (row["source_type"], row["author"]["kind"]) == ("tool", "agent")
    assert (row["context"], row["id"]) == (
        {"tool_slug": "search", "tool_run_id": "r1"},
        answers[0]["feedbackId"],
    )


async def test_what_was_said_in_a_killed_transaction_is_not_there(signals: Signals) -> None:
    session = await begin(signals.desk.contributor)
    said = [
        NewFeedback(FeedbackSource.TOOL, Rating.NEGATIVE, "Empty page", context={"tool_slug": "search"}),
        NewFeedback(FeedbackSource.OBSERVATION, Rating.NEGATIVE, "Look", session_id=UUID(session["id"])),
    ]
    for new in said:
        async with signals.aborted() as tx:
            await service.give(tx, new)
        assert await signals.listed() == []
    for new in said * 2:
        async with signals.desk.workspace.db.tx(signals.desk.workspace.system) as tx:
            await service.give(tx, new)
    assert [(row["source_type"], row["status"]) for row in await signals.listed()] == [
        ("tool", "pending"),
        ("observation", "pending"),
    ]


async def test_a_killed_machine_reaction_leaves_no_feedback(signals: Signals) -> None:
    first = await signals.chats.say("c", user_id="ada")
    second = await signals.chats.say("c", user_id="ada", user={"text": "No, that is wrong"})
    async with signals.aborted() as tx:
        context = await reactions.find_message(tx, PROJECT, "c", second)
        assert context is not None
        target = Target(decision="clear", turn_id=first, conversation_id="c", candidates=[])
        await reactions.add_machine_reaction(
            tx, context, Detection(reaction="not_ok", confidence=0.9), target
        )
    assert await signals.listed() == []
    assert await machine_reaction(signals, first, second)
    assert (await signals.only())["status"] == "pending"


async def test_a_replacement_or_clearing_that_was_killed_changes_nothing(signals: Signals) -> None:
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="too long")
    before = await signals.only()
    for reaction in ("ok", None):
        async with signals.aborted() as tx:
            await reactions.react(tx, TurnPlace(PROJECT, "c", turn), Reactor("ada"), reaction, None, None)
        assert await signals.only() == before
    await signals.chats.react("c", turn, None)
    assert (await signals.only())["status"] == "dismissed"


async def test_the_tool_is_for_agents_and_administrators(signals: Signals) -> None:
    call = {"rating": "neutral", "comment": "It took a while"}
    refused = await signals.desk.contributor.post("/api/tools/addFeedback", json=call)
    assert refused.status_code == 403
    assert await signals.listed() == []
    ok(await signals.admin.post("/api/tools/addFeedback", json=call))
    assert len(await signals.listed()) == 1


async def test_administrators_flag_turns_responses_sessions_and_records(signals: Signals) -> None:
    record = await signals.desk.make_record()
    response = await signals.desk.submit(record, {"employees": 3})
    session = await begin(signals.desk.contributor)
    turn = await signals.chats.say("c", user_id="ada")
    flags: list[dict[str, Any]] = [
        {"context": {"project": PROJECT, "conversation_id": "c", "turn_id": turn}},
        {"entity_id": record["id"], "context": {"response_id": response["id"]}},
        {"session_id": session["id"]},
        {"entity_id": record["id"]},
    ]
    for flag in flags:
        for _ in range(2):
            await signals.give(source_type="observation", comment="Look at this", **flag)
    assert len(await signals.listed(source_type="observation")) == 4
    assert len(await signals.listed(conversation_id="c", project=PROJECT)) == 1
    assert len(await signals.listed(response_id=response["id"])) == 1
    body = {"source_type": "observation", "rating": "negative", "session_id": session["id"]}
    assert (await signals.desk.reviewer.post("/api/feedback", json=body)).status_code == 403


async def test_what_is_flagged_has_to_be_there(signals: Signals) -> None:
    missing = "00000000-0000-7000-8000-000000000000"
    record = await signals.desk.make_record()
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({}, 422, "invalid_input"),
        ({"session_id": missing}, 404, "session_not_found"),
        ({"entity_id": missing}, 404, "entity_not_found"),
        ({"entity_id": record["id"], "context": {"response_id": missing}}, 404, "nothing_to_flag"),
        ({"entity_id": record["id"], "context": {"response_id": 7}}, 404, "nothing_to_flag"),
        ({"context": {"project": "P", "conversation_id": "c", "turn_id": "t"}}, 404, "nothing_to_flag"),
    ]
    for flag, status, problem in wrong:
        body = {"source_type": "observation", "rating": "negative", **flag}
        answer = await signals.admin.post("/api/feedback", json=body)
        assert (answer.status_code, answer.json()["code"]) == (status, problem), flag
    assert await signals.listed() == []
