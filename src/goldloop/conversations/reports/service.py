"""Which conversations and turns got reactions."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from msgspec import UNSET

from goldloop.conversations.model import ConversationNotFound, ReactionRow, UserType
from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.reactions.payloads import summary
from goldloop.conversations.reports import store
from goldloop.conversations.reports.cursors import place_of
from goldloop.conversations.reports.model import (
    ConversationsInPeriod,
    PeriodWindow,
    TurnMessage,
    TurnsWithReactions,
    TurnWithReactions,
)
from goldloop.conversations.reports.satisfaction import (
    Bucket,
    GroupBy,
    ReactionsOf,
    ReadSatisfaction,
)
from goldloop.conversations.reports.store import Wanted, Window
from goldloop.conversations.transcripts import store as transcripts
from goldloop.conversations.turns import store as turns_store
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.pagination import FIRST_TIME, decode_keys, encode_cursor, has_more
from goldloop.kit.times import in_utc

SATISFACTION_PERIOD = timedelta(days=90)
_NARROW = f"This has more than {store.MOST_COUNTS:,} numbers: narrow the period, or take longer stretches or fewer groups"


class Report(NamedTuple):
    """`hosted` are the turns whose log is to be read from the blob store; `places` are cursors that lead behind each."""

    turns: TurnsWithReactions
    hosted: list[str]
    places: dict[str, str]


async def conversations_in_period(
    tx: Tx,
    tenant: str,
    project: str,
    start: datetime,
    end: datetime,
    *,
    include_turns: bool,
    user_type: UserType | None,
    limit: int,
    cursor: str | None,
) -> ConversationsInPeriod:
    """Newest reaction first. What counts is decided when the first page is read, for all pages."""
    tx.actor.check(CONVERSATIONS_READ)
    if start > end:
        raise InvalidInput.at("/end", "before_start", "A period ends after it starts")
    window, place = Window(project, in_utc(start), in_utc(end), user_type), place_of(cursor)
    items: Any
    items, more = await store.conversations_in_period(tx, window, place, limit, include_turns=include_turns)
    return ConversationsInPeriod(
        tenant=tenant,
        project=project,
        window=PeriodWindow(start=window.start, end=window.end),
        items=items,
        next_cursor=more.encoded() if more else None,
    )


async def turns_with_feedbacks(
    tx: Tx,
    project: str,
    conversation_id: str,
    turn_ids: list[str] | None,
    days: int,
    *,
    include_logs: bool,
    user_type: UserType | None,
    limit: int,
    cursor: str | None,
) -> Report:
    """Turns that got reactions, in their order. Of very many reactions the newest."""
    tx.actor.check(CONVERSATIONS_READ)
    found = await transcripts.find(tx, project, conversation_id)
    if found is None:
        raise ConversationNotFound
    since = max(FIRST_TIME, now() - timedelta(days=days))
    wanted = Wanted(project, conversation_id, turn_ids, since, user_type)
    after = decode_keys(cursor, tuple[datetime, int]) or (FIRST_TIME, 0)
    rows = await store.turns_with_reactions(tx, wanted, after, limit + 1, logs=include_logs)
    turns = rows[:limit]
    by_turn: dict[str, list[ReactionRow]] = {turn.turn_id: [] for turn in turns}
    for row in reversed(await store.reactions_of_conversation(tx, wanted, list(by_turn))):
        by_turn[row.turn_id or ""].append(row)
    logged = [turn.turn_id for turn in turns if turn.has_log and include_logs]
    waiting = await turns_store.waiting_logs(tx, project, conversation_id, logged) if logged else {}
    places = {turn.turn_id: encode_cursor(turn.ts, turn.seq) for turn in turns}
    page = TurnsWithReactions(
        user_id=found.user_id,
        conversation_id=conversation_id,
        turns=[
            TurnWithReactions(
                turn_id=turn.turn_id,
                turn_log=waiting.get(turn.turn_id),
                assistant=TurnMessage(text=turn.assistant, ts=turn.ts)
                if turn.assistant is not None
                else None,
                user=TurnMessage(text=turn.user, ts=turn.ts) if turn.user is not None else None,
                feedbacks=[summary(row.payload) for row in by_turn[turn.turn_id]],
                reactions=by_turn[turn.turn_id],
            )
            for turn in turns
        ],
        next_cursor=places[turns[-1].turn_id] if has_more(rows, limit) else UNSET,
    )
    return Report(page, [turn_id for turn_id in logged if turn_id not in waiting], places)


async def satisfaction(
    tx: Tx,
    bucket: Bucket,
    by: GroupBy | None,
    user_type: ReactionsOf,
    start: datetime | None,
    end: datetime | None,
    narrowed: dict[str, str | None],
) -> ReadSatisfaction:
    """Of the last ninety days unless told; `measure` makes a report of it."""
    tx.actor.check(CONVERSATIONS_READ)
    until = in_utc(end) if end else now()
    since = in_utc(start) if start else until - min(SATISFACTION_PERIOD, until - FIRST_TIME)
    if since > until:
        raise InvalidInput.at("/end", "before_start", "A period ends after it starts")
    wanted = narrowed | {"user_type": None if user_type is ReactionsOf.ALL else user_type}
    counts = await store.count_by_time(tx, bucket, by, since, until, wanted)
    if len(counts) > store.MOST_COUNTS:
        raise InvalidInput.at("/start", "too_many_rows", _NARROW)
    return ReadSatisfaction(since, until, bucket, by, user_type, counts)
