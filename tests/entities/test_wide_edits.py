"""Edits of very many fields at once: what PostgreSQL reads for them grows with their number and not with its square."""

from typing import Any
from uuid import UUID

from goldloop.entities.records import store
from goldloop.entities.records.words import WordsChange
from goldloop.kit.db import WORKER_ROLE, Tx, open_database
from goldloop.kit.ids import new_id
from tests.factories import Workspace, make_workspace

FIELDS = 1_000
READ_PER_FIELD = 20  # rows; there are seven checks and lookups for a field

READ = """
    SELECT coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::bigint
    FROM pg_stat_xact_all_tables WHERE schemaname IN ('public', 'pg_toast')
"""
TYPE = """
    INSERT INTO entity_types (tenant_id, id, slug, name, json_schema, created_by_kind)
    VALUES ($1, $2, 'wide', 'Wide', '{}', 'system')
"""


async def make_type(workspace: Workspace) -> UUID:
    type_id = new_id()
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(TYPE, workspace.id, type_id)
    return type_id


async def make_record(tx: Tx, type_id: UUID) -> UUID:
    made = new_id()
    assert await store.insert(tx, made, type_id, 1, "Wide", {"first": 1}, {}, ["wide"]) == "made"
    return made


async def edit(tx: Tx, record: UUID, version: int, content: dict[str, Any]) -> int:
    """How many rows were read for it, of tables and of what is stored beside them."""
    before: int = await tx.fetchval(READ)
    assert await store.update(tx, record, version, 1, "Wide", content, None, WordsChange([], [])) == "changed"
    after: int = await tx.fetchval(READ)
    return after - before


def wide(word: str) -> dict[str, Any]:
    """Values that differ, so that they cannot be packed into little."""
    return {f"{word}{number}": new_id().hex * 4 for number in range(FIELDS)}


async def test_a_wide_edit_reads_a_few_rows_for_each_field_whatever_plans_were_kept(
    fresh_database_url: str,
) -> None:
    async with (
        open_database(fresh_database_url, role=WORKER_ROLE, size=1) as db,
        make_workspace(db) as workspace,
    ):
        type_id = await make_type(workspace)
        async with workspace.db.tx(workspace.system) as tx:
            for _ in range(10):  # plans are kept from the sixth time on, for tables of a few rows
                await edit(tx, await make_record(tx, type_id), 1, {"first": 2})
            record = await make_record(tx, type_id)
            added = await edit(tx, record, 1, wide("a"))
            replaced = await edit(tx, record, 2, wide("b"))
    assert added < READ_PER_FIELD * FIELDS
    assert replaced < READ_PER_FIELD * 2 * FIELDS
