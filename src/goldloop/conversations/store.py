"""SQL that reads conversations and their turns."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from goldloop.conversations.reactions.store import COLUMNS as REACTION
from goldloop.kit.db import Tx
from goldloop.kit.pagination import PAGE_BYTES, Rows, bytes_of, within_bytes


class ConversationRow(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    id: str
    user_id: str | None
    agent: str | None
    title: str
    turns: int
    started_at: datetime
    last_activity_at: datetime


class TurnRow(msgspec.Struct, frozen=True, kw_only=True):
    """A turn with what was said in it."""

    turn_id: str
    seq: int
    ts: datetime
    user_id: str | None
    agent: str | None
    session_id: str | None
    bundle_id: str | None
    track_id: str | None
    user: str | None
    assistant: str | None
    has_log: bool
    hosted_uri: str | None


class SaidInTurn(NamedTuple):
    ts: datetime
    user: str | None
    assistant: str | None


CHARACTERS = 1000  # of a message that a turn is known by
CONVERSATION = "c.project, c.id, c.user_id, c.agent, c.title, c.turns, c.started_at, c.last_activity_at"
_TURN = """
    SELECT t.turn_id, t.seq, t.ts, t.user_id, t.agent, t.session_id, t.bundle_id, t.track_id,
           max(m.text) FILTER (WHERE m.role = 'user') AS user, max(m.text) FILTER (WHERE m.role = 'assistant') AS assistant,
           count(*) FILTER (WHERE m.kind = 'turn.log') > 0 AS has_log,
           max(m.hosted_uri) FILTER (WHERE m.kind = 'turn.log') AS hosted_uri,
           (1000 + sum(octet_length(m.text)))::bigint AS row_bytes
    FROM conv_turns t
    JOIN conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project AND m.conversation_id = t.conversation_id
        AND m.turn_id = t.turn_id AND m.kind <> 'turn.log.reaction'
    WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3
"""
_GROUPED = "GROUP BY t.tenant_id, t.project, t.conversation_id, t.turn_id"
_IN_ORDER = f"{_GROUPED} ORDER BY t.ts, t.seq"
MOST_REACTIONS = 5000  # in one answer about a conversation: the newest
AGENTS_AMONG = 5000  # of the newest conversations, so that the list costs the same with millions


def turn_from_row(row: Any) -> TurnRow:
    return TurnRow(**{name: row[name] for name in TurnRow.__struct_fields__})


async def find(tx: Tx, project: str, conversation_id: str) -> ConversationRow | None:
    row = await tx.fetchrow(
        f"SELECT {CONVERSATION} FROM conversations c WHERE c.tenant_id = $1 AND c.project = $2 AND c.id = $3",
        tx.actor.tenant_id,
        project,
        conversation_id,
    )
    return ConversationRow(**row) if row else None


async def list_turns(tx: Tx, project: str, conversation_id: str, turn_ids: list[str]) -> list[TurnRow]:
    """Some turns of a conversation, oldest first."""
    rows = await tx.fetch(
        f"{_TURN} AND t.turn_id = ANY ($4) {_IN_ORDER}",
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_ids,
    )
    return [turn_from_row(row) for row in rows]


async def waiting_logs(
    tx: Tx, project: str, conversation_id: str, turn_ids: list[str]
) -> dict[str, dict[str, Any]]:
    """The logs of turns that are not in the blob store yet."""
    rows = await tx.fetch(
        """
        SELECT turn_id, turn_log FROM conv_turns
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_id = ANY ($4) AND turn_log IS NOT NULL
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_ids,
    )
    return {row["turn_id"]: row["turn_log"] for row in rows}


