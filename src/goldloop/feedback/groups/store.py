"""SQL of groups of feedback. The only writer of `feedback_groups`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.entries.store import LAST_CHARACTER
from goldloop.feedback.groups.decision_store import Decision
from goldloop.feedback.groups.member_store import Counts
from goldloop.feedback.model import (
    DismissReason,
    FeedbackGroup,
    FeedbackSource,
    GroupKind,
    GroupState,
    Rating,
)
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import json_object, json_or_null, json_text
from goldloop.kit.pagination import RawPage, bytes_of, json_page, read_page
from goldloop.tenants.model import Party
from goldloop.tenants.parties.store import name_sql, party_json

_COLUMNS = f"""
    g.id, g.kind, g.state, g.rating, g.block, g.key, g.agent_id, g.entity_type, g.title, g.members, g.pending, g.origins, g.cohesion,
    g.proposed, g.returned, g.escalates_at, g.sources, g.by_day, g.weight, g.first_at, g.last_at, g.reason, g.note, g.decision_id,
    g.decided_by_kind, g.decided_by_id, g.decided_at, g.merged_into, g.version, g.created_at,
    clock_timestamp() AS read_at,
    {name_sql("$1", "g.decided_by_kind", "g.decided_by_id")} AS decided_by_name
"""
_JSON = json_object(
    FeedbackGroup,
    "p",
    days=json_text(
        "ARRAY(SELECT coalesce((p.by_day ->> d.day)::integer, 0) FROM unnest($4::text[]) d (day))"
    ),
    decided_by=json_or_null(
        "p.decided_by_kind IS NOT NULL",
        party_json("p.decided_by_kind", "p.decided_by_id", "p.decided_by_name"),
    ),
)


class GroupRow(NamedTuple):
    """A group as it is stored; `group` is what clients see of it, without its trend, which `by_day` has by dates."""

    group: FeedbackGroup
    block: str
    weight: float
    decision_id: UUID | None
    escalates_at: int | None
    by_day: dict[str, int]


def from_row(row: Any) -> GroupRow:
    group = FeedbackGroup(
        id=row["id"],
        kind=GroupKind(row["kind"]),
        state=GroupState(row["state"]),
        rating=Rating(row["rating"]),
        title=row["title"],
        agent_id=row["agent_id"],
        entity_type=row["entity_type"],
        key=row["key"],
        members=row["members"],
        pending=row["pending"],
        origins=row["origins"],
        cohesion=row["cohesion"],
        proposed=row["proposed"],
        returned=row["returned"],
        sources=[FeedbackSource(source) for source in row["sources"]],
        first_at=row["first_at"],
        last_at=row["last_at"],
        days=[],
        reason=DismissReason(row["reason"]) if row["reason"] else None,
        note=row["note"],
        decided_by=Party(kind=row["decided_by_kind"], id=row["decided_by_id"], name=row["decided_by_name"])
        if row["decided_by_kind"]
        else None,
        decided_at=row["decided_at"],
        merged_into=row["merged_into"],
        version=row["version"],
        created_at=row["created_at"],
        read_at=row["read_at"],
    )
    return GroupRow(
        group, row["block"], row["weight"], row["decision_id"], row["escalates_at"], row["by_day"]
    )


class NewGroup(NamedTuple):
    id: UUID
    kind: GroupKind
    rating: Rating
    block: str
    key: str | None
    agent_id: UUID | None
    entity_type: str | None
    template: list[str] | None
    at: datetime


async def insert(tx: Tx, new: NewGroup) -> None:
    await tx.execute(
        """
        INSERT INTO feedback_groups (tenant_id, id, kind, rating, block, key, agent_id, entity_type, template, first_at, last_at,
            created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10)
        """,
        tx.actor.tenant_id,
        *new,
    )


async def find(tx: Tx, group_id: UUID) -> GroupRow | None:
    row = await tx.fetchrow(
        f"SELECT {_COLUMNS} FROM feedback_groups g WHERE g.tenant_id = $1 AND g.id = $2",
        tx.actor.tenant_id,
        group_id,
    )
    return from_row(row) if row else None


async def find_of_key(tx: Tx, block: str) -> UUID | None:
    """The group that a field, a tool or a golden makes by itself."""
    found: UUID | None = await tx.fetchval(
        """
        SELECT g.id FROM feedback_groups g
        WHERE g.tenant_id = $1 AND g.block = $2 AND g.kind IN ('field', 'tool', 'golden')
        ORDER BY g.created_at, g.id LIMIT 1
        """,
        tx.actor.tenant_id,
        block,
    )
    return await find_standing(tx, found) if found else None


async def find_standing(tx: Tx, group_id: UUID) -> UUID:
    """The group itself, or the one that it was merged into in the end."""
    found: UUID = await tx.fetchval(
        """
        WITH RECURSIVE chain AS (
            SELECT g.id, g.state, g.merged_into FROM feedback_groups g WHERE g.tenant_id = $1 AND g.id = $2
            UNION ALL
            SELECT g.id, g.state, g.merged_into FROM chain c JOIN feedback_groups g ON g.tenant_id = $1 AND g.id = c.merged_into
            WHERE c.state = 'merged'
        )
        SELECT c.id FROM chain c WHERE c.state <> 'merged'
        """,
        tx.actor.tenant_id,
        group_id,
    )
    return found


async def list_templates(tx: Tx, block: str, limit: int) -> list[tuple[UUID, list[str]]]:
    """Groups by reason of a block, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT g.id, g.template FROM feedback_groups g
        WHERE g.tenant_id = $1 AND g.block = $2 AND g.kind = 'reason' AND g.template IS NOT NULL
        ORDER BY g.created_at DESC, g.id DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        block,
    )
    return [(row["id"], row["template"]) for row in rows]


