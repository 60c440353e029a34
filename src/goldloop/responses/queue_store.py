"""SQL of responses over all records: lists newest first, what waits for review, and whom it is assigned to. Whether one waits
is its column `waits`, which migration 0017 defines."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object, json_text, json_word
from goldloop.kit.pagination import RawPage, json_page, read_page
from goldloop.responses import store
from goldloop.responses.model import ListedResponse, RecordOf, ResponseStatus

NOBODY = "nobody"
MOST_ASSIGNED = (
    2_000  # responses at once: ten of each of the records that one call names, and no long transaction
)


class Wanted(NamedTuple):
    """Which responses a list has; what is None does not matter. `agents` tells those of agents from those of people, or
    `user` or `agent` submitted them (either, where both are given); `assigned_to` is a member or NOBODY."""

    status: ResponseStatus | None = None
    type: str | None = None  # its slug
    set_id: UUID | None = None
    agents: bool | None = None
    user: UUID | None = None
    agent: UUID | None = None
    assigned_to: UUID | str | None = None
    waits: bool | None = None
    since: datetime | None = None
    until: datetime | None = None


_RECORD = json_object(
    RecordOf,
    "p",
    id=json_word("p.entity_id"),
    title=json_text("p.entity_title"),
    type=json_text("p.entity_type"),
)
_JSON = json_object(ListedResponse, "p", entity=_RECORD, **store.PARTIES_JSON)


async def list_newest_first(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], limit: int
) -> RawPage[ListedResponse]:
    """The rows of a page are found first, by the index of what is asked for; names come with those alone."""
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    conditions = [*_conditions(wanted, arguments), "(w.created_at, w.id) < ($2, $3)"]
    query = f"""
        SELECT {store.COLUMNS}, {store.BYTES}, e.title AS entity_title, t.slug AS entity_type, c.name AS criteria_set_name
        FROM (
            SELECT w.id FROM entity_responses w WHERE {" AND ".join(conditions)}
            ORDER BY w.created_at DESC, w.id DESC LIMIT {limit + 1:d}
        ) found
        JOIN entity_responses r ON r.tenant_id = $1 AND r.id = found.id
        JOIN entities e ON e.tenant_id = $1 AND e.id = r.entity_id
        JOIN entity_types t ON t.tenant_id = $1 AND t.id = r.type_id
        JOIN criteria_sets c ON c.tenant_id = $1 AND c.id = r.criteria_set_id
        ORDER BY r.created_at DESC, r.id DESC
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "created_at", "id"), *arguments))


async def count(tx: Tx, wanted: Wanted, most: int) -> int:
    """How many responses a list has, counted up to `most`."""
    arguments: list[Any] = [tx.actor.tenant_id]
    conditions = " AND ".join(_conditions(wanted, arguments))
    found: int = await tx.fetchval(
        f"SELECT count(*) FROM (SELECT FROM entity_responses w WHERE {conditions} LIMIT {most:d}) s",
        *arguments,
    )
    return found


def _conditions(wanted: Wanted, arguments: list[Any]) -> list[str]:
    """Conditions on `w`, whose parameters are added to the arguments; $1 is the tenant. Only what is asked for, so that
    each question is served by its own index."""
    conditions = ["w.tenant_id = $1", "w.waits" if wanted.waits else "w.withdrawn_at IS NULL"]
    if wanted.waits is False:
        conditions.append("NOT w.waits")
    if wanted.agents is not None:
        conditions.append(f"w.submitted_by_agent IS {'NOT ' if wanted.agents else ''}NULL")
    by = {"w.submitted_by_user": wanted.user, "w.submitted_by_agent": wanted.agent}
    if any(by.values()):
        either = [f"{column} = {_added(arguments, party)}" for column, party in by.items() if party]
        conditions.append(f"({' OR '.join(either)})")
    if wanted.assigned_to == NOBODY:
        conditions.append("w.assigned_to IS NULL")
    elif wanted.assigned_to is not None:
        conditions.append(f"w.assigned_to = {_added(arguments, wanted.assigned_to)}")
    plain = {
        "w.status =": wanted.status,
        "w.criteria_set_id =": wanted.set_id,
        "w.created_at >=": wanted.since,
        "w.created_at <": wanted.until,
    }
    if wanted.type is not None:
        slug = _added(arguments, wanted.type)
        conditions.append(
            f"w.type_id = (SELECT y.id FROM entity_types y WHERE y.tenant_id = $1 AND y.slug = {slug})"
        )
    return conditions + [
        f"{test} {_added(arguments, value)}" for test, value in plain.items() if value is not None
    ]


def _added(arguments: list[Any], value: Any) -> str:
    arguments.append(value)
    return f"${len(arguments)}"


async def existing(tx: Tx, ids: Sequence[UUID]) -> set[UUID]:
    """Those of these responses that are there and not withdrawn."""
    rows = await tx.fetch(
        "SELECT id FROM entity_responses WHERE tenant_id = $1 AND id = ANY ($2) AND withdrawn_at IS NULL",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"] for row in rows}


async def waiting_of(tx: Tx, entity_ids: Sequence[UUID], user_id: UUID | None, limit: int) -> list[UUID]:
    """The responses to these records that wait for review and are not assigned so yet, oldest first."""
    rows = await tx.fetch(
        """
        SELECT w.id FROM entity_responses w
        WHERE w.tenant_id = $1 AND w.entity_id = ANY ($2) AND w.waits AND w.assigned_to IS DISTINCT FROM $3
        ORDER BY w.created_at, w.id LIMIT $4
        """,
        tx.actor.tenant_id,
        list(entity_ids),
        user_id,
        limit,
    )
    return [row["id"] for row in rows]


async def assigned_to(tx: Tx, user_id: UUID, limit: int) -> list[UUID]:
    """Some of the responses that are a member's to review, open or not."""
    rows = await tx.fetch(
        "SELECT id FROM entity_responses WHERE tenant_id = $1 AND assigned_to = $2 LIMIT $3",
        tx.actor.tenant_id,
        user_id,
        limit,
    )
    return [row["id"] for row in rows]


async def assign(tx: Tx, ids: Sequence[UUID], user_id: UUID | None) -> list[tuple[UUID, UUID]]:
    """Those that changed, each with its record."""
    rows = await tx.fetch("SELECT id, entity_id FROM assign_responses($1, $2)", list(ids), user_id)
    return [(row["id"], row["entity_id"]) for row in rows]
