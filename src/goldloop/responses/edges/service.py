"""Which connections do best: from a cache that can always be rebuilt, and, where it matters, from the responses."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.criteria.model import CriteriaSet, Dimension
from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.kit.db import Tx
from goldloop.kit.numbers import settle
from goldloop.kit.pagination import FIRST_ID, LAST_ID, Page, Rows, decode_pair, encode_pair, has_more
from goldloop.responses.aggregate_matrix import (
    Cells,
    ConnectionAggregate,
    aggregate_cells,
    compute_response_aggregate,
    merge_dimensions,
    numeric_dimensions,
    to_cells,
)
from goldloop.responses.aggregation import Strategy
from goldloop.responses.edges import store
from goldloop.tenants import roles
from goldloop.tenants.model import Party

UNRANKED = float("-inf")  # where the connections without a score begin, after all that have one


class RecordLink(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    type: str
    title: str


class RankedConnection(msgspec.Struct, frozen=True, kw_only=True):
    """`score` is 0 to 100; `scores` is what the cache holds, by dimension too."""

    relation_id: UUID
    target: RecordLink
    score: float | None
    scores: dict[str, Any] | None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the responses to one record say about another that it is connected to. Scores as those of responses."""

    entity: RecordLink
    count: int
    weighted_score: float | None
    normalized_score: float | None


class NamedAggregate(ConnectionAggregate, frozen=True, kw_only=True):
    title: str | None  # None for a record that is gone


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    title: str | None


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """Every number that was said, in columns: enough to aggregate by any strategy."""

    dimensions: list[Dimension]
    connections: list[Connection]
    respondents: list[Party]
    cells: Cells


class Rated(NamedTuple):
    dimensions: Sequence[Dimension]


class ReadMatrix(NamedTuple):
    """What the responses say about connections, read and not counted yet."""

    dimensions: list[Dimension]
    rows: list[store.MatrixRow]
    titles: dict[str, str]


class ReadOutcomes(NamedTuple):
    """What the responses to others say about one record, read and not counted yet."""

    rows: list[store.OutcomeRow]
    snapshots: dict[UUID, list[list[Dimension]]]


class Said(NamedTuple):
    values: dict[str, Any]


async def read_matrix(tx: Tx, entity_id: UUID, criteria_set: CriteriaSet, field_key: str) -> ReadMatrix:
    scoped = store.ScopedSet(criteria_set.id, field_key)
    dimensions = await _dimensions(tx, entity_id, scoped) or criteria_set.dimensions
    rows = await store.list_matrices(tx, entity_id, scoped)
    ids = {UUID(key) for row in rows for key in row.values}
    titles = await store.titles(tx, list(ids))
    return ReadMatrix(numeric_dimensions(Rated(dimensions)), rows, {str(k): v for k, v in titles.items()})


def aggregate_connections(read: ReadMatrix, strategy: Strategy) -> tuple[dict[str, NamedAggregate], Matrix]:
    """What the responses say per connection, and the numbers that it comes from."""
    ids, cells = to_cells(read.rows, read.dimensions)
    places: dict[Party, int] = {}
    respondents = [places.setdefault(row.respondent, len(places)) for row in read.rows]
    named = {
        key: NamedAggregate(title=read.titles.get(key), **msgspec.structs.asdict(aggregate))
        for key, aggregate in aggregate_cells(ids, cells, read.dimensions, strategy).items()
    }
    return named, Matrix(
        dimensions=read.dimensions,
        connections=[Connection(id=key, title=read.titles.get(key)) for key in ids],
        respondents=list(places),
        cells=msgspec.structs.replace(cells, respondent=[respondents[place] for place in cells.respondent]),
    )


async def promote_edge_scores(tx: Tx, entity_id: UUID) -> None:
    """Write the scores of a record's connections, with every set and field that they were rated by, into their
    metadata. Whoever looks at them is told."""
    sets = await store.scoped_sets(tx, entity_id)
    changed = await store.clear_stray_scores(tx, entity_id, sets)
    for scoped in sets:
        rated = Rated(await _dimensions(tx, entity_id, scoped))
        rows = await store.list_matrices(tx, entity_id, scoped)
        found = compute_response_aggregate(rows, rated, Strategy.MEAN)
        scores = {key: _cached(each) for key, each in found.items()}
        changed += await store.write_scores(tx, entity_id, scoped, scores)
    if changed:
        await tx.execute("SELECT notify_change('entities')")


