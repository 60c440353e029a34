"""Reacting to a turn: added, replaced, cleared, by whom, at the same moment, and wrongly."""

import asyncio
from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.conversations.chats import PROJECT, Chats

ACTIVE = "SELECT reaction, end_user, state FROM conv_messages WHERE state = 'active' ORDER BY id"


async def test_a_reaction_is_the_artifact_of_the_document(chats: Chats) -> None:
    await chats.say("c1", "t1", track_id="A", bundle_id="with.codegen", user_id="user_1")
    done = await chats.react("c1", "t1", "ok", text="Great explanation!", ts="2025-11-06T15:30:00Z")
    assert (done["outcome"], done["replaced_rn"]) == ("added", None)
    made = done["artifact"]
    rn = made["meta"].pop("rn")
    assert rn.startswith("ef:")
    assert ":t1:artifact:artifact-" in rn
    assert made == {
        "reaction": {
            "turn_id": "t1",
            "text": "Great explanation!",
            "confidence": 1.0,
            "ts": "2025-11-06T15:30:00Z",
            "reaction": "ok",
            "origin": "user",
        },
        "meta": {"turn_id": "t1", "track_id": "A", "user_type": "end_user", "kind": "turn.log.reaction"},
        "conversation_id": "c1",
        "bundle_id": "with.codegen",
    }
    (row,) = await chats.rows("SELECT role, tags, turn_id, text, end_user FROM conv_messages WHERE kind = 'turn.log.reaction'")  # fmt: skip
    assert row["role"] == "artifact"
    assert row["tags"] == ["artifact:turn.log.reaction", "turn:t1", "origin:user", "track:A"]
    assert "Great explanation!" in row["text"]
    assert row["end_user"] == "user_1"


async def test_a_new_reaction_replaces_the_one_before_which_stays_as_history(chats: Chats) -> None:
    await chats.say("c1", "t1")
    first = await chats.react("c1", "t1", "ok")
    second = await chats.react("c1", "t1", "not_ok")
    assert (second["outcome"], second["replaced_rn"]) == ("replaced", first["artifact"]["meta"]["rn"])
    rows = await chats.rows(
        "SELECT reaction, state, counted_until FROM conv_messages WHERE state IS NOT NULL ORDER BY id"
    )
    assert [(row["reaction"], row["state"], row["counted_until"] is None) for row in rows] == [
        ("ok", "replaced", False),
        ("not_ok", "active", True),
    ]


async def test_null_clears_and_writes_nothing_new(chats: Chats) -> None:
    await chats.say("c1", "t1")
    first = await chats.react("c1", "t1", "ok")
    cleared = await chats.react("c1", "t1", None)
    assert (cleared["outcome"], cleared["artifact"], cleared["replaced_rn"]) == (
        "cleared",
        None,
        first["artifact"]["meta"]["rn"],
    )
    assert [row["state"] for row in await chats.rows("SELECT state FROM conv_messages WHERE state IS NOT NULL")] == ["cleared"]  # fmt: skip
    assert (await chats.react("c1", "t1", None))["outcome"] == "unchanged"
    assert (await chats.react("c1", "t1", "ok"))["outcome"] == "added"


async def test_the_same_click_again_changes_nothing(chats: Chats) -> None:
    await chats.say("c1", "t1")
    first = await chats.react("c1", "t1", "ok", text="Fine", ts="2026-01-01T00:00:00Z")
    same: list[dict[str, Any]] = [{"text": "Fine"}, {"text": "Fine", "ts": "2026-01-01T00:00:00Z"}]
    for more in same:
        again = await chats.react("c1", "t1", "ok", **more)
        assert (again["outcome"], again["artifact"]) == ("unchanged", first["artifact"])
    other: list[dict[str, Any]] = [
        {},
        {"text": "Better"},
        {"text": "Better", "ts": "2026-01-02T00:00:00Z"},
    ]
    for more in other:
        assert (await chats.react("c1", "t1", "ok", **more))["outcome"] == "replaced"


