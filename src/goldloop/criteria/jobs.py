"""Work that criteria sets leave for later: the default set follows its type."""

from goldloop.criteria.service import feature_first_scored, remove_default, sync_default_criteria_set
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, Listener, listen
from goldloop.kit.queue import job


@job("criteria.sync_default")
async def sync_default(tx: Tx, *, slug: str) -> None:
    entity_type = await types.find(tx, slug)
    if entity_type is not None:
        await sync_default_criteria_set(tx, entity_type)
        await feature_first_scored(tx, slug)


@job("criteria.remove_default")
async def remove_default_of_type(tx: Tx, *, slug: str) -> None:
    await remove_default(tx, slug)


def _slug(event: Event) -> dict[str, str]:
    return {"slug": event.subject_id}


for name in ("entity_type.created", "entity_type.changed"):
    listen(name, Listener(job="criteria.sync_default", payload=_slug))
listen("entity_type.removed", Listener(job="criteria.remove_default", payload=_slug))
