"""SQL of sessions and their events. The only writer of `sessions` beside the named SQL function."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Caller, Tx
from goldloop.kit.times import in_utc
from goldloop.sessions.model import (
    ConversationRef,
    Question,
    Session,
    SessionError,
    SessionProgress,
    SessionSource,
    SessionStatus,
    SessionType,
)
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

COLUMNS = f"""
    s.id, s.external_id, s.type, s.status, s.source, s.purpose, s.claim, s.agent, s.agent_id, s.agent_version, s.entity_id, s.task_id,
    s.parent_session_id, s.project, s.conversation_id, s.manifest, s.input, s.output, s.error_code, s.error_message, s.first_message,
    s.last_seq, s.requests, s.tool_calls, s.input_tokens, s.output_tokens, s.cost, s.metadata, s.created_at, s.started_at,
    s.last_at, s.ended_at, s.question, s.dismissed_at, s.created_by_kind, s.created_by_id,
    (SELECT jsonb_build_object('done', r.done, 'total', r.total) FROM runs r
     WHERE r.tenant_id = $1 AND r.id = s.id AND r.total > 0) AS progress,
    {name_sql("$1", "s.created_by_kind", "s.created_by_id")} AS created_by_name
"""
WAITS_FOR_PEOPLE = (
    "s.status IN ('waiting', 'stalled', 'failed') AND s.dismissed_at IS NULL"  # as the index has it
)


def from_row(row: Any) -> Session:
    in_conversation = row["conversation_id"] is not None
    return Session(
        id=row["id"],
        external_id=row["external_id"],
        type=SessionType(row["type"]),
        status=SessionStatus(row["status"]),
        source=SessionSource(row["source"]),
        purpose=row["purpose"],
        agent=row["agent"],
        agent_id=row["agent_id"],
        agent_version=row["agent_version"],
        entity_id=row["entity_id"],
        task_id=row["task_id"],
        parent_session_id=row["parent_session_id"],
        conversation=ConversationRef(project=row["project"], id=row["conversation_id"])
        if in_conversation
        else None,
        manifest=row["manifest"],
        input=row["input"],
        output=row["output"],
        error=SessionError(code=row["error_code"], message=row["error_message"] or "")
        if row["error_code"]
        else None,
        question=Question(**row["question"]) if row["question"] else None,
        progress=SessionProgress(**row["progress"]) if row["progress"] else None,
        first_message=row["first_message"],
        events=row["last_seq"],
        requests=row["requests"],
        tool_calls=row["tool_calls"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        cost=row["cost"],
        metadata=row["metadata"],
        created_at=row["created_at"],
        started_at=row["started_at"],
        last_at=row["last_at"],
        ended_at=row["ended_at"],
        dismissed_at=row["dismissed_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def refuse_erased(tx: Tx, sessions: Sequence[Session]) -> None:
    """Where one of them is, or is of, what is being erased at this moment."""
    named = [s.conversation for s in sessions if s.conversation is not None]
    await tx.execute(
        "SELECT refuse_erased($1, $2, $3)",
        [name for s in sessions for name in (str(s.id), s.external_id) if name is not None],
        [f"{each.project}/{each.id}" for each in named],
        [user for s in sessions if isinstance(user := s.metadata.get("user_id"), str)],
    )


async def insert(tx: Tx, session: Session) -> bool:
    """False when the id or the external id is taken."""
    where = session.conversation
    return bool(
        await tx.execute(
            """
            INSERT INTO sessions (tenant_id, id, external_id, type, status, source, agent, agent_id, agent_version,
                entity_id, task_id, parent_session_id, project, conversation_id, input, metadata, created_at, started_at,
                last_at, created_by_kind, created_by_id, purpose, manifest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $17, $19, $20, $21, $22)
            ON CONFLICT DO NOTHING
            """,
            tx.actor.tenant_id,
            session.id,
            session.external_id,
            session.type,
            session.status,
            session.source,
            session.agent,
            session.agent_id,
            session.agent_version,
            session.entity_id,
            session.task_id,
            session.parent_session_id,
            where.project if where else None,
            where.id if where else None,
            session.input,
            session.metadata,
            session.created_at,
            session.started_at,
            tx.actor.kind,
            tx.actor.id,
            session.purpose,
            session.manifest,
        )
    )


async def find(tx: Tx, session_id: UUID) -> Session | None:
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2",
        tx.actor.tenant_id,
        session_id,
    )
    return from_row(row) if row else None


async def find_external(tx: Tx, external_id: str) -> Session | None:
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.external_id = $2",
        tx.actor.tenant_id,
        external_id,
    )
    return from_row(row) if row else None


async def lock(tx: Tx, session_id: UUID) -> Session | None:
    """The session, which nobody else changes until the transaction ends."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2 FOR NO KEY UPDATE OF s",
        tx.actor.tenant_id,
        session_id,
    )
    return from_row(row) if row else None


