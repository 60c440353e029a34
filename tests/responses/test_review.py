"""Reviewing and withdrawing through the API: rejected with notes, reopened, taken back; nothing is lost."""

import asyncio
from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.records import Desk, clients_of_namesakes, code, places

REJECTED = "extraction/result-rejected"


async def score(desk: Desk, record: Any) -> float | None:
    return (await desk.show(record))["score"]


async def test_a_response_is_rejected_with_notes_and_reopened(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), {"name": "Acme"})
    rejected = await desk.review(response, "rejected", "Not the legal name")
    assert (rejected["status"], rejected["review_notes"]) == ("rejected", "Not the legal name")
    assert rejected["reviewer"]["id"] == rejected["reviewed_by"] == str(desk.workspace.owner_id)
    assert rejected["reviewed_at"] is not None
    unchanged = ("values", "criteria_snapshot", "weighted_score", "normalized_score", "created_at")
    assert {key: rejected[key] for key in unchanged} == {key: response[key] for key in unchanged}
    assert (await desk.review(response, "submitted"))["status"] == "submitted"
    assert len(await desk.events("response.rejected")) == 1
    assert len(await desk.events("response.reopened")) == 1


@pytest.mark.parametrize(
    ("by", "source", "notes", "emitted"),
    [
        ("agent", "manual", "Wrong", True),
        ("agent", "extraction", "Wrong", True),
        ("person", "extraction", "Wrong", True),
        ("person", "manual", "Wrong", False),
        ("agent", "extraction", None, False),
        ("agent", "extraction", "", False),
    ],
)
async def test_a_rejection_with_notes_tells_of_each_field_of_what_can_be_tried_again(
    desk: Desk, by: str, source: str, notes: str | None, emitted: bool
) -> None:
    client = await desk.agent() if by == "agent" else desk.contributor
    record = await desk.make_record()
    values = {"name": "Acme", "employees": 3, "active": "true"}
    response = await desk.submit(record, values, client, source=source)
    await desk.review(response, "rejected", notes)
    events = await desk.events(REJECTED)
    assert {e["payload"]["field"]: e["payload"]["value"] for e in events} == (values if emitted else {})
    assert len(events) == (3 if emitted else 0)
    for event in events:
        assert event["subject_id"] == event["payload"]["response_id"] == response["id"]
        assert event["payload"]["entity_id"] == record["id"]
        assert event["payload"]["criteria_set_id"] == response["criteria_set_id"]
        assert event["payload"]["notes"] == notes


async def test_rejecting_again_says_the_same_and_tells_nobody_twice(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), {"name": "Acme"}, await desk.agent())
    first = await desk.review(response, "rejected", "Wrong")
    assert await desk.review(response, "rejected", "Wrong") == first
    assert code(await desk.try_review(response, "rejected", "Other words")) == (409, "not_reviewable")
    assert len(await desk.events(REJECTED)) == 1


async def test_of_two_reviewers_who_reject_at_once_one_rejects(desk: Desk) -> None:
    for turn in range(5):
        response = await desk.submit(await desk.make_record(), {"name": "Acme"}, await desk.agent())
        answers = await asyncio.gather(*(desk.try_review(response, "rejected", f"by {n}") for n in range(3)))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
        (won,) = [answer.json() for answer in answers if answer.status_code == 200]
        assert (await desk.response(response))["review_notes"] == won["review_notes"]
        assert len(await desk.events(REJECTED)) == turn + 1


async def test_only_rejecting_and_reopening_are_reviews(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), {"name": "Acme"})
    for status in ("promoted", "partially_promoted", "superseded"):
        answer = await desk.try_review(response, status)
        assert (answer.status_code, places(answer)) == (422, [("/status", "not_a_review")])
    assert (await desk.try_review(response, "gone")).status_code == 422
    assert (await desk.review(response, "submitted"))["status"] == "submitted", "it is already"


