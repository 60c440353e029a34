"""What holds of a record at any moment, read from the tables and not from what the code says about them."""

from collections import defaultdict
from typing import Any
from uuid import UUID

from goldloop.entities.schema import check_content
from goldloop.kit.db import Tx
from goldloop.promotion.rules import derive_status
from tests.loops import any_number

ABSENT = "absent"  # told apart from null
TABLES = ("entities", "entity_responses", "entity_field_history", "events")


async def count_rows(tx: Tx) -> dict[str, int]:
    return {name: await tx.fetchval(f"SELECT count(*) FROM {name}") for name in TABLES}


def _value(row: Any, column: str) -> Any:
    return ABSENT if row[f"no_{column}"] else row[column]


async def check_record(tx: Tx, entity_id: UUID | str) -> dict[str, Any]:
    """Asserts everything below; returns the content."""
    entity = await tx.fetchrow(
        """
        SELECT e.content, e.version, t.json_schema FROM entities e
        JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id WHERE e.id = $1
        """,
        entity_id,
    )
    assert entity is not None
    history = await tx.fetch(
        """
        SELECT id, field, kind, value, value IS NULL AS no_value, value_before, value_before IS NULL AS no_value_before,
               response_id, dimension_key, undoes_id, prior_source_id, entity_version
        FROM entity_field_history WHERE entity_id = $1 ORDER BY entity_version
        """,
        entity_id,
    )
    sources = {
        row["field"]: row["history_id"]
        for row in await tx.fetch(
            "SELECT field, history_id FROM entity_field_sources WHERE entity_id = $1", entity_id
        )
    }
    content: dict[str, Any] = entity["content"]
    assert check_content(entity["json_schema"], content) == [], "the content satisfies the schema"
    _check_history_explains(content, history, entity["version"])
    _check_sources(content, history, sources)
    await _check_responses(tx, entity_id, history, sources)
    await _check_events(tx, entity_id, history)
    return content


def _check_history_explains(content: dict[str, Any], history: list[Any], version: int) -> None:
    replayed: dict[str, Any] = defaultdict(lambda: ABSENT)
    for row in any_number(history):
        assert _value(row, "value_before") == replayed[row["field"]], "an entry follows on the one before"
        replayed[row["field"]] = _value(row, "value")
        assert row["entity_version"] <= version
    assert {field: value for field, value in replayed.items() if value != ABSENT} == content


def _check_sources(content: dict[str, Any], history: list[Any], sources: dict[str, UUID]) -> None:
    entries = {row["id"]: row for row in history}
    assert content.keys() <= sources.keys(), "every value has a source"
    undone = {row["undoes_id"] for row in history if row["undoes_id"]}
    for field, source in sources.items():
        entry = entries[source]
        assert entry["field"] == field
        assert entry["kind"] != "undo", "an undo brings back a source and is none itself"
        assert source not in undone
        assert _value(entry, "value") == content.get(field, ABSENT)


async def _check_responses(
    tx: Tx, entity_id: UUID | str, history: list[Any], sources: dict[str, UUID]
) -> None:
    undone = {row["undoes_id"] for row in history if row["undoes_id"]}
    current = set(sources.values())
    rows = await tx.fetch(
        """
        SELECT id, status, promoted_fields, promotable_fields, withdrawn_at FROM entity_responses
        WHERE entity_id = $1
        """,
        entity_id,
    )
    for row in any_number(rows):
        own = [h for h in history if h["kind"] == "promotion" and h["response_id"] == row["id"]]
        promoted = set(row["promoted_fields"])
        giving = {h["dimension_key"] for h in own if h["id"] in current}
        assert len(row["promoted_fields"]) == len(promoted)
        assert promoted <= {h["dimension_key"] for h in own if h["id"] not in undone}
        assert giving <= promoted, "who gives a value says so"
        assert _never_undone(own, history) <= promoted
        expected = derive_status(
            filled_promotable=set(row["promotable_fields"]),
            promoted=promoted,
            current_sources=giving,
            rejected=row["status"] == "rejected",
        )
        assert row["status"] == expected
        if row["status"] == "rejected" or row["withdrawn_at"] is not None:
            assert not promoted


def _never_undone(own: list[Any], history: list[Any]) -> set[str]:
    """The dimensions of a response of which no promotion was taken back, neither the last nor one before it."""
    taken_back = {h["undoes_id"] for h in history}
    return {h["dimension_key"] for h in own} - {h["dimension_key"] for h in own if h["id"] in taken_back}


async def _check_events(tx: Tx, entity_id: UUID | str, history: list[Any]) -> None:
    """One event per promotion, however many fields it wrote, and one per undo."""
    for name, kind in (("response.promoted", "promotion"), ("response.promotion_undone", "undo")):
        events = await tx.fetch(
            "SELECT (payload ->> 'version')::integer AS version FROM events WHERE name = $1 AND payload ->> 'entity_id' = $2",
            name,
            str(entity_id),
        )
        written = {row["entity_version"] for row in history if row["kind"] == kind}
        assert sorted(row["version"] for row in events) == sorted(written)
