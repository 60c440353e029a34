"""SQL of reactions. They are written by the named SQL functions alone."""

from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.model import ReactionPayload, ReactionRow
from goldloop.conversations.reactions.counts import KIND, counts_now, is_unsettled
from goldloop.conversations.reactions.model import MessageContext
from goldloop.conversations.reactions.payloads import plain
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import ROW_BYTES, Rows, bytes_of, within_bytes
from goldloop.tenants.parties.store import name_sql

COLUMNS = f"""
    m.id, m.role, m.tags, m.turn_id, m.text, m.ts, m.hosted_uri, m.state, m.end_user, m.source_conversation_id,
    m.source_turn_id, m.payload,
    CASE WHEN m.by_member THEN {name_sql("$1", "m.created_by_kind", "m.created_by_id")} END AS user_name
"""
CANDIDATE_BYTES = 2500  # two beginnings of messages
MOST_COUNTED = 1000  # a count of what waits says no more than that


def from_row(row: Any) -> ReactionRow:
    payload = msgspec.convert(row["payload"], ReactionPayload)
    return ReactionRow(
        id=row["id"],
        role=row["role"],
        tags=row["tags"],
        turn_id=row["turn_id"],
        text=row["text"],
        ts=row["ts"],
        hosted_uri=row["hosted_uri"],
        state=row["state"],
        user_id=row["end_user"] or None,
        user_name=row["user_name"],
        source_conversation_id=row["source_conversation_id"],
        source_turn_id=row["source_turn_id"],
        payload=payload,
        plain=plain(payload),
    )


class Reacted(NamedTuple):
    outcome: str  # added, replaced, cleared, unchanged, too_many or absent
    payload: ReactionPayload | None
    replaced: str | None
    events: list[Event]


async def react(
    tx: Tx,
    *,
    project: str,
    conversation_id: str,
    turn_id: str,
    end_user: str | None,
    by_member: bool,
    reaction_id: UUID,
    event_id: UUID,
    reaction: str | None,
    comment: str | None,
    ts: datetime,
    ts_said: bool,
    text: str | None,
    payload: ReactionPayload | None,
    most: int | None,
) -> Reacted:
    row = await tx.fetchrow(
        """
        SELECT outcome, artifact, replaced, event, feedback
        FROM react($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
        """,
        project,
        conversation_id,
        turn_id,
        end_user,
        by_member,
        reaction_id,
        event_id,
        reaction,
        comment,
        ts,
        ts_said,
        text,
        payload,
        most,
        new_id(),
        new_id(),
    )
    assert row is not None
    active = msgspec.convert(row["artifact"], ReactionPayload) if row["artifact"] else None
    return Reacted(row["outcome"], active, row["replaced"], _events(row))


def _events(row: Any) -> list[Event]:
    """Of the reaction, and of what it is as feedback."""
    written = (Event.written(row["event"]), Event.written(row["feedback"]))
    return [event for event in written if event is not None]


