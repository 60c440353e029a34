"""Runs marks: takes one, rebuilds the state that it names, and deletes it, in one transaction (or under a lease). Infrastructure.

Round-robin across tenants; one rebuild of a key at a time; never more of a kind at once than its cap, over all
workers. A crash leaves the mark, so the next worker rebuilds it. Kinds of which many are due are taken several at once; where
that fails each is rebuilt by itself, so that one that cannot be holds up no other. Whoever has nothing to do waits: a new mark is
told of, and one look a second at all kinds finds the rest.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from goldloop.jobs import mark_service, store
from goldloop.jobs.mark_service import report_failure
from goldloop.jobs.service import keep_failed_mark
from goldloop.jobs.store import TakenMark
from goldloop.kit import metrics
from goldloop.kit.db import WORKER_ROLE, Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import LEASE, MARKS, MarkDefinition, ports_for
from goldloop.tenants.auth.actors import system_actor

log = logging.getLogger("goldloop.marks")

POLL_SECONDS = 1.0  # between looks at what became due meanwhile, or was not told of
NO_TENANT = UUID(int=0)


@dataclass(slots=True)
class MarkRunner:
    db: Database
    outside: Outside
    _bells: dict[str, asyncio.Queue[None]] = field(
        default_factory=dict
    )  # by kind; each ring wakes one that waits
    _last_tenant: dict[str, UUID] = field(default_factory=dict)
    _leasing: dict[str, asyncio.Lock] = field(default_factory=dict)
    _leased: dict[str, Counter[UUID]] = field(default_factory=dict)  # by kind, how many of each tenant

    def __post_init__(self) -> None:
        self.db = self.db.in_role(WORKER_ROLE)
        self._bells = {kind: asyncio.Queue(maxsize=1) for kind in MARKS}
        self._leasing = {kind: asyncio.Lock() for kind in MARKS}
        self._leased = {kind: Counter() for kind in MARKS}

    async def run(self) -> None:
        """Until cancelled, also when no kind is registered: a task that ends would end its process."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look_forever())
            for definition in MARKS.values():
                for _ in range(
                    min(definition.in_process, definition.cap)
                ):  # each by itself: a slow one holds up no other
                    group.create_task(self._serve(definition))

    def notified(self, kind: str) -> None:
        bell = self._bells.get(kind)
        if bell is not None and not bell.full():
            bell.put_nowait(None)

    async def _look_forever(self) -> None:
        while True:
            try:
                async with self.db.anonymous() as connection:
                    due = await store.list_due_kinds(connection, list(self._bells))
            except Exception:
                log.warning("it could not be found out which marks are due", exc_info=True)
            else:
                for kind in due:
                    self.notified(kind)
            await asyncio.sleep(POLL_SECONDS)

    async def _serve(self, definition: MarkDefinition) -> None:
        while True:
            await self._bells[definition.kind].get()
            try:
                await self.drain(definition)
            except Exception:
                log.warning("marks could not be taken and are tried again", exc_info=True)

    async def drain(self, definition: MarkDefinition) -> int:
        """Rebuild until nothing is due (or the cap is reached); returns how many were done."""
        done = 0
        while more := await (
            self._rebuild_leased(definition) if definition.leased else self._rebuild(definition)
        ):
            done += more
        return done

    async def _rebuild(self, definition: MarkDefinition) -> int:
        async with self.db.anonymous() as connection:
            turn = self._turn(definition)
            marks = await store.take_marks(
                connection, definition.kind, turn, definition.cap, definition.at_once
            )
            if not marks:
                return 0
            self.notified(definition.kind)  # there may be more: another one looks meanwhile
            actor = system_actor(marks[0].tenant_id)
            tx = await store.begin_rebuild(connection, actor, durable=definition.durable)
            await mark_service.rebuild(tx, definition, marks)
        for act in tx.after_commit:
            act()
        self._last_tenant[definition.kind] = marks[0].tenant_id
        return len(marks)

    async def _rebuild_leased(self, definition: MarkDefinition) -> int:
        async with self._lease(definition) as mark:
            if mark is None:
                return 0
            self.notified(definition.kind)
            await self._rebuild_one(definition, mark)
        return 1

    @asynccontextmanager
    async def _lease(self, definition: MarkDefinition) -> AsyncIterator[TakenMark | None]:
        """The next mark, of a tenant that has not its share of the places of this process already."""
        leased = self._leased[definition.kind]
        async with self._leasing[definition.kind], self.db.anonymous() as connection:
            full = [tenant for tenant, count in leased.items() if count >= definition.share]
            turn = self._turn(definition)
            mark = await store.lease_mark(connection, definition.kind, turn, definition.cap, LEASE, full)
            if mark is not None:
                leased[mark.tenant_id] += 1
                self._last_tenant[definition.kind] = mark.tenant_id
        try:
            yield mark
        finally:
            if mark is not None:
                leased[mark.tenant_id] -= 1
                if not leased[mark.tenant_id]:
                    del leased[mark.tenant_id]

    async def _rebuild_one(self, definition: MarkDefinition, mark: TakenMark) -> None:
        actor = system_actor(mark.tenant_id)
        try:
            await definition.run(self.db, actor, mark.key, **ports_for(definition.run, self.outside))
            async with self.db.tx(actor) as tx:
                await store.delete_leased_mark(tx, mark)
        except Exception as error:
            async with self.db.tx(actor) as tx:
                await keep_failed_mark(tx, mark, error, definition.max_attempts, definition.give_up)
                report_failure(definition, mark, error)
        else:
            metrics.marks.labels(definition.kind, "rebuilt").inc()

    def _turn(self, definition: MarkDefinition) -> UUID:
        return self._last_tenant.get(definition.kind, NO_TENANT)
