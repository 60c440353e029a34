"""Reactions of members of the workspace and of end users are told apart wherever they are counted."""

import csv
import io
from typing import Any

import pytest

from goldloop.conversations.reactions.counts import is_of, narrowed
from goldloop.tenants.model import Role
from tests.conversations.chats import PROJECT, Chats
from tests.conversations.reactions.test_machine import detecting, said_later

SATISFACTION = "/api/conversations/satisfaction"
SINCE: dict[str, Any] = {"start": "2026-01-01T00:00:00Z"}


async def reacted(chats: Chats) -> None:
    """Of three conversations a member looked at the first two, and an end user and a machine at the last two."""
    member = await chats.workspace.signed_in(await chats.workspace.make_person(Role.CONTRIBUTOR))
    for number, conversation in enumerate(("looked-at", "both", "machine")):
        await chats.say(conversation, "t", user_id="ana", ts=f"2026-01-0{number + 5}T00:00:00Z")
    await chats.react("looked-at", "t", "not_ok", by=member, ts="2026-01-05T00:00:00Z")
    await chats.react("both", "t", "not_ok", by=member, ts="2026-01-13T00:00:00Z")
    await chats.react("both", "t", "ok", ts="2026-01-20T00:00:00Z")
    chats = detecting(chats, "ok", 0.9)
    await chats.add("machine", said_later("works, thanks") | {"ts": "2026-01-08T00:00:00Z"}, gate="true")
    await chats.catch_up("conversations.gate")


@pytest.mark.parametrize(
    ("asked", "meant", "counted"),
    [
        ({}, "end_user", (2, 2)),
        ({"user_type": "end_user"}, "end_user", (2, 2)),
        ({"user_type": "member"}, "member", (0, 2)),
        ({"user_type": "all"}, "all", (2, 4)),
        ({"user_type": "end_user", "origin": "machine"}, "end_user", (1, 1)),
        ({"user_type": "member", "origin": "machine"}, "member", (0, 0)),
    ],
)
async def test_satisfaction_is_that_of_end_users_unless_asked(
    chats: Chats, asked: dict[str, Any], meant: str, counted: tuple[int, int]
) -> None:
    await reacted(chats)
    report = await chats.get(SATISFACTION, **SINCE, **asked)
    (overall,) = report["overall"]
    assert (report["user_type"], (overall["ok"], overall["total"])) == (meant, counted)
    table = await chats.viewer.get(f"{SATISFACTION}.csv", params={**SINCE, **asked})
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert (sum(int(row["ok"]) for row in rows), sum(int(row["total"]) for row in rows)) == counted


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["machine", "both", "looked-at"]),
        ({"user_type": "member"}, ["both", "looked-at"]),
        ({"user_type": "end_user"}, ["machine", "both"]),
        ({"user_type": "member", "reaction": "ok"}, []),
        ({"user_type": "end_user", "reaction": "ok", "origin": "user"}, ["both"]),
        ({"reacted_start": "2026-01-12T00:00:00Z", "reacted_end": "2026-01-18T23:59:59Z"}, ["both"]),
        ({"reacted_start": "2026-01-12T00:00:00Z", "reacted_end": "2026-01-18T23:59:59Z", "user_type": "end_user"}, []),
        ({"reacted_end": "2026-01-05T00:00:00Z"}, ["looked-at"]),
    ],
)  # fmt: skip
async def test_conversations_are_listed_by_whose_reactions_and_when(
    chats: Chats, asked: dict[str, Any], found: list[str]
) -> None:
    await reacted(chats)
    page = await chats.get("/api/conversations", **asked)
    assert [row["id"] for row in page["data"]] == found


async def test_reports_count_those_of_either_and_of_both_as_before(chats: Chats) -> None:
    await reacted(chats)
    totals: dict[str | None, Any] = {}
    for user_type in (None, "member", "end_user"):
        for include_turns in (False, True):
            page = await chats.in_period(include_turns=include_turns, user_type=user_type, limit=2)
            rest = await chats.in_period(
                include_turns=include_turns, user_type=user_type, cursor=page["next_cursor"]
            ) if page["next_cursor"] else {"items": []}  # fmt: skip
            items = page["items"] + rest["items"]
            totals[user_type] = {i["conversation_id"]: i["feedback_counts"]["total"] for i in items}
            told = {i["conversation_id"]: sum(len(t["feedbacks"]) for t in i["turns"]) for i in items}
            assert not include_turns or told == totals[user_type]
    assert totals == {
        None: {"looked-at": 1, "both": 2, "machine": 1},
        "member": {"looked-at": 1, "both": 1},
        "end_user": {"both": 1, "machine": 1},
    }
    both = (await chats.in_period())["items"][0]["feedback_counts"]
    assert (both["user"], both["machine"]) == (2, 0)  # origins are those of the document
    for user_type, reactions in (("member", ["not_ok"]), ("end_user", ["ok"]), (None, ["not_ok", "ok"])):
        (turn,) = (await chats.feedbacks("both", user_type=user_type))["turns"]
        assert [each["reaction"] for each in turn["feedbacks"]] == reactions
        assert len(turn["reactions"]) == len(reactions)


async def test_what_a_machine_read_is_the_end_users(chats: Chats) -> None:
    await reacted(chats)
    shown = (await chats.get(f"/api/conversations/{PROJECT}/machine"))["turns"][0]["reactions"]
    assert [(row["payload"]["reaction"]["origin"], row["payload"]["meta"]["user_type"]) for row in shown] == [
        ("machine", "end_user")
    ]
    events = [(e["payload"]["origin"], e["payload"]["user_type"]) for e in await chats.events("reaction.%")]
    assert sorted(events) == [("machine", "end_user"), ("user", "end_user"), *[("user", "member")] * 2]


@pytest.mark.parametrize("user_type", ["privileged", "everybody", ""])
async def test_nobody_else_is_asked_for(chats: Chats, user_type: str) -> None:
    for path in ("/api/conversations", SATISFACTION, f"{SATISFACTION}.csv"):
        await chats.get(path, user_type=user_type, expected=422)


def test_whose_it_is_is_part_of_the_statement_and_nothing_that_was_sent() -> None:
    assert [is_of("m", each) for each in ("member", "end_user", "x' OR true")] == [
        "m.by_member",
        "NOT m.by_member",
        "NOT m.by_member",
    ]
    conditions = narrowed("m", {"user_type": "member", "agent": None}, lambda value: f"<{value}>")
    assert conditions == ["m.by_member"]
