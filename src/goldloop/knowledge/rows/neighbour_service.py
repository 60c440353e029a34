"""Use cases: which rows read like another, which of them contradict it, and that somebody wants both."""

from collections.abc import Sequence
from uuid import UUID

import msgspec
import numpy as np

from goldloop.feedback.groups.wording import Corpus
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import notify
from goldloop.knowledge.checks import CONTRADICTS, Likeness, likeness
from goldloop.knowledge.model import Flag, KnowledgeState, KnowledgeType
from goldloop.knowledge.rows import compare_store, service, store
from goldloop.knowledge.rows.compare_store import Compared, words_of
from goldloop.knowledge.rows.events import KNOWLEDGE

MOST_COMPARED = 500  # rows, the newest
MOST_SHOWN = 20


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A row that reads like another. `kept` is whether somebody has said that both are wanted."""

    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    content: str
    context: str | None
    similarity: float
    likeness: Likeness
    kept: bool


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The most alike first. `compared` is false as long as the row was not read by the encoder."""

    data: list[Neighbour]
    compared: bool


async def list_neighbours(tx: Tx, row_id: UUID) -> Neighbours:
    await service.access(tx, row_id)
    return await _neighbours(tx, row_id)


async def _neighbours(tx: Tx, row_id: UUID) -> Neighbours:
    own = await compare_store.find_to_compare(tx, [row_id])
    if not own:
        return Neighbours(data=[], compared=False)
    others = [
        row
        for row in await compare_store.list_to_compare(tx, own[0].model, MOST_COMPARED)
        if row.id != row_id
    ]
    kept = await compare_store.list_kept(tx, row_id)
    return Neighbours(data=_alike(own[0], others, kept)[:MOST_SHOWN], compared=True)


def _alike(own: Compared, others: list[Compared], kept: set[UUID]) -> list[Neighbour]:
    corpus = Corpus()
    places = [corpus.add(_words(row), np.array(row.vector, dtype=np.float32)) for row in (own, *others)]
    found = []
    for row, similarity in zip(others, corpus.similarities(places[0], places[1:]), strict=True):
        how = likeness(_words(own), _words(row), float(similarity))
        if how is not None:
            found.append(
                Neighbour(
                    id=row.id,
                    type=row.type,
                    state=row.state,
                    content=row.content,
                    context=row.context,
                    similarity=round(float(similarity), 4),
                    likeness=how,
                    kept=row.id in kept,
                )
            )
    return sorted(found, key=lambda each: (-each.similarity, each.id))


def _words(row: Compared) -> str:
    return words_of(row.content, row.context)


async def keep_both(tx: Tx, row_id: UUID, other_id: UUID) -> Neighbours:
    """Two rows read alike, and both are wanted: nobody is asked again."""
    service.check_decides(tx)
    if row_id == other_id:
        raise InvalidInput.at("/other_id", "same_row", "A row is kept beside another one")
    for each in sorted((row_id, other_id)):
        await service.hold(tx, each)
    await compare_store.keep_both(tx, row_id, other_id, await tx.moment())
    for each in (row_id, other_id):
        if not _contradicting(await _neighbours(tx, each)):
            await store.drop_flag(tx, each, Flag.CONTRADICTED)
    await notify(tx, KNOWLEDGE, str(row_id))
    return await list_neighbours(tx, row_id)


async def note_contradictions(tx: Tx, ids: Sequence[UUID]) -> None:
    """After rows were read by the encoder: active ones that say nearly the same as one of them with another number or name are
    for a person to look at."""
    for row_id in ids:
        row = await store.find(tx, row_id)
        if row is None or not row.active:
            continue
        for other in _contradicting(await _neighbours(tx, row_id)):
            found = await store.lock(tx, other.id)
            if found is not None:
                older = min(row, found, key=lambda each: (each.created_at, each.id))
                await service.flag(tx, older, Flag.CONTRADICTED)


def _contradicting(found: Neighbours) -> list[Neighbour]:
    return [
        each
        for each in found.data
        if each.likeness is Likeness.CONFLICT
        and each.similarity >= CONTRADICTS
        and each.state is KnowledgeState.ACTIVE
        and not each.kept
    ]
