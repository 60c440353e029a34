"""What all responses to a record say together, counted in PostgreSQL: one pass over them, whatever their number.

Withdrawn and rejected responses do not count, nor do those about something else than the set rates now: a set may
have rated records, or connections through another field, before. Dimensions are those that the responses were made with, so that a
change of the criteria set changes nothing about what was said before.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.criteria.errors import CriteriaSetNotFound
from goldloop.criteria.store import find as find_criteria_set
from goldloop.entities.model import EntityNotFound
from goldloop.entities.records.store import find as find_entity
from goldloop.kit.db import Tx
from goldloop.responses.aggregation import Strategy, order_frequencies
from goldloop.responses.edges.service import (
    Matrix,
    NamedAggregate,
    ReadMatrix,
    aggregate_connections,
    read_matrix,
)
from goldloop.tenants import roles

MAX_POINTS = 200  # of the progression: as many as a chart can show


class DimensionRollup(msgspec.Struct, frozen=True, kw_only=True):
    """`value` is the statistic that the strategy names; `spread` is the deviation between respondents' own means."""

    key: str
    label: str
    type: str
    count: int
    respondents: int
    value: float | None
    mean: float | None
    median: float | None
    min: float | None
    max: float | None
    stddev: float | None
    spread: float | None
    frequencies: dict[str, int] | None


class ProgressPoint(msgspec.Struct, frozen=True, kw_only=True):
    """The scores of one stretch of time, on 0 to 100."""

    at: datetime
    score: float
    min: float
    max: float
    count: int


class ResponseAggregation(msgspec.Struct, frozen=True, kw_only=True):
    """`byConnection` is there where connections were rated, `matrix` where it was asked for as well."""

    entity_id: UUID
    criteria_set_id: UUID
    strategy: Strategy
    count: int
    respondents: int
    score: float | None
    dimensions: list[DimensionRollup]
    progression: list[ProgressPoint]
    by_connection: dict[str, NamedAggregate] | msgspec.UnsetType = msgspec.field(
        default=msgspec.UNSET, name="byConnection"
    )
    matrix: Matrix | msgspec.UnsetType = msgspec.UNSET


async def aggregate(
    tx: Tx, entity_id: UUID, set_id: UUID, strategy: Strategy
) -> tuple[ResponseAggregation, ReadMatrix | None]:
    """With what was said about connections, where that is what was rated: `add_connections` counts it."""
    tx.actor.check(roles.RESPONSES_READ)
    if await find_entity(tx, entity_id) is None:
        raise EntityNotFound
    criteria_set = await find_criteria_set(tx, set_id)
    if criteria_set is None:
        raise CriteriaSetNotFound
    row = await tx.fetchrow(
        "SELECT totals, dimensions, progression FROM aggregate_responses($1, $2, $3)",
        entity_id,
        set_id,
        MAX_POINTS,
    )
    assert row is not None
    totals: dict[str, Any] = row["totals"]
    field_key = criteria_set.rated_field
    read = await read_matrix(tx, entity_id, criteria_set, field_key) if field_key is not None else None
    found = ResponseAggregation(
        entity_id=entity_id,
        criteria_set_id=set_id,
        strategy=strategy,
        count=totals["count"],
        respondents=totals["respondents"],
        score=totals[strategy],
        dimensions=[_dimension(found, strategy) for found in row["dimensions"] or []],
        progression=msgspec.convert(row["progression"] or [], list[ProgressPoint]),
    )
    return found, read


def add_connections(found: ResponseAggregation, read: ReadMatrix, *, compact: bool) -> ResponseAggregation:
    """A million numbers take most of a second: not for a transaction, nor for the thread that answers others."""
    by_connection, matrix = aggregate_connections(read, found.strategy)
    return msgspec.structs.replace(
        found, by_connection=by_connection, matrix=matrix if compact else msgspec.UNSET
    )


def _dimension(found: dict[str, Any], strategy: Strategy) -> DimensionRollup:
    options = found.pop("options") or []
    if found["frequencies"] is not None:
        found["frequencies"] = order_frequencies(found["frequencies"], options)
    return DimensionRollup(**found, value=found[strategy])
