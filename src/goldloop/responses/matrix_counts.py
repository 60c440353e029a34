"""The single source of what responses say about the connections of a record, counted from what was read. It may take
a second: for the threads of `kit/compute_threads`. Values are decoded one response after another. Pure."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from heapq import nlargest
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.model import MAX_DIMENSIONS, Dimension
from goldloop.responses.aggregate_matrix import (
    Cells,
    ConnectionAggregate,
    each_aggregate,
    merge_dimensions,
    numeric_dimensions,
    to_cells,
)
from goldloop.responses.aggregation import Strategy
from goldloop.tenants.model import Party

UNRANKED = float("-inf")  # where the connections without a score begin, after all that have one
MOST_VALUES = 1_000_000  # connections of the responses × dimensions that one aggregate counts
MOST_CONNECTIONS = 1000  # that an answer names
MOST_NAMED = 50_000  # their values by dimension


class ScopedSet(NamedTuple):
    """A criteria set, and the field whose connections are rated with it: over time a set may have rated several."""

    id: UUID
    field_key: str


class MatrixRow(NamedTuple):
    """A response about connections, as far as it is aggregated; `values` as JSON, about so many `connections`."""

    respondent: Party
    connections: int
    values: str


class SnapshotRow(NamedTuple):
    """Dimensions as JSON, and the records with responses that were made with them, each with when one was last."""

    dimensions: str
    last: list[tuple[UUID, datetime]]


class Rated(NamedTuple):
    dimensions: Sequence[Dimension]


class MatrixValues(NamedTuple):
    values: dict[str, Any]


class ReadMatrix(NamedTuple):
    """What the responses say about connections, newest first; `found` is how many there are, `asked` are the dimensions
    where nobody said anything."""

    snapshots: list[SnapshotRow]
    asked: Sequence[Dimension]
    rows: Sequence[MatrixRow]
    found: int


class CountedMatrix(NamedTuple):
    """The connections that an answer names, by what they say, and the numbers that it comes from."""

    dimensions: list[Dimension]
    aggregates: dict[str, ConnectionAggregate]
    respondents: list[Party]
    cells: Cells
    connections_omitted: int
    responses_omitted: int


def count_matrix(read: ReadMatrix, strategy: Strategy) -> CountedMatrix:
    dimensions = rated_dimensions(read)
    rows = countable(read.rows, len(dimensions))
    ids, cells = to_cells(decoded(rows), dimensions)
    most = min(MOST_CONNECTIONS, MOST_NAMED // max(1, len(dimensions)))
    best = nlargest(most, each_aggregate(ids, cells, dimensions, strategy), key=_score)
    chosen = dict(best)
    respondents, named = _of_connections(ids, cells, rows, chosen.keys())
    return CountedMatrix(
        dimensions=dimensions,
        aggregates={key: chosen[key] for key in ids if key in chosen},
        respondents=respondents,
        cells=named,
        connections_omitted=len(ids) - len(chosen),
        responses_omitted=max(0, read.found - len(rows)),
    )


def rated_dimensions(read: ReadMatrix) -> list[Dimension]:
    """Numeric ones, as they were last. A set has no more at any time."""
    known = merge_dimensions(map(parse_snapshot, read.snapshots)) or read.asked
    return numeric_dimensions(Rated(known))[:MAX_DIMENSIONS]


def parse_snapshot(row: SnapshotRow) -> list[Dimension]:
    return msgspec.json.decode(row.dimensions, type=list[Dimension])


def countable(rows: Sequence[MatrixRow], dimensions: int) -> list[MatrixRow]:
    """The newest, as many as are counted, oldest first; one is always."""
    values = accumulate(row.connections * max(1, dimensions) for row in rows)
    counted = sum(1 for upto in values if upto <= MOST_VALUES)
    return list(reversed(rows[: max(1, counted)]))


def decoded(rows: Sequence[MatrixRow]) -> Iterator[MatrixValues]:
    for row in rows:
        yield MatrixValues(msgspec.json.decode(row.values))


def _score(item: tuple[str, ConnectionAggregate]) -> float:
    score = item[1].normalized_score
    return UNRANKED if score is None else score


def _of_connections(
    ids: Sequence[str], cells: Cells, rows: Sequence[MatrixRow], chosen: Any
) -> tuple[list[Party], Cells]:
    """The cells of some connections, whose places are those among them, and who said them."""
    parties: dict[Party, int] = {}
    respondents = [parties.setdefault(row.respondent, len(parties)) for row in rows]
    places = {place: number for number, place in enumerate(n for n, key in enumerate(ids) if key in chosen)}
    kept = [row for row, place in enumerate(cells.connection) if place in places]
    return list(parties), Cells(
        connection=[places[cells.connection[row]] for row in kept],
        respondent=[respondents[cells.respondent[row]] for row in kept],
        values=[[column[row] for row in kept] for column in cells.values],
    )
