"""From rows of reactions to conversations with their turns. Pure."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec

from goldloop.conversations.model import Feedback
from goldloop.conversations.reports.counts import count
from goldloop.conversations.reports.model import ConversationFeedback, TurnFeedbacks, TurnsWithFeedbacks


def conversations_of(rows: Iterable[Any]) -> list[ConversationFeedback]:
    """Rows are as `PERIOD_REACTIONS` has them: those of a conversation stand together, its reactions in order of time."""
    return [_conversation(list(group)) for _, group in groupby(rows, key=itemgetter(0))]


def with_logs(report: TurnsWithFeedbacks, logs: Mapping[str, Any]) -> TurnsWithFeedbacks:
    """The report with turn logs that were read from elsewhere."""
    turns = [
        msgspec.structs.replace(turn, turn_log=turn.turn_log or logs.get(turn.turn_id))
        for turn in report.turns
    ]
    return msgspec.structs.replace(report, turns=turns)


def _conversation(rows: list[Any]) -> ConversationFeedback:
    turns: dict[str, list[Feedback]] = {}
    said = []
    conversation_id, ts, _, started_at = rows[0][:4]
    for row in rows:
        turn_id, reacted_at, reaction, origin, confidence, text, rn = row[4:]
        told = Feedback(
            turn_id=turn_id,
            ts=reacted_at,
            text=text,
            reaction=reaction,
            confidence=confidence,
            origin=origin,
            rn=rn,
        )
        turns.setdefault(turn_id, []).append(told)
        said.append((origin, reaction))
    return ConversationFeedback(
        conversation_id=conversation_id,
        last_activity_at=ts,
        started_at=started_at,
        feedback_counts=count(said),
        turns=[
            TurnFeedbacks(turn_id=turn_id, ts=feedbacks[-1].ts, feedbacks=feedbacks)
            for turn_id, feedbacks in turns.items()
        ],
    )
