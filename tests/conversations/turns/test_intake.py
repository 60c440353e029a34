"""Turns come in: once, in bulk, again, at the same moment, and wrongly."""

import asyncio
from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.conversations.chats import PROJECT, Chats
from tests.factories import Workspace


def turn(turn_id: str = "t1", **more: Any) -> dict[str, Any]:
    return {"turn_id": turn_id, "user": {"text": "Where is it?"}, "assistant": {"text": "Here."}, **more}


async def test_a_turn_makes_its_conversation_and_its_index_rows(chats: Chats) -> None:
    sent = turn(
        user_id="user_1", agent="answer-bot", session_id="s", bundle_id="with.codegen", track_id="A",
        ts="2026-01-02T03:04:05.000006Z", turn_log={"steps": [1, 2]},
    )  # fmt: skip
    made = await chats.add("c1", sent)
    assert made == {"project": PROJECT, "conversation_id": "c1", "added": ["t1"], "existing": []}
    (conversation,) = await chats.rows("SELECT * FROM conversations")
    assert (conversation["user_id"], conversation["agent"], conversation["turns"]) == (
        "user_1",
        "answer-bot",
        1,
    )
    assert conversation["title"] == "Where is it?"
    rows = await chats.rows("SELECT role, kind, tags, text, ts FROM conv_messages ORDER BY id")
    assert [(row["role"], row["kind"], row["text"]) for row in rows] == [
        ("user", "message", "Where is it?"),
        ("assistant", "message", "Here."),
        ("artifact", "turn.log", "turn.log t1"),
    ]
    assert rows[2]["tags"] == ["artifact:turn.log", "turn:t1", "track:A"]
    assert {row["ts"].isoformat() for row in rows} == {"2026-01-02T03:04:05.000006+00:00"}


async def test_a_turn_is_told_to_whoever_listens(chats: Chats) -> None:
    await chats.say("c1", "t1")
    (event,) = await chats.events()
    assert (event["name"], event["subject_id"], event["actor_kind"]) == (
        "conversation.turn_added",
        "c1",
        "user",
    )
    assert event["payload"] == {
        "project": PROJECT,
        "conversation_id": "c1",
        "turn_id": "t1",
        "turn_ids": ["t1"],
    }


async def test_the_same_turn_again_changes_nothing(chats: Chats) -> None:
    await chats.add("c1", turn(turn_log={"a": 1}))
    before = await chats.rows("SELECT * FROM conv_messages ORDER BY id")
    again = await chats.add("c1", turn(turn_log={"a": 1}), expected=200)
    assert (again["added"], again["existing"]) == ([], ["t1"])
    assert await chats.rows("SELECT * FROM conv_messages ORDER BY id") == before
    assert len(await chats.events()) == 1


async def test_another_turn_under_its_id_is_refused_and_none_of_its_list_is_added(chats: Chats) -> None:
    await chats.add("c1", turn())
    refused = await chats.add(
        "c1", [turn("t0"), turn("t1", assistant={"text": "There."}), turn("t2")], expected=409
    )
    assert (refused["code"], refused["conflict"]) == ("turn_exists", {"turn_ids": ["t1"]})
    assert [row["turn_id"] for row in await chats.rows("SELECT turn_id FROM conv_turns")] == ["t1"]
    assert (await chats.rows("SELECT turns FROM conversations"))[0]["turns"] == 1


async def test_a_list_keeps_its_order_and_adds_what_is_new(chats: Chats) -> None:
    await chats.add("c1", turn("t2"))
    made = await chats.add("c1", [turn("t3"), turn("t2"), turn("t1")])
    assert (made["added"], made["existing"]) == (["t3", "t1"], ["t2"])
    rows = await chats.rows("SELECT turn_id FROM conv_turns ORDER BY ts, seq")
    assert [row["turn_id"] for row in rows] == ["t2", "t3", "t1"]
    (conversation,) = await chats.rows("SELECT turns FROM conversations")
    assert conversation["turns"] == 3


