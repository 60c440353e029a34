"""Reading and writing a section of a workspace's settings. Who may is asked by the use case of the concept that declares it."""

from time import monotonic
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.tenants.settings import store
from goldloop.tenants.settings.model import S, Section, Stored

SECONDS_KNOWN = 5.0  # a notification drops what is known at once; this bounds a lost one
MOST_KNOWN = 10_000


class _Known(NamedTuple):
    until: float
    stored: Stored | None
    value: Any


_CACHE: dict[tuple[UUID, str], _Known] = {}
_generation = 0  # of what may be kept: what was read before the last `forget` may not


def forget() -> None:
    """Somebody set something, perhaps in another process."""
    global _generation
    _CACHE.clear()
    _generation += 1


async def read(tx: Tx, section: Section[S]) -> S:
    """As it is now."""
    return _parse(section, await store.find(tx, section.name))


async def read_cached(tx: Tx, section: Section[S]) -> S:
    """As it was at most a few seconds ago, for what every write asks and hardly ever changes. What was parsed before is kept
    as long as its version is the one that is there."""
    key = tx.actor.tenant_id, section.name
    known = _CACHE.get(key)
    if known is None or monotonic() > known.until:
        generation = _generation
        known = _remember(key, await _renew(tx, section, known), generation)
    value: S = known.value
    return value


async def write(tx: Tx, section: Section[S], value: S) -> None:
    tx.after_commit.append(forget)
    await store.write(tx, section.name, msgspec.to_builtins(value))


async def _renew(tx: Tx, section: Section[S], known: _Known | None) -> _Known:
    before = known.stored if known else None
    found = await store.find(tx, section.name, *(before[:2] if before else ()))
    is_same = known is not None and before is not None and found is not None and found.value is None
    value = known.value if known is not None and is_same else _parse(section, found)
    return _Known(monotonic() + SECONDS_KNOWN, found, value)


def _remember(key: tuple[UUID, str], known: _Known, generation: int) -> _Known:
    if generation != _generation:
        return known  # something was set while it was read: good for this once
    if len(_CACHE) > MOST_KNOWN:
        _CACHE.clear()
    _CACHE[key] = known
    return known


def _parse(section: Section[S], found: Stored | None) -> S:
    return msgspec.convert(found.value if found and found.value else {}, section.type)
