"""SQL of what rows rest on. The only writer of `shared_context_support`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple
from uuid import UUID

from goldloop.feedback.groups.origins import Origin
from goldloop.feedback.model import FeedbackSource
from goldloop.kit.db import Tx
from goldloop.knowledge.model import KnowledgeSupport
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql

MOST_SHOWN = 200  # signals of a row that are shown, the newest


class Fact(NamedTuple):
    """Feedback as it supports something: `by_member` in the name of a member, `in_person` by them here. What is `withdrawn` its author took back, or gave other feedback in place of."""

    id: UUID
    origin: Origin
    by_member: bool
    in_person: bool
    rating: str
    source_type: str
    comment: str | None
    context: dict[str, Any]
    status: str
    withdrawn: bool
    session_id: UUID | None
    entity_id: UUID | None
    agent_id: UUID | None
    entity_type: str | None
    vector: list[float] | None
    model: str | None
    created_at: datetime

    @property
    def flagged(self) -> bool:
        """Whether an administrator has flagged what it speaks of: that is enough by itself. What was imported in the name of
        somebody is no flag of theirs."""
        return self.source_type == FeedbackSource.OBSERVATION and self.in_person

    @property
    def stands(self) -> bool:
        """Whether it says what its author thinks, and nobody has dismissed it."""
        return self.status != "dismissed" and not self.withdrawn


_FACT = """
    SELECT f.id, f.origin_actor, f.origin_artefact, f.source_type, f.masked, f.created_by, f.created_by_kind, f.created_by_id, f.rating, f.comment, f.context,
           f.status, f.withdrawn_at IS NOT NULL OR f.replaced_by IS NOT NULL AS withdrawn, f.session_id, f.entity_id, f.agent_id, f.entity_type, f.embedding, f.embedding_model, f.created_at
    FROM feedback f WHERE f.tenant_id = $1
"""


async def list_facts(tx: Tx, ids: Sequence[UUID], *, locked: bool = False) -> list[Fact]:
    """As far as the reader may see them, the oldest first. Those that are `locked` nobody dismisses until the transaction ends."""
    if locked:
        in_order = "SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY ($2) ORDER BY f.id FOR SHARE"
        await tx.execute(in_order, tx.actor.tenant_id, list(ids))
    rows = await tx.fetch(
        f"{_FACT} AND f.id = ANY ($2) ORDER BY f.created_at, f.id",
        tx.actor.tenant_id,
        list(ids),
    )
    return [_fact(row) for row in rows]


async def list_facts_of_group(tx: Tx, group_id: UUID, limit: int) -> list[Fact]:
    """The newest of a group that nobody has dismissed and whose authors think so still, the oldest of them first."""
    rows = await tx.fetch(
        f"""
        SELECT newest.* FROM (
            {_FACT} AND f.group_id = $2 AND f.status <> 'dismissed' AND f.withdrawn_at IS NULL AND f.replaced_by IS NULL
            ORDER BY f.created_at DESC, f.id DESC LIMIT {limit:d}
        ) newest ORDER BY newest.created_at, newest.id
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return [_fact(row) for row in rows]


def _fact(row: Any) -> Fact:
    source = row["source_type"]
    words = "" if source == "session" else row["masked"] or ""
    return Fact(
        id=row["id"],
        origin=Origin(row["origin_actor"], row["origin_artefact"], source == "chat", words),
        by_member=row["created_by"] is not None,
        in_person=row["created_by_kind"] == "user" and row["created_by_id"] == row["created_by"],
        rating=row["rating"],
        source_type=source,
        comment=row["comment"],
        context=row["context"],
        status=row["status"],
        withdrawn=row["withdrawn"],
        session_id=row["session_id"],
        entity_id=row["entity_id"],
        agent_id=row["agent_id"],
        entity_type=row["entity_type"],
        vector=row["embedding"],
        model=row["embedding_model"],
        created_at=row["created_at"],
    )


class NewSupport(NamedTuple):
    """`group_id` is the group that it comes with, None where somebody named it."""

    fact: Fact
    group_id: UUID | None
    echo: bool
    medoid: bool
    holds: Sequence[str]


async def insert(tx: Tx, row_id: UUID, new: Sequence[NewSupport], at: datetime) -> None:
    await tx.executemany(
        """
        INSERT INTO shared_context_support (tenant_id, row_id, feedback_id, group_id, origin_actor, origin_artefact, is_reaction,
            words, by_member, flagged, rating, echo, medoid, holds, dismissed, lost_at, added_at, comment_hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
            encode(sha256(convert_to(nullif($18::text, ''), 'UTF8')), 'hex')) ON CONFLICT DO NOTHING
        """,
        [
            (
                tx.actor.tenant_id,
                row_id,
                each.fact.id,
                each.group_id,
                *each.fact.origin,
                each.fact.by_member,
                each.fact.flagged,
                each.fact.rating,
                each.echo,
                each.medoid,
                list(each.holds),
                each.fact.status == "dismissed",
                at if each.fact.status == "dismissed" else None,
                at,
                each.fact.comment,
            )
            for each in new
        ],
    )


