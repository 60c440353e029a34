"""Use cases: end and watch the sessions of traces, show what sources tell."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec

from goldloop.jobs import store as jobs
from goldloop.kit.db import Tx
from goldloop.kit.pagination import Page, decode_keys, encode_cursor
from goldloop.kit.queue import set_marks
from goldloop.otlp import store
from goldloop.otlp.derive_service import SETTLE, WATCH
from goldloop.otlp.emitters import emitter_of, missing_of
from goldloop.otlp.model import SETTINGS, Counts, FailedTrace, OtlpSettings, OtlpSource
from goldloop.otlp.store import DERIVE
from goldloop.sessions import derived_service as derived
from goldloop.sessions import service as sessions
from goldloop.sessions import watch_service
from goldloop.sessions.model import Session, SessionError, SessionSource, SessionStatus
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.permissions import WORKSPACE_MANAGE
from goldloop.tenants.settings import service as settings

DERIVE_LARGE = "otlp.derive_large"  # the mark of a trace of which the blob store has to take something
DERIVE_LARGE_LATER = "otlp.derive_large_later"  # the same where no more of it is to be waited for
DERIVE_LATER = (
    "otlp.derive_later"  # the mark of a trace that was derived, or not, before enough of it had come
)
PATIENCE = timedelta(seconds=10)  # for a session id or a root, before a trace is a session of its own
SETTLED = timedelta(seconds=2)  # after the root, for what comes late
MARKS_AT_ONCE = 1000


async def settle(tx: Tx, session_ids: Sequence[UUID]) -> None:
    """End sessions whose traces have all ended, as the last one did; one that was ended otherwise before is corrected."""
    for session in await derived.lock_all(tx, session_ids, []):
        await _settle(tx, session)


async def _settle(tx: Tx, session: Session) -> None:
    turning = await store.turning_of(tx, session.id)
    if turning is None or session.source is not SessionSource.OTLP:
        return
    if "merged_into" in session.metadata or session.is_frozen:
        return
    if turning.open_at is not None:
        await set_marks(tx, WATCH, [str(session.id)])
        return
    status = SessionStatus.FAILED if turning.error else SessionStatus.COMPLETED
    error = SessionError(code="agent_failed", message=turning.error) if turning.error else None
    output = None if turning.error else turning.answer
    if session.status.is_over:
        if session.status is SessionStatus.CANCELLED:
            return
        if session.status is status and session.error == error and session.output == output:
            return
        await derived.reopen(tx, session)
    await sessions.finish(tx, session.id, status, output, error)


async def watch(tx: Tx, session_id: UUID) -> None:
    """Call a session stalled when the root of one of its traces never came, else look again later."""
    session = await derived.lock(tx, session_id)
    turning = await store.turning_of(tx, session_id)
    if session is None or turning is None or session.source is not SessionSource.OTLP:
        return
    if session.status is not SessionStatus.RUNNING:
        return
    if turning.open_at is None:
        await set_marks(tx, SETTLE, [str(session_id)])
    elif await tx.moment() - turning.open_at >= sessions.SILENCE:
        await watch_service.stall(tx, session)
    else:
        await set_marks(tx, WATCH, [str(session_id)])


async def mark_anew(tx: Tx, trace_id: bytes) -> bool:
    """Derive a trace again. False where there is none."""
    if not await store.batches_of(tx, [trace_id]):
        return False
    await set_marks(tx, DERIVE, [trace_id.hex()])
    return True


async def mark_all_anew(tx: Tx, after: bytes) -> tuple[int, bytes | None]:
    """Derive the next traces again; returns how many they are and where to go on, None at the end."""
    found = await store.trace_ids_after(tx, after, MARKS_AT_ONCE)
    await set_marks(tx, DERIVE, [trace_id.hex() for trace_id in found])
    return len(found), found[-1] if len(found) == MARKS_AT_ONCE else None


async def spread(tx: Tx, limit: int) -> int:
    """Write out which traces new bodies hold; how many bodies they were."""
    return await store.spread(tx, limit)


async def forget(tx: Tx, limit: int) -> int:
    """Bodies that are older than the workspace keeps them, so many at once; returns how many they were."""
    keep = timedelta(days=(await settings.read(tx, SETTINGS)).keep_days)
    return await store.prune(tx, await tx.moment() - keep, limit)


async def list_sources(tx: Tx, cursor: str | None, limit: int) -> Page[OtlpSource]:
    tx.actor.check(SESSIONS_READ)
    after = decode_keys(cursor, tuple[str, str, str]) or ("", "", "")
    rows = await store.list_sources(tx, after, limit + 1)
    found = [_source(row) for row in rows[:limit]]
    last = found[-1] if len(rows) > limit else None
    return Page(data=found, next_cursor=encode_cursor(last.service, last.scope, last.sdk) if last else None)


async def list_failed(tx: Tx, limit: int) -> list[FailedTrace]:
    """Traces that were tried often enough, each with why."""
    tx.actor.check(SESSIONS_READ)
    marks = await jobs.list_given_up(tx, (DERIVE, DERIVE_LATER, DERIVE_LARGE, DERIVE_LARGE_LATER), limit)
    return [
        FailedTrace(trace_id=mark.key, attempts=mark.attempts, reason=mark.last_error or "") for mark in marks
    ]


def _source(row: Any) -> OtlpSource:
    counts = Counts(**{name: row[name] for name in Counts.__struct_fields__})
    return OtlpSource(
        **msgspec.structs.asdict(counts),
        emitter=emitter_of(counts.scope).name,
        first_at=row["first_at"],
        last_at=row["last_at"],
        missing=missing_of(counts),
    )


async def read_settings(tx: Tx) -> OtlpSettings:
    tx.actor.check(SESSIONS_READ)
    return await settings.read(tx, SETTINGS)


async def change_settings(tx: Tx, value: OtlpSettings) -> OtlpSettings:
    tx.actor.check(WORKSPACE_MANAGE)
    await settings.write(tx, SETTINGS, value)
    return value
