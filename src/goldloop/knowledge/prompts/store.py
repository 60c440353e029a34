"""SQL of prompts: which rows hold in a scope, what prompts held, and which one a scope has now. The only writer of
`prompt_manifests`, `prompt_manifest_rows` and `prompt_heads`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.knowledge.model import NOWHERE, KnowledgeState, KnowledgeType, MeasuredValue
from goldloop.knowledge.printing import Manifest, PrintedRow, hash_of
from goldloop.knowledge.selection import MOST_COUNTED, Candidate, IncludedRow, LeftOutRows, Scope
from goldloop.knowledge.valuing import as_of

_TYPES = [str(kind) for kind in KnowledgeType]
_KINDS = {str(kind): kind for kind in KnowledgeType}


class Head(NamedTuple):
    """The prompt of a scope as it is; `included` and `left_out` are the JSON of what they say, since who only hands them on
    need not read them."""

    manifest: str
    body: str
    tokens: int
    included: bytes
    left_out: bytes

    def rows(self) -> list[IncludedRow]:
        return msgspec.json.decode(self.included, type=list[IncludedRow])

    def left_out_rows(self) -> LeftOutRows:
        return msgspec.json.decode(self.left_out, type=LeftOutRows)


async def find_head(tx: Tx, scope: Scope) -> Head | None:
    """None where there is none, or where knowledge has changed since."""
    row = await tx.look(
        """
        SELECT h.manifest, m.body, m.tokens, convert_to(h.included::text, 'UTF8') AS included,
               convert_to(h.left_out::text, 'UTF8') AS left_out
        FROM prompt_heads h
        JOIN prompt_manifests m ON m.tenant_id = h.tenant_id AND m.hash = h.manifest
        WHERE h.tenant_id = $1 AND h.scope_agent = $2 AND h.scope_type = $3
          AND h.version = coalesce((SELECT v.version FROM knowledge_versions v WHERE v.tenant_id = $1), 0)
        """,
        tx.actor.tenant_id,
        *scope.key,
    )
    return Head(*row) if row is not None else None


async def find_version(tx: Tx) -> int:
    found: int = await tx.fetchval(
        "SELECT coalesce((SELECT v.version FROM knowledge_versions v WHERE v.tenant_id = $1), 0)",
        tx.actor.tenant_id,
    )
    return found


async def list_candidates(tx: Tx, scope: Scope, per_type: int) -> list[Candidate]:
    """The highest ranks of each type, of those of each scope that holds, which are each one look into the index."""
    rows = await tx.fetch(
        f"""
        SELECT c.id, c.type, c.content, c.context, c.rank, c.narrowness
        FROM unnest($4::text[]) AS kinds (type)
        CROSS JOIN LATERAL (
            SELECT best.id, best.type, best.content, best.context, best.rank, best.narrowness
            FROM unnest($2::uuid[], $3::uuid[]) AS scopes (agent, type)
            CROSS JOIN LATERAL (
                SELECT r.id, r.type, r.content, r.context, r.rank,
                       (r.agent_id IS NOT NULL)::integer + (r.entity_type_id IS NOT NULL)::integer AS narrowness
                FROM shared_context r
                WHERE r.tenant_id = $1 AND r.active AND r.scope_agent = scopes.agent AND r.scope_type = scopes.type
                  AND r.type = kinds.type
                ORDER BY r.rank DESC, r.id LIMIT {per_type:d}
            ) best
            ORDER BY best.rank DESC, best.narrowness DESC, best.id LIMIT {per_type:d}
        ) c
        """,
        tx.actor.tenant_id,
        *_unzipped(scope),
        _TYPES,
    )
    return [_candidate(row) for row in rows]


def _unzipped(scope: Scope) -> tuple[list[UUID], list[UUID]]:
    agents, types = zip(*scope.holding, strict=True)
    return list(agents), list(types)


def _candidate(row: Any) -> Candidate:
    row_id, kind, content, context, rank, narrowness = row[:6]
    return Candidate(PrintedRow(row_id, _KINDS[kind], content, context), rank, narrowness)


class ToCompare(NamedTuple):
    candidate: Candidate
    vector: list[float]


async def list_with_vectors(tx: Tx, scope: Scope, model: str, limit: int) -> list[ToCompare]:
    """What holds in a scope and was read by an encoder, the highest ranks of all types together."""
    rows = await tx.fetch(
        f"""
        SELECT c.id, c.type, c.content, c.context, c.rank,
               (c.agent_id IS NOT NULL)::integer + (c.entity_type_id IS NOT NULL)::integer AS narrowness, c.embedding
        FROM unnest($4::text[]) AS kinds (type)
        CROSS JOIN unnest($2::uuid[], $3::uuid[]) AS scopes (agent, type)
        CROSS JOIN LATERAL (
            SELECT r.id, r.type, r.content, r.context, r.rank, r.agent_id, r.entity_type_id, r.embedding FROM shared_context r
            WHERE r.tenant_id = $1 AND r.active AND r.scope_agent = scopes.agent AND r.scope_type = scopes.type
              AND r.type = kinds.type AND r.embedding_model = $5
            ORDER BY r.rank DESC, r.id LIMIT {limit:d}
        ) c
        """,
        tx.actor.tenant_id,
        *_unzipped(scope),
        _TYPES,
        model,
    )
    return [ToCompare(_candidate(row), row["embedding"]) for row in rows]


class Counts(NamedTuple):
    in_scope: int
    elsewhere: int
    shadow: int


_ACTIVE = "c.tenant_id = $1 AND c.active"


async def count(tx: Tx, scope: Scope, offered: int) -> Counts:
    """How many rows there are to leave out beside those that were offered; each count ends at MOST_COUNTED of them. Those of
    other scopes are counted scope by scope: each has a row, so that few are looked at, however many rows hold here."""
    row = await tx.fetchrow(
        f"""
        WITH RECURSIVE holding AS (
            SELECT h.agent, h.type FROM unnest($2::uuid[], $3::uuid[]) AS h (agent, type)
        ), scopes AS (
            (SELECT c.scope_agent, c.scope_type FROM shared_context c WHERE {_ACTIVE}
             ORDER BY c.scope_agent, c.scope_type LIMIT 1)
            UNION ALL
            SELECT n.scope_agent, n.scope_type FROM scopes s CROSS JOIN LATERAL (
                SELECT c.scope_agent, c.scope_type FROM shared_context c
                WHERE {_ACTIVE} AND (c.scope_agent, c.scope_type) > (s.scope_agent, s.scope_type)
                ORDER BY c.scope_agent, c.scope_type LIMIT 1
            ) n
        )
        SELECT (SELECT count(*) FROM (SELECT FROM holding h CROSS JOIN LATERAL (SELECT FROM shared_context c
                    WHERE {_ACTIVE} AND c.scope_agent = h.agent AND c.scope_type = h.type LIMIT $4) a LIMIT $4) i) AS in_scope,
               (SELECT count(*) FROM (SELECT FROM (SELECT s.scope_agent, s.scope_type FROM scopes s
                        LIMIT (SELECT count(*) FROM holding) + {MOST_COUNTED:d}) s
                    CROSS JOIN LATERAL (SELECT FROM shared_context c WHERE {_ACTIVE} AND c.scope_agent = s.scope_agent
                        AND c.scope_type = s.scope_type LIMIT {MOST_COUNTED:d}) a
                    WHERE NOT EXISTS (SELECT FROM holding h WHERE h.agent = s.scope_agent AND h.type = s.scope_type)
                    LIMIT {MOST_COUNTED:d}) e) AS elsewhere,
               (SELECT count(*) FROM (SELECT FROM holding h CROSS JOIN LATERAL (SELECT FROM shared_context c
                    WHERE c.tenant_id = $1 AND c.state = 'shadow' AND c.scope_agent = h.agent AND c.scope_type = h.type
                    LIMIT {MOST_COUNTED:d}) a LIMIT {MOST_COUNTED:d}) s) AS shadow
        """,
        tx.actor.tenant_id,
        *_unzipped(scope),
        MOST_COUNTED + offered,
    )
    assert row is not None
    return Counts(*row)


async def add_manifest(
    tx: Tx,
    manifest: Manifest,
    tokens: int,
    included: Sequence[IncludedRow],
    left_out: LeftOutRows,
    at: datetime,
) -> None:
    """Once by content; the rows that it holds are found by it."""
    made = await tx.execute(
        """
        INSERT INTO prompt_manifests (tenant_id, hash, row_ids, row_hashes, memory_ids, body, tokens, included, left_out,
            created_at, last_had_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        *manifest,
        tokens,
        [{"id": str(row.id), "rank": row.rank, "reason": row.reason} for row in included],
        msgspec.to_builtins(left_out),
        at,
    )
    if made and manifest.row_ids:
        await tx.execute(
            """
            INSERT INTO prompt_manifest_rows (tenant_id, row_id, manifest)
            SELECT $1::uuid, r.id, $3::text FROM unnest($2::uuid[]) AS r (id) ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            manifest.row_ids,
            manifest.hash,
        )


async def set_head(
    tx: Tx,
    scope: Scope,
    version: int,
    manifest: str,
    included: Sequence[IncludedRow],
    left_out: LeftOutRows,
    at: datetime,
) -> None:
    """Unless somebody has made it from something newer. What the scope had until now it had until now."""
    await tx.execute(
        """
        UPDATE prompt_manifests m SET last_had_at = $5 FROM prompt_heads h
        WHERE h.tenant_id = $1 AND h.scope_agent = $2 AND h.scope_type = $3 AND h.manifest <> $4
          AND m.tenant_id = $1 AND m.hash = h.manifest AND m.last_had_at < $5
        """,
        tx.actor.tenant_id,
        *scope.key,
        manifest,
        at,
    )
    await tx.execute(
        """
        INSERT INTO prompt_heads AS h (tenant_id, scope_agent, scope_type, version, manifest, included, left_out)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (tenant_id, scope_agent, scope_type) DO UPDATE
        SET version = excluded.version, manifest = excluded.manifest, included = excluded.included, left_out = excluded.left_out
        WHERE h.version <= excluded.version
        """,
        tx.actor.tenant_id,
        *scope.key,
        version,
        manifest,
        msgspec.to_builtins(list(included)),
        msgspec.to_builtins(left_out),
    )


async def list_scopes(tx: Tx, agent_id: UUID | None, entity_type_id: UUID | None, limit: int) -> list[Scope]:
    """Scopes that prompts were made for and in which what holds for these holds."""
    rows = await tx.fetch(
        f"""
        SELECT h.scope_agent, h.scope_type FROM prompt_heads h
        WHERE h.tenant_id = $1 AND ($2::uuid IS NULL OR h.scope_agent = $2) AND ($3::uuid IS NULL OR h.scope_type = $3)
        ORDER BY h.scope_agent, h.scope_type LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        agent_id,
        entity_type_id,
    )
    return [Scope(_unless_nowhere(row["scope_agent"]), _unless_nowhere(row["scope_type"])) for row in rows]


