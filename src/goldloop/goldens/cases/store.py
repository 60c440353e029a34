"""SQL of goldens and their sets. The only writer of `golden_sets`, `goldens` and `golden_alternatives`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.evals.model import Effects
from goldloop.evals.stats.counting import NoiseFloor
from goldloop.goldens.cases.model import SnapshotType
from goldloop.goldens.model import Golden, GoldenSet
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object, json_text
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.sessions.model import SessionType
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_COLUMNS = f"""
    g.session_id, g.set_id, c.name AS set_name, g.note, g.criteria_set_id, g.effects, g.facts, g.min_pass, g.revision,
    g.agent_id, g.agent_version, g.floor, g.floor_passes, g.floor_runs, g.floor_run_id, g.promoted_at, g.promoted_by_kind,
    g.promoted_by_id, s.type, s.agent, s.first_message,
    ARRAY(SELECT a.session_id FROM golden_alternatives a WHERE a.tenant_id = $1 AND a.golden_id = g.session_id
          ORDER BY a.added_at, a.session_id) AS alternatives,
    {name_sql("$1", "g.promoted_by_kind", "g.promoted_by_id")} AS promoted_by_name
"""
_JSON = json_object(
    Golden,
    "p",
    set=json_text("p.set_name"),
    promoted_by=party_json("p.promoted_by_kind", "p.promoted_by_id", "p.promoted_by_name"),
)
_FROM = """
    FROM goldens g
    JOIN golden_sets c ON c.tenant_id = g.tenant_id AND c.id = g.set_id
    JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
"""


def from_row(row: Any) -> Golden:
    return Golden(
        session_id=row["session_id"],
        set_id=row["set_id"],
        set=row["set_name"],
        note=row["note"],
        criteria_set_id=row["criteria_set_id"],
        effects=Effects(row["effects"]),
        facts=row["facts"],
        min_pass=row["min_pass"],
        revision=row["revision"],
        type=SessionType(row["type"]),
        agent=row["agent"],
        agent_id=row["agent_id"],
        agent_version=row["agent_version"],
        first_message=row["first_message"],
        floor=NoiseFloor(row["floor"]) if row["floor"] else None,
        floor_passes=row["floor_passes"],
        floor_runs=row["floor_runs"],
        floor_run_id=row["floor_run_id"],
        alternatives=row["alternatives"],
        promoted_at=row["promoted_at"],
        promoted_by=Party(
            kind=row["promoted_by_kind"], id=row["promoted_by_id"], name=row["promoted_by_name"]
        ),
    )


async def lock(tx: Tx) -> None:
    """Goldens of a workspace are changed one after the other, until the transaction ends."""
    await tx.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended('goldens ' || $1::uuid, 0))", tx.actor.tenant_id
    )


async def find(tx: Tx, golden_id: UUID) -> Golden | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} {_FROM} WHERE g.tenant_id = $1 AND g.session_id = $2",
        tx.actor.tenant_id,
        golden_id,
    )
    return from_row(row) if row else None


def set_by_name(number: int) -> str:
    """An expression for the id of the set whose name is this parameter, in a statement whose first one is the tenant."""
    return f"(SELECT n.id FROM golden_sets n WHERE n.tenant_id = $1 AND n.name = ${number:d})"


async def list_newest_first(
    tx: Tx, set_name: str | None, before: tuple[object, UUID], limit: int
) -> RawPage[Golden]:
    """Of one set, or of all."""
    arguments: list[Any] = [tx.actor.tenant_id, *before]
    of_set = ""
    if set_name is not None:
        arguments.append(set_name)
        of_set = f"AND g.set_id = {set_by_name(4)}"
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("g.facts", "g.note")} {_FROM}
        WHERE g.tenant_id = $1 AND (g.promoted_at, g.session_id) < ($2, $3) {of_set}
        ORDER BY g.promoted_at DESC, g.session_id DESC LIMIT {limit + 1:d}
    """
    page = json_page(query, _JSON, limit, "promoted_at", "session_id")
    return read_page(await tx.fetch_page(page, *arguments))


