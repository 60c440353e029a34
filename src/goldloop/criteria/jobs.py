"""Jobs and listeners of criteria sets: the default set follows its type."""

from uuid import UUID

from goldloop.criteria.service import (
    check_can_be_featured,
    feature_first_scored,
    remove_default,
    sync_default_criteria_set,
)
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import enqueue, job

REPAIRED = 50  # types in one transaction


@job("criteria.sync_default")
async def sync_default(tx: Tx, *, slug: str) -> None:
    entity_type = await types.find(tx, slug)
    if entity_type is not None:
        await sync_default_criteria_set(tx, entity_type)
        await feature_first_scored(tx, slug)


@job("criteria.repair")
async def repair(tx: Tx, *, after: str = "") -> None:
    """The default sets of all types, a batch, and then the next."""
    found = await types.list_by_slug(tx, after, REPAIRED)
    for entity_type in found:
        await sync_default(tx, slug=entity_type.slug)
    if found:
        await enqueue(tx, "criteria.repair", {"after": found[-1].slug})


@job("criteria.remove_default")
async def remove_default_of_type(tx: Tx, *, slug: str) -> None:
    await remove_default(tx, slug)


async def follow_type(tx: Tx, event: Event) -> None:
    """In the transaction that changed the type, which ends here where the set that it features cannot give the score."""
    if event.payload.get("featured"):
        await check_can_be_featured(tx, UUID(event.payload["featured"]), event.subject_id)
    await sync_default(tx, slug=event.subject_id)


def _slug(event: Event) -> dict[str, str]:
    return {"slug": event.subject_id}


for name in ("entity_type.created", "entity_type.changed"):
    listen(name, Listener(act=follow_type))
listen("entity_type.removed", Listener(job="criteria.remove_default", payload=_slug))
