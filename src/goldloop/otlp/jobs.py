"""Marks of traces and sessions: a trace of which something is new is derived, a session of which a trace ended is ended, one
that might go silent is looked at again. And the raw bodies that are forgotten in time."""

from uuid import UUID

from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark, periodic, set_marks
from goldloop.otlp import service, store
from goldloop.otlp.mapper import TraceStory
from goldloop.otlp.reading import read_story
from goldloop.sessions.large_payloads import put_large
from goldloop.sessions.payloads import is_large
from goldloop.sessions.service import SILENCE
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.workspaces import store as workspaces

PRUNE = 200  # bodies at once
SPREAD_AT_ONCE = 500
TENANTS = 1000


@mark(store.SPREAD, delay=store.GATHER)
async def spread(tx: Tx, key: str) -> None:
    """Bodies that came since: a mark for each of their traces."""
    if await store.spread(tx, SPREAD_AT_ONCE) == SPREAD_AT_ONCE:
        await set_marks(tx, store.SPREAD, [key])


@mark(store.DERIVE)
async def derive(tx: Tx, key: str) -> None:
    """What is sure of a trace; what is not is looked at again when no more of it is to be waited for."""
    await _derive(tx, key, wait=True)


@mark(service.DERIVE_LATER, delay=service.PATIENCE)
async def derive_later(tx: Tx, key: str) -> None:
    await _derive(tx, key, wait=False)


async def _derive(tx: Tx, key: str, *, wait: bool) -> None:
    """All in one transaction, unless something is to be written to the blob store."""
    trace_id = bytes.fromhex(key)
    parts = await service.read_parts(tx, trace_id)
    if parts is None:
        return
    story = await read_story(tx.actor.tenant_id, trace_id, parts)
    if wait and (service.is_early(story) or any(draft.is_unsure for draft in story.drafts)):
        await set_marks(tx, service.DERIVE_LATER, [key])
        if service.is_early(story):
            return
        story = _sure(story)
    events = service.events_of(story.drafts, parts.last_at)
    if any(is_large(event.payload) for event in events):
        await set_marks(tx, service.DERIVE_LARGE if wait else service.DERIVE_LARGE_LATER, [key])
    else:
        await service.apply(tx, trace_id, story, parts, events)


def _sure(story: TraceStory) -> TraceStory:
    """Without what a span that may yet come would tell better."""
    return story._replace(drafts=[draft for draft in story.drafts if not draft.is_unsure])


@mark(service.DERIVE_LARGE)
async def derive_large(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    await _derive_large(db, actor, key, outside, wait=True)


@mark(service.DERIVE_LARGE_LATER)
async def derive_large_later(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    await _derive_large(db, actor, key, outside, wait=False)


async def _derive_large(db: Database, actor: Actor, key: str, outside: Outside, *, wait: bool) -> None:
    trace_id = bytes.fromhex(key)
    async with db.tx(actor) as tx:
        parts = await service.read_parts(tx, trace_id)
    if parts is None:
        return
    story = await read_story(actor.tenant_id, trace_id, parts)
    if wait:
        story = _sure(story)
    events = service.events_of(story.drafts, parts.last_at)
    kept = await put_large(outside.blobs, actor.tenant_id, events)
    async with db.tx(actor) as tx:
        await service.apply(tx, trace_id, story, parts, kept)


@mark(service.SETTLE, delay=service.SETTLED)
async def settle(tx: Tx, key: str) -> None:
    await service.settle(tx, UUID(key))


@mark(service.WATCH, delay=SILENCE)
async def watch(tx: Tx, key: str) -> None:
    await service.watch(tx, UUID(key))


@periodic("otlp.prune", cron="17 * * * *")
async def prune(db: Database) -> None:
    """Forget raw bodies after as many days as a workspace says; sessions stay."""
    after = None
    while tenants := await workspaces.ids(db, after, TENANTS):
        for tenant_id in tenants:
            gone = PRUNE
            while gone == PRUNE:
                async with db.tx(system_actor(tenant_id)) as tx:
                    gone = await service.forget(tx, PRUNE)
        after = tenants[-1]