async def test_what_is_promoted_cannot_be_rejected_before_it_is_undone(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme", "employees": 3}, await desk.agent())
    await desk.promote(response, "name")
    assert code(await desk.try_review(response, "rejected", "No")) == (409, "response_promoted")
    assert await desk.events(REJECTED) == []
    await desk.undo(record, "name")
    assert (await desk.review(response, "rejected", "No"))["status"] == "rejected"
    assert code(await desk.try_promote(response, "name")) == (409, "not_promotable")


async def test_a_review_needs_its_right(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), {"name": "Acme"})
    path = f"/api/entities/{response['entity_id']}/responses/{response['id']}"
    assert (await desk.contributor.patch(path, json={"status": "rejected"})).status_code == 403
    assert await desk.response(response) == response


async def test_a_response_is_withdrawn_by_whoever_submitted_it_or_by_a_reviewer(desk: Desk) -> None:
    record = await desk.make_record()
    _, other = await desk.person()
    agent = await desk.agent()
    own, reviewed, agents = [
        await desk.submit(record, {"name": "Acme"}, by) for by in (desk.contributor, other, agent)
    ]
    assert (await desk.try_withdraw(own, other)).status_code == 403
    assert (await desk.try_withdraw(agents, desk.contributor)).status_code == 403
    viewer = await desk.workspace.client(Role.VIEWER)
    assert (await desk.try_withdraw(own, viewer)).status_code == 403
    await desk.withdraw(own)
    await desk.withdraw(reviewed, desk.reviewer)
    await desk.withdraw(agents, agent)
    listed = (await desk.reviewer.get(f"/api/entities/{record['id']}/responses")).json()["data"]
    assert listed == []
    assert (await desk.response(own))["withdrawn_at"] is not None, "kept for history"
    assert await desk.count("entity_responses") == 3


async def test_an_agent_with_a_members_id_is_not_that_member(desk: Desk) -> None:
    agent, member = await clients_of_namesakes(desk)
    record = await desk.make_record()
    by_member = await desk.submit(record, {"name": "Acme"}, by=member)
    by_agent = await desk.submit(record, {"name": "Corp"}, by=agent)
    assert by_member["submitted_by"]["id"] == by_agent["submitted_by"]["id"]
    assert (await desk.try_withdraw(by_member, by=agent)).status_code == 403
    assert (await desk.try_withdraw(by_agent, by=member)).status_code == 403
    await desk.withdraw(by_member, by=member)
    await desk.withdraw(by_agent, by=agent)


async def test_what_was_withdrawn_is_neither_reviewed_nor_promoted(desk: Desk) -> None:
    response = await desk.submit(await desk.make_record(), {"name": "Acme"})
    await desk.withdraw(response)
    at = (await desk.response(response))["withdrawn_at"]
    await desk.withdraw(response)
    assert (await desk.response(response))["withdrawn_at"] == at
    assert code(await desk.try_review(response, "rejected", "No")) == (409, "not_reviewable")
    assert code(await desk.try_promote(response, "name")) == (409, "not_promotable")


