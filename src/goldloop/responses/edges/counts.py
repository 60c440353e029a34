"""The single source of what responses say about connections, counted from what was read. It may take a second: for the
threads of `kit/compute_threads`. Values are decoded one response after another. Pure."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from heapq import nlargest
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.model import MAX_DIMENSIONS, Dimension
from goldloop.kit.numbers import round_off
from goldloop.kit.pagination import FIRST_ID, decode_pair, encode_pair
from goldloop.responses.aggregate_matrix import (
    Cells,
    ConnectionAggregate,
    compute_response_aggregate,
    each_aggregate,
    merge_dimensions,
    numeric_dimensions,
    to_cells,
)
from goldloop.responses.aggregation import Strategy
from goldloop.responses.edges.store import MatrixRow, OutcomeRow, ScopedSet, SnapshotRow
from goldloop.tenants.model import Party

UNRANKED = float("-inf")  # where the connections without a score begin, after all that have one
MOST_VALUES = 1_000_000  # connections of the responses × dimensions that one aggregate counts
MOST_CONNECTIONS = 1000  # that an answer names
MOST_NAMED = 50_000  # their values by dimension


class RecordLink(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    type: str
    title: str


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the responses to one record say about another that it is connected to. Scores as those of responses."""

    entity: RecordLink
    count: int
    weighted_score: float | None
    normalized_score: float | None


class OutcomePage(msgspec.Struct, frozen=True, kw_only=True):
    """`responses_omitted` is how many older responses were too many to be counted."""

    data: list[Outcome]
    next_cursor: str | None
    responses_omitted: int


class Rated(NamedTuple):
    dimensions: Sequence[Dimension]


class Said(NamedTuple):
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


class ReadScores(NamedTuple):
    scoped: ScopedSet
    matrix: ReadMatrix


class ReadOutcomes(NamedTuple):
    """What the responses to others say about one record; `found` is how many there are."""

    rows: Sequence[OutcomeRow]
    snapshots: list[SnapshotRow]
    found: int


def count_matrix(read: ReadMatrix, strategy: Strategy) -> CountedMatrix:
    dimensions = _dimensions(read)
    rows = _countable(read.rows, len(dimensions))
    ids, cells = to_cells(_decoded(rows), dimensions)
    most = min(MOST_CONNECTIONS, MOST_NAMED // max(1, len(dimensions)))
    best = nlargest(most, each_aggregate(ids, cells, dimensions, strategy), key=_score)
    chosen = dict(best)
    respondents, said = _of_connections(ids, cells, rows, chosen.keys())
    return CountedMatrix(
        dimensions=dimensions,
        aggregates={key: chosen[key] for key in ids if key in chosen},
        respondents=respondents,
        cells=said,
        connections_omitted=len(ids) - len(chosen),
        responses_omitted=max(0, read.found - len(rows)),
    )


def _dimensions(read: ReadMatrix) -> list[Dimension]:
    """Numeric ones, as they were last. A set has no more at any time."""
    known = merge_dimensions(map(_snapshot, read.snapshots)) or read.asked
    return numeric_dimensions(Rated(known))[:MAX_DIMENSIONS]


def _snapshot(row: SnapshotRow) -> list[Dimension]:
    return msgspec.json.decode(row.dimensions, type=list[Dimension])


def _countable(rows: Sequence[MatrixRow], dimensions: int) -> list[MatrixRow]:
    """The newest, as many as are counted, oldest first; one is always."""
    values = accumulate(row.connections * max(1, dimensions) for row in rows)
    counted = sum(1 for upto in values if upto <= MOST_VALUES)
    return list(reversed(rows[: max(1, counted)]))


def _decoded(rows: Sequence[MatrixRow]) -> Iterator[Said]:
    for row in rows:
        yield Said(msgspec.json.decode(row.values))


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


def compute_scores(read: Sequence[ReadScores]) -> list[tuple[ScopedSet, str]]:
    """What the cache of a record's connections is to hold, as JSON, for each set and field they were rated by."""
    return [(each.scoped, _scores(each.matrix)) for each in read]


def _scores(read: ReadMatrix) -> str:
    dimensions = _dimensions(read)
    ids, cells = to_cells(_decoded(_countable(read.rows, len(dimensions))), dimensions)
    encode = msgspec.json.Encoder().encode
    found = each_aggregate(ids, cells, dimensions, Strategy.MEAN)
    return (
        f"{{{','.join(f'{encode(key).decode()}:{encode(_cached(each)).decode()}' for key, each in found)}}}"
    )


def _cached(found: ConnectionAggregate) -> dict[str, Any]:
    score = found.normalized_score
    return {
        "score": None if score is None else round_off(score * 100),
        "weighted_score": found.weighted_score,
        "count": found.count,
        "dimensions": {key: each.value for key, each in found.dimensions.items() if each.value is not None},
    }


def rank_outcomes(read: ReadOutcomes, cursor: str | None, limit: int) -> OutcomePage:
    """The records that did best, then those without a score; a page of them. Every page counts all anew."""
    score, last_id = decode_pair(cursor, float) or (float("inf"), FIRST_ID)
    found = sorted(_outcomes(read), key=_place)
    start = bisect_right(found, (-score, last_id), key=_place)  # type: ignore[operator]
    shown = found[start : start + limit]
    more = start + limit < len(found)
    return OutcomePage(
        data=shown,
        next_cursor=encode_pair(-_place(shown[-1])[0], shown[-1].entity.id) if more else None,
        responses_omitted=max(0, read.found - len(read.rows)),
    )


def _outcomes(read: ReadOutcomes) -> Iterator[Outcome]:
    by_record: dict[UUID, list[OutcomeRow]] = defaultdict(list)
    for row in read.rows:
        by_record[row.id].append(row)
    used: dict[UUID, list[tuple[datetime, int]]] = defaultdict(list)
    for place, snapshot in enumerate(read.snapshots):
        for entity_id, moment in snapshot.last:
            used[entity_id].append((moment, place))
    snapshots = list(map(_snapshot, read.snapshots))
    for entity_id, rows in by_record.items():
        newest = [snapshots[place] for _, place in sorted(used[entity_id], reverse=True)]
        yield _outcome(rows, merge_dimensions(newest))


def _outcome(rows: Sequence[OutcomeRow], dimensions: Sequence[Dimension]) -> Outcome:
    said = (Said({"": msgspec.json.decode(row.said)}) for row in rows)
    found = compute_response_aggregate(said, Rated(dimensions), Strategy.MEAN).get("")
    return Outcome(
        entity=RecordLink(id=rows[0].id, type=rows[0].type, title=rows[0].title),
        count=found.count if found else 0,
        weighted_score=found.weighted_score if found else None,
        normalized_score=found.normalized_score if found else None,
    )


def _place(outcome: Outcome) -> tuple[float, UUID]:
    score = outcome.normalized_score
    return -(UNRANKED if score is None else score), outcome.entity.id
