"""SQL of turns. The only writer of `conversations`, `conv_turns` and their messages beside the named SQL functions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.conversations.turns.model import TurnExcerpt, TurnRow
from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.pagination import PAGE_BYTES, Rows, within_bytes

GATHER = timedelta(seconds=2)  # turns of one conversation that come within it are indexed together


class Written(NamedTuple):
    added: list[str]
    clashing: list[str]
    event: Event | None


async def add(
    tx: Tx,
    project: str,
    conversation_id: str,
    turns: list[dict[str, Any]],
    at: datetime,
    event_id: UUID,
    *,
    alone: bool,
) -> Written:
    """`alone`: nothing else is written with it."""
    row = await (tx.write_alone if alone else tx.fetchrow)(
        "SELECT added, clashing, event FROM add_turns($1, $2, $3, $4, $5, $6)",
        project,
        conversation_id,
        turns,
        at,
        event_id,
        GATHER,
    )
    assert row is not None
    return Written(row["added"], row["clashing"], Event.written(row["event"]))


class NewTurnRow(NamedTuple):
    """A turn as `add_turns` takes it, and where it goes."""

    project: str
    conversation_id: str
    row: dict[str, Any]
    event_id: UUID


async def add_each(tx: Tx, turns: Sequence[NewTurnRow], at: datetime) -> list[Written]:
    """Turns of several conversations in one statement, each by itself; in their order."""
    rows = await tx.fetch(
        """
        SELECT a.added, a.clashing, a.event
        FROM ROWS FROM (jsonb_to_recordset($1) AS (project text, conversation_id text, row jsonb, event_id uuid))
                WITH ORDINALITY AS n (project, conversation_id, row, event_id, place),
            LATERAL add_turns(n.project, n.conversation_id, jsonb_build_array(n.row), $2, n.event_id, $3) a
        ORDER BY n.place
        """,
        [turn._asdict() for turn in turns],
        at,
        GATHER,
    )
    return [Written(row["added"], row["clashing"], Event.written(row["event"])) for row in rows]


class WaitingLog(NamedTuple):
    turn_id: str
    turn_log: dict[str, Any]


async def next_waiting_logs(tx: Tx, project: str, conversation_id: str, limit: int) -> list[WaitingLog]:
    rows = await tx.fetch(
        """
        SELECT turn_id, turn_log FROM conv_turns
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_log IS NOT NULL LIMIT $4
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        limit,
    )
    return [WaitingLog(row["turn_id"], row["turn_log"]) for row in rows]


async def log_is_stored(tx: Tx, project: str, conversation_id: str, turn_id: str, uri: str) -> bool:
    """The index row's text, time and embedding stay as they are. False where the turn is there no more."""
    place = (tx.actor.tenant_id, project, conversation_id, turn_id)
    await tx.execute(
        """
        UPDATE conv_messages SET hosted_uri = $5
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_id = $4 AND kind = 'turn.log'
        """,
        *place,
        uri,
    )
    return bool(
        await tx.execute(
            """
        UPDATE conv_turns SET turn_log = NULL
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_id = $4
        """,
            *place,
        )
    )


class MessageText(NamedTuple):
    id: UUID
    text: str


async def messages_to_embed(
    tx: Tx, project: str, conversation_id: str, model: str, limit: int
) -> list[MessageText]:
    """Messages without a vector of this model."""
    rows = await tx.fetch(
        """
        SELECT id, text FROM conv_messages
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND kind = 'message'
          AND embedding_model IS DISTINCT FROM $4
        LIMIT $5
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        model,
        limit,
    )
    return [MessageText(row["id"], row["text"]) for row in rows]


async def set_embeddings(tx: Tx, model: str, vectors: list[tuple[UUID, list[float]]]) -> None:
    await tx.executemany(
        """
        UPDATE conv_messages SET embedding = $3, embedding_model = $4, embedding_dims = $5
        WHERE tenant_id = $1 AND id = $2
        """,
        [(tx.actor.tenant_id, message_id, vector, model, len(vector)) for message_id, vector in vectors],
    )


async def texts_without_vector(
    tx: Tx, project: str, conversation_id: str, after: UUID, limit: int, characters: int
) -> list[MessageText]:
    """The beginnings of messages that nobody has indexed yet: vectors are written last."""
    rows = await tx.fetch(
        """
        SELECT id, left(text, $6) AS text FROM conv_messages
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND kind = 'message' AND embedding_model IS NULL
          AND id > $4 ORDER BY id LIMIT $5
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        after,
        limit,
        characters,
    )
    return [MessageText(row["id"], row["text"]) for row in rows]


