"""SQL of erasures. The only writer of `erasures`, `erasure_items` and `erasure_blocks` beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.erasures.model import ERASED, ErasedWorkspace, Erasure, ErasureKind, Kept, Subject
from goldloop.jobs import run_store
from goldloop.jobs.model import RunStatus
from goldloop.kit.db import Database, Tx

BACKUP_LOCK = 0x676F6C64626B  # whoever makes a backup holds it, so that no blob goes that the dump names

_COLUMNS = "e.id, e.kind, e.subject, e.fingerprint, e.gone, e.kept, e.requested_at, e.ended_at"


class Stored(NamedTuple):
    """An erasure as its row has it."""

    id: UUID
    subject: Subject
    gone: dict[str, int]
    kept: list[Kept]
    requested_at: datetime


async def within(tx: Tx, erasure_id: UUID) -> None:
    """From here to its end the transaction acts for an erasure: it sees what is hidden, and may delete what nobody else may."""
    await tx.execute(f"SET LOCAL app.erasure = '{erasure_id}'")


async def insert(tx: Tx, erasure_id: UUID, subject: Subject, at: datetime) -> None:
    await tx.execute(
        """
        INSERT INTO erasures (tenant_id, id, kind, subject, fingerprint, requested_at) VALUES ($1, $2, $3, $4, $5, $6)
        """,
        tx.actor.tenant_id,
        erasure_id,
        str(subject.kind),
        list(subject.name),
        subject.fingerprint(tx.actor.tenant_id),
        at,
    )


async def hide(tx: Tx, erasure_id: UUID, subject: Subject) -> None:
    await tx.execute("SELECT hide_erased($1, $2, $3)", erasure_id, str(subject.kind), list(subject.name))


async def add_items(tx: Tx, erasure_id: UUID, kind: str, places: Sequence[Sequence[str]]) -> None:
    await tx.executemany(
        """
        INSERT INTO erasure_items (tenant_id, erasure_id, kind, place) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING
        """,
        [(tx.actor.tenant_id, erasure_id, kind, list(place)) for place in places],
    )


async def gather(tx: Tx, erasure_id: UUID, *, narrow: bool) -> int:
    found: int = await tx.fetchval("SELECT gather_erased($1, $2)", erasure_id, narrow)
    return found


async def count_items(tx: Tx, erasure_id: UUID) -> dict[str, tuple[int, int]]:
    """How many there are of each kind, and how many of them are done."""
    rows = await tx.fetch(
        """
        SELECT i.kind, count(*) AS found, count(*) FILTER (WHERE i.done) AS done FROM erasure_items i
        WHERE i.tenant_id = $1 AND i.erasure_id = $2 GROUP BY i.kind
        """,
        tx.actor.tenant_id,
        erasure_id,
    )
    return {row["kind"]: (row["found"], row["done"]) for row in rows}


async def next_items(tx: Tx, erasure_id: UUID, kind: str, limit: int) -> list[list[str]]:
    """Some that are not done yet, which nobody else takes until the transaction ends."""
    rows = await tx.fetch(
        f"""
        SELECT i.place FROM erasure_items i WHERE i.tenant_id = $1 AND i.erasure_id = $2 AND i.kind = $3 AND NOT i.done
        ORDER BY i.place LIMIT {limit:d} FOR UPDATE
        """,
        tx.actor.tenant_id,
        erasure_id,
        kind,
    )
    return [row["place"] for row in rows]


async def list_items(tx: Tx, erasure_id: UUID, kind: str) -> list[list[str]]:
    """All of a kind, done or not."""
    rows = await tx.fetch(
        "SELECT i.place FROM erasure_items i WHERE i.tenant_id = $1 AND i.erasure_id = $2 AND i.kind = $3 ORDER BY i.place",
        tx.actor.tenant_id,
        erasure_id,
        kind,
    )
    return [row["place"] for row in rows]


async def set_done(tx: Tx, erasure_id: UUID, kind: str, place: Sequence[str]) -> None:
    await tx.execute(
        """
        UPDATE erasure_items SET done = true WHERE tenant_id = $1 AND erasure_id = $2 AND kind = $3 AND place = $4
        """,
        tx.actor.tenant_id,
        erasure_id,
        kind,
        list(place),
    )


async def save(tx: Tx, erasure_id: UUID, gone: dict[str, int], kept: Sequence[Kept]) -> None:
    await tx.execute(
        "UPDATE erasures SET gone = $3, kept = $4 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        erasure_id,
        gone,
        msgspec.to_builtins(list(kept)),
    )


async def end(tx: Tx, erasure_id: UUID, fingerprint: str, at: datetime) -> None:
    """What it was about is forgotten, and what was not taken in meanwhile may come again. Also of those before it that were
    asked for the same and given up."""
    same = "SELECT e.id FROM erasures e WHERE e.tenant_id = $1 AND (e.id = $2 OR e.fingerprint = $3)"
    found = [row["id"] for row in await tx.fetch(same, tx.actor.tenant_id, erasure_id, fingerprint)]
    for table in ("erasure_blocks", "erasure_items"):
        await tx.execute(
            f"DELETE FROM {table} WHERE tenant_id = $1 AND erasure_id = ANY ($2)", tx.actor.tenant_id, found
        )
    await tx.execute(
        "UPDATE erasures SET subject = NULL WHERE tenant_id = $1 AND id = ANY ($2)", tx.actor.tenant_id, found
    )
    await tx.execute(
        "UPDATE erasures SET ended_at = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        erasure_id,
        at,
    )


async def lock(tx: Tx, erasure_id: UUID) -> Stored | None:
    """One that is not over, which nobody else changes until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2 AND e.ended_at IS NULL FOR UPDATE",
        tx.actor.tenant_id,
        erasure_id,
    )
    if row is None:
        return None
    subject = Subject(kind=ErasureKind(row["kind"]), name=tuple(row["subject"] or ()))
    kept = msgspec.convert(row["kept"], list[Kept])
    return Stored(row["id"], subject, row["gone"], kept, row["requested_at"])


