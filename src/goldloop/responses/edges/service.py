"""Which connections do best: from a cache that can always be rebuilt, and, where it matters, from the responses."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.criteria.model import CriteriaSet, Dimension
from goldloop.entities.records import service as records
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, LAST_ID, Page, decode_pair, encode_pair
from goldloop.responses.aggregate_matrix import (
    Cells,
    ConnectionAggregate,
    aggregate_cells,
    compute_response_aggregate,
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


async def read_matrix(tx: Tx, entity_id: UUID, criteria_set: CriteriaSet) -> ReadMatrix:
    dimensions = await store.list_dimensions(tx, entity_id, criteria_set.id) or criteria_set.dimensions
    rows = await store.list_matrices(tx, entity_id, criteria_set.id)
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
    """Write the scores of a record's connections, with every set that rates them, into their metadata."""
    sets = await store.scoped_sets(tx, entity_id)
    await store.clear_stray_scores(tx, entity_id, [scoped.id for scoped in sets])
    for scoped in sets:
        rated = Rated(await store.list_dimensions(tx, entity_id, scoped.id))
        rows = await store.list_matrices(tx, entity_id, scoped.id)
        found = compute_response_aggregate(rows, rated, Strategy.MEAN)
        await store.write_scores(tx, entity_id, scoped, {key: _cached(each) for key, each in found.items()})


def _cached(found: ConnectionAggregate) -> dict[str, Any]:
    score = found.normalized_score
    return {
        "score": None if score is None else score * 100,
        "weighted_score": found.weighted_score,
        "count": found.count,
        "dimensions": {key: each.value for key, each in found.dimensions.items() if each.value is not None},
    }


async def get_ranked_connections(
    tx: Tx, entity_id: UUID, field_key: str, set_id: UUID, cursor: str | None, limit: int
) -> Page[RankedConnection]:
    """Best first; then those without a score."""
    tx.actor.check(roles.RESPONSES_READ)
    await records.access(tx, entity_id)
    await criteria.access(tx, set_id)
    after = decode_pair(cursor, float) or (float("inf"), LAST_ID)
    rows: list[Any] = []
    if after[0] != UNRANKED:
        rows = await store.list_ranked(tx, entity_id, field_key, set_id, after, limit + 1)
    if len(rows) <= limit:
        first = after[1] if after[0] == UNRANKED else FIRST_ID
        rows += await store.list_unranked(tx, entity_id, field_key, set_id, first, limit + 1 - len(rows))
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
        next_cursor=_cursor(shown[-1]) if len(rows) > limit else None,
    )


def _cursor(row: Any) -> str:
    return encode_pair(UNRANKED if row["score"] is None else row["score"], row["relation_id"])


async def list_outcomes(tx: Tx, entity_id: UUID, set_id: UUID) -> list[Outcome]:
    """The records that did best with this one, from what was said and never from the cache; then those unscored."""
    tx.actor.check(roles.RESPONSES_READ)
    await records.access(tx, entity_id)
    await criteria.access(tx, set_id)
    by_source: dict[UUID, list[Any]] = defaultdict(list)
    for row in await store.list_outcomes(tx, entity_id, set_id):
        by_source[row["id"]].append(row)
    found = [_outcome(rows) for rows in by_source.values()]
    return sorted(found, key=lambda each: (each.normalized_score is None, -(each.normalized_score or 0.0)))


def _outcome(rows: list[Any]) -> Outcome:
    newest = rows[-1]
    rated = Rated(msgspec.convert(newest["criteria_snapshot"], list[Dimension]))
    said = [store.MatrixRow(Party(kind="system", id=None, name=None), {"": row["values"]}) for row in rows]
    found = compute_response_aggregate(said, rated, Strategy.MEAN).get("")
    return Outcome(
        entity=RecordLink(id=newest["id"], type=newest["type"], title=newest["title"]),
        count=found.count if found else 0,
        weighted_score=found.weighted_score if found else None,
        normalized_score=found.normalized_score if found else None,
    )
