"""Which sessions become goldens, who may, and what becomes of the same promotion twice."""

import asyncio
from typing import Any

import pytest

from goldloop.kit.db import APP_ROLE
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.goldens.shelf import EVALS, GOLDEN, Shelf
from tests.records import code, ok, places
from tests.runtimes.scripted import configured, start


async def test_a_completed_session_is_promoted_into_a_set(shelf: Shelf) -> None:
    session = await shelf.record()
    answer = await shelf.try_promote(
        session, set="smoke", note="The notice", facts=["Ninety", " Ninety "], minPass=0.8
    )
    assert answer.status_code == 201
    golden = answer.json()
    assert (golden["sessionId"], golden["set"], golden["note"]) == (session["id"], "smoke", "The notice")
    assert (golden["facts"], golden["effects"], golden["minPass"]) == (["Ninety"], "exact", 0.8)
    assert (golden["revision"], golden["floor"], golden["alternatives"]) == (1, None, [])
    assert (golden["type"], golden["agent"], golden["agentVersion"]) == ("agent", "outsider", None)
    kept = (await shelf.session(session["id"]))["metadata"]["golden"]
    assert kept.pop("snapshot")["format"] == 1
    by = kept.pop("promotedBy")
    assert (by["kind"], kept.pop("promotedAt")) == ("user", golden["promotedAt"])
    assert kept == {
        "set": "smoke",
        "note": "The notice",
        "criteriaSetId": None,
        "effects": "exact",
        "facts": ["Ninety"],
        "minPass": 0.8,
        "revision": 1,
    }


async def test_a_set_is_called_default_unless_it_is_named(shelf: Shelf) -> None:
    await shelf.promoted()
    assert list(await shelf.sets()) == ["default"]


@pytest.mark.parametrize("end", [None, "failed", "cancelled"])
async def test_only_a_completed_session_is_promoted(shelf: Shelf, end: str | None) -> None:
    session = await shelf.record(end=end)
    refused = await shelf.try_promote(session)
    assert code(refused) == (409, "session_not_completed")
    assert refused.json()["conflict"]["status"] == (end or "running")
    assert await shelf.sets() == {}


async def test_a_session_that_waits_to_be_run_is_not_promoted(shelf: Shelf) -> None:
    queued = await start(shelf.admin, await configured(shelf.workspace))
    assert code(await shelf.try_promote(queued)) == (409, "session_not_completed")


async def test_a_replay_is_never_promoted(shelf: Shelf) -> None:
    session = await shelf.record()
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        await tx.execute("UPDATE sessions SET purpose = 'replay' WHERE tenant_id = $1", shelf.workspace.id)
    assert code(await shelf.try_promote(session)) == (409, "session_is_replay")


async def test_what_is_not_there_is_not_promoted(shelf: Shelf, other_workspace: Workspace) -> None:
    stranger = Shelf(other_workspace, await other_workspace.client(Role.ADMIN))
    session = await stranger.record()
    assert code(await shelf.try_promote(session)) == (404, "session_not_found")
    theirs = await stranger.promote(session)
    for path in ("", "/facts"):
        answer = await shelf.admin.get(f"{GOLDEN}/{theirs['sessionId']}{path}")
        assert code(answer) == (404, "golden_not_found")
    assert await shelf.listed() == []


async def test_a_criteria_set_is_one_of_the_workspace(shelf: Shelf) -> None:
    session = await shelf.record()
    refused = await shelf.try_promote(session, criteriaSetId="00000000-0000-7000-8000-000000000001")
    assert code(refused) == (404, "criteria_set_not_found")


async def test_the_same_again_changes_nothing_and_other_content_is_refused(shelf: Shelf) -> None:
    session = await shelf.record()
    golden = await shelf.promote(session, set="smoke", facts=["Ninety"])
    again = await shelf.try_promote(session, set="smoke", facts=["Ninety"], floor=False)
    assert (again.status_code, again.json()) == (200, golden)
    for other in ({"set": "other"}, {"set": "smoke"}, {"set": "smoke", "facts": ["Ninety"], "note": "x"}):
        refused = await shelf.try_promote(session, **other)
        assert code(refused) == (409, "golden_exists")
        assert refused.json()["conflict"]["set"] == "smoke"
    assert (await shelf.sets())["smoke"]["version"] == 1


