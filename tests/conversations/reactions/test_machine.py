"""Machine reactions: read once from a message, about the turn that it means, and settled by a person where it is unclear."""

import asyncio
import dataclasses
from typing import Any

import pytest

from goldloop.conversations.gate.model import DETECTOR, Detection
from tests.conversations.chats import PROJECT, Chats

TOPICS = [
    ("Write a SQL query for orders per customer", "SELECT customer_id, count(*) FROM orders GROUP BY 1"),
    ("Find hotels in Lisbon for three nights", "Hotel Avenida, Hotel Tejo and Casa Alfama have rooms."),
    ("Draft a mail to the board about revenue", "Dear board, revenue grew again this year."),
]


class Says:
    """A detector that answers what it is told to."""

    def __init__(self, reaction: Any, confidence: float) -> None:
        self.reaction, self.confidence = reaction, confidence

    async def detect(self, message: str, **_: Any) -> Detection:
        return Detection(
            reaction=self.reaction, confidence=self.confidence, evidence=message, detector="scripted/1"
        )


def detecting(chats: Chats, reaction: Any, confidence: float) -> Chats:
    """With a worker whose detector always says this."""
    ports = {DETECTOR: Says(reaction, confidence)}
    return dataclasses.replace(chats, outside=dataclasses.replace(chats.outside, ports=ports))


async def talk(chats: Chats, message: str, conversation: str = "c1", user_id: str = "ana") -> None:
    """Three turns about different things, then a message."""
    turns = [
        {"turn_id": f"t{n}", "user": {"text": asked}, "assistant": {"text": said}, "user_id": user_id,
         "ts": f"2026-01-01T00:0{n}:00Z", "track_id": "A"}
        for n, (asked, said) in enumerate(TOPICS)
    ]  # fmt: skip
    await chats.add(conversation, turns)
    await chats.add(conversation, said_later(message, user_id), gate="true")
    await chats.catch_up("conversations.gate")


def said_later(message: str, user_id: str | None = "ana") -> dict[str, Any]:
    return {"turn_id": "t9", "user": {"text": message}, "user_id": user_id, "ts": "2026-01-01T00:09:00Z"}


async def machine_rows(chats: Chats) -> list[dict[str, Any]]:
    return await chats.rows(
        "SELECT turn_id, conversation_id, reaction, state, confidence, payload, tags, ts FROM conv_messages WHERE origin = 'machine'"
    )


async def test_a_complaint_is_written_about_the_turn_that_it_means(chats: Chats) -> None:
    await talk(chats, "Those Lisbon hotels don't exist, your answer is wrong.")
    (row,) = await machine_rows(chats)
    assert (row["turn_id"], row["reaction"], row["state"]) == ("t1", "not_ok", "active")
    assert row["confidence"] >= 0.70
    assert set(row["tags"]) == {"artifact:turn.log.reaction", "turn:t1", "origin:machine", "track:A"}
    gate = row["payload"]["gate"]
    assert gate["message"] == {"conversation_id": "c1", "turn_id": "t9"}
    assert gate["detector"].startswith("embedded/")
    assert {c["turn_id"] for c in gate["candidates"]} == {"t0", "t1", "t2"}
    for scored in gate["candidates"]:
        expected = 0.85 * scored["similarity"] + 0.15 * scored["recency"]
        assert scored["score"] == pytest.approx(expected, abs=2e-4)
    (event,) = await chats.events("reaction.%")
    assert (event["name"], event["payload"]["origin"], event["actor_kind"]) == (
        "reaction.added",
        "machine",
        "system",
    )


@pytest.mark.parametrize("message", ["Now translate it into French, please.", "   ", "What about Porto?"])
async def test_an_ordinary_message_writes_nothing(chats: Chats, message: str) -> None:
    await talk(chats, message)
    assert await machine_rows(chats) == []
    assert await chats.marks("conversations.gate") == []


@pytest.mark.parametrize(("confidence", "written"), [(0.69, 0), (0.70, 1), (1.0, 1)])
async def test_only_what_is_sure_enough_is_written(chats: Chats, confidence: float, written: int) -> None:
    chats = detecting(chats, "ok", confidence)
    await talk(chats, "works, thanks")
    assert len(await machine_rows(chats)) == written


