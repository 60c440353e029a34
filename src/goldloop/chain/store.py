"""SQL of chains: the walk, and what each node is."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.chain.model import NodeKind
from goldloop.chain.refs import Ref
from goldloop.claims.model import ClaimSettings
from goldloop.kit.db import Tx

_SHOWN = 300  # characters of a title or a value: a line or two, and its page has the rest


class Walk(NamedTuple):
    """Steps lead from what was come from to what was found there; `cut` are nodes of which not all was followed."""

    refs: list[str]
    depths: list[int]
    came: list[str]
    led: list[str]
    relations: list[str]
    cut: list[str]


async def walk(
    tx: Tx,
    start: Ref,
    *,
    forward: bool,
    depth: int,
    limit: int,
    kinds: Sequence[NodeKind],
    people: bool,
    claims: ClaimSettings,
) -> Walk:
    row = await tx.fetchrow(
        "SELECT refs, depths, came, led, relations, cut FROM walk_chain($1, $2, $3, $4, $5, $6, $7, $8)",
        start.text,
        forward,
        depth,
        limit,
        [str(kind) for kind in kinds],
        people,
        claims.source_type,
        claims.relation_field,
    )
    assert row is not None
    return Walk(*row)


class Described(NamedTuple):
    """What the database has of a node. `record_id` is the record of a response."""

    title: str | None
    detail: str | None
    state: str | None
    at: datetime | None
    by_kind: str | None
    by_id: UUID | None
    record_id: UUID | None


# What each of many nodes is, by kind, each through its key. What is not there, or not for the reader's eyes, has no row.
_DESCRIBE = f"""
    SELECT 'field:' || e.id || '/' || f.name AS ref, f.name || ' · ' || e.title AS title, left(e.content ->> f.name, {_SHOWN}) AS detail,
           h.kind AS state, h.created_at AS at, h.actor_kind AS by_kind, h.actor_id AS by_id, e.id AS record_id
    FROM unnest($2::uuid[], $3::text[]) f (id, name)
    JOIN entities e ON e.tenant_id = $1 AND e.id = f.id
    LEFT JOIN entity_field_sources s ON s.tenant_id = $1 AND s.entity_id = f.id AND s.field = f.name
    LEFT JOIN entity_field_history h ON h.tenant_id = $1 AND h.id = s.history_id
    WHERE e.content ? f.name
    UNION ALL
    SELECT 'record:' || e.id, e.title, t.name, NULL, e.updated_at, e.created_by_kind, e.created_by_id, e.id
    FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = $1 AND e.id = ANY ($4::uuid[])
    UNION ALL
    SELECT 'response:' || r.id, c.name, e.title, CASE WHEN r.withdrawn_at IS NULL THEN r.status ELSE 'withdrawn' END, r.created_at,
           CASE WHEN r.submitted_by_user IS NOT NULL THEN 'user' WHEN r.submitted_by_agent IS NOT NULL THEN 'agent' ELSE 'system' END,
           coalesce(r.submitted_by_user, r.submitted_by_agent), e.id
    FROM entity_responses r
    JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.entity_id
    JOIN criteria_sets c ON c.tenant_id = r.tenant_id AND c.id = r.criteria_set_id
    WHERE r.tenant_id = $1 AND r.id = ANY ($5::uuid[])
    UNION ALL
    SELECT x.ref, s.title, NULL, NULL, NULL, NULL, NULL, NULL
    FROM unnest($6::text[]) x (ref)
    CROSS JOIN LATERAL (SELECT y.title FROM response_sources y WHERE y.tenant_id = $1 AND y.ref = x.ref ORDER BY y.response_id LIMIT 1) s
    UNION ALL
    SELECT 'session:' || s.id, left(s.first_message, {_SHOWN}), s.agent, s.status, s.created_at, s.created_by_kind, s.created_by_id, NULL
    FROM sessions s WHERE s.tenant_id = $1 AND s.id = ANY ($7::uuid[])
    UNION ALL
    SELECT 'manifest:' || m.hash, cardinality(m.row_ids)::text, NULL, NULL, m.created_at, NULL, NULL, NULL
    FROM prompt_manifests m WHERE m.tenant_id = $1 AND m.hash = ANY ($8::text[])
    UNION ALL
    SELECT 'knowledge:' || c.id, left(c.content, {_SHOWN}), c.type, c.state, c.created_at, c.created_by_kind,
           coalesce(c.created_by_user_id, c.created_by_agent_id), NULL
    FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY ($9::uuid[])
    UNION ALL
    SELECT 'feedback:' || f.id, left(f.comment, {_SHOWN}), f.rating, f.status, f.created_at,
           CASE WHEN f.created_by IS NOT NULL THEN 'user' WHEN f.end_user IS NULL THEN f.created_by_kind END,
           CASE WHEN f.created_by IS NOT NULL THEN f.created_by WHEN f.end_user IS NULL THEN f.created_by_id END, NULL
    FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY ($10::uuid[])
    UNION ALL
    SELECT 'agent:' || v.agent_id || '@' || v.version, p.name, nullif(left(v.note, {_SHOWN}), ''), NULL, v.created_at,
           v.created_by_kind, v.created_by_id, NULL
    FROM unnest($11::uuid[], $12::integer[]) x (id, version)
    JOIN agent_versions v ON v.tenant_id = $1 AND v.agent_id = x.id AND v.version = x.version
    LEFT JOIN parties p ON p.tenant_id = $1 AND p.kind = 'agent' AND p.id = x.id
    UNION ALL
    SELECT 'golden:' || g.session_id, left(coalesce(nullif(g.note, ''), s.first_message), {_SHOWN}), c.name, g.floor, g.promoted_at,
           g.promoted_by_kind, g.promoted_by_id, NULL
    FROM goldens g
    JOIN golden_sets c ON c.tenant_id = g.tenant_id AND c.id = g.set_id
    JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
    WHERE g.tenant_id = $1 AND g.session_id = ANY ($13::uuid[])
    UNION ALL
    SELECT p.kind || ':' || p.id, p.name, NULL, NULL, NULL, NULL, NULL, NULL
    FROM parties p WHERE p.tenant_id = $1 AND p.id = ANY ($14::uuid[])
