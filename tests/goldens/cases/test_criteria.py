"""The criteria set of a golden is frozen with it."""

from typing import Any

from tests.goldens.shelf import GOLDEN, Shelf
from tests.records import ok

SET = {"name": "Mine", "slug": "mine", "kind": "assessment"}
BEFORE = [{"key": "employees", "label": "Employees", "type": "number"}]
AFTER = [{"key": "other", "label": "Other", "type": "text"}]


async def make_set(shelf: Shelf) -> Any:
    return ok(await shelf.admin.post("/api/criteria-sets", json={**SET, "dimensions": BEFORE}))


def frozen(golden: Any) -> tuple[int, list[str]]:
    criteria = golden["snapshot"]["criteria"]
    return criteria["version"], [dimension["key"] for dimension in criteria["dimensions"]]


async def test_whoever_changes_or_deletes_a_criteria_set_changes_no_golden(shelf: Shelf) -> None:
    criteria = await make_set(shelf)
    golden = await shelf.promoted(criteriaSetId=criteria["id"])
    path = f"/api/criteria-sets/{criteria['id']}"
    ok(await shelf.admin.patch(path, json={"dimensions": AFTER, "version": 1}))
    changed = await shelf.show(golden)
    assert (changed["revision"], frozen(changed)) == (1, (1, ["employees"]))
    assert (await shelf.admin.delete(path)).status_code < 300
    deleted = await shelf.show(golden)
    assert (deleted["revision"], frozen(deleted)) == (1, (1, ["employees"]))


async def test_whoever_names_a_criteria_set_again_means_it_as_it_is_now(shelf: Shelf) -> None:
    criteria = await make_set(shelf)
    golden = await shelf.promoted(criteriaSetId=criteria["id"])
    same = await shelf.change(golden, criteriaSetId=criteria["id"])
    assert same["revision"] == 1
    ok(
        await shelf.admin.patch(
            f"/api/criteria-sets/{criteria['id']}", json={"dimensions": AFTER, "version": 1}
        )
    )
    assert (await shelf.change(golden, note="Other words"))["revision"] == 1
    again = await shelf.change(golden, criteriaSetId=criteria["id"])
    assert again["revision"] == 2
    assert frozen(await shelf.show(golden)) == (2, ["other"])
    without = await shelf.change(golden, criteriaSetId=None)
    assert (without["revision"], (await shelf.show(golden))["snapshot"]["criteria"]) == (3, None)


async def test_no_note_is_an_empty_one(shelf: Shelf) -> None:
    session = await shelf.record()
    golden = await shelf.promote(session, note=None)
    assert golden["note"] == ""
    again = await shelf.admin.post(GOLDEN, json={"sessionId": session["id"], "note": ""})
    assert again.status_code == 200
    assert (await shelf.change(golden, note="Words"))["note"] == "Words"
    assert (await shelf.change(golden, note=None))["note"] == ""