async def _dimensions(tx: Tx, entity_id: UUID, scoped: store.ScopedSet) -> list[Dimension]:
    snapshots = await store.list_snapshots(tx, [entity_id], scoped)
    return merge_dimensions(snapshots.get(entity_id, []))


def _cached(found: ConnectionAggregate) -> dict[str, Any]:
    score = found.normalized_score
    return {
        "score": None if score is None else settle(score * 100),
        "weighted_score": found.weighted_score,
        "count": found.count,
        "dimensions": {key: each.value for key, each in found.dimensions.items() if each.value is not None},
    }


async def get_ranked_connections(
    tx: Tx, entity_id: UUID, field_key: str, set_id: UUID, cursor: str | None, limit: int
) -> Page[RankedConnection]:
    """Best first; then those without a score."""
    tx.actor.check(roles.RESPONSES_READ)
    entity = await records.access(tx, entity_id)
    await criteria.access(tx, set_id)
    after = decode_pair(cursor, float) or (float("inf"), LAST_ID)
    rows: Rows[Any] = Rows()
    if after[0] != UNRANKED:
        rows = await store.list_ranked(tx, entity_id, field_key, set_id, after, limit + 1)
    if not (more := has_more(rows, limit)):
        first = after[1] if after[0] == UNRANKED else FIRST_ID
        rows += await store.list_unranked(tx, entity_id, field_key, set_id, first, limit + 1 - len(rows))
        more = len(rows) > limit
    if not rows:
        await relations.access_field(tx, entity, field_key)  # a field that leads nowhere, or none
    shown = rows[:limit]
    return Page(
        data=[
            RankedConnection(
                relation_id=row["relation_id"],
                target=RecordLink(id=row["id"], type=row["type"], title=row["title"]),
                score=row["score"],
                scores=row["scores"],
            )
            for row in shown
        ],
        next_cursor=_cursor(shown[-1]) if more else None,
    )


def _cursor(row: Any) -> str:
    return encode_pair(UNRANKED if row["score"] is None else row["score"], row["relation_id"])


async def read_outcomes(tx: Tx, entity_id: UUID, set_id: UUID) -> ReadOutcomes:
    """What was said about a record where others are connected to it, never from the cache: `rank_outcomes` counts
    it."""
    tx.actor.check(roles.RESPONSES_READ)
    await records.access(tx, entity_id)
    criteria_set = await criteria.access(tx, set_id)
    if criteria_set.rated_field is None:
        return ReadOutcomes([], {})
    scoped = store.ScopedSet(set_id, criteria_set.rated_field)
    rows = await store.list_outcomes(tx, entity_id, scoped)
    return ReadOutcomes(rows, await store.list_snapshots(tx, [row.id for row in rows], scoped))


def rank_outcomes(read: ReadOutcomes, cursor: str | None, limit: int) -> Page[Outcome]:
    """The records that did best, then those without a score; a page of them. Every page counts all anew: not for a
    transaction, nor for the thread that answers others."""
    score, last_id = decode_pair(cursor, float) or (float("inf"), FIRST_ID)
    found = sorted((_outcome(row, read.snapshots.get(row.id, [])) for row in read.rows), key=_place)
    start = bisect_right(found, (-score, last_id), key=_place)  # type: ignore[operator]
    shown = found[start : start + limit]
    if start + limit >= len(found):
        return Page(data=shown, next_cursor=None)
    place, entity_id = _place(shown[-1])
    return Page(data=shown, next_cursor=encode_pair(-place, entity_id))


def _place(outcome: Outcome) -> tuple[float, UUID]:
    score = outcome.normalized_score
    return -(UNRANKED if score is None else score), outcome.entity.id


def _outcome(row: store.OutcomeRow, snapshots: Sequence[Sequence[Dimension]]) -> Outcome:
    said = [Said({"": values}) for values in msgspec.json.decode(row.said)]
    found = compute_response_aggregate(said, Rated(merge_dimensions(snapshots)), Strategy.MEAN).get("")
    return Outcome(
        entity=RecordLink(id=row.id, type=row.type, title=row.title),
        count=found.count if found else 0,
        weighted_score=found.weighted_score if found else None,
        normalized_score=found.normalized_score if found else None,
    )
