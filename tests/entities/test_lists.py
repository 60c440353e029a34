"""Lists of records: every order, page by page, also while records are made; filters and search."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
import pytest_asyncio

from goldloop.entities.records.ordering import Sort
from goldloop.entities.records.words import words
from tests.records import Desk, code, ok

SCORES = [None, 5, 1, 10, 5, None, 7.5, 5, None, 2, 10, 1]  # as the legacy `weighted_score`
TITLES = [
    "Beta",
    "alpha",
    "Beta",
    "Ärger",
    "zeta",
    "Beta",
    "Gamma",
    "alpha",
    "\U0010ffff x",
    "日本",
    "10",
    "9",
]


@pytest_asyncio.fixture
async def records(desk: Desk) -> list[Any]:
    made = []
    for title, score in zip(TITLES, SCORES, strict=True):
        metadata = {} if score is None else {"weighted_score": score}
        made.append(await desk.make_record(title=title, metadata=metadata))
    for place in (3, 7):
        made[place] = await desk.edit(made[place], content={"name": "Edited"})
    return made


async def page(desk: Desk, **params: Any) -> tuple[list[Any], str | None]:
    found = ok(await desk.reviewer.get("/api/entities", params={k: v for k, v in params.items() if v}))
    return found["data"], found["next_cursor"]


async def walk(desk: Desk, between: Callable[[], Any] | None = None, **params: Any) -> list[Any]:
    """All pages, from the first to the last; `between` happens after each."""
    seen: list[Any] = []
    cursor: str | None = None
    while True:
        rows, cursor = await page(desk, cursor=cursor, **params)
        seen += rows
        if cursor is None:
            return seen
        if between is not None:
            await between()


KEYS: dict[str, Callable[[Any], Any]] = {
    "created": lambda e: e["id"],
    "updated": lambda e: (e["updated_at"], e["id"]),
    "title": lambda e: (e["title"], e["id"]),
    "score": lambda e: (e["score"], e["id"]),
}


def ordered(rows: list[Any], sort: Sort) -> list[Any]:
    """What the order means: rows without a score come last either way."""
    key = KEYS[sort.removeprefix("-")]
    down = sort.startswith("-")
    if not sort.endswith("score"):
        return sorted(rows, key=key, reverse=down)
    scored = sorted((r for r in rows if r["score"] is not None), key=key, reverse=down)
    return scored + sorted((r for r in rows if r["score"] is None), key=lambda e: e["id"], reverse=down)


@pytest.mark.parametrize("sort", list(Sort))
async def test_every_order_shows_every_record_once_page_by_page(
    desk: Desk, records: list[Any], sort: Sort
) -> None:
    expected = [e["id"] for e in ordered(records, sort)]
    for limit in (1, 2, 5, 12, 200):
        for kind in (None, "company"):
            seen = await walk(desk, sort=sort, limit=limit, type=kind)
            assert [e["id"] for e in seen] == expected, (limit, kind)


@pytest.mark.parametrize("sort", list(Sort))
async def test_records_made_meanwhile_cost_nobody_their_place(
    desk: Desk, records: list[Any], sort: Sort
) -> None:
    made = 0

    async def insert() -> None:
        nonlocal made
        for title in ("0 first", "Beta", "\U0010fffe last") if made < 9 else ():
            score = [None, 1, 5, 10][made % 4]
            await desk.make_record(title=title, metadata={"weighted_score": score} if score else {})
            made += 1

    seen = [e["id"] for e in await walk(desk, insert, sort=sort, limit=3)]
    assert made == 9
    assert len(seen) == len(set(seen)), "twice"
    old = {e["id"] for e in records}
    assert [i for i in seen if i in old] == [e["id"] for e in ordered(records, sort)], (
        "a gap, or another order"
    )


async def test_records_without_a_score_are_last_both_ways(desk: Desk, records: list[Any]) -> None:
    for sort in (Sort.SCORE, Sort.SCORE_DOWN):
        scores = [e["score"] for e in await walk(desk, sort=sort, limit=4)]
        assert scores[-3:] == [None] * 3
        assert scores[:-3] == sorted(scores[:-3], reverse=sort is Sort.SCORE_DOWN)


async def test_filters_by_type_and_least_score_go_together(desk: Desk, records: list[Any]) -> None:
    await desk.make_type("person")
    person = await desk.make_record(type="person", title="Ada", metadata={"weighted_score": 10})
    assert [e["id"] for e in await walk(desk, type="person")] == [person["id"]]
    assert len(await walk(desk, type="company")) == len(records)
    high = await walk(desk, type="company", min_score=60, sort="-score", limit=2)
    assert [e["score"] for e in high] == [100, 100, 72.22]
    assert await walk(desk, min_score=100, type="person") == [person]
    assert len(await walk(desk, min_score=0.0001)) == 8, "a score of 0 is below, none is none"
    answer = await desk.reviewer.get("/api/entities", params={"type": "none"})
    assert code(answer) == (404, "entity_type_not_found")
    for bad in ({"min_score": 101}, {"min_score": -1}, {"min_score": "x"}, {"sort": "size"}, {"limit": 0}):
        assert (await desk.reviewer.get("/api/entities", params=bad)).status_code == 422, bad


FOUND = [
    ("acme", ["Acme Größe Holding", "ACME Robotics, Inc."]),
    ("acm", ["Acme Größe Holding", "ACME Robotics, Inc."]),
    ("cme", []),
    ("robot acme", ["ACME Robotics, Inc."]),
    ("acme hold gr", ["Acme Größe Holding"]),
    ("acme zebra", []),
    ("grosse", ["Acme Größe Holding"]),
    ("GRÖSSE", ["Acme Größe Holding"]),
    ("große", ["Acme Größe Holding"]),
    ("cafe", ["Café Zoë"]),
    ("CAFÉ zoe", ["Café Zoë"]),
    ("inc.", ["ACME Robotics, Inc."]),
    ("(acme)", ["Acme Größe Holding", "ACME Robotics, Inc."]),
    ("東京", ["東京タワー"]),
    ("100", ["100% Wolle"]),
    ("%", []),
    ("_", []),
    ("?!*", []),
    ("   ", ["Acme Größe Holding", "ACME Robotics, Inc.", "Café Zoë", "東京タワー", "100% Wolle"]),
    ("acme acme ACME", ["Acme Größe Holding", "ACME Robotics, Inc."]),
]


async def test_a_search_finds_titles_by_the_beginnings_of_their_words(desk: Desk) -> None:
    for title in ["Acme Größe Holding", "ACME Robotics, Inc.", "Café Zoë", "東京タワー", "100% Wolle"]:
        await desk.make_record(title=title)
    for q, titles in FOUND:
        assert [e["title"] for e in await walk(desk, q=q, sort="created")] == titles, q
        assert [
            e["title"] for e in await walk(desk, q=q, sort="created", type="company", limit=1)
        ] == titles, q


async def test_a_renamed_record_is_found_by_its_new_title_alone(desk: Desk) -> None:
    record = await desk.make_record(title="Old name")
    await desk.edit(record, title="New name")
    assert await walk(desk, q="old") == []
    assert [e["id"] for e in await walk(desk, q="new")] == [record["id"]]
    await desk.edit(record, content={"name": "Acme"})
    assert [e["id"] for e in await walk(desk, q="name")] == [record["id"]]


def test_a_word_is_folded_however_it_is_written() -> None:
    for one, other in [("GRÖSSE", "große"), ("ﬁnance", "FINANCE"), ("𝐀cme", "acme"), ("Ⅷ", "viii")]:
        assert words(one) == words(other), (one, other)


def cursor(*values: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


ID = "0197b5f0-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("sort", "bad"),
    [
        ("-created", "x"),
        ("-created", "!!!"),
        ("-created", cursor()),
        ("-created", cursor(ID)),
        ("-created", cursor(1, ID)),
        ("-score", cursor("x", ID)),
        ("-score", cursor("nan", ID)),
        ("-score", cursor(5, ID)),
        ("title", cursor("a\x00", ID)),
        ("title", cursor("a", "b")),
        ("updated", cursor("yesterday", ID)),
        ("updated", cursor("a", ID)),
    ],
)
async def test_what_is_not_a_cursor_of_the_list_is_refused(desk: Desk, sort: str, bad: str) -> None:
    answer = await desk.reviewer.get("/api/entities", params={"sort": sort, "cursor": bad})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "invalid_cursor")


@pytest.mark.parametrize(
    ("sort", "odd"),
    [
        ("-score", cursor("inf", ID)),
        ("score", cursor("-inf", ID)),
        ("-score", cursor("1e999", ID)),
        ("updated", cursor("0001-01-01T00:00:00+14:00", ID)),
        ("-updated", cursor("9999-12-31T23:59:59-14:00", ID)),
        ("updated", cursor("2026-01-01T00:00:00", ID)),
        ("title", cursor("\U0010ffff" * 100, ID)),
    ],
)
async def test_a_cursor_from_the_edge_of_the_world_breaks_nothing(desk: Desk, sort: str, odd: str) -> None:
    answer = await desk.reviewer.get("/api/entities", params={"sort": sort, "cursor": odd})
    assert answer.status_code in (200, 422), answer.text


async def test_a_page_after_the_longest_title_can_be_asked_for(desk: Desk) -> None:
    for place in range(3):
        await desk.make_record(title="漢" * 499 + str(place))
    seen, cursor = [], None
    while True:
        params: dict[str, Any] = {"sort": "title", "limit": 1} | ({"cursor": cursor} if cursor else {})
        found = ok(await desk.reviewer.get("/api/entities", params=params))
        seen += [record["title"][-1] for record in found["data"]]
        cursor = found["next_cursor"]
        if cursor is None:
            break
    assert seen == ["0", "1", "2"]