def _unless_nowhere(scope: UUID) -> UUID | None:
    return None if scope == NOWHERE else scope


class StoredManifest(NamedTuple):
    hash: str
    row_ids: list[UUID]
    row_hashes: list[str]
    memory_ids: list[UUID]
    body: str
    tokens: int
    included: list[dict[str, Any]]
    left_out: dict[str, Any]
    created_at: datetime


_MANIFEST = (
    "m.hash, m.row_ids, m.row_hashes, m.memory_ids, m.body, m.tokens, m.included, m.left_out, m.created_at"
)


async def find_manifest(tx: Tx, manifest: str) -> StoredManifest | None:
    row = await tx.fetchrow(
        f"SELECT {_MANIFEST} FROM prompt_manifests m WHERE m.tenant_id = $1 AND m.hash = $2",
        tx.actor.tenant_id,
        manifest,
    )
    return StoredManifest(*row) if row else None


async def find_of_session(tx: Tx, session_id: UUID) -> StoredManifest | None:
    return (await find_of_sessions(tx, [session_id])).get(session_id)


async def find_of_sessions(tx: Tx, session_ids: Sequence[UUID]) -> dict[UUID, StoredManifest]:
    """What the prompts of some sessions held; those that name none are left out."""
    rows = await tx.fetch(
        f"""
        SELECT s.id AS session_id, {_MANIFEST}
        FROM sessions s JOIN prompt_manifests m ON m.tenant_id = s.tenant_id AND m.hash = s.manifest
        WHERE s.tenant_id = $1 AND s.id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(set(session_ids)),
    )
    return {row["session_id"]: StoredManifest(*list(row)[1:]) for row in rows}


class PresentRow(NamedTuple):
    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    origins: int
    confirmations: int
    last_confirmed_at: datetime
    value: MeasuredValue | None
    hash: str


async def list_present(tx: Tx, ids: Sequence[UUID]) -> list[PresentRow]:
    """Rows as they are now, with what their lines are known by."""
    rows = await tx.fetch(
        """
        SELECT c.id, c.type, c.state, c.origins, c.confirmations, c.last_confirmed_at, c.value, c.content, c.context
        FROM shared_context c
        WHERE c.tenant_id = $1 AND c.id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return [_present(row) for row in rows]


def _present(row: Any) -> PresentRow:
    row_hash = hash_of(PrintedRow(row["id"], KnowledgeType(row["type"]), row["content"], row["context"]))
    return PresentRow(
        row["id"],
        KnowledgeType(row["type"]),
        KnowledgeState(row["state"]),
        row["origins"],
        row["confirmations"],
        row["last_confirmed_at"],
        as_of(msgspec.convert(row["value"], MeasuredValue), row_hash) if row["value"] else None,
        row_hash,
    )


async def sessions_with(tx: Tx, row_id: UUID, session_ids: Sequence[UUID]) -> set[UUID]:
    """Those of some sessions whose prompts held a row."""
    rows = await tx.fetch(
        """
        SELECT s.id FROM sessions s
        JOIN prompt_manifest_rows r ON r.tenant_id = $1 AND r.row_id = $2 AND r.manifest = s.manifest
        WHERE s.tenant_id = $1 AND s.id = ANY ($3)
        """,
        tx.actor.tenant_id,
        row_id,
        list(session_ids),
    )
    return {row["id"] for row in rows}
