"""`submitResponse` as agents call it: what it resolves, what it answers, what it may promote."""

import asyncio
from typing import Any

import httpx
import pytest

from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.promotion.invariants import TABLES
from tests.records import COMPANY, RUBRIC, Desk, code, ok, places, some_id

SHAPE = {"submitted", "responseId", "weightedScore", "normalizedScore", "status"}
DEFERRED = SHAPE | {"promotionDeferred", "pendingPromotionFields"}


async def call(client: httpx.AsyncClient, record: Any, **arguments: Any) -> httpx.Response:
    return await client.post("/api/tools/submitResponse", json={"entityId": record["id"], **arguments})


async def counts(desk: Desk) -> dict[str, int]:
    return {name: await desk.count(name) for name in (*TABLES, "criteria_sets")}


async def test_the_answer_has_exactly_the_shape_that_agents_know(desk: Desk) -> None:
    await desk.make_set()
    agent = await desk.agent()
    record = await desk.make_record()
    answer = ok(await call(agent, record, values={"team": 8, "market": 6}, criteriaSetSlug="rubric"))
    assert answer.keys() == SHAPE
    assert answer == {
        "submitted": True,
        "responseId": answer["responseId"],
        "weightedScore": 7.0,
        "normalizedScore": pytest.approx(0.7),
        "status": "submitted",
    }
    unscored = ok(await call(agent, record, values={"name": "Acme"}))
    assert unscored.keys() == SHAPE
    assert (unscored["weightedScore"], unscored["normalizedScore"]) == (None, None)


async def test_the_criteria_set_is_found_by_id_by_slug_or_as_the_default(desk: Desk) -> None:
    made = await desk.make_set()
    agent = await desk.agent()
    record = await desk.make_record()

    async def used(**arguments: Any) -> str:
        found = ok(await call(agent, record, **arguments))
        response = await desk.response({"id": found["responseId"], "entity_id": record["id"]})
        return str(response["criteria_set_id"])

    assert await used(values={"team": 1}, criteriaSetId=made["id"]) == made["id"]
    assert await used(values={"team": 1}, criteriaSetSlug="rubric") == made["id"]
    default = await used(values={"name": "Acme"})
    assert default not in (made["id"], None)
    assert await used(values={"name": "Acme"}, criteriaSetSlug="default-company") == default
    assert await used(values={"name": "Acme"}, criteriaSetId=default) == default


async def test_all_that_is_said_is_kept(desk: Desk) -> None:
    await desk.make_set("visits", kind="temporal", temporal_key="week")
    agent = await desk.agent()
    record = await desk.make_record()
    parent = ok(await call(agent, record, values={"name": "Acme"}))["responseId"]
    meta = {"team": {"confidence": "low", "tokens_used": 12}}
    found = ok(
        await call(
            agent,
            record,
            values={"team": 3},
            criteriaSetSlug="visits",
            temporalValue="w1",
            notes="Seen",
            source="extraction",
            fieldMeta=meta,
            parentResponseId=parent,
        )
    )
    response = await desk.response({"id": found["responseId"], "entity_id": record["id"]})
    assert (response["temporal_value"], response["notes"], response["source"]) == ("w1", "Seen", "extraction")
    assert (response["field_meta"], response["parent_response_id"]) == (meta, parent)
    assert response["submitted_by"]["kind"] == "agent"
    plain = await desk.response({"id": parent, "entity_id": record["id"]})
    assert plain["source"] == "manual"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": {"team": 99}, "criteriaSetSlug": "rubric"}, "/values/team"),
        ({"values": {"ghost": 1}}, "/values/ghost"),
        ({"values": {"name": "A"}}, "/values/name"),
        ({"values": {"team": 1}, "criteriaSetSlug": "ghost"}, "There is no such criteria set"),
        ({"values": {}, "entityId": "0197b5f0-0000-7000-8000-000000000000"}, "no such record"),
        ({"values": {"team": 1}, "criteriaSetSlug": "rubric", "temporalValue": "w"}, "/temporal_value"),
        ({"values": {"team": 1}, "criteriaSetSlug": "people"}, "not for records of type company"),
    ],
)
async def test_a_failure_of_its_own_is_an_answer_and_nothing_is_written(
    desk: Desk, arguments: dict[str, Any], message: str
) -> None:
    await desk.make_type("person")
    await desk.make_set()
    await desk.make_set("people", entity_type_slugs=["person"])
    record = await desk.make_record()
    agent = await desk.agent()
    before = await counts(desk)
    answer = await call(agent, record, **arguments)
    assert (answer.status_code, list(answer.json())) == (200, ["error"]), answer.text
    assert message in answer.json()["error"]
    assert await counts(desk) == before


