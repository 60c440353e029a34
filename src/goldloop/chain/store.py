"""SQL of chains: the walk, and what each node is."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from goldloop.chain.model import NodeKind
from goldloop.chain.refs import Ref
from goldloop.claims.model import ClaimSettings
from goldloop.kit.db import Tx

_SHOWN = 300  # characters of a title or a value: a line or two, and its page has the rest


class Walk(NamedTuple):
    """Steps lead from what was come from to what was found there; `cut` are nodes of which not all was followed; `unused` is how
    many sessions that nothing rests on each of `unused_of` has beside those named."""

    refs: list[str]
    depths: list[int]
    came: list[str]
    led: list[str]
    relations: list[str]
    cut: list[str]
    unused_of: list[str]
    unused: list[int]


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
    doubts: bool = False,
) -> Walk:
    """`doubts`: what a retraction puts in doubt, not all that there is."""
    row = await tx.fetchrow(
        "SELECT refs, depths, came, led, relations, cut, unused_of, unused FROM walk_chain($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        start.text,
        forward,
        depth,
        limit,
        [str(kind) for kind in kinds],
        people,
        claims.source_type,
        claims.relation_field,
        doubts,
    )
    assert row is not None
    return Walk(*row)


class Described(NamedTuple):
    """What the database has of a node. `by` is a kind and an id as `user:…`, or `system`; `record_id` is the record of a response."""

    ref: str
    title: str | None
    detail: str | None
    state: str | None
    at: datetime | None
    by: str | None
    record_id: str | None


# What each of many nodes is, by kind, each through its key. What is not there, or not for the reader's eyes, has no row.
_DESCRIBE = f"""
    SELECT 'field:' || e.id || '/' || f.name AS ref, f.name || ' · ' || e.title AS title, left(e.content ->> f.name, {_SHOWN}) AS detail,
           h.kind AS state, h.created_at AS at, h.actor_kind || coalesce(':' || h.actor_id, '') AS by, e.id::text AS record_id
    FROM unnest(string_to_array($2, ',')::uuid[], ARRAY(SELECT jsonb_array_elements_text($3))) f (id, name)
    JOIN entities e ON e.tenant_id = $1 AND e.id = f.id
    LEFT JOIN entity_field_sources s ON s.tenant_id = $1 AND s.entity_id = f.id AND s.field = f.name
    LEFT JOIN entity_field_history h ON h.tenant_id = $1 AND h.id = s.history_id
    WHERE e.content ? f.name
    UNION ALL
    SELECT 'record:' || e.id, e.title, t.name, NULL, e.updated_at, e.created_by_kind || coalesce(':' || e.created_by_id, ''), e.id::text
    FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
    WHERE e.tenant_id = $1 AND e.id = ANY (string_to_array($4, ',')::uuid[])
    UNION ALL
    SELECT 'response:' || r.id, c.name || ' · ' || e.title, NULL, CASE WHEN r.withdrawn_at IS NULL THEN r.status ELSE 'withdrawn' END, r.created_at,
           coalesce('user:' || r.submitted_by_user, 'agent:' || r.submitted_by_agent, 'system'), e.id::text
    FROM entity_responses r
    JOIN entities e ON e.tenant_id = r.tenant_id AND e.id = r.entity_id
    JOIN criteria_sets c ON c.tenant_id = r.tenant_id AND c.id = r.criteria_set_id
    WHERE r.tenant_id = $1 AND r.id = ANY (string_to_array($5, ',')::uuid[])
    UNION ALL
    SELECT x.ref, s.title, NULL, NULL, NULL, NULL, NULL
    FROM jsonb_array_elements_text($6) x (ref)
    CROSS JOIN LATERAL (SELECT y.title FROM response_sources y WHERE y.tenant_id = $1 AND y.ref = x.ref ORDER BY y.response_id LIMIT 1) s
    UNION ALL
    SELECT 'session:' || s.id, left(s.first_message, {_SHOWN}), s.agent, s.status, s.created_at,
           s.created_by_kind || coalesce(':' || s.created_by_id, ''), NULL
    FROM sessions s WHERE s.tenant_id = $1 AND s.id = ANY (string_to_array($7, ',')::uuid[])
    UNION ALL
    SELECT 'manifest:' || m.hash, cardinality(m.row_ids)::text, NULL, NULL, m.created_at, NULL, NULL
    FROM prompt_manifests m WHERE m.tenant_id = $1 AND m.hash = ANY (string_to_array($8, ','))
    UNION ALL
    SELECT 'knowledge:' || c.id, left(c.content, {_SHOWN}), c.type, c.state, c.created_at,
           c.created_by_kind || coalesce(':' || coalesce(c.created_by_user_id, c.created_by_agent_id), ''), NULL
    FROM shared_context c WHERE c.tenant_id = $1 AND c.id = ANY (string_to_array($9, ',')::uuid[])
    UNION ALL
    SELECT 'feedback:' || f.id, left(f.comment, {_SHOWN}), f.rating, f.status, f.created_at,
           CASE WHEN f.created_by IS NOT NULL THEN 'user:' || f.created_by
                WHEN f.end_user IS NULL THEN f.created_by_kind || coalesce(':' || f.created_by_id, '') END, NULL
    FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY (string_to_array($10, ',')::uuid[])
    UNION ALL
    SELECT 'agent:' || v.agent_id || '@' || v.version, p.name, nullif(left(v.note, {_SHOWN}), ''), NULL, v.created_at,
           v.created_by_kind || coalesce(':' || v.created_by_id, ''), NULL
    FROM unnest(string_to_array($11, ',')::uuid[], string_to_array($12, ',')::integer[]) x (id, version)
    JOIN agent_versions v ON v.tenant_id = $1 AND v.agent_id = x.id AND v.version = x.version
    LEFT JOIN parties p ON p.tenant_id = $1 AND p.kind = 'agent' AND p.id = x.id
    UNION ALL
    SELECT 'golden:' || g.session_id, left(coalesce(nullif(g.note, ''), s.first_message), {_SHOWN}), c.name, g.floor, g.promoted_at,
           g.promoted_by_kind || coalesce(':' || g.promoted_by_id, ''), NULL
    FROM goldens g
    JOIN golden_sets c ON c.tenant_id = g.tenant_id AND c.id = g.set_id
    JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
    WHERE g.tenant_id = $1 AND g.session_id = ANY (string_to_array($13, ',')::uuid[])
    UNION ALL
    SELECT p.kind || ':' || p.id, p.name, NULL, NULL, NULL, NULL, NULL
    FROM parties p WHERE p.tenant_id = $1 AND p.id = ANY (string_to_array($14, ',')::uuid[])
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
        ",".join(ref.name for ref in of[NodeKind.MANIFEST]),
        _ids(of[NodeKind.KNOWLEDGE]),
        _ids(of[NodeKind.FEEDBACK]),
        _ids(versions),
        ",".join(str(ref.version) for ref in versions),
        _ids(of[NodeKind.GOLDEN]),
        _ids([*of[NodeKind.USER], *(ref for ref in of[NodeKind.AGENT] if not ref.version)]),
    )
    found = {row[0]: Described._make(row) for row in rows}
    for claim in of[NodeKind.CLAIM]:
        if record := found.get(f"{NodeKind.RECORD}:{claim.id}"):
            found[claim.text] = record
    return found


def _ids(refs: Sequence[Ref]) -> str:
    """As one text: an array is looked through by the driver, one by one."""
    return ",".join([ref.id or "" for ref in refs])