async def test_events_tell_what_happened_and_to_which_artifact(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="u")
    first = (await chats.react("c1", "t1", "ok"))["artifact"]["meta"]["rn"]
    second = (await chats.react("c1", "t1", "neutral"))["artifact"]["meta"]["rn"]
    await chats.react("c1", "t1", None)
    common = {
        "project": "Support",
        "conversation_id": "c1",
        "turn_id": "t1",
        "origin": "user",
        "confidence": 1.0,
        "user_id": "u",
        "user_type": "end_user",
    }
    assert [(e["name"], e["payload"]) for e in await chats.events("reaction.%")] == [
        ("reaction.added", common | {"rn": first, "reaction": "ok"}),
        ("reaction.replaced", common | {"rn": second, "reaction": "neutral", "replaced_rn": first}),
        ("reaction.cleared", common | {"rn": second, "reaction": None}),
    ]


async def test_each_end_user_has_one(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    await chats.react("c1", "t1", "ok")
    await chats.react("c1", "t1", "not_ok", user_id="ben")
    await chats.react("c1", "t1", "neutral", user_id="ana")
    found = [(row["end_user"], row["reaction"]) for row in await chats.rows(ACTIVE)]
    assert sorted(found) == [("ana", "neutral"), ("ben", "not_ok")]


async def test_without_any_user_the_conversation_has_one(chats: Chats) -> None:
    await chats.say("c1", "t1")
    made = (await chats.react("c1", "t1", "ok"))["artifact"]
    assert made["meta"]["user_type"] == "end_user"
    await chats.react("c1", "t1", "not_ok")
    assert [(row["end_user"], row["reaction"]) for row in await chats.rows(ACTIVE)] == [("", "not_ok")]


async def test_a_signed_in_person_reacts_as_themselves(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    person = await chats.workspace.make_person(Role.CONTRIBUTOR)
    browser = await chats.workspace.signed_in(person)
    made = (await chats.react("c1", "t1", "ok", by=browser))["artifact"]
    assert made["meta"]["user_type"] == "member"
    assert [row["end_user"] for row in await chats.rows(ACTIVE)] == [str(person.id)]
    refused = await chats.react("c1", "t1", "ok", by=browser, user_id="ana", expected=422)
    assert refused["errors"][0]["code"] == "not_yours"


async def test_a_members_reaction_keeps_their_name_after_they_left(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    person = await chats.workspace.make_person(Role.CONTRIBUTOR)
    await chats.react("c1", "t1", "ok", by=await chats.workspace.signed_in(person))
    await chats.react("c1", "t1", "not_ok", user_id=str(person.id))  # a chat may call its end users so
    owner = await chats.workspace.client()
    assert (await owner.delete(f"/api/members/{person.id}")).status_code == 204
    (turn,) = (await chats.get("/api/conversations/Support/c1"))["turns"]
    shown = {row["payload"]["meta"]["user_type"]: row["user_name"] for row in turn["reactions"]}
    assert shown == {"member": person.email.split("@")[0], "end_user": None}


async def test_a_key_that_sends_a_members_id_leaves_that_members_reaction_alone(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="ana")
    person = await chats.workspace.make_person(Role.CONTRIBUTOR)
    browser = await chats.workspace.signed_in(person)
    own = await chats.react("c1", "t1", "ok", by=browser, text="Right")
    for reaction, outcome in (("not_ok", "added"), ("neutral", "replaced"), (None, "cleared")):
        sent = await chats.react("c1", "t1", reaction, user_id=str(person.id))
        assert sent["outcome"] == outcome
        assert sent["replaced_rn"] != own["artifact"]["meta"]["rn"]
    sent = await chats.react("c1", "t1", "not_ok", user_id=str(person.id))
    assert sent["artifact"]["meta"]["user_type"] == "end_user"
    again = await chats.react("c1", "t1", "ok", by=browser, text="Right")
    assert (again["outcome"], again["artifact"]) == ("unchanged", own["artifact"])
    (turn,) = (await chats.get("/api/conversations/Support/c1"))["turns"]
    assert {(r["user_id"], r["payload"]["meta"]["user_type"]) for r in turn["reactions"]} == {
        (str(person.id), "member"),
        (str(person.id), "end_user"),
    }
    assert (await chats.in_period())["items"][0]["feedback_counts"]["total"] == 2


async def test_a_member_who_clears_leaves_the_reaction_of_an_end_user_with_the_same_id(chats: Chats) -> None:
    person = await chats.workspace.make_person(Role.CONTRIBUTOR)
    browser = await chats.workspace.signed_in(person)
    await chats.say("c1", "t1", user_id=str(person.id))
    await chats.react("c1", "t1", "ok")
    assert (await chats.react("c1", "t1", None, by=browser))["outcome"] == "unchanged"
    assert (await chats.react("c1", "t1", "not_ok", by=browser))["outcome"] == "added"
    assert (await chats.react("c1", "t1", None, by=browser))["outcome"] == "cleared"
    assert [row["reaction"] for row in await chats.rows(ACTIVE)] == ["ok"]
    told = [(e["name"], e["payload"]["user_type"]) for e in await chats.events("reaction.%")]
    assert told == [
        ("reaction.added", "end_user"),
        ("reaction.added", "member"),
        ("reaction.cleared", "member"),
    ]


async def test_a_viewer_does_not_react(chats: Chats) -> None:
    await chats.say("c1", "t1")
    await chats.react("c1", "t1", "ok", by=chats.viewer, expected=403)


@pytest.mark.parametrize("sent", [{"reaction": "great"}, {"reaction": 1}, {"reaction": ["ok"]}, {}])
async def test_another_reaction_is_a_400(chats: Chats, sent: dict[str, Any]) -> None:
    await chats.say("c1", "t1")
    answer = await chats.backend.post(chats.path("c1", "turns", "t1", "feedback"), json=sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_reaction")


@pytest.mark.parametrize(
    "more", [{"text": 1}, {"ts": "soon"}, {"ts": "2999-01-01T00:00:00Z"}, {"stars": 5}, {"user_id": ""}]
)
async def test_whatever_else_is_wrong_is_a_422(chats: Chats, more: dict[str, Any]) -> None:
    await chats.say("c1", "t1")
    await chats.react("c1", "t1", "ok", expected=422, **more)


async def test_a_turn_that_is_not_there_is_a_404(chats: Chats) -> None:
    await chats.say("c1", "t1")
    for conversation, turn in (("c1", "t2"), ("c2", "t1")):
        refused = await chats.react(conversation, turn, "ok", expected=404)
        assert refused["code"] == "turn_not_found"
    await chats.react("c1", "t1", "ok", project="Other", expected=404)


async def test_clicks_at_the_same_moment_end_with_one_active_reaction(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="u")
    clicks = ["ok", "not_ok", "neutral", None] * 5
    await asyncio.gather(*(chats.react("c1", "t1", reaction) for reaction in clicks))
    await chats.react("c1", "t1", "ok", text="the last one")
    active = await chats.rows(ACTIVE)
    assert [row["reaction"] for row in active] == ["ok"]
    (item,) = (await chats.in_period())["items"]
    assert item["feedback_counts"]["total"] == 1


async def test_the_database_itself_takes_no_second_active_reaction(chats: Chats) -> None:
    await chats.say("c1", "t1")
    await chats.react("c1", "t1", "ok")
    await chats.react("c1", "t1", "not_ok")
    async with chats.workspace.db.tx(chats.workspace.system) as tx:
        with pytest.raises(Exception, match="conv_reactions_one_of_user"):
            await tx.execute("UPDATE conv_messages SET state = 'active' WHERE state = 'replaced'")


async def test_a_reaction_is_told_plainly_wherever_it_is_told(chats: Chats) -> None:
    turn = await chats.say("c", user_id="cust")
    made = await chats.react("c", turn, "not_ok", text="Wrong day")
    plain = made["plain"]
    assert plain == {
        "rn": made["artifact"]["meta"]["rn"],
        "conversation_id": "c",
        "turn_id": turn,
        "reaction": "not_ok",
        "text": "Wrong day",
        "ts": made["artifact"]["reaction"]["ts"],
        "origin": "user",
        "confidence": 1.0,
        "user_type": made["artifact"]["meta"]["user_type"],
    }
    shown = (await chats.viewer.get(f"/api/conversations/{PROJECT}/c")).json()["turns"][0]["reactions"][0]
    assert (shown["plain"], shown["payload"]) == (plain, made["artifact"])
    report = await chats.viewer.post(chats.path("c", "turns-with-feedbacks"), json={})
    (reported,) = report.json()["turns"]
    assert reported["reactions"][0]["plain"] == plain
    assert reported["feedbacks"][0].items() <= plain.items()
    cleared = await chats.react("c", turn, None)
    assert (cleared["outcome"], cleared["artifact"], cleared["plain"]) == ("cleared", None, None)
