"""SQL of reports. Reads index rows alone; no statement here knows of the blob store."""

from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.conversations.model import ReactionRow, UserType
from goldloop.conversations.reactions import store as reactions
from goldloop.conversations.reactions.counts import (
    KIND,
    count_columns,
    counted_at,
    counts_now,
    is_of,
    narrowed,
)
from goldloop.conversations.reports.cursors import Place
from goldloop.conversations.reports.satisfaction import Bucket, Count, GroupBy
from goldloop.conversations.turns.model import TurnRow
from goldloop.conversations.turns.store import turn_from_row
from goldloop.kit.db import Tx
from goldloop.kit.json_rows import written
from goldloop.kit.pagination import PAGE_BYTES, ROW_BYTES, Rows, bytes_of, within_bytes

MOST_COUNTS = 10_000  # numbers of a report on satisfaction: a day of a year for nine groups
SHOWN_BYTES = PAGE_BYTES // 4  # of the reactions to one conversation
AS_OF = "coalesce($7, statement_timestamp())"


def _counted(table: str, of: UserType | None) -> str:
    return counted_at(table, AS_OF) + (f" AND {is_of(table, of)}" if of else "")


def _newest(of: UserType | None) -> str:
    """The newest reaction of each conversation in the window, newest first. A reaction that is not the newest of its
    conversation is passed over by one look into the index; written as a subquery, so that it stays one."""
    return f"""
    SELECT m.conversation_id, m.ts, m.id
    FROM conv_messages m
    WHERE m.tenant_id = $1 AND m.project = $2 AND m.ts >= $3 AND m.ts <= $4 AND (m.ts, m.id) < ($5, $6)
      AND {_counted("m", of)}
      AND (SELECT n.id FROM conv_messages n
           WHERE n.tenant_id = $1 AND n.project = $2 AND n.conversation_id = m.conversation_id AND n.ts <= $4
             AND (n.ts, n.id) > (m.ts, m.id) AND {_counted("n", of)} LIMIT 1) IS NULL
    ORDER BY m.ts DESC, m.id DESC LIMIT $8
    """


def _of_conversation(of: UserType | None) -> str:
    return f"""
    FROM conv_messages r
    WHERE r.tenant_id = $1 AND r.project = $2 AND r.conversation_id = p.conversation_id AND r.ts >= $3 AND r.ts <= $4
      AND {_counted("r", of)}
    """


def _without_turns(of: UserType | None) -> str:
    return f"SELECT {count_columns('r')}, '[]' AS turns {_of_conversation(of)}"


def _with_turns(of: UserType | None) -> str:
    """Of a conversation with very many reactions the newest are told, and all are counted."""
    return f"""
    SELECT sum(t.total) AS total, sum(t.by_user) AS by_user, sum(t.by_machine) AS by_machine, sum(t.ok) AS ok,
           sum(t.not_ok) AS not_ok, sum(t.neutral) AS neutral,
           json_agg(json_build_object('turn_id', t.turn_id, 'ts', t.ts, 'feedbacks', t.feedbacks)
                    ORDER BY t.first, t.turn_id) FILTER (WHERE t.feedbacks IS NOT NULL)::text AS turns
    FROM (
        SELECT r.turn_id, min(r.ts) AS first, {count_columns("r")},
               (array_agg(r.payload #> '{{reaction,ts}}' ORDER BY r.ts DESC, r.id DESC))[1] AS ts,
               json_agg((r.payload -> 'reaction') || jsonb_build_object('rn', r.payload #> '{{meta,rn}}')
                        ORDER BY r.ts, r.id) FILTER (WHERE r.bytes <= {SHOWN_BYTES}) AS feedbacks
        FROM (SELECT r.turn_id, r.ts, r.id, r.payload, r.origin, r.reaction,
                     sum({ROW_BYTES} + octet_length(r.text)) OVER (ORDER BY r.ts DESC, r.id DESC) AS bytes
              {_of_conversation(of)}) r
        GROUP BY r.turn_id
    ) t
    """


def _page(of: UserType | None, of_conversation: str) -> str:
    """One row: the items as the text of the answer, and the place of the last. The database makes the text, so that
    nobody takes a hundred conversations with their reactions apart and puts them together again."""
    return f"""
        SELECT count(*) AS found, count(*) FILTER (WHERE i.shown) AS shown, {AS_OF} AS as_of,
               (array_agg(i.ts ORDER BY i.place DESC) FILTER (WHERE i.shown))[1] AS ts,
               (array_agg(i.id ORDER BY i.place DESC) FILTER (WHERE i.shown))[1] AS id,
               '[' || coalesce(string_agg(i.item, ',' ORDER BY i.place) FILTER (WHERE i.shown), '') || ']' AS items
        FROM (SELECT f.ts, f.id, f.place, f.item, f.place < $8 AND (f.place = 1 OR
                  sum(octet_length(f.item)) OVER (ORDER BY f.place) <= {PAGE_BYTES}) AS shown
        FROM (
            SELECT p.ts, p.id, row_number() OVER (ORDER BY p.ts DESC, p.id DESC) AS place,
                   '{{"conversation_id":' || to_json(p.conversation_id) || ',"last_activity_at":"' || {written("p.ts")}
                   || '","started_at":"' || {written("c.started_at")} || '","feedback_counts":{{"total":' || r.total
                   || ',"user":' || r.by_user || ',"machine":' || r.by_machine || ',"ok":' || r.ok || ',"not_ok":' || r.not_ok
                   || ',"neutral":' || r.neutral || '}},"turns":' || r.turns || '}}' AS item
            FROM ({_newest(of)}) p
            JOIN conversations c ON c.tenant_id = $1 AND c.project = $2 AND c.id = p.conversation_id
            CROSS JOIN LATERAL ({of_conversation}) r
        ) f) i
    """


