"""Rated connections: what many say about each, and the best of very many."""

from uuid import UUID

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Bare, Statement, Target, Workload
from bench.workloads.filling import numbered_id, numbered_id_sql
from bench.workloads.record_list import filled_tenant
from bench.workloads.records import SCALE, fill_records
from goldloop.criteria import service as criteria
from goldloop.criteria.model import CriteriaSet, CriteriaSetDefinition, Dimension, DimensionType, Kind, Scope
from goldloop.entities.types import service as types
from goldloop.tenants.auth.actors import system_actor

CONNECTIONS, RESPONDENTS, DIMENSIONS = 500, 200, 10
RELATIONS = 1_000_000
SOURCE = numbered_id(2**64)  # beside the numbered records, which it is connected to

BARE = """
SELECT o.key, v.key, count(*), avg(v.value::double precision)
FROM entity_responses r, jsonb_each(r.values) o, jsonb_each(o.value) v
WHERE r.entity_id = $2 AND r.criteria_set_id = $3 AND r.withdrawn_at IS NULL AND r.status <> 'rejected'
  AND r.tenant_id = $1 AND r.scope ->> 'fieldKey' = $4
GROUP BY o.key, v.key
"""


async def _make_visit(ground: Ground, tenant: Tenant, target_type: str) -> CriteriaSet:
    """A record of a type of its own with a relation field, and the set that rates its connections."""
    relation = {"protocols": {"relation": {"target_type": target_type, "multiple": True}}}
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    dimensions = [
        Dimension(key=f"rating_{n}", label=f"Rating {n}", type=DimensionType.RATING, scale=SCALE, weight=0.5)
        for n in range(DIMENSIONS)
    ]
    async with ground.db.tx(system_actor(tenant.id)) as tx:
        visit = await types.create(tx, None, "visit", "Visit", schema, relation, {})
        made = await criteria.create(
            tx,
            None,
            CriteriaSetDefinition(
                slug="outcomes",
                name="Outcomes",
                kind=Kind.ASSESSMENT,
                dimensions=dimensions,
                entity_type_slugs=["visit"],
                scope=Scope(type="relation", field_key="protocols"),
            ),
        )
    async with ground.superuser() as connection:
        await connection.execute(
            """
            INSERT INTO entities (tenant_id, id, type_id, title, created_by_kind) VALUES ($1, $2, $3, 'Visit', 'system')
            """,
            tenant.id,
            SOURCE,
            visit.id,
        )
    return made


async def _connect(ground: Ground, tenant: Tenant, rows: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO entity_relations (tenant_id, id, source_id, field_key, target_id, created_by_kind)
            SELECT $1, {numbered_id_sql("n")}, $2, 'protocols', {numbered_id_sql("n")}, 'system'
            FROM generate_series(1, $3::bigint) n
            """,
            tenant.id,
            SOURCE,
            rows,
        )
        await connection.execute("VACUUM ANALYZE entity_relations")


async def _prepare_matrix(ground: Ground) -> Target:
    tenant = await ground.make_tenant()
    async with ground.db.tx(system_actor(tenant.id)) as tx:
        company = await types.create(
            tx, None, "company", "Company", {"type": "object", "properties": {}}, {}, {}
        )
    await fill_records(ground, tenant, company.id, CONNECTIONS)
    criteria_set = await _make_visit(ground, tenant, "company")
    await _connect(ground, tenant, CONNECTIONS)
    cells = ", ".join(f"'rating_{d}', 1 + (n * {7919 + d} + c * 31) % 5" for d in range(DIMENSIONS))
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO entity_responses (tenant_id, id, entity_id, criteria_set_id, criteria_snapshot, scope,
                submitted_by_user, source, values, weighted_score, normalized_score, promotable_fields, type_id)
            SELECT $1, {numbered_id_sql("n")}, $2, $3, $4, $5, {numbered_id_sql("n")}, 'manual',
                   (SELECT jsonb_object_agg({numbered_id_sql("c")}::text, jsonb_build_object({cells}))
                    FROM generate_series(1, {CONNECTIONS}) c), 3, 0.5, '{{}}', $6
            FROM generate_series(1, {RESPONDENTS}::bigint) n
            """,
            tenant.id,
            SOURCE,
            criteria_set.id,
            criteria_set.dimensions,
            criteria_set.scope,
            company.id,
        )
        await connection.execute("VACUUM ANALYZE entity_responses")
    path = f"/api/entities/{SOURCE}/responses/aggregate?compact=true&criteria_set_id={criteria_set.id}"
    return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])


async def _prepare_ranked(ground: Ground) -> Target:
    tenant = await filled_tenant(ground, RELATIONS)
    criteria_set = await _make_visit(ground, tenant, "company")
    await _connect(ground, tenant, RELATIONS)
    await _score(ground, tenant, criteria_set.id)
    path = f"/api/entities/{SOURCE}/relations/ranked?field_key=protocols&criteria_set_id={criteria_set.id}&limit=50"
    return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])


async def _score(ground: Ground, tenant: Tenant, set_id: UUID) -> None:
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO relation_scores (tenant_id, relation_id, criteria_set_id, source_id, field_key, score)
            SELECT $1, {numbered_id_sql("n")}, $2, $3, 'protocols', n * 7919 % 100000 / 1000.0
            FROM generate_series(1, {RELATIONS}::bigint) n
            """,
            tenant.id,
            set_id,
            SOURCE,
        )
        await connection.execute("VACUUM ANALYZE relation_scores")


WORKLOADS = (
    Workload(
        name="aggregate_matrix",
        about=f"GET …/responses/aggregate?compact=true: {CONNECTIONS} connections × {RESPONDENTS} × {DIMENSIONS}",
        statements=(
            Statement(holds="FROM entities e"),
            Statement(holds="FROM criteria_sets c"),
            Statement(holds="FROM aggregate_responses("),
            Statement(holds="GROUP BY s.criteria_snapshot"),
            Statement(holds="ORDER BY r.created_at, r.id"),
            Statement(holds="SELECT id, title FROM entities"),
        ),
        prepare=_prepare_matrix,
        bare=Bare(sql=BARE, place=4),
    ),
    Workload(
        name="ranked_1m",
        about=f"GET …/relations/ranked?limit=50 among {RELATIONS:,} connections of one record",
        statements=(
            Statement(holds="FROM entities e"),
            Statement(holds="FROM criteria_sets c"),
            Statement(holds="FROM relation_scores s"),
        ),
        prepare=_prepare_ranked,
    ),
)
