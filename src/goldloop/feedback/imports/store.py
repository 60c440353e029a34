"""SQL of importing feedback: what is there already, what rows are about, and the rows themselves by the named SQL function."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id


async def existing(tx: Tx, keys: Sequence[str]) -> set[str]:
    rows = await tx.fetch(
        "SELECT f.source_key FROM feedback f WHERE f.tenant_id = $1 AND f.source_key = ANY ($2)",
        tx.actor.tenant_id,
        list(keys),
    )
    return {row["source_key"] for row in rows}


class SessionNamed(NamedTuple):
    id: UUID
    agent_id: UUID | None
    entity_id: UUID | None


async def sessions_named(tx: Tx, names: Sequence[str]) -> dict[str, SessionNamed]:
    """By the name that a program outside knows them by."""
    rows = await tx.fetch(
        """
        SELECT s.external_id, s.id, s.agent_id, s.entity_id FROM sessions s
        WHERE s.tenant_id = $1 AND s.external_id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(names),
    )
    return {row["external_id"]: SessionNamed(row["id"], row["agent_id"], row["entity_id"]) for row in rows}


async def types_of(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The types of those records that are there."""
    rows = await tx.fetch(
        """
        SELECT e.id, t.slug FROM entities e JOIN entity_types t ON t.tenant_id = e.tenant_id AND t.id = e.type_id
        WHERE e.tenant_id = $1 AND e.id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"]: row["slug"] for row in rows}


async def tried_again(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """Those of the responses that another was made from."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT r.parent_response_id AS id FROM entity_responses r
        WHERE r.tenant_id = $1 AND r.parent_response_id = ANY ($2)
        """,
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def agents_there(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    rows = await tx.fetch(
        "SELECT a.id FROM agents a WHERE a.tenant_id = $1 AND a.id = ANY ($2)", tx.actor.tenant_id, list(ids)
    )
    return {row["id"] for row in rows}


async def members_there(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    rows = await tx.fetch(
        "SELECT p.id FROM parties p WHERE p.tenant_id = $1 AND p.kind = 'user' AND p.id = ANY ($2)",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def write(tx: Tx, kind: str, rows: list[dict[str, Any]]) -> tuple[int, Event | None]:
    """How many were new, and the event that tells of them."""
    row = await tx.fetchrow("SELECT added, event FROM import_feedback($1, $2, $3)", rows, kind, new_id())
    assert row is not None
    return row["added"], Event.written(row["event"])
