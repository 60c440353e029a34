"""All that rests on one rejection: a lesson, the prompts that held it, and the sessions, responses and values that came of it, 5,000
nodes in all; beside the plainest recursive query that looks for the same steps and says nothing about what they lead to."""

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
from bench.workloads.filling import numbered_id, numbered_id_sql
from bench.workloads.records import fill_records, fill_responses, make_set, make_type

SESSIONS = 1649  # each with a response and a value of its own
PROMPTS = 50  # that held the lesson, beside other knowledge that changed meanwhile
NODES = 2 + PROMPTS + 3 * SESSIONS
FEEDBACK = numbered_id(1)
MANY, USED = 5000, 20  # sessions of a lesson in production, and those of them that something rests on

# Every step forward from what is met here, as it is kept; the tenant is what row-level security adds. It takes the parameters that the walk is called with.
BARE = """
WITH RECURSIVE steps (parent, ref) AS (
    SELECT NULL::text, $1::text WHERE $2::boolean AND $3::integer > 0 AND $4::integer > 0 AND $5::text[] <> '{}'
        AND $6::boolean IS NOT NULL AND $7::text IS NOT NULL AND $8::text IS NOT NULL AND $9::boolean IS NOT NULL
    UNION
    SELECT s.ref, n.ref FROM steps s CROSS JOIN LATERAL (
        SELECT 'knowledge:' || x.row_id AS ref FROM shared_context_support x
        WHERE s.ref LIKE 'feedback:%' AND x.feedback_id = CASE WHEN s.ref LIKE 'feedback:%' THEN substr(s.ref, 10)::uuid END
        UNION ALL
        SELECT 'manifest:' || x.manifest FROM prompt_manifest_rows x
        WHERE s.ref LIKE 'knowledge:%' AND x.row_id = CASE WHEN s.ref LIKE 'knowledge:%' THEN substr(s.ref, 11)::uuid END
        UNION ALL
        SELECT 'session:' || x.id FROM sessions x
        WHERE s.ref LIKE 'manifest:%' AND x.manifest = CASE WHEN s.ref LIKE 'manifest:%' THEN substr(s.ref, 10) END
        UNION ALL
        SELECT 'response:' || x.response_id FROM response_sources x
        WHERE s.ref LIKE 'session:%' AND x.ref = CASE WHEN s.ref LIKE 'session:%' THEN s.ref END
        UNION ALL
        SELECT 'feedback:' || x.id FROM feedback x
        WHERE s.ref LIKE 'session:%' AND x.response_id IS NULL AND x.session_id = CASE WHEN s.ref LIKE 'session:%' THEN substr(s.ref, 9)::uuid END
        UNION ALL
        SELECT 'golden:' || x.session_id FROM goldens x
        WHERE s.ref LIKE 'session:%' AND x.session_id = CASE WHEN s.ref LIKE 'session:%' THEN substr(s.ref, 9)::uuid END
        UNION ALL
        SELECT 'golden:' || x.golden_id FROM golden_alternatives x
        WHERE s.ref LIKE 'session:%' AND x.session_id = CASE WHEN s.ref LIKE 'session:%' THEN substr(s.ref, 9)::uuid END
        UNION ALL
        SELECT 'feedback:' || x.id FROM feedback x
        WHERE s.ref LIKE 'response:%' AND x.response_id = CASE WHEN s.ref LIKE 'response:%' THEN substr(s.ref, 10)::uuid END
        UNION ALL
        SELECT 'response:' || y.id FROM feedback x
        JOIN entity_responses y ON y.tenant_id = x.tenant_id AND y.parent_response_id = x.response_id
        WHERE s.ref LIKE 'feedback:%' AND x.id = CASE WHEN s.ref LIKE 'feedback:%' THEN substr(s.ref, 10)::uuid END
        UNION ALL
        SELECT 'response:' || x.response_id FROM response_sources x
        WHERE s.ref LIKE 'field:%' AND x.ref = CASE WHEN s.ref LIKE 'field:%' THEN s.ref END
        UNION ALL
        SELECT x.ref FROM response_sources x
        WHERE s.ref LIKE 'field:%' AND x.ref = CASE WHEN s.ref LIKE 'field:%' THEN 'record:' || substr(s.ref, 7, 36) END
        UNION ALL
        SELECT 'field:' || x.entity_id || '/' || x.field
        FROM entity_field_history x
        JOIN entity_field_sources y ON y.tenant_id = x.tenant_id AND y.entity_id = x.entity_id AND y.field = x.field AND y.history_id = x.id
        WHERE s.ref LIKE 'response:%' AND x.response_id = CASE WHEN s.ref LIKE 'response:%' THEN substr(s.ref, 10)::uuid END
    ) n
)
SELECT parent, ref FROM steps
"""


def _hash(number: str) -> str:
    return f"lpad(to_hex({number}), 64, '0')"


