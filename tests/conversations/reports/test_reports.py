"""Reports: the document's shapes, what they count, and that pages hold together while people go on clicking."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conversations.chats import Chats

DOCUMENT = Path(__file__).parents[2] / "data" / "feedback_shapes.json"
SHAPES: dict[str, Any] = json.loads(DOCUMENT.read_text())


def shape(value: Any) -> Any:
    """The keys and types of a value; of a list those of its first item."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in sorted(value.items())}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value):
        return "time"
    return type(value).__name__


def fits(example: Any, found: Any, at: str = "") -> list[str]:
    """Where a value has other keys or types than an example. A null in the example may be anything."""
    if example is None:
        return []
    if isinstance(example, dict) and isinstance(found, dict):
        if example.keys() != found.keys():
            return [f"{at}: {sorted(found)} instead of {sorted(example)}"]
        return [fault for key in example for fault in fits(example[key], found[key], f"{at}/{key}")]
    if isinstance(example, list) and isinstance(found, list):
        if example and not found:
            return [f"{at}: empty"]
        return [fault for each in found if example for fault in fits(example[0], each, f"{at}/0")]
    return [] if shape(example) == shape(found) else [f"{at}: {shape(found)} instead of {shape(example)}"]


async def test_the_artifact_is_that_of_the_document(chats: Chats) -> None:
    await chats.say("c1", "t1", track_id="A", bundle_id="with.codegen")
    sent = SHAPES["feedback_request"]
    made = await chats.react("c1", "t1", sent["reaction"], text=sent["text"], ts=sent["ts"])
    assert fits(SHAPES["artifact"], made["artifact"]) == []


