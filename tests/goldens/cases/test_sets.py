"""Sets of goldens: their names, and when a golden's revision and a set's version grow."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.evals.stats.counting import NoiseFloor
from goldloop.goldens.cases import service
from goldloop.kit.ids import new_id
from tests.goldens.shelf import EVALS, Shelf
from tests.records import RUBRIC, code, ok


async def set_floor(shelf: Shelf, golden: Any, revision: int = 1) -> bool:
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        return await service.set_floor(
            tx, UUID(golden["sessionId"]), revision, NoiseFloor.FLAKY, 3, 5, new_id()
        )


async def test_a_set_is_renamed_with_its_goldens(shelf: Shelf) -> None:
    golden, other = await shelf.promoted(set="smoke"), await shelf.promoted(set="other")
    before = (await shelf.sets())["smoke"]
    path = f"{EVALS}/sets/{before['id']}"
    renamed = ok(await shelf.admin.patch(path, json={"name": "chat smoke"}))
    assert renamed == {**before, "name": "chat smoke"}
    assert (await shelf.sets()).keys() == {"chat smoke", "other"}
    kept = (await shelf.session(golden["sessionId"]))["metadata"]["golden"]
    assert (kept["set"], kept["snapshot"]["format"]) == ("chat smoke", 1)
    assert (await shelf.session(other["sessionId"]))["metadata"]["golden"]["set"] == "other"
    assert [each["set"] for each in await shelf.listed(set="chat smoke")] == ["chat smoke"]
    assert code(await shelf.admin.patch(path, json={"name": "other"})) == (409, "golden_set_exists")
    assert ok(await shelf.admin.patch(path, json={"name": "chat smoke"})) == renamed
    absent = await shelf.admin.patch(f"{EVALS}/sets/{new_id()}", json={"name": "x"})
    assert code(absent) == (404, "golden_set_not_found")


@pytest.mark.parametrize(
    ("change", "revision", "version"),
    [
        ({}, 1, 1),
        ({"note": "another"}, 1, 1),
        ({"facts": []}, 1, 1),
        ({"minPass": 0.5}, 1, 2),
        ({"facts": ["Ninety"]}, 2, 2),
        ({"effects": "contains"}, 2, 2),
        ({"effects": "exact"}, 1, 1),
        ({"effects": "off", "facts": ["a"], "minPass": 0}, 2, 2),
    ],
)
async def test_what_a_change_counts_as(
    shelf: Shelf, change: dict[str, Any], revision: int, version: int
) -> None:
    golden = await shelf.promoted()
    changed = await shelf.change(golden, **change)
    assert (changed["revision"], (await shelf.sets())["default"]["version"]) == (revision, version)
    assert changed == {**golden, **change, "revision": revision}
    kept = (await shelf.session(golden["sessionId"]))["metadata"]["golden"]
    assert {name: kept[name] for name in ("revision", *change)} == {"revision": revision, **change}


async def test_a_criteria_set_is_what_replays_are_compared_by(shelf: Shelf) -> None:
    body = {"slug": "rubric", "name": "Rubric", "kind": "assessment", "dimensions": RUBRIC}
    criteria = ok(await shelf.admin.post("/api/criteria-sets", json=body))
    golden = await shelf.promoted()
    assert (await shelf.change(golden, criteriaSetId=criteria["id"]))["revision"] == 2
    assert (await shelf.change(golden, criteriaSetId=None))["revision"] == 3


async def test_a_golden_that_moves_is_a_change_of_both_sets(shelf: Shelf) -> None:
    golden = await shelf.promoted(set="a")
    moved = await shelf.change(golden, set="b")
    assert (moved["set"], moved["revision"]) == ("b", 1)
    counts = {name: (each["version"], each["goldens"]) for name, each in (await shelf.sets()).items()}
    assert counts == {"a": (2, 0), "b": (1, 1)}
    await shelf.revoke(golden)
    assert (await shelf.sets())["b"]["version"] == 2


async def test_an_alternative_is_a_new_revision_and_the_same_again_none(shelf: Shelf) -> None:
    golden, other = await shelf.promoted(), await shelf.record()
    for _ in range(2):
        ok(await shelf.admin.put(shelf.alternative(golden, other)))
    ok(await shelf.admin.delete(shelf.alternative(golden, other)))
    assert (await shelf.show(golden))["revision"] == 3
    assert (await shelf.sets())["default"]["version"] == 3


async def test_a_noise_floor_holds_for_the_revision_that_it_was_measured_with(shelf: Shelf) -> None:
    golden = await shelf.promoted()
    assert await set_floor(shelf, golden)
    shown = await shelf.show(golden)
    assert (shown["floor"], shown["floorPasses"], shown["floorRuns"]) == ("flaky", 3, 5)
    assert {key: (await shelf.sets())["default"][key] for key in ("stable", "flaky", "broken")} == {
        "stable": 0,
        "flaky": 1,
        "broken": 0,
    }
    assert (await shelf.change(golden, note="x"))["floor"] == "flaky"
    assert (await shelf.change(golden, facts=["Ninety"]))["floor"] is None
    assert not await set_floor(shelf, golden)
    assert await set_floor(shelf, golden, revision=2)


async def test_sets_are_listed_by_name_page_by_page(shelf: Shelf) -> None:
    for name in ("c", "a", "b"):
        await shelf.promoted(set=name)
    first = ok(await shelf.admin.get(f"{EVALS}/sets", params={"limit": 2}))
    rest = ok(await shelf.admin.get(f"{EVALS}/sets", params={"limit": 2, "cursor": first["next_cursor"]}))
    assert [each["name"] for each in [*first["data"], *rest["data"]]] == ["a", "b", "c"]
