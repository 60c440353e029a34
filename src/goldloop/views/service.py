"""Use cases: create, list, change and delete views."""

from uuid import UUID

from goldloop.entities.model import check_version
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import Event, EventType, emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import Page, decode_cursor, page
from goldloop.views import events, store
from goldloop.views.model import Block, View, ViewExists, ViewNotFound
from goldloop.views.permissions import VIEWS_MANAGE, VIEWS_READ


async def create(
    tx: Tx, view_id: UUID | None, slug: str, name: str, entity_type: str | None, blocks: list[Block]
) -> View:
    """Create a view. The same create again answers with what is there."""
    tx.actor.check(VIEWS_MANAGE)
    if entity_type is not None and await types.find(tx, entity_type) is None:
        raise InvalidInput.at("/entity_type", "entity_type_not_found", "There is no such entity type")
    made = await store.insert(tx, view_id or new_id(), slug, name, entity_type, blocks)
    found = await store.find_by_slug(tx, slug)
    if found is None or (
        not made
        and (found.id, found.name, found.entity_type, found.blocks) != (view_id, name, entity_type, blocks)
    ):
        raise ViewExists(conflict={"slug": slug})
    if made:
        await emit(tx, _event(events.CREATED, found))
    return found


async def access(tx: Tx, view_id: UUID) -> View:
    tx.actor.check(VIEWS_READ)
    found = await store.find(tx, view_id)
    if found is None:
        raise ViewNotFound
    return found


async def list_views(tx: Tx, entity_type: str | None, cursor: str | None, limit: int) -> Page[View]:
    tx.actor.check(VIEWS_READ)
    rows = await store.list_by_slug(tx, entity_type, decode_cursor(cursor, str) or "", limit + 1)
    return page(rows, limit, lambda view: view.slug)


async def change(
    tx: Tx, view_id: UUID, version: int | None, name: str | None, blocks: list[Block] | None
) -> View:
    """What is there already, perhaps by this very change sent before, makes no new version."""
    tx.actor.check(VIEWS_MANAGE)
    before = await store.lock(tx, view_id)
    if before is None:
        raise ViewNotFound
    name, blocks = name or before.name, before.blocks if blocks is None else blocks
    if (name, blocks) == (before.name, before.blocks):
        return before
    check_version("view", version, before.version)
    await store.update(tx, view_id, name, blocks)
    after = await access(tx, view_id)
    await emit(tx, _event(events.CHANGED, after))
    return after


async def remove(tx: Tx, view_id: UUID) -> None:
    tx.actor.check(VIEWS_MANAGE)
    view = await access(tx, view_id)
    await store.delete(tx, view_id)
    await emit(tx, _event(events.REMOVED, view))


def _event(happened: EventType[events.OfView], view: View) -> Event:
    return happened.of(view.id, events.OfView(slug=view.slug))
