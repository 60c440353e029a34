"""Scores from before they were rounded are mended where they stand, with all that was derived from them; what was answered
stays, and there is a way back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.kit.embedded_postgres import superuser_url
from goldloop.kit.ids import new_id
from goldloop.migrations import runner

VERSION = 18
NOISY, NOISY_OF_100 = 0.5999999999999999, 59.999999999999986


@pytest_asyncio.fixture
async def superuser(empty_database_url: str, data_dir: Path) -> AsyncIterator[Any]:
    opened = await connect(superuser_url(data_dir, urlsplit(empty_database_url).path.lstrip("/")))
    yield opened
    await opened.close()


async def insert(superuser: Any, table: str, **values: Any) -> UUID:
    row = {"id": new_id(), **values}
    places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
    await superuser.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *row.values())
    return row["id"]


async def old_records(superuser: Any) -> dict[str, UUID]:
    tenant = await insert(superuser, "tenants", slug="here", name="Here")
    by = {"tenant_id": tenant, "created_by_kind": "system"}
    type_id = await insert(superuser, "entity_types", slug="vendor", name="Vendor", json_schema="{}", **by)
    set_id = await insert(
        superuser, "criteria_sets", slug="risk", name="Risk", kind="assessment", dimensions=[], **by
    )
    summary = {"latest_score": NOISY_OF_100, "latest_criteria_set_id": str(set_id)}
    record = {"type_id": type_id, "title": "Nimbus", **by}
    rated = await insert(superuser, "entities", metadata={"response_summary": summary, "kept": 1}, **record)
    brought = await insert(superuser, "entities", metadata={"weighted_score": 7}, **record)
    response = await insert(
        superuser,
        "entity_responses",
        tenant_id=tenant,
        entity_id=rated,
        type_id=type_id,
        criteria_set_id=set_id,
        criteria_snapshot=[],
        source="manual",
        values={"a": 4.1234567890123},
        weighted_score=3.4000000000000004,
        normalized_score=NOISY,
        promotable_fields=[],
    )
    scores = {str(set_id): {"score": NOISY_OF_100, "count": 2}, "other": {"score": None}}
    relation = await insert(
        superuser,
        "entity_relations",
        source_id=rated,
        field_key="offers",
        target_id=brought,
        metadata={"scores": scores},
        **by,
    )
    await superuser.execute(
        "INSERT INTO relation_scores (tenant_id, relation_id, criteria_set_id, source_id, field_key, score) VALUES ($1, $2, $3, $4, $5, $6)",
        tenant,
        relation,
        set_id,
        rated,
        "offers",
        NOISY_OF_100,
    )
    return {"rated": rated, "brought": brought, "response": response, "set": set_id}


async def test_old_scores_are_mended_with_all_that_came_from_them(
    empty_database_url: str, superuser: Any
) -> None:
    opened = await connect(empty_database_url)
    try:
        await runner.up(opened, VERSION - 1)
        old = await old_records(superuser)
        await runner.up(opened, VERSION)
        response = await superuser.fetchrow(
            "SELECT weighted_score, normalized_score, values FROM entity_responses WHERE id = $1",
            old["response"],
        )
        assert tuple(response) == (3.4, 0.6, {"a": 4.1234567890123})
        found = await superuser.fetch("SELECT id, score, metadata FROM entities")
        by_id = {row["id"]: row for row in found}
        assert (by_id[old["rated"]]["score"], by_id[old["brought"]]["score"]) == (60, 66.67)
        assert by_id[old["rated"]]["metadata"] == {
            "response_summary": {"latest_score": 60, "latest_criteria_set_id": str(old["set"])},
            "kept": 1,
        }
        (relation,) = await superuser.fetch("SELECT metadata FROM entity_relations")
        assert relation["metadata"]["scores"] == {
            str(old["set"]): {"score": 60, "count": 2},
            "other": {"score": None},
        }
        assert await superuser.fetchval("SELECT score FROM relation_scores") == 60
        marks = await superuser.fetch("SELECT kind, key FROM marks WHERE kind = 'responses.summaries'")
        assert [row["key"] for row in marks] == [str(UUID(int=0))]
        await runner.down(opened, VERSION - 1)
        assert await superuser.fetchval("SELECT score FROM entities WHERE id = $1", old["rated"]) == 60
        assert await superuser.fetchval("SELECT count(*) FROM marks WHERE kind = 'responses.summaries'") == 0
        await runner.up(opened, VERSION)
    finally:
        await opened.close()