async def test_what_is_not_a_call_is_a_problem(desk: Desk, anonymous: httpx.AsyncClient) -> None:
    record = await desk.make_record()
    assert code(await call(anonymous, record, values={})) == (401, "unauthenticated")
    viewer = await desk.agent(Role.VIEWER)
    assert code(await call(viewer, record, values={})) == (403, "forbidden")
    agent = await desk.agent()
    assert code(await agent.post("/api/tools/promoteField", json={})) == (404, "tool_not_found")
    for body, place in (
        ({"values": {}}, ("/entityId", "missing")),
        ({"entityId": record["id"]}, ("/values", "missing")),
        ({"entityId": "x", "values": {}}, ("/entityId", "invalid_value")),
        ({"entityId": record["id"], "values": []}, ("/values", "invalid_value")),
        ({"entityId": record["id"], "values": {}, "source": "dream"}, ("/source", "invalid_value")),
        ({"entityId": record["id"], "values": {}, "entity_id": "x"}, ("/entity_id", "unknown_field")),
    ):
        answer = await agent.post("/api/tools/submitResponse", json=body)
        assert (answer.status_code, places(answer)) == (422, [place]), answer.text
    assert await desk.count("entity_responses") == 0


async def test_a_key_without_the_right_to_update_defers_the_promotion(desk: Desk) -> None:
    record = await desk.make_record()
    for client in (await desk.agent(), desk.contributor):
        found = ok(
            await call(client, record, values={"name": "Acme", "employees": 3}, promoteFields=["name"])
        )
        assert found.keys() == DEFERRED
        assert (found["promotionDeferred"], found["pendingPromotionFields"]) == (True, ["name"])
        assert found["status"] == "submitted"
    assert (await desk.show(record))["content"] == {}


async def test_an_agent_that_may_update_promotes_with_its_submission_and_in_no_other_way(
    desk: Desk,
) -> None:
    record = await desk.make_record()
    agent = await desk.agent(Role.REVIEWER)
    found = ok(await call(agent, record, values={"name": "Acme", "employees": 3}, promoteFields=["name"]))
    assert (found.keys(), found["status"]) == (SHAPE, "partially_promoted")
    assert (await desk.show(record))["content"] == {"name": "Acme"}
    source = (await desk.sources(record))["name"]
    assert (source["kind"], source["response_id"], source["actor"]["kind"]) == (
        "promotion",
        found["responseId"],
        "agent",
    )
    response = {"id": found["responseId"], "entity_id": record["id"]}
    assert code(await desk.try_promote(response, "employees", by=agent)) == (403, "agents_propose")
    assert code(await desk.try_undo(record, "name", by=agent)) == (403, "agents_propose")
    await desk.promote(response, "employees")
    assert (await desk.response(response))["status"] == "promoted"


async def test_nothing_is_promoted_that_was_not_asked_for(desk: Desk) -> None:
    record = await desk.make_record()
    agent = await desk.agent(Role.REVIEWER)
    variants: tuple[dict[str, Any], ...] = ({}, {"promoteFields": None}, {"promoteFields": []})
    for wanted in variants:
        found = ok(await call(agent, record, values={"name": "Acme"}, **wanted))
        assert (found.keys(), found["status"]) == (SHAPE, "submitted")
    assert (await desk.show(record))["content"] == {}


async def test_what_requires_approval_waits_for_a_reviewer_and_the_rest_does_not(desk: Desk) -> None:
    dimensions = [
        {"key": "name", "label": "Name", "type": "text", "extraction": {"requiresApproval": True}},
        {"key": "employees", "label": "Employees", "type": "number"},
        {"key": "mood", "label": "Mood", "type": "text"},
    ]
    await desk.make_set("extract", dimensions=dimensions)
    record = await desk.make_record()
    agent = await desk.agent(Role.REVIEWER)
    found = ok(
        await call(
            agent,
            record,
            values={"name": "Acme", "employees": 3, "mood": "good"},
            criteriaSetSlug="extract",
            promoteFields=["name", "employees", "employees", "mood"],
        )
    )
    assert found.keys() == DEFERRED
    assert found["pendingPromotionFields"] == ["name"]
    assert found["status"] == "partially_promoted"
    assert (await desk.show(record))["content"] == {"employees": 3}
    await desk.promote({"id": found["responseId"], "entity_id": record["id"]}, "name")


async def test_fields_to_promote_are_named_by_key_or_by_field_and_no_other_way(desk: Desk) -> None:
    dimensions = [{"key": "called", "label": "Name", "type": "text", "fieldName": "name"}]
    await desk.make_set("extract", dimensions=dimensions)
    record = await desk.make_record()
    agent = await desk.agent(Role.REVIEWER)
    arguments = {"values": {"called": "Acme"}, "criteriaSetSlug": "extract"}
    refused = ok(await call(agent, record, **arguments, promoteFields=["ghost"]))
    assert "'ghost'" in refused["error"]
    assert await desk.count("entity_responses") == 0
    assert ok(await call(agent, record, **arguments, promoteFields=["name"]))["status"] == "promoted"
    assert (await desk.show(record))["content"] == {"name": "Acme"}


