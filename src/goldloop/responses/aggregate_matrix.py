"""The single source of what many responses say about each connection of a record.

Per connection and numeric dimension the numbers are brought together by a strategy; what comes out of it is
scored as a response would be. The browser computes the same (`aggregateMatrix.ts`), so that another strategy
needs no request; `cases/response_aggregate.json` holds both to it.

Pure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Any, Protocol

import msgspec

from goldloop.criteria.dimension_types import NUMERIC, is_empty
from goldloop.criteria.model import Dimension
from goldloop.kit.numbers import MAX_NUMBER, is_number
from goldloop.responses.aggregation import Strategy, mean
from goldloop.responses.scoring import compute_response_score

_PLAIN = frozenset({int, float})  # what JSON numbers become; a boolean is neither


class MatrixResponse(Protocol):
    """Its values are `{connection id: {dimension key: value}}`."""

    @property
    def values(self) -> Mapping[str, Any]: ...


class Rated(Protocol):
    """A criteria set, as far as it is needed here."""

    @property
    def dimensions(self) -> Sequence[Dimension]: ...


class DimensionAggregate(msgspec.Struct, frozen=True, kw_only=True):
    value: float | None  # None where nobody gave a number
    count: int


class ConnectionAggregate(msgspec.Struct, frozen=True, kw_only=True):
    """`count` is how many responses say anything, in numbers or words, about the connection."""

    count: int
    dimensions: dict[str, DimensionAggregate]
    weighted_score: float | None
    normalized_score: float | None


class Cells(msgspec.Struct, frozen=True, kw_only=True):
    """One row per response and connection, in columns; `values[d][row]` is of the d-th numeric dimension."""

    connection: list[int]
    respondent: list[int]
    values: list[list[float | None]]


def compute_response_aggregate(
    responses: Iterable[MatrixResponse], criteria_set: Rated, strategy: Strategy
) -> dict[str, ConnectionAggregate]:
    """By connection id, in the order in which they first appear. Each response counts by itself."""
    dimensions = numeric_dimensions(criteria_set)
    connections, cells = to_cells(responses, dimensions)
    return aggregate_cells(connections, cells, dimensions, strategy)


def merge_dimensions(snapshots: Iterable[Sequence[Dimension]]) -> list[Dimension]:
    """Every dimension that responses were made with, as it was last. `snapshots` come newest first."""
    found: dict[str, Dimension] = {}
    for snapshot in snapshots:
        for dimension in snapshot:
            found.setdefault(dimension.key, dimension)
    return list(found.values())


def numeric_dimensions(criteria_set: Rated) -> list[Dimension]:
    return [dimension for dimension in criteria_set.dimensions if dimension.type in NUMERIC]


def to_cells(responses: Iterable[MatrixResponse], dimensions: Sequence[Dimension]) -> tuple[list[str], Cells]:
    """The connections that anything is said about, and what is; `respondent` is the place of the response."""
    keys = [dimension.key for dimension in dimensions]
    places: dict[str, int] = {}
    connection: list[int] = []
    respondent: list[int] = []
    given: list[Any] = []  # row after row
    for place, response in enumerate(responses):
        for connection_id, cell in response.values.items():
            if isinstance(cell, dict) and any(map(_says_something, cell.values())):
                connection.append(places.setdefault(connection_id, len(places)))
                respondent.append(place)
                given.extend(map(cell.get, keys))
    columns = [_numbers(given[place :: len(keys)]) for place in range(len(keys))]
    return list(places), Cells(connection=connection, respondent=respondent, values=columns)


def _numbers(given: Iterable[Any]) -> list[float | None]:
    """As floats, which is all that a browser has. As `is_number`, but there may be a million of them."""
    return [
        float(value) if type(value) in _PLAIN and -MAX_NUMBER <= value <= MAX_NUMBER else None
        for value in given
    ]


def aggregate_cells(
    connections: Sequence[str], cells: Cells, dimensions: Sequence[Dimension], strategy: Strategy
) -> dict[str, ConnectionAggregate]:
    return dict(each_aggregate(connections, cells, dimensions, strategy))


def each_aggregate(
    connections: Sequence[str], cells: Cells, dimensions: Sequence[Dimension], strategy: Strategy
) -> Iterator[tuple[str, ConnectionAggregate]]:
    """One after another, for whoever keeps a few of very many."""
    rows: list[list[int]] = [[] for _ in connections]
    for row, place in enumerate(cells.connection):
        rows[place].append(row)
    combine = _COMBINE[strategy]
    for connection_id, own in zip(connections, rows, strict=True):
        if own:
            yield connection_id, _aggregate(own, cells, dimensions, combine)


def _aggregate(
    rows: Sequence[int],
    cells: Cells,
    dimensions: Sequence[Dimension],
    combine: Callable[[list[float]], float],
) -> ConnectionAggregate:
    found: dict[str, DimensionAggregate] = {}
    for dimension, column in zip(dimensions, cells.values, strict=True):
        numbers = [value for value in map(column.__getitem__, rows) if value is not None]
        found[dimension.key] = DimensionAggregate(
            value=combine(numbers) if numbers else None, count=len(numbers)
        )
    score = compute_response_score({key: each.value for key, each in found.items()}, dimensions)
    return ConnectionAggregate(
        count=len(rows), dimensions=found, weighted_score=score.weighted, normalized_score=score.normalized
    )


def _says_something(value: object) -> bool:
    return is_number(value) or (isinstance(value, str) and not is_empty(value))


_COMBINE: dict[Strategy, Callable[[list[float]], float]] = {
    Strategy.MEAN: mean,
    Strategy.MEDIAN: median,
    Strategy.MIN: min,
    Strategy.MAX: max,
}
