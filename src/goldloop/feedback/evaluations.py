"""What an evaluation that somebody else made says, as feedback: how it rates, and in which words. Pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from goldloop.feedback.model import COMMENT_CHARACTERS, Rating
from goldloop.feedback.ratings import rate

_CONTEXT = ("name", "label", "score", "trace_id", "span_id", "response_id")


class Evaluated(NamedTuple):
    rating: Rating
    comment: str | None
    context: dict[str, Any]


def read_evaluation(payload: Mapping[str, Any]) -> Evaluated:
    """A label decides where it is a plain word. A number alone decides nothing: nobody knows its scale, nor whether more is
    better. What is left open is neutral."""
    label = payload.get("label")
    explanation = payload.get("explanation")
    is_said = isinstance(explanation, str) and explanation.strip()
    return Evaluated(
        rating=rate(None, label, None, binary=False) or Rating.NEUTRAL,
        comment=str(explanation)[:COMMENT_CHARACTERS] if is_said else None,
        context={"evaluation": {key: payload[key] for key in _CONTEXT if key in payload}},
    )
