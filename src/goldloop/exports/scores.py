"""Scores by criteria as results of evaluations. Pure."""

from goldloop.exports.model import Evaluation
from goldloop.otlp.model import AnsweredTrace
from goldloop.responses.model import EntityResponse
from goldloop.sessions.model import Session

WITHDRAWN = "withdrawn"  # the label of one that was taken back, which has no score


def evaluation_of(
    response: EntityResponse, criteria: str, session: Session, trace: AnsweredTrace | None
) -> Evaluation:
    """`criteria` is the name of the set that was scored by; `session` is what made the record, or the values; `trace` is how
    that ended, where it came as spans."""
    attributes: dict[str, str | float] = {
        "goldloop.response.id": str(response.id),
        "goldloop.response.source": str(response.source),
        "goldloop.entity.id": str(response.entity_id),
        "goldloop.criteria_set.id": str(response.criteria_set_id),
        "goldloop.session.id": str(session.id),
    }
    is_there = response.withdrawn_at is None
    if is_there and response.weighted_score is not None:
        attributes["goldloop.score.weighted"] = response.weighted_score
    return Evaluation(
        name=criteria,
        at=response.withdrawn_at or response.created_at,
        score=response.normalized_score if is_there else None,
        label=None if is_there else WITHDRAWN,
        explanation=response.notes if is_there else None,
        conversation_id=session.external_id or str(session.id),
        trace_id=trace.trace_id.hex() if trace else None,
        span_id=trace.span_id.hex() if trace and trace.span_id else None,
        attributes=attributes,
    )
