"""The single source of which connections do best, from what was read. It may take a second: for the threads of
`kit/compute_threads`. Pure."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria.model import Dimension
from goldloop.edges.raters import each_raters
from goldloop.entities.scores import score_of_100
from goldloop.kit.pagination import FIRST_ID, decode_pair, encode_pair
from goldloop.responses.aggregate_matrix import (
    ConnectionAggregate,
    compute_response_aggregate,
    each_aggregate,
    merge_dimensions,
    to_cells,
)
from goldloop.responses.aggregation import Strategy
from goldloop.responses.matrix_counts import (
    UNRANKED,
    MatrixValues,
    Rated,
    ReadMatrix,
    ScopedSet,
    SnapshotRow,
    countable,
    decoded,
    parse_snapshot,
    rated_dimensions,
)


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


class OutcomeRow(NamedTuple):
    """A record, and as JSON what a response to it says about one that it is connected to."""

    id: UUID
    type: str
    title: str
    values: str


class ReadScores(NamedTuple):
    scoped: ScopedSet
    matrix: ReadMatrix


class ReadOutcomes(NamedTuple):
    """What the responses to others say about one record; `found` is how many there are."""

    rows: Sequence[OutcomeRow]
    snapshots: list[SnapshotRow]
    found: int


def compute_scores(read: Sequence[ReadScores]) -> list[tuple[ScopedSet, str]]:
    """What the cache of a record's connections is to hold, as JSON, for each set and field they were rated by."""
    return [(each.scoped, _scores(each.matrix)) for each in read]


def _scores(read: ReadMatrix) -> str:
    dimensions = rated_dimensions(read)
    rows = countable(read.rows, len(dimensions))
    ids, cells = to_cells(decoded(rows), dimensions)
    raters = each_raters([row.respondent for row in rows], len(ids), cells, dimensions)
    encode = msgspec.json.Encoder().encode
    found = zip(each_aggregate(ids, cells, dimensions, Strategy.MEAN), raters, strict=True)
    each = (f"{encode(key).decode()}:{encode(_cached(one, who)).decode()}" for (key, one), who in found)
    return f"{{{','.join(each)}}}"


def _cached(found: ConnectionAggregate, raters: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "raters": raters,
        "score": score_of_100(found.normalized_score),
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
    snapshots = list(map(parse_snapshot, read.snapshots))
    for entity_id, rows in by_record.items():
        newest = [snapshots[place] for _, place in sorted(used[entity_id], reverse=True)]
        yield _outcome(rows, merge_dimensions(newest))


def _outcome(rows: Sequence[OutcomeRow], dimensions: Sequence[Dimension]) -> Outcome:
    responses = (MatrixValues({"": msgspec.json.decode(row.values)}) for row in rows)
    found = compute_response_aggregate(responses, Rated(dimensions), Strategy.MEAN).get("")
    return Outcome(
        entity=RecordLink(id=rows[0].id, type=rows[0].type, title=rows[0].title),
        count=found.count if found else 0,
        weighted_score=found.weighted_score if found else None,
        normalized_score=found.normalized_score if found else None,
    )


def _place(outcome: Outcome) -> tuple[float, UUID]:
    score = outcome.normalized_score
    return -(UNRANKED if score is None else score), outcome.entity.id