async def turns_at(tx: Tx, places: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], SaidInTurn]:
    """What was said in these turns, as far as one knows them by it, by project, conversation and turn."""
    rows = await tx.fetch(
        """
        SELECT m.project, m.conversation_id, m.turn_id, max(m.ts) AS ts,
               max(left(m.text, $5)) FILTER (WHERE m.role = 'user') AS user,
               max(left(m.text, $5)) FILTER (WHERE m.role = 'assistant') AS assistant
        FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[]) AS w (project, conversation_id, turn_id)) w
        JOIN conv_messages m ON m.tenant_id = $1 AND m.project = w.project AND m.conversation_id = w.conversation_id
            AND m.turn_id = w.turn_id AND m.kind = 'message'
        GROUP BY m.project, m.conversation_id, m.turn_id
        """,
        tx.actor.tenant_id,
        *([list(column) for column in zip(*places, strict=True)] or [[], [], []]),
        CHARACTERS,
    )
    return {
        (row["project"], row["conversation_id"], row["turn_id"]): SaidInTurn(
            row["ts"], row["user"], row["assistant"]
        )
        for row in rows
    }


async def find_turn_user(tx: Tx, project: str, conversation_id: str, turn_id: str) -> str | None:
    """The end user of a turn, '' where nobody said; None where there is no such turn."""
    found: str | None = await tx.fetchval(
        """
        SELECT coalesce(t.user_id, c.user_id, '') FROM conv_turns t
        JOIN conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
        WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = $4
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_id,
    )
    return found


class ListFilter(msgspec.Struct, frozen=True, kw_only=True):
    """What a list of conversations is narrowed by; None and empty narrow nothing."""

    project: str | None = None
    agent: str | None = None
    user_id: str | None = None
    reaction: str | None = None
    origin: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    terms: tuple[str, ...] = ()


async def list_newest_first(
    tx: Tx, wanted: ListFilter, before: tuple[datetime, str, str], limit: int
) -> list[ConversationRow]:
    """By their last turn. The statement holds only what is asked for."""
    arguments: list[Any] = [tx.actor.tenant_id, *before, limit]

    def bound(value: object) -> str:
        arguments.append(value)
        return f"${len(arguments)}"

    conditions = ["c.tenant_id = $1 AND (c.last_activity_at, c.project, c.id) < ($2, $3, $4)"]
    for column, value in (("project", wanted.project), ("agent", wanted.agent), ("user_id", wanted.user_id)):
        if value is not None:
            conditions.append(f"c.{column} = {bound(value)}")
    if wanted.start is not None:
        conditions.append(f"c.last_activity_at >= {bound(wanted.start)}")
    if wanted.end is not None:
        conditions.append(f"c.last_activity_at <= {bound(wanted.end)}")
    if wanted.reaction or wanted.origin:
        said = [
            f"r.{column} = {bound(value)}"
            for column, value in (("reaction", wanted.reaction), ("origin", wanted.origin))
            if value
        ]
        conditions.append(
            f"""EXISTS (SELECT FROM conv_messages r WHERE r.tenant_id = c.tenant_id AND r.project = c.project
                AND r.conversation_id = c.id AND r.counted_from IS NOT NULL AND r.counted_until IS NULL
                AND {" AND ".join(said)})"""
        )
    for term in wanted.terms:
        conditions.append(
            f"""EXISTS (SELECT FROM conversation_words w WHERE w.tenant_id = c.tenant_id AND w.project = c.project
                AND w.conversation_id = c.id AND w.word >= {bound(term)} AND w.word < {bound(term + chr(0x10FFFF))})"""
        )
    rows = await tx.fetch(
        f"""
        SELECT {CONVERSATION} FROM conversations c WHERE {" AND ".join(conditions)}
        ORDER BY c.last_activity_at DESC, c.project DESC, c.id DESC LIMIT $5
        """,
        *arguments,
    )
    return [ConversationRow(**row) for row in rows]


async def count_reactions(
    tx: Tx, places: list[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, str, int]]]:
    """How many of each origin and reaction count, by project and conversation."""
    rows = await tx.fetch(
        """
        SELECT m.project, m.conversation_id, m.origin, m.reaction, count(*) AS count
        FROM unnest($2::text[], $3::text[]) AS wanted (project, conversation_id)
        JOIN conv_messages m ON m.tenant_id = $1 AND m.project = wanted.project
            AND m.conversation_id = wanted.conversation_id
        WHERE m.counted_from IS NOT NULL AND m.counted_until IS NULL
        GROUP BY m.project, m.conversation_id, m.origin, m.reaction
        """,
        tx.actor.tenant_id,
        [project for project, _ in places],
        [conversation_id for _, conversation_id in places],
    )
    found: dict[tuple[str, str], list[tuple[str, str, int]]] = {}
    for row in rows:
        found.setdefault((row["project"], row["conversation_id"]), []).append(
            (row["origin"], row["reaction"], row["count"])
        )
    return found


async def turns_after(
    tx: Tx, project: str, conversation_id: str, after: tuple[datetime, int], limit: int
) -> Rows[TurnRow]:
    """Turns of a conversation, oldest first."""
    query = f"{_TURN} AND (t.ts, t.seq) > ($4, $5) {_IN_ORDER} LIMIT $6"
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, project, conversation_id, *after, limit)
    return Rows.read(rows, turn_from_row)


async def turns_before(
    tx: Tx,
    project: str,
    conversation_id: str,
    before: tuple[datetime, int],
    limit: int,
    most: int = PAGE_BYTES,
) -> Rows[TurnRow]:
    """The last turns before a place in a conversation, oldest first."""
    query = f"{_TURN} AND (t.ts, t.seq) < ($4, $5) {_GROUPED} ORDER BY t.ts DESC, t.seq DESC LIMIT $6"
    arguments = (tx.actor.tenant_id, project, conversation_id, *before, limit)
    rows = await tx.fetch(within_bytes(query, most), *arguments)
    return Rows.read(list(reversed(rows)), turn_from_row)


async def reactions_of_turns(tx: Tx, project: str, conversation_id: str, turn_ids: list[str]) -> list[Any]:
    """Rows of reactions to these turns that count, and of unsettled ones that were read from them; oldest first. Of
    more than a page holds the newest."""
    query = f"""
        SELECT {REACTION}, {bytes_of("m.text", "m.payload")}
        FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.kind = 'turn.log.reaction'
          AND (m.turn_id = ANY ($4) AND m.state = 'active'
               OR m.turn_id IS NULL AND m.source_turn_id = ANY ($4) AND m.state = 'unsettled')
        ORDER BY m.ts DESC, m.id DESC LIMIT {MOST_REACTIONS}
    """
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, project, conversation_id, turn_ids)
    return list(reversed(rows))


async def list_projects(tx: Tx) -> list[str]:
    """Every project, by one look into the index for each."""
    rows = await tx.fetch(
        """
        WITH RECURSIVE projects AS (
            (SELECT project FROM conversations WHERE tenant_id = $1 ORDER BY project LIMIT 1)
            UNION ALL
            SELECT (SELECT c.project FROM conversations c WHERE c.tenant_id = $1 AND c.project > p.project
                    ORDER BY c.project LIMIT 1)
            FROM projects p WHERE p.project IS NOT NULL
        )
        SELECT project FROM projects WHERE project IS NOT NULL LIMIT 1000
        """,
        tx.actor.tenant_id,
    )
    return [row["project"] for row in rows]


async def list_agents(tx: Tx) -> list[str]:
    """The agents of the newest conversations, by name."""
    rows = await tx.fetch(
        """
        SELECT DISTINCT c.agent FROM (
            SELECT agent FROM conversations WHERE tenant_id = $1 ORDER BY last_activity_at DESC LIMIT $2
        ) c
        WHERE c.agent IS NOT NULL ORDER BY c.agent LIMIT 1000
        """,
        tx.actor.tenant_id,
        AGENTS_AMONG,
    )
    return [row["agent"] for row in rows]