OF: tuple[UserType | None, ...] = (None, "member", "end_user")
PERIOD_COUNTS = {of: _page(of, _without_turns(of)) for of in OF}
PERIOD_TURNS = {of: _page(of, _with_turns(of)) for of in OF}


class Wanted(NamedTuple):
    """Reactions to turns of a conversation since a moment; None: to any of them, of anybody."""

    project: str
    conversation_id: str
    turn_ids: list[str] | None
    since: datetime
    user_type: UserType | None


class Window(NamedTuple):
    """`user_type` None: reactions of anybody."""

    project: str
    start: datetime
    end: datetime
    user_type: UserType | None


async def conversations_in_period(
    tx: Tx, window: Window, place: Place, limit: int, *, include_turns: bool
) -> tuple[msgspec.Raw, Place | None]:
    """Conversations at their newest reaction in the window, as JSON; and the place of the last, where there are more."""
    row = await tx.fetchrow(
        (PERIOD_TURNS if include_turns else PERIOD_COUNTS)[window.user_type],
        tx.actor.tenant_id,
        window.project,
        window.start,
        window.end,
        *place,
        limit + 1,
    )
    assert row is not None
    more = Place(row["ts"], row["id"], row["as_of"]) if row["found"] > row["shown"] else None
    return msgspec.Raw(row["items"].encode()), more


async def turns_with_reactions(
    tx: Tx, wanted: Wanted, after: tuple[datetime, int], limit: int, *, logs: bool
) -> Rows[TurnRow]:
    """Turns with reactions that count, oldest first. What waits to be written into the blob store counts with `logs`."""
    chosen, arguments = _chosen(wanted, 8)
    query = f"""
        SELECT t.turn_id, t.seq, t.ts, t.user_id, t.agent, t.agent_id, t.session_id, t.bundle_id, t.track_id, s.user, s.assistant,
               s.has_log, s.hosted_uri, {bytes_of("s.user", "s.assistant", "t.turn_log" if logs else "NULL::text")}
        FROM (SELECT DISTINCT m.turn_id FROM conv_messages m
              WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.ts >= $4
                AND {_counts_now("m", wanted)} {chosen}) r
        JOIN conv_turns t ON t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = r.turn_id
        CROSS JOIN LATERAL (
            SELECT max(x.text) FILTER (WHERE x.role = 'user') AS user,
                   max(x.text) FILTER (WHERE x.role = 'assistant') AS assistant,
                   count(*) FILTER (WHERE x.kind = 'turn.log') > 0 AS has_log,
                   max(x.hosted_uri) FILTER (WHERE x.kind = 'turn.log') AS hosted_uri
            FROM conv_messages x
            WHERE x.tenant_id = $1 AND x.project = $2 AND x.conversation_id = $3 AND x.turn_id = t.turn_id
              AND x.end_user IS NULL AND x.kind <> '{KIND}') s
        WHERE (t.ts, t.seq) > ($5, $6)
        ORDER BY t.ts, t.seq LIMIT $7
    """
    place = (tx.actor.tenant_id, wanted.project, wanted.conversation_id, wanted.since)
    rows = await tx.fetch(within_bytes(query), *place, *after, limit, *arguments)
    return Rows.read(rows, turn_from_row)


def _counts_now(table: str, wanted: Wanted) -> str:
    return counts_now(table) + (f" AND {is_of(table, wanted.user_type)}" if wanted.user_type else "")


def _chosen(wanted: Wanted, number: int) -> tuple[str, list[Any]]:
    if wanted.turn_ids is None:
        return "", []
    return f"AND m.turn_id = ANY (${number})", [wanted.turn_ids]


async def reactions_of_conversation(tx: Tx, wanted: Wanted, turn_ids: list[str]) -> list[ReactionRow]:
    """Those to some turns that count, newest first, and no more than a page holds."""
    query = f"""
        SELECT {reactions.COLUMNS}, {bytes_of("m.text", "m.payload", "m.payload")} FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.ts >= $4
          AND {_counts_now("m", wanted)} AND m.turn_id = ANY ($5)
        ORDER BY m.ts DESC, m.id DESC LIMIT {reactions.MOST_REACTIONS}
    """
    place = (tx.actor.tenant_id, wanted.project, wanted.conversation_id, wanted.since)
    return [reactions.from_row(row) for row in await tx.fetch(within_bytes(query), *place, turn_ids)]


async def count_by_time(
    tx: Tx,
    bucket: Bucket,
    by: GroupBy | None,
    start: datetime,
    end: datetime,
    wanted: dict[str, str | None],
) -> list[Count]:
    """Reactions that count now, by time, group and reaction; one more than are shown where there are more. `wanted`
    narrows them by project, agent, origin and whose they are."""
    arguments: list[Any] = [tx.actor.tenant_id, start, end]

    def bind(value: object) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    conditions = [
        "m.tenant_id = $1",
        counts_now("m"),
        "m.ts >= $2 AND m.ts <= $3",
        *narrowed("m", wanted, bind),
    ]
    group = f"m.{by}" if by else "NULL::text"
    rows = await tx.fetch(
        f"""
        SELECT date_trunc('{bucket}', m.ts, 'UTC') AS bucket, {group} AS "group", m.reaction, count(*)::integer AS count
        FROM conv_messages m
        WHERE {" AND ".join(conditions)}
        GROUP BY 1, 2, 3 LIMIT {MOST_COUNTS + 1}
        """,
        *arguments,
    )
    return [Count(**row) for row in rows]
