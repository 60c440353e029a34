"""SQL of feedback. Rows are taken in by the named SQL functions; reviewing and taking back is written here."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.model import Counted, Feedback, FeedbackSource, FeedbackStatus, Rating
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id
from goldloop.kit.json_rows import json_object, json_or_null, json_text
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_REVIEWER = (
    "CASE WHEN f.reviewed_by_user_id IS NOT NULL THEN f.reviewed_by_user_id ELSE f.reviewed_by_agent_id END"
)
_REVIEWER_KIND = """CASE WHEN f.reviewed_by_user_id IS NOT NULL THEN 'user'
    WHEN f.reviewed_by_agent_id IS NOT NULL THEN 'agent' WHEN f.reviewed_at IS NOT NULL THEN 'system' END"""
_COLUMNS = f"""
    f.id, f.source_type, f.rating, f.comment, f.session_id, f.entity_id, f.agent_id, f.context, f.status,
    f.reviewed_by_agent_id, f.reviewed_by_user_id, f.reviewed_at, f.review_notes, f.created_by, f.created_by_kind,
    f.created_by_id, f.end_user, f.entity_type, f.group_id, f.near_group_id, f.created_at, f.updated_at,
    {_REVIEWER_KIND} AS reviewer_kind,
    {name_sql("$1", _REVIEWER_KIND, _REVIEWER)} AS reviewer_name,
    {name_sql("$1", "f.created_by_kind", "f.created_by_id")} AS author_name
"""
_REVIEWER = party_json(
    "p.reviewer_kind", "coalesce(p.reviewed_by_user_id, p.reviewed_by_agent_id)", "p.reviewer_name"
)
_JSON = json_object(
    Feedback,
    "p",
    reviewer=json_or_null("p.reviewer_kind IS NOT NULL", _REVIEWER),
    author=party_json("p.created_by_kind", "p.created_by_id", "p.author_name"),
    end_user=json_text("nullif(p.end_user, '')"),
)
_BYTES = bytes_of("f.comment", "f.context", "f.review_notes")
LAST_CHARACTER = chr(0x10FFFF)  # after all words with a beginning


def from_row(row: Any) -> Feedback:
    reviewer_id = row["reviewed_by_user_id"] or row["reviewed_by_agent_id"]
    return Feedback(
        id=row["id"],
        source_type=FeedbackSource(row["source_type"]),
        rating=Rating(row["rating"]),
        comment=row["comment"],
        session_id=row["session_id"],
        entity_id=row["entity_id"],
        agent_id=row["agent_id"],
        context=row["context"],
        status=FeedbackStatus(row["status"]),
        reviewed_by_agent_id=row["reviewed_by_agent_id"],
        reviewed_by_user_id=row["reviewed_by_user_id"],
        reviewer=Party(kind=row["reviewer_kind"], id=reviewer_id, name=row["reviewer_name"])
        if row["reviewer_kind"]
        else None,
        reviewed_at=row["reviewed_at"],
        review_notes=row["review_notes"],
        created_by=row["created_by"],
        author=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["author_name"]),
        end_user=row["end_user"] or None,
        entity_type=row["entity_type"],
        group_id=row["group_id"],
        near_group_id=row["near_group_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


class NewRow(NamedTuple):
    """A fact as it becomes a row. `key` is that of the fact, `actor` and `artefact` are its origin (`actor` None: nobody's
    signal). `created_by` is the member whose it is. Without `is_placed` it is grouped after the fact."""

    id: UUID
    key: str
    source_type: FeedbackSource
    rating: Rating
    comment: str | None
    context: dict[str, Any]
    actor: str | None
    artefact: str
    created_by: UUID | None = None
    session_id: UUID | None = None
    entity_id: UUID | None = None
    agent_id: UUID | None = None
    entity_type: str | None = None
    response_id: UUID | None = None
    project: str | None = None
    conversation_id: str | None = None
    turn_id: str | None = None
    end_user: str | None = None
    created_at: datetime | None = None
    status: FeedbackStatus = FeedbackStatus.PENDING
    reviewed_at: datetime | None = None
    reviewed_by_user_id: UUID | None = None
    review_notes: str | None = None


async def take_in(tx: Tx, new: NewRow) -> Event | None:
    """Its event; None where the fact has its row already."""
    columns = new._asdict()
    for name, column in (("key", "source_key"), ("actor", "origin_actor"), ("artefact", "origin_artefact")):
        columns[column] = columns.pop(name)
    return Event.written(await tx.fetchval("SELECT take_in_feedback($1, $2)", columns, new_id()))


async def set_session(tx: Tx, keys: Sequence[str], session_id: UUID) -> None:
    """What facts with these keys are about, where they were taken to be about another session."""
    await tx.execute(
        """
        UPDATE feedback SET session_id = $3, updated_at = now()
        WHERE tenant_id = $1 AND source_key = ANY ($2) AND session_id <> $3
        """,
        tx.actor.tenant_id,
        list(keys),
        session_id,
    )


class Settled(NamedTuple):
    id: UUID
    source_type: FeedbackSource
    group_id: UUID | None


class About(NamedTuple):
    """One of both."""

    response_id: UUID | None = None
    session_id: UUID | None = None


async def settle(
    tx: Tx, about: About, sources: Sequence[FeedbackSource], status: FeedbackStatus, notes: str
) -> list[Settled]:
    """End what waits of the feedback about a response or a session, whoever's it is."""
    rows = await tx.fetch(
        "SELECT id, source_type, group_id FROM settle_feedback($1, $2, $3, $4, $5)",
        *about,
        [str(source) for source in sources],
        status,
        notes,
    )
    return [_settled(row) for row in rows]


