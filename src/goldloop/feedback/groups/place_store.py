"""SQL of what is derived of feedback: its block, words, vector, and the group that it is in. Beside the store of entries the
only writer of those columns, and the only one of `feedback_words`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.groups.member_store import FLAGGED
from goldloop.feedback.model import FeedbackSource, Rating
from goldloop.kit.at_first_use import Floats, np
from goldloop.kit.db import Tx


class Unplaced(NamedTuple):
    """Feedback that is in no group yet; `agent` is its id, or what a chat calls it. `flagged` is what an administrator has."""

    id: UUID
    source_type: FeedbackSource
    rating: Rating
    comment: str | None
    agent_id: UUID | None
    agent: str | None
    entity_type: str | None
    context: dict[str, Any]
    block: str | None
    has_vector: bool
    apart: list[UUID]
    flagged: bool


async def list_unplaced(tx: Tx, keyed: bool, model: str | None, limit: int) -> list[Unplaced]:
    """The oldest first, locked: those whose keys nobody has looked at yet, or (`keyed`) whose wording; of these only such as
    have a vector of the model, where one is named. Nobody gives one of them other words until they are placed."""
    condition = "AND f.embedding_model = $2" if model else "AND $2::text IS NULL"
    rows = await tx.fetch(
        f"""
        SELECT f.id, f.source_type, f.rating, f.comment, f.agent_id, f.entity_type, f.context, f.block,
               f.embedding_model IS NOT NULL AS has_vector, f.apart, {FLAGGED} AS flagged
        FROM feedback f
        WHERE f.tenant_id = $1 AND f.placed_at IS NULL AND f.block IS {"NOT " if keyed else ""}NULL {condition}
        ORDER BY f.created_at, f.id LIMIT {limit:d} FOR NO KEY UPDATE
        """,
        tx.actor.tenant_id,
        model,
    )
    return [_unplaced(row) for row in rows]


def _unplaced(row: Any) -> Unplaced:
    named = row["context"].get("agent")
    return Unplaced(
        id=row["id"],
        source_type=FeedbackSource(row["source_type"]),
        rating=Rating(row["rating"]),
        comment=row["comment"],
        agent_id=row["agent_id"],
        agent=str(row["agent_id"]) if row["agent_id"] else named if isinstance(named, str) else None,
        entity_type=row["entity_type"],
        context=row["context"],
        block=row["block"],
        has_vector=row["has_vector"],
        apart=row["apart"],
        flagged=row["flagged"],
    )


async def set_keys(tx: Tx, feedback_id: UUID, block: str, masked: str | None) -> None:
    await tx.execute(
        "UPDATE feedback SET block = $3, masked = $4 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        feedback_id,
        block,
        masked,
    )


async def set_words(tx: Tx, feedback_id: UUID, words: Sequence[str]) -> None:
    await tx.execute(
        """
        INSERT INTO feedback_words (tenant_id, feedback_id, word)
        SELECT $1, $2, w FROM unnest($3::text[]) AS w ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        feedback_id,
        list(words),
    )


async def forget_words(tx: Tx, feedback_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM feedback_words WHERE tenant_id = $1 AND feedback_id = $2",
        tx.actor.tenant_id,
        feedback_id,
    )


