"""SQL of responses. The only writer of `entity_responses` beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.dimension_types import CHOSEN, NUMERIC
from goldloop.criteria.model import CriteriaSet, Dimension, Scope
from goldloop.entities.model import EntityType
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id
from goldloop.kit.json_rows import json_object, json_or_null
from goldloop.kit.pagination import RawPage, Rows, bytes_of, json_page, read_page, within_bytes
from goldloop.responses.matrix_counts import MatrixRow, ScopedSet, SnapshotRow
from goldloop.responses.model import EntityResponse, ResponseSource, ResponseStatus, ScoredResponse
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_SUBMITTER_KIND = "CASE WHEN r.submitted_by_agent IS NOT NULL THEN 'agent' WHEN r.submitted_by_user IS NOT NULL THEN 'user' ELSE 'system' END"
_SUBMITTER = (
    "CASE WHEN r.submitted_by_agent IS NOT NULL THEN r.submitted_by_agent ELSE r.submitted_by_user END"
)
COLUMNS = f"""
    r.id, r.entity_id, r.criteria_set_id, r.criteria_snapshot, r.scope, r.submitted_by_user, r.submitted_by_agent,
    {_SUBMITTER_KIND} AS submitter_kind,
    {name_sql("$1", _SUBMITTER_KIND, _SUBMITTER)} AS submitter_name,
    r.source, r.values, r.field_meta, r.weighted_score, r.normalized_score, r.status, r.promoted_fields,
    r.promotable_fields, r.reviewed_by, r.reviewed_by_kind,
    {name_sql("$1", "r.reviewed_by_kind", "r.reviewed_by")} AS reviewer_name, r.reviewed_at, r.review_notes,
    r.parent_response_id, r.temporal_value, r.notes, r.created_at, r.withdrawn_at, r.waits, r.assigned_to,
    {name_sql("$1", "'user'", "r.assigned_to")} AS assigned_name
