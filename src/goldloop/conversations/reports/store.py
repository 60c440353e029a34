"""SQL of reports. Reads index rows alone; no statement here knows of the blob store."""

from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.conversations.model import ReactionRow
from goldloop.conversations.reactions import store as reactions
from goldloop.conversations.reports.cursors import Place
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
_COUNTED = """
    count(*) AS total, count(*) FILTER (WHERE r.origin = 'user') AS by_user,
    count(*) FILTER (WHERE r.origin = 'machine') AS by_machine, count(*) FILTER (WHERE r.reaction = 'ok') AS ok,
    count(*) FILTER (WHERE r.reaction = 'not_ok') AS not_ok, count(*) FILTER (WHERE r.reaction = 'neutral') AS neutral
"""
_WITHOUT_TURNS = f"SELECT {_COUNTED}, '[]' AS turns {_OF_CONVERSATION}"
_WITH_TURNS = f"""
    SELECT sum(t.total) AS total, sum(t.by_user) AS by_user, sum(t.by_machine) AS by_machine, sum(t.ok) AS ok,
           sum(t.not_ok) AS not_ok, sum(t.neutral) AS neutral,
           json_agg(json_build_object('turn_id', t.turn_id, 'ts', t.ts, 'feedbacks', t.feedbacks)
                    ORDER BY t.first, t.turn_id)::text AS turns
    FROM (
        SELECT r.turn_id, min(r.ts) AS first, {_COUNTED},
               (array_agg(r.payload #> '{{reaction,ts}}' ORDER BY r.ts DESC, r.id DESC))[1] AS ts,
               json_agg((r.payload -> 'reaction') || jsonb_build_object('rn', r.payload #> '{{meta,rn}}')
                        ORDER BY r.ts, r.id) AS feedbacks
        {_OF_CONVERSATION}
        GROUP BY r.turn_id
    ) t
"""


def _written(time: str) -> str:
    """A time as every answer has it."""
    form = 'YYYY-MM-DD"T"HH24":"MI":"SS'
    return f"""to_char({time} AT TIME ZONE 'UTC',
        CASE WHEN {time} = date_trunc('second', {time}) THEN '{form}"Z"' ELSE '{form}.US"Z"' END)"""


def _page(of_conversation: str) -> str:
    """One row: the items as the text of the answer, and the place of the last. The database makes the text, so that
    nobody takes a hundred conversations with their reactions apart and puts them together again."""
    return f"""
        SELECT count(*) AS found, {AS_OF} AS as_of, max(i.ts) FILTER (WHERE i.place = $8 - 1) AS ts,
               (array_agg(i.id) FILTER (WHERE i.place = $8 - 1))[1] AS id,
               '[' || coalesce(string_agg(i.item, ',' ORDER BY i.place) FILTER (WHERE i.place < $8), '') || ']' AS items
        FROM (
            SELECT p.ts, p.id, row_number() OVER (ORDER BY p.ts DESC, p.id DESC) AS place,
                   '{{"conversation_id":' || to_json(p.conversation_id) || ',"last_activity_at":"' || {_written("p.ts")}
                   || '","started_at":"' || {_written("c.started_at")} || '","feedback_counts":{{"total":' || r.total
                   || ',"user":' || r.by_user || ',"machine":' || r.by_machine || ',"ok":' || r.ok || ',"not_ok":' || r.not_ok
                   || ',"neutral":' || r.neutral || '}},"turns":' || r.turns || '}}' AS item
            FROM ({NEWEST}) p
            JOIN conversations c ON c.tenant_id = $1 AND c.project = $2 AND c.id = p.conversation_id
            CROSS JOIN LATERAL ({of_conversation}) r
        ) i
    """


PERIOD_COUNTS = _page(_WITHOUT_TURNS)
PERIOD_TURNS = _page(_WITH_TURNS)


class Window(NamedTuple):
    project: str
    start: datetime
    end: datetime


async def conversations_in_period(
    tx: Tx, window: Window, place: Place, limit: int, *, include_turns: bool
) -> tuple[msgspec.Raw, Place | None]:
    """Conversations at their newest reaction in the window, as JSON; and the place of the last, where there are more."""
    row = await tx.fetchrow(
        PERIOD_TURNS if include_turns else PERIOD_COUNTS,
        tx.actor.tenant_id,
        window.project,
        window.start,
        window.end,
        *place,
        limit + 1,
    )
    assert row is not None
    more = Place(row["ts"], row["id"], row["as_of"]) if row["found"] > limit else None
    return msgspec.Raw(row["items"].encode()), more


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