async def set_words(tx: Tx, project: str, conversation_id: str, words: list[str]) -> None:
    await tx.execute(
        """
        INSERT INTO conversation_words (tenant_id, project, conversation_id, word)
        SELECT $1, $2, $3, word FROM unnest($4::text[]) word ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        words,
    )


CHARACTERS = 1000  # of a message that a turn is known by
# Reactions are told apart by their end user too, so that an index leaves out those of others, however many there are.
_TURN = """
    SELECT t.turn_id, t.seq, t.ts, t.user_id, t.agent, t.agent_id, t.session_id, t.bundle_id, t.track_id,
           max(m.text) FILTER (WHERE m.role = 'user') AS user, max(m.text) FILTER (WHERE m.role = 'assistant') AS assistant,
           count(*) FILTER (WHERE m.kind = 'turn.log') > 0 AS has_log,
           max(m.hosted_uri) FILTER (WHERE m.kind = 'turn.log') AS hosted_uri,
           (1000 + sum(octet_length(m.text)))::bigint AS row_bytes
    FROM conv_turns t
    JOIN conv_messages m ON m.tenant_id = t.tenant_id AND m.project = t.project AND m.conversation_id = t.conversation_id
        AND m.turn_id = t.turn_id AND m.end_user IS NULL AND m.kind <> 'turn.log.reaction'
    WHERE t.tenant_id = $1 AND t.project = $2 AND t.conversation_id = $3
"""
_GROUPED = "GROUP BY t.tenant_id, t.project, t.conversation_id, t.turn_id"
_IN_ORDER = f"{_GROUPED} ORDER BY t.ts, t.seq"


def turn_from_row(row: Any) -> TurnRow:
    return TurnRow(**{name: row[name] for name in TurnRow.__struct_fields__})


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


async def turns_at(tx: Tx, places: Sequence[tuple[str, str, str]]) -> dict[tuple[str, str, str], TurnExcerpt]:
    """What was said in these turns, as far as one knows them by it, by project, conversation and turn."""
    rows = await tx.fetch(
        """
        SELECT m.project, m.conversation_id, m.turn_id, max(m.ts) AS ts,
               max(left(m.text, $5)) FILTER (WHERE m.role = 'user') AS user,
               max(left(m.text, $5)) FILTER (WHERE m.role = 'assistant') AS assistant
        FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[]) AS w (project, conversation_id, turn_id)) w
        JOIN conv_messages m ON m.tenant_id = $1 AND m.project = w.project AND m.conversation_id = w.conversation_id
            AND m.turn_id = w.turn_id AND m.end_user IS NULL AND m.kind = 'message'
        GROUP BY m.project, m.conversation_id, m.turn_id
        """,
        tx.actor.tenant_id,
        *([list(column) for column in zip(*places, strict=True)] or [[], [], []]),
        CHARACTERS,
    )
    return {
        (row["project"], row["conversation_id"], row["turn_id"]): TurnExcerpt(
            row["ts"], row["user"], row["assistant"]
        )
        for row in rows
    }


class TurnPlace(NamedTuple):
    project: str
    conversation_id: str
    turn_id: str


async def turns_of_session(tx: Tx, names: Sequence[str], limit: int) -> list[TurnPlace]:
    """The turns that name a session by one of its names, oldest first."""
    rows = await tx.fetch(
        """
        SELECT t.project, t.conversation_id, t.turn_id FROM conv_turns t
        WHERE t.tenant_id = $1 AND t.session_id = ANY ($2) ORDER BY t.ts, t.seq LIMIT $3
        """,
        tx.actor.tenant_id,
        list(names),
        limit,
    )
    return [TurnPlace(**row) for row in rows]


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
