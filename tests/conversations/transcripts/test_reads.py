"""Looking at conversations: the list with its filters, search and pages, and the transcript."""

from typing import Any

import pytest

from goldloop.conversations.reports import store
from tests.conversations.chats import PROJECT, Chats


async def some(chats: Chats) -> None:
    rows = [
        ("A", "a1", "ana", "bot", "2026-01-01T00:00:00Z", "Where is my invoice?"),
        ("A", "a2", "ben", "bot", "2026-01-02T00:00:00Z", "Größe ändern"),
        ("B", "b1", "ana", "coder", "2026-01-03T00:00:00Z", "Fix the failing test"),
    ]
    for project, conversation, user, agent, ts, text in rows:
        turn = {"turn_id": "t", "user": {"text": text}, "assistant": {"text": "Sure."}, "user_id": user, "agent": agent, "ts": ts}  # fmt: skip
        await chats.add(conversation, turn, project=project)
    await chats.react("a1", "t", "ok", project="A")
    await chats.react("b1", "t", "not_ok", project="B")
    await chats.react("a2", "t", "ok", project="A")
    await chats.react("a2", "t", None, project="A")
    await chats.catch_up("conversations.index")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["b1", "a2", "a1"]),
        ({"project": "A"}, ["a2", "a1"]),
        ({"project": "C"}, []),
        ({"agent": "coder"}, ["b1"]),
        ({"user_id": "ana"}, ["b1", "a1"]),
        ({"user_id": "ana", "project": "A"}, ["a1"]),
        ({"reaction": "ok"}, ["a1"]),
        ({"reaction": "not_ok", "origin": "user"}, ["b1"]),
        ({"origin": "machine"}, []),
        ({"start": "2026-01-02T00:00:00Z"}, ["b1", "a2"]),
        ({"end": "2026-01-02T00:00:00Z"}, ["a2", "a1"]),
        ({"q": "invo"}, ["a1"]),
        ({"q": "grosse"}, ["a2"]),
        ({"q": "fail FIX"}, ["b1"]),
        ({"q": "fail invoice"}, []),
        ({"q": "sure"}, ["b1", "a2", "a1"]),
    ],
)
async def test_a_list_is_narrowed(chats: Chats, query: dict[str, Any], found: list[str]) -> None:
    await some(chats)
    assert [row["id"] for row in (await chats.get("/api/conversations", **query))["data"]] == found


