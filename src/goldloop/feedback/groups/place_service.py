"""Use cases that put feedback into groups as it comes: by its keys, and then by its wording."""

import hashlib
from typing import NamedTuple
from uuid import UUID

from goldloop.entities.records.words import words
from goldloop.feedback.groups import decision_store, derived_service, events, place_store, store
from goldloop.feedback.groups.grouping import Grouping, Note, Placement
from goldloop.feedback.groups.keys import About, Keys, keys_of
from goldloop.feedback.groups.masks import is_same_reason
from goldloop.feedback.groups.place_store import Placed, Unplaced
from goldloop.feedback.groups.store import NewGroup
from goldloop.feedback.groups.thresholds import REMEMBERED
from goldloop.feedback.groups.wording import own_words
from goldloop.feedback.model import GroupKind
from goldloop.kit.at_first_use import np
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id

BATCH = 64  # rows whose keys are looked at in one transaction
COMPARED = 16  # rows whose wording is, which takes a few milliseconds each
OF_BLOCK = 200  # notes of a block that a new one is compared with, the newest
OF_ALL = 400  # and of the workspace
MOST_TEMPLATES = 500  # reasons of a block that a new one is compared with
MOST_ALONE = 50  # rows of a block that make its group when another comes
MOST_REMEMBERED = 500  # dismissed groups that a new one is compared with
MOST_WORDS = 400  # of one comment that it is found by
CHARACTERS = 20_000


class _Placing(NamedTuple):
    """A row with its keys, and the groups that have changed so far; `left` are those that lost members."""

    row: Unplaced
    keys: Keys
    touched: set[UUID]
    left: set[UUID]


async def place_by_keys(tx: Tx) -> int:
    """Look at the keys of the next rows, and place those that keys alone decide; how many there were."""
    threshold = await decision_store.lock(tx)
    rows = await place_store.list_unplaced(tx, False, None, BATCH)
    touched: set[UUID] = set()
    left: set[UUID] = set()
    for row in rows:
        keys = _keys(row)
        masked = hashlib.sha256(keys.words.encode()).hexdigest() if keys.words else None
        await place_store.forget_words(tx, row.id)
        await place_store.set_words(tx, row.id, words((row.comment or "")[:CHARACTERS], MOST_WORDS))
        await place_store.set_keys(tx, row.id, keys.block, masked)
        placing = _Placing(row, keys, touched, left)
        if keys.kind is GroupKind.REASON:
            await _place_by_reason(tx, placing)
        elif masked is not None and await _place_with_copy(tx, placing, masked):
            pass
        elif keys.text is None:
            await _place_by_key(tx, placing)
    await _refresh(tx, touched, left, threshold)
    return len(rows)


async def place_by_wording(tx: Tx, model: str) -> int:
    """Place the next rows that have a vector; how many there were."""
    threshold = await decision_store.lock(tx)
    rows = await place_store.list_unplaced(tx, True, model, COMPARED)
    if not rows:
        return 0
    notes = {note.id: note for note in await place_store.list_notes(tx, model, [row.id for row in rows])}
    grouping = await _neighbourhood(tx, model, threshold, sorted({row.block or "" for row in rows}))
    touched: set[UUID] = set()
    left: set[UUID] = set()
    for row in rows:
        placing = _Placing(row, _keys(row), touched, left)
        note = Note(
            row.id,
            row.block or "",
            own_words(row.comment or ""),
            notes[row.id].vector,
            only_in_block=placing.keys.kind is not None,
            apart=frozenset(row.apart),
            rating=row.rating,
        )
        twins = await place_store.list_twins(tx, row.id)
        if twins and twins[0].group_id not in row.apart:
            await _place_with_twin(tx, placing, twins[0])
            grouping.put_with(note, twins[0].id)
        else:
            await _place(tx, placing, grouping.place(note), grouping, model)
    await _refresh(tx, touched, left, threshold)
    return len(rows)


async def _neighbourhood(tx: Tx, model: str, threshold: float, blocks: list[str]) -> Grouping:
    grouping = Grouping(threshold)
    neighbours = await place_store.list_neighbours(tx, model, blocks, OF_BLOCK, OF_ALL)
    compared = await _compared_groups(tx, {n.group_id for n in neighbours if n.group_id})
    for each in neighbours:
        grouping.add(
            Note(
                each.id,
                each.block,
                own_words(each.comment),
                each.vector,
                group=each.group_id if each.group_id in compared else None,
                part=each.part,
                only_in_block=_has_specific_key(each.block),
                apart=frozenset(each.apart),
                rating=each.block.partition("|")[0],
            )
        )
    return grouping


async def _compared_groups(tx: Tx, ids: set[UUID]) -> set[UUID]:
    """Those of the groups whose wording says who belongs to them: that is why they are one, or people said so."""
    kinds = await store.kinds_of(tx, list(ids))
    by_wording = {each for each in ids if kinds.get(each) is GroupKind.WORDING}
    return by_wording | await decision_store.joined_among(tx, list(ids - by_wording))


def _keys(row: Unplaced) -> Keys:
    return keys_of(About(row.source_type, row.rating, row.comment, row.agent, row.entity_type, row.context))


def _has_specific_key(block: str) -> bool:
    return block.count("|") > 2  # beyond rating, agent and type