async def kinds_of(tx: Tx, ids: Sequence[UUID]) -> dict[UUID, GroupKind]:
    rows = await tx.fetch(
        "SELECT g.id, g.kind FROM feedback_groups g WHERE g.tenant_id = $1 AND g.id = ANY ($2)",
        tx.actor.tenant_id,
        list(ids),
    )
    return {row["id"]: GroupKind(row["kind"]) for row in rows}


async def list_dismissed(tx: Tx, model: str, limit: int) -> list[tuple[UUID, Rating, list[float]]]:
    """What dismissed groups are remembered by, the newest first."""
    rows = await tx.fetch(
        f"""
        SELECT g.id, g.rating, g.centroid FROM feedback_groups g
        WHERE g.tenant_id = $1 AND g.state = 'dismissed' AND g.centroid IS NOT NULL AND g.centroid_model = $2
        ORDER BY g.decided_at DESC LIMIT {limit:d}
        """,
        tx.actor.tenant_id,
        model,
    )
    return [(row["id"], Rating(row["rating"]), row["centroid"]) for row in rows]


class Wanted(NamedTuple):
    """Which groups a list has. `since` and `until` are about the newest member, `terms` about the words of any."""

    state: GroupState | None = GroupState.OPEN
    proposed: bool | None = True
    waits: bool | None = None
    kind: GroupKind | None = None
    rating: Rating | None = None
    agent_id: UUID | None = None
    entity_type: str | None = None
    source_type: FeedbackSource | None = None
    since: datetime | None = None
    until: datetime | None = None
    terms: tuple[str, ...] = ()


_CONDITIONS = {
    "source_type": "${} = ANY (g.sources)",
    "since": "g.last_at >= ${}",
    "until": "g.last_at < ${}",
}


