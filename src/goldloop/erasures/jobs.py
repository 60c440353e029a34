"""The job that erases: step by step, in short transactions, each of which may be the last before a crash. Whoever goes on finds
what is not done yet."""

import asyncio
import logging
import time
from datetime import timedelta
from uuid import UUID

from goldloop.archives import parts as archive_parts
from goldloop.conversations.turns.logs import log_folder
from goldloop.erasures import row_store, service, step_service, store, trace_store, workspace_store
from goldloop.erasures.model import ErasureKind, added
from goldloop.erasures.step_service import STEPS, ErasureOver
from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.jobs.model import RunStatus
from goldloop.kit import compute_threads
from goldloop.kit.db import ERASER_ROLE, Actor, Database, Tx
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import LONG_QUEUE, job, periodic
from goldloop.otlp import service as otlp
from goldloop.otlp.model import Signal
from goldloop.otlp.removal import without_traces
from goldloop.otlp.waiting_service import WaitingTrace, list_waiting, those_of
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

log = logging.getLogger("goldloop.erasures")

SLICE_SECONDS = 600.0  # after that another job goes on, so that none is taken for one that hangs
BARRIER_SECONDS = 60.0  # for writers that began before the erasure was asked for
BACKUP_SECONDS = 900.0  # for a backup that is made at this moment
WAIT_SECONDS = 0.1
LATER = timedelta(seconds=30)  # when something else had to end first and did not
SESSIONS_AT_ONCE = 100
EVENTS_AT_ONCE = 2000
ROWS_AT_ONCE = 5000
BLOBS_AT_ONCE = 20
SPREAD_AT_ONCE = 500
WAITING_AT_ONCE = 50
TENANTS = 1000


def blob_folders(tenant_id: UUID) -> tuple[str, ...]:
    """Where a workspace's blobs are: logs of turns, and large payloads of events."""
    return (log_folder(tenant_id), f"{tenant_id}/")


class NotYet(Exception):
    """Something else has to end first; another job goes on later. That is no failure, and is not counted as one."""


@job(service.JOB, queue=LONG_QUEUE)
async def erase(db: Database, actor: Actor, outside: Outside, *, run_id: str) -> None:
    eraser = Eraser(db.in_role(ERASER_ROLE), actor, outside, UUID(run_id))
    try:
        await eraser.run()
    except ErasureOver:
        return
    except NotYet as reason:
        log.info("an erasure waits", extra={"erasure": run_id, "reason": str(reason)})
        await eraser.go_on_later()


@periodic("erasures.look", cron="7 * * * *")
async def look(db: Database) -> None:
    """What was given up or lost its job is tried again: what somebody asked to be gone goes."""
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            async with db.in_role(ERASER_ROLE).tx(system_actor(tenant_id)) as tx:
                await service.take_up_all(tx)
        after = tenants[-1]