async def _place(tx: Tx, placing: _Placing, found: Placement, grouping: Grouping, model: str) -> None:
    row = placing.row
    if isinstance(found.group, UUID):
        part = found.part if isinstance(found.part, UUID) else None
        await _join(tx, placing, found.group, part)
        grouping.move(row.id, found.group, part)
    elif isinstance(found.single, UUID):
        group_id = await _remembered(tx, placing, grouping, found.single, model)
        if group_id is None:
            group_id = await _make(tx, placing, GroupKind.WORDING)
        left = await _leave_and_join(tx, placing, found.single, group_id)
        await _join(tx, placing, group_id)
        for each in {*left, row.id} & {note.id for note in grouping.notes}:
            grouping.move(each, group_id)
    elif placing.keys.kind is not None:
        await _place_by_key(tx, placing)
    elif row.flagged:
        group_id = await _make(tx, placing, GroupKind.WORDING)
        await _join(tx, placing, group_id)
        grouping.move(row.id, group_id)
    else:
        near = found.near if isinstance(found.near, UUID) else None
        await place_store.set_placed(tx, [row.id], None, near, await tx.moment())


async def _place_with_twin(tx: Tx, placing: _Placing, twin: Placed) -> None:
    """One signal in several rows is in one place, and makes no group by itself."""
    if twin.group_id is not None:
        await _join(tx, placing, twin.group_id, twin.part)
    else:
        await place_store.set_placed(tx, [placing.row.id], None, None, await tx.moment())


async def _remembered(tx: Tx, placing: _Placing, grouping: Grouping, single: UUID, model: str) -> UUID | None:
    """The dismissed group that a new one would be, if there is one: it stays dismissed until it escalates."""
    dismissed = await store.list_dismissed(tx, model, MOST_REMEMBERED)
    if not dismissed:
        return None
    by_id = {note.id: note for note in grouping.notes}
    mean = np.mean([by_id[single].vector, by_id[placing.row.id].vector], axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-9)
    alike = [
        (float(np.dot(mean, np.array(centroid, dtype=np.float32))), group_id)
        for group_id, rating, centroid in dismissed
        if rating is placing.row.rating and group_id not in placing.row.apart
    ]
    best, group_id = max(alike, default=(0.0, None))
    return group_id if best >= REMEMBERED else None


async def _place_by_reason(tx: Tx, placing: _Placing) -> None:
    reason = placing.keys.reason or []
    for group_id, template in await store.list_templates(tx, placing.keys.block, MOST_TEMPLATES):
        if is_same_reason(reason, template):
            await _join(tx, placing, await store.find_standing(tx, group_id))
            return
    await _join(tx, placing, await _make(tx, placing, GroupKind.REASON))


async def _place_with_copy(tx: Tx, placing: _Placing, masked: str) -> bool:
    """The same words about the same thing: no similarity has to be asked for."""
    row, keys = placing.row, placing.keys
    if keys.text is None and keys.kind is None:
        return False  # "wrong", twice, about anything
    found = await place_store.find_copy(tx, keys.block, masked, row.apart)
    if found is None:
        return False
    if found.group_id is not None:
        await _join(tx, placing, found.group_id, found.part)
    elif keys.kind is not None:
        await _place_by_key(tx, placing)
    else:
        group_id = await _make(tx, placing, GroupKind.WORDING)
        await _leave_and_join(tx, placing, found.id, group_id)
        await _join(tx, placing, group_id)
    return True


async def _place_by_key(tx: Tx, placing: _Placing) -> None:
    """With all others about the same field, tool or golden; without such a key alone. What an administrator has flagged, and
    says something, needs no others."""
    row, keys = placing.row, placing.keys
    group_id = await store.find_of_key(tx, keys.block) if keys.kind else None
    if keys.kind is None or group_id in row.apart:
        await place_store.set_placed(tx, [row.id], None, None, await tx.moment())
        return
    if group_id is None:
        alone = await place_store.list_alone(tx, keys.block, MOST_ALONE)
        if not alone and not (row.flagged and keys.text):
            await place_store.set_placed(tx, [row.id], None, None, await tx.moment())
            return
        group_id = await _make(tx, placing, keys.kind)
        await place_store.set_placed(tx, alone, group_id, None, await tx.moment())
    await _join(tx, placing, group_id)


async def _join(tx: Tx, placing: _Placing, group_id: UUID, part: UUID | None = None) -> None:
    await place_store.set_placed(tx, [placing.row.id], group_id, None, await tx.moment(), part)
    placing.touched.add(group_id)


async def _leave_and_join(tx: Tx, placing: _Placing, feedback_id: UUID, group_id: UUID) -> list[UUID]:
    """One that was alone, or in the group of its key, becomes the first of a group by wording, with what else is of the same
    signal there; which these are."""
    before = await place_store.group_of(tx, feedback_id)
    twins = [each.id for each in await place_store.list_twins(tx, feedback_id) if each.group_id == before]
    at = await tx.moment()
    await place_store.set_placed(tx, [feedback_id, *twins], group_id, None, at, drawn_from=before)
    if before is not None:
        placing.touched.add(before)
        placing.left.add(before)
    return [feedback_id, *twins]


async def _make(tx: Tx, placing: _Placing, kind: GroupKind) -> UUID:
    row, keys = placing.row, placing.keys
    group_id = new_id()
    named = " ".join(keys.reason)[:500] if keys.reason else keys.block.split("|")[-1] if keys.kind else None
    await store.insert(
        tx,
        NewGroup(
            id=group_id,
            kind=kind,
            rating=row.rating,
            block=keys.block,
            key=named,
            agent_id=row.agent_id,
            entity_type=row.entity_type,
            template=keys.reason,
            at=await tx.moment(),
        ),
    )
    placing.touched.add(group_id)
    return group_id


async def _refresh(tx: Tx, touched: set[UUID], left: set[UUID], threshold: float) -> None:
    for group_id in sorted(touched):
        await derived_service.refresh(tx, group_id, threshold)
    for group_id in sorted(left):
        if (found := await store.find(tx, group_id)) is not None:
            payload = events.OfGroup(
                kind=found.group.kind, members=found.group.members, origins=found.group.origins
            )
            await emit(tx, events.SHRANK.of(group_id, payload))