async def fill(ground: Ground, tenant: Tenant, sessions: int = SESSIONS, used: int = SESSIONS) -> None:
    """The lesson, its prompts, their sessions, and a response and a value of the oldest of these."""
    one = numbered_id_sql("1")
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        for insert in (
            f"""
            INSERT INTO feedback (tenant_id, id, source_type, rating, comment, created_at, created_by_kind, updated_at, source_key,
                origin_artefact)
            SELECT $1, {one}, 'response', 'negative', 'Wrong number', now(), 'system', now(), 'x', 'x'
            """,
            f"""
            INSERT INTO shared_context (tenant_id, id, type, content, decided, standing, wording, state, last_confirmed_at, rank,
                tokens, created_by_kind, created_at, updated_at)
            SELECT $1, {one}, 'correction', 'Take the other number', 'active', 'person', true, 'active', now(), 1, 10, 'user', now(), now()
            """,
            f"""
            INSERT INTO shared_context_support (tenant_id, row_id, feedback_id, origin_artefact, is_reaction, words, by_member, flagged,
                rating, echo, medoid, holds, dismissed, added_at)
            SELECT $1, {one}, {one}, 'x', false, 'x', true, false, 'negative', false, true, '{{}}', false, now()
            """,
            f"""
            INSERT INTO prompt_manifests (tenant_id, hash, row_ids, row_hashes, memory_ids, body, tokens, included, left_out, created_at,
                last_had_at)
            SELECT $1, {_hash("n")}, ARRAY[{one}], '{{x}}', '{{}}', 'x', 10, '[]', '{{}}', now(), now()
            FROM generate_series(1, {PROMPTS}) n
            """,
            f"""
            INSERT INTO prompt_manifest_rows (tenant_id, row_id, manifest)
            SELECT $1, {one}, {_hash("n")} FROM generate_series(1, {PROMPTS}) n
            """,
            f"""
            INSERT INTO sessions (tenant_id, id, type, status, source, agent, first_message, manifest, created_at, last_at, created_by_kind)
            SELECT $1, {numbered_id_sql("n")}, 'agent', 'completed', 'run', 'reader', 'Read document ' || n, {_hash(f"1 + n % {PROMPTS}")},
                   timestamptz '2026-01-01' + n * interval '1 minute', now(), 'system'
            FROM generate_series(1, {sessions}) n
            """,
            f"""
            INSERT INTO response_sources (tenant_id, response_id, ref, dimensions)
            SELECT $1, {numbered_id_sql("n")}, 'session:' || {numbered_id_sql("n")}, '{{summary}}' FROM generate_series(1, {used}) n
            """,
            f"""
            INSERT INTO entity_field_history (tenant_id, id, entity_id, field, kind, value, response_id, dimension_key, entity_version,
                actor_kind)
            SELECT $1, {numbered_id_sql("n")}, {numbered_id_sql("n")}, 'summary', 'promotion', '"x"', {numbered_id_sql("n")}, 'summary', 2, 'user'
            FROM generate_series(1, {used}) n
            """,
            f"""
            INSERT INTO entity_field_sources (tenant_id, entity_id, field, history_id)
            SELECT $1, {numbered_id_sql("n")}, 'summary', {numbered_id_sql("n")} FROM generate_series(1, {used}) n
            """,
        ):
            await connection.execute(insert, tenant.id)
        await connection.execute(
            "VACUUM ANALYZE feedback, shared_context, shared_context_support, prompt_manifests, prompt_manifest_rows, sessions, "
            "response_sources, entity_field_history, entity_field_sources"
        )


async def _make_target(ground: Ground, sessions: int, used: int) -> Target:
    tenant = await ground.make_tenant()
    entity_type = await make_type(ground, tenant)
    await fill_records(ground, tenant, entity_type.id, used)
    await fill_responses(ground, tenant, await make_set(ground, tenant), used, numbered_id_sql("n"), 100)
    await fill(ground, tenant, sessions, used)
    path = f"/api/chain?from=feedback:{FEEDBACK}&direction=forward&nodes=5000"
    return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])


async def _prepare(ground: Ground) -> Target:
    return await _make_target(ground, SESSIONS, SESSIONS)


async def _prepare_unused(ground: Ground) -> Target:
    return await _make_target(ground, MANY, USED)


STATEMENTS = (
    Statement(holds="FROM workspace_settings s"),
    Statement(holds="FROM walk_chain"),
    Statement(holds="FROM shared_context c WHERE"),
    Statement(holds="FROM parties p"),
    Statement(holds="FROM chain_retractions r"),
)
CHAIN = Workload(
    name="chain",
    about=f"GET /api/chain forward from one rejection: {NODES:,} nodes",
    statements=STATEMENTS,
    prepare=_prepare,
    bare=Bare(sql=BARE, place=1),
)
UNUSED = Workload(
    name="chain_unused",
    about=f"GET /api/chain forward from one rejection: {MANY:,} sessions, of which something rests on {USED}",
    statements=STATEMENTS,
    prepare=_prepare_unused,
    bare=Bare(sql=BARE, place=1),
)
WORKLOADS = (CHAIN, UNUSED)