async def list_oldest_first(tx: Tx, set_id: UUID, after: tuple[object, UUID], limit: int) -> list[Golden]:
    """Of one set."""
    rows = await tx.fetch(
        f"""
        SELECT {_COLUMNS} {_FROM}
        WHERE g.tenant_id = $1 AND (g.promoted_at, g.session_id) > ($2, $3) AND g.set_id = $4
        ORDER BY g.promoted_at, g.session_id LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        *after,
        set_id,
    )
    return [from_row(row) for row in rows]


class UsualAgent(NamedTuple):
    """An agent in one of its versions."""

    id: UUID
    slug: str
    version: int


async def find_usual_agent(tx: Tx, set_id: UUID) -> UsualAgent | None:
    """The agent and version that made most goldens of a set."""
    row = await tx.fetchrow(
        """
        SELECT g.agent_id AS id, min(s.agent) AS slug, g.agent_version AS version
        FROM goldens g JOIN sessions s ON s.tenant_id = g.tenant_id AND s.id = g.session_id
        WHERE g.tenant_id = $1 AND g.set_id = $2 AND g.agent_id IS NOT NULL AND g.agent_version IS NOT NULL
        GROUP BY g.agent_id, g.agent_version
        ORDER BY count(*) DESC, min(g.promoted_at), g.agent_id, g.agent_version LIMIT 1
        """,
        tx.actor.tenant_id,
        set_id,
    )
    return UsualAgent(**row) if row else None


async def find_private(tx: Tx, golden_id: UUID) -> dict[str, Any]:
    """What only a replay reads: `text` is the knowledge of its prompt whole, `memories` the part of it that is a person's
    own. Empty where nothing was."""
    found: dict[str, Any] | None = await tx.fetchval(
        "SELECT g.private FROM goldens g WHERE g.tenant_id = $1 AND g.session_id = $2",
        tx.actor.tenant_id,
        golden_id,
    )
    return found or {}


class Content(NamedTuple):
    """What a person says of a golden, but for its set."""

    note: str
    criteria_set_id: UUID | None
    effects: Effects
    facts: list[str]
    min_pass: float | None


async def insert(
    tx: Tx,
    golden_id: UUID,
    set_id: UUID,
    content: Content,
    agent: tuple[UUID | None, int | None],
    private: dict[str, Any],
    at: datetime,
) -> None:
    await tx.execute(
        """
        INSERT INTO goldens (tenant_id, session_id, set_id, note, criteria_set_id, effects, facts, min_pass, agent_id,
            agent_version, private, promoted_at, promoted_by_kind, promoted_by_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """,
        tx.actor.tenant_id,
        golden_id,
        set_id,
        *content,
        *agent,
        private,
        at,
        tx.actor.kind,
        tx.actor.id,
    )


async def update(tx: Tx, golden_id: UUID, set_id: UUID, content: Content) -> None:
    await tx.execute(
        """
        UPDATE goldens SET set_id = $3, note = $4, criteria_set_id = $5, effects = $6, facts = $7, min_pass = $8
        WHERE tenant_id = $1 AND session_id = $2
        """,
        tx.actor.tenant_id,
        golden_id,
        set_id,
        *content,
    )


async def add_revision(tx: Tx, golden_id: UUID) -> None:
    """Replays of it are compared otherwise; what its noise floor was is not known any more."""
    await tx.execute(
        """
        UPDATE goldens SET revision = revision + 1, floor = NULL, floor_passes = NULL, floor_runs = NULL, floor_run_id = NULL
        WHERE tenant_id = $1 AND session_id = $2
        """,
        tx.actor.tenant_id,
        golden_id,
    )


async def set_floor(
    tx: Tx, golden_id: UUID, revision: int, floor: NoiseFloor, passes: int, runs: int, run_id: UUID
) -> bool:
    """False where it is compared otherwise meanwhile, or golden no more."""
    return bool(
        await tx.execute(
            """
            UPDATE goldens SET floor = $4, floor_passes = $5, floor_runs = $6, floor_run_id = $7
            WHERE tenant_id = $1 AND session_id = $2 AND revision = $3
            """,
            tx.actor.tenant_id,
            golden_id,
            revision,
            floor,
            passes,
            runs,
            run_id,
        )
    )


async def delete(tx: Tx, golden_id: UUID) -> None:
    """With its alternatives."""
    await tx.execute(
        "DELETE FROM goldens WHERE tenant_id = $1 AND session_id = $2", tx.actor.tenant_id, golden_id
    )


async def add_alternative(tx: Tx, golden_id: UUID, session_id: UUID, at: datetime) -> None:
    await tx.execute(
        "INSERT INTO golden_alternatives (tenant_id, golden_id, session_id, added_at) VALUES ($1, $2, $3, $4)",
        tx.actor.tenant_id,
        golden_id,
        session_id,
        at,
    )


async def delete_alternative(tx: Tx, golden_id: UUID, session_id: UUID) -> None:
    await tx.execute(
        "DELETE FROM golden_alternatives WHERE tenant_id = $1 AND golden_id = $2 AND session_id = $3",
        tx.actor.tenant_id,
        golden_id,
        session_id,
    )


_SET_COLUMNS = "c.id, c.name, c.version, c.created_at, f.goldens, f.stable, f.flaky, f.broken"
_SET_FROM = """
    FROM golden_sets c CROSS JOIN LATERAL (
        SELECT count(*) AS goldens, count(*) FILTER (WHERE g.floor = 'stable') AS stable,
               count(*) FILTER (WHERE g.floor = 'flaky') AS flaky, count(*) FILTER (WHERE g.floor = 'broken') AS broken
        FROM goldens g WHERE g.tenant_id = $1 AND g.set_id = c.id
    ) f
"""


def set_from_row(row: Any) -> GoldenSet:
    return GoldenSet(**dict(row.items()))


async def find_set(tx: Tx, set_id: UUID) -> GoldenSet | None:
    row = await tx.fetchrow(
        f"SELECT {_SET_COLUMNS} {_SET_FROM} WHERE c.tenant_id = $1 AND c.id = $2", tx.actor.tenant_id, set_id
    )
    return set_from_row(row) if row else None


async def find_set_by_name(tx: Tx, name: str) -> GoldenSet | None:
    row = await tx.fetchrow(
        f"SELECT {_SET_COLUMNS} {_SET_FROM} WHERE c.tenant_id = $1 AND c.name = $2", tx.actor.tenant_id, name
    )
    return set_from_row(row) if row else None


async def list_sets(tx: Tx, after: str, limit: int) -> list[GoldenSet]:
    """By name."""
    rows = await tx.fetch(
        f"""
        SELECT {_SET_COLUMNS} {_SET_FROM} WHERE c.tenant_id = $1 AND c.name > $2 ORDER BY c.name LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        after,
    )
    return [set_from_row(row) for row in rows]


async def take_into_set(tx: Tx, new_id: UUID, name: str, at: datetime) -> UUID:
    """The set of a name, made where there is none, at its next version."""
    set_id: UUID = await tx.fetchval(
        """
        INSERT INTO golden_sets AS c (tenant_id, id, name, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (tenant_id, name) DO UPDATE SET version = c.version + 1 RETURNING c.id
        """,
        tx.actor.tenant_id,
        new_id,
        name,
        at,
    )
    return set_id


async def add_version(tx: Tx, set_id: UUID) -> None:
    await tx.execute(
        "UPDATE golden_sets SET version = version + 1 WHERE tenant_id = $1 AND id = $2",
        tx.actor.tenant_id,
        set_id,
    )


async def rename_set(tx: Tx, set_id: UUID, name: str) -> None:
    await tx.execute(
        "UPDATE golden_sets SET name = $3 WHERE tenant_id = $1 AND id = $2", tx.actor.tenant_id, set_id, name
    )


async def ids_of_set(tx: Tx, set_id: UUID) -> list[UUID]:
    rows = await tx.fetch(
        "SELECT g.session_id FROM goldens g WHERE g.tenant_id = $1 AND g.set_id = $2 ORDER BY g.session_id",
        tx.actor.tenant_id,
        set_id,
    )
    return [row["session_id"] for row in rows]


async def list_types(
    tx: Tx, first: str | None, slugs: Sequence[str], entity_ids: Sequence[UUID], limit: int
) -> list[SnapshotType]:
    """Types by their slugs or by records of theirs; `first` is there before all others."""
    rows = await tx.fetch(
        f"""
        SELECT t.slug, t.json_schema FROM entity_types t
        WHERE t.tenant_id = $1 AND (t.slug = ANY ($2) OR t.id IN (
            SELECT e.type_id FROM entities e WHERE e.tenant_id = $1 AND e.id = ANY ($3)))
        ORDER BY t.slug = $4 DESC, t.slug LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        [*slugs, *([first] if first else [])],
        list(entity_ids),
        first or "",
    )
    return [SnapshotType(slug=row["slug"], schema=row["json_schema"]) for row in rows]
