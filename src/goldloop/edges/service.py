"""Which connections do best: from a cache that can always be rebuilt, and, where it matters, from the responses."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from goldloop.criteria import service as criteria
from goldloop.edges import store
from goldloop.edges.ranking import ReadOutcomes, ReadScores, RecordLink
from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.entities.scores import Raters, read_raters
from goldloop.kit.db import Tx
from goldloop.kit.events import notify
from goldloop.kit.pagination import FIRST_ID, LAST_ID, Page, Rows, decode_pair, encode_pair, has_more
from goldloop.responses.aggregation_service import read_matrix
from goldloop.responses.matrix_counts import UNRANKED, ScopedSet
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.responses.store import list_snapshots


class RankedConnection(msgspec.Struct, frozen=True, kw_only=True):
    """`score` is 0 to 100, the mean of all responses that count; `raters` says who gave it, each by the newest they said
    about this connection (null where nobody did, or not counted yet). `scores` is what the cache holds, by dimension too."""

    relation_id: UUID
    target: RecordLink
    score: float | None
    raters: Raters | None
    scores: dict[str, Any] | None


async def read_scores(tx: Tx, entity_id: UUID) -> list[ReadScores]:
    """What was said about a record's connections, with every set and field that they were rated by."""
    sets = await store.scoped_sets(tx, entity_id)
    return [ReadScores(scoped, await read_matrix(tx, entity_id, scoped)) for scoped in sets]


async def promote_edge_scores(tx: Tx, entity_id: UUID, scores: Sequence[tuple[ScopedSet, str]]) -> None:
    """Write the scores of a record's connections into their metadata. Whoever looks at them is told."""
    changed = await store.clear_stray_scores(tx, entity_id, [scoped for scoped, _ in scores])
    for scoped, found in scores:
        changed += await store.write_scores(tx, entity_id, scoped, found)
    if changed:
        await notify(tx, "entities", str(entity_id))


async def get_ranked_connections(
    tx: Tx, entity_id: UUID, field_key: str, set_id: UUID, cursor: str | None, limit: int
) -> Page[RankedConnection]:
    """Best first; then those without a score."""
    tx.actor.check(RESPONSES_READ)
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
                raters=read_raters((row["scores"] or {}).get("raters")),
                scores=row["scores"],
            )
            for row in shown
        ],
        next_cursor=_cursor(shown[-1]) if more else None,
    )


def _cursor(row: Any) -> str:
    return encode_pair(UNRANKED if row["score"] is None else row["score"], row["relation_id"])


async def read_outcomes(tx: Tx, entity_id: UUID, set_id: UUID) -> ReadOutcomes:
    """What was said about a record where others are connected to it, never from the cache."""
    tx.actor.check(RESPONSES_READ)
    await records.access(tx, entity_id)
    criteria_set = await criteria.access(tx, set_id)
    if criteria_set.rated_field is None:
        return ReadOutcomes([], [], 0)
    scoped = ScopedSet(set_id, criteria_set.rated_field)
    rows = await store.list_outcomes(tx, entity_id, scoped)
    records_rated = list({row.id for row in rows})
    return ReadOutcomes(rows, await list_snapshots(tx, records_rated, scoped), rows.found)
