"""Listens to PostgreSQL's notifications and passes them to this process's open streams. One feed per process. Infrastructure.

Speed comes from notifications, completeness from polling: the event log is read again every few seconds with
an overlap, so a lost notification is late and never missing. A repeated message does no harm.
"""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from goldloop.kit import metrics
from goldloop.kit.db import Actor, Database, connect
from goldloop.kit.ids import new_id
from goldloop.live import store
from goldloop.live.changes import Changes, add_change
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.settings import service as settings

log = logging.getLogger("goldloop.live")

WATCH_FOR = timedelta(seconds=60)
POLL_SECONDS = 5.0
POLL_OVERLAP = timedelta(seconds=15)  # longer than any request's transaction
POLLED_EVENTS = (
    1000  # topics are few: the newest thousand events name them all, though not all their subjects
)
HEALTH_SECONDS = 5.0
MOST_MEASURED = 50  # workspaces that are asked for their newest event when the lag is measured
RECONNECT_SECONDS = 0.5
QUIET_SECONDS = 0.05  # a burst of changes is one message

REFETCH = "*"
RECHECK = "!"  # wakes streams so that they see whether they may still be open


@dataclass(eq=False, slots=True)
class Stream:
    """One open browser connection, with the changes that are still to be sent to it."""

    pending: Changes = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def notify(self, changes: Changes) -> None:
        for topic, subjects in changes.items():
            add_change(self.pending, topic, subjects)
        self.wake.set()

    async def next(self, timeout: float) -> Changes | None:
        """The changes to send, with the topic '*' for everything, or None when `timeout` passed without any."""
        try:
            await asyncio.wait_for(self.wake.wait(), timeout)
        except TimeoutError:
            return None
        await asyncio.sleep(QUIET_SECONDS)
        self.wake.clear()
        changes, self.pending = self.pending, {}
        return changes


@dataclass(slots=True)
class Feed:
    db: Database
    url: str
    auth: Authenticator
    on_mark: Callable[[str], None] = lambda kind: None
    watcher: UUID = field(default_factory=new_id)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    _streams: dict[UUID, set[Stream]] = field(default_factory=dict)
    _polled: dict[UUID, set[UUID]] = field(default_factory=dict)  # events that the last poll of a tenant saw
    _heard: dict[UUID, float] = field(default_factory=dict)  # when something was last heard of a tenant

    @contextlib.asynccontextmanager
    async def open(self, actor: Actor) -> AsyncIterator[Stream]:
        stream = Stream()
        self._streams.setdefault(actor.tenant_id, set()).add(stream)
        self._heard.setdefault(actor.tenant_id, time.monotonic())
        metrics.streams.inc()
        try:
            await self._watch(actor.tenant_id)
            yield stream
        finally:
            metrics.streams.dec()
            remaining = self._streams[actor.tenant_id]
            remaining.discard(stream)
            if not remaining:
                del self._streams[actor.tenant_id]
                self._polled.pop(actor.tenant_id, None)
                self._heard.pop(actor.tenant_id, None)

    async def run(self) -> None:
        """Until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._listen_forever())
            group.create_task(self._poll_forever())

    @property
    def listening(self) -> bool:
        return self.auth.listening

    async def lag(self, connection: Any) -> float:
        """How many seconds the newest event of a workspace that somebody looks at has waited here, unheard of; the longest
        of some workspaces, with a `connection` of the worker's role."""
        tenants = list(self._heard)[:MOST_MEASURED]
        if not tenants:
            return 0.0
        ages = await store.newest_event_ages(connection, tenants)
        now = time.monotonic()
        heard = {tenant: now - self._heard.get(tenant, now) for tenant in tenants}
        return max((age for tenant, age in ages.items() if age < heard[tenant]), default=0.0)

    def close(self) -> None:
        """The server stops: end every stream so that it need not wait for them."""
        self.closing.set()
        self._notify_all({REFETCH: None})

    async def _listen_forever(self) -> None:
        while True:
            try:
                await self._listen()
            except Exception as error:
                log.warning("live updates lost the database and connect again: %s", error)
            self.auth.listening = False
            self._forget()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        connection = await connect(self.url, statement_cache=0)
        try:
            for channel in ("goldloop_live", "goldloop_auth", "goldloop_marks"):
                await connection.add_listener(channel, self._on_notify)
            self._forget()
            self.auth.listening = True
            self._notify_all({REFETCH: None})  # whatever happened while nobody listened
            while True:
                await asyncio.sleep(HEALTH_SECONDS)
                await store.check_alive(connection, HEALTH_SECONDS)
        finally:
            connection.terminate()

    def _on_notify(self, _connection: Any, _pid: int, channel: str, payload: str) -> None:
        if channel == "goldloop_auth":
            self._forget()
            self._notify_all({RECHECK: None})
        elif channel == "goldloop_marks":
            self.on_mark(payload)
        else:
            tenant, topic, subjects = payload.split(" ", 2)
            changes: Changes = {}
            add_change(changes, topic, json.loads(subjects))
            self._hear(UUID(tenant), time.monotonic())
            self._notify(UUID(tenant), changes)

    def _forget(self) -> None:
        """What is known of keys, people, limits and settings may have changed, here or in another process."""
        self.auth.forget()
        settings.forget()

    def _hear(self, tenant_id: UUID, at: float) -> None:
        if tenant_id in self._streams:
            self._heard[tenant_id] = at

    async def _poll_forever(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            for tenant_id in list(self._streams):
                if not self.db.quota.has_room(tenant_id):
                    continue  # others do not wait for one that is busy
                try:
                    await self._poll(tenant_id)
                except Exception as error:
                    log.warning("live updates could not poll and try again: %s", error)

    async def _poll(self, tenant_id: UUID) -> None:
        await self._watch(tenant_id)
        looked_at = time.monotonic()
        async with self.db.tx(system_actor(tenant_id)) as tx:
            rows = await store.newest_events(tx, POLL_OVERLAP, POLLED_EVENTS)
        self._hear(tenant_id, looked_at)
        before, self._polled[tenant_id] = self._polled.get(tenant_id, set()), {row["id"] for row in rows}
        changes: Changes = {}
        for row in rows:
            if row["id"] not in before:
                add_change(changes, row["topic"], row["subjects"] if len(rows) < POLLED_EVENTS else None)
        if changes:
            self._notify(tenant_id, changes)

    async def _watch(self, tenant_id: UUID) -> None:
        async with self.db.tx(system_actor(tenant_id)) as tx:
            await store.watch(tx, self.watcher, WATCH_FOR)

    def _notify(self, tenant_id: UUID, changes: Changes) -> None:
        for stream in self._streams.get(tenant_id, ()):
            stream.notify(changes)

    def _notify_all(self, changes: Changes) -> None:
        for tenant_id in self._streams:
            self._notify(tenant_id, changes)