async def test_what_a_record_stands_on_is_not_withdrawn(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    for client in (desk.contributor, desk.reviewer):
        assert code(await desk.try_withdraw(response, client)) == (409, "response_promoted")
    await desk.edit(record, content={"name": "Edited"})
    assert (await desk.response(response))["status"] == "superseded"
    assert code(await desk.try_withdraw(response)) == (409, "response_promoted")


async def test_the_summary_falls_back_to_the_newest_response_that_counts(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    low, mid, high = [await desk.submit(record, {"team": n}, criteria_set_slug="rubric") for n in (2, 5, 9)]
    assert await score(desk, record) == 90
    await desk.withdraw(low)
    assert await score(desk, record) == 90, "not the one that it stands on"
    await desk.withdraw(high)
    assert await score(desk, record) == 50
    summary = (await desk.show(record))["metadata"]["response_summary"]
    assert (summary["latest_response_id"], summary["score_scale_max"]) == (mid["id"], 100)
    await desk.review(mid, "rejected", "No")
    shown = await desk.show(record)
    assert (shown["score"], shown["metadata"]) == (None, {})


async def test_a_reopened_response_counts_again(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    await desk.make_set("other", entity_type_slugs=["company"])
    record = await desk.make_record()
    low, high = [await desk.submit(record, {"team": n}, criteria_set_slug="rubric") for n in (2, 9)]
    unfeatured = await desk.submit(record, {"team": 5}, criteria_set_slug="other")
    for response in (low, high, unfeatured):
        await desk.review(response, "rejected", "No")
    assert await score(desk, record) is None
    await desk.review(unfeatured, "submitted")
    assert await score(desk, record) is None
    await desk.review(low, "submitted")
    assert await score(desk, record) == 20
    await desk.review(high, "submitted")
    assert await score(desk, record) == 90
    await desk.review(low, "rejected", "No")
    assert await score(desk, record) == 90


async def test_submitting_reviewing_promoting_and_withdrawing_at_once_never_wait_for_each_other(
    desk: Desk,
) -> None:
    """Two that lock a record and a response in opposite order would end with one of them failing."""
    dimensions = [
        {"key": "name", "label": "Name", "type": "text"},
        {"key": "fit", "label": "Fit", "type": "rating", "scale": [0, 10], "weight": 1},
    ]
    await desk.make_set("both", entity_type_slugs=["company"], dimensions=dimensions)
    for _ in range(6):
        record = await desk.make_record()
        first = [
            await desk.submit(record, {"name": f"Name {n}", "fit": n}, criteria_set_slug="both")
            for n in range(6)
        ]
        submit = {"values": {"name": "More", "fit": 1}, "criteria_set_slug": "both"}
        answers = await asyncio.gather(
            *(desk.try_promote(response, "name") for response in first),
            *(desk.try_withdraw(response) for response in first[:3]),
            *(desk.try_review(response, "rejected", "No") for response in first[3:]),
            *(
                desk.contributor.post(f"/api/entities/{record['id']}/responses", json=submit)
                for _ in range(4)
            ),
        )
        assert [answer.text for answer in answers if answer.status_code >= 500] == []
        assert {answer.status_code for answer in answers} <= {200, 201, 204, 409}


async def test_many_scored_submissions_and_promotions_at_once_all_get_through(desk: Desk) -> None:
    """Submissions hold a record by their foreign key before they write its summary."""
    dimensions = [
        {"key": "name", "label": "Name", "type": "text"},
        {"key": "fit", "label": "Fit", "type": "rating", "scale": [0, 10], "weight": 1},
    ]
    await desk.make_set("both", entity_type_slugs=["company"], dimensions=dimensions)
    record = await desk.make_record()
    first = [
        await desk.submit(record, {"name": f"Name {n}", "fit": n}, criteria_set_slug="both") for n in range(5)
    ]
    path = f"/api/entities/{record['id']}/responses"
    body = {"values": {"name": "More", "fit": 1}, "criteria_set_slug": "both"}
    for _ in range(6):
        answers = await asyncio.gather(
            *(desk.contributor.post(path, json=body) for _ in range(5)),
            *(desk.try_promote(response, "name") for response in first),
            *(desk.contributor.post(path, json=body) for _ in range(5)),
        )
        assert [answer.text for answer in answers if answer.status_code not in (200, 201, 409)] == []
        assert [answer.status_code for answer in (*answers[:5], *answers[10:])] == [201] * 10


async def test_notes_of_nothing_but_spaces_are_no_notes(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"}, await desk.agent())
    assert (await desk.review(response, "rejected", "  \n"))["review_notes"] is None
    assert await desk.events("extraction/result-rejected") == []


async def test_a_response_withdrawn_twice_is_withdrawn_once(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.withdraw(response)
    await desk.withdraw(response)
    assert len(await desk.events("response.withdrawn")) == 1


async def test_a_superseded_response_stays_and_the_answer_does_not_ask_for_the_impossible(desk: Desk) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    await desk.promote(response, "name")
    await desk.edit(record, content={"name": "Other"})
    for answer in (await desk.try_review(response, "rejected", "No"), await desk.try_withdraw(response)):
        assert code(answer) == (409, "response_promoted")
        assert "undo" not in answer.json()["detail"].lower()
