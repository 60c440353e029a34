"""SQL of records. The only writer of `entities` and `entity_words` beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.model import Entity
from goldloop.entities.records.ordering import Order
from goldloop.entities.records.words import WordsChange
from goldloop.entities.scores import get_raters, raters_json
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

MOST_WAITING = 100  # responses to one record that are counted: more are told apart by nobody
_COLUMNS = f"""
    e.id, t.slug AS type, e.title, e.content, e.metadata, e.version, e.score, e.created_at, e.updated_at,
    e.created_by_kind, e.created_by_id,
    (SELECT count(*) FROM (SELECT FROM entity_responses r WHERE r.tenant_id = $1 AND r.entity_id = e.id AND r.waits
                           LIMIT {MOST_WAITING}) w) AS waiting,
    {name_sql("$1", "e.created_by_kind", "e.created_by_id")} AS created_by_name
"""
_JSON = json_object(
    Entity,
    "p",
    raters=raters_json("p.metadata #> '{response_summary,raters}'"),
    created_by=party_json("p.created_by_kind", "p.created_by_id", "p.created_by_name"),
)
COMMON = 5000  # records from which on a word is common
MOST_LOOKED = 30_000  # entries of a common word that are looked through to count its records
_FROM = "FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id"


def from_row(row: Any) -> Entity:
    return Entity(
        id=row["id"],
        type=row["type"],
        title=row["title"],
        content=row["content"],
        metadata=row["metadata"],
        version=row["version"],
        score=row["score"],
        waiting=row["waiting"],
        raters=get_raters(row["metadata"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        created_by=Party(kind=row["created_by_kind"], id=row["created_by_id"], name=row["created_by_name"]),
    )


async def find(tx: Tx, entity_id: UUID) -> Entity | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} {_FROM} WHERE e.tenant_id = $1 AND e.id = $2", tx.actor.tenant_id, entity_id
    )
    return from_row(row) if row else None


async def titles(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    rows = await tx.fetch(
        "SELECT id, title FROM entities WHERE tenant_id = $1 AND id = ANY ($2)", tx.actor.tenant_id, list(ids)
    )
    return {row["id"]: row["title"] for row in rows}


async def lock(tx: Tx, entity_id: UUID) -> None:
    await tx.execute(
        "SELECT FROM entities WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE",
        tx.actor.tenant_id,
        entity_id,
    )


async def lock_to_remove(tx: Tx, entity_id: UUID) -> None:
    """Locks a record for deletion: a concurrent deletion waits, and then does not find it."""
    await tx.execute(
        "SELECT FROM entities WHERE tenant_id = $1 AND id = $2 FOR UPDATE", tx.actor.tenant_id, entity_id
    )


async def lock_all_to_remove(tx: Tx, ids: list[UUID]) -> dict[UUID, str]:
    """Locks records for deletion, in one order for everybody; by id the type of each that is there."""
    rows = await tx.fetch(
        f"""
        SELECT e.id, t.slug {_FROM} WHERE e.tenant_id = $1 AND e.id = ANY ($2) ORDER BY e.id FOR UPDATE OF e
        """,
        tx.actor.tenant_id,
        ids,
    )
    return {row["id"]: row["slug"] for row in rows}


async def lock_keys(tx: Tx, ids: list[UUID]) -> bool:
    """Locks records against deletion until the transaction ends; False when one does not exist."""
    locked = await tx.fetch(
        "SELECT id FROM entities WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE",
        tx.actor.tenant_id,
        ids,
    )
    return len(locked) == len(set(ids))


class Term(NamedTuple):
    """A word of a search: the ranges of words that it may stand for, and whether many records have one."""

    low: list[str]
    high: list[str]
    common: bool


class Waits(NamedTuple):
    """Only records to which a response waits for review; `common` where many responses do."""

    common: bool


class Wanted(NamedTuple):
    """Which records a list has."""

    type: str | None = None  # its slug
    terms: tuple[Term, ...] = ()
    min_score: float | None = None
    id: UUID | None = None
    waits: Waits | None = None


def ranges(beginnings: list[str]) -> tuple[list[str], list[str]]:
    """The words that begin so, as bounds: only a plain comparison goes through an index under row-level security."""
    return beginnings, [beginning + "\U0010ffff" for beginning in beginnings]


async def sizes(tx: Tx, beginnings: list[str]) -> list[int]:
    """How many words of records begin so, for each; counted up to where they are many."""
    rows = await tx.fetch(
        f"""
        SELECT (SELECT count(*) FROM (
            SELECT FROM entity_words w WHERE w.tenant_id = $1 AND w.word >= t.low AND w.word < t.high LIMIT {COMMON + 1}
        ) s) AS size
        FROM unnest($2::text[], $3::text[]) WITH ORDINALITY t (low, high, place) ORDER BY t.place
        """,
        tx.actor.tenant_id,
        *ranges(beginnings),
    )
    return [row["size"] for row in rows]


async def many_wait(tx: Tx) -> bool:
    """Whether many responses of the workspace wait for review."""
    waiting: int = await tx.fetchval(
        f"""
        SELECT count(*) FROM (
            SELECT FROM entity_responses r WHERE r.tenant_id = $1 AND r.waits LIMIT {COMMON + 1}
        ) s
        """,
        tx.actor.tenant_id,
    )
    return waiting > COMMON


async def existing(tx: Tx, beginnings: list[str], most: int) -> list[str]:
    """Those with which a word of any record begins, in the order given, `most` at most."""
    rows = await tx.fetch(
        """
        SELECT t.low FROM unnest($2::text[], $3::text[]) WITH ORDINALITY t (low, high, place)
        WHERE (SELECT true FROM entity_words w WHERE w.tenant_id = $1 AND w.word >= t.low AND w.word < t.high LIMIT 1)
        ORDER BY t.place LIMIT $4
        """,
        tx.actor.tenant_id,
        *ranges(beginnings),
        most,
    )
    return [row["low"] for row in rows]


def _conditions(wanted: Wanted, arguments: list[Any]) -> list[str]:
    """The conditions of a list on `e`, whose parameters are added to the arguments; $1 is the tenant."""
    conditions = ["e.tenant_id = $1"]
    if wanted.type is not None:
        slug = _added(arguments, wanted.type)
        conditions.append(
            f"e.type_id = (SELECT y.id FROM entity_types y WHERE y.tenant_id = $1 AND y.slug = {slug})"
        )
    if wanted.min_score is not None:
        conditions.append(f"coalesce(e.score, '-Infinity') >= {_added(arguments, wanted.min_score)}")
    if wanted.id is not None:
        conditions.append(f"e.id = {_added(arguments, wanted.id)}")
    if wanted.waits is not None:
        conditions.append(_waits(wanted.waits))
    return conditions + [_has_word(term, arguments) for term in wanted.terms]


def _waits(waits: Waits) -> str:
    """Few are gathered first, of many each record is asked, for the same reason as with words."""
    if waits.common:
        return "(SELECT true FROM entity_responses r WHERE r.tenant_id = $1 AND r.entity_id = e.id AND r.waits LIMIT 1)"
    return "e.id = ANY (ARRAY(SELECT r.entity_id FROM entity_responses r WHERE r.tenant_id = $1 AND r.waits))"


def _has_word(term: Term, arguments: list[Any]) -> str:
    """Of a rare word the records are gathered first, by its range of the index; of a common one the records are looked
    through in the order of the list, each with one look into the index, until the page is full. Neither is left to the
    planner, who does not know how many records a word has."""
    bounds = (
        f"unnest({_added(arguments, term.low)}::text[], {_added(arguments, term.high)}::text[]) t (low, high)"
    )
    has = f"FROM {bounds}, entity_words w WHERE w.tenant_id = $1 AND w.word >= t.low AND w.word < t.high"
    if term.common:
        return f"(SELECT true {has} AND w.entity_id = e.id LIMIT 1)"
    return f"e.id = ANY (ARRAY(SELECT w.entity_id {has}))"


def _added(arguments: list[Any], value: Any) -> str:
    arguments.append(value)
    return f"${len(arguments)}"


async def list_page(
    tx: Tx, order: Order, after: tuple[object, UUID], limit: int, wanted: Wanted
) -> RawPage[Entity]:
    """A page of records as JSON. The statement holds only what is asked for, so that every combination is served by its
    own index, and how many: a plan for any number would not be worth keeping."""
    arguments: list[Any] = [tx.actor.tenant_id, *after, *([] if order.field is None else [order.field])]
    compare, direction = ("<", "DESC") if order.descending else (">", "ASC")
    conditions = [*_conditions(wanted, arguments), f"({order.expression}, e.id) {compare} ($2, $3)"]
    query = f"""
        SELECT {_COLUMNS}, {order.expression} AS order_key, {bytes_of("e.content", "e.metadata")} {_FROM}
        WHERE {" AND ".join(conditions)}
        ORDER BY {order.expression} {direction}, e.id {direction} LIMIT {limit + 1:d}
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "order_key", "id"), *arguments))