"""
PARTIES_JSON = {
    "submitted_by": party_json(
        "p.submitter_kind", "coalesce(p.submitted_by_agent, p.submitted_by_user)", "p.submitter_name"
    ),
    "reviewer": json_or_null(
        "p.reviewed_by_kind IS NOT NULL", party_json("p.reviewed_by_kind", "p.reviewed_by", "p.reviewer_name")
    ),
    "assigned_to": json_or_null(
        "p.assigned_to IS NOT NULL", party_json("'user'::text", "p.assigned_to", "p.assigned_name")
    ),
}
_JSON = json_object(EntityResponse, "p", **PARTIES_JSON)
_FROM = "FROM entity_responses r WHERE r.tenant_id = $1 AND r.entity_id = $2"
BYTES = bytes_of("r.values", "r.field_meta", "r.criteria_snapshot", "r.notes", "r.review_notes")
MOST_RESPONSES = 10_000  # that one aggregate reads, the newest
MOST_BYTES = 32 * 1024 * 1024  # of their values: a million numbers about a hundred thousand connections
MOST_SNAPSHOTS = 100  # versions of a criteria set that one aggregate knows, the newest
# Responses about connections that count, and those of them by one criteria set ($3) about one field ($4).
COUNTED_MATRIX = "r.withdrawn_at IS NULL AND r.status <> 'rejected' AND r.scope ->> 'type' = 'relation'"
OF_SCOPED = f"r.criteria_set_id = $3 AND r.scope ->> 'fieldKey' = $4 AND {COUNTED_MATRIX}"


def from_row(row: Any) -> EntityResponse:
    return EntityResponse(
        id=row["id"],
        entity_id=row["entity_id"],
        criteria_set_id=row["criteria_set_id"],
        criteria_snapshot=msgspec.convert(row["criteria_snapshot"], list[Dimension]),
        scope=msgspec.convert(row["scope"], Scope | None),
        submitted_by_user=row["submitted_by_user"],
        submitted_by_agent=row["submitted_by_agent"],
        submitted_by=Party(
            kind=row["submitter_kind"],
            id=row["submitted_by_agent"] or row["submitted_by_user"],
            name=row["submitter_name"],
        ),
        source=ResponseSource(row["source"]),
        values=row["values"],
        field_meta=row["field_meta"],
        weighted_score=row["weighted_score"],
        normalized_score=row["normalized_score"],
        status=ResponseStatus(row["status"]),
        promoted_fields=row["promoted_fields"],
        promotable_fields=row["promotable_fields"],
        reviewed_by=row["reviewed_by"],
        reviewer=Party(kind=row["reviewed_by_kind"], id=row["reviewed_by"], name=row["reviewer_name"])
        if row["reviewed_by_kind"]
        else None,
        reviewed_at=row["reviewed_at"],
        review_notes=row["review_notes"],
        parent_response_id=row["parent_response_id"],
        temporal_value=row["temporal_value"],
        notes=row["notes"],
        created_at=row["created_at"],
        withdrawn_at=row["withdrawn_at"],
        assigned_to=Party(kind="user", id=row["assigned_to"], name=row["assigned_name"])
        if row["assigned_to"]
        else None,
        waits=row["waits"],
    )


class Inserted(NamedTuple):
    """`outcome` is `submitted`, `taken` (the id is in use), `stale` (the criteria set changed since it was read),
    `type_changed` (so did the type, or the record is of another one) or `absent` (there is no such record); the event is there
    if it was submitted."""

    outcome: str
    created_at: datetime
    waits: bool
    event: Event | None


async def insert(
    tx: Tx, response: EntityResponse, criteria_set: CriteriaSet, entity_type: EntityType, *, alone: bool
) -> Inserted:
    """`alone`: nothing else is written with it."""
    row = await (tx.write_alone if alone else tx.fetchrow)(
        """
        SELECT outcome, created_at, waits, event
        FROM submit_response($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                             $17, $18, $19, $20)
        """,
        response.id,
        response.entity_id,
        response.criteria_set_id,
        criteria_set.version,
        response.criteria_snapshot,
        response.source,
        response.values,
        response.field_meta,
        response.weighted_score,
        response.normalized_score,
        response.promotable_fields,
        response.parent_response_id,
        response.temporal_value,
        response.notes,
        response.scope,
        new_id(),
        criteria_set.updated_at,
        entity_type.id,
        entity_type.version,
        entity_type.updated_at,
    )
    assert row is not None
    return Inserted(row["outcome"], row["created_at"], bool(row["waits"]), Event.written(row["event"]))


async def find(tx: Tx, entity_id: UUID, response_id: UUID) -> EntityResponse | None:
    """By its id alone: with the record beside it, a plan may go through all responses to that."""
    row = await tx.fetchrow(
        f"SELECT {COLUMNS} FROM entity_responses r WHERE r.tenant_id = $1 AND r.id = $2",
        tx.actor.tenant_id,
        response_id,
    )
    return from_row(row) if row and row["entity_id"] == entity_id else None


async def list_newest_first(
    tx: Tx,
    entity_id: UUID,
    set_id: UUID | None,
    status: ResponseStatus | None,
    before: tuple[object, UUID],
    limit: int,
) -> RawPage[EntityResponse]:
    arguments: list[Any] = [tx.actor.tenant_id, entity_id, *before]
    conditions = "AND r.withdrawn_at IS NULL AND (r.created_at, r.id) < ($3, $4)"
    for column, value in (("criteria_set_id", set_id), ("status", status)):
        if value is not None:
            arguments.append(value)
            conditions += f" AND r.{column} = ${len(arguments)}"
    query = f"""
        SELECT {COLUMNS}, {BYTES} {_FROM} {conditions} ORDER BY r.created_at DESC, r.id DESC LIMIT {limit + 1:d}
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "created_at", "id"), *arguments))


Rater = tuple[UUID, bool]  # an id, and whether it is no agent's: as their index has them