async def test_without_an_earlier_turn_nothing_is_written(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.9)
    await chats.add("c1", said_later("That was wrong."), gate="true")
    await chats.catch_up("conversations.gate")
    assert await machine_rows(chats) == []


async def test_a_message_that_is_read_twice_reacts_once(chats: Chats) -> None:
    chats = detecting(chats, "ok", 0.9)
    await talk(chats, "works, thanks")
    async with chats.workspace.db.tx(chats.workspace.system) as tx:
        await tx.execute("SELECT set_marks('conversations.gate', ARRAY[$1])", f"{PROJECT}/c1/t9")
    await chats.catch_up("conversations.gate")
    (row,) = await machine_rows(chats)
    assert row["turn_id"] == "t2"


async def test_another_conversation_of_the_same_user_may_be_meant(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.9)
    await talk(chats, "hello", conversation="earlier")
    await chats.rows("DELETE FROM conv_messages WHERE origin = 'machine' RETURNING 1")
    sent = {"user_id": "ana", "ts": "2026-01-02T00:00:00Z"}
    await chats.say("c2", "a", user={"text": "Rename the logo file"}, assistant={"text": "Done."}, **sent)
    message = (
        "The hotels in Lisbon for three nights: Hotel Avenida, Hotel Tejo and Casa Alfama have no rooms."
    )
    late = {"turn_id": "b", "user": {"text": message}, "user_id": "ana", "ts": "2026-01-02T00:01:00Z"}
    await chats.add("c2", late, gate="true")
    await chats.catch_up("conversations.gate")
    (row,) = await machine_rows(chats)
    assert (row["conversation_id"], row["turn_id"]) == ("earlier", "t1")
    (item,) = (await chats.in_period(include_turns=True))["items"]
    assert (item["conversation_id"], item["feedback_counts"]["machine"]) == ("earlier", 1)


async def test_machine_reactions_stand_beside_those_of_people(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.8)
    await talk(chats, "works, thanks")
    await chats.react("c1", "t2", "ok")
    await chats.react("c1", "t2", "neutral")
    (item,) = (await chats.in_period())["items"]
    assert item["feedback_counts"] == {
        "total": 2,
        "user": 1,
        "machine": 1,
        "ok": 0,
        "not_ok": 1,
        "neutral": 1,
    }


async def unclear(chats: Chats, user_id: str | None = "ana") -> dict[str, Any]:
    """A message that two turns answer to alike."""
    chats = detecting(chats, "not_ok", 0.9)
    same = {
        "user": {"text": "Write a query for refunds"},
        "assistant": {"text": "SELECT sum(amount) FROM refunds"},
    }
    for turn, minute in (("a", 0), ("b", 1)):
        await chats.say("c1", turn, ts=f"2026-01-01T00:00:0{minute}Z", user_id=user_id, **same)
    await chats.say("c1", "c", ts="2026-01-01T00:08:00Z", user={"text": "Hi"}, assistant={"text": "Hello!"})
    await chats.add("c1", said_later("the query for refunds is wrong", user_id), gate="true")
    await chats.catch_up("conversations.gate")
    (found,) = (await chats.get("/api/reactions/unsettled"))["data"]
    return dict(found)


async def test_a_close_call_waits_for_a_person_and_counts_nowhere(chats: Chats) -> None:
    found = await unclear(chats)
    assert (found["turn_id"], found["message"]) == ("t9", "the query for refunds is wrong")
    assert (found["reaction"], found["confidence"], found["project"]) == ("not_ok", 0.9, PROJECT)
    texts = {c["turn_id"]: c["assistant"] for c in found["candidates"]}
    assert texts["a"] == texts["b"] == "SELECT sum(amount) FROM refunds"
    assert (await chats.in_period())["items"] == []
    path = "/api/reactions/unsettled/count"
    counts = [await chats.get(path), await chats.get(path, project="Other")]
    assert counts == [{"count": 1}, {"count": 0}]
    shown = await chats.get(f"/api/conversations/{PROJECT}/c1")
    (last,) = [turn for turn in shown["turns"] if turn["turn_id"] == "t9"]
    assert [row["id"] for row in last["unsettled"]] == [found["id"]]