class Eraser:
    def __init__(self, db: Database, actor: Actor, outside: Outside, erasure_id: UUID) -> None:
        self.db, self.actor, self.outside, self.id = db, actor, outside, erasure_id
        self.until = time.monotonic() + SLICE_SECONDS

    async def run(self) -> None:
        async with self.db.tx(self.actor) as tx:
            await store.within(tx, self.id)
            run = await runs.start(tx, self.id)
            if run is None:
                await self._take_up(tx)
                return
            erasure = await step_service.access(tx, self.id)
        self.job_id = run.job_id or self.id
        self.kind = erasure.subject.kind
        await self._wait_for_writers()
        if self.kind is ErasureKind.WORKSPACE:
            await self._erase_workspace()
            return
        while not await self._round():
            if time.monotonic() > self.until:
                async with self.db.tx(self.actor) as tx:
                    await store.within(tx, self.id)
                    await runs.resume(tx, self.id)
                return

    async def go_on_later(self) -> None:
        async with self.db.tx(self.actor) as tx:
            await store.within(tx, self.id)
            await runs.resume(tx, self.id, run_at=await tx.moment() + LATER)

    async def _take_up(self, tx: Tx) -> None:
        """Somebody has tried this job again after it was given up: its erasure is queued anew."""
        run = await run_store.find(tx, self.id)
        if run is not None and run.status is RunStatus.FAILED:
            await service.take_up(tx, self.id)

    async def _round(self) -> bool:
        """All that is known by now; True when that was all."""
        await self._spread()
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            await service.gather(tx, self.id, narrow=self.kind is ErasureKind.RETENTION)
        if self.kind is not ErasureKind.RETENTION:
            await self._find_waiting_traces()
        for kind in STEPS:
            while await self._some(kind):
                if time.monotonic() > self.until:
                    return False
        await self._erase_traces()
        if self.kind is not ErasureKind.RETENTION:
            await self._scrub_sessions()
        await self._scrub_eval_runs()
        await self._delete_archives()
        await self._delete_blobs()
        await self._scrub_log()
        async with self.db.tx(self.actor) as tx:
            return await step_service.finish(tx, self.id)

    async def _wait_for_writers(self) -> None:
        """Whatever began to write before it was hidden may not have seen that. It ends first, so that nothing comes later."""
        async with self.db.tx(self.actor) as tx:
            before = await store.list_writers(tx)
        deadline = time.monotonic() + BARRIER_SECONDS
        while True:
            async with self.db.tx(self.actor) as tx:
                if before.isdisjoint(await store.list_writers(tx)):
                    return
            if time.monotonic() > deadline:
                raise NotYet("A transaction that began before the erasure goes on for too long")
            await asyncio.sleep(WAIT_SECONDS)

    async def _spread(self) -> None:
        """Which traces new bodies hold is written out first: else nobody finds them."""
        count = SPREAD_AT_ONCE
        while count == SPREAD_AT_ONCE:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                count = await otlp.spread(tx, SPREAD_AT_ONCE)

    async def _find_waiting_traces(self) -> None:
        """Spans that came before it was asked for and are not derived: they would be sessions again when it is over."""
        waiting: list[WaitingTrace] = []
        after: str | None = ""
        while after is not None:
            async with self.db.tx(self.actor) as tx:
                erasure = await step_service.access(tx, self.id)
                some, after = await list_waiting(tx, erasure.requested_at, after, WAITING_AT_ONCE)
                waiting += some
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            users = {place[0] for place in await store.list_items(tx, self.id, "end_user")}
            conversations = {
                (place[0], place[1]) for place in await store.list_items(tx, self.id, "conversation")
            }
            names = await store.list_session_names(tx, self.id)
            found = those_of(waiting, users, names, conversations)
            await store.add_items(tx, self.id, "trace", [[each] for each in found])

    async def _some(self, kind: str) -> int:
        async with self.db.tx(self.actor) as tx:
            return await step_service.erase_some(tx, self.id, kind)

    async def _erase_traces(self) -> None:
        """The raw bodies without the spans of erased traces."""
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            traces = [bytes.fromhex(place[0]) for place in await store.list_items(tx, self.id, "trace")]
        while traces:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                found = await trace_store.next_body(tx, traces)
                if found is None:
                    gone = await trace_store.erase_traces(tx, traces)
                    await step_service.add_gone(tx, self.id, gone)
                    for trace in traces:
                        await store.set_done(tx, self.id, "trace", [trace.hex()])
                    return
            rest = await compute_threads.run_always(
                self.actor.tenant_id,
                without_traces,
                Signal(found.signal),
                found.encoding,
                found.body,
                set(traces),
            )
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                await trace_store.unlink_body(tx, found.id, traces)
                await trace_store.replace_body(
                    tx, found.id, rest.encoding, rest.trace_ids, rest.spans, rest.body
                )
                name = "otel_batches" if rest.body is None else "otel_batches (text)"
                await step_service.add_gone(tx, self.id, {name: 1})

    async def _scrub_sessions(self) -> None:
        after: UUID | None = FIRST_ID
        while after is not None:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                after, gone = await row_store.scrub_sessions(tx, self.id, after, SESSIONS_AT_ONCE)
                await step_service.add_gone(tx, self.id, gone)

    async def _scrub_eval_runs(self) -> None:
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            goldens = [UUID(place[0]) for place in await store.list_items(tx, self.id, "golden")]
            changed = await row_store.scrub_eval_runs(tx, goldens)
            await step_service.add_gone(tx, self.id, {"eval_runs (text)": changed})
            await step_service.add_gone(tx, self.id, await row_store.scrub_notes(tx, self.id))

    async def _delete_archives(self) -> None:
        """Their parts. No row names them any more, and no backup is one: it has what they were made of."""
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            found = [UUID(place[0]) for place in await store.list_items(tx, self.id, "archive")]
        for archive_id in found:
            await archive_parts.remove(self.outside.blobs, self.actor.tenant_id, archive_id)

    async def _delete_blobs(self) -> None:
        """When no row names them any more. Not while a backup is made: its dump may name them."""
        deadline = time.monotonic() + BACKUP_SECONDS
        while True:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                if not await row_store.try_hold_blobs(tx):
                    keys = None
                else:
                    keys = await store.next_items(tx, self.id, "blob", BLOBS_AT_ONCE)
                    count = 0
                    for (key,) in keys:
                        own = key.startswith(blob_folders(self.actor.tenant_id))
                        if own and not await row_store.is_blob_used(tx, key):
                            await self.outside.blobs.delete(key)
                            count += 1
                        await store.set_done(tx, self.id, "blob", [key])
                    await step_service.add_gone(tx, self.id, {"blobs": count})
            if keys == []:
                return
            if keys is None:
                if time.monotonic() > deadline:
                    raise NotYet("A backup goes on for too long")
                await asyncio.sleep(WAIT_SECONDS)

    async def _scrub_log(self) -> None:
        after: UUID | None = FIRST_ID
        while after is not None:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                after, count = await row_store.scrub_events(tx, self.id, after, EVENTS_AT_ONCE)
                await step_service.add_gone(tx, self.id, {"events (text)": count})
        async with self.db.tx(self.actor) as tx:
            await step_service.access(tx, self.id)
            gone = await row_store.scrub_queue(tx, self.id, self.job_id)
            await step_service.add_gone(tx, self.id, gone)

    async def _erase_workspace(self) -> None:
        """Blobs first: when the last row is gone nobody knows any more whose they were. Table by table then, those that refer
        to others first, and the workspace itself last."""
        await self._delete_all_blobs()
        async with self.db.tx(self.actor) as tx:
            erasure = await step_service.access(tx, self.id)
            tables = await workspace_store.list_tables(tx)
        own = {"erasures", "erasure_items", "erasure_blocks", "runs", "user_memories"}
        others = [table for table in tables if table not in own]
        for table in others:
            count = ROWS_AT_ONCE
            while count == ROWS_AT_ONCE:
                async with self.db.tx(self.actor) as tx:
                    await step_service.access(tx, self.id)
                    count = await workspace_store.erase_rows(tx, table, ROWS_AT_ONCE)
                    await step_service.add_gone(tx, self.id, {table: count})
        await self._delete_all_blobs()
        async with self.db.tx(self.actor) as tx:
            erasure = await step_service.access(tx, self.id)
            for table in others:  # what came meanwhile
                await workspace_store.erase_rows(tx, table, ROWS_AT_ONCE)
            await workspace_store.erase_rest(tx)
            await workspace_store.erase_workspace(
                tx, added(erasure.gone, {"tenants": 1}), erasure.requested_at, self.job_id
            )

    async def _delete_all_blobs(self) -> None:
        deadline = time.monotonic() + BACKUP_SECONDS
        while True:
            async with self.db.tx(self.actor) as tx:
                await step_service.access(tx, self.id)
                if await row_store.try_hold_blobs(tx):
                    count = 0
                    for folder in blob_folders(self.actor.tenant_id):
                        count += await self.outside.blobs.delete_all(folder)
                    await step_service.add_gone(tx, self.id, {"blobs": count})
                    return
            if time.monotonic() > deadline:
                raise NotYet("A backup goes on for too long")
            await asyncio.sleep(WAIT_SECONDS)