async def find_fingerprint(tx: Tx, erasure_id: UUID) -> str | None:
    found: str | None = await tx.fetchval(
        "SELECT e.fingerprint FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2",
        tx.actor.tenant_id,
        erasure_id,
    )
    return found


_SHOWN = f"""
    SELECT {_COLUMNS.replace("e.id, e.kind, e.subject,", "e.kind AS what, e.subject AS named,")}, {run_store.COLUMNS}
    FROM erasures e JOIN runs r ON r.tenant_id = e.tenant_id AND r.id = e.id WHERE e.tenant_id = $1
"""


async def find(tx: Tx, erasure_id: UUID) -> Erasure | None:
    row = await tx.fetchrow(f"{_SHOWN} AND e.id = $2", tx.actor.tenant_id, erasure_id)
    return _from_row(row) if row else None


async def list_newest_first(
    tx: Tx, fingerprint: str | None, before: tuple[object, UUID], limit: int
) -> list[Erasure]:
    rows = await tx.fetch(
        f"""
        {_SHOWN} AND (e.requested_at, e.id) < ($2, $3) AND ($4::text IS NULL OR e.fingerprint = $4)
        ORDER BY e.requested_at DESC, e.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *before,
        fingerprint,
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Any) -> Erasure:
    run = run_store.from_row(row)
    return Erasure(
        id=run.id,
        kind=ErasureKind(row["what"]),
        status=run.status,
        subject=row["named"],
        fingerprint=row["fingerprint"],
        done=run.done,
        total=run.total,
        gone=row["gone"],
        kept=msgspec.convert(row["kept"], list[Kept]),
        error=run.error_message if run.status is RunStatus.FAILED else None,
        requested_at=row["requested_at"],
        requested_by=run.created_by,
        ended_at=row["ended_at"],
    )


async def exists(tx: Tx, subject: Subject) -> bool:
    """Whether there is anything of it. Of an end user: anything at all that names them."""
    kind, name = subject.kind, subject.name
    if kind is ErasureKind.CONVERSATION:
        sql = "SELECT EXISTS (SELECT FROM conversations c WHERE c.tenant_id = $1 AND c.project = $2 AND c.id = $3)"
        found: bool = await tx.fetchval(sql, tx.actor.tenant_id, *name)
        return found
    if kind is ErasureKind.SESSION:
        sql = "SELECT EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2)"
    elif kind in (ErasureKind.RECORD, ErasureKind.RESPONSES):
        sql = "SELECT EXISTS (SELECT FROM entities e WHERE e.tenant_id = $1 AND e.id = $2)"
    else:
        return await _names_user(tx, name[0]) if kind is ErasureKind.END_USER else True
    found = await tx.fetchval(sql, tx.actor.tenant_id, UUID(name[0]))
    return found


async def _names_user(tx: Tx, end_user: str) -> bool:
    found: bool = await tx.fetchval(
        """
        SELECT EXISTS (SELECT FROM conversations c WHERE c.tenant_id = $1 AND c.user_id = $2)
            OR EXISTS (SELECT FROM conv_turns t WHERE t.tenant_id = $1 AND t.user_id = $2)
            OR EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.metadata ? 'user_id' AND s.metadata ->> 'user_id' = $2)
            OR EXISTS (SELECT FROM conv_messages m WHERE m.tenant_id = $1 AND m.end_user = $2 AND NOT m.by_member)
            OR EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.end_user = $2)
        """,
        tx.actor.tenant_id,
        end_user,
    )
    return found


async def list_responses(tx: Tx, entity_id: UUID) -> list[str]:
    rows = await tx.fetch(
        "SELECT r.id FROM entity_responses r WHERE r.tenant_id = $1 AND r.entity_id = $2 ORDER BY r.id",
        tx.actor.tenant_id,
        entity_id,
    )
    return [str(row["id"]) for row in rows]


async def list_promoted(tx: Tx, erasure_id: UUID) -> list[str]:
    """Responses among what was found of which a value is a record's now."""
    rows = await tx.fetch(
        """
        SELECT r.id FROM erasure_items i JOIN entity_responses r ON r.tenant_id = i.tenant_id AND r.id = i.place[1]::uuid
        WHERE i.tenant_id = $1 AND i.erasure_id = $2 AND i.kind = 'response' AND r.promoted_fields <> '{}' ORDER BY r.id
        """,
        tx.actor.tenant_id,
        erasure_id,
    )
    return [str(row["id"]) for row in rows]