async def test_agents_who_promote_different_fields_at_once_all_do(desk: Desk) -> None:
    record = await desk.make_record()
    agent = await desk.agent(Role.REVIEWER)
    values: dict[str, Any] = {"name": "Acme", "employees": 3, "active": "true", "stage": "seed"}
    answers = await asyncio.gather(
        *(call(agent, record, values={key: value}, promoteFields=[key]) for key, value in values.items())
    )
    assert [ok(answer)["status"] for answer in answers] == ["promoted"] * 4


async def test_what_the_schema_refuses_stays_a_proposal(desk: Desk) -> None:
    between_fields = {"dependentRequired": {"employees": ["active"]}}
    ok(await desk.try_change("/api/entity-types/company", {"json_schema": COMPANY | between_fields}))
    record = await desk.make_record({"name": "Before"})
    agent = await desk.agent(Role.REVIEWER)
    values = {"name": "Acme", "employees": 3}
    found = ok(await call(agent, record, values=values, promoteFields=["name", "employees"]))
    assert found.keys() == DEFERRED
    assert (found["pendingPromotionFields"], found["status"]) == (["name", "employees"], "submitted")
    assert (await desk.show(record))["content"] == {"name": "Before"}
    assert await desk.count("entity_responses") == 1


async def test_the_tools_that_a_caller_may_use_are_listed_with_their_arguments(desk: Desk) -> None:
    tools = {tool["name"]: tool for tool in ok(await (await desk.agent()).get("/api/tools"))["data"]}
    reading = {"searchEntities", "getEntity", "listEntityTypes", "getCriteriaSet", "askPerson"}
    learning = {f"add{kind}" for kind in ("Correction", "Lesson", "Insight")}
    learning |= {"updateSharedContext", "deactivateSharedContext", "saveMemory"}
    assert tools.keys() == {"submitResponse", "addFeedback", *learning, *reading}
    assert {name for name, tool in tools.items() if not tool["writes"]} == reading
    listed = tools["submitResponse"]
    assert (listed["group"], listed["permission"]) == ("responses", "responses.team.create")
    assert "criteriaSetId" in listed["description"]
    schema = listed["input_schema"]
    arguments = schema.get("properties") or next(iter(schema["$defs"].values()))["properties"]
    assert {"entityId", "values", "criteriaSetId", "criteriaSetSlug", "promoteFields"} <= arguments.keys()
    viewer = await desk.workspace.client(Role.VIEWER)
    assert {tool["name"] for tool in ok(await viewer.get("/api/tools"))["data"]} == {
        "addFeedback",
        "saveMemory",
        *reading,
    }


async def test_agents_read_what_they_are_to_propose_for(desk: Desk) -> None:
    agent = await desk.agent()
    record = await desk.make_record({"name": "Acme"}, title="Acme Robotics")
    await desk.run_queued("criteria.sync_default")

    async def use(name: str, **arguments: Any) -> Any:
        return ok(await agent.post(f"/api/tools/{name}", json=arguments))

    found = await use("searchEntities", query="robotics", type="company")
    assert ([entity["id"] for entity in found["entities"]], found["more"]) == ([record["id"]], False)
    assert (await use("getEntity", entityId=record["id"]))["content"] == {"name": "Acme"}
    assert "company" in [kind["slug"] for kind in (await use("listEntityTypes"))["types"]]
    default = await use("getCriteriaSet", entityType="company")
    assert default["slug"] == "default-company"
    assert "name" in [dimension["key"] for dimension in default["dimensions"]]
    assert await use("getCriteriaSet", criteriaSetId=default["id"]) == default
    for name, arguments in some(
        [
            ("getEntity", {"entityId": some_id()}),
            ("searchEntities", {"type": "none"}),
            ("getCriteriaSet", {}),
            ("getCriteriaSet", {"criteriaSetSlug": "none"}),
        ]
    ):
        assert (await use(name, **arguments)).keys() == {"error"}, (name, arguments)


async def test_a_record_or_set_of_another_workspace_is_not_there(
    desk: Desk, other_workspace: Workspace
) -> None:
    made = await desk.make_set(dimensions=RUBRIC[:1])
    record = await desk.make_record()
    stranger = await other_workspace.client(Role.OWNER)
    answer = await call(stranger, record, values={"team": 1}, criteriaSetId=made["id"])
    assert list(ok(answer)) == ["error"]
    assert ok(answer) == ok(await call(stranger, {"id": some_id()}, values={"team": 1}))
    assert await desk.count("entity_responses") == 0
