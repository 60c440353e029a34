"""What a reviewer settled can be taken back, if it is still what they said."""

import asyncio
from typing import Any

import msgspec
import pytest

from goldloop.conversations.reactions.payloads import reaction_payload, reopened, settled
from tests.conversations.chats import PROJECT, Chats
from tests.conversations.reactions.test_machine import detecting, said_later, unclear
from tests.conversations.reactions.test_payloads import AT

ROW = """
    SELECT conversation_id, turn_id, tags, text, payload, state, agent, counted_from, counted_until
    FROM conv_messages WHERE id = $1::uuid
"""


async def settle(chats: Chats, reaction_id: str, turn_id: str | None) -> dict[str, Any]:
    done = await chats.reviewer.post(f"/api/reactions/{reaction_id}/settle", json={"turn_id": turn_id})
    assert done.status_code == 200, done.text
    return dict(done.json())


async def undo(chats: Chats, row: dict[str, Any], *, expected: int = 200) -> dict[str, Any]:
    path = f"/api/reactions/{row['id']}/settle/undo"
    done = await chats.reviewer.post(path, json={"rn": row["payload"]["meta"]["rn"]})
    assert done.status_code == expected, done.text
    return dict(done.json())


@pytest.mark.parametrize("turn_id", ["a", None])
async def test_what_was_before_is_there_again(chats: Chats, turn_id: str | None) -> None:
    found = await unclear(chats)
    (before,) = await chats.rows(ROW, found["id"])
    done = await settle(chats, found["id"], turn_id)
    back = await undo(chats, done)
    assert (back["state"], back["turn_id"]) == ("unsettled", None)
    assert await chats.rows(ROW, found["id"]) == [before]
    (waiting,) = (await chats.get("/api/reactions/unsettled"))["data"]
    assert waiting == found
    assert (await chats.in_period())["items"] == []
    (event,) = await chats.events("reaction.reopened")
    assert event["subject_id"] == event["payload"]["rn"] == before["payload"]["meta"]["rn"]
    assert event["payload"]["replaced_rn"] == done["payload"]["meta"]["rn"]


async def test_it_can_be_settled_otherwise_and_counts_once(chats: Chats) -> None:
    found = await unclear(chats)
    for turn_id in ("a", None, "b"):
        await undo(chats, await settle(chats, found["id"], turn_id))
    await settle(chats, found["id"], "b")
    (item,) = (await chats.in_period(include_turns=True))["items"]
    assert (item["feedback_counts"]["total"], [t["turn_id"] for t in item["turns"]]) == (1, ["b"])
    shown = (await chats.get(f"/api/conversations/{PROJECT}/c1"))["turns"]
    assert {t["turn_id"]: len(t["reactions"]) for t in shown if t["reactions"]} == {"b": 1}


async def test_a_report_that_was_begun_before_holds(chats: Chats) -> None:
    found = await unclear(chats)
    for number in range(2):
        await chats.say(f"newer{number}", "t")
        await chats.react(f"newer{number}", "t", "ok")
    done = await settle(chats, found["id"], "a")
    page = await chats.in_period(limit=2)
    await undo(chats, done)
    rest = await chats.in_period(cursor=page["next_cursor"])
    assert [item["conversation_id"] for item in rest["items"]] == ["c1"]
    assert len((await chats.in_period())["items"]) == 2


async def test_what_was_settled_otherwise_meanwhile_stays(chats: Chats) -> None:
    found = await unclear(chats)
    mine = await settle(chats, found["id"], "a")
    await undo(chats, mine)
    theirs = await settle(chats, found["id"], "b")
    refused = await undo(chats, mine, expected=409)
    assert refused["code"] == "reaction_settled"
    assert refused["conflict"] == {
        "id": found["id"],
        "rn": theirs["payload"]["meta"]["rn"],
        "conversation_id": "c1",
        "turn_id": "b",
    }
    assert [row["turn_id"] for row in await chats.rows(ROW, found["id"])] == ["b"]


async def test_taken_back_at_the_same_moment_is_taken_back_once(chats: Chats) -> None:
    done = await settle(chats, (await unclear(chats))["id"], "a")
    answers = await asyncio.gather(*(undo(chats, done) for _ in range(6)))
    assert {answer["state"] for answer in answers} == {"unsettled"}
    assert len(await chats.events("reaction.reopened")) == 1
    history = await chats.rows(
        "SELECT state, turn_id FROM conv_messages WHERE origin = 'machine' ORDER BY state"
    )
    assert [(row["state"], row["turn_id"]) for row in history] == [("cleared", "a"), ("unsettled", None)]


async def test_what_nobody_settled_cannot_be_taken_back(chats: Chats) -> None:
    chats = detecting(chats, "ok", 0.9)
    await chats.say("c1", "a", user_id="ana", ts="2026-01-01T00:00:00Z")
    await chats.add("c1", said_later("works, thanks"), gate="true")
    await chats.catch_up("conversations.gate")
    (row,) = (await chats.get(f"/api/conversations/{PROJECT}/c1"))["turns"][0]["reactions"]
    assert (await undo(chats, row, expected=409))["code"] == "reaction_not_settled"
    clicked = (await chats.react("c1", "a", "ok"))["artifact"]
    (own,) = await chats.rows("SELECT id::text FROM conv_messages WHERE state = 'active' AND origin = 'user'")
    await undo(chats, {"id": own["id"], "payload": clicked}, expected=404)


async def test_only_reviewers_take_back(chats: Chats) -> None:
    done = await settle(chats, (await unclear(chats))["id"], "a")
    path = f"/api/reactions/{done['id']}/settle/undo"
    sent = {"rn": done["payload"]["meta"]["rn"]}
    assert (await chats.backend.post(path, json=sent)).status_code == 403
    assert (await chats.reviewer.post(path, json={})).status_code == 422
    assert (await chats.reviewer.post(path, json={"rn": "x" * 1001})).status_code == 422


def test_a_payload_without_an_earlier_name_gets_a_new_one() -> None:
    waiting = reaction_payload(
        rn="ef:before",
        conversation_id="c",
        turn_id=None,
        reaction="ok",
        text="Thanks",
        ts=AT,
        origin="machine",
        confidence=0.9,
        gate={"decision": "undecided"},
    )
    done = settled(waiting, rn="ef:settled", conversation_id="other", turn_id="t", settled_by="user:1")
    assert reopened(done, rn="ef:new", conversation_id="c") == waiting
    older = msgspec.structs.replace(done, gate={"decision": "undecided", "settled_by": "user:1"})
    assert reopened(older, rn="ef:new", conversation_id="c").meta.rn == "ef:new"
    assert reopened(older, rn="ef:new", conversation_id="c").gate == {"decision": "undecided"}