async def list_in_order(
    tx: Tx, wanted: Wanted, before: tuple[object, UUID], days: Sequence[str], limit: int
) -> RawPage[FeedbackGroup]:
    """What came back first, then by how alike and by how many people. `days` are those of the trend, as dates."""
    conditions = ["g.tenant_id = $1", "(g.weight, g.id) < ($2, $3)", "g.members > 0"]
    arguments: list[Any] = [tx.actor.tenant_id, *before, list(days)]
    if (wanted.state, wanted.proposed, wanted.waits) == (
        GroupState.OPEN,
        True,
        True,
    ):  # as the index of them says
        conditions.append("g.proposed AND g.state = 'open' AND g.pending > 0")
        wanted = wanted._replace(state=None, proposed=None, waits=None)
    for name, value in wanted._asdict().items():
        if value is not None and name not in ("waits", "terms"):
            arguments.append(value)
            conditions.append(_CONDITIONS.get(name, f"g.{name} = ${{}}").format(len(arguments)))
    if wanted.waits is not None:
        conditions.append(f"g.pending {'>' if wanted.waits else '='} 0")
    for term in wanted.terms:
        arguments += [term, term + LAST_CHARACTER]
        conditions.append(
            f"""g.id IN (SELECT f.group_id FROM feedback_words w JOIN feedback f ON f.tenant_id = $1 AND f.id = w.feedback_id
                WHERE w.tenant_id = $1 AND w.word >= ${len(arguments) - 1} AND w.word < ${len(arguments)})"""
        )
    query = f"""
        SELECT {_COLUMNS}, {bytes_of("g.title", "g.note")} FROM feedback_groups g WHERE {" AND ".join(conditions)}
        ORDER BY g.weight DESC, g.id DESC LIMIT {limit + 1:d}
    """
    return read_page(await tx.fetch_page(json_page(query, _JSON, limit, "weight", "id"), *arguments))


async def count_waiting(tx: Tx, most: int) -> int:
    counted: int = await tx.fetchval(
        """
        SELECT count(*) FROM (SELECT FROM feedback_groups g
            WHERE g.tenant_id = $1 AND g.proposed AND g.state = 'open' AND g.pending > 0 LIMIT $2) waiting
        """,
        tx.actor.tenant_id,
        most,
    )
    return counted


class Derived(NamedTuple):
    """What follows from a group's members."""

    counts: Counts
    origins: int
    cohesion: float | None
    title: str
    proposed: bool
    weight: float
    state: GroupState
    returned: bool
    centroid: list[float] | None
    centroid_model: str | None
    by_day: dict[str, int]


async def set_derived(tx: Tx, group_id: UUID, new: Derived) -> None:
    await tx.execute(
        """
        UPDATE feedback_groups SET members = $3, pending = $4, sources = $5, first_at = coalesce($6, first_at),
            last_at = coalesce($7, last_at), origins = $8, cohesion = $9, title = $10, proposed = $11, weight = $12, state = $13,
            returned = $14, centroid = $15, centroid_model = $16, by_day = $17
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        group_id,
        *new.counts,
        *new[1:],
    )


async def set_decided(
    tx: Tx,
    group_id: UUID,
    state: GroupState,
    decision: Decision,
    escalates_at: int | None = None,
    merged_into: UUID | None = None,
) -> None:
    await tx.execute(
        """
        UPDATE feedback_groups SET state = $3, reason = $4, note = $5, decision_id = $6, decided_at = $7, decided_by_kind = $8,
            decided_by_id = $9, escalates_at = $10, merged_into = $11, returned = false, version = version + 1
        WHERE tenant_id = $1 AND id = $2
        """,
        tx.actor.tenant_id,
        group_id,
        state,
        decision.reason,
        decision.note,
        decision.id,
        decision.at,
        tx.actor.kind,
        tx.actor.id,
        escalates_at,
        merged_into,
    )


async def set_as_before(tx: Tx, group_id: UUID, decision_id: UUID) -> None:
    """As the group was decided about before a decision."""
    await tx.execute(
        """
        UPDATE feedback_groups g SET state = b.state, returned = b.returned, reason = b.reason, note = b.note,
            decision_id = b.decision_id, decided_at = b.decided_at, decided_by_kind = b.decided_by_kind,
            decided_by_id = b.decided_by_id, escalates_at = b.escalates_at, merged_into = b.merged_into, version = g.version + 1
        FROM feedback_decisions d, jsonb_to_record(d.before) AS b (state text, returned boolean, reason text, note text,
            decision_id uuid, decided_at timestamptz, decided_by_kind text, decided_by_id uuid, escalates_at integer,
            merged_into uuid)
        WHERE g.tenant_id = $1 AND g.id = $2 AND d.tenant_id = $1 AND d.id = $3
        """,
        tx.actor.tenant_id,
        group_id,
        decision_id,
    )