async def test_a_list_is_paged_and_says_what_people_thought(chats: Chats) -> None:
    await some(chats)
    rows: list[Any] = []
    cursor = None
    while True:
        page = await chats.get("/api/conversations", limit=1, **({"cursor": cursor} if cursor else {}))
        rows += page["data"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [row["id"] for row in rows] == ["b1", "a2", "a1"]
    assert [row["feedback_counts"]["total"] for row in rows] == [1, 0, 1]
    assert rows[0]["title"] == "Fix the failing test"
    assert (await chats.get("/api/conversations/projects"))["data"] == ["A", "B"]


async def test_a_transcript_has_its_turns_in_order_with_reactions(chats: Chats) -> None:
    for number in range(5):
        await chats.say("c1", f"t{number}", user_id="ana", session_id="s")
    await chats.react("c1", "t3", "ok", text="Fine")
    await chats.react("c1", "t3", "not_ok", user_id="ben")
    turns: list[Any] = []
    cursor = None
    while True:
        page = await chats.get(
            f"/api/conversations/{PROJECT}/c1", limit=2, **({"cursor": cursor} if cursor else {})
        )
        turns += page["turns"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert [turn["turn_id"] for turn in turns] == [f"t{number}" for number in range(5)]
    assert (turns[0]["user"], turns[0]["assistant"], turns[0]["session_id"]) == (
        "question 1",
        "answer 1",
        "s",
    )
    said = [(row["user_id"], row["payload"]["reaction"]["reaction"]) for row in turns[3]["reactions"]]
    assert said == [("ana", "ok"), ("ben", "not_ok")]
    assert page["conversation"]["feedback_counts"]["total"] == 2


async def part(chats: Chats, **query: Any) -> Any:
    return await chats.get(f"/api/conversations/{PROJECT}/c1", **query)


def turns_of(transcript: Any) -> list[str]:
    return [turn["turn_id"] for turn in transcript["turns"]]


async def test_a_transcript_opens_at_a_turn_and_leads_both_ways(chats: Chats) -> None:
    moment = "2026-01-01T00:00:00Z"  # all at once: then the order in which they came counts
    for number in range(12):
        await chats.say("c1", f"t{number}", ts=moment)
    opened = await part(chats, turn_id="t6", limit=5)
    assert turns_of(opened) == ["t3", "t4", "t5", "t6", "t7"]
    earlier = await part(chats, before=opened["previous_cursor"], limit=2)
    assert turns_of(earlier) == ["t1", "t2"]
    first = await part(chats, before=earlier["previous_cursor"], limit=2)
    assert (turns_of(first), first["previous_cursor"]) == (["t0"], None)
    assert turns_of(await part(chats, cursor=first["next_cursor"], limit=1)) == ["t1"]
    last = await part(chats, cursor=opened["next_cursor"], limit=5)
    assert (turns_of(last), last["next_cursor"]) == (["t8", "t9", "t10", "t11"], None)


@pytest.mark.parametrize(
    ("turn_id", "limit", "shown", "earlier"),
    [
        ("t0", 2, ["t0", "t1"], False),
        ("t3", 50, ["t0", "t1", "t2", "t3", "t4"], False),
        ("t4", 50, ["t1", "t2", "t3", "t4"], True),
        ("t4", 1, ["t4"], True),
        ("t4", 2, ["t3", "t4"], True),
    ],
)
async def test_a_turn_that_is_asked_for_is_always_in_the_part(
    chats: Chats, turn_id: str, limit: int, shown: list[str], earlier: bool
) -> None:
    for number in range(5):
        await chats.say("c1", f"t{number}")
    opened = await part(chats, turn_id=turn_id, limit=limit)
    assert turns_of(opened) == shown
    assert (opened["previous_cursor"] is not None) == earlier


async def test_a_part_begins_at_one_place_and_at_one_that_is_there(chats: Chats) -> None:
    await chats.say("c1", "t0")
    await chats.say("c2", "t1")
    missing = await part(chats, turn_id="t1", expected=404)
    assert missing["code"] == "turn_not_found"
    refused = await part(chats, turn_id="t0", cursor="x", expected=422)
    assert refused["errors"][0]["code"] == "not_together"
    await part(chats, before="not a cursor", expected=422)


async def test_agents_are_listed_once_by_name(chats: Chats) -> None:
    await some(chats)
    await chats.say("c9")
    assert (await chats.get("/api/conversation-agents"))["data"] == ["bot", "coder"]


@pytest.mark.parametrize(
    "path", ["/api/conversations/Support/none", "/api/conversations/Support/c1/turns/t1/log"]
)
async def test_what_is_not_there_is_a_404(chats: Chats, path: str) -> None:
    await chats.say("c1", "t1")
    await chats.get(path, expected=404)


async def test_a_time_without_a_zone_is_refused(chats: Chats) -> None:
    refused = await chats.get("/api/conversations", start="2026-01-01T00:00:00", expected=422)
    assert refused["errors"][0]["path"] == "/start"


async def test_satisfaction_over_time_by_group(chats: Chats) -> None:
    await some(chats)
    report = await chats.get("/api/conversations/satisfaction", by="project", bucket="month")
    assert [(row["group"], row["ok"], row["total"], row["rate"]) for row in report["overall"]] == [
        ("A", 1, 1, 1.0),
        ("B", 0, 1, 0.0),
    ]
    assert report["overall"][0]["low"] == pytest.approx(0.2065, abs=1e-4)
    assert {row["bucket"][8:] for row in report["data"]} == {"01T00:00:00Z"}
    for by, groups in (("agent", ["bot", "coder"]), ("origin", ["user"])):
        found = await chats.get("/api/conversations/satisfaction", by=by)
        assert [row["group"] for row in found["overall"]] == groups
    narrowed = await chats.get("/api/conversations/satisfaction", agent="coder", origin="user", project="B")
    assert [(row["group"], row["not_ok"]) for row in narrowed["overall"]] == [(None, 1)]


@pytest.mark.parametrize("name", ["satisfaction", "satisfaction.csv"])
async def test_satisfaction_of_too_many_numbers_is_refused(
    chats: Chats, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    await some(chats)
    monkeypatch.setattr(store, "MOST_COUNTS", 1)
    answer = await chats.viewer.get(f"/api/conversations/{name}", params={"by": "project"})
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert (fault["path"], fault["code"]) == ("/start", "too_many_rows")
    narrowed = await chats.viewer.get(f"/api/conversations/{name}", params={"by": "project", "project": "A"})
    assert narrowed.status_code == 200


async def test_satisfaction_of_nothing_says_so(chats: Chats) -> None:
    report = await chats.get("/api/conversations/satisfaction")
    assert report["data"] == []
    (overall,) = report["overall"]
    assert (overall["total"], overall["rate"], overall["low"]) == (0, None, None)


async def test_satisfaction_as_a_table(chats: Chats) -> None:
    turn = {"turn_id": "t", "user": {"text": "hi"}, "agent": "=cmd()"}
    await chats.add("c1", turn)
    await chats.react("c1", "t", "ok", ts="2026-01-07T10:00:00Z")
    answer = await chats.viewer.get(
        "/api/conversations/satisfaction.csv", params={"by": "agent", "start": "2026-01-01T00:00:00Z"}
    )
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.splitlines() == [
        "week,agent,ok,not_ok,neutral,total,rate,low,high",
        "2026-01-05T00:00:00Z,'=cmd(),1,0,0,1,1.0000,0.2065,1.0000",
    ]


@pytest.mark.parametrize(
    "end", ["0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"]
)
async def test_satisfaction_until_the_ends_of_the_calendar_is_empty(chats: Chats, end: str) -> None:
    answer = await chats.viewer.get("/api/conversations/satisfaction", params={"end": end})
    assert (answer.status_code, answer.json()["data"]) == (200, [])


async def test_a_registered_agent_is_known_by_its_slug_and_found_by_its_id(chats: Chats) -> None:
    await some(chats)
    coder = await chats.workspace.make_agent("coder")
    turn = {"turn_id": "t2", "user": {"text": "Again"}, "agent": "coder", "ts": "2026-01-04T00:00:00Z"}
    await chats.add("b2", turn, project="B")
    (found,) = (await chats.get("/api/conversations", agent=str(coder.id)))["data"]
    assert (found["id"], found["agent"], found["agent_id"]) == ("b2", "coder", str(coder.id))
    by_slug = (await chats.get("/api/conversations", agent="coder"))["data"]
    assert [(row["id"], row["agent_id"]) for row in by_slug] == [("b2", str(coder.id)), ("b1", None)]
    transcript = await chats.get("/api/conversations/B/b2")
    assert [(turn["agent"], turn["agent_id"]) for turn in transcript["turns"]] == [("coder", str(coder.id))]
