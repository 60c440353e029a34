"""Use cases: which rows read like another, which contradict it, and that a person hears of it when both are in prompts.

An encoder says how alike two rows are. A row that it has not read yet is compared by its words, so that none is let in unseen.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from goldloop.feedback.groups.wording import Corpus
from goldloop.kit.at_first_use import np
from goldloop.kit.db import Tx
from goldloop.kit.events import notify
from goldloop.knowledge.checks import CONTRADICTS, Likeness, likeness, words_alike
from goldloop.knowledge.model import Flag, KnowledgeState, KnowledgeType
from goldloop.knowledge.rows import compare_store, store
from goldloop.knowledge.rows.compare_store import Compared
from goldloop.knowledge.rows.events import KNOWLEDGE

MOST_COMPARED = 500  # rows, the newest that hold where the row does
MOST_SHOWN = 20
LEAST_COSINE = 0.4  # below which no letters make two rows alike
_THERE = [state for state in KnowledgeState if state is not KnowledgeState.REJECTED]


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    """A row that reads like another. `stated` is whether whoever wrote one of them says that it contradicts the other, `kept`
    whether somebody has said that both are wanted."""

    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    content: str
    context: str | None
    similarity: float
    likeness: Likeness
    stated: bool
    kept: bool


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """Of the rows that hold where this one does, what is said to contradict it, then the most alike. `compared` is false as long
    as the encoder has not read the row: it is compared by its words then. `truncated` is whether there are more rows than
    were compared, or more like it than are shown."""

    data: list[Neighbour]
    compared: bool
    truncated: bool


async def find(tx: Tx, row_id: UUID, states: Sequence[KnowledgeState] = _THERE) -> Neighbours:
    (own,) = await compare_store.find_to_compare(tx, [row_id])
    others, more = await _list_others(tx, own, states)
    found = _neighbours(own, others, await compare_store.list_kept(tx, row_id))
    return Neighbours(
        data=found[:MOST_SHOWN], compared=own.vector is not None, truncated=more or len(found) > MOST_SHOWN
    )


async def find_like(tx: Tx, new: Compared) -> list[Neighbour]:
    """Of what is not written yet."""
    others, _ = await _list_others(tx, new, _THERE)
    return _neighbours(new, others, set())


async def _list_others(
    tx: Tx, own: Compared, states: Sequence[KnowledgeState]
) -> tuple[list[Compared], bool]:
    """What a row is compared with, what it is said to contradict among them; and whether there is more."""
    others, more = await compare_store.list_overlapping(tx, own, states, MOST_COMPARED)
    missing = list(set(own.conflicts_with) - {other.id for other in others})
    named = await compare_store.find_to_compare(tx, missing) if missing else []
    return [*others, *(other for other in named if other.state in states)], more


def _neighbours(own: Compared, others: Sequence[Compared], kept: set[UUID]) -> list[Neighbour]:
    similar = _similarities(own, others)
    found = []
    for other in others:
        similarity, cosine = similar[other.id]
        stated = other.id in own.conflicts_with or own.id in other.conflicts_with
        how = Likeness.CONFLICT if stated else likeness(own.words, other.words, similarity, cosine)
        if how is not None:
            fields: dict[str, Any] = {name: getattr(other, name) for name in _SHOWN}
            found.append(
                Neighbour(
                    **fields,
                    similarity=round(similarity, 4),
                    likeness=how,
                    stated=stated,
                    kept=other.id in kept,
                )
            )
    return sorted(found, key=lambda each: (not each.stated, -each.similarity, each.id))


_SHOWN = ("id", "type", "state", "content", "context")


def _similarities(own: Compared, others: Sequence[Compared]) -> dict[UUID, tuple[float, float | None]]:
    """How alike each is and, of those that the same encoder has read, their cosine."""
    found: dict[UUID, tuple[float, float | None]] = {}
    read: list[tuple[Compared, float]] = []
    for other in others:
        cosine = _cosine(own, other)
        if cosine is not None and cosine >= LEAST_COSINE:
            read.append((other, cosine))
        else:
            found[other.id] = (words_alike(own.words, other.words) if cosine is None else 0.0, cosine)
    if not read:
        return found
    corpus = Corpus()
    places = [
        corpus.add(row.words, np.array(row.vector, dtype=np.float32))
        for row in (own, *(other for other, _ in read))
    ]
    similar = corpus.similarities(places[0], places[1:])
    for (other, cosine), similarity in zip(read, similar, strict=True):
        found[other.id] = float(similarity), cosine
    return found


def _cosine(own: Compared, other: Compared) -> float | None:
    if own.vector is None or other.vector is None or own.model != other.model:
        return None
    return float(np.dot(own.vector, other.vector))


async def find_conflicts(tx: Tx, row_id: UUID) -> list[Neighbour]:
    """Active rows that contradict one, and that nobody wants beside it."""
    return contradicting((await find(tx, row_id, [KnowledgeState.ACTIVE])).data)


def contradicting(found: Sequence[Neighbour]) -> list[Neighbour]:
    return [
        each
        for each in found
        if each.likeness is Likeness.CONFLICT
        and (each.stated or each.similarity >= CONTRADICTS)
        and each.state is KnowledgeState.ACTIVE
        and not each.kept
    ]


async def flag_older(tx: Tx, row_id: UUID, conflicts: Sequence[Neighbour]) -> None:
    """Of each two active rows that contradict each other, the older is for a person to look at. The caller holds the row. Only
    older ones are written, the newest first, so that two at once do not wait for each other."""
    compared = await compare_store.find_to_compare(tx, [row_id, *(each.id for each in conflicts)])
    at = {row.id: (row.created_at, row.id) for row in compared}
    contradicted = {min(at[row_id], at[each.id]) for each in conflicts if each.id in at}
    for _, older in sorted(contradicted, reverse=True):
        if await store.add_flag(tx, older, Flag.CONTRADICTED):
            await notify(tx, KNOWLEDGE, str(older))