async def list_turns_elsewhere(tx: Tx, session_id: UUID, names: Sequence[str]) -> list[str]:
    """Turns that name a session, sent by somebody else than who told of the session."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT t.project || '/' || t.conversation_id AS place FROM conv_turns t
        WHERE t.tenant_id = $1 AND t.session_id = ANY ($2) ORDER BY 1 LIMIT 100
        """,
        tx.actor.tenant_id,
        [str(session_id), *names],
    )
    return [row["place"] for row in rows]


async def list_logged_turns(tx: Tx, project: str, conversation_id: str, turn_id: str | None) -> list[str]:
    """Turns that have a log, here or in the blob store."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT m.turn_id FROM conv_messages m WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3
          AND m.kind = 'turn.log' AND m.turn_id IS NOT NULL AND ($4::text IS NULL OR m.turn_id = $4)
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_id,
    )
    return [row["turn_id"] for row in rows]


async def erase_conversation(tx: Tx, project: str, conversation_id: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_conversation($1, $2)", project, conversation_id)
    return gone


async def erase_turn(tx: Tx, project: str, conversation_id: str, turn_id: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval(
        "SELECT erase_turn($1, $2, $3)", project, conversation_id, turn_id
    )
    return gone


async def erase_reaction(tx: Tx, message_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_reaction($1)", message_id)
    return gone


async def erase_session(tx: Tx, erasure_id: UUID, session_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_session($1, $2)", erasure_id, session_id)
    return gone


async def erase_response(tx: Tx, response_id: UUID) -> tuple[dict[str, int], bool]:
    """How many rows went, and whether it stays as the source of what was promoted."""
    row = await tx.fetchrow("SELECT gone, kept FROM erase_response($1)", response_id)
    assert row is not None
    return row["gone"], row["kept"]


async def erase_group(tx: Tx, group_id: UUID) -> bool:
    gone: bool = await tx.fetchval("SELECT erase_group($1)", group_id)
    return gone


async def erase_quotes(tx: Tx, row_id: UUID, words: str) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_quotes($1, $2, $3)", row_id, words, ERASED)
    return gone


async def erase_knowledge_words(tx: Tx, row_id: UUID) -> int:
    changed: int = await tx.fetchval("SELECT erase_knowledge_words($1, $2)", row_id, ERASED)
    return changed


async def scrub_sessions(
    tx: Tx, erasure_id: UUID, after: UUID, limit: int
) -> tuple[UUID | None, dict[str, int]]:
    row = await tx.fetchrow(
        "SELECT last, gone FROM scrub_sessions($1, $2, $3, $4)", erasure_id, after, limit, ERASED
    )
    assert row is not None
    return row["last"], row["gone"]


async def scrub_events(tx: Tx, erasure_id: UUID, after: UUID, limit: int) -> tuple[UUID | None, int]:
    row = await tx.fetchrow("SELECT last, gone FROM scrub_events($1, $2, $3)", erasure_id, after, limit)
    assert row is not None
    return row["last"], row["gone"]


async def scrub_queue(tx: Tx, erasure_id: UUID, job_id: UUID) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT scrub_queue($1, $2)", erasure_id, job_id)
    return gone


async def scrub_eval_runs(tx: Tx, golden_ids: Sequence[UUID]) -> int:
    changed: int = await tx.fetchval("SELECT scrub_eval_runs($1)", list(golden_ids))
    return changed


class Body(NamedTuple):
    """A stored body of spans or log records."""

    id: bytes
    signal: int
    encoding: int
    body: bytes


async def next_body(tx: Tx, traces: Sequence[bytes]) -> Body | None:
    """One that has something of one of these traces."""
    row = await tx.fetchrow(
        """
        SELECT b.id, b.signal, b.encoding, b.body FROM otel_trace_batches t
        JOIN otel_batches b ON b.tenant_id = t.tenant_id AND b.id = t.batch_id
        WHERE t.tenant_id = $1 AND t.trace_id = ANY ($2) LIMIT 1
        """,
        tx.actor.tenant_id,
        list(traces),
    )
    return Body(*row) if row else None


async def replace_body(
    tx: Tx, batch_id: bytes, encoding: int, trace_ids: Sequence[bytes], spans: int, body: bytes | None
) -> None:
    await tx.execute(
        "SELECT replace_otel_body($1, $2, $3, $4, $5)", batch_id, encoding, spans, b"".join(trace_ids), body
    )


async def unlink_body(tx: Tx, batch_id: bytes, traces: Sequence[bytes]) -> None:
    """It has nothing of these traces any more."""
    await tx.execute("SELECT unlink_otel_body($1, $2)", batch_id, list(traces))


async def erase_traces(tx: Tx, traces: Sequence[bytes]) -> dict[str, int]:
    gone: dict[str, int] = await tx.fetchval("SELECT erase_traces($1)", list(traces))
    return gone


async def is_blob_used(tx: Tx, key: str) -> bool:
    """By an event of a session that stays: blobs of events are named by what they hold."""
    used: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM session_events e WHERE e.tenant_id = $1 AND e.blob = $2)",
        tx.actor.tenant_id,
        key,
    )
    return used


async def try_hold_blobs(tx: Tx) -> bool:
    """Whether blobs may be deleted until the transaction ends: not while a backup is made."""
    free: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock_shared($1)", BACKUP_LOCK)
    return free


async def snapshot_end(tx: Tx) -> int:
    """Whatever writes and began before now has a lower number than this."""
    end: int = await tx.fetchval("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
    return end


async def oldest_writer(tx: Tx) -> int:
    """The number of the oldest transaction that has written and is not over."""
    oldest: int = await tx.fetchval("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")
    return oldest


async def close_workspace(tx: Tx) -> None:
    await tx.execute("SELECT close_workspace()")


async def list_tables(tx: Tx) -> list[str]:
    """The tables of tenants that the eraser may empty, those that refer to others first."""
    rows = await tx.fetch(
        """
        WITH RECURSIVE tenant_tables AS (
            SELECT c.oid, c.relname::text AS name FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relforcerowsecurity
        ), refers AS (
            SELECT DISTINCT k.conrelid AS source, k.confrelid AS target FROM pg_constraint k
            WHERE k.contype = 'f' AND k.conrelid <> k.confrelid
        ), deep AS (
            SELECT t.oid, 0 AS level FROM tenant_tables t
            UNION
            SELECT r.source, d.level + 1 FROM deep d JOIN refers r ON r.target = d.oid WHERE d.level < 20
        )
        SELECT t.name, max(d.level) AS level FROM tenant_tables t JOIN deep d ON d.oid = t.oid
        GROUP BY t.name ORDER BY level DESC, t.name
        """
    )
    return [row["name"] for row in rows]


async def erase_rows(tx: Tx, table: str, limit: int) -> int:
    gone: int = await tx.fetchval("SELECT erase_rows($1, $2)", table, limit)
    return gone


async def erase_workspace(tx: Tx, gone: dict[str, int], requested_at: datetime, job_id: UUID) -> None:
    await tx.execute("SELECT erase_workspace($1, $2, $3)", gone, requested_at, job_id)


async def list_erased_workspaces(db: Database, limit: int) -> list[ErasedWorkspace]:
    """For the operator's commands. Needs the worker's role."""
    async with db.anonymous() as connection:
        rows = await connection.fetch(
            "SELECT tenant_id, slug, gone, requested_at, ended_at FROM list_erased_workspaces($1)", limit
        )
        return [ErasedWorkspace(**row) for row in rows]
