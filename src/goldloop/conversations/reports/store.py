"""SQL of reports. Reads index rows alone; no statement here knows of the blob store."""

from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.conversations.model import FeedbackCounts, ReactionRow
from goldloop.conversations.reactions import store as reactions
from goldloop.conversations.reports.cursors import Place
from goldloop.conversations.reports.model import ConversationFeedback
from goldloop.conversations.reports.satisfaction import Bucket, Count, GroupBy
from goldloop.kit.db import Tx

AS_OF = "coalesce($7, statement_timestamp())"


def _counts(table: str) -> str:
    """Whether a reaction counted at the moment of the report. The first part is that of the partial indexes."""
    return f"""{table}.counted_from IS NOT NULL AND {table}.counted_from <= {AS_OF}
        AND ({table}.counted_until IS NULL OR {table}.counted_until > {AS_OF})"""


# The newest reaction of each conversation in the window, newest first. A reaction that is not the newest of its
# conversation is passed over by one look into the index; written as a subquery, so that it stays one.
NEWEST = f"""
    SELECT m.conversation_id, m.ts, m.id
    FROM conv_messages m
    WHERE m.tenant_id = $1 AND m.project = $2 AND m.ts >= $3 AND m.ts <= $4 AND (m.ts, m.id) < ($5, $6)
      AND {_counts("m")}
      AND (SELECT n.id FROM conv_messages n
           WHERE n.tenant_id = $1 AND n.project = $2 AND n.conversation_id = m.conversation_id AND n.ts <= $4
             AND (n.ts, n.id) > (m.ts, m.id) AND {_counts("n")} LIMIT 1) IS NULL
    ORDER BY m.ts DESC, m.id DESC LIMIT $8
"""
_OF_CONVERSATION = f"""
    FROM conv_messages r
    WHERE r.tenant_id = $1 AND r.project = $2 AND r.conversation_id = p.conversation_id AND r.ts >= $3 AND r.ts <= $4
      AND {_counts("r")}
"""
_STARTED = "JOIN conversations c ON c.tenant_id = $1 AND c.project = $2 AND c.id = p.conversation_id"

PERIOD_COUNTS = f"""
    SELECT p.conversation_id, p.ts, p.id, {AS_OF} AS as_of, c.started_at, r.*
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
# The same with what was said about each turn, as the text of the answer: the database makes it out of the payloads, so
# that nobody has to take four hundred reactions apart and put them together again.
PERIOD_TURNS = f"""
    SELECT p.conversation_id, p.ts, p.id, {AS_OF} AS as_of, c.started_at, r.*
    FROM ({NEWEST}) p {_STARTED}
    CROSS JOIN LATERAL (
        SELECT sum(t.total)::bigint AS total, sum(t.by_user)::bigint AS by_user, sum(t.by_machine)::bigint AS by_machine,
               sum(t.ok)::bigint AS ok, sum(t.not_ok)::bigint AS not_ok, sum(t.neutral)::bigint AS neutral,
               json_agg(json_build_object('turn_id', t.turn_id, 'ts', t.ts, 'feedbacks', t.feedbacks)
                        ORDER BY t.first, t.turn_id)::text AS turns
        FROM (
            SELECT r.turn_id, min(r.ts) AS first, count(*) AS total, count(*) FILTER (WHERE r.origin = 'user') AS by_user,
                   count(*) FILTER (WHERE r.origin = 'machine') AS by_machine,
                   count(*) FILTER (WHERE r.reaction = 'ok') AS ok, count(*) FILTER (WHERE r.reaction = 'not_ok') AS not_ok,
                   count(*) FILTER (WHERE r.reaction = 'neutral') AS neutral,
                   (array_agg(r.payload #> '{{reaction,ts}}' ORDER BY r.ts DESC, r.id DESC))[1] AS ts,
                   json_agg((r.payload -> 'reaction') || jsonb_build_object('rn', r.payload #> '{{meta,rn}}')
                            ORDER BY r.ts, r.id) AS feedbacks
            {_OF_CONVERSATION}
            GROUP BY r.turn_id
        ) t
    ) r
    ORDER BY p.ts DESC, p.id DESC
"""


class Window(NamedTuple):
    project: str
    start: datetime
    end: datetime


async def conversations_in_period(
    tx: Tx, window: Window, place: Place, limit: int, *, include_turns: bool
) -> list[tuple[ConversationFeedback, Place]]:
    """Conversations at their newest reaction in the window, each with its place."""
    sql = PERIOD_TURNS if include_turns else PERIOD_COUNTS
    rows = await tx.fetch(sql, tx.actor.tenant_id, window.project, window.start, window.end, *place, limit)
    return [(_conversation(row, include_turns), Place(row["ts"], row["id"], row["as_of"])) for row in rows]


def _conversation(row: Any, include_turns: bool) -> ConversationFeedback:
    turns: Any = msgspec.Raw(row["turns"].encode()) if include_turns else []
    return ConversationFeedback(
        conversation_id=row["conversation_id"],
        last_activity_at=row["ts"],
        started_at=row["started_at"],
        feedback_counts=FeedbackCounts(
            total=row["total"],
            user=row["by_user"],
            machine=row["by_machine"],
            ok=row["ok"],
            not_ok=row["not_ok"],
            neutral=row["neutral"],
        ),
        turns=turns,
    )


async def reactions_of_conversation(
    tx: Tx,
    project: str,
    conversation_id: str,
    turn_ids: list[str] | None,
    since: datetime,
    most: int,
) -> list[ReactionRow]:
    """Those that count, newest first."""
    arguments: list[Any] = [tx.actor.tenant_id, project, conversation_id, since, most]
    chosen = ""
    if turn_ids is not None:
        arguments.append(turn_ids)
        chosen = "AND m.turn_id = ANY ($6)"
    rows = await tx.fetch(
        f"""
        SELECT {reactions.COLUMNS} FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.ts >= $4
          AND m.counted_from IS NOT NULL AND m.counted_until IS NULL {chosen}
        ORDER BY m.ts DESC, m.id DESC LIMIT $5
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