async def find_message(tx: Tx, project: str, conversation_id: str, turn_id: str) -> Any:
    """A turn's user message, whose it is, and what was said in the last turn before it that was answered."""
    return await tx.fetchrow(
        """
        SELECT coalesce(t.user_id, c.user_id) AS user_id, t.ts, m.text AS message, b.previous_user, b.previous_assistant
        FROM conv_turns t
        JOIN conversations c ON c.tenant_id = t.tenant_id AND c.project = t.project AND c.id = t.conversation_id
        JOIN conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project
            AND m.conversation_id = t.conversation_id AND m.turn_id = t.turn_id
            AND m.end_user IS NULL AND m.role = 'user'
        LEFT JOIN LATERAL (
            SELECT max(x.text) FILTER (WHERE x.role = 'user') AS previous_user,
                   max(x.text) FILTER (WHERE x.role = 'assistant') AS previous_assistant
            FROM (SELECT p.turn_id FROM conv_turns p
                  WHERE p.tenant_id = $1 AND p.project = t.project AND p.conversation_id = t.conversation_id
                    AND (p.ts, p.seq) < (t.ts, t.seq) AND EXISTS (
                        SELECT FROM conv_messages a WHERE a.tenant_id = $1 AND a.project = p.project
                            AND a.conversation_id = p.conversation_id AND a.turn_id = p.turn_id
                            AND a.end_user IS NULL AND a.role = 'assistant')
                  ORDER BY p.ts DESC, p.seq DESC LIMIT 1) p
            JOIN conv_messages x ON x.tenant_id = $1 AND x.project = t.project
                AND x.conversation_id = t.conversation_id AND x.turn_id = p.turn_id
                AND x.end_user IS NULL AND x.kind = 'message'
        ) b ON true
        WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3 AND t.turn_id = $4
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        turn_id,
    )


async def similarities(
    tx: Tx, context: MessageContext, since: datetime, model: str, vector: list[float], most: int
) -> list[Any]:
    return await tx.fetch(
        """
        SELECT conversation_id, turn_id, ts, seq, similarity, said
        FROM turn_similarities($1, $2, $3, $4, $5, $6, $7, $8)
        """,
        context.project,
        context.conversation_id,
        context.turn_id,
        context.user_id,
        since,
        model,
        vector,
        most,
    )


async def add_machine(
    tx: Tx,
    context: MessageContext,
    conversation_id: str,
    reaction_id: UUID,
    payload: ReactionPayload,
    text: str,
) -> list[Event]:
    """Its events; none where nothing was written."""
    content = payload.reaction
    row = await tx.fetchrow(
        """
        SELECT event, feedback
        FROM add_machine_reaction($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
        """,
        context.project,
        conversation_id,
        content.turn_id,
        context.conversation_id,
        context.turn_id,
        reaction_id,
        new_id(),
        content.reaction,
        content.confidence,
        content.ts,
        text,
        payload,
        new_id(),
        new_id(),
    )
    assert row is not None
    return _events(row)


async def find(tx: Tx, reaction_id: UUID) -> tuple[str, str, ReactionRow] | None:
    """A reaction with its project and conversation."""
    row = await tx.fetchrow(
        f"""
        SELECT m.project, m.conversation_id, {COLUMNS} FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.id = $2 AND m.kind = '{KIND}'
        """,
        tx.actor.tenant_id,
        reaction_id,
    )
    return (row["project"], row["conversation_id"], from_row(row)) if row else None


async def settle(
    tx: Tx, reaction_id: UUID, conversation_id: str, turn_id: str | None, payload: ReactionPayload, text: str
) -> tuple[str, list[Event]]:
    """`settled` with its events, `already`, `absent`, `no_turn`, `own_turn` or `not_theirs`."""
    row = await tx.fetchrow(
        "SELECT outcome, event, feedback FROM settle_reaction($1, $2, $3, $4, $5, $6, $7, $8)",
        reaction_id,
        conversation_id,
        turn_id,
        text,
        payload,
        new_id(),
        new_id(),
        new_id(),
    )
    assert row is not None
    return row["outcome"], _events(row)


async def unsettle(
    tx: Tx, reaction_id: UUID, rn: str, payload: ReactionPayload, text: str
) -> tuple[str, list[Event]]:
    """`reopened` with its events, `waiting` (already), `absent`, `never` (nobody settled it) or `otherwise`."""
    row = await tx.fetchrow(
        "SELECT outcome, event, feedback FROM unsettle_reaction($1, $2, $3, $4, $5, $6, $7)",
        reaction_id,
        rn,
        text,
        payload,
        new_id(),
        new_id(),
        new_id(),
    )
    assert row is not None
    return row["outcome"], _events(row)


async def list_unsettled(
    tx: Tx, project: str | None, before: tuple[object, UUID], limit: int
) -> Rows[tuple[str, str, ReactionRow]]:
    """Newest first. What was said in a turn that may be meant counts as if it were long."""
    arguments: list[Any] = [tx.actor.tenant_id, *before, limit]
    chosen = ""
    if project is not None:
        arguments.append(project)
        chosen = "AND m.project = $5"
    query = f"""
        SELECT m.project, m.conversation_id, {COLUMNS},
               {ROW_BYTES} + octet_length(m.payload::text)
               + {CANDIDATE_BYTES} * coalesce(jsonb_array_length(m.payload #> '{{gate,candidates}}'), 0) AS row_bytes
        FROM conv_messages m
        WHERE m.tenant_id = $1 AND {is_unsettled("m")} AND (m.ts, m.id) < ($2, $3) {chosen}
        ORDER BY m.ts DESC, m.id DESC LIMIT $4
    """
    rows = await tx.fetch(within_bytes(query), *arguments)
    return Rows.read(rows, lambda row: (row["project"], row["conversation_id"], from_row(row)))


async def count_unsettled(tx: Tx, project: str | None, most: int = MOST_COUNTED) -> int:
    arguments: list[Any] = [tx.actor.tenant_id, most]
    chosen = ""
    if project is not None:
        arguments.append(project)
        chosen = "AND m.project = $3"
    counted: int = await tx.fetchval(
        f"""
        SELECT count(*)::integer FROM (
            SELECT FROM conv_messages m WHERE m.tenant_id = $1 AND {is_unsettled("m")} {chosen} LIMIT $2
        ) waiting
        """,
        *arguments,
    )
    return counted


MOST_REACTIONS = 5000  # in one answer about a conversation: the newest


async def count_reactions(
    tx: Tx, places: list[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, str, int]]]:
    """How many of each origin and reaction count, by project and conversation."""
    rows = await tx.fetch(
        f"""
        SELECT m.project, m.conversation_id, m.origin, m.reaction, count(*) AS count
        FROM unnest($2::text[], $3::text[]) AS wanted (project, conversation_id)
        JOIN conv_messages m ON m.tenant_id = $1 AND m.project = wanted.project
            AND m.conversation_id = wanted.conversation_id
        WHERE {counts_now("m")}
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


async def reactions_of_turns(tx: Tx, project: str, conversation_id: str, turn_ids: list[str]) -> list[Any]:
    """Rows of reactions to these turns that count, and of unsettled ones that were read from them; oldest first. Of
    more than a page holds the newest."""
    query = f"""
        SELECT {COLUMNS}, {bytes_of("m.text", "m.payload")}
        FROM conv_messages m
        WHERE m.tenant_id = $1 AND m.project = $2 AND m.conversation_id = $3 AND m.kind = '{KIND}'
          AND (m.turn_id = ANY ($4) AND {counts_now("m")}
               OR m.turn_id IS NULL AND m.source_turn_id = ANY ($4) AND {is_unsettled("m")})
        ORDER BY m.ts DESC, m.id DESC LIMIT {MOST_REACTIONS}
    """
    rows = await tx.fetch(within_bytes(query), tx.actor.tenant_id, project, conversation_id, turn_ids)
    return list(reversed(rows))
