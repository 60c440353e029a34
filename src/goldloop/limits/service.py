"""Use cases: set limits, see what is used and left, and refuse what would go beyond."""

from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.clock import now
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.events import emit, notify
from goldloop.limits import events, store
from goldloop.limits.budgets import day_of, end_of_day, find_full, find_spent, lower, nearly_spent
from goldloop.limits.installation import installation_limits
from goldloop.limits.model import (
    SETTINGS,
    KeyLimit,
    LimitName,
    LimitsView,
    LimitUse,
    RunUsage,
    StorageMeasure,
    UsageLimits,
)
from goldloop.limits.permissions import LIMITS_MANAGE
from goldloop.limits.windows import SECONDS, window_of
from goldloop.tenants.keys import store as keys
from goldloop.tenants.model import ApiKey, KeyNotFound, KeyStatus
from goldloop.tenants.settings import service as settings

MOST_KEYS = 200  # that are shown


class Known(NamedTuple):
    """What a process goes by. `keys` are the limits of those that have their own."""

    limits: UsageLimits
    keys: dict[UUID, int]
    measure: StorageMeasure | None


async def load(tx: Tx) -> Known:
    limits = lower(await settings.read(tx, SETTINGS), installation_limits())
    measure = await store.find_measure(tx) if limits.storage_bytes is not None else None
    return Known(limits, await store.find_key_limits(tx), measure)


async def check_run(tx: Tx) -> None:
    """That a run may start. Raises TokenBudgetSpent, CostBudgetSpent or StorageFull. What has started goes on."""
    limits = await _limits(tx)
    if limits.tokens_per_day is not None or limits.cost_per_day is not None:
        moment = now()
        spent = find_spent(limits, await store.find_usage(tx, day_of(moment)), moment)
        if spent is not None:
            raise spent
    await _check_room(tx, limits)


async def check_room(tx: Tx) -> None:
    """That something new may be stored. Raises StorageFull."""
    await _check_room(tx, await _limits(tx))


async def _check_room(tx: Tx, limits: UsageLimits) -> None:
    if limits.storage_bytes is not None:
        full = find_full(limits, await store.find_measure(tx))
        if full is not None:
            raise full


async def _limits(tx: Tx) -> UsageLimits:
    return lower(await settings.read_cached(tx, SETTINGS), installation_limits())


async def show(tx: Tx, moment: datetime | None = None) -> LimitsView:
    tx.actor.check(LIMITS_MANAGE)
    own, moment = await settings.read(tx, SETTINGS), moment or now()
    limits = lower(own, installation_limits())
    minute = minute_of(moment.timestamp())
    requests = await store.find_requests(tx, minute)
    measure = await store.find_measure(tx)
    usage = await store.find_usage(tx, day_of(moment))
    return LimitsView(
        limits=own,
        installation=installation_limits(),
        uses=_uses(limits, requests.get(tx.actor.tenant_id, 0), usage, measure, moment),
        keys=await _keys(tx, limits.key_requests_per_minute, requests),
        storage=measure,
    )


def minute_of(timestamp: float) -> datetime:
    """When the window began that a time is in."""
    return datetime.fromtimestamp(window_of(timestamp) * SECONDS, UTC)


def _uses(
    limits: UsageLimits, requests: int, usage: RunUsage, measure: StorageMeasure | None, at: datetime
) -> list[LimitUse]:
    next_minute, midnight = minute_of(at.timestamp() + SECONDS), end_of_day(at)
    counted = requests if limits.requests_per_minute is not None else None  # without a limit nobody counts
    return [
        _use(LimitName.REQUESTS_PER_MINUTE, limits.requests_per_minute, counted, next_minute),
        _use(LimitName.TOKENS_PER_DAY, limits.tokens_per_day, usage.tokens, midnight),
        _use(LimitName.COST_PER_DAY, limits.cost_per_day, usage.cost, midnight),
        _use(LimitName.STORAGE_BYTES, limits.storage_bytes, measure.bytes if measure else None, None),
    ]


def _use(name: LimitName, most: float | None, used: float | None, resets_at: datetime | None) -> LimitUse:
    left = max(0, most - (used or 0)) if most is not None else None
    return LimitUse(limit=name, most=most, used=used, left=left, resets_at=resets_at)


async def _keys(tx: Tx, for_each: int | None, requests: dict[UUID, int]) -> list[KeyLimit]:
    """Of the newest that work, those with a limit."""
    own = await store.find_key_limits(tx)
    if not own and for_each is None:
        return []
    active = await keys.list_newest_first(tx, KeyStatus.ACTIVE, None, MOST_KEYS)
    return [
        _key(key, most, key.id in own, requests.get(key.id, 0))
        for key in active
        if (most := own.get(key.id, for_each)) is not None
    ]


def _key(key: ApiKey, most: int, own: bool, used: int) -> KeyLimit:
    return KeyLimit(
        key_id=key.id,
        name=key.name,
        requests_per_minute=most,
        own=own,
        used=used,
        left=max(0, most - used),
    )


async def change(tx: Tx, wanted: UsageLimits) -> LimitsView:
    _check_decides(tx)
    before = await settings.read(tx, SETTINGS)
    if wanted != before:
        await settings.write(tx, SETTINGS, wanted)
        payload = msgspec.structs.asdict(wanted)
        payload |= {f"{name}_before": value for name, value in msgspec.structs.asdict(before).items()}
        await emit(tx, events.CHANGED.of(tx.actor.tenant_id, events.LimitsChanged(**payload)))
        await store.tell_processes(tx)
    return await show(tx)


async def change_key(tx: Tx, key_id: UUID, requests_per_minute: int | None) -> LimitsView:
    """None takes its own limit back: it has that of every key then, where there is one."""
    _check_decides(tx)
    if await keys.find(tx, key_id) is None:
        raise KeyNotFound
    before = (await store.find_key_limits(tx)).get(key_id)
    if requests_per_minute != before:
        if requests_per_minute is None:
            await store.remove_key_limit(tx, key_id)
        else:
            await store.set_key_limit(tx, key_id, requests_per_minute)
        changed = events.KeyLimitChanged(
            requests_per_minute=requests_per_minute, requests_per_minute_before=before
        )
        await emit(tx, events.KEY_CHANGED.of(key_id, changed))
        await store.tell_processes(tx)
    return await show(tx)


def _check_decides(tx: Tx) -> None:
    """People say what may be used, whatever the key of an agent permits."""
    tx.actor.check(LIMITS_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("A person sets limits; an agent works within them")


async def keep_measure(tx: Tx, row_bytes: int, blob_bytes: int) -> None:
    await store.write_measure(tx, row_bytes, blob_bytes)
    await notify(tx, events.LIMITS)


async def count_nearly_spent(tx: Tx) -> int:
    limits = await _limits(tx)
    if limits.tokens_per_day is None and limits.cost_per_day is None:
        return 0
    return nearly_spent(limits, await store.find_usage(tx, day_of(now())))