async def test_what_is_older_comes_in_later_and_takes_its_place(chats: Chats) -> None:
    await chats.add("c1", turn("t2", ts="2026-02-01T00:00:00Z"))
    await chats.add("c1", turn("t1", ts="2026-01-01T00:00:00Z", user={"text": "First"}, user_id="u"))
    (found,) = await chats.rows("SELECT title, user_id, started_at, last_activity_at FROM conversations")
    assert (found["title"], found["user_id"]) == ("First", "u")
    assert (found["started_at"].month, found["last_activity_at"].month) == (1, 2)


async def test_the_same_id_in_two_conversations_or_projects_is_two_turns(chats: Chats) -> None:
    for project, conversation in (("A", "c1"), ("A", "c2"), ("B", "c1")):
        await chats.add(conversation, turn(), project=project)
    assert len(await chats.rows("SELECT 1 FROM conv_turns")) == 3


async def test_turns_that_come_at_the_same_moment_are_all_there_once(chats: Chats) -> None:
    lists = [[turn(f"t{n}") for n in range(10)], [turn(f"t{n}") for n in reversed(range(10))]]
    answers = await asyncio.gather(
        *(
            chats.backend.post(chats.path("c1", "turns"), json=turns, params={"gate": "false"})
            for turns in lists * 3
        )
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    (conversation,) = await chats.rows("SELECT turns FROM conversations")
    assert conversation["turns"] == 10
    assert len(await chats.rows("SELECT 1 FROM conv_messages")) == 20


@pytest.mark.parametrize(
    ("sent", "path", "code"),
    [
        ({"turn_id": "t"}, "", "empty_turn"),
        (turn("a/b"), "/turn_id", "invalid_value"),
        (turn(""), "/turn_id", "invalid_value"),
        (turn("x" * 201), "/turn_id", "invalid_value"),
        (turn("."), "/turn_id", "invalid_id"),
        ([], "", "invalid_value"),
        ([turn("a"), turn("a")], "/1/turn_id", "repeated"),
        (turn(ts="2026-01-01T00:00:00"), "/ts", "invalid_value"),
        (turn(ts="2999-01-01T00:00:00Z"), "/ts", "out_of_range"),
        (turn(weather="fine"), "/weather", "unknown_field"),
        ([turn("a"), turn("b", user={"text": "a\x00b"})], "/1/user/text", "nul_character"),
        (turn(agent="a\x00b"), "/agent", "nul_character"),
        (turn(turn_log=[1]), "/turn_log", "invalid_value"),
    ],
)
async def test_what_cannot_be_read_says_where(chats: Chats, sent: Any, path: str, code: str) -> None:
    refused = await chats.add("c1", sent, expected=422)
    assert [(fault["path"], fault["code"]) for fault in refused["errors"]] == [(path, code)]


@pytest.mark.parametrize("text", ["\x00", "a\x00b"])
async def test_text_that_cannot_be_stored_is_refused(chats: Chats, text: str) -> None:
    await chats.add("c1", turn(user={"text": text}), expected=422)


async def test_words_of_any_language_and_kind_are_kept(chats: Chats) -> None:
    said = "Größe 🎉 \u202e ' \" \\ {} $1 %s"
    await chats.add("c 1?#%", turn("ü", user={"text": said}))
    (row,) = await chats.rows("SELECT text, conversation_id FROM conv_messages WHERE role = 'user'")
    assert row == {"text": said, "conversation_id": "c 1?#%"}


async def test_who_may_only_read_adds_nothing(chats: Chats) -> None:
    answer = await chats.viewer.post(chats.path("c1", "turns"), json=turn())
    assert answer.status_code == 403


async def test_the_slug_of_another_workspace_is_not_found(chats: Chats, other_workspace: Any) -> None:
    path = chats.path("c1", "turns").replace(chats.workspace.slug, other_workspace.slug)
    assert (await chats.backend.post(path, json=turn())).status_code == 404
    theirs = await other_workspace.client(Role.OWNER)
    assert (await theirs.post(chats.path("c1", "turns"), json=turn())).status_code == 404


@pytest.mark.parametrize(("query", "queued"), [({}, 1), ({"gate": "true"}, 1), ({"gate": "false"}, 0)])
async def test_a_single_turn_is_read_by_the_gate_unless_told(
    chats: Chats, query: dict[str, str], queued: int
) -> None:
    answer = await chats.backend.post(chats.path("c1", "turns"), json=turn(), params=query)
    assert answer.status_code == 201
    assert len(await chats.marks("conversations.gate")) == queued


@pytest.mark.parametrize(("query", "queued"), [({}, 0), ({"gate": "true"}, 1)])
async def test_a_list_is_read_by_the_gate_only_when_told(
    chats: Chats, query: dict[str, str], queued: int
) -> None:
    turns = [turn("a"), {"turn_id": "b", "assistant": {"text": "Hello?"}}, turn("c")]
    await chats.backend.post(chats.path("c1", "turns"), json=turns, params=query)
    expected = [f"{PROJECT}/c1/a", f"{PROJECT}/c1/c"] if queued else []
    assert [mark["key"] for mark in await chats.marks("conversations.gate")] == expected


async def test_the_same_turn_with_another_time_is_the_same_and_keeps_its_own(chats: Chats) -> None:
    await chats.add("c1", turn("t1", ts="2026-01-01T00:00:00Z"))
    again = await chats.add("c1", turn("t1", ts="2026-01-02T00:00:00Z"), expected=200)
    assert again["existing"] == ["t1"]
    (row,) = await chats.rows("SELECT ts FROM conv_turns")
    assert row["ts"].day == 1


async def test_what_was_imported_is_read_by_the_gate_when_it_is_asked_for_later(chats: Chats) -> None:
    turns = [turn("t1"), turn("t2")]
    await chats.add("c1", turns)
    assert await chats.marks("conversations.gate") == []
    await chats.add("c1", turns, expected=200, gate="true")
    assert [mark["key"] for mark in await chats.marks("conversations.gate")] == [
        f"{PROJECT}/c1/t1",
        f"{PROJECT}/c1/t2",
    ]


async def test_a_user_may_have_any_name(chats: Chats) -> None:
    await chats.add("c1", turn("t1", user_id="auth0|org/ana@example.org"))
    assert (await chats.get(f"/api/conversations/{PROJECT}/c1"))["conversation"][
        "user_id"
    ] == "auth0|org/ana@example.org"


async def test_a_conversation_is_found_by_the_words_of_all_its_turns(chats: Chats) -> None:
    first = [turn(f"t{n}", user={"text": " ".join(f"word{n}x{i}" for i in range(60))}) for n in range(100)]
    await chats.add("c1", first)
    await chats.catch_up("conversations.index")
    await chats.add("c1", turn("late", user={"text": "zebra crossing"}))
    await chats.catch_up("conversations.index")
    for query in ("word0x0", "word80x59", "word99x1", "zebra"):
        assert len((await chats.get("/api/conversations", q=query))["data"]) == 1, query


async def test_the_agent_of_each_turn_is_looked_up_once_and_kept_as_it_was_sent(
    chats: Chats, other_workspace: Workspace
) -> None:
    bot = await chats.workspace.make_agent("answer-bot")
    await other_workspace.make_agent("elsewhere")
    sent = ["nobody's", "answer-bot", "Answer-Bot", "elsewhere", None]
    turns = [
        {"turn_id": f"t{n}", "user": {"text": "hi"}, **({"agent": agent} if agent else {})}
        for n, agent in enumerate(sent)
    ]
    await chats.add("c1", turns)
    rows = await chats.rows("SELECT agent, agent_id FROM conv_turns ORDER BY turn_id")
    assert [(row["agent"], row["agent_id"]) for row in rows] == [
        ("nobody's", None), ("answer-bot", bot.id), ("Answer-Bot", None), ("elsewhere", None), (None, None),
    ]  # fmt: skip
    assert await chats.rows("SELECT agent, agent_id FROM conversations") == [
        {"agent": "nobody's", "agent_id": None}
    ]
    await chats.add("c2", turns[4])
    await chats.add("c2", turns[1])
    (row,) = await chats.rows("SELECT agent, agent_id FROM conversations WHERE id = 'c2'")
    assert row == {"agent": "answer-bot", "agent_id": bot.id}
