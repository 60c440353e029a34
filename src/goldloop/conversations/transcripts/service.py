"""Looking at conversations: the list, and the transcript."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.model import ConversationNotFound, ReactionCounts, ReactionRow, TurnNotFound
from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.reactions import store as reactions
from goldloop.conversations.reactions.counts import count
from goldloop.conversations.transcripts import store
from goldloop.conversations.transcripts.store import ListFilter
from goldloop.conversations.turns import store as turns
from goldloop.conversations.turns.logs import public_address
from goldloop.conversations.turns.model import TurnRow
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import (
    FIRST_TIME,
    LAST_TIME,
    PAGE_BYTES,
    Page,
    decode_keys,
    encode_cursor,
    has_more,
)

LAST_TEXT = "\U0010ffff"  # after every id
CONTEXT = 3  # turns that are shown before one that is asked for


class ConversationSummary(msgspec.Struct, frozen=True, kw_only=True):
    """`title` is the beginning of the first message. `agent` is as it was sent, `agent_id` the registered agent of that slug."""

    project: str
    id: str
    user_id: str | None
    agent: str | None
    agent_id: UUID | None
    title: str
    turns: int
    started_at: datetime
    last_activity_at: datetime
    feedback_counts: ReactionCounts


class TranscriptTurn(msgspec.Struct, frozen=True, kw_only=True):
    """`reactions` are those that count; `unsettled` those that were read from this turn's message and wait for a person."""

    turn_id: str
    ts: datetime
    user_id: str | None
    agent: str | None
    agent_id: UUID | None
    session_id: str | None
    bundle_id: str | None
    track_id: str | None
    user: str | None
    assistant: str | None
    has_log: bool
    hosted_uri: str | None
    reactions: list[ReactionRow]
    unsettled: list[ReactionRow]


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a conversation. `previous_cursor` leads to the turns before it, `next_cursor` to those after."""

    conversation: ConversationSummary
    turns: list[TranscriptTurn]
    previous_cursor: str | None
    next_cursor: str | None


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Which turns of a conversation: the first ones, or from where one of these says."""

    limit: int
    cursor: str | None = None
    before: str | None = None
    turn_id: str | None = None


class StoredLog(msgspec.Struct, frozen=True, kw_only=True):
    """`turn_log` is None where it is in the blob store."""

    turn_log: dict[str, Any] | None
    hosted_uri: str | None


async def list_conversations(
    tx: Tx, wanted: ListFilter, cursor: str | None, limit: int
) -> Page[ConversationSummary]:
    """Those with the newest turns first."""
    tx.actor.check(CONVERSATIONS_READ)
    before = decode_keys(cursor, tuple[datetime, str, str]) or (LAST_TIME, LAST_TEXT, LAST_TEXT)
    rows = await store.list_newest_first(tx, wanted, before, limit + 1)
    shown = rows[:limit]
    counted = await reactions.count_reactions(tx, [(row.project, row.id) for row in shown])
    last = shown[-1] if len(rows) > limit else None
    return Page(
        data=[_summary(row, counted.get((row.project, row.id), [])) for row in shown],
        next_cursor=encode_cursor(last.last_activity_at, last.project, last.id) if last else None,
    )


async def show(tx: Tx, project: str, conversation_id: str, part: Part) -> Transcript:
    """Oldest turn first."""
    tx.actor.check(CONVERSATIONS_READ)
    found = await store.find(tx, project, conversation_id)
    if found is None:
        raise ConversationNotFound
    shown, earlier, later = await _turns(tx, project, conversation_id, part)
    by_turn: dict[str | None, list[ReactionRow]] = {}
    for row in await reactions.reactions_of_turns(
        tx, project, conversation_id, [turn.turn_id for turn in shown]
    ):
        by_turn.setdefault(row["turn_id"] or row["source_turn_id"], []).append(reactions.from_row(row))
    counted = await reactions.count_reactions(tx, [(project, conversation_id)])
    return Transcript(
        conversation=_summary(found, counted.get((project, conversation_id), [])),
        turns=[_turn(turn, by_turn.get(turn.turn_id, [])) for turn in shown],
        previous_cursor=encode_cursor(shown[0].ts, shown[0].seq) if earlier and shown else None,
        next_cursor=encode_cursor(shown[-1].ts, shown[-1].seq) if later and shown else None,
    )


