"""Search among records: by words of title and content, by identifiers, and with a typo forgiven."""

from typing import Any

import pytest

from goldloop.entities.records import store
from goldloop.entities.records.jobs import BATCH, rebuild_words
from goldloop.entities.records.typos import LEAST, MOST, neighbours
from goldloop.entities.records.words import CONTENT_CHARACTERS, CONTENT_WORDS, record_words
from tests.entities.test_lists import walk
from tests.records import Desk, code, ok, places

THING: dict[str, Any] = {"type": "object", "properties": {"summary": {"type": "string"}}}
NIMBUS = {"summary": "Telephone agents for dentists", "registry": "NCT01234567", "doi": "10.1000/xyz-123"}
LUMEN = {
    "summary": "Lamps",
    "tags": ["warm light", "bulbs"],
    "maker": {"name": "Ångström Optics"},
    "pmid": 31415926,
}

FOUND = [
    ("dentists", ["Nimbus"]),
    ("denti", ["Nimbus"]),
    ("nimbus telephone", ["Nimbus"]),
    ("lumen telephone", []),
    ("NCT01234567", ["Nimbus"]),
    ("01234567", ["Nimbus"]),
    ("10.1000/xyz-123", ["Nimbus"]),
    ("xyz-123", ["Nimbus"]),
    ("31415926", ["Lumen"]),
    ("warm bulbs", ["Lumen"]),
    ("angstrom", ["Lumen"]),
    ("nimbsu", ["Nimbus"]),
    ("nimbu5", ["Nimbus"]),
    ("ximbus", ["Nimbus"]),
    ("dentits", ["Nimbus"]),
    ("telehpone dentist", ["Nimbus"]),
    ("telepone", ["Nimbus"]),
    ("tellephone", ["Nimbus"]),
    ("telehpoen", []),
    ("lmp", []),
]


@pytest.mark.parametrize(("q", "titles"), FOUND)
async def test_a_search_finds_words_of_the_content_and_forgives_one_typo(
    desk: Desk, q: str, titles: list[str]
) -> None:
    await desk.make_type("thing", THING)
    for title, content in (("Nimbus", NIMBUS), ("Lumen", LUMEN)):
        await desk.make_record(content, type="thing", title=title)
    assert [e["title"] for e in await walk(desk, q=q)] == titles


async def test_a_record_is_found_by_its_id(desk: Desk) -> None:
    record = await desk.make_record(title="Acme")
    await desk.make_record(title="Other")
    assert [e["title"] for e in await walk(desk, q=f" {record['id'].upper()} ")] == ["Acme"]
    assert await walk(desk, q="0197b5f0-0000-7000-8000-000000000000") == []


async def test_what_is_written_right_is_not_taken_for_a_typo(desk: Desk) -> None:
    for title in ("Form", "From"):
        await desk.make_record(title=title)
    assert [e["title"] for e in await walk(desk, q="from")] == ["From"]
    # No record has both words: then either may be mistyped.
    await desk.make_record(title="Form seven")
    assert [e["title"] for e in await walk(desk, q="from seven")] == ["Form seven"]


async def test_a_forgiving_search_goes_on_page_by_page(desk: Desk) -> None:
    for place in range(7):
        await desk.make_record(title=f"Nimbus {place}")
    for sort in ("created", "-title"):
        found = [e["title"] for e in await walk(desk, q="nimbis", limit=2, sort=sort)]
        assert sorted(found) == [f"Nimbus {place}" for place in range(7)]


async def test_the_words_follow_edits_promotions_and_undos(desk: Desk) -> None:
    record = await desk.make_record({"name": "Acme", "summary": "makes anvils"}, title="Acme")
    await desk.edit(record, content={"name": "Zenith", "summary": "makes rockets"})
    assert await walk(desk, q="anvils") == []
    assert len(await walk(desk, q="acme")) == 1, "a word of the title stays when the content loses it"
    response = await desk.submit(record, {"summary": "sells umbrellas"})
    assert await walk(desk, q="umbrellas") == [], "what is proposed is not content yet"
    await desk.promote(response, "summary")
    assert (len(await walk(desk, q="umbrellas")), await walk(desk, q="rockets")) == (1, [])
    await desk.undo(record, "summary")
    assert (await walk(desk, q="umbrellas"), len(await walk(desk, q="rockets"))) == ([], 1)


