"""The single place that turns an API key or a sign-in session into an actor, cached for seconds. Infrastructure."""

import asyncio
import hashlib
import hmac
import logging
import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg

from goldloop.kit.clock import now
from goldloop.kit.db import Actor, Database
from goldloop.kit.errors import Unauthenticated
from goldloop.kit.ids import secret_hash
from goldloop.kit.queue import enqueue
from goldloop.tenants.auth.actors import key_holder, signed_in
from goldloop.tenants.auth.model import KeyHolder, SignedIn
from goldloop.tenants.keys import store as keys
from goldloop.tenants.sign_in import store as sign_in

log = logging.getLogger("goldloop.auth")

CACHE_SECONDS = 5.0  # a notification drops entries at once; this bounds a lost one
CACHE_SECONDS_DEAF = 0.5  # while notifications cannot be heard a revoked key must still stop within a second
CACHE_ENTRIES = 10_000
VISIT_RECORDED_EVERY = timedelta(minutes=5)  # a person looks for days and places, not for minutes
USE_RECORDED_EVERY = timedelta(minutes=1)  # a key's last use is shown in minutes, so no job more often


@dataclass(slots=True)
class Authenticator:
    db: Database
    secret: bytes
    listening: bool = False
    _cache: dict[Any, tuple[float, Any]] = field(default_factory=dict)
    _generation: int = 0  # of what may be cached: what was read before the last `forget` may not
    _recorded: dict[UUID, datetime] = field(default_factory=dict)
    _visiting: set[bytes] = field(default_factory=set)  # sessions whose visit is being recorded
    _background: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def generation(self) -> int:
        """Of what may be known of keys, members, agents, sessions and limits: what was read in another may not be gone by."""
        return self._generation

    def forget(self) -> None:
        """Clears the cache, because keys, members, agents, sessions or limits changed."""
        self._cache.clear()
        self._generation += 1

    def csrf_token(self, session: str) -> str:
        return hmac.new(self.secret, b"csrf:" + session.encode(), hashlib.sha256).hexdigest()

    async def key_holder(self, key: str) -> KeyHolder:
        hashed = secret_hash(key)
        holder: KeyHolder | None = self._cached(hashed)
        if holder is None:
            generation = self._generation
            async with self.db.anonymous() as connection:
                row = await keys.find_holder(connection, hashed)
            holder = self._keep(hashed, key_holder(row), generation)
        assert holder is not None
        if holder.expires_at and holder.expires_at <= now():
            raise Unauthenticated("This API key has expired")
        self._note_use(holder)
        return holder

    async def signed_in(self, session: str, slug: str | None, client: str | None = None) -> SignedIn | None:
        """`client` is the network address of a visitor, whose visit is noted."""
        hashed = secret_hash(session)
        person: SignedIn | None = self._cached((hashed, slug))
        if person is None:
            generation = self._generation
            async with self.db.anonymous() as connection:
                row = await sign_in.find_person(connection, hashed, slug)
            if row is None:
                return None
            person = self._keep((hashed, slug), signed_in(row), generation)
            if client is not None:
                self._note_visit(hashed, row["last_seen_at"], client)
        return person if person.expires_at > now() else None

    def _cached(self, key: Any) -> Any:
        entry = self._cache.get(key)
        return entry[1] if entry and entry[0] > time.monotonic() else None

    def _keep(self, key: Any, value: Any, generation: int) -> Any:
        if generation != self._generation:
            return value  # something changed while it was read: good for this request only
        if len(self._cache) >= CACHE_ENTRIES:
            self._cache.clear()
        lifetime = CACHE_SECONDS if self.listening else CACHE_SECONDS_DEAF
        self._cache[key] = (time.monotonic() + lifetime, value)
        return value

    def _note_use(self, holder: KeyHolder) -> None:
        """Queue a job that records the key's last use; in the background, and once a minute at most."""
        key_id, at = holder.actor.key_id, now()
        assert key_id is not None
        last = self._recorded.get(key_id) or holder.last_used_at
        if last and at - last < USE_RECORDED_EVERY:
            return
        if len(self._recorded) >= CACHE_ENTRIES:
            self._recorded.clear()
        self._recorded[key_id] = at
        task = asyncio.create_task(self._record_use(holder.actor, key_id, at))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _note_visit(self, hashed: bytes, last_seen_at: datetime, client: str) -> None:
        """Record when and from where a session is used; in the background, and once in five minutes at most."""
        if now() - last_seen_at < VISIT_RECORDED_EVERY or hashed in self._visiting:
            return
        self._visiting.add(hashed)
        task = asyncio.create_task(self._record_visit(hashed, client))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _record_visit(self, hashed: bytes, client: str) -> None:
        try:
            async with self.db.anonymous() as connection:
                await sign_in.touch_session(connection, hashed, client)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            log.warning("the use of a session was not recorded", exc_info=True)
        finally:
            self._visiting.discard(hashed)

    async def _record_use(self, actor: Actor, key_id: UUID, at: datetime) -> None:
        try:
            async with self.db.tx(actor) as tx:
                await enqueue(tx, "tenants.record_key_use", {"key_id": str(key_id), "at": at.isoformat()})
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            self._recorded.pop(key_id, None)
            log.warning("the use of an API key was not recorded", exc_info=True)