async def list_agents(tx: Tx) -> list[str]:
    tx.actor.check(CONVERSATIONS_READ)
    return await store.list_agents(tx)


async def list_projects(tx: Tx) -> list[str]:
    tx.actor.check(CONVERSATIONS_READ)
    return await store.list_projects(tx)


async def find_log(tx: Tx, project: str, conversation_id: str, turn_id: str) -> StoredLog:
    """What the database has of a turn's log."""
    tx.actor.check(CONVERSATIONS_READ)
    rows = await turns.list_turns(tx, project, conversation_id, [turn_id])
    if not rows or not rows[0].has_log:
        raise TurnNotFound("There is no such turn, or it has no log")
    waiting = await turns.waiting_logs(tx, project, conversation_id, [turn_id])
    return StoredLog(turn_log=waiting.get(turn_id), hosted_uri=public_address(rows[0].hosted_uri))


async def _turns(tx: Tx, project: str, conversation_id: str, part: Part) -> tuple[list[TurnRow], bool, bool]:
    """The turns of a part, and whether there are earlier and later ones."""
    if sum(each is not None for each in (part.cursor, part.before, part.turn_id)) > 1:
        raise InvalidInput.at("/cursor", "not_together", "Only one of cursor, before and turn_id says where")
    if part.before is not None:
        place = decode_keys(part.before, tuple[datetime, int])
        rows = await turns.turns_before(tx, project, conversation_id, place, part.limit + 1)
        return rows[-part.limit :], has_more(rows, part.limit), True
    after = decode_keys(part.cursor, tuple[datetime, int])
    if part.turn_id is not None:
        after = await _shortly_before(
            tx, project, conversation_id, part.turn_id, min(CONTEXT, part.limit - 1)
        )
    rows = await turns.turns_after(tx, project, conversation_id, after or (FIRST_TIME, 0), part.limit + 1)
    return rows[: part.limit], after is not None, has_more(rows, part.limit)


async def _shortly_before(
    tx: Tx, project: str, conversation_id: str, turn_id: str, context: int
) -> tuple[datetime, int] | None:
    """The last place that is not shown when a turn is, with the turns that lead to it; None: all are."""
    found = await turns.list_turns(tx, project, conversation_id, [turn_id])
    if not found:
        raise TurnNotFound
    place = (found[0].ts, found[0].seq)
    room = PAGE_BYTES // 2  # so that the turn itself is on the page
    rows = await turns.turns_before(tx, project, conversation_id, place, context + 1, room)
    return (rows[0].ts, rows[0].seq) if has_more(rows, context) else None


def _summary(row: store.ConversationRow, counted: list[tuple[str, str, int]]) -> ConversationSummary:
    return ConversationSummary(**msgspec.structs.asdict(row), feedback_counts=count(counted))


def _turn(row: TurnRow, shown: list[ReactionRow]) -> TranscriptTurn:
    return TranscriptTurn(
        turn_id=row.turn_id,
        ts=row.ts,
        user_id=row.user_id,
        agent=row.agent,
        agent_id=row.agent_id,
        session_id=row.session_id,
        bundle_id=row.bundle_id,
        track_id=row.track_id,
        user=row.user,
        assistant=row.assistant,
        has_log=row.has_log,
        hosted_uri=public_address(row.hosted_uri),
        reactions=[each for each in shown if each.turn_id is not None],
        unsettled=[each for each in shown if each.turn_id is None],
    )