async def test_the_period_report_is_that_of_the_document(chats: Chats) -> None:
    await chats.say("c1", "t1")
    await chats.react("c1", "t1", "ok", text="Fine.", ts="2025-11-06T17:47:02.162904Z")
    answer = await chats.viewer.post(
        chats.path("feedback", "conversations-in-period"), json=SHAPES["period_request"]
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["items"]
    assert fits(SHAPES["period_response"], answer.json()) == []
    assert answer.json()["tenant"] == chats.workspace.slug


async def test_the_turns_report_is_that_of_the_document(chats: Chats) -> None:
    await chats.say("c1", "t1", user_id="u", turn_log={"steps": []}, track_id="A", bundle_id="b")
    await chats.react("c1", "t1", "ok", text="Fine.")
    found = await chats.feedbacks("c1", **SHAPES["turns_request"])
    assert fits(SHAPES["turns_response"], found) == []
    (turn,) = found["turns"]
    assert fits(SHAPES["feedback_item"], turn["feedbacks"][0]) == []
    assert fits(SHAPES["artifact"], turn["reactions"][0]["payload"]) == []
    assert turn["turn_log"] == {"steps": []}
    assert (turn["user"]["text"], turn["assistant"]["text"]) == ("question 1", "answer 1")


async def test_counts_add_up_and_what_was_replaced_or_cleared_does_not_count(chats: Chats) -> None:
    for turn in ("t1", "t2", "t3"):
        await chats.say("c1", turn, user_id="ana")
    await chats.react("c1", "t1", "ok")
    await chats.react("c1", "t1", "not_ok")
    await chats.react("c1", "t1", "neutral", user_id="ben")
    await chats.react("c1", "t2", "ok")
    await chats.react("c1", "t2", None)
    await chats.react("c1", "t3", "ok")
    (item,) = (await chats.in_period(include_turns=True))["items"]
    assert item["feedback_counts"] == {
        "total": 3,
        "user": 3,
        "machine": 0,
        "ok": 1,
        "not_ok": 1,
        "neutral": 1,
    }
    assert [(t["turn_id"], [f["reaction"] for f in t["feedbacks"]]) for t in item["turns"]] == [
        ("t1", ["not_ok", "neutral"]),
        ("t3", ["ok"]),
    ]
    (bare,) = (await chats.in_period())["items"]
    assert bare == item | {"turns": []}


async def test_every_item_names_its_artifact(chats: Chats) -> None:
    await chats.say("c1", "t1")
    rn = (await chats.react("c1", "t1", "ok"))["artifact"]["meta"]["rn"]
    (item,) = (await chats.in_period(include_turns=True))["items"]
    assert item["turns"][0]["feedbacks"][0]["rn"] == rn
    assert (await chats.feedbacks("c1"))["turns"][0]["feedbacks"][0]["rn"] == rn


async def test_a_window_holds_its_ends_and_nothing_beyond(chats: Chats) -> None:
    for number, ts in enumerate(["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]):
        await chats.say(f"c{number}", "t")
        await chats.react(f"c{number}", "t", "ok", ts=ts)
    found = await chats.in_period("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")
    assert [item["conversation_id"] for item in found["items"]] == ["c1", "c0"]
    assert found["window"] == {"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z"}
    later = await chats.in_period("2026-01-01T03:00:00+02:00", "2026-01-02T00:00:00.000001Z")
    assert [item["conversation_id"] for item in later["items"]] == ["c1"]
    assert (await chats.in_period(project="Other"))["items"] == []


async def test_a_conversation_stands_at_its_newest_reaction_within_the_window(chats: Chats) -> None:
    for turn, ts in (
        ("a", "2026-01-01T00:00:00Z"),
        ("b", "2026-01-03T00:00:00Z"),
        ("c", "2026-01-09T00:00:00Z"),
    ):
        await chats.say("c1", turn)
        await chats.react("c1", turn, "ok", ts=ts)
    (item,) = (await chats.in_period("2026-01-01T00:00:00Z", "2026-01-05T00:00:00Z"))["items"]
    assert item["last_activity_at"] == "2026-01-03T00:00:00Z"
    assert item["feedback_counts"]["total"] == 2


@pytest.mark.parametrize("include_turns", [False, True])
async def test_pages_neither_repeat_nor_drop_while_people_go_on_clicking(
    chats: Chats, include_turns: bool
) -> None:
    for number in range(9):
        await chats.say(f"c{number}", "t", user_id="u")
        await chats.say(f"c{number}", "t2", user_id="u")
        await chats.react(f"c{number}", "t", "ok", ts=f"2026-01-0{number + 1}T00:00:00Z")
    seen, cursor, changes = [], None, 0
    while True:
        page = await chats.in_period(limit=2, cursor=cursor, include_turns=include_turns)
        seen += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
        # Between pages: one that is still to come moves to the top, another changes its mind, a third takes it back.
        await chats.react(f"c{changes}", "t2", "not_ok")
        await chats.react("c1", "t", "neutral" if changes % 2 else "not_ok")
        if changes == 0:
            await chats.react("c4", "t", None)
        await chats.say(f"new{changes}", "t")
        await chats.react(f"new{changes}", "t", "ok")
        changes += 1
    assert [item["conversation_id"] for item in seen] == [f"c{number}" for number in reversed(range(9))]
    assert {item["feedback_counts"]["total"] for item in seen} == {1}
    assert {item["feedback_counts"]["ok"] for item in seen} == {1}
    fresh = await chats.in_period(limit=200)
    assert "c4" not in [item["conversation_id"] for item in fresh["items"]]
    assert len(fresh["items"]) == 8 + changes


async def test_reactions_at_the_same_moment_are_all_paged(chats: Chats) -> None:
    for number in range(5):
        await chats.say(f"c{number}", "t")
        await chats.react(f"c{number}", "t", "ok", ts="2026-01-01T00:00:00Z")
    seen, cursor = set(), None
    for _ in range(5):
        page = await chats.in_period(limit=1, cursor=cursor)
        seen.add(page["items"][0]["conversation_id"])
        cursor = page["next_cursor"]
    assert len(seen) == 5
    assert cursor is None


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"end": "2026-01-01T00:00:00Z"}, "/start"),
        ({"start": "2026-01-02T00:00:00Z", "end": "2026-01-01T00:00:00Z"}, "/end"),
        ({"start": "2026-01-01", "end": "2026-01-02"}, "/start"),
        ({"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "limit": 0}, "/limit"),
        ({"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "limit": 201}, "/limit"),
        ({"start": "2026-01-01T00:00:00Z", "end": "2026-01-02T00:00:00Z", "cursor": "x"}, "/cursor"),
    ],
)
async def test_a_report_that_cannot_be_says_why(chats: Chats, body: dict[str, Any], path: str) -> None:
    answer = await chats.viewer.post(chats.path("feedback", "conversations-in-period"), json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["path"] == path


@pytest.mark.parametrize("year", ["0001", "9999"])
async def test_a_window_may_be_as_wide_as_the_calendar(chats: Chats, year: str) -> None:
    start, end = "0001-01-01T00:00:00+14:00", f"{year}-12-31T23:59:59-14:00"
    assert (await chats.in_period(start, end))["items"] == []


async def test_turns_are_chosen_by_id_and_by_age(chats: Chats) -> None:
    for turn in ("old", "new", "silent"):
        await chats.say("c1", turn)
    await chats.react("c1", "old", "ok", ts="2020-01-01T00:00:00Z")
    await chats.react("c1", "new", "ok")
    for body, found in (
        ({}, ["new"]),
        ({"days": 36500}, ["old", "new"]),
        ({"days": 36500, "turn_ids": ["old", "silent", "gone"]}, ["old"]),
        ({"turn_ids": []}, []),
    ):
        assert [turn["turn_id"] for turn in (await chats.feedbacks("c1", **body))["turns"]] == found


async def test_turns_of_a_conversation_that_is_not_there_are_a_404(chats: Chats) -> None:
    answer = await chats.viewer.post(chats.path("none", "turns-with-feedbacks"), json={})
    assert (answer.status_code, answer.json()["code"]) == (404, "conversation_not_found")
