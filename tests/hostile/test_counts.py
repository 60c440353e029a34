"""Aggregates of as much as a workspace can say: healthz goes on answering, and the answers stay small."""

import pytest

from tests.hostile.arena import Arena

pytestmark = pytest.mark.timeout(300)

# Copies of the response about connections, each about nine thousand of them.
LARGE = """
    INSERT INTO entity_responses (tenant_id, id, entity_id, type_id, criteria_set_id, criteria_snapshot, scope,
        submitted_by_user, submitted_by_agent, source, values, promotable_fields)
    SELECT r.tenant_id, gen_random_uuid(), r.entity_id, r.type_id, r.criteria_set_id, r.criteria_snapshot, r.scope,
        r.submitted_by_user, r.submitted_by_agent, r.source, v.values, r.promotable_fields
    FROM (SELECT x.* FROM entity_responses x WHERE x.criteria_set_id = $1 LIMIT 1) r, generate_series(1, 20),
         (SELECT jsonb_object_agg(key, '{"team": 3}'::jsonb) AS values
          FROM (SELECT gen_random_uuid()::text AS key FROM generate_series(1, 9000)
                UNION ALL SELECT $2::text) k) v
    RETURNING id, entity_id
"""


async def test_what_counts_very_many_values_holds_nobody_up(working_arena: Arena) -> None:
    arena = working_arena  # no other table removes its records
    ids = arena.attacker.ids
    made = await arena.superuser.fetch(LARGE, ids["edge_set_id"], ids["entity_id"])
    query = f"criteria_set_id={ids['edge_set_id']}"
    aggregate = f"/api/entities/{made[0]['entity_id']}/responses/aggregate?{query}"
    calls = {
        aggregate: "/api/entities/{entity_id}/responses/aggregate",
        f"{aggregate}&compact=true": "/api/entities/{entity_id}/responses/aggregate",
        f"/api/entities/{ids['entity_id']}/outcomes?{query}": "/api/entities/{entity_id}/outcomes",
        f"/api/criteria-sets/{ids['edge_set_id']}/agreement": "/api/criteria-sets/{set_id}/agreement",
    }
    found = []
    try:
        for target, path in calls.items():
            answer, held = await arena.ask(arena.call("GET", path, target=target))
            found += [f"{target}: {fault}" for fault in arena.faults_of(answer, held)]
            assert answer.status == 200, answer.body[:200]
        found += await arena.bystander_faults()
    finally:
        rows = [row["id"] for row in made]
        await arena.superuser.execute("DELETE FROM entity_responses WHERE id = ANY ($1)", rows)
    assert not found, "\n" + "\n".join(found)
