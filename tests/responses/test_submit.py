"""Submitting through the API: checked against the dimensions, snapshotted, scored, kept as it was."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.criteria.model import Dimension
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import LISTENERS, Event, Listener, listen
from goldloop.kit.queue import job
from goldloop.responses.scoring import compute_response_score
from goldloop.responses.target_service import resolve_target
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import RUBRIC, Desk, code, ok, places, some_id

pytestmark = pytest.mark.usefixtures("registry")


def url(record: Any) -> str:
    return f"/api/entities/{record['id']}/responses"


async def test_a_response_is_kept_with_its_snapshot_its_scores_and_who_submitted_it(desk: Desk) -> None:
    made = await desk.make_set()
    record = await desk.make_record()
    user_id, client = await desk.person()
    values = {"team": 8, "market": 5, "verdict": "buy", "why": "Strong"}
    meta = {"team": {"confidence": "high", "sources": [{"type": "web", "url": "https://a.b/c"}]}}
    response = await desk.submit(
        record, values, client, criteria_set_slug="rubric", field_meta=meta, notes="Seen", source="workshop"
    )
    score = compute_response_score(values, msgspec.convert(RUBRIC, list[Dimension]))
    assert (response["weighted_score"], response["normalized_score"]) == (score.weighted, score.normalized)
    assert (response["weighted_score"], response["normalized_score"]) == (6.5, pytest.approx(0.65))
    assert response["criteria_snapshot"] == made["dimensions"]
    assert (response["values"], response["field_meta"], response["notes"]) == (values, meta, "Seen")
    assert (response["status"], response["source"], response["promoted_fields"]) == (
        "submitted",
        "workshop",
        [],
    )
    assert (response["submitted_by_user"], response["submitted_by_agent"]) == (str(user_id), None)
    assert await desk.response(response) == response


async def test_an_agents_response_names_the_agent(desk: Desk) -> None:
    agent = await desk.agent()
    response = await desk.submit(await desk.make_record(), {"name": "Acme"}, agent, source="extraction")
    assert response["submitted_by_user"] is None
    assert response["submitted_by"]["kind"] == "agent"
    assert response["submitted_by_agent"] == response["submitted_by"]["id"]


async def test_without_a_score_there_is_none_and_not_zero(desk: Desk) -> None:
    await desk.make_set()
    record = await desk.make_record()
    response = await desk.submit(record, {"why": "Words"}, criteria_set_slug="rubric")
    assert (response["weighted_score"], response["normalized_score"]) == (None, None)
    zero = await desk.submit(record, {"team": 0}, criteria_set_slug="rubric")
    assert (zero["weighted_score"], zero["normalized_score"]) == (0, 0)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"values": {"team": 11}}, ("/values/team", "out_of_scale")),
        ({"values": {"team": "8"}}, ("/values/team", "wrong_type")),
        ({"values": {"team": True}}, ("/values/team", "wrong_type")),
        ({"values": {"verdict": "maybe"}}, ("/values/verdict", "not_an_option")),
        ({"values": {"why": 3}}, ("/values/why", "wrong_type")),
        ({"values": {"a/b": 3}}, ("/values/a~1b", "unknown_dimension")),
        ({"field_meta": {"x": {}}}, ("/field_meta/x", "unknown_dimension")),
        ({"field_meta": {"team": {"confidence": "sure"}}}, ("/field_meta/team/confidence", "unknown_confidence")),
        ({"field_meta": {"team": {"sources": [{"type": "dream"}]}}}, ("/field_meta/team/sources/0/type", "unknown_source_type")),
        ({"temporal_value": "2026"}, ("/temporal_value", "not_temporal")),
        ({"source": "guess"}, ("/source", "invalid_value")),
        ({"criteria_set_id": "0197b5f0-0000-7000-8000-000000000000"}, ("/criteria_set_id", "criteria_set_not_found")),
        ({"criteria_set_slug": "ghost"}, ("/criteria_set_slug", "criteria_set_not_found")),
        ({"parent_response_id": "0197b5f0-0000-7000-8000-000000000000"}, ("/parent_response_id", "response_not_found")),
        ({"colour": "red"}, ("/colour", "unknown_field")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)  # fmt: skip
async def test_what_does_not_fit_is_refused_with_its_place_and_nothing_is_kept(
    desk: Desk, body: dict[str, Any], place: tuple[str, str]
) -> None:
    await desk.make_set()
    record = await desk.make_record()
    answer = await desk.contributor.post(
        url(record), json={"values": {"team": 1}, "criteria_set_slug": "rubric"} | body
    )
    assert (answer.status_code, places(answer)) == (422, [place]), answer.text
    assert await desk.count("entity_responses") == 0


async def test_every_fault_is_named_at_once(desk: Desk) -> None:
    await desk.make_set(dimensions=[RUBRIC[0] | {"required": True}, *RUBRIC[1:]])
    answer = await desk.contributor.post(
        url(await desk.make_record()),
        json={"values": {"team": " ", "market": -1, "verdict": "x"}, "criteria_set_slug": "rubric"},
    )
    assert places(answer) == [
        ("/values/team", "required"),
        ("/values/market", "out_of_scale"),
        ("/values/verdict", "not_an_option"),
    ]


async def test_empty_values_are_no_values(desk: Desk) -> None:
    response = await desk.submit(
        await desk.make_record(), {"name": "Acme", "employees": None, "summary": "  "}
    )
    assert (response["values"], response["promotable_fields"]) == ({"name": "Acme"}, ["name"])


async def test_a_set_of_another_type_is_refused_and_one_of_all_types_is_not(desk: Desk) -> None:
    await desk.make_type("person")
    await desk.make_set("people", entity_type_slugs=["person"])
    await desk.make_set("all")
    record = await desk.make_record()
    answer = await desk.contributor.post(
        url(record), json={"values": {"team": 1}, "criteria_set_slug": "people"}
    )
    assert (answer.status_code, places(answer)) == (422, [("/criteria_set_slug", "wrong_entity_type")])
    await desk.submit(record, {"team": 1}, criteria_set_slug="all")
    answer = await desk.contributor.post(
        url(record), json={"values": {}, "criteria_set_slug": "default-person"}
    )
    assert answer.status_code == 422


async def test_a_temporal_set_needs_to_know_when(desk: Desk) -> None:
    await desk.make_set("visits", kind="temporal", temporal_key="week")
    record = await desk.make_record()
    for missing in ({}, {"temporal_value": " "}, {"temporal_value": None}):
        body = {"values": {"team": 1}, "criteria_set_slug": "visits", **missing}
        answer = await desk.contributor.post(url(record), json=body)
        assert (answer.status_code, places(answer)) == (422, [("/temporal_value", "required")])
    response = await desk.submit(record, {"team": 1}, criteria_set_slug="visits", temporal_value="2026-W40")
    assert response["temporal_value"] == "2026-W40"


async def test_a_set_that_rates_connections_takes_no_response_about_the_record(desk: Desk) -> None:
    await desk.make_set("edges", scope={"type": "relation", "fieldKey": "investors"}, dimensions=RUBRIC[:2])
    answer = await desk.contributor.post(
        url(await desk.make_record()), json={"values": {"team": 1}, "criteria_set_slug": "edges"}
    )
    assert (answer.status_code, places(answer)) == (422, [("/values/team", "unknown_connection")])


async def test_a_follow_up_names_a_response_to_the_same_record(desk: Desk) -> None:
    record, other = await desk.make_record(), await desk.make_record()
    first = await desk.submit(record, {"name": "Acme"})
    second = await desk.submit(record, {"name": "Corp"}, parent_response_id=first["id"])
    assert second["parent_response_id"] == first["id"]
    answer = await desk.contributor.post(
        url(other), json={"values": {"name": "Corp"}, "parent_response_id": first["id"]}
    )
    assert places(answer) == [("/parent_response_id", "response_not_found")]


async def test_a_response_submitted_again_under_its_id_is_one_response(desk: Desk) -> None:
    await desk.make_set()
    record, other = await desk.make_record(), await desk.make_record()
    body = {"id": some_id(), "values": {"team": 5}, "criteria_set_slug": "rubric", "notes": "n"}
    answers = await asyncio.gather(*(desk.contributor.post(url(record), json=body) for _ in range(4)))
    assert {answer.status_code for answer in answers} == {201}
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert await desk.count("entity_responses") == 1
    assert len(await desk.events("response.submitted")) == 1
    await desk.make_set("same-dimensions")
    for different in (
        body | {"values": {"team": 6}},
        body | {"notes": "m"},
        body | {"source": "workshop"},
        body | {"field_meta": {"team": {"confidence": "low"}}},
        body | {"criteria_set_slug": "same-dimensions"},
    ):
        answer = await desk.contributor.post(url(record), json=different)
        assert code(answer) == (409, "response_exists"), different
    assert code(await desk.contributor.post(url(other), json=body)) == (409, "response_exists")


async def test_a_response_submitted_again_after_the_set_changed_is_answered_as_the_first_time(
    desk: Desk,
) -> None:
    made = await desk.make_set()
    record = await desk.make_record()
    body = {"id": some_id(), "values": {"team": 5, "why": " "}, "criteria_set_slug": "rubric"}
    first = ok(await desk.contributor.post(url(record), json=body))
    team = {**made["dimensions"][0], "scale": [0, 3]}
    ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", {"dimensions": [team]}))
    assert ok(await desk.contributor.post(url(record), json=body)) == first
    for different in (body | {"values": {"team": 6}}, body | {"notes": "m"}, body | {"id": some_id()}):
        answer = await desk.contributor.post(url(record), json=different)
        assert ("/values/team", "out_of_scale") in places(answer)
    assert await desk.count("entity_responses") == 1


async def test_who_listens_to_submissions_gets_a_job_in_the_same_transaction(desk: Desk) -> None:
    @job("test.heard")
    async def heard_of(tx: Tx, **_: Any) -> None: ...

    listen("response.submitted", Listener(job="test.heard", payload=lambda event: event.payload))
    try:
        response = await desk.submit(await desk.make_record(), {"name": "Acme"})
    finally:
        LISTENERS["response.submitted"].pop()
    jobs = ok(await desk.admin.get("/api/jobs"))["data"]
    (heard,) = [job["args"] for job in jobs if job["name"] == "test.heard"]
    (event,) = await desk.events("response.submitted")
    assert heard == event["payload"]
    assert event["subject_id"] == response["id"]


async def test_responses_are_listed_newest_first_and_by_set_and_status(desk: Desk) -> None:
    made = await desk.make_set()
    record = await desk.make_record()
    scored = [await desk.submit(record, {"team": n}, criteria_set_slug="rubric") for n in range(5)]
    plain = await desk.submit(record, {"name": "Acme"})
    await desk.review(scored[0], "rejected", "No")
    await desk.withdraw(scored[1])

    async def listed(**params: Any) -> list[str]:
        seen: list[str] = []
        cursor = None
        while True:
            query = {"limit": 2, **params} | ({"cursor": cursor} if cursor else {})
            page = ok(await desk.reviewer.get(url(record), params=query))
            seen += [found["id"] for found in page["data"]]
            if (cursor := page["next_cursor"]) is None:
                return seen

    left = [r["id"] for r in (scored[0], *scored[2:], plain)]
    assert await listed() == left[::-1]
    assert await listed(criteria_set_id=made["id"]) == left[-2::-1]
    assert await listed(status="rejected") == [scored[0]["id"]]
    assert await listed(status="submitted", criteria_set_id=made["id"]) == [
        r["id"] for r in reversed(scored[2:])
    ]


async def test_the_summary_is_written_only_for_the_featured_set(desk: Desk) -> None:
    made = await desk.make_set(entity_type_slugs=["company"])
    await desk.make_set("other", entity_type_slugs=["company"])
    record = await desk.make_record(metadata={"origin": "import"})
    await desk.submit(record, {"team": 1}, criteria_set_slug="other")
    await desk.submit(record, {"why": "no score"}, criteria_set_slug="rubric")
    shown = await desk.show(record)
    assert (shown["metadata"], shown["score"], shown["version"]) == ({"origin": "import"}, None, 1)
    response = await desk.submit(
        record, {"team": 7, "market": 8}, criteria_set_slug="rubric", source="workshop"
    )
    await desk.submit(record, {"team": 1}, criteria_set_slug="other")
    await desk.submit(record, {"why": "no score"}, criteria_set_slug="rubric")
    shown = await desk.show(record)
    summary = shown["metadata"]["response_summary"]
    assert summary.pop("updated_at")
    assert summary.pop("raters")["count"] == 1
    assert summary == {
        "latest_score": 75.0,
        "latest_response_id": response["id"],
        "latest_criteria_set_id": made["id"],
        "latest_source": "workshop",
        "score_scale_max": 100,
    }
    assert (shown["score"], shown["metadata"]["origin"], shown["content"]) == (75.0, "import", {})


async def test_who_may_not_submit_or_read_is_refused(desk: Desk, other_workspace: Workspace) -> None:
    record = await desk.make_record()
    response = await desk.submit(record, {"name": "Acme"})
    viewer = await desk.workspace.client(Role.VIEWER)
    assert (await viewer.post(url(record), json={"values": {}})).status_code == 403
    assert (await viewer.get(url(record))).status_code == 200
    writer = await desk.workspace.client(Role.CONTRIBUTOR, scopes=["responses.team.create"])
    assert (await writer.get(url(record))).status_code == 403
    assert (await writer.post(url(record), json={"values": {"name": "Corp"}})).status_code == 201
    stranger = await other_workspace.client(Role.OWNER)
    assert code(await stranger.get(f"{url(record)}/{response['id']}")) == (404, "response_not_found")
    other = await desk.make_record()
    assert code(await desk.reviewer.get(f"{url(other)}/{response['id']}")) == (404, "response_not_found")


async def test_the_answer_is_what_the_response_shows_afterwards(desk: Desk) -> None:
    await desk.make_set()
    record = await desk.make_record()
    agent = await desk.agent()
    for by in (desk.contributor, agent):
        made = await desk.submit(
            record, {"team": 8}, by, criteria_set_slug="rubric", notes="So", source="workshop"
        )
        assert made == await desk.response(made)


async def test_the_newest_response_is_the_one_accepted_last_whatever_its_id(desk: Desk) -> None:
    """A client that could not reach the server sends what it made earlier, under the id that it made then."""
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    ids = ["ffffffff-ffff-4fff-bfff-ffffffffffff", "00000000-0000-4000-8000-000000000001"]
    first, second = [
        await desk.submit(record, {"team": score}, id=given, criteria_set_slug="rubric")
        for score, given in zip((2, 8), ids, strict=True)
    ]
    path = f"/api/entities/{record['id']}/responses"
    one = ok(await desk.reviewer.get(path, params={"limit": 1}))
    two = ok(await desk.reviewer.get(path, params={"limit": 1, "cursor": one["next_cursor"]}))
    assert [page["data"][0]["id"] for page in (one, two)] == [second["id"], first["id"]]
    await desk.review(first, "rejected", "No")
    await desk.review(first, "submitted")
    assert (await desk.show(record))["score"] == second["normalized_score"] * 100


async def test_a_record_deleted_at_the_same_moment_is_not_found(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    for _ in range(6):
        record = await desk.make_record()
        body = {"values": {"team": 3}, "criteria_set_slug": "rubric"}
        path = f"/api/entities/{record['id']}"
        answers = await asyncio.gather(
            *(desk.contributor.post(f"{path}/responses", json=body) for _ in range(3)),
            desk.reviewer.delete(path),
        )
        assert {answer.status_code for answer in answers} <= {201, 204, 404}, [a.text for a in answers]


async def test_a_temporal_value_is_the_same_with_spaces_around_it(desk: Desk) -> None:
    await desk.make_set("quarterly", kind="temporal", temporal_key="quarter")
    record = await desk.make_record()
    made = await desk.submit(record, {"team": 3}, criteria_set_slug="quarterly", temporal_value=" 2026-Q1 ")
    assert made["temporal_value"] == "2026-Q1"


async def test_what_the_submission_before_was_about_is_not_taken_for_granted(desk: Desk) -> None:
    """A submission goes by what the one before was about: each of these is about something else."""
    made = await desk.make_set(entity_type_slugs=None)
    by_set: dict[str, Any] = {"criteria_set_slug": "rubric"}
    record = await desk.make_record()
    await desk.submit(record, {"team": 8}, **by_set)

    person = await desk.make_type("person", {"type": "object", "properties": {"team": {"type": "integer"}}})
    someone = ok(await desk.reviewer.post("/api/entities", json={"type": "person", "title": "Ada"}))
    for about, promotable in ((someone, ["team"]), (record, []), (someone, ["team"])):
        assert (await desk.submit(about, {"team": 8}, **by_set))["promotable_fields"] == promotable

    schema = {"type": "object", "properties": {"other": {"type": "integer"}}}
    ok(await desk.try_change(f"/api/entity-types/{person['slug']}", {"json_schema": schema}))
    assert (await desk.submit(someone, {"team": 8}, **by_set))["promotable_fields"] == []

    team = {**made["dimensions"][0], "scale": [0, 3]}
    changed = ok(await desk.try_change(f"/api/criteria-sets/{made['id']}", {"dimensions": [team]}))
    assert (await desk.submit(record, {"team": 2}, **by_set))["criteria_snapshot"] == changed["dimensions"]
    assert (
        await desk.contributor.post(url(record), json={"values": {"team": 8}, **by_set})
    ).status_code == 422

    gone = await desk.make_record()
    ok(await desk.reviewer.delete(f"/api/entities/{gone['id']}"))
    for values in ({"team": 2}, {"team": 8}, {}):
        assert (await desk.contributor.post(url(gone), json={"values": values, **by_set})).status_code == 404

    ok(await desk.admin.delete(f"/api/criteria-sets/{made['id']}"))  # it has responses: it is archived
    refused = await desk.contributor.post(url(record), json={"values": {"team": 2}, **by_set})
    assert places(refused) == [("/criteria_set_slug", "criteria_set_archived")]


async def test_a_submission_that_a_listener_refuses_is_not_made_twice(desk: Desk) -> None:
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    body = {"values": {"team": 3}, "criteria_set_slug": "rubric"}
    ok(await desk.contributor.post(url(record), json=body))
    refused: list[str] = []

    async def refuse_once(_tx: Tx, event: Event) -> None:
        if not refused:
            refused.append(event.name)
            raise InvalidInput("Not now")

    listen("response.submitted", Listener(act=refuse_once))
    try:
        answer = await desk.contributor.post(url(record), json=body)
    finally:
        LISTENERS["response.submitted"].pop()
    assert (answer.status_code, refused) == (422, ["response.submitted"])
    assert await desk.count("entity_responses") == 1


async def test_a_type_that_changed_since_the_submission_before_is_heeded(desk: Desk) -> None:
    """With one type alone, what the submission before was about is gone by until the database knows better."""
    await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    by_set: dict[str, Any] = {"criteria_set_slug": "rubric"}
    assert (await desk.submit(record, {"team": 8}, **by_set))["promotable_fields"] == []
    shown = ok(await desk.admin.get("/api/entity-types/company"))
    properties = shown["json_schema"]["properties"] | {"team": {"type": "integer"}}
    ok(
        await desk.try_change(
            "/api/entity-types/company", {"json_schema": {**shown["json_schema"], "properties": properties}}
        )
    )
    assert (await desk.submit(record, {"team": 8}, **by_set))["promotable_fields"] == ["team"]


async def test_a_definition_that_was_rolled_back_is_not_gone_by(workspace: Workspace, desk: Desk) -> None:
    """It has the number of the version that was made instead of it."""
    made = await desk.make_set(entity_type_slugs=["company"])
    record = await desk.make_record()
    (first, *_), at = made["dimensions"], f"/api/criteria-sets/{made['id']}"
    actor = workspace.system

    async def look_and_roll_back() -> None:
        async with workspace.db.tx(actor) as tx:
            await tx.execute(
                "UPDATE criteria_sets SET version = version + 1, updated_at = $2, dimensions = $3 WHERE tenant_id = $1",
                actor.tenant_id,
                now(),
                [{**first, "scale": [0, 3]}],
            )
            await resolve_target(tx, UUID(record["id"]), None, "rubric")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await look_and_roll_back()
    changed = ok(await desk.try_change(at, {"dimensions": [{**first, "scale": [0, 9]}]}))
    assert changed["version"] == made["version"] + 1
    kept = await desk.submit(record, {"team": 8}, criteria_set_slug="rubric")
    assert kept["criteria_snapshot"] == changed["dimensions"]
