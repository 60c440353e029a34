"""Counts requests in this process, and settles the counts with other processes in the background. Infrastructure.

A request costs no query: what the limits are is known for as long as nobody tells of a change, and counts are in memory. While
something is counted, each process writes its own counts about once a second and reads those of the others in the same
statement; at rest it does nothing. So the processes of an installation together let in at most what they let in since they
last settled beyond a limit. A process that dies takes what it counted since then with it.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

import asyncpg

from goldloop.kit.db import Actor, ActorKind, Database
from goldloop.kit.errors import TooManyRequests
from goldloop.kit.ids import new_id
from goldloop.limits import service, store
from goldloop.limits.budgets import find_full
from goldloop.limits.headers import rate_limit_headers
from goldloop.limits.model import NONE
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.limits.service import Known
from goldloop.limits.windows import SECONDS, Count, Policy, renewed, take, window_of
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.auth.authenticator import Authenticator

log = logging.getLogger("goldloop.limits")

SETTLE_SECONDS = 1.0
KNOWN_SECONDS = 60.0  # a notification drops them at once; what was measured since is read then
KNOWN_SECONDS_DEAF = 0.5  # while notifications cannot be heard
MOST_KNOWN = 10_000  # workspaces
NO_HEADERS: dict[str, str] = {}
_AWAY = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


class _Kept(NamedTuple):
    known: Known
    until: float
    generation: int


class Admitted(NamedTuple):
    """`refusal` is what a request is answered where it is not let in; `headers` tell what is left."""

    refusal: TooManyRequests | None
    headers: dict[str, str]


FREELY = Admitted(None, NO_HEADERS)


@dataclass(slots=True)
class Limiter:
    """`clock` tells the time of windows."""

    db: Database
    auth: Authenticator
    clock: Callable[[], float] = time.time
    process_id: UUID = field(default_factory=new_id)
    _kept: dict[UUID, _Kept] = field(default_factory=dict)
    _loading: dict[UUID, asyncio.Task[Known]] = field(default_factory=dict)
    _counts: dict[UUID, dict[UUID, Count]] = field(
        default_factory=dict
    )  # by workspace, then by whose they are
    _unsettled: set[UUID] = field(default_factory=set)
    _settling: asyncio.Task[None] | None = None

    async def admit(self, actor: Actor, *, always: bool = False) -> Admitted:
        """Count a request of an actor, if it may be made. An administrator who is signed in is counted and never refused: they
        are who can change the limits."""
        tenant_id = actor.tenant_id
        known = self._find_known(tenant_id) or await self._load(tenant_id)
        policies = _policies(known, actor)
        if not policies:
            return FREELY
        now = self.clock()
        window, counts = window_of(now), self._counts.setdefault(tenant_id, {})
        counted: list[tuple[Policy, Count]] = []
        for subject, policy in policies:
            counts[subject] = count = renewed(counts.get(subject), window)
            counted.append((policy, count))
        verdict = take(counted, now, always=always or _is_administrator(actor))
        headers = rate_limit_headers(verdict)
        if verdict.refused_by is None:
            self._note(tenant_id)
            return Admitted(None, headers)
        return Admitted(_refusal(verdict.refused_by, verdict.seconds), headers)

    async def check_room(self, tenant_id: UUID) -> None:
        """That something new may be stored, without asking the database. Raises StorageFull."""
        known = self._find_known(tenant_id) or await self._load(tenant_id)
        full = find_full(known.limits, known.measure)
        if full is not None:
            raise full

    async def settle(self, tenant_id: UUID) -> None:
        """Write what was counted here, and read what others have counted."""
        window = window_of(self.clock())
        counts = {
            subject: count
            for subject, count in self._counts.pop(tenant_id, {}).items()
            if count.window == window
        }
        if not counts:
            return
        self._counts[tenant_id] = counts
        caller = self.db.autocommit(system_actor(tenant_id))
        own = {subject: count.own for subject, count in counts.items()}
        others = await store.settle(caller, self.process_id, service.minute_of(window * SECONDS), own)
        for subject, requests in others.items():
            if counts[subject].window == window:
                counts[subject].others = requests

    def _note(self, tenant_id: UUID) -> None:
        self._unsettled.add(tenant_id)
        if self._settling is None or self._settling.done():
            self._settling = asyncio.create_task(self._settle_while_counting())

    async def _settle_while_counting(self) -> None:
        """The first at once, the next a second later; it ends when a second has passed in which nothing was counted."""
        while self._unsettled:
            tenants, self._unsettled = self._unsettled, set()
            for tenant_id in tenants:
                try:
                    await self.settle(tenant_id)
                except _AWAY as error:
                    self._unsettled.add(tenant_id)
                    log.warning("counts of requests were not settled and are kept: %s", error)
            await asyncio.sleep(SETTLE_SECONDS)

    def _find_known(self, tenant_id: UUID) -> Known | None:
        """What is known of a workspace's limits; None where that has to be read before anybody is let in."""
        kept = self._kept.get(tenant_id)
        if kept is None or kept.generation != self.auth.generation:
            return None
        if kept.until > time.monotonic():
            return kept.known
        if not self.auth.listening:
            return None
        self._begin_loading(tenant_id)  # nobody has told of a change: it will do until that is done
        return kept.known

    def _begin_loading(self, tenant_id: UUID) -> asyncio.Task[Known]:
        if tenant_id not in self._loading:
            task = asyncio.create_task(self._read(tenant_id))
            self._loading[tenant_id] = task
            task.add_done_callback(lambda _: self._loading.pop(tenant_id, None))
        return self._loading[tenant_id]

    async def _load(self, tenant_id: UUID) -> Known:
        return await asyncio.shield(self._begin_loading(tenant_id))

    async def _read(self, tenant_id: UUID) -> Known:
        """Where the database does not answer, what was known is gone by, or nothing is limited: nobody gets far without it."""
        generation, before = self.auth.generation, self._kept.get(tenant_id)
        seconds = KNOWN_SECONDS if self.auth.listening else KNOWN_SECONDS_DEAF
        try:
            async with self.db.reading().tx(system_actor(tenant_id)) as tx:
                known = await service.load(tx)
        except _AWAY as error:
            log.warning("limits could not be read: %s", error)
            known = before.known if before else Known(NONE, {}, None)
            seconds = KNOWN_SECONDS_DEAF
        if len(self._kept) >= MOST_KNOWN:
            self._kept.clear()
            self._counts.clear()
        self._kept[tenant_id] = _Kept(known, time.monotonic() + seconds, generation)
        return known


def _policies(known: Known, actor: Actor) -> list[tuple[UUID, Policy]]:
    """Whose requests are counted for one of an actor, and how many they may be."""
    found: list[tuple[UUID, Policy]] = []
    if known.limits.requests_per_minute is not None:
        found.append((actor.tenant_id, Policy("workspace", known.limits.requests_per_minute)))
    if actor.key_id is not None:
        most = known.keys.get(actor.key_id, known.limits.key_requests_per_minute)
        if most is not None:
            found.append((actor.key_id, Policy("key", most)))
    return found


def _is_administrator(actor: Actor) -> bool:
    return actor.key_id is None and actor.kind is ActorKind.USER and actor.may(LIMITS_MANAGE)


def _refusal(policy: Policy, seconds: int) -> TooManyRequests:
    whose = "This API key" if policy.name == "key" else "This workspace"
    return TooManyRequests(
        f"{whose} has made the {policy.most:,} requests that it may make in a minute",
        headers={"Retry-After": str(seconds)},
    )