async def test_a_reviewer_says_which_turn_was_meant(chats: Chats) -> None:
    found = await unclear(chats)
    path = f"/api/reactions/{found['id']}/settle"
    assert (await chats.backend.post(path, json={"turn_id": "a"})).status_code == 403
    assert (await chats.reviewer.post(path, json={"turn_id": "gone"})).status_code == 404
    done = await chats.reviewer.post(path, json={"turn_id": "a"})
    assert done.status_code == 200, done.text
    row = done.json()
    assert (row["state"], row["turn_id"], row["payload"]["reaction"]["turn_id"]) == ("active", "a", "a")
    assert ":c1:a:artifact:" in row["payload"]["meta"]["rn"]
    assert row["payload"]["gate"]["settled_by"].startswith("user:")
    assert (await chats.get("/api/reactions/unsettled"))["data"] == []
    assert await chats.get("/api/reactions/unsettled/count") == {"count": 0}
    (item,) = (await chats.in_period(include_turns=True))["items"]
    assert [turn["turn_id"] for turn in item["turns"]] == ["a"]
    assert (await chats.reviewer.post(path, json={"turn_id": "a"})).status_code == 200
    other = await chats.reviewer.post(path, json={"turn_id": "b"})
    assert (other.status_code, other.json()["code"]) == (409, "reaction_settled")
    assert [e["name"] for e in await chats.events("reaction.%")] == ["reaction.unsettled", "reaction.added"]


async def test_a_reviewer_says_that_no_turn_was_meant(chats: Chats) -> None:
    found = await unclear(chats)
    done = await chats.reviewer.post(f"/api/reactions/{found['id']}/settle", json={"turn_id": None})
    assert (done.status_code, done.json()["state"]) == (200, "dismissed")
    (event,) = await chats.events("reaction.dismissed")
    assert (event["payload"]["user_id"], event["payload"]["turn_id"]) == ("ana", None)
    assert event["payload"]["rn"] == done.json()["payload"]["meta"]["rn"]
    assert (await chats.get("/api/reactions/unsettled"))["data"] == []
    assert (await chats.in_period())["items"] == []


async def test_settling_at_the_same_moment_is_settling_once(chats: Chats) -> None:
    found = await unclear(chats)
    path = f"/api/reactions/{found['id']}/settle"
    answers = await asyncio.gather(*(chats.reviewer.post(path, json={"turn_id": "a"}) for _ in range(6)))
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len(await chats.events("reaction.added")) == 1


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        ({"turn_id": "t9"}, 422, "invalid_input"),
        ({"turn_id": "a", "conversation_id": "none"}, 404, "turn_not_found"),
    ],
)
async def test_what_cannot_be_meant_is_refused(
    chats: Chats, answer: dict[str, str], status: int, code: str
) -> None:
    found = await unclear(chats)
    path = f"/api/reactions/{found['id']}/settle"
    refused = await chats.reviewer.post(path, json=answer)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert (await chats.reviewer.post(path, json={"turn_id": "a"})).status_code == 200
    elsewhere = await chats.reviewer.post(path, json={"turn_id": "a", "conversation_id": "none"})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (409, "reaction_settled")


@pytest.mark.parametrize("owner", ["bob", None])
async def test_a_turn_of_another_end_user_elsewhere_cannot_be_meant(chats: Chats, owner: str | None) -> None:
    found = await unclear(chats)
    await chats.say("elsewhere", "x", **({"user_id": owner} if owner else {}))
    before = await chats.rows("SELECT * FROM conv_messages ORDER BY id")
    path = f"/api/reactions/{found['id']}/settle"
    refused = await chats.reviewer.post(path, json={"turn_id": "x", "conversation_id": "elsewhere"})
    assert refused.status_code == 422
    assert [(e["path"], e["code"]) for e in refused.json()["errors"]] == [("/turn_id", "not_theirs")]
    assert await chats.rows("SELECT * FROM conv_messages ORDER BY id") == before
    assert [e["name"] for e in await chats.events("reaction.%")] == ["reaction.unsettled"]


async def test_two_conversations_of_nobody_are_not_of_the_same_end_user(chats: Chats) -> None:
    found = await unclear(chats, user_id=None)
    await chats.say("elsewhere", "x")
    path = f"/api/reactions/{found['id']}/settle"
    refused = await chats.reviewer.post(path, json={"turn_id": "x", "conversation_id": "elsewhere"})
    assert (refused.status_code, refused.json()["errors"][0]["code"]) == (422, "not_theirs")
    assert (await chats.reviewer.post(path, json={"turn_id": "a"})).status_code == 200