"""


async def describe(tx: Tx, refs: Sequence[Ref]) -> dict[str, Described]:
    """By ref. A claim is the record that it is."""
    of: dict[NodeKind, list[Ref]] = {kind: [] for kind in NodeKind}
    for ref in refs:
        of[ref.kind].append(ref)
    versions = [ref for ref in of[NodeKind.AGENT] if ref.version]
    rows = await tx.fetch(
        _DESCRIBE,
        tx.actor.tenant_id,
        _ids(of[NodeKind.FIELD]),
        [ref.name for ref in of[NodeKind.FIELD]],
        _ids([*of[NodeKind.RECORD], *of[NodeKind.CLAIM]]),
        _ids(of[NodeKind.RESPONSE]),
        [ref.text for ref in of[NodeKind.SOURCE]],
        _ids(of[NodeKind.SESSION]),
        [ref.name for ref in of[NodeKind.MANIFEST]],
        _ids(of[NodeKind.KNOWLEDGE]),
        _ids(of[NodeKind.FEEDBACK]),
        _ids(versions),
        [ref.version for ref in versions],
        _ids(of[NodeKind.GOLDEN]),
        _ids([*of[NodeKind.USER], *(ref for ref in of[NodeKind.AGENT] if not ref.version)]),
    )
    found = {row[0]: Described(*row[1:]) for row in rows}
    for claim in of[NodeKind.CLAIM]:
        if record := found.get(f"{NodeKind.RECORD}:{claim.id}"):
            found[claim.text] = record
    return found


def _ids(refs: Sequence[Ref]) -> list[UUID | None]:
    return [ref.id for ref in refs]
