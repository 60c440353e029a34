"""Use case: aggregate all responses to a record, in one pass in PostgreSQL. The pure part is `aggregation.py`.

Withdrawn and rejected responses do not count, nor do those about something else than the set rates now: a set may
have rated records, or connections through another field, before. Dimensions are those that the responses were made with, so that a
change of the criteria set changes nothing about what was said before.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.criteria.model import Dimension
from goldloop.entities.records import service as records
from goldloop.entities.scores import Raters, read_raters
from goldloop.kit.db import Tx
from goldloop.responses import store
from goldloop.responses.aggregate_matrix import Cells, ConnectionAggregate
from goldloop.responses.aggregation import Strategy, order_frequencies
from goldloop.responses.matrix_counts import CountedMatrix, ReadMatrix, ScopedSet
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.tenants.model import Party

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


class NamedAggregate(ConnectionAggregate, frozen=True, kw_only=True):
    title: str | None  # None for a record that is gone


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str | None


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Every number that was said about the connections, in columns: enough to aggregate by any strategy."""

    dimensions: list[Dimension]
    connections: list[Connection]
    respondents: list[Party]
    cells: Cells


class ResponseAggregation(msgspec.Struct, frozen=True, kw_only=True):
    """`raters` says who gave scores, each by their newest: null where nobody did. `byConnection` is there where connections were rated, `matrix` where it was asked for as well. Both are about the
    best of very many connections, by the newest of very many responses: the others are `…_omitted`."""

    entity_id: UUID
    criteria_set_id: UUID
    strategy: Strategy
    count: int
    respondents: int
    score: float | None
    raters: Raters | None
    dimensions: list[DimensionRollup]
    progression: list[ProgressPoint]
    by_connection: dict[str, NamedAggregate] | msgspec.UnsetType = msgspec.field(
        default=msgspec.UNSET, name="byConnection"
    )
    connections_omitted: int | msgspec.UnsetType = msgspec.UNSET
    responses_omitted: int | msgspec.UnsetType = msgspec.UNSET
    matrix: Matrix | msgspec.UnsetType = msgspec.UNSET


async def aggregate(
    tx: Tx, entity_id: UUID, set_id: UUID, strategy: Strategy
) -> tuple[ResponseAggregation, ReadMatrix | None]:
    """With what was said about connections, where that is what was rated: `count_matrix` counts it."""
    tx.actor.check(RESPONSES_READ)
    await records.access(tx, entity_id)
    criteria_set = await criteria.access(tx, set_id)
    row = await store.aggregate(tx, entity_id, set_id, MAX_POINTS)
    totals: dict[str, Any] = row["totals"]
    field_key = criteria_set.rated_field
    read = None
    if field_key is not None:
        read = await read_matrix(tx, entity_id, ScopedSet(set_id, field_key), criteria_set.dimensions)
    found = ResponseAggregation(
        entity_id=entity_id,
        criteria_set_id=set_id,
        strategy=strategy,
        count=totals["count"],
        respondents=totals["respondents"],
        score=totals[strategy],
        raters=read_raters(await store.read_raters(tx, entity_id, set_id)),
        dimensions=[_dimension(found, strategy) for found in row["dimensions"] or []],
        progression=msgspec.convert(row["progression"] or [], list[ProgressPoint]),
    )
    return found, read


async def read_matrix(
    tx: Tx, entity_id: UUID, scoped: ScopedSet, asked: Sequence[Dimension] = ()
) -> ReadMatrix:
    """What was said about a record's connections, for `count_matrix` and the scores of edges."""
    rows = await store.list_matrices(tx, entity_id, scoped)
    return ReadMatrix(await store.list_snapshots(tx, [entity_id], scoped), asked, rows, rows.found)


async def list_titles(tx: Tx, counted: CountedMatrix) -> dict[str, str]:
    found = await records.list_titles(tx, [UUID(key) for key in counted.aggregates])
    return {str(key): title for key, title in found.items()}


def encode_with_connections(
    found: ResponseAggregation, counted: CountedMatrix, titles: dict[str, str], *, compact: bool
) -> bytes:
    """The whole answer. Columns of numbers are encoded one by one: nobody else goes on within a call."""
    named: Any = {
        key: NamedAggregate(title=titles.get(key), **msgspec.structs.asdict(aggregate))
        for key, aggregate in counted.aggregates.items()
    }
    whole = msgspec.structs.replace(
        found,
        by_connection=named,
        connections_omitted=counted.connections_omitted,
        responses_omitted=counted.responses_omitted,
        matrix=_matrix(counted, titles) if compact else msgspec.UNSET,
    )
    return msgspec.json.encode(whole)


def _matrix(counted: CountedMatrix, titles: dict[str, str]) -> Matrix:
    columns: Any = [msgspec.Raw(msgspec.json.encode(column)) for column in counted.cells.values]
    return Matrix(
        dimensions=counted.dimensions,
        connections=[Connection(id=key, title=titles.get(key)) for key in counted.aggregates],
        respondents=counted.respondents,
        cells=msgspec.structs.replace(counted.cells, values=columns),
    )


def _dimension(found: dict[str, Any], strategy: Strategy) -> DimensionRollup:
    options = found.pop("options") or []
    if found["frequencies"] is not None:
        found["frequencies"] = order_frequencies(found["frequencies"], options)
    return DimensionRollup(**found, value=found[strategy])