async def test_a_turn_of_the_same_end_user_in_another_conversation_can_be_meant(chats: Chats) -> None:
    found = await unclear(chats)
    await chats.say("elsewhere", "x", user_id="ana")
    await chats.say("elsewhere", "y")
    path = f"/api/reactions/{found['id']}/settle"
    done = await chats.reviewer.post(path, json={"turn_id": "y", "conversation_id": "elsewhere"})
    assert (done.status_code, done.json()["turn_id"]) == (200, "y"), done.text


async def test_no_turn_is_meant_in_no_other_conversation(chats: Chats) -> None:
    found = await unclear(chats)
    answer = {"turn_id": None, "conversation_id": "elsewhere"}
    done = await chats.reviewer.post(f"/api/reactions/{found['id']}/settle", json=answer)
    assert (done.status_code, done.json()["payload"]["conversation_id"]) == (200, "c1")


async def test_a_machine_reacts_to_no_turn_of_another_end_user_elsewhere(chats: Chats) -> None:
    await chats.say("c1", "a", user_id="ana")
    await chats.say("of_bob", "x", user_id="bob")
    await chats.say("of_nobody", "y")
    for conversation, turn, written in (("of_bob", "x", False), ("of_nobody", "y", False), ("c1", "a", True)):
        (row,) = await chats.rows(
            """
            SELECT event IS NOT NULL AS written
            FROM add_machine_reaction('Support', $1, $2, 'c1', 'a', gen_random_uuid(), gen_random_uuid(), 'ok', 0.9,
                                      now(), '', '{"meta": {"rn": "rn"}}', gen_random_uuid(), gen_random_uuid())
            """,
            conversation,
            turn,
        )
        assert row["written"] is written


async def test_a_reaction_is_that_of_whoever_wrote_the_message(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.9)
    await chats.say("c1", "a", user_id="ana", ts="2026-01-01T00:00:00Z")
    await chats.add("c1", said_later("That is wrong.", "bob"), gate="true")
    await chats.catch_up("conversations.gate")
    (turn, _) = (await chats.get(f"/api/conversations/{PROJECT}/c1"))["turns"]
    assert [row["user_id"] for row in turn["reactions"]] == ["bob"]
    (event,) = await chats.events("reaction.added")
    assert (event["payload"]["user_id"], event["subject_id"]) == ("bob", event["payload"]["rn"])


async def test_a_turn_that_nobody_answered_is_not_meant(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.9)
    await chats.say("c1", "a", ts="2026-01-01T00:00:00Z")
    await chats.add("c1", {"turn_id": "b", "user": {"text": "hello?"}, "ts": "2026-01-01T00:01:00Z"})
    await chats.add("c1", said_later("That is wrong."), gate="true")
    await chats.catch_up("conversations.gate")
    assert [row["turn_id"] for row in await machine_rows(chats)] == ["a"]


async def test_a_message_that_begins_a_conversation_means_the_last_turn_of_its_author(chats: Chats) -> None:
    chats = detecting(chats, "not_ok", 0.9)
    await chats.add(
        "earlier",
        [
            {"turn_id": "a", "user": {"text": "Hi"}, "assistant": {"text": "Hello"}, "user_id": "ana",
             "ts": "2026-01-01T00:00:00Z"},
            {"turn_id": "b", "user": {"text": "Cats?"}, "assistant": {"text": "Meow"},
             "ts": "2026-01-01T00:01:00Z"},
        ],
    )  # fmt: skip
    await chats.say("of_bob", "c", user_id="bob", ts="2026-01-01T00:02:00Z")
    await chats.add("new", said_later("qwertz uiop"), gate="true")
    await chats.catch_up("conversations.gate")
    (row,) = await machine_rows(chats)
    assert (row["conversation_id"], row["turn_id"]) == ("earlier", "b")
    assert row["payload"]["gate"]["decision"] == "last"


async def test_only_a_machine_reaction_is_settled(chats: Chats) -> None:
    await chats.say("c1", "t1")
    await chats.react("c1", "t1", "ok")
    (row,) = await chats.rows("SELECT id FROM conv_messages WHERE origin = 'user'")
    answer = await chats.reviewer.post(f"/api/reactions/{row['id']}/settle", json={"turn_id": "t1"})
    assert (answer.status_code, answer.json()["code"]) == (404, "reaction_not_found")