class Counted(NamedTuple):
    """How many records were found, and whether those are `all`."""

    found: int
    all: bool


async def count(tx: Tx, wanted: Wanted, most: int) -> Counted:
    """How many records a list has, counted up to `most`."""
    common = next((term for term in wanted.terms if term.common), None)
    if (
        common and wanted.id is None and all(term.common for term in wanted.terms)
    ):  # else a rare word bounds it
        return await _count_by_word(tx, common, _without(wanted, common))
    arguments: list[Any] = [tx.actor.tenant_id]
    conditions = " AND ".join(_conditions(wanted, arguments))
    found: int = await tx.fetchval(
        f"SELECT count(*) FROM (SELECT FROM entities e WHERE {conditions} LIMIT {most:d}) s", *arguments
    )
    return Counted(found, all=found < most)


async def _count_by_word(tx: Tx, term: Term, wanted: Wanted) -> Counted:
    """Looks so many entries of the index through and no more: going through the records instead would be all of them
    where few have the word."""
    arguments: list[Any] = [tx.actor.tenant_id, term.low, term.high]
    conditions = " AND ".join(_conditions(wanted, arguments))
    row = await tx.fetchrow(
        f"""
        SELECT count(DISTINCT e.id) AS found, count(*) AS looked FROM (
            SELECT w.entity_id FROM unnest($2::text[], $3::text[]) t (low, high), entity_words w
            WHERE w.tenant_id = $1 AND w.word >= t.low AND w.word < t.high LIMIT {MOST_LOOKED:d}
        ) s LEFT JOIN entities e ON e.id = s.entity_id AND {conditions}
        """,
        *arguments,
    )
    assert row is not None, "it counts"
    return Counted(row["found"], all=row["looked"] < MOST_LOOKED)


