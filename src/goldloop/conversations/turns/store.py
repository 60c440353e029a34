"""SQL of turns. The only writer of `conversations`, `conv_turns` and their messages beside the named SQL functions."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.kit.events import Event

GATHER = timedelta(seconds=2)  # turns of one conversation that come within it are indexed together


class Written(NamedTuple):
    added: list[str]
    clashing: list[str]
    event: Event | None


async def add(
    tx: Tx, project: str, conversation_id: str, turns: list[dict[str, Any]], at: datetime, event_id: UUID
) -> Written:
    row = await tx.fetchrow(
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


class WaitingLog(NamedTuple):
    turn_id: str
    turn_log: dict[str, Any]


async def waiting_logs(tx: Tx, project: str, conversation_id: str, limit: int) -> list[WaitingLog]:
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


async def log_is_stored(tx: Tx, project: str, conversation_id: str, turn_id: str, uri: str) -> None:
    """The index row's text, time and embedding stay as they are."""
    place = (tx.actor.tenant_id, project, conversation_id, turn_id)
    await tx.execute(
        """
        UPDATE conv_messages SET hosted_uri = $5
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_id = $4 AND kind = 'turn.log'
        """,
        *place,
        uri,
    )
    await tx.execute(
        """
        UPDATE conv_turns SET turn_log = NULL
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND turn_id = $4
        """,
        *place,
    )


class MessageText(NamedTuple):
    id: UUID
    text: str


async def messages_to_embed(
    tx: Tx, project: str, conversation_id: str, turn_ids: list[str] | None, model: str, limit: int
) -> list[MessageText]:
    """Messages without a vector of this model."""
    rows = await tx.fetch(
        """
        SELECT id, text FROM conv_messages
        WHERE tenant_id = $1 AND project = $2 AND conversation_id = $3 AND kind = 'message'
          AND embedding_model IS DISTINCT FROM $4 AND ($5::text[] IS NULL OR turn_id = ANY ($5))
        LIMIT $6
        """,
        tx.actor.tenant_id,
        project,
        conversation_id,
        model,
        turn_ids,
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
