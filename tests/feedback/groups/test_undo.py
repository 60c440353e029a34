"""Taking decisions about groups back: everything is as it was before, but for what others decided since."""

from typing import Any

import pytest

from goldloop.kit.ids import new_id
from tests.feedback.groups.test_groups import CURRENCY, SLOW, complain, proposed
from tests.feedback.signals import Signals
from tests.records import code, ok

PLACES = "SELECT id, group_id, near_group_id, part, apart, status, review_notes, decision_id FROM feedback ORDER BY id"
GROUPS = """
    SELECT id, state, returned, reason, note, decision_id, decided_at, decided_by_id, escalates_at, merged_into, members, pending,
           origins, proposed
    FROM feedback_groups WHERE members > 0 ORDER BY id
"""


async def undo(signals: Signals, decided: Any) -> Any:
    return await signals.admin.post(f"/api/feedback/decisions/{decided['decision_id']}/undo")


async def state(signals: Signals) -> Any:
    return await signals.chats.rows(PLACES), await signals.chats.rows(GROUPS)


async def labels(signals: Signals) -> int:
    (row,) = await signals.chats.rows("SELECT labels FROM feedback_grouping")
    return int(row["labels"])


async def two_groups(signals: Signals) -> tuple[Any, Any]:
    """One about currency of four members, which came back, and one about slowness, with what is in none."""
    group = await proposed(signals)
    path = f"/api/feedback/groups/{group['id']}"
    ok(await signals.admin.post(f"{path}/dismiss", json={"reason": "user_error", "note": "They set it"}))
    for place in (2, 3):
        await complain(signals, CURRENCY[place], f"new-{place}")
    for user in ("x", "y"):
        await complain(signals, SLOW, user)
    await complain(signals, "The colours of the chart hurt my eyes", "kim")
    await complain(signals, "It stops in the middle of a sentence", "lea")
    await signals.place()
    back = ok(await signals.admin.get(path))
    assert (back["returned"], back["reason"], back["members"]) == (True, "user_error", 4)
    other = next(each for each in await signals.groups() if each["id"] != group["id"])
    return back, other


@pytest.mark.parametrize(
    "act", ["review", "dismiss", "snooze", "merge", "add one", "add two", "split one", "split two"]
)
async def test_after_undo_all_is_as_it_was(signals: Signals, act: str) -> None:
    group, other = await two_groups(signals)
    await signals.chats.rows(
        "UPDATE feedback SET near_group_id = $1 WHERE comment LIKE 'It stops%' RETURNING 1", group["id"]
    )
    members = [row["id"] for row in await signals.listed(group_id=group["id"])]
    alone = [row["id"] for row in await signals.listed(grouped="false")]
    assert len(alone) == 2
    bodies: dict[str, dict[str, Any]] = {
        "review": {"status": "applied", "review_notes": "Done"},
        "dismiss": {"reason": "noise"},
        "snooze": {},
        "merge": {"into": other["id"]},
        "add one": {"ids": alone[:1]},
        "add two": {"ids": [*alone, *(row["id"] for row in await signals.listed(group_id=other["id"]))]},
        "split one": {"ids": members[:1]},
        "split two": {"ids": members[:2]},
    }
    before, labelled = await state(signals), await labels(signals)
    path = f"/api/feedback/groups/{group['id']}/{act.split()[0]}"
    decided = ok(await signals.admin.post(path, json=bodies[act]))
    assert await state(signals) != before
    assert ok(await undo(signals, decided))["id"] == group["id"]
    assert await state(signals) == before
    assert await labels(signals) == labelled
    again = await undo(signals, decided)
    assert code(again) == (409, "feedback_decision_overtaken")
    assert again.json()["conflict"]["is_taken_back"]


async def test_what_others_decided_since_stays(signals: Signals) -> None:
    group, other = await two_groups(signals)
    taken = [row["id"] for row in await signals.listed(group_id=group["id"])][:2]
    path = "/api/feedback/groups"
    split = ok(await signals.admin.post(f"{path}/{group['id']}/split", json={"ids": taken}))
    ok(await signals.admin.post(f"{path}/{other['id']}/add", json={"ids": taken[:1]}))
    assert ok(await undo(signals, split))["members"] == 3
    places = {row["id"]: row["group_id"] for row in await signals.listed()}
    assert [places[each] for each in taken] == [other["id"], group["id"]]
    snoozed = ok(await signals.admin.post(f"{path}/{other['id']}/snooze", json={}))
    ok(await signals.admin.post(f"{path}/{other['id']}/reopen"))
    ok(await signals.admin.post(f"{path}/{other['id']}/dismiss", json={"reason": "one_off"}))
    assert code(await undo(signals, snoozed)) == (409, "feedback_decision_overtaken")
    assert ok(await signals.admin.get(f"{path}/{other['id']}"))["state"] == "dismissed"


async def test_nothing_is_taken_back_where_nothing_is_left(signals: Signals) -> None:
    group, other = await two_groups(signals)
    alone = [row["id"] for row in await signals.listed(grouped="false")]
    added = ok(await signals.admin.post(f"/api/feedback/groups/{group['id']}/add", json={"ids": alone}))
    ok(await signals.admin.post(f"/api/feedback/groups/{other['id']}/add", json={"ids": alone}))
    before = await state(signals)
    refused = await undo(signals, added)
    assert (code(refused), refused.json()["conflict"]["is_taken_back"]) == (
        (409, "feedback_decision_overtaken"),
        False,
    )
    assert await state(signals) == before
    assert len(await signals.chats.rows("SELECT 1 FROM feedback_decisions WHERE kind = 'reopen'")) == 0


async def test_chains_of_merges_are_taken_back_one_by_one(signals: Signals) -> None:
    group, other = await two_groups(signals)
    alone = [row["id"] for row in await signals.listed(grouped="false")]
    path = "/api/feedback/groups"
    ok(await signals.admin.post(f"{path}/{group['id']}/add", json={"ids": alone}))
    third = ok(await signals.admin.post(f"{path}/{group['id']}/split", json={"ids": alone}))["group"]
    first = ok(await signals.admin.post(f"{path}/{other['id']}/merge", json={"into": third["id"]}))
    second = ok(await signals.admin.post(f"{path}/{third['id']}/merge", json={"into": group["id"]}))
    assert second["members"] == 8
    assert ok(await undo(signals, first))["members"] == 2
    assert ok(await undo(signals, second))["members"] == 2
    counts = {
        each["id"]: each["members"]
        for each in [*await signals.groups(), *await signals.groups(proposed="false")]
    }
    assert counts == {group["id"]: 4, other["id"]: 2, third["id"]: 2}


async def test_what_is_no_decision_is_not_taken_back(signals: Signals) -> None:
    group = await proposed(signals)
    missing = await signals.admin.post(f"/api/feedback/decisions/{new_id()}/undo")
    assert code(missing) == (404, "feedback_decision_not_found")
    path = f"/api/feedback/groups/{group['id']}"
    ids = [row["id"] for row in await signals.listed()]
    assert ok(await signals.admin.post(f"{path}/add", json={"ids": ids}))["decision_id"] is None
    decided = ok(await signals.admin.post(f"{path}/snooze", json={}))
    url = f"/api/feedback/decisions/{decided['decision_id']}/undo"
    assert (await signals.desk.reviewer.post(url)).status_code == 403
