"""SQL of promotion: reads, and two functions that write, each one row lock."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.model import Entity, EntityType, FieldChange
from goldloop.entities.records.words import WordsChange
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id
from goldloop.kit.version_cache import State
from goldloop.promotion.model import FirstSteps
from goldloop.responses import store as responses
from goldloop.responses.model import EntityResponse, ResponseStatus


class Read(NamedTuple):
    """A record and a response to it, as they are before a promotion. `response` is None where there is none."""

    version: int
    title: str
    content: dict[str, Any]
    entity_type: EntityType
    response: EntityResponse | None


class Promoted(NamedTuple):
    """`outcome` is `promoted`, `unchanged` (it all is the record's already), `conflict` (record or type changed),
    `not_promotable` (reviewed meanwhile) or `absent`; the rest is what a promotion changed of the response, and its event."""

    outcome: str
    status: ResponseStatus | None
    promoted_fields: list[str] | None
    reviewed_at: datetime | None
    waits: bool
    event: Event | None


async def read(tx: Tx, entity_id: UUID, response_id: UUID, *, hold: bool) -> Read | None:
    """All that a promotion is decided by, in one round trip. With `hold` it locks the record, so that concurrent
    promotions of other fields wait instead of being refused; without, it is no more than a hint. The response is looked up by
    its id alone: with the record beside it, a plan may go through all responses to that."""
    row = await (tx.fetchrow if hold else tx.look)(
        f"""
        SELECT e.version AS entity_version, e.title AS entity_title, e.content, t.id AS type_id, t.version AS type_version,
               t.updated_at AS type_updated_at, {responses.COLUMNS}
        FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        LEFT JOIN entity_responses r ON r.tenant_id = e.tenant_id AND r.id = $3
        WHERE e.tenant_id = $1 AND e.id = $2 {"FOR NO KEY UPDATE OF e" if hold else ""}
        """,
        tx.actor.tenant_id,
        entity_id,
        response_id,
    )
    if row is None:
        return None
    entity_type = await types.find_state(
        tx, State(tx.actor.tenant_id, row["type_id"], row["type_version"], row["type_updated_at"])
    )
    response = responses.from_row(row) if row["entity_id"] == entity_id else None
    if entity_type is None:
        return None
    return Read(row["entity_version"], row["entity_title"], row["content"], entity_type, response)


async def promote(
    tx: Tx,
    entity_id: UUID,
    response_id: UUID,
    version: int,
    type_version: int,
    content: dict[str, Any],
    dimensions: dict[str, str],
    words: WordsChange,
    *,
    alone: bool,
) -> Promoted:
    """`alone`: nothing else is written with it."""
    row = await (tx.write_alone if alone else tx.fetchrow)(
        """
        SELECT outcome, status, promoted_fields, reviewed_at, waits, event
        FROM promote_field_values($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """,
        entity_id,
        response_id,
        version,
        type_version,
        content,
        dimensions,
        *words,
        new_id(),
    )
    assert row is not None
    status = ResponseStatus(row["status"]) if row["status"] else None
    event = Event.written(row["event"])
    return Promoted(
        row["outcome"], status, row["promoted_fields"], row["reviewed_at"], bool(row["waits"]), event
    )


async def content_before(tx: Tx, entity: Entity, promotions: Sequence[FieldChange]) -> dict[str, Any]:
    """A record's content with what its fields had before promotions."""
    rows = await tx.fetch(
        """
        SELECT p.field, b.value, b.value IS NOT NULL AS present
        FROM unnest($2::text[], $3::uuid[]) p (field, id), source_before($1, p.field, p.id) b
        """,
        entity.id,
        [promotion.field for promotion in promotions],
        [promotion.id for promotion in promotions],
    )
    fields = {row["field"] for row in rows}
    content = {field: value for field, value in entity.content.items() if field not in fields}
    return content | {row["field"]: row["value"] for row in rows if row["present"]}


async def undo(
    tx: Tx,
    entity_id: UUID,
    promotions: Sequence[FieldChange],
    version: int,
    type_version: int,
    content: dict[str, Any],
    words: WordsChange,
) -> tuple[str, Event | None]:
    """`undone` with its event, `conflict`, `changed_since` or `absent`."""
    row = await tx.fetchrow(
        "SELECT outcome, event FROM undo_promotion($1, $2, $3, $4, $5, $6, $7, $8)",
        entity_id,
        {promotion.field: str(promotion.id) for promotion in promotions},
        version,
        type_version,
        content,
        *words,
        new_id(),
    )
    assert row is not None
    return row["outcome"], Event.written(row["event"])


async def read_first_steps(tx: Tx) -> FirstSteps:
    """One row of an index each, however much there is."""
    row = await tx.fetchrow(
        """
        SELECT EXISTS (SELECT FROM entity_types t WHERE t.tenant_id = $1) AS has_type,
               (SELECT e.id FROM entities e WHERE e.tenant_id = $1 ORDER BY e.id DESC LIMIT 1) AS newest_record,
               (SELECT r.entity_id FROM entity_responses r WHERE r.tenant_id = $1 AND r.withdrawn_at IS NULL
                ORDER BY r.id DESC LIMIT 1) AS newest_answered,
               EXISTS (SELECT FROM entity_field_history h
                       WHERE h.tenant_id = $1 AND h.response_id IS NOT NULL AND h.kind = 'promotion') AS has_promotion
        """,
        tx.actor.tenant_id,
    )
    assert row is not None
    return FirstSteps(
        has_type=row["has_type"],
        has_record=row["newest_record"] is not None,
        has_response=row["newest_answered"] is not None,
        has_promotion=row["has_promotion"],
        record_id=row["newest_answered"] or row["newest_record"],
    )