async def withdraw(tx: Tx, response_id: UUID, sources: Sequence[FeedbackSource]) -> list[Settled]:
    """Whoever's feedback about a response it is, they think so no more. What of it was reviewed before."""
    rows = await tx.fetch(
        "SELECT id, source_type, group_id FROM withdraw_feedback($1, $2)",
        response_id,
        [str(source) for source in sources],
    )
    return [_settled(row) for row in rows]


def _settled(row: Any) -> Settled:
    return Settled(row["id"], FeedbackSource(row["source_type"]), row["group_id"])


async def find(tx: Tx, feedback_id: UUID) -> Feedback | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM feedback f WHERE f.tenant_id = $1 AND f.id = $2",
        tx.actor.tenant_id,
        feedback_id,
    )
    return from_row(row) if row else None


async def find_by_key(tx: Tx, key: str) -> Feedback | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM feedback f WHERE f.tenant_id = $1 AND f.source_key = $2",
        tx.actor.tenant_id,
        key,
    )
    return from_row(row) if row else None


async def find_many(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, Feedback]:
    rows = await tx.fetch(
        f"SELECT {_COLUMNS} FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY ($2)",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"]: from_row(row) for row in rows}


class Wanted(NamedTuple):
    """Which feedback a list has. `by_agent` is what an agent said itself."""

    status: FeedbackStatus | None = None
    source_type: FeedbackSource | None = None
    rating: Rating | None = None
    agent_id: UUID | None = None
    entity_type: str | None = None
    entity_id: UUID | None = None
    session_id: UUID | None = None
    response_id: UUID | None = None
    project: str | None = None
    conversation_id: str | None = None
    turn_id: str | None = None
    created_by: UUID | None = None
    by_agent: UUID | None = None
    group_id: UUID | None = None
    near_group_id: UUID | None = None
    grouped: bool | None = None
    since: datetime | None = None
    until: datetime | None = None
    terms: tuple[str, ...] = ()


_BOUNDS = {"since": ">=", "until": "<"}
_COLUMNS_OF = {"since": "created_at", "until": "created_at", "by_agent": "created_by_id"}


async def list_newest_first(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int
) -> RawPage[Feedback]:
    conditions = ["f.tenant_id = $1", "(f.created_at, f.id) < ($2, $3)"]
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    for name, value in wanted._asdict().items():
        if value is None or name in ("terms", "grouped"):
            continue
        arguments.append(value)
        column = _COLUMNS_OF.get(name, name)
        conditions.append(f"f.{column} {_BOUNDS.get(name, '=')} ${len(arguments)}")
    if wanted.by_agent is not None:
        conditions.append("f.created_by_kind = 'agent' AND f.end_user IS NULL")
    if wanted.grouped is not None:
        grouped = """f.group_id IS NOT NULL AND NOT EXISTS (SELECT FROM feedback_groups g
            WHERE g.tenant_id = $1 AND g.id = f.group_id AND g.state = 'open' AND NOT g.proposed)"""
        conditions.append(f"({grouped})" if wanted.grouped else f"NOT ({grouped})")
    for term in wanted.terms:
        arguments += [term, term + LAST_CHARACTER]
        conditions.append(
            f"""f.id IN (SELECT w.feedback_id FROM feedback_words w WHERE w.tenant_id = $1
                AND w.word >= ${len(arguments) - 1} AND w.word < ${len(arguments)})"""
        )
    query = f"""
        SELECT {_COLUMNS}, {_BYTES} FROM feedback f WHERE {" AND ".join(conditions)}
        ORDER BY f.created_at DESC, f.id DESC LIMIT {limit + 1:d}
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "created_at", "id"), *arguments))


class Reviewed(NamedTuple):
    id: UUID
    source_type: FeedbackSource
    group_id: UUID | None


async def set_reviewed(
    tx: Tx,
    ids: Sequence[UUID],
    status: FeedbackStatus,
    notes: str | None,
    at: datetime,
    decision_id: UUID | None = None,
) -> list[Reviewed]:
    """Those of them that waited; nobody else's review is overwritten. They are locked in the order of their age, as by
    whoever places them."""
    rows = await tx.fetch(
        """
        WITH waiting AS (
            SELECT f.id FROM feedback f WHERE f.tenant_id = $1 AND f.id = ANY ($2) AND f.status = 'pending'
            ORDER BY f.created_at, f.id FOR NO KEY UPDATE
        )
        UPDATE feedback SET status = $3, review_notes = $4, reviewed_at = $5, updated_at = $5, decision_id = $6,
            reviewed_by_user_id = $7, reviewed_by_agent_id = $8
        WHERE tenant_id = $1 AND id IN (SELECT w.id FROM waiting w)
        RETURNING id, source_type, group_id
        """,
        tx.actor.tenant_id,
        list(ids),
        status,
        notes,
        at,
        decision_id,
        tx.actor.id if tx.actor.kind is ActorKind.USER else None,
        tx.actor.id if tx.actor.kind is ActorKind.AGENT else None,
    )
    return [Reviewed(row["id"], FeedbackSource(row["source_type"]), row["group_id"]) for row in rows]


async def forget_replacement(tx: Tx, feedback_id: UUID) -> None:
    """What feedback that goes took the place of is what its author thinks."""
    await tx.execute(
        "UPDATE feedback SET replaced_by = NULL WHERE tenant_id = $1 AND replaced_by = $2",
        tx.actor.tenant_id,
        feedback_id,
    )


async def delete(tx: Tx, ids: Sequence[UUID]) -> list[Reviewed]:
    """With their words."""
    rows = await tx.fetch(
        "DELETE FROM feedback WHERE tenant_id = $1 AND id = ANY ($2) RETURNING id, source_type, group_id",
        tx.actor.tenant_id,
        list(ids),
    )
    return [Reviewed(row["id"], FeedbackSource(row["source_type"]), row["group_id"]) for row in rows]


async def set_pending(
    tx: Tx, ids: Sequence[UUID], at: datetime, decision_id: UUID | None = None, own_only: bool = False
) -> list[Reviewed]:
    """Those of them that were reviewed; with `decision_id` by that decision, with `own_only` by whoever asks."""
    rows = await tx.fetch(
        """
        UPDATE feedback SET status = 'pending', review_notes = NULL, reviewed_at = NULL, updated_at = $3, decision_id = NULL,
            reviewed_by_user_id = NULL, reviewed_by_agent_id = NULL
        WHERE tenant_id = $1 AND id = ANY ($2) AND status <> 'pending' AND ($4::uuid IS NULL OR decision_id = $4)
          AND (NOT $5 OR coalesce(reviewed_by_user_id, reviewed_by_agent_id) = $6)
        RETURNING id, source_type, group_id
        """,
        tx.actor.tenant_id,
        list(ids),
        at,
        decision_id,
        own_only,
        tx.actor.id,
    )
    return [Reviewed(row["id"], FeedbackSource(row["source_type"]), row["group_id"]) for row in rows]


async def list_decided(tx: Tx, decision_id: UUID, limit: int) -> list[UUID]:
    """What a decision has reviewed and that nobody has decided about since."""
    rows = await tx.fetch(
        f"""
        SELECT f.id FROM feedback f WHERE f.tenant_id = $1 AND f.decision_id = $2 AND f.status <> 'pending'
        ORDER BY f.id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        decision_id,
    )
    return [row["id"] for row in rows]


async def set_context(tx: Tx, ids: Sequence[UUID], contexts: Sequence[dict[str, Any]]) -> None:
    await tx.executemany(
        "UPDATE feedback SET context = $3 WHERE tenant_id = $1 AND id = $2",
        [(tx.actor.tenant_id, row_id, context) for row_id, context in zip(ids, contexts, strict=True)],
    )


async def count_in_time(tx: Tx, since: datetime, until: datetime, unit: str) -> list[Counted]:
    """How many of each source and rating came in each unit of time."""
    rows = await tx.fetch(
        """
        SELECT date_trunc($4, f.created_at, 'UTC') AS at, f.source_type, f.rating, count(*) AS count
        FROM feedback f WHERE f.tenant_id = $1 AND f.created_at >= $2 AND f.created_at < $3
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        """,
        tx.actor.tenant_id,
        since,
        until,
        unit,
    )
    return [
        Counted(
            at=row["at"],
            source_type=FeedbackSource(row["source_type"]),
            rating=Rating(row["rating"]),
            count=row["count"],
        )
        for row in rows
    ]
