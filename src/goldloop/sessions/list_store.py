"""SQL of lists of sessions, which the database writes as they are answered."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object, json_or_null, json_text
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.sessions.model import (
    WAITING_STATUSES,
    ConversationRef,
    Session,
    SessionError,
    SessionSource,
    SessionStatus,
    SessionType,
    WaitsFor,
)
from goldloop.sessions.store import COLUMNS, WAITS_FOR_PEOPLE
from goldloop.tenants.parties.store import party_json

# A list does without what was frozen of goldens, which may be large.
_LISTED_METADATA = "s.metadata #- '{golden,snapshot}'"
_LISTED_COLUMNS = COLUMNS.replace("s.metadata", f"{_LISTED_METADATA} AS metadata")
_BYTES = bytes_of("s.input", "s.output", _LISTED_METADATA)
_LAST_CHARACTER = chr(0x10FFFF)
_CONVERSATION = json_object(
    ConversationRef, "p", project=json_text("p.project"), id=json_text("p.conversation_id")
)
_ERROR = json_object(
    SessionError, "p", code=json_text("p.error_code"), message=json_text("coalesce(p.error_message, '')")
)


def session_json(metadata: str = "p.metadata") -> str:
    """The JSON of a session that is listed, with what is shown of its metadata."""
    return json_object(
        Session,
        "p",
        conversation=json_or_null("p.conversation_id IS NOT NULL", _CONVERSATION),
        error=json_or_null("p.error_code IS NOT NULL", _ERROR),
        events=json_text("p.last_seq"),
        metadata=json_text(metadata),
        created_by=party_json("p.created_by_kind", "p.created_by_id", "p.created_by_name"),
    )


class ListFilter(NamedTuple):
    """What a list of sessions is narrowed by; None and empty narrow nothing."""

    status: SessionStatus | None = None
    type: SessionType | None = None
    source: SessionSource | None = None
    agent_id: UUID | None = None
    entity_id: UUID | None = None
    task_id: UUID | None = None
    parent_session_id: UUID | None = None
    golden: bool | None = None
    purpose: str | None = None
    waits_for: WaitsFor | None = None
    since: datetime | None = None
    until: datetime | None = None
    terms: tuple[str, ...] = ()


_EQUAL = ("status", "type", "source", "agent_id", "entity_id", "task_id", "parent_session_id")


async def list_newest_first(
    tx: Tx, wanted: ListFilter, before: tuple[object, UUID], limit: int, item: str | None = None
) -> RawPage[Session]:
    """The statement holds only what is asked for. `item` is the JSON of a session, where not all of it is shown."""
    arguments: list[Any] = [tx.actor.tenant_id, *before]

    def bound(value: object) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    conditions = ["s.tenant_id = $1 AND (s.created_at, s.id) < ($2, $3) AND NOT s.metadata ? 'merged_into'"]
    for column in _EQUAL:
        if (value := getattr(wanted, column)) is not None:
            conditions.append(f"s.{column} = {bound(value)}")
    if wanted.purpose is None:
        conditions.append("s.purpose <> 'replay' AND s.purpose <> 'judging'")  # as the index has it
    else:
        conditions.append(f"s.purpose = {bound(wanted.purpose)}")
    if wanted.golden is not None:
        conditions.append(f"{'' if wanted.golden else 'NOT '}s.metadata ? 'golden'")
    if wanted.waits_for is not None:
        conditions.append(
            f"s.status = ANY ({bound(list(WAITING_STATUSES[wanted.waits_for]))}) AND {WAITS_FOR_PEOPLE}"
        )
    if wanted.since is not None:
        conditions.append(f"s.created_at >= {bound(wanted.since)}")
    if wanted.until is not None:
        conditions.append(f"s.created_at < {bound(wanted.until)}")
    for term in wanted.terms:
        conditions.append(
            f"""EXISTS (SELECT FROM session_words w WHERE w.tenant_id = $1 AND w.session_id = s.id
                AND w.word >= {bound(term)} AND w.word < {bound(term + _LAST_CHARACTER)})"""
        )
    query = f"""
        SELECT {_LISTED_COLUMNS}, {_BYTES} FROM sessions s WHERE {" AND ".join(conditions)}
        ORDER BY s.created_at DESC, s.id DESC LIMIT {limit + 1:d}
    """
    return read_page(
        await tx.fetch_page(json_page(query, item or session_json(), limit, "created_at", "id"), *arguments)
    )
