"""Reactions as results of evaluations. Pure."""

from datetime import datetime
from typing import Any

from goldloop.exports.model import Evaluation
from goldloop.otlp.model import AnsweredTrace

SCORES = {"ok": 1.0, "neutral": 0.5, "not_ok": 0.0}
CLEARED = "cleared"  # the label of one that was taken back, which has no score


def evaluation_of(
    reaction: dict[str, Any], at: datetime, comment: str | None, trace: AnsweredTrace | None
) -> Evaluation:
    """`reaction` is the payload of its event; `trace` is what the turn was made of, where it came as spans."""
    label = reaction["reaction"]
    attributes: dict[str, str | float] = {
        "goldloop.reaction.rn": reaction["rn"],
        "goldloop.reaction.origin": reaction["origin"],
        "goldloop.reaction.confidence": float(reaction["confidence"]),
        "goldloop.project": reaction["project"],
        "goldloop.turn.id": reaction["turn_id"] or "",
    }
    if reaction.get("replaced_rn"):
        attributes["goldloop.reaction.replaced_rn"] = reaction["replaced_rn"]
    if reaction["user_id"]:
        attributes["user.id"] = reaction["user_id"]
    return Evaluation(
        name="reaction",
        at=at,
        score=SCORES.get(label) if label else None,
        label=label or CLEARED,
        explanation=comment,
        conversation_id=trace.session if trace and trace.session else reaction["conversation_id"],
        trace_id=trace.trace_id.hex() if trace else None,
        span_id=trace.span_id.hex() if trace and trace.span_id else None,
        attributes=attributes,
    )
