"""Use cases: say that something is not to be relied on any more, take that back, and settle what rests on it."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.chain import events, retraction_store, store
from goldloop.chain.model import (
    LOOKED_AT,
    RETRACTABLE,
    ChainItem,
    ItemChange,
    ItemNotFound,
    ItemReason,
    ItemVerdict,
    NodeKind,
    NodeNotFound,
    PeopleRetract,
    Retraction,
    RetractionNotFound,
    RetractionUndone,
)
from goldloop.chain.permissions import CHAIN_READ, CHAIN_RETRACT
from goldloop.chain.refs import Ref, of_row, parse_ref
from goldloop.chain.retraction_store import ItemRow, NewItem, RetractionRow
from goldloop.chain.service import MAX_DEPTH, Known, look_up
from goldloop.chain.store import Described
from goldloop.chain.visibility import READ_BY, readable
from goldloop.claims.model import SETTINGS
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.pagination import (
    FIRST_ID,
    FIRST_TIME,
    LAST_ID,
    LAST_TIME,
    Page,
    decode_pair,
    page,
)
from goldloop.knowledge.model import KnowledgeState
from goldloop.responses.model import ResponseStatus
from goldloop.tenants.settings import service as workspace_settings

MAX_DOUBTED = (
    50_000  # nodes that are followed for a retraction: sessions and prompts on the way count as well
)
# What is over needs nobody's eyes.
_OPEN: dict[NodeKind, frozenset[str]] = {
    NodeKind.RESPONSE: frozenset({ResponseStatus.SUBMITTED, ResponseStatus.PARTIALLY_PROMOTED}),
    NodeKind.KNOWLEDGE: frozenset({KnowledgeState.PROPOSED, KnowledgeState.SHADOW, KnowledgeState.ACTIVE}),
}


async def retract(tx: Tx, asked: str, reason: str) -> Retraction:
    """Nothing changes but the list of what is to be looked at again. Said once more, it is looked up what rests on it by now,
    and only what is new is added."""
    _check_decides(tx)
    ref = parse_ref(asked, at="/ref")
    if ref.kind not in RETRACTABLE:
        kinds = ", ".join(sorted(RETRACTABLE))
        raise InvalidInput.at("/ref", "not_retractable", f"What can be retracted is a {kinds}")
    tx.actor.check(READ_BY[ref.kind])
    if not await store.describe(tx, [ref]):
        raise NodeNotFound
    at = await tx.moment()
    is_new = await retraction_store.insert(tx, ref.text, ref.kind, reason, at)
    retraction_id = await retraction_store.lock_in_force(tx, ref.text)
    if retraction_id is None:  # undone between the two: said of something that is in force no more
        return await retract(tx, asked, reason)
    items, truncated = await _find_items(tx, ref)
    added = await retraction_store.add_items(tx, retraction_id, items, at)
    await retraction_store.count_added(tx, retraction_id, added, truncated=truncated)
    row = await _access(tx, retraction_id)
    if is_new or added:
        payload = events.Retracted(kind=row.kind, items=row.items, added=added)
        await emit(tx, events.RETRACTED.of(retraction_id, payload))
    return (await _shown(tx, [row]))[0]


async def _find_items(tx: Tx, ref: Ref) -> tuple[list[NewItem], bool]:
    """Whatever rests on it, also where the way there leads through what the actor may not read: only what they may is shown
    to them, and the rest waits for whoever may."""
    found = await store.walk(
        tx,
        ref,
        forward=True,
        depth=MAX_DEPTH,
        limit=MAX_DOUBTED,
        kinds=list(NodeKind),
        people=True,
        claims=await workspace_settings.read(tx, SETTINGS),
        doubts=True,
    )
    depths = dict(zip(found.refs, found.depths, strict=True))
    refs = [of_row(text) for text in found.refs if text != ref.text]
    refs = [each for each in refs if each.kind in LOOKED_AT]
    described = await store.describe(tx, refs)
    items = [
        NewItem(each.text, each.kind, depths[each.text])
        for each in refs
        if _is_open(each, described.get(each.text))
    ]
    return items, bool(found.cut)


def _is_open(ref: Ref, found: Described | None) -> bool:
    return found is not None and (ref.kind not in _OPEN or found.state in _OPEN[ref.kind])


async def undo(tx: Tx, retraction_id: UUID) -> Retraction:
    _check_decides(tx)
    row = await retraction_store.lock(tx, retraction_id)
    if row is None:
        raise RetractionNotFound
    if row.undone_at is None:
        await retraction_store.undo(tx, retraction_id, await tx.moment())
        await emit(tx, events.UNDONE.of(retraction_id, events.Undone(kind=row.kind)))
    return await access(tx, retraction_id)


async def settle(tx: Tx, item_id: UUID, verdict: ItemVerdict | None, note: str | None) -> ChainItem:
    """For every retraction for which the same waits: a person looks at it once. Without a verdict it waits again, as do those that
    were settled with it. What is settled already may be settled otherwise."""
    _check_decides(tx)
    found = await _access_item(tx, item_id)
    alike = await retraction_store.lock_alike(tx, found)
    item = next(each for each in alike if each.id == item_id)
    if item.undone_at is not None:
        raise RetractionUndone(conflict={"id": str(item.retraction_id), "undone_at": str(item.undone_at)})
    if changed := [each for each in alike if (each.verdict, each.note) != (verdict, note)]:
        await retraction_store.settle(tx, changed, verdict, note, await tx.moment())
        for each in changed:
            payload = events.Settled(retraction_id=each.retraction_id, kind=each.kind)
            if verdict is not None:
                payload = events.Settled(retraction_id=each.retraction_id, kind=each.kind, verdict=verdict)
            await emit(tx, events.SETTLED.of(each.id, payload))
    return (await _shown_items(tx, [await _access_item(tx, item_id)]))[0]


async def access(tx: Tx, retraction_id: UUID) -> Retraction:
    tx.actor.check(CHAIN_READ)
    return (await _shown(tx, [await _access(tx, retraction_id)]))[0]


async def list_retractions(tx: Tx, in_force: bool | None, cursor: str | None, limit: int) -> Page[Retraction]:
    tx.actor.check(CHAIN_READ)
    before = decode_pair(cursor, type(LAST_TIME)) or (LAST_TIME, LAST_ID)
    rows = await retraction_store.list_newest_first(tx, in_force, before, limit + 1)
    return page(await _shown(tx, rows), limit, lambda row: (row.created_at, row.id))


async def list_items(
    tx: Tx, retraction_id: UUID | None, waits: bool | None, cursor: str | None, limit: int
) -> Page[ChainItem]:
    tx.actor.check(CHAIN_READ)
    if retraction_id is not None:
        await _access(tx, retraction_id)
    after = decode_pair(cursor, type(FIRST_TIME)) or (FIRST_TIME, FIRST_ID)
    rows = await retraction_store.list_items(tx, retraction_id, waits, looked_at(tx), after, limit + 1)
    return page(await _shown_items(tx, rows), limit, lambda row: (row.created_at, row.id))


def looked_at(tx: Tx) -> list[NodeKind]:
    """The kinds of things to look at again that the actor may read."""
    return [kind for kind in readable(tx.actor.may) if kind in LOOKED_AT]


async def _access(tx: Tx, retraction_id: UUID) -> RetractionRow:
    row = await retraction_store.find(tx, retraction_id)
    if row is None:
        raise RetractionNotFound
    return row


async def _access_item(tx: Tx, item_id: UUID) -> ItemRow:
    item = await retraction_store.find_item(tx, item_id)
    if item is None or not tx.actor.may(READ_BY[item.kind]):
        raise ItemNotFound
    return item


async def _shown(tx: Tx, rows: Sequence[RetractionRow]) -> list[Retraction]:
    known = await look_up(tx, [of_row(row.ref) for row in rows])
    return [
        Retraction(**{**row._asdict(), "title": known.title(ref)})
        for row, ref in zip(rows, known.refs, strict=True)
    ]


async def _shown_items(tx: Tx, rows: Sequence[ItemRow]) -> list[ChainItem]:
    waiting = await retraction_store.list_waiting(tx, [row.ref for row in rows if row.waits])
    texts = {row.ref for row in rows} | {row.retracted for row in [*rows, *waiting]}
    refs = {text: of_row(text) for text in texts}
    known = await look_up(tx, list(refs.values()))
    return [_shown_item(row, waiting, refs, known) for row in rows]


def _shown_item(row: ItemRow, waiting: Sequence[ItemRow], refs: dict[str, Ref], known: Known) -> ChainItem:
    shown = {key: value for key, value in row._asdict().items() if key != "undone_at"}
    others = [each for each in waiting if row.waits and each.ref == row.ref and each.id != row.id]
    return ChainItem(
        **shown,
        retracted_title=known.title(refs[row.retracted]),
        title=known.title(refs[row.ref]),
        href=known.href(refs[row.ref]),
        also_for=[
            ItemReason(
                retraction_id=each.retraction_id,
                retracted=each.retracted,
                retracted_title=known.title(refs[each.retracted]),
                reason=each.reason,
            )
            for each in others
        ],
        changed=_changed(row, refs[row.ref], known.described.get(row.ref)),
    )


def _changed(row: ItemRow, ref: Ref, found: Described | None) -> ItemChange | None:
    if found is None:
        return ItemChange.GONE
    if not _is_open(ref, found):
        return ItemChange.DECIDED
    if ref.kind is NodeKind.FIELD and found.at is not None and found.at > row.created_at:
        return ItemChange.REWRITTEN
    return None


def _check_decides(tx: Tx) -> None:
    tx.actor.check(CHAIN_RETRACT)
    if tx.actor.kind is ActorKind.AGENT:
        raise PeopleRetract
