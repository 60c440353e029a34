"""SQL of reports. Reads index rows alone; no statement here knows of the blob store."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.conversations.model import FeedbackCounts, ReactionRow
from goldloop.conversations.reactions import store as reactions
from goldloop.conversations.reports.cursors import Place
from goldloop.conversations.reports.satisfaction import Bucket, Count, GroupBy
from goldloop.kit.db import Tx


def _counts(table: str, as_of: str) -> str:
    """Whether a reaction counted at a moment. The first part is that of the partial indexes."""
    return f"""{table}.counted_from IS NOT NULL AND {table}.counted_from <= {as_of}
        AND ({table}.counted_until IS NULL OR {table}.counted_until > {as_of})"""


# The newest reaction of each conversation in the window, newest first. A reaction that is not the newest of its
# conversation is passed over by one look into the index; written as a subquery, so that it stays one.
NEWEST = f"""
    SELECT m.conversation_id, m.ts, m.id
    FROM conv_messages m
    WHERE m.tenant_id = $1 AND m.project = $2 AND m.ts >= $3 AND m.ts <= $4 AND (m.ts, m.id) < ($5, $6)
      AND {_counts("m", "$7")}
      AND (SELECT n.id FROM conv_messages n
           WHERE n.tenant_id = $1 AND n.project = $2 AND n.conversation_id = m.conversation_id AND n.ts <= $4
             AND (n.ts, n.id) > (m.ts, m.id) AND {_counts("n", "$7")} LIMIT 1) IS NULL
    ORDER BY m.ts DESC, m.id DESC LIMIT $8
"""
_OF_CONVERSATION = f"""
    FROM conv_messages r
    WHERE r.tenant_id = $1 AND r.project = $2 AND r.conversation_id = p.conversation_id AND r.ts >= $3 AND r.ts <= $4
      AND {_counts("r", "$7")}
"""
_STARTED = "JOIN conversations c ON c.tenant_id = $1 AND c.project = $2 AND c.id = p.conversation_id"

PERIOD_COUNTS = f"""
    SELECT p.conversation_id, p.ts, p.id, c.started_at, r.*
    FROM ({NEWEST}) p {_STARTED}
    CROSS JOIN LATERAL (
        SELECT count(*) AS total, count(*) FILTER (WHERE r.origin = 'user') AS by_user,
               count(*) FILTER (WHERE r.origin = 'machine') AS by_machine,
               count(*) FILTER (WHERE r.reaction = 'ok') AS ok, count(*) FILTER (WHERE r.reaction = 'not_ok') AS not_ok,
               count(*) FILTER (WHERE r.reaction = 'neutral') AS neutral
        {_OF_CONVERSATION}
    ) r
    ORDER BY p.ts DESC, p.id DESC
"""
PERIOD_REACTIONS = f"""
    SELECT p.conversation_id, p.ts, p.id, c.started_at, r.*
    FROM ({NEWEST}) p {_STARTED}
    CROSS JOIN LATERAL (
        SELECT r.turn_id, r.ts AS reacted_at, r.reaction, r.origin, r.confidence,
               r.payload #>> '{{reaction,text}}' AS said, r.payload #>> '{{meta,rn}}' AS rn
        {_OF_CONVERSATION}
        ORDER BY r.ts, r.id
    ) r
    ORDER BY p.ts DESC, p.id DESC
"""


class Window(NamedTuple):
    project: str
    start: datetime
    end: datetime


class Counted(NamedTuple):
    """A conversation at its newest reaction in the window."""

    conversation_id: str
    ts: datetime
    id: UUID
    started_at: datetime
    counts: FeedbackCounts


async def count_in_period(tx: Tx, window: Window, place: Place, limit: int) -> list[Counted]:
    rows = await tx.fetch(PERIOD_COUNTS, *_arguments(tx, window, place, limit))
    return [
        Counted(
            row["conversation_id"],
            row["ts"],
            row["id"],
            row["started_at"],
            FeedbackCounts(
                total=row["total"],
                user=row["by_user"],
                machine=row["by_machine"],
                ok=row["ok"],
                not_ok=row["not_ok"],
                neutral=row["neutral"],
            ),
        )
        for row in rows
    ]


async def reactions_in_period(tx: Tx, window: Window, place: Place, limit: int) -> list[Any]:
    """All counted reactions of the conversations of a page, with their conversations."""
    return await tx.fetch(PERIOD_REACTIONS, *_arguments(tx, window, place, limit))


def _arguments(tx: Tx, window: Window, place: Place, limit: int) -> tuple[Any, ...]:
    return tx.actor.tenant_id, window.project, window.start, window.end, *place, limit


async def reactions_of_conversation(
    tx: Tx,
    project: str,
    conversation_id: str,
    turn_ids: list[str] | None,
    since: datetime,
    now: datetime,
    most: int,
) -> list[ReactionRow]:
    """Those that count, newest first."""
    arguments: list[Any] = [tx.actor.tenant_id, project, conversation_id, since, now, most]
    chosen = ""
    if turn_ids is not None:
        arguments.append(turn_ids)
        chosen = "AND m.turn_id = ANY ($7)"
    rows = await tx.fetch(
        f"""
        SELECT {reactions.COLUMNS} FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.ts >= $4
          AND {_counts("m", "$5")} {chosen}
        ORDER BY m.ts DESC, m.id DESC LIMIT $6
        """,
        *arguments,
    )
    return [reactions.from_row(row) for row in rows]


async def count_by_time(
    tx: Tx,
    bucket: Bucket,
    by: GroupBy | None,
    start: datetime,
    end: datetime,
    narrowed: dict[str, str | None],
) -> list[Count]:
    """Reactions that count now, by time, group and reaction. `narrowed` is by project, agent and origin."""
    arguments: list[Any] = [tx.actor.tenant_id, start, end]
    conditions = ""
    for column in ("project", "agent", "origin"):
        if (value := narrowed.get(column)) is not None:
            arguments.append(value)
            conditions += f" AND m.{column} = ${len(arguments)}"
    group = f"m.{by}" if by else "NULL::text"
    rows = await tx.fetch(
        f"""
        SELECT date_trunc('{bucket}', m.ts, 'UTC') AS bucket, {group} AS "group", m.reaction, count(*)::integer AS count
        FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.counted_from IS NOT NULL AND m.counted_until IS NULL AND m.ts >= $2 AND m.ts <= $3
          {conditions}
        GROUP BY 1, 2, 3
        """,
        *arguments,
    )
    return [Count(**row) for row in rows]