class Signal(NamedTuple):
    """What a row rests on, as far as its state follows from it."""

    feedback_id: UUID
    origin: Origin
    by_member: bool
    flagged: bool
    echo: bool
    medoid: bool
    holds: list[str]
    lost_at: datetime | None

    @property
    def counts(self) -> bool:
        return self.lost_at is None and not self.echo and self.origin.actor is not None


async def list_signals(tx: Tx, row_id: UUID) -> list[Signal]:
    rows = await tx.fetch(
        """
        SELECT s.feedback_id, s.origin_actor, s.origin_artefact, s.is_reaction, s.words, s.by_member, s.flagged, s.echo, s.medoid,
               s.holds, s.lost_at
        FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = $2 ORDER BY s.feedback_id
        """,
        tx.actor.tenant_id,
        row_id,
    )
    return [
        Signal(
            row["feedback_id"],
            Origin(row["origin_actor"], row["origin_artefact"], row["is_reaction"], row["words"]),
            row["by_member"],
            row["flagged"],
            row["echo"],
            row["medoid"],
            row["holds"],
            row["lost_at"],
        )
        for row in rows
    ]


async def lock_feedback(tx: Tx, row_id: UUID) -> None:
    """Before the row itself, by whoever is about to review what it rests on: whoever reviews feedback comes to the rows after it,
    so that neither waits for the other in a circle."""
    await tx.execute(
        """
        SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id IN (
            SELECT s.feedback_id FROM shared_context_support s WHERE s.tenant_id = $1 AND s.row_id = $2
        ) ORDER BY f.id FOR NO KEY UPDATE
        """,
        tx.actor.tenant_id,
        row_id,
    )


async def list_shown(tx: Tx, row_id: UUID) -> list[KnowledgeSupport]:
    """With what was said, as far as the reader may see it; the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT s.feedback_id, s.origin_actor, s.flagged, s.echo, s.medoid, s.rating, s.dismissed, s.rated_anew, s.moved, s.lost_at,
               s.added_at, f.comment,
               f.source_type, f.status, f.created_by_kind, f.created_by_id, f.end_user, f.session_id, f.entity_id,
               f.created_at AS given_at, {name_sql("$1", "f.created_by_kind", "f.created_by_id")} AS author_name
        FROM shared_context_support s
        LEFT JOIN feedback f ON f.tenant_id = s.tenant_id AND f.id = s.feedback_id
        WHERE s.tenant_id = $1 AND s.row_id = $2
        ORDER BY s.added_at DESC, s.feedback_id DESC LIMIT {MOST_SHOWN:d}
        """,
        tx.actor.tenant_id,
        row_id,
    )
    return [_shown(row) for row in rows]


_LOST: tuple[Literal["dismissed", "rated_anew", "moved"], ...] = ("dismissed", "rated_anew", "moved")


def _shown(row: Any) -> KnowledgeSupport:
    return KnowledgeSupport(
        feedback_id=row["feedback_id"],
        counts=row["lost_at"] is None and not row["echo"] and row["origin_actor"] is not None,
        flagged=row["flagged"],
        echo=row["echo"],
        lost=next((why for why in _LOST if row[why]), None),
        medoid=row["medoid"],
        rating=row["rating"],
        added_at=row["added_at"],
        comment=row["comment"],
        source_type=row["source_type"],
        status=row["status"],
        author=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["author_name"])
        if row["created_by_kind"]
        else None,
        end_user=row["end_user"],
        session_id=row["session_id"],
        entity_id=row["entity_id"],
        given_at=row["given_at"],
    )


# What somebody takes back and gives again is the same: a reaction to a turn, or a rejection of a value.
_SAME = """
    l.origin_actor = f.origin_actor AND l.origin_artefact = f.origin_artefact AND l.source_type = f.source_type
    AND (l.source_type <> 'chat' OR l.context -> 'origin' IS NOT DISTINCT FROM f.context -> 'origin')
    AND (l.source_type <> 'extraction' OR l.context -> 'field_name' IS NOT DISTINCT FROM f.context -> 'field_name')
"""


