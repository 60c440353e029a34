"""Records, a criteria set and responses in bulk, for the workloads of the first flow."""

from typing import Any
from uuid import UUID

import msgspec

from bench.ground import Ground, Tenant
from bench.workloads.filling import numbered_id_sql
from goldloop.criteria import service as criteria
from goldloop.criteria.model import CriteriaSet, CriteriaSetDefinition, Dimension, DimensionType, Kind
from goldloop.entities.model import EntityType
from goldloop.entities.types import service as types
from goldloop.tenants.auth.actors import system_actor

FIELDS = {
    "summary": {"type": "string"},
    "price": {"type": "number"},
    "market": {"type": "string", "enum": ["b2b", "b2c"]},
    "active": {"type": "boolean"},
}
SCALE = (1, 5)
TOPICS = 1000  # a record has one of them in its content
RATINGS = tuple(f"rating_{number}" for number in range(1, 9))


async def make_type(ground: Ground, tenant: Tenant) -> EntityType:
    async with ground.db.tx(system_actor(tenant.id)) as tx:
        return await types.create(
            tx, None, "company", "Company", {"type": "object", "properties": FIELDS}, {}, {}
        )


async def make_set(ground: Ground, tenant: Tenant, scope: Any = None) -> CriteriaSet:
    """Eight ratings with weights, a choice and a text; two of them lead to fields of the record."""
    ratings = [
        Dimension(key=key, label=key, type=DimensionType.RATING, scale=SCALE, weight=0.5) for key in RATINGS
    ]
    definition = CriteriaSetDefinition(
        slug="quality",
        name="Quality",
        kind=Kind.ASSESSMENT,
        dimensions=[
            *ratings,
            Dimension(key="market", label="Market", type=DimensionType.SELECT, options=["b2b", "b2c"]),
            Dimension(key="summary", label="Summary", type=DimensionType.TEXT),
        ],
        entity_type_slugs=["company"],
        scope=scope,
    )
    async with ground.db.tx(system_actor(tenant.id)) as tx:
        return await criteria.create(tx, None, definition)


def _topic(number: str) -> str:
    return f"'topic' || lpad(({number} * 7919 % {TOPICS})::text, 4, '0')"


async def fill_records(ground: Ground, tenant: Tenant, type_id: UUID, rows: int) -> None:
    """Numbered records with titles, scores and times of change that are no order of each other. Each has a word in its
    content that one in a thousand has."""
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO entities (tenant_id, id, type_id, title, content, metadata, created_by_kind, created_by_id, updated_at)
            SELECT $1, {numbered_id_sql("n")}, $2, md5(n::text),
                   jsonb_build_object('summary', {_topic("n")}, 'price', 12.5),
                   jsonb_build_object('weighted_score', 1 + n * 7919 % 9000 / 1000.0), 'user', $3,
                   timestamptz '2026-01-01' + n * 104729 % 1000003 * interval '1 second'
            FROM generate_series(1, $4::bigint) n
            """,
            tenant.id,
            type_id,
            tenant.owner_id,
            rows,
        )
        await connection.execute(
            f"""
            INSERT INTO entity_words (tenant_id, word, entity_id)
            SELECT $1, w, {numbered_id_sql("n")}
            FROM generate_series(1, $2::bigint) n, unnest(ARRAY[md5(n::text), {_topic("n")}]) w
            """,
            tenant.id,
            rows,
        )
        await connection.execute("VACUUM ANALYZE entities, entity_words")


async def fill_responses(
    ground: Ground, tenant: Tenant, criteria_set: CriteriaSet, rows: int, entity: str, respondents: int
) -> None:
    """Numbered responses, each to the record that the SQL expression `entity` gives for its number `n`."""
    ratings = ", ".join(f"'{key}', 1 + n * {7919 + place} / 13 % 5" for place, key in enumerate(RATINGS))
    async with ground.superuser() as connection:
        await connection.execute(
            f"""
            INSERT INTO entity_responses (tenant_id, id, entity_id, criteria_set_id, criteria_snapshot, submitted_by_user,
                source, values, weighted_score, normalized_score, promotable_fields, created_at, type_id)
            SELECT $1, {numbered_id_sql("n")}, {entity}, $2, $3, {numbered_id_sql(f"n % {respondents}")}, 'manual',
                   jsonb_build_object({ratings}, 'market', (ARRAY['b2b', 'b2c'])[1 + n % 2], 'summary', 'text ' || n),
                   1 + n % 5, n % 5 / 4.0, '{{market,summary}}', timestamptz '2026-01-01' + n * interval '1 minute', (SELECT t.id FROM entity_types t WHERE t.tenant_id = $1)
            FROM generate_series(1, $4::bigint) n
            """,
            tenant.id,
            criteria_set.id,
            msgspec.to_builtins(criteria_set.dimensions),
            rows,
        )
        await connection.execute("VACUUM ANALYZE entity_responses")
