"""Runs marks: takes one, rebuilds the state that it names, and deletes it, in one transaction (or under a lease). Infrastructure.

Round-robin across tenants; one rebuild of a key at a time; never more of a kind at once than its cap, over all
workers. A crash leaves the mark, so the next worker rebuilds it.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from uuid import UUID

from goldloop.jobs import store
from goldloop.jobs.service import keep_failed_mark
from goldloop.jobs.store import TakenMark
from goldloop.kit import metrics
from goldloop.kit.db import WORKER_ROLE, Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import LEASE, MARKS, MarkDefinition, ports_for
from goldloop.tenants.auth.actors import system_actor

log = logging.getLogger("goldloop.marks")

POLL_SECONDS = 1.0  # backs up the notification of a new mark, and finds what became due again
AT_ONCE = 4  # rebuilds of one kind in one process
NO_TENANT = UUID(int=0)


@dataclass(slots=True)
class MarkRunner:
    db: Database
    outside: Outside
    wake: dict[str, asyncio.Event] = field(default_factory=dict)
    _last_tenant: dict[str, UUID] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.db = self.db.in_role(WORKER_ROLE)
        self.wake = {kind: asyncio.Event() for kind in MARKS}

    async def run(self) -> None:
        """Until cancelled, also when no kind is registered: a task that ends would end its process."""
        async with asyncio.TaskGroup() as group:
            group.create_task(asyncio.Event().wait())
            for definition in MARKS.values():
                for _ in range(min(AT_ONCE, definition.cap)):  # each by itself: a slow one holds up no other
                    group.create_task(self._serve(definition))

    def notified(self, kind: str) -> None:
        if kind in self.wake:
            self.wake[kind].set()

    async def _serve(self, definition: MarkDefinition) -> None:
        while True:
            self.wake[definition.kind].clear()
            try:
                await self.drain(definition)
            except Exception:
                log.warning("marks could not be taken and are tried again", exc_info=True)
                await asyncio.sleep(POLL_SECONDS)
            try:
                await asyncio.wait_for(self.wake[definition.kind].wait(), POLL_SECONDS)
            except TimeoutError:
                continue

    async def drain(self, definition: MarkDefinition) -> int:
        """Rebuild until nothing is due (or the cap is reached); returns how many were done."""
        done = 0
        while await (self._rebuild_leased(definition) if definition.leased else self._rebuild(definition)):
            done += 1
        return done

    async def _rebuild(self, definition: MarkDefinition) -> bool:
        async with self.db.anonymous() as connection:
            mark = await store.take_mark(connection, definition.kind, self._turn(definition), definition.cap)
            if mark is None:
                return False
            tx = await store.begin_rebuild(connection, system_actor(mark.tenant_id))
            try:
                await definition.run(tx, mark.key)
            except Exception as error:
                # The mark stays locked until its failure is written, so that nobody tries again in between.
                await store.undo_rebuild(tx)
                await keep_failed_mark(tx, mark, error)
                _report_failure(definition, mark, error)
            else:
                await store.delete_mark(tx, mark)
                metrics.marks.labels(definition.kind, "rebuilt").inc()
        for act in tx.after_commit:
            act()
        self._last_tenant[definition.kind] = mark.tenant_id
        return True

    async def _rebuild_leased(self, definition: MarkDefinition) -> bool:
        async with self.db.anonymous() as connection:
            turn = self._turn(definition)
            mark = await store.lease_mark(connection, definition.kind, turn, definition.cap, LEASE)
        if mark is None:
            return False
        self._last_tenant[definition.kind] = mark.tenant_id
        actor = system_actor(mark.tenant_id)
        try:
            await definition.run(self.db, actor, mark.key, **ports_for(definition.run, self.outside))
            async with self.db.tx(actor) as tx:
                await store.delete_mark(tx, mark)
        except Exception as error:
            async with self.db.tx(actor) as tx:
                await keep_failed_mark(tx, mark, error)
                _report_failure(definition, mark, error)
        else:
            metrics.marks.labels(definition.kind, "rebuilt").inc()
        return True

    def _turn(self, definition: MarkDefinition) -> UUID:
        return self._last_tenant.get(definition.kind, NO_TENANT)


def _report_failure(definition: MarkDefinition, mark: TakenMark, error: Exception) -> None:
    metrics.marks.labels(definition.kind, "failed").inc()
    log.warning("a rebuild failed", exc_info=error, extra={"kind": definition.kind, "key": mark.key})