async def recount(
    tx: Tx,
    feedback_id: UUID,
    at: datetime,
    row_id: UUID | None = None,
    gone: bool = False,
) -> list[UUID]:
    """Which signals are lost, as feedback is now: of all that rest on it, or on what its author said of the same before or since.
    Where they took that back or thought otherwise, the newest that they gave and did not take back says what they think. The
    rows where that is news. With `gone` it is about to be erased. Who reacts need not be who may read what was made of it."""
    await tx.execute("SET LOCAL app.feedback = 'open'")
    rows = await tx.fetch(
        f"""
        WITH concerned AS (
            SELECT s.row_id, s.feedback_id FROM shared_context_support s WHERE s.tenant_id = $1 AND s.feedback_id = $2
            UNION SELECT s.row_id, s.feedback_id FROM feedback f
            JOIN shared_context_support s
              ON s.tenant_id = $1 AND s.origin_actor = f.origin_actor AND s.origin_artefact = f.origin_artefact
            WHERE f.tenant_id = $1 AND f.id = $2
        ), compared AS (
            SELECT s.row_id, s.feedback_id, coalesce('dismissed' IN (f.status, p.status), false) AS dismissed,
                   s.rating IS DISTINCT FROM p.rating OR s.comment_hash IS NOT NULL AND s.comment_hash
                       IS DISTINCT FROM encode(sha256(convert_to(nullif(p.comment, ''), 'UTF8')), 'hex') AS anew
            FROM concerned c
            JOIN shared_context_support s ON s.tenant_id = $1 AND s.row_id = c.row_id AND s.feedback_id = c.feedback_id
            JOIN feedback f ON f.tenant_id = $1 AND f.id = s.feedback_id
            LEFT JOIN LATERAL (
                SELECT f.status, f.rating, f.comment WHERE f.withdrawn_at IS NULL AND f.replaced_by IS NULL
                UNION ALL (
                    SELECT l.status, l.rating, l.comment FROM feedback l
                    WHERE (f.withdrawn_at IS NOT NULL OR f.replaced_by IS NOT NULL) AND l.tenant_id = $1 AND {_SAME}
                      AND l.withdrawn_at IS NULL AND l.replaced_by IS NULL AND (l.id <> $2 OR NOT $5)
                    ORDER BY l.created_at DESC, l.id DESC LIMIT 1
                )
            ) p ON true
            WHERE ($4::uuid IS NULL OR s.row_id = $4) AND (s.feedback_id <> $2 OR NOT $5)
        )
        UPDATE shared_context_support s
        SET dismissed = c.dismissed, rated_anew = c.anew,
            lost_at = CASE WHEN c.dismissed OR c.anew OR s.moved THEN coalesce(s.lost_at, $3) END
        FROM compared c
        WHERE s.tenant_id = $1 AND s.row_id = c.row_id AND s.feedback_id = c.feedback_id
          AND (s.dismissed, s.rated_anew) <> (c.dismissed, c.anew) RETURNING s.row_id
        """,
        tx.actor.tenant_id,
        feedback_id,
        at,
        row_id,
        gone,
    )
    await tx.execute("SET LOCAL app.feedback = ''")
    return [row["row_id"] for row in rows]


async def set_moved(tx: Tx, row_id: UUID, groups: Sequence[UUID], drawn: bool, at: datetime) -> list[UUID]:
    """Of what came to a row with a group: the feedback that is in none of the row's groups any more, or is in one again. With
    `drawn` it is in the group that its wording drew it out of, too."""
    rows = await tx.fetch(
        """
        UPDATE shared_context_support s
        SET moved = NOT p.here, lost_at = CASE WHEN s.dismissed OR s.rated_anew OR NOT p.here THEN coalesce(s.lost_at, $4) END
        FROM (SELECT f.id, coalesce(f.group_id = ANY ($3), false) OR $5 AND coalesce(f.drawn_from = ANY ($3), false) AS here
              FROM shared_context_support o
              JOIN feedback f ON f.tenant_id = $1 AND f.id = o.feedback_id
              WHERE o.tenant_id = $1 AND o.row_id = $2 AND o.group_id IS NOT NULL) p
        WHERE s.tenant_id = $1 AND s.row_id = $2 AND s.feedback_id = p.id AND s.moved = p.here
        RETURNING s.feedback_id
        """,
        tx.actor.tenant_id,
        row_id,
        list(groups),
        at,
        drawn,
    )
    return [row["feedback_id"] for row in rows]


async def list_supported(tx: Tx, feedback_id: UUID) -> list[tuple[UUID, bool]]:
    """The rows that rest on feedback, the newest first, and whether its words stand for all."""
    rows = await tx.fetch(
        """
        SELECT s.row_id, s.medoid FROM shared_context_support s WHERE s.tenant_id = $1 AND s.feedback_id = $2
        ORDER BY s.row_id DESC
        """,
        tx.actor.tenant_id,
        feedback_id,
    )
    return [(row["row_id"], row["medoid"]) for row in rows]


async def delete(tx: Tx, row_id: UUID, feedback_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM shared_context_support WHERE tenant_id = $1 AND row_id = $2 AND feedback_id = $3",
        tx.actor.tenant_id,
        row_id,
        feedback_id,
    )


async def set_holds(tx: Tx, row_id: UUID, holds: Sequence[tuple[UUID, list[str]]]) -> None:
    """What of the row's numbers and names each signal has, after the row was put otherwise."""
    await tx.executemany(
        "UPDATE shared_context_support SET holds = $4 WHERE tenant_id = $1 AND row_id = $2 AND feedback_id = $3",
        [(tx.actor.tenant_id, row_id, feedback_id, names) for feedback_id, names in holds],
    )
