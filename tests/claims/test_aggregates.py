"""A claim carries how many sources support it and how good they are, whatever happens to those."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from goldloop.claims.api import list_claim_sources
from goldloop.claims.model import RefusedBySchema
from goldloop.claims.service import recompute_claim_aggregate, repair
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.kit.db import APP_ROLE, Database
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.auth.api import needs
from goldloop.tenants.model import Role
from tests.claims.evidence import CLAIM, QUALITY, SOURCE, Evidence
from tests.factories import Workspace
from tests.records import code, ok, places


async def test_sources_count_rated_or_not_and_their_quality_is_the_mean_of_means(evidence: Evidence) -> None:
    claim, other = await evidence.make_claim(), await evidence.make_claim()
    sources = [
        await evidence.make_source(claim, other),
        await evidence.make_source(claim),
        await evidence.make_source(claim),
    ]
    assert await evidence.aggregate(claim) == (3, None)
    await evidence.rate(sources[0], 8, 6)
    assert await evidence.marked() == {claim["id"], other["id"]}
    assert await evidence.aggregate(claim) == (3, 7)
    await evidence.rate(sources[1], 2, 4)
    assert await evidence.aggregate(claim) == (3, 5)
    assert await evidence.aggregate(other) == (1, 7)


async def test_only_ratings_with_promoted_values_count_and_the_newest_wins(evidence: Evidence) -> None:
    claim = await evidence.make_claim()
    source = await evidence.make_source(claim)
    first = await evidence.rate(source, 8, 8)
    await evidence.rate(source, 1, 1, promoted=False)
    assert await evidence.aggregate(claim) == (1, 8)
    second = await evidence.rate(source, 3, 5)
    assert await evidence.aggregate(claim) == (1, 4)
    await evidence.desk.undo(source, "rigor")
    assert (await evidence.desk.response(second))["promoted_fields"] == []
    assert await evidence.aggregate(claim) == (1, 8)
    await evidence.desk.undo(source, "rigor")
    assert (await evidence.desk.response(first))["promoted_fields"] == []
    assert await evidence.aggregate(claim) == (1, None)


async def test_adding_and_removing_a_support_and_deleting_a_source_are_followed(evidence: Evidence) -> None:
    claim = await evidence.make_claim(statement="So it is")
    source, gone = await evidence.make_source(), await evidence.make_source(claim)
    await evidence.rate(source, 4, 4)
    assert await evidence.aggregate(claim) == (1, None)
    relation = await evidence.support(source, claim)
    assert await evidence.aggregate(claim) == (2, 4)
    ok(await evidence.desk.reviewer.delete(f"/api/entities/{gone['id']}"))
    assert await evidence.aggregate(claim) == (1, 4)
    ok(await evidence.desk.reviewer.delete(f"/api/entities/{source['id']}/relations/{relation['id']}"))
    assert await evidence.aggregate(claim) == (0, None)
    assert (await evidence.desk.show(claim))["content"]["statement"] == "So it is"


async def test_the_history_of_both_fields_tells_of_every_count(evidence: Evidence) -> None:
    claim = await evidence.make_claim()
    source = await evidence.make_source(claim)
    await evidence.aggregate(claim)
    await evidence.rate(source, 6, 6)
    await evidence.aggregate(claim)
    counts = await evidence.desk.history(claim, "source_count")
    averages = await evidence.desk.history(claim, "source_quality_avg")
    assert [(c["kind"], c["value_before"], c["value"], c["actor"]["kind"]) for c in counts] == [
        ("aggregate", None, 1, "system")
    ]
    assert [(c["value_before"], c["value"]) for c in averages] == [(None, 6), (None, None)]
    version = (await evidence.desk.show(claim))["version"]
    await evidence.rate(source, 6, 6)
    await evidence.aggregate(claim)
    assert (await evidence.desk.show(claim))["version"] == version, "the same numbers are no change"


async def test_what_the_claims_schema_refuses_is_seen_and_changes_nothing(evidence: Evidence) -> None:
    strict = {**CLAIM, "properties": {**CLAIM["properties"], "source_quality_avg": {"type": "number"}}}
    await evidence.desk.make_type("strict", strict)
    field_configs = {"supports": {"relation": {"target_type": "strict", "multiple": True}}}
    ok(await evidence.desk.try_change("/api/entity-types/source-item", {"field_configs": field_configs}))
    claim = await evidence.desk.make_record(type="strict", title="Strict")
    source = await evidence.make_source(claim)
    workspace = evidence.desk.workspace
    with pytest.raises(RefusedBySchema, match="Strict: /content/source_quality_avg"):
        async with workspace.db.tx(workspace.system) as tx:
            await recompute_claim_aggregate(tx, claim["id"])
    assert (await evidence.desk.show(claim))["content"] == {}
    assert (await _refused(evidence, claim))["path"] == "/content/source_quality_avg"
    await evidence.rate(source, 6, 6)
    assert await evidence.aggregate(claim) == (1, 6)
    assert await _refused(evidence, claim) is None


async def test_a_record_that_was_never_supported_is_not_refused(evidence: Evidence) -> None:
    strict = {**CLAIM, "properties": {**CLAIM["properties"], "source_quality_avg": {"type": "number"}}}
    await evidence.desk.make_type("strict", strict)
    assert await _refused(evidence, await evidence.desk.make_record(type="strict", title="Strict")) is None


async def _refused(evidence: Evidence, claim: Any) -> Any:
    """As somebody sees it who may read and nothing else."""
    viewer = await evidence.desk.workspace.client(Role.VIEWER)
    return ok(await viewer.get(f"/api/entities/{claim['id']}/sources"))["refused"]


async def test_a_workspace_uses_its_own_words(evidence: Evidence) -> None:
    desk = evidence.desk
    await desk.make_type(
        "paper", SOURCE, field_configs={"backs": {"relation": {"target_type": "claim", "multiple": True}}}
    )
    await desk.make_set("rigor-check", dimensions=QUALITY, entity_type_slugs=["paper"])
    claim = await evidence.make_claim()
    await evidence.make_source(claim)
    assert await evidence.aggregate(claim) == (1, None)
    paper = await desk.make_record(type="paper", title="Paper")
    body = {"field_key": "backs", "target_id": claim["id"]}
    ok(await desk.contributor.post(f"/api/entities/{paper['id']}/relations", json=body))
    made = await desk.submit(paper, {"rigor": 9, "relevance": 9}, criteria_set_slug="rigor-check")
    await desk.promote(made, "rigor")
    assert await evidence.aggregate(claim) == (1, None), "nobody said that papers are sources"
    words = {"source_type": "paper", "criteria_set": "rigor-check", "relation_field": "backs"}
    assert ok(await desk.admin.put("/api/claims/settings", json=words)) == words
    assert ok(await desk.reviewer.get("/api/claims/settings")) == words
    assert await desk.run_queued("claims.repair") == 3
    assert await evidence.aggregate(claim) == (1, 9)


async def test_settings_are_changed_by_who_may_and_to_what_can_be(evidence: Evidence) -> None:
    words = {"source_type": "paper", "criteria_set": "rigor-check", "relation_field": "backs"}
    assert (await evidence.desk.reviewer.put("/api/claims/settings", json=words)).status_code == 403
    answer = await evidence.desk.admin.put("/api/claims/settings", json=words | {"source_type": "Not a slug"})
    assert places(answer)[0][0] == "/source_type"
    assert ok(await evidence.desk.reviewer.get("/api/claims/settings")) == {
        "source_type": "source-item",
        "criteria_set": "evidence-quality",
        "relation_field": "supports",
    }


async def test_a_claims_sources_are_listed_with_the_rating_that_counts(
    evidence: Evidence, other_workspace: Workspace
) -> None:
    claim = await evidence.make_claim()
    rated = await evidence.make_source(claim, title="Rated")
    await evidence.make_source(claim, title="Unrated")
    response = await evidence.rate(rated, 8, 6)
    path = f"/api/entities/{claim['id']}/sources"
    seen: list[Any] = []
    cursor = None
    while True:
        found = ok(
            await evidence.desk.reviewer.get(
                path, params={"limit": 1} | ({"cursor": cursor} if cursor else {})
            )
        )
        seen += found["data"]
        cursor = found["next_cursor"]
        if cursor is None:
            break
    assert [(s["title"], s["quality"], s["response_id"], s["ratings"]) for s in seen] == [
        ("Rated", 7, response["id"], {"rigor": 8, "relevance": 6}),
        ("Unrated", None, None, {}),
    ]
    stranger = await other_workspace.client(Role.ADMIN)
    assert code(await stranger.get(path)) == (404, "entity_not_found")


async def test_a_source_lists_the_claims_it_supports_with_the_numbers_they_carry(
    evidence: Evidence, other_workspace: Workspace
) -> None:
    counted, fresh = await evidence.make_claim(), await evidence.make_claim()
    source = await evidence.make_source(counted, title="Source")
    await evidence.make_source(counted)
    await evidence.rate(source, 8, 6)
    await evidence.catch_up()
    await evidence.support(source, fresh)
    path = f"/api/entities/{source['id']}/claims"
    first = ok(await evidence.desk.reviewer.get(path, params={"limit": 1}))
    second = ok(await evidence.desk.reviewer.get(path, params={"cursor": first["next_cursor"]}))
    assert second["next_cursor"] is None
    seen = {c["id"]: (c["source_count"], c["source_quality_avg"]) for c in first["data"] + second["data"]}
    assert seen == {counted["id"]: (2, 7), fresh["id"]: (None, None)}
    no_source = ok(await evidence.desk.reviewer.get(f"/api/entities/{counted['id']}/claims"))
    assert no_source == {"data": [], "next_cursor": None}
    stranger = await other_workspace.client(Role.ADMIN)
    assert code(await stranger.get(path)) == (404, "entity_not_found")


APPLY = "SELECT apply_claim_aggregate($1, $2, $3, $4)"


async def test_only_the_worker_applies_an_aggregate(evidence: Evidence) -> None:
    claim = await evidence.make_claim()
    workspace = evidence.desk.workspace
    app = Database(pool=workspace.db.pool, role=APP_ROLE)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with app.tx(workspace.system) as tx:
            await tx.fetchval(APPLY, workspace.system.tenant_id, claim["id"], 1, 1.0)
    assert (await evidence.desk.show(claim))["content"] == {}
    async with workspace.db.anonymous() as connection:
        assert await connection.fetchval(APPLY, workspace.system.tenant_id, claim["id"], 2, 3.5) is True
    assert (await evidence.desk.show(claim))["content"] == {"source_count": 2, "source_quality_avg": 3.5}


async def test_a_claim_that_is_gone_or_foreign_is_passed_over(
    evidence: Evidence, other_workspace: Workspace
) -> None:
    claim, gone = await evidence.make_claim(), await evidence.make_claim()
    ok(await evidence.desk.reviewer.delete(f"/api/entities/{gone['id']}"))
    workspace = evidence.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        assert await recompute_claim_aggregate(tx, gone["id"]) is False
        assert await tx.fetchval(APPLY, workspace.system.tenant_id, gone["id"], 1, 1.0) is False
        assert await tx.fetchval(APPLY, other_workspace.system.tenant_id, claim["id"], 1, 1.0) is False
    async with other_workspace.db.tx(other_workspace.system) as tx:
        for tenant in (workspace.system.tenant_id, other_workspace.system.tenant_id):
            assert await tx.fetchval(APPLY, tenant, claim["id"], 1, 1.0) is False
    assert (await evidence.desk.show(claim))["content"] == {}


async def test_who_writes_other_fields_at_the_same_time_loses_nothing(evidence: Evidence) -> None:
    claim = await evidence.make_claim(statement="0")
    sources = [await evidence.make_source(claim) for _ in range(3)]
    workspace = evidence.desk.workspace

    async def count(times: int) -> None:
        for place in range(times):
            async with workspace.db.tx(workspace.system) as tx:
                await tx.fetchval(APPLY, workspace.system.tenant_id, claim["id"], place, float(place))

    async def edit(times: int) -> None:
        for place in range(1, times + 1):
            while True:
                read = await evidence.desk.show(claim)
                body = {"version": read["version"], "content": read["content"] | {"statement": str(place)}}
                answer = await evidence.desk.reviewer.patch(f"/api/entities/{claim['id']}", json=body)
                if answer.status_code != 409:
                    ok(answer)
                    break

    await asyncio.gather(count(15), edit(8))
    assert (await evidence.desk.show(claim))["content"]["statement"] == "8"
    assert len(await evidence.desk.history(claim, "statement")) == 9
    await evidence.rate(sources[0], 6, 6)
    assert await evidence.aggregate(claim) == (3, 6)


async def test_what_is_connected_to_by_others_than_sources_is_no_claim(evidence: Evidence) -> None:
    own = {"type": "object", "properties": {"source_count": {"type": "integer"}}}
    await evidence.desk.make_type("goal", own)
    supports = {"supports": {"relation": {"target_type": "goal", "multiple": True}}}
    await evidence.desk.make_type("project", SOURCE, field_configs=supports)
    goal = await evidence.desk.make_record({"source_count": 7}, type="goal", title="Goal")
    project = await evidence.desk.make_record(type="project", title="Project")
    await evidence.support(project, goal)
    assert await evidence.marked() == set()
    assert (await evidence.desk.show(goal))["content"] == {"source_count": 7}


async def test_a_record_that_was_never_supported_keeps_fields_of_these_names(evidence: Evidence) -> None:
    own = await evidence.make_claim(source_count=7, source_quality_avg=2.5)
    workspace = evidence.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        assert await recompute_claim_aggregate(tx, own["id"]) is False
    await evidence.desk.edit(own, content={"source_count": 8, "source_quality_avg": 2.5})
    assert await evidence.aggregate(own) == (8, 2.5)
    source = await evidence.make_source(own)
    assert await evidence.aggregate(own) == (1, None), "a source makes it a claim"
    ok(await evidence.desk.reviewer.delete(f"/api/entities/{source['id']}"))
    assert await evidence.aggregate(own) == (0, None)


@pytest.mark.parametrize(
    "typed",
    [
        {"source_count": 9, "source_quality_avg": 6},
        {"source_count": 1, "source_quality_avg": 9.5},
        {"source_count": 1},
        {},
    ],
)
async def test_numbers_typed_into_a_claim_are_counted_anew_once(
    evidence: Evidence, typed: dict[str, Any]
) -> None:
    claim = await evidence.make_claim()
    await evidence.rate(await evidence.make_source(claim), 6, 6)
    assert await evidence.aggregate(claim) == (1, 6)
    await evidence.desk.edit(claim, content={"source_count": 1, "source_quality_avg": 6, "statement": "So"})
    assert await evidence.marked() == set(), "another field is nobody's business here"
    await evidence.desk.edit(claim, content=typed)
    assert await evidence.marked() == {claim["id"]}
    assert await evidence.aggregate(claim) == (1, 6)
    assert await evidence.marked() == set(), "a count leads to no other"
    kinds = {field: change["kind"] for field, change in (await evidence.desk.sources(claim)).items()}
    changed = {"source_count": 1, "source_quality_avg": 6}.items() ^ typed.items()
    assert {kinds[field] for field, _ in changed} == {"aggregate"}


async def test_numbers_promoted_into_a_claim_and_taken_back_are_counted_anew(evidence: Evidence) -> None:
    dimension = {"key": "source_count", "label": "Sources", "type": "number"}
    await evidence.desk.make_set("guess", dimensions=[dimension], entity_type_slugs=["claim"])
    claim = await evidence.make_claim()
    await evidence.make_source(claim)
    assert await evidence.aggregate(claim) == (1, None)
    for undone in (True, False):
        made = await evidence.desk.submit(claim, {"source_count": 40}, criteria_set_slug="guess")
        await evidence.desk.promote(made, "source_count")
        assert await evidence.marked() == {claim["id"]}
        if undone:
            async with evidence.desk.workspace.db.tx(evidence.desk.workspace.system) as tx:
                await tx.execute("DELETE FROM marks")
            await evidence.desk.undo(claim, "source_count")
            assert await evidence.marked() == {claim["id"]}
        assert await evidence.aggregate(claim) == (1, None)
    assert (await evidence.desk.response(made))["status"] == "superseded"


async def test_the_repair_finds_claims_that_lost_their_sources_and_were_edited_since(
    evidence: Evidence,
) -> None:
    claim, own = await evidence.make_claim(), await evidence.make_claim(source_count=3)
    source = await evidence.make_source(claim)
    assert await evidence.aggregate(claim) == (1, None)
    ok(await evidence.desk.reviewer.delete(f"/api/entities/{source['id']}"))
    assert await evidence.aggregate(claim) == (0, None)
    await evidence.desk.edit(claim, content={"source_count": 5, "source_quality_avg": 2})
    workspace = evidence.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute("DELETE FROM marks")
        await repair(tx)
    assert await evidence.desk.run_queued("claims.repair") == 1
    assert await evidence.marked() == {claim["id"]}
    assert await evidence.aggregate(claim) == (0, None)
    assert (await evidence.desk.show(own))["content"] == {"source_count": 3}


async def test_a_claims_sources_are_for_who_reads_records_and_responses(evidence: Evidence) -> None:
    claim = await evidence.make_claim()
    both = [ENTITIES_READ, RESPONSES_READ]
    assert list_claim_sources.opt == needs(*both), "the route says so"
    for scopes, status in ((both[:1], 403), (both[1:], 403), (both, 200)):
        client = await evidence.desk.workspace.client(scopes=scopes)
        answer = await client.get(f"/api/entities/{claim['id']}/sources")
        assert answer.status_code == status, scopes


async def test_a_type_does_not_change_while_a_claim_of_it_is_counted(evidence: Evidence) -> None:
    claim = await evidence.make_claim()
    await evidence.make_source(claim)
    strict = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"statement": {"type": "string"}},
    }
    workspace = evidence.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        assert await recompute_claim_aggregate(tx, UUID(claim["id"]))
        change = asyncio.create_task(
            evidence.desk.try_change("/api/entity-types/claim", {"json_schema": strict})
        )
        await asyncio.sleep(0.3)
        assert not change.done()
    assert (await change).status_code == 409
    assert (await evidence.desk.show(claim))["content"]["source_count"] == 1


async def test_a_count_waits_for_who_writes_other_fields_and_keeps_what_they_wrote(
    evidence: Evidence,
) -> None:
    claim = await evidence.make_claim(statement="0")
    workspace = evidence.desk.workspace

    async def count() -> Any:
        async with workspace.db.tx(workspace.system) as tx:
            return await tx.fetchval(
                "SELECT apply_claim_aggregate($1, $2, 1, 1.0)", workspace.id, UUID(claim["id"])
            )

    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            "UPDATE entities SET content = content || $2 WHERE id = $1", UUID(claim["id"]), {"statement": "1"}
        )
        counting = asyncio.create_task(count())
        await asyncio.sleep(0.3)
        assert not counting.done()
    assert await counting is True
    content = (await evidence.desk.show(claim))["content"]
    assert (content["statement"], content["source_count"]) == ("1", 1)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"source_type": "sourceitem"}, ("/source_type", "unknown_type")),
        ({"relation_field": "rigor"}, ("/relation_field", "not_a_relation")),
        ({"criteria_set": "no-such-set"}, ("/criteria_set", "criteria_set_not_found")),
        ({"criteria_set": "edges"}, ("/criteria_set", "relation_scoped")),
    ],
)
async def test_a_word_that_means_nothing_is_refused(
    evidence: Evidence, words: dict[str, str], fault: tuple[str, str]
) -> None:
    await evidence.desk.make_set(
        "edges", entity_type_slugs=["source-item"], scope={"type": "relation", "fieldKey": "supports"}
    )
    settings = ok(await evidence.desk.reviewer.get("/api/claims/settings"))
    refused = await evidence.desk.admin.put("/api/claims/settings", json=settings | words)
    assert (refused.status_code, places(refused)) == (422, [fault])
    assert ok(await evidence.desk.reviewer.get("/api/claims/settings")) == settings
