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
    """Rows of a conversation stand together, its reactions in order of time."""
    return [_conversation(list(group)) for _, group in groupby(rows, key=itemgetter("conversation_id"))]


def with_logs(report: TurnsWithFeedbacks, logs: Mapping[str, Any]) -> TurnsWithFeedbacks:
    """The report with turn logs that were read from elsewhere."""
    turns = [
        msgspec.structs.replace(turn, turn_log=turn.turn_log or logs.get(turn.turn_id))
        for turn in report.turns
    ]
    return msgspec.structs.replace(report, turns=turns)


def _conversation(rows: list[Any]) -> ConversationFeedback:
    turns: dict[str, list[Feedback]] = {}
    for row in rows:
        turns.setdefault(row["turn_id"], []).append(_feedback(row))
    return ConversationFeedback(
        conversation_id=rows[0]["conversation_id"],
        last_activity_at=rows[0]["ts"],
        started_at=rows[0]["started_at"],
        feedback_counts=count((row["origin"], row["reaction"]) for row in rows),
        turns=[
            TurnFeedbacks(turn_id=turn_id, ts=feedbacks[-1].ts, feedbacks=feedbacks)
            for turn_id, feedbacks in turns.items()
        ],
    )


def _feedback(row: Any) -> Feedback:
    return Feedback(
        turn_id=row["turn_id"],
        ts=row["reacted_at"],
        text=row["said"],
        reaction=row["reaction"],
        confidence=row["confidence"],
        origin=row["origin"],
        rn=row["rn"],
    )