async def test_both_ways_of_looking_find_the_same(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in range(12):
        await desk.make_record({"summary": "odd" if place % 2 else "even"}, title=f"Thing {place}")
    queries = ("odd", "thing even", "1 odd", "thnig", "even odd")
    gathered = [[e["id"] for e in await walk(desk, q=q, limit=5, sort="-title")] for q in queries]
    monkeypatch.setattr(store, "COMMON", 0)  # every word is common now
    assert [[e["id"] for e in await walk(desk, q=q, limit=5, sort="-title")] for q in queries] == gathered


async def test_a_list_is_counted_as_it_is_filtered(desk: Desk) -> None:
    for place in range(3):
        await desk.make_record(
            {"summary": "anvils"}, title=f"Thing {place}", metadata={"weighted_score": 1 + place}
        )
    counts = {"": 3, "q=anvlis": 3, "q=1": 1, "min_score=10": 2, "type=company&q=anvil": 3, "q=?": 0}
    for query, count in counts.items():
        assert ok(await desk.reviewer.get(f"/api/entities/count?{query}")) == {
            "count": count,
            "more": False,
        }, query
    assert code(await desk.reviewer.get("/api/entities/count?type=none")) == (404, "entity_type_not_found")


async def test_counting_ends_where_nobody_counts_any_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldloop.entities.records.service.MOST_COUNTED", 2)
    for place in range(3):
        await desk.make_record(title=f"Thing {place}")
    assert ok(await desk.reviewer.get("/api/entities/count")) == {"count": 2, "more": True}


async def test_of_a_common_word_so_many_entries_are_looked_at_and_the_rest_is_said_to_be_there(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(6):
        await desk.make_record({"summary": "anvils" if place % 2 else "andirons"}, title=f"Thing {place}")
    monkeypatch.setattr(store, "COMMON", 0)  # every word is common now
    counts = {
        "thing": 6,
        "an": 6,
        "thing anvil": 3,
        "anvil thing": 3,
        "thnig": 6,
        "4": 1,
        "anvils andirons": 0,
    }
    for q, count in counts.items():
        answer = await desk.reviewer.get("/api/entities/count", params={"q": q, "type": "company"})
        assert ok(answer) == {"count": count, "more": False}, q
    monkeypatch.setattr(store, "MOST_LOOKED", 4)
    answer = await desk.reviewer.get("/api/entities/count", params={"q": "thing"})
    assert ok(answer) == {"count": 4, "more": True}


async def test_a_common_word_beside_a_rare_one_is_counted_by_the_rare_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in range(8):
        await desk.make_record({"summary": "zithers" if place > 5 else "anvils"}, title=f"Thing {place}")
    monkeypatch.setattr(store, "COMMON", 3)  # two records are fewer, eight are more
    monkeypatch.setattr(store, "MOST_LOOKED", 4)
    monkeypatch.setattr("goldloop.entities.records.service.MOST_SORTED", 3)
    for q in ("thing zither", "zither thing"):
        answer = await desk.reviewer.get("/api/entities/count", params={"q": q})
        assert ok(answer) == {"count": 2, "more": False}, q
        found = await walk(desk, q=q, type="company", sort="content.summary")
        assert len(found) == 2, "two can be sorted, however many have the other word"
    answer = await desk.reviewer.get("/api/entities/count", params={"q": "thing"})
    assert ok(answer) == {"count": 4, "more": True}, "where no word is rare, so many are looked at"
    refused = await desk.reviewer.get(
        "/api/entities", params={"q": "thing", "type": "company", "sort": "content.summary"}
    )
    assert places(refused) == [("/sort", "too_many_to_sort")]


async def test_records_from_before_get_the_words_of_their_content(desk: Desk) -> None:
    records = [await desk.make_record({"summary": "anvils"}, title=f"Thing {place}") for place in range(3)]
    db, system = desk.workspace.db, desk.workspace.system
    async with db.tx(system) as tx:
        for record in records:
            await store.rebuild_words(tx, record["id"], ["thing", "stale"])
    assert await walk(desk, q="anvils") == []
    async with db.tx(system) as tx:
        await rebuild_words(tx, "00000000-0000-0000-0000-000000000000")
    assert len(await walk(desk, q="anvils")) == 3
    assert await walk(desk, q="stale") == []
    assert BATCH > 3


def test_a_content_gives_so_many_words_and_no_more() -> None:
    many = " ".join(f"w{place:05}" for place in range(CONTENT_CHARACTERS))
    found = record_words("Title", {"long": many, "id": "AB-77"})
    assert {"title", "ab", "77", "w00000"} <= set(found), "short values come first"
    assert len(found) <= CONTENT_WORDS + 1
    assert record_words("", {}) == []
    assert record_words("Same", {"a": "same same", "b": [None, True, 7, 1.5, {"c": "deep"}]}) == [
        "same",
        "deep",
    ]


def test_neighbours_are_those_one_typo_away() -> None:
    near = set(neighbours("acme"))
    assert {"acm", "came", "ecme", "acmne", "aacme", "acne"} <= near
    assert not {"acme", "acmes", "cmae", "ac"} & near, "itself, what begins with it, and two typos"
    assert "мир" in neighbours("мирр")
    assert neighbours("acm") == neighbours("a" * (MOST + 1)) == []
    assert len("acme") == LEAST
    assert len(neighbours("a" * MOST)) < 85 * MOST