async def test_of_those_who_promote_at_the_same_time_one_does(shelf: Shelf) -> None:
    session = await shelf.record()
    same = await asyncio.gather(*(shelf.try_promote(session) for _ in range(6)))
    assert sorted(answer.status_code for answer in same) == [200] * 5 + [201]
    other = await shelf.record()
    notes = await asyncio.gather(*(shelf.try_promote(other, note=str(n)) for n in range(6)))
    assert sorted(answer.status_code for answer in notes) == [201] + [409] * 5
    assert (await shelf.sets())["default"]["version"] == 2


async def test_many_into_a_new_set_at_the_same_time_make_one_set(shelf: Shelf) -> None:
    made = [await shelf.record() for _ in range(6)]
    await asyncio.gather(*(shelf.promote(session, set="new") for session in made))
    assert {name: (each["version"], each["goldens"]) for name, each in (await shelf.sets()).items()} == {
        "new": (6, 6)
    }


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"set": ""}, "/set"),
        ({"set": "a\nb"}, "/set"),
        ({"set": "x" * 101}, "/set"),
        ({"note": "x" * 2001}, "/note"),
        ({"effects": "some"}, "/effects"),
        ({"facts": [""]}, "/facts/0"),
        ({"facts": ["x"] * 51}, "/facts"),
        ({"minPass": 1.1}, "/minPass"),
        ({"min_pass": 1}, "/min_pass"),
    ],
)
async def test_bad_input_is_told_where(shelf: Shelf, body: dict[str, Any], place: str) -> None:
    refused = await shelf.try_promote({"id": "00000000-0000-7000-8000-000000000001"}, **body)
    assert [path for path, _ in places(refused)] == [place]


@pytest.mark.parametrize("role", [Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER])
async def test_goldens_are_for_administrators(shelf: Shelf, role: Role) -> None:
    golden = await shelf.promoted()
    client = await shelf.workspace.client(role)
    one = f"{GOLDEN}/{golden['sessionId']}"
    answers = [
        await client.post(GOLDEN, json={"sessionId": golden["sessionId"]}),
        await client.get(GOLDEN),
        await client.get(one),
        await client.get(f"{EVALS}/sets"),
        await client.get(f"{EVALS}/candidates"),
        await client.patch(one, json={}),
        await client.delete(one),
    ]
    assert [answer.status_code for answer in answers] == [403] * 7


async def test_goldens_are_listed_newest_first_and_by_set(shelf: Shelf) -> None:
    made = [await shelf.promoted(set=name) for name in ("a", "b", "a")]
    ids = [golden["sessionId"] for golden in made]
    assert [golden["sessionId"] for golden in await shelf.listed()] == ids[::-1]
    assert [golden["sessionId"] for golden in await shelf.listed(set="a")] == [ids[2], ids[0]]
    assert await shelf.listed(set="none") == []
    first = ok(await shelf.admin.get(GOLDEN, params={"limit": 2}))
    rest = ok(await shelf.admin.get(GOLDEN, params={"limit": 2, "cursor": first["next_cursor"]}))
    assert [golden["sessionId"] for golden in [*first["data"], *rest["data"]]] == ids[::-1]
    assert rest["next_cursor"] is None


async def test_facts_are_proposed_for_goldens_and_for_others(shelf: Shelf) -> None:
    session = await shelf.record(
        {
            "id": "00000000-0000-7000-8000-00000000000a",
            "type": "user.message",
            "payload": {"text": "How long?"},
        },
        {
            "id": "00000000-0000-7000-8000-00000000000b",
            "type": "agent.message",
            "payload": {"text": "It is 90 days, until 2031."},
        },
    )
    asked = ok(await shelf.admin.get(f"{EVALS}/facts", params={"sessionId": session["id"]}))
    assert sorted(asked["data"]) == ["2031", "90"]
    golden = await shelf.promote(session)
    assert (await shelf.show(golden))["proposedFacts"] == asked["data"]
    assert ok(await shelf.admin.get(f"{GOLDEN}/{session['id']}/facts")) == asked


async def test_a_large_first_message_is_frozen_whole(shelf: Shelf) -> None:
    text = "word " * 20_000
    golden = await shelf.promote(await shelf.ask(text))
    assert (await shelf.show(golden))["snapshot"]["message"] == text


async def test_promotion_is_an_event_with_whether_the_floor_is_wanted(shelf: Shelf) -> None:
    golden = await shelf.promoted(set="smoke", floor=False)
    async with shelf.workspace.db.in_role(APP_ROLE).tx(shelf.workspace.system) as tx:
        rows = await tx.fetch(
            "SELECT payload FROM events WHERE tenant_id = $1 AND name = 'golden.promoted'", shelf.workspace.id
        )
    assert [row["payload"] for row in rows] == [
        {"golden_id": golden["sessionId"], "set": "smoke", "floor": False}
    ]