def _without(wanted: Wanted, term: Term) -> Wanted:
    return wanted._replace(terms=tuple(other for other in wanted.terms if other is not term))


async def hold_batch(tx: Tx, after: UUID, limit: int) -> list[tuple[UUID, str, dict[str, Any]]]:
    """Ids, titles and contents of the records after an id, locked until the transaction ends."""
    rows = await tx.fetch(
        """
        SELECT id, title, content FROM entities WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3
        FOR NO KEY UPDATE
        """,
        tx.actor.tenant_id,
        after,
        limit,
    )
    return [(row["id"], row["title"], row["content"]) for row in rows]


async def rebuild_words(tx: Tx, entity_id: UUID, words: list[str]) -> None:
    await tx.execute("SELECT rebuild_entity_words($1, $2)", entity_id, words)


async def contents(
    tx: Tx, type_id: UUID, after: UUID, limit: int, size: int
) -> list[tuple[UUID, str, dict[str, Any]]]:
    """Ids, titles and contents of a type's records, a batch of about `size` bytes at a time; at least one."""
    rows = await tx.fetch(
        """
        SELECT s.id, s.title, s.content FROM (
            SELECT b.id, b.title, b.content, sum(b.size) OVER (ORDER BY b.id) - b.size AS before
            FROM (SELECT e.id, e.title, e.content, octet_length(e.content::text) AS size FROM entities e
                  WHERE e.tenant_id = $1 AND e.type_id = $2 AND e.id > $3 ORDER BY e.id LIMIT $4) b
        ) s WHERE s.before < $5 ORDER BY s.id
        """,
        tx.actor.tenant_id,
        type_id,
        after,
        limit,
        size,
    )
    return [(row["id"], row["title"], row["content"]) for row in rows]


async def any_of_type(tx: Tx, type_id: UUID) -> bool:
    found: bool = await tx.fetchval(
        "SELECT EXISTS (SELECT FROM entities WHERE tenant_id = $1 AND type_id = $2)",
        tx.actor.tenant_id,
        type_id,
    )
    return found


async def insert(
    tx: Tx,
    entity_id: UUID,
    type_id: UUID,
    type_version: int,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any],
    words: list[str],
) -> str:
    """`made`, `taken` (the id is in use) or `stale` (the type changed since its schema was checked)."""
    outcome: str = await tx.fetchval(
        "SELECT create_entity($1, $2, $3, $4, $5, $6, $7)",
        entity_id,
        type_id,
        type_version,
        title,
        content,
        metadata,
        words,
    )
    return outcome


async def update(
    tx: Tx,
    entity_id: UUID,
    expected_version: int,
    type_version: int,
    title: str,
    content: dict[str, Any],
    metadata: dict[str, Any] | None,
    words: WordsChange,
) -> str:
    """`changed`, `conflict` (another version is there), `stale` (the type changed) or `absent`. Writes the history of
    each field whose value differs."""
    outcome: str = await tx.fetchval(
        "SELECT edit_entity($1, $2, $3, $4, $5, $6, $7, $8)",
        entity_id,
        expected_version,
        type_version,
        title,
        content,
        metadata,
        *words,
    )
    return outcome


async def delete(tx: Tx, entity_id: UUID) -> bool:
    return bool(
        await tx.execute(
            "DELETE FROM entities WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, entity_id
        )
    )


async def delete_all(tx: Tx, ids: list[UUID]) -> None:
    await tx.execute("DELETE FROM entities WHERE tenant_id = $1 AND id = ANY ($2)", tx.actor.tenant_id, ids)


async def date_back(tx: Tx, since: datetime) -> None:
    """This transaction's records, as if made then. What changed them meanwhile is later. For the demo alone."""
    await tx.execute(
        """
        UPDATE entities SET created_at = $2, updated_at = CASE WHEN updated_at >= $3 THEN $2 ELSE updated_at END
        WHERE tenant_id = $1 AND created_at >= $3
        """,
        tx.actor.tenant_id,
        since,
        await tx.began(),
    )