async def lock_claimed(tx: Tx, session_id: UUID, claim: int) -> Session | None:
    """As `lock`, for whoever still has the claim."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2 FOR NO KEY UPDATE OF s",
        tx.actor.tenant_id,
        session_id,
    )
    return from_row(row) if row and row["claim"] == claim else None


async def find_claimed(tx: Tx, session_id: UUID, claim: int) -> Session | None:
    """As `find`, for whoever still has the claim."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM sessions s WHERE s.tenant_id = $1 AND s.id = $2 AND s.claim = $3",
        tx.actor.tenant_id,
        session_id,
        claim,
    )
    return from_row(row) if row else None


class NewEvent(NamedTuple):
    """An event as it goes into its row; `blob` is where its whole payload is, if that is a preview."""

    id: UUID
    type: str
    at: datetime
    payload: dict[str, Any]
    blob: str | None = None


class Outcome(NamedTuple):
    """`appended`, `absent`, `ended`, `here` where one that runs here is recorded, or `lost` for whoever has the claim no more."""

    outcome: str
    added: int
    events: int


async def append(
    caller: Caller,
    session_id: UUID,
    events: Sequence[NewEvent],
    words: Sequence[str],
    claim: int | None = None,
    late: bool = False,
    watch: timedelta | None = None,
) -> Outcome:
    """What is late goes to one that ended too. With `watch` it is one elsewhere, looked at again after that time."""
    outcome, added, count = await caller.call(
        "append_session_events", session_id, documents(events), list(words), claim, late, watch
    )
    return Outcome(outcome, added or 0, count or 0)


def documents(events: Sequence[NewEvent]) -> list[dict[str, Any]]:
    """As `append_session_events` takes them: it reads no offset of 16 hours."""
    return [
        {"id": id, "type": kind, "at": in_utc(at), "payload": payload, "blob": blob}
        for id, kind, at, payload, blob in events
    ]


async def claim(tx: Tx, session_id: UUID, at: datetime) -> int:
    """Take a session to work on, from whoever had it before; returns the number that its events are added with."""
    number: int = await tx.fetchval(
        """
        UPDATE sessions SET claim = claim + 1, status = 'running', started_at = coalesce(started_at, $3), question = NULL
        WHERE tenant_id = $1 AND id = $2 RETURNING claim
        """,
        tx.actor.tenant_id,
        session_id,
        at,
    )
    return number


async def set_waiting(tx: Tx, session_id: UUID, question: Question) -> None:
    await tx.execute(
        "UPDATE sessions SET status = 'waiting', question = $3, claim = claim + 1 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
        msgspec.to_builtins(question),
    )


async def set_eval_result(tx: Tx, session_id: UUID, result: dict[str, Any]) -> None:
    """What a replay came to beside its golden."""
    await tx.execute(
        """
        UPDATE sessions SET metadata = jsonb_set(metadata, '{eval_result}', $3::jsonb) WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        session_id,
        result,
    )


async def set_eval_rubric(tx: Tx, session_id: UUID, rubric: dict[str, Any]) -> None:
    """What a judge says of a replay that was compared."""
    await tx.execute(
        """
        UPDATE sessions SET metadata = jsonb_set(metadata, '{eval_result,rubric}', $3::jsonb)
        WHERE tenant_id = $1 AND id = $2 AND jsonb_typeof(metadata -> 'eval_result') = 'object'
        """,
        tx.actor.tenant_id,
        session_id,
        rubric,
    )


async def set_manifest(tx: Tx, session_id: UUID, manifest: str) -> None:
    await tx.execute(
        "UPDATE sessions SET manifest = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
        manifest,
    )


async def set_queued(tx: Tx, session_id: UUID) -> None:
    await tx.execute(
        "UPDATE sessions SET status = 'queued', question = NULL WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
    )


async def set_stalled(tx: Tx, session_id: UUID) -> None:
    stalled = "UPDATE sessions SET status = 'stalled' WHERE tenant_id = $1 AND id = $2"
    await tx.execute(stalled, tx.actor.tenant_id, session_id)


async def set_dismissed(tx: Tx, session_id: UUID, at: datetime) -> None:
    await tx.execute(
        "UPDATE sessions SET dismissed_at = $3 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        session_id,
        at,
    )


async def set_ended(
    tx: Tx,
    session_id: UUID,
    status: SessionStatus,
    at: datetime,
    output: Any,
    error: SessionError | None,
) -> None:
    await tx.execute(
        """
        UPDATE sessions SET status = $3, ended_at = $4, output = coalesce($5, output), error_code = $6, error_message = $7,
            started_at = coalesce(started_at, created_at), last_at = greatest(last_at, $4), question = NULL
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        session_id,
        status,
        at,
        output,
        error.code if error else None,
        error.message if error else None,
    )