async def list_without_vector(tx: Tx, model: str, limit: int) -> list[tuple[UUID, str]]:
    """Notes to be compared that have no vector of a model."""
    rows = await tx.fetch(
        f"""
        SELECT f.id, f.comment FROM feedback f
        WHERE f.tenant_id = $1 AND f.placed_at IS NULL AND f.block IS NOT NULL
          AND f.embedding_model IS DISTINCT FROM $2
        ORDER BY f.created_at, f.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        model,
    )
    return [(row["id"], row["comment"] or "") for row in rows]


class Vector(NamedTuple):
    """What an encoder made of the words that feedback had when it was asked."""

    feedback_id: UUID
    comment: str
    values: list[float]


async def set_vectors(tx: Tx, model: str, vectors: Sequence[Vector]) -> None:
    """Of those that have the same words still."""
    await tx.executemany(
        """
        UPDATE feedback SET embedding = $4, embedding_model = $5
        WHERE tenant_id = $1 AND id = $2 AND coalesce(comment, '') = $3 AND placed_at IS NULL AND block IS NOT NULL
        """,
        [(tx.actor.tenant_id, *vector, model) for vector in vectors],
    )


class Neighbour(NamedTuple):
    id: UUID
    block: str
    comment: str
    vector: Floats
    group_id: UUID | None
    part: UUID | None
    apart: list[UUID]


async def list_neighbours(
    tx: Tx, model: str, blocks: Sequence[str], of_block: int, of_all: int
) -> list[Neighbour]:
    """Notes to compare with, the oldest first: the newest of each of these blocks, and of the workspace."""
    rows = await tx.fetch(
        f"""
        SELECT DISTINCT ON (n.created_at, n.id) n.id, n.block, n.comment, n.embedding, n.group_id, n.part, n.apart FROM (
            (SELECT f.id, f.block, f.comment, f.embedding, f.group_id, f.part, f.apart, f.created_at FROM feedback f
             WHERE f.tenant_id = $1 AND f.embedding_model = $2 AND f.placed_at IS NOT NULL AND f.block IS NOT NULL
             ORDER BY f.created_at DESC, f.id DESC LIMIT {of_all:d})
            UNION ALL
            (SELECT b.id, b.block, b.comment, b.embedding, b.group_id, b.part, b.apart, b.created_at
             FROM unnest($3::text[]) AS wanted (block) CROSS JOIN LATERAL (
                SELECT f.id, f.block, f.comment, f.embedding, f.group_id, f.part, f.apart, f.created_at FROM feedback f
                WHERE f.tenant_id = $1 AND f.block = wanted.block AND f.embedding_model = $2 AND f.placed_at IS NOT NULL
                ORDER BY f.created_at DESC, f.id DESC LIMIT {of_block:d}) b)
        ) n ORDER BY n.created_at, n.id
        """,
        tx.actor.tenant_id,
        model,
        list(blocks),
    )
    return [_neighbour(row) for row in rows]


def _neighbour(row: Any) -> Neighbour:
    return Neighbour(
        id=row["id"],
        block=row["block"],
        comment=row["comment"] or "",
        vector=np.array(row["embedding"], dtype=np.float32),
        group_id=row["group_id"],
        part=row["part"],
        apart=row["apart"],
    )


async def list_notes(tx: Tx, model: str, ids: Sequence[UUID]) -> list[Neighbour]:
    """Those of them that have a vector of the model."""
    rows = await tx.fetch(
        """
        SELECT f.id, f.block, f.comment, f.embedding, f.group_id, f.part, f.apart FROM feedback f
        WHERE f.tenant_id = $1 AND f.id = ANY ($2) AND f.embedding_model = $3 AND f.block IS NOT NULL
        ORDER BY f.created_at, f.id
        """,
        tx.actor.tenant_id,
        list(ids),
        model,
    )
    return [_neighbour(row) for row in rows]


class Placed(NamedTuple):
    id: UUID
    group_id: UUID | None
    part: UUID | None


async def find_copy(tx: Tx, block: str, masked: str, apart: Sequence[UUID]) -> Placed | None:
    """The newest that was said in the same words, about the same."""
    row = await tx.fetchrow(
        """
        SELECT f.id, f.group_id, f.part FROM feedback f
        WHERE f.tenant_id = $1 AND f.block = $2 AND f.masked = $3 AND f.placed_at IS NOT NULL
          AND (f.group_id IS NULL OR f.group_id <> ALL ($4))
        ORDER BY f.group_id IS NULL, f.created_at DESC, f.id DESC LIMIT 1
        """,
        tx.actor.tenant_id,
        block,
        masked,
        list(apart),
    )
    return Placed(row["id"], row["group_id"], row["part"]) if row else None


async def list_twins(tx: Tx, feedback_id: UUID) -> list[Placed]:
    """Other rows of the same signal that are placed: of one origin, about the same, in the same words."""
    rows = await tx.fetch(
        """
        SELECT t.id, t.group_id, t.part FROM feedback f JOIN feedback t ON t.tenant_id = $1 AND t.block = f.block
          AND t.masked = f.masked AND t.origin_actor = f.origin_actor AND t.origin_artefact = f.origin_artefact
        WHERE f.tenant_id = $1 AND f.id = $2 AND t.id <> f.id AND t.placed_at IS NOT NULL
        ORDER BY t.group_id IS NULL, t.created_at, t.id
        """,
        tx.actor.tenant_id,
        feedback_id,
    )
    return [Placed(row["id"], row["group_id"], row["part"]) for row in rows]


class ToAdd(NamedTuple):
    """Feedback that somebody puts into a group by hand."""

    id: UUID
    rating: Rating
    group_id: UUID | None
    is_placed: bool


async def list_to_add(tx: Tx, ids: Sequence[UUID]) -> list[ToAdd]:
    rows = await tx.fetch(
        """
        SELECT f.id, f.rating, f.group_id, f.placed_at IS NOT NULL AS is_placed FROM feedback f
        WHERE f.tenant_id = $1 AND f.id = ANY ($2) ORDER BY f.id
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return [ToAdd(row["id"], Rating(row["rating"]), row["group_id"], row["is_placed"]) for row in rows]


async def group_of(tx: Tx, feedback_id: UUID) -> UUID | None:
    found: UUID | None = await tx.fetchval(
        "SELECT f.group_id FROM feedback f WHERE f.tenant_id = $1 AND f.id = $2",
        tx.actor.tenant_id,
        feedback_id,
    )
    return found


async def list_alone(tx: Tx, block: str, limit: int) -> list[UUID]:
    """Placed feedback of a block that is in no group, and that nobody took out of one."""
    rows = await tx.fetch(
        f"""
        SELECT f.id FROM feedback f
        WHERE f.tenant_id = $1 AND f.block = $2 AND f.group_id IS NULL AND f.placed_at IS NOT NULL AND f.apart = '{{}}'
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        block,
    )
    return [row["id"] for row in rows]


async def set_placed(
    tx: Tx,
    ids: Sequence[UUID],
    group_id: UUID | None,
    near_group_id: UUID | None,
    at: datetime,
    part: UUID | None = None,
    drawn_from: UUID | None = None,
) -> None:
    """`drawn_from` is the group of their key that their wording draws them out of."""
    await tx.execute(
        """
        UPDATE feedback SET group_id = $3, near_group_id = $4, placed_at = coalesce(placed_at, $5), part = $6,
            drawn_from = coalesce($7, drawn_from)
        WHERE tenant_id = $1 AND id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
        group_id,
        near_group_id,
        at,
        part,
        drawn_from,
    )


async def move_all(tx: Tx, source: UUID, target: UUID) -> None:
    """All members of a group into another, of which they are a part from then on, and what is near it with them."""
    await tx.execute(
        "UPDATE feedback SET group_id = $3, part = coalesce(part, $2) WHERE tenant_id = $1 AND group_id = $2",
        tx.actor.tenant_id,
        source,
        target,
    )
    await tx.execute(
        "UPDATE feedback SET near_group_id = $3 WHERE tenant_id = $1 AND near_group_id = $2",
        tx.actor.tenant_id,
        source,
        target,
    )


async def move_back(
    tx: Tx, decision_id: UUID, now_in: UUID | None, before: UUID | None, into: UUID | None, apart: UUID | None
) -> int:
    """What a decision moved out of a group (`before`), of that which is still where it was put (`now_in`) and, where people
    took it out, still apart from there (`apart`). Without a trace, but for a group that is part of another now (`into`)."""
    return await tx.execute(
        """
        UPDATE feedback f SET group_id = $5, near_group_id = m.near_group_id, apart = m.apart, drawn_from = m.drawn_from,
            part = CASE WHEN $5::uuid IS NOT DISTINCT FROM m.group_id THEN m.part ELSE coalesce(m.part, m.group_id) END
        FROM feedback_moves m
        WHERE m.tenant_id = $1 AND m.decision_id = $2 AND m.group_id IS NOT DISTINCT FROM $4::uuid
          AND f.tenant_id = $1 AND f.id = m.feedback_id AND f.placed_at IS NOT NULL
          AND f.group_id IS NOT DISTINCT FROM $3::uuid AND ($6::uuid IS NULL OR $6 = ANY (f.apart))
        """,
        tx.actor.tenant_id,
        decision_id,
        now_in,
        before,
        into,
        apart,
    )


async def move_near_back(tx: Tx, decision_id: UUID, now_near: UUID, before: UUID) -> None:
    """What was near a group before a decision, and is near the one that it went into."""
    await tx.execute(
        """
        UPDATE feedback f SET near_group_id = $4 FROM feedback_moves m
        WHERE m.tenant_id = $1 AND m.decision_id = $2 AND m.near_group_id = $4
          AND f.tenant_id = $1 AND f.id = m.feedback_id AND f.near_group_id = $3
        """,
        tx.actor.tenant_id,
        decision_id,
        now_near,
        before,
    )


async def put_in(tx: Tx, ids: Sequence[UUID], group_id: UUID) -> None:
    """Feedback into a group, whatever it was in and had been taken out of."""
    await tx.execute(
        """
        UPDATE feedback SET group_id = $3, near_group_id = NULL, part = NULL, drawn_from = NULL, apart = array_remove(apart, $3::uuid)
        WHERE tenant_id = $1 AND id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
        group_id,
    )


async def take_out(tx: Tx, group_id: UUID, ids: Sequence[UUID], into: UUID | None) -> None:
    """Members of a group into another or none; they are never put back there."""
    await tx.execute(
        """
        UPDATE feedback SET group_id = $4, near_group_id = NULL, part = NULL, drawn_from = NULL, apart = array_append(apart, $2::uuid)
        WHERE tenant_id = $1 AND group_id = $2 AND id = ANY ($3)
        """,
        tx.actor.tenant_id,
        group_id,
        list(ids),
        into,
    )


async def count_in_block(tx: Tx, block: str, most: int) -> int:
    """Notes that are compared, no further than `most`."""
    counted: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.block = $2
            AND f.embedding_model IS NOT NULL LIMIT {most:d}) found
        """,
        tx.actor.tenant_id,
        block,
    )
    return counted
