"""Use cases: keep a list of records under a name, share it, and choose the columns of a type."""

from uuid import UUID

from goldloop.entities.model import EntityTypeNotFound, check_version
from goldloop.entities.permissions import (
    ENTITIES_READ,
    SAVED_LISTS_MANAGE,
    SAVED_LISTS_OWN,
    SAVED_LISTS_SHARE,
)
from goldloop.entities.saved_lists import events, store
from goldloop.entities.saved_lists.model import (
    ListColumns,
    ListQuery,
    SavedList,
    SavedListExists,
    SavedListNotFound,
)
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import FIRST_ID, Page, decode_keys, encode_cursor, has_more


async def create(tx: Tx, list_id: UUID | None, name: str, query: ListQuery, shared: bool) -> SavedList:
    """Save a list. The same create again answers with what is there."""
    tx.actor.check(SAVED_LISTS_OWN)
    _check_may_share(tx, shared)
    await _check_type(tx, query)
    made_id = list_id or new_id()
    made = await store.insert(tx, made_id, name, query, shared)
    found = await store.find(tx, made_id)
    if found is None or (
        not made and (found.own, found.name, found.query, found.shared) != (True, name, query, shared)
    ):
        raise SavedListExists(conflict={"id": str(made_id)})
    if made:
        await emit(tx, events.CREATED.of(made_id, events.OfList(shared=shared)))
    return found


async def access(tx: Tx, list_id: UUID) -> SavedList:
    tx.actor.check(ENTITIES_READ)
    return _seen(await store.find(tx, list_id))


async def list_saved(tx: Tx, cursor: str | None, limit: int) -> Page[SavedList]:
    """One's own and those that are shared, by name."""
    tx.actor.check(ENTITIES_READ)
    after = decode_keys(cursor, tuple[str, UUID]) or ("", FIRST_ID)
    rows = await store.list_by_name(tx, after, limit + 1)
    shown = list(rows[:limit])
    more = has_more(rows, limit) and shown
    return Page(data=shown, next_cursor=encode_cursor(shown[-1].name, shown[-1].id) if more else None)


async def change(
    tx: Tx, list_id: UUID, version: int | None, name: str | None, query: ListQuery | None, shared: bool | None
) -> SavedList:
    """What is there already, perhaps by this very change sent before, makes no new version."""
    tx.actor.check(SAVED_LISTS_OWN)
    before = _seen(await store.lock(tx, list_id))
    wanted = (
        before.name if name is None else name,
        before.query if query is None else query,
        before.shared if shared is None else shared,
    )
    _check_may_change(tx, before)
    _check_may_share(tx, wanted[2])
    if wanted == (before.name, before.query, before.shared):
        return before
    check_version("saved list", version, before.version)
    await _check_type(tx, wanted[1])
    await store.update(tx, list_id, *wanted)
    await emit(tx, events.CHANGED.of(list_id, events.OfList(shared=before.shared or wanted[2])))
    changed = await store.find(tx, list_id)
    assert changed is not None, "it is locked"
    return changed


async def remove(tx: Tx, list_id: UUID) -> None:
    tx.actor.check(SAVED_LISTS_OWN)
    before = _seen(await store.lock(tx, list_id))
    _check_may_change(tx, before)
    await store.delete(tx, list_id)
    await emit(tx, events.REMOVED.of(list_id, events.OfList(shared=before.shared)))


async def show_columns(tx: Tx, entity_type: str) -> ListColumns:
    tx.actor.check(ENTITIES_READ)
    await _check_type_exists(tx, entity_type)
    return ListColumns(columns=await store.columns(tx, entity_type))


async def choose_columns(tx: Tx, entity_type: str, columns: list[str]) -> ListColumns:
    """For oneself. Fields that the type has no longer are kept, and shown by nobody."""
    tx.actor.check(SAVED_LISTS_OWN)
    await _check_type_exists(tx, entity_type)
    chosen = list(dict.fromkeys(columns))
    await store.set_columns(tx, entity_type, chosen)
    return ListColumns(columns=chosen)


def _seen(found: SavedList | None) -> SavedList:
    """Somebody else's list that is not shared is not there."""
    if found is None or not (found.own or found.shared):
        raise SavedListNotFound
    return found


def _check_may_change(tx: Tx, saved: SavedList) -> None:
    """Its maker may; of what others share, whoever looks after the workspace's lists."""
    if not saved.own:
        tx.actor.check(SAVED_LISTS_MANAGE)
    _check_may_share(tx, saved.shared)


def _check_may_share(tx: Tx, shared: bool) -> None:
    if shared:
        tx.actor.check(SAVED_LISTS_SHARE)


async def _check_type(tx: Tx, query: ListQuery) -> None:
    if query.type is not None and await types.find(tx, query.type) is None:
        raise InvalidInput.at("/query/type", "entity_type_not_found", "There is no such entity type")


async def _check_type_exists(tx: Tx, entity_type: str) -> None:
    if await types.find(tx, entity_type) is None:
        raise EntityTypeNotFound
