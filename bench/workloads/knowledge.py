"""What prompts hold, among 100,000 rows of knowledge: from the head of a scope, and made anew for a scope that nobody asked for
before; beside the plainest SQL that reads the same rows by the index."""

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
from bench.workloads.filling import PICKED_ID, numbered_id, numbered_id_sql

ROWS = 100_000
SCOPED = 10  # of these rows one holds everywhere, the others for agents
AGENTS = 20_000  # more than are asked for in a run, each once

BARE = """
SELECT c.id, c.type, c.content, c.context, c.rank
FROM unnest(ARRAY['correction', 'lesson', 'routing', 'insight', 'guideline']) AS kinds (type)
CROSS JOIN LATERAL (
    SELECT r.id, r.type, r.content, r.context, r.rank FROM shared_context r
    WHERE r.tenant_id = $1 AND r.active AND r.scope_agent = $2 AND r.scope_type = $3 AND r.type = kinds.type
    ORDER BY r.rank DESC, r.id LIMIT 8
) c
"""


async def fill(ground: Ground, tenant: Tenant, rows: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        await connection.execute(
            f"""
            INSERT INTO shared_context (tenant_id, id, type, content, context, agent_id, decided, standing, wording, state,
                last_confirmed_at, rank, tokens, created_by_kind, created_at, updated_at)
            SELECT $1, {numbered_id_sql("n")},
                   (ARRAY['correction', 'lesson', 'routing', 'insight', 'guideline'])[1 + (n / 10 + n / 1000) % 5],
                   'Give the valuation in euros and name the source that it was taken from, number ' || n,
                   'when filling in `valuation`', CASE WHEN n % $3 > 0 THEN {numbered_id_sql("(1 + n % 1000)")} END,
                   'active', 'person', true, 'active', now(), 600 + (n * 7919 % 100000) / 1000.0, 30, 'user', now(), now()
            FROM generate_series(1, $2::bigint) n
            """,
            tenant.id,
            rows,
            SCOPED,
        )
        await connection.execute(
            "INSERT INTO knowledge_versions (tenant_id, version) VALUES ($1, 1)", tenant.id
        )
        await connection.execute("VACUUM ANALYZE shared_context")


async def _fill_agents(ground: Ground, tenant: Tenant) -> None:
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute(
            f"""
            INSERT INTO agents (tenant_id, id, slug, name, description, created_by_kind)
            SELECT $1, {numbered_id_sql("n")}, 'agent-' || n, 'Agent ' || n, '', 'system' FROM generate_series(1, $2::bigint) n
            """,
            tenant.id,
            AGENTS,
        )
        await connection.execute("VACUUM ANALYZE agents")


async def _prepare_head(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    await fill(ground, tenant, ROWS)
    path = "/api/shared-context/prompt"
    return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])


async def _prepare_rebuild(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    await fill(ground, tenant, ROWS)
    await _fill_agents(ground, tenant)
    paths = [f"/api/shared-context/prompt?agent={numbered_id(n)}" for n in range(1, AGENTS + 1)]
    requests = [request("GET", path, tenant.secret) for path in paths]
    return Target(tenant_id=tenant.id, requests=requests, rows=AGENTS)


WORKLOADS = (
    Workload(
        name="prompt_head_100k",
        about=f"GET /api/shared-context/prompt from its head, among {ROWS:,} rows",
        statements=(Statement(holds="FROM prompt_heads h"),),
        prepare=_prepare_head,
        bare=Bare(sql=BARE, place=0),
    ),
    Workload(
        name="prompt_rebuild_100k",
        about=f"GET /api/shared-context/prompt made anew for another agent each time, among {ROWS:,} rows",
        statements=(
            Statement(holds="FROM agents a", varying={1: PICKED_ID}),
            Statement(holds="FROM parties"),
            Statement(holds="FROM prompt_heads h", varying={2: PICKED_ID}),
            Statement(holds="FROM knowledge_versions v"),
            Statement(holds="CROSS JOIN LATERAL", varying={2: PICKED_ID}),
            Statement(holds="AS in_scope", varying={2: PICKED_ID}),
            Statement(holds="clock_timestamp()"),
            Statement(holds="INSERT INTO prompt_manifests"),
            Statement(holds="UPDATE prompt_manifests", varying={2: PICKED_ID}),
            Statement(holds="INSERT INTO prompt_heads", varying={2: PICKED_ID}),
        ),
        prepare=_prepare_rebuild,
        bare=Bare(sql=BARE, place=2),
    ),
)
