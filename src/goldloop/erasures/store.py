"""SQL of erasures. The only writer of `erasures`, `erasure_items` and `erasure_blocks` beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.erasures.model import Erasure, ErasureKind, Kept, Subject
from goldloop.jobs import run_store
from goldloop.jobs.model import RunStatus
from goldloop.kit.db import Tx

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
    await tx.execute("SELECT unblock_erased($1)", found)
    await tx.execute(
        "DELETE FROM erasure_items WHERE tenant_id = $1 AND erasure_id = ANY ($2)", tx.actor.tenant_id, found
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


async def find_unfinished(tx: Tx, fingerprint: str) -> UUID | None:
    """The newest that was asked for this and is not over, whatever became of its job."""
    found: UUID | None = await tx.fetchval(
        """
        SELECT e.id FROM erasures e WHERE e.tenant_id = $1 AND e.fingerprint = $2 AND e.ended_at IS NULL
        ORDER BY e.requested_at DESC, e.id DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        fingerprint,
    )
    return found


async def list_unfinished(tx: Tx, statuses: Sequence[RunStatus]) -> list[UUID]:
    """Those whose run is in one of these states and that are not over, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT e.id FROM erasures e JOIN runs r ON r.tenant_id = e.tenant_id AND r.id = e.id
        WHERE e.tenant_id = $1 AND e.ended_at IS NULL AND r.status = ANY ($2) ORDER BY e.requested_at, e.id
        """,
        tx.actor.tenant_id,
        [str(each) for each in statuses],
    )
    return [row["id"] for row in rows]


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
        return bool(await tx.fetchval(sql, tx.actor.tenant_id, *name))
    if kind is ErasureKind.SESSION:
        sql = "SELECT EXISTS (SELECT FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2)"
        return bool(await tx.fetchval(sql, tx.actor.tenant_id, UUID(name[0])))
    if kind in (ErasureKind.RECORD, ErasureKind.RESPONSES):
        sql = "SELECT EXISTS (SELECT FROM entities e WHERE e.tenant_id = $1 AND e.id = $2)"
        return bool(await tx.fetchval(sql, tx.actor.tenant_id, UUID(name[0])))
    return await _names_user(tx, name[0]) if kind is ErasureKind.END_USER else True


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


class AskedFor(NamedTuple):
    id: UUID
    kind: ErasureKind
    fingerprint: str
    requested_at: datetime
    ended_at: datetime | None


async def list_asked_for(tx: Tx) -> list[AskedFor]:
    """All that somebody asked for, the oldest first."""
    rows = await tx.fetch(
        """
        SELECT e.id, e.kind, e.fingerprint, e.requested_at, e.ended_at FROM erasures e
        WHERE e.tenant_id = $1 AND e.kind <> 'retention' ORDER BY e.requested_at, e.id
        """,
        tx.actor.tenant_id,
    )
    return [AskedFor(**{**row, "kind": ErasureKind(row["kind"])}) for row in rows]


_NAMES = {
    ErasureKind.CONVERSATION: "SELECT ARRAY[c.project, c.id] FROM conversations c WHERE c.tenant_id = $1",
    ErasureKind.SESSION: "SELECT ARRAY[s.id::text] FROM sessions s WHERE s.tenant_id = $1",
    ErasureKind.RECORD: "SELECT ARRAY[e.id::text] FROM entities e WHERE e.tenant_id = $1",
    ErasureKind.END_USER: """
        SELECT ARRAY[u.name] FROM (
            SELECT c.user_id AS name FROM conversations c WHERE c.tenant_id = $1
            UNION SELECT t.user_id FROM conv_turns t WHERE t.tenant_id = $1
            UNION SELECT s.metadata ->> 'user_id' FROM sessions s WHERE s.tenant_id = $1 AND s.metadata ? 'user_id'
            UNION SELECT m.end_user FROM conv_messages m WHERE m.tenant_id = $1 AND NOT m.by_member
            UNION SELECT f.end_user FROM feedback f WHERE f.tenant_id = $1) u WHERE u.name IS NOT NULL
    """,
}


async def list_names(tx: Tx, kind: ErasureKind) -> list[tuple[str, ...]]:
    """Of all that there is of a kind."""
    return [tuple(row[0]) for row in await tx.fetch(_NAMES[kind], tx.actor.tenant_id)]


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


async def list_session_names(tx: Tx, erasure_id: UUID) -> set[str]:
    """The external ids of the sessions that were found, and of one that is gone already where it was asked for."""
    rows = await tx.fetch(
        """
        SELECT s.external_id AS name FROM erasure_items i JOIN sessions s ON s.tenant_id = i.tenant_id AND s.id = i.place[1]::uuid
        WHERE i.tenant_id = $1 AND i.erasure_id = $2 AND i.kind = 'session' AND s.external_id IS NOT NULL
        UNION SELECT b.key FROM erasure_blocks b WHERE b.tenant_id = $1 AND b.erasure_id = $2 AND b.kind = 'session'
        """,
        tx.actor.tenant_id,
        erasure_id,
    )
    return {row["name"] for row in rows}


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


async def list_writers(tx: Tx) -> set[str]:
    """The transactions of this database, whoever's, that have written and are not over."""
    rows = await tx.fetch(
        """
        SELECT l.transactionid::text AS id FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND a.datname = current_database()
        """
    )
    return {row["id"] for row in rows}
