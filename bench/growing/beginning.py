"""What a workspace begins with that grows: the demo, and beside it a little of all that the demo has nothing of."""

from typing import Any
from uuid import UUID

from bench.ground import Ground, Tenant
from bench.workloads import evals
from goldloop import demo
from goldloop.kit.settings import load_settings
from goldloop.outside import outside_of
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import store

PEOPLE = "(SELECT user_id FROM memberships WHERE tenant_id = $1 ORDER BY user_id LIMIT 1)"
RUNS, GOLDENS, VERSIONS, REPLAYS = 20, 10, 2, 200


async def make_demo(ground: Ground) -> Tenant:
    settings = load_settings({"GOLDLOOP_DATA_DIR": str(ground.folder / "worker")})
    await demo.load(ground.db, outside_of(settings, b"a secret of the benchmarks"))
    tenant_id = await store.find_id(ground.db, demo.SLUG)
    assert tenant_id is not None
    async with ground.superuser() as connection:
        owner = await connection.fetchval(
            "SELECT user_id FROM memberships WHERE tenant_id = $1 AND role = 'owner'", tenant_id
        )
        await _add(connection, tenant_id, owner)
    async with ground.db.tx(system_actor(tenant_id)) as tx:
        key = await keys.create(tx, keys.NewKey(id=None, name="bench", role=Role.OWNER, user_id=owner))
    assert key.secret is not None
    return Tenant(id=tenant_id, owner_id=owner, secret=key.secret)


async def _add(connection: Any, tenant: UUID, owner: UUID) -> None:
    await connection.execute("SET session_replication_role = replica")
    for sql, *arguments in (
        (evals.SETS_SQL, 1),
        (evals.SESSIONS_SQL, GOLDENS),
        (evals.GOLDENS_SQL, GOLDENS, GOLDENS),
        (evals.RUNS_SQL, RUNS, 1, VERSIONS, 1000),
        (PLAIN_RUNS,),
        (evals.REPLAYS_SQL, REPLAYS, GOLDENS, VERSIONS),
        (evals.FEEDBACK_SQL, GOLDENS, GOLDENS),
        (evals.MESSAGES_SQL, GOLDENS),
        (EXPERIMENTS,),
        (JUDGES,),
        (SAMPLES,),
        (RETRACTIONS, owner),
        (ITEMS,),
        (ENDPOINTS, owner),
        (DELIVERIES,),
        (MEMORIES, owner),
        (SAVED_LISTS, owner),
        (JOBS, owner),
        (ERASURES,),
    ):
        await connection.execute(sql, tenant, *arguments)


PLAIN_RUNS = "UPDATE eval_runs SET results = '[]' WHERE tenant_id = $1"
EXPERIMENTS = """
INSERT INTO eval_experiments (tenant_id, id, design, golden_ids, row_ids, row_hashes, applies, tokens, wanted, reused, confirms, pairs,
    status, asked, created_at, ended_at)
SELECT $1, r.id, 'pairs', ARRAY(SELECT session_id FROM goldens WHERE tenant_id = $1 LIMIT 2),
       ARRAY(SELECT id FROM shared_context WHERE tenant_id = $1 LIMIT 1), '{x}', '{1}', '{10}', 10, 0, false, 5, 'completed', '{}', now(), now()
FROM (SELECT id FROM eval_runs WHERE tenant_id = $1 ORDER BY id LIMIT 5) r
"""
JUDGES = """
INSERT INTO eval_judges (tenant_id, id, rubric, rubric_hash, model, prompt, first_at)
SELECT $1, gen_random_uuid(), '{"slug": "quality", "name": "Quality", "description": "", "ratings": []}', md5(random()::text) || md5(n::text), 'test', 'judge-' || n, now() FROM generate_series(1, 3) n
"""
SAMPLES = """
INSERT INTO eval_judge_samples (tenant_id, id, judge_id, seed, population, size, labels_each, state, asked, created_at, created_by_kind)
SELECT $1, gen_random_uuid(), j.id, 1, 10, 5, 1, 'open', 'owner', now(), 'system' FROM eval_judges j WHERE j.tenant_id = $1
"""
RETRACTIONS = """
INSERT INTO chain_retractions (tenant_id, id, ref, kind, reason, truncated, items, open_items, created_at, created_by_kind, created_by_id)
SELECT $1, gen_random_uuid(), 'session:' || s.id, 'session', 'It was the wrong document', false, 3, 3, now(), 'user', $2
FROM (SELECT id FROM sessions WHERE tenant_id = $1 ORDER BY id LIMIT 3) s
"""
ITEMS = """
INSERT INTO chain_items (tenant_id, id, retraction_id, ref, kind, depth, waits, created_at)
SELECT $1, gen_random_uuid(), c.id, 'response:' || r.id, 'response', 1, true, now()
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM chain_retractions WHERE tenant_id = $1) c
JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM entity_responses WHERE tenant_id = $1) r ON (r.n - 1) / 3 = c.n - 1
"""
ENDPOINTS = """
INSERT INTO webhook_endpoints (tenant_id, id, url, events, secret, created_by_kind, created_by_id)
SELECT $1, gen_random_uuid(), 'https://receiver.example/', '{webhook.ping}', '', 'user', $2
"""
DELIVERIES = """
INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, name, subject_id, event_at, status, next_at, created_at)
SELECT $1, gen_random_uuid(), w.id, e.id, e.name, coalesce(e.subject_id, 'x'), e.created_at, 'delivered', e.created_at, e.created_at
FROM webhook_endpoints w, (SELECT * FROM events WHERE tenant_id = $1 ORDER BY id LIMIT 20) e WHERE w.tenant_id = $1
"""
MEMORIES = """
INSERT INTO user_memories (tenant_id, id, user_id, content, created_by_kind, created_by_id, created_at)
SELECT $1, gen_random_uuid(), $2, 'Prefers numbers in euros, ' || n, 'user', $2, now() FROM generate_series(1, 2) n
"""
SAVED_LISTS = """
INSERT INTO saved_lists (tenant_id, id, name, query, shared, created_by_kind, created_by_id)
SELECT $1, gen_random_uuid(), 'List ' || n, '{}', n % 2 = 0, 'user', $2 FROM generate_series(1, 4) n
"""
ERASURES = """
INSERT INTO erasures (tenant_id, id, kind, fingerprint, requested_at, ended_at)
SELECT $1, r.id, 'session', 'x' || r.id, r.created_at, r.ended_at FROM runs r
WHERE r.tenant_id = $1 AND r.kind = 'erasure'
"""
JOBS = """
INSERT INTO runs (tenant_id, id, kind, subject, exclusive, status, total, created_at, started_at, ended_at, created_by_kind, created_by_id)
SELECT $1, gen_random_uuid(), k, 'subject ' || n, false, s, 1, now(), now(), now(), 'user', $2
FROM generate_series(1, 3) n, unnest(ARRAY['erasure', 'import']) k, unnest(ARRAY['failed', 'done']) s
"""