async def list_by_rater(
    tx: Tx, entity_id: UUID, set_id: UUID, after: Rater, limit: int
) -> Rows[tuple[Rater, EntityResponse]]:
    """The newest response of each rater that counts, in the order of raters, however many older ones there are."""
    found = await tx.fetch(
        f"SELECT rater, no_agent, response_id FROM list_raters($1, $2, $3, $4, false, {limit:d})",
        entity_id,
        set_id,
        *after,
    )
    raters: dict[UUID, Rater] = {row["response_id"]: (row["rater"], row["no_agent"]) for row in found}
    query = f"SELECT {COLUMNS}, {BYTES} {_FROM} AND r.id = ANY ($3) ORDER BY array_position($3::uuid[], r.id)"
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, entity_id, list(raters))
    return Rows.read(rows, lambda row: (raters[row["id"]], from_row(row)))


async def list_scores(
    tx: Tx, entity_id: UUID, set_id: UUID, before: tuple[object, UUID], limit: int
) -> list[ScoredResponse]:
    """The responses that count and have a score, newest first."""
    rows = await tx.fetch(
        f"""
        SELECT r.id, {_SUBMITTER_KIND} AS kind, {_SUBMITTER} AS submitter, r.temporal_value, r.created_at,
               {name_sql("$1", _SUBMITTER_KIND, _SUBMITTER)} AS name, score_of_100(r.normalized_score) AS score
        {_FROM} AND r.criteria_set_id = $3 AND (r.created_at, r.id) < ($4, $5) AND r.withdrawn_at IS NULL
          AND r.status <> 'rejected' AND r.normalized_score IS NOT NULL
        ORDER BY r.created_at DESC, r.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        entity_id,
        set_id,
        *before,
    )
    return [
        ScoredResponse(
            response_id=row["id"],
            submitted_by=Party(kind=row["kind"], id=row["submitter"], name=row["name"]),
            temporal_value=row["temporal_value"],
            score=row["score"],
            created_at=row["created_at"],
        )
        for row in rows
    ]


async def set_review(
    tx: Tx,
    entity_id: UUID,
    response_id: UUID,
    before: ResponseStatus,
    after: ResponseStatus,
    notes: str | None,
) -> bool:
    """False when the status is not the one that was read, or something was promoted meanwhile."""
    return bool(
        await tx.fetchval(
            "SELECT review_response($1, $2, $3, $4, $5)", entity_id, response_id, before, after, notes
        )
    )


async def withdraw(tx: Tx, response_id: UUID) -> str:
    """`withdrawn`, `already` (before), or `promoted`: what a record stands on is not taken away."""
    outcome: str = await tx.fetchval("SELECT withdraw_response($1)", response_id)
    return outcome


def newest(query: str, large: str) -> str:
    """The newest rows of a query, as far as one aggregate reads, each with how many there are in all."""
    newest = f"{query} ORDER BY r.created_at DESC, r.id DESC LIMIT {MOST_RESPONSES}"
    return within_bytes(f"SELECT n.*, {bytes_of(f'n.{large}')} FROM ({newest}) n", MOST_BYTES)


async def list_matrices(tx: Tx, entity_id: UUID, scoped: ScopedSet) -> Rows[MatrixRow]:
    """Those that count, newest first. As text: there may be many, and whoever counts them parses them elsewhere."""
    query = f"""
        SELECT {_SUBMITTER_KIND} AS kind, {_SUBMITTER} AS id, {name_sql("$1", _SUBMITTER_KIND, _SUBMITTER)} AS name, r.values,
               count(*) OVER () AS total
        FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.entity_id = $2 AND {OF_SCOPED}
    """
    rows = await tx.fetch(
        f"""
        SELECT x.kind, x.id, x.name, x.values::text AS values, x.total AS found,
               (SELECT count(*) FROM jsonb_object_keys(x.values)) AS connections
        FROM ({newest(query, "values")}) x ORDER BY x.place
        """,
        tx.actor.tenant_id,
        entity_id,
        *scoped,
    )
    return Rows.read(rows, _matrix_from_row)


def _matrix_from_row(row: Any) -> MatrixRow:
    respondent = Party(kind=row["kind"], id=row["id"], name=row["name"])
    return MatrixRow(respondent, row["connections"], row["values"])


async def list_snapshots(tx: Tx, entity_ids: Sequence[UUID], scoped: ScopedSet) -> list[SnapshotRow]:
    """The dimensions that the responses to some records which count were made with, the newest of them."""
    query = f"""
        SELECT s.criteria_snapshot, array_agg(s.entity_id) AS entities, array_agg(s.at) AS moments,
               {bytes_of("s.criteria_snapshot")} FROM (
            SELECT r.entity_id, r.criteria_snapshot, max(r.created_at) AS at FROM entity_responses r
            WHERE r.tenant_id = $1 AND r.entity_id = ANY ($2) AND {OF_SCOPED}
            GROUP BY r.entity_id, r.criteria_snapshot) s
        GROUP BY s.criteria_snapshot ORDER BY max(s.at) DESC, s.criteria_snapshot LIMIT {MOST_SNAPSHOTS}
    """
    rows = await tx.fetch(
        f"SELECT x.criteria_snapshot::text AS dimensions, x.entities, x.moments FROM ({within_bytes(query)}) x",
        tx.actor.tenant_id,
        list(entity_ids),
        *scoped,
    )
    return [
        SnapshotRow(row["dimensions"], list(zip(row["entities"], row["moments"], strict=True)))
        for row in rows
    ]


async def find_target(
    tx: Tx, entity_id: UUID, set_id: UUID | None, slug: str | None, default_prefix: str
) -> Any:
    """The states of a record's type and of a criteria set: by its id, by its slug, or the default set of the type."""
    default = "" if set_id else "CROSS JOIN LATERAL (SELECT coalesce($3, $4 || t.slug) AS slug OFFSET 0) w"
    by, wanted = ("c.id = $3::uuid", set_id) if set_id else ("c.slug = w.slug", slug)
    return await tx.look(
        f"""
        SELECT t.id AS type_id, t.version AS type_version, t.updated_at AS type_updated_at,
               c.id AS set_id, c.version AS set_version, c.updated_at AS set_updated_at
        FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id {default}
        LEFT JOIN criteria_sets c ON c.tenant_id = e.tenant_id AND {by}
        WHERE e.tenant_id = $1 AND e.id = $2
        """,
        tx.actor.tenant_id,
        entity_id,
        wanted,
        *([] if set_id else [default_prefix]),
    )


async def aggregate(tx: Tx, entity_id: UUID, set_id: UUID, points: int) -> Any:
    """What many say together: totals, per dimension, and over time in at most so many points."""
    row = await tx.fetchrow(
        "SELECT totals, dimensions, progression FROM aggregate_responses($1, $2, $3, $4, $5)",
        entity_id,
        set_id,
        points,
        sorted(NUMERIC),
        sorted(CHOSEN),
    )
    assert row is not None
    return row


async def read_raters(tx: Tx, entity_id: UUID, set_id: UUID) -> Any:
    """Who rated a record with a criteria set, as its summary has it; None where nobody did."""
    return await tx.fetchval("SELECT compute_response_summary($1, $2, now()) -> 'raters'", entity_id, set_id)


async def list_rated_units(tx: Tx, set_id: UUID, responses: int, values: int, most_bytes: int) -> list[Any]:
    """Per dimension what was rated by whom, of the newest responses within these bounds."""
    return await tx.fetch(
        "SELECT dimension, units, omitted FROM list_rated_units($1, $2, $3, $4)",
        set_id,
        responses,
        values,
        most_bytes,
    )


async def refresh_summary(tx: Tx, entity_id: UUID, response_id: UUID) -> None:
    """The score that a record shows, after a response was withdrawn, rejected or reopened."""
    await tx.execute("SELECT refresh_response_summary($1, $2)", entity_id, response_id)


async def refresh_of_type(tx: Tx, slug: str) -> None:
    """What follows for responses and scores from a change of a type."""
    await tx.execute("SELECT refresh_type_responses($1)", slug)


async def repair_summaries(tx: Tx, after: UUID, batch: int) -> UUID | None:
    """The score summaries of a batch of records, from their responses; the last of them if there may be more."""
    last: UUID | None = await tx.fetchval("SELECT repair_response_summaries($1, $2)", after, batch)
    return last
