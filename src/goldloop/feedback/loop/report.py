"""How well the loop of responses works: rejections, what they say, and what becomes of trying again. Pure.

An attempt is a response of an agent, or an extraction. One with a parent is a rerun. An attempt is accepted when something of it
became part of the record, and decided when it was accepted or rejected.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.feedback.loop.intervals import Average, Share, mean, median, wilson, within
from goldloop.feedback.quality import GRADES, Grade


class Outcome(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    WAITING = "waiting"


class Attempt(NamedTuple):
    """`quality` is how far its rejection could be acted on, 0 to 100, None where it was not rejected with notes. `values` are
    how many it has, `sourced` how many of them name a source."""

    id: UUID
    parent_id: UUID | None
    outcome: Outcome
    created_at: datetime
    decided_at: datetime | None
    values: int
    sourced: int
    quality: float | None


class ByQuality(msgspec.Struct, frozen=True, kw_only=True):
    """Reruns after a rejection of one grade that were accepted."""

    grade: Grade
    accepted: Share


class QualityLoopReport(msgspec.Struct, frozen=True, kw_only=True):
    """`feedback_quality` of rejections, 0 to 100. `accepted_first` and `accepted_after_rerun` are of attempts that were
    decided. `evidence` is of values. `hours_to_acceptance` are from the first rejection to what was accepted in the end."""

    attempts: int
    rejections: int
    reruns: int
    waiting: int
    feedback_quality: Average
    accepted_first: Share
    accepted_after_rerun: Share
    by_quality: list[ByQuality]
    evidence_first: Share
    evidence_after_rerun: Share
    hours_to_acceptance: Average


def report(attempts: Sequence[Attempt]) -> QualityLoopReport:
    by_id = {attempt.id: attempt for attempt in attempts}
    first = [attempt for attempt in attempts if attempt.parent_id is None]
    reruns = [attempt for attempt in attempts if attempt.parent_id is not None]
    qualities = [attempt.quality for attempt in attempts if attempt.quality is not None]
    return QualityLoopReport(
        attempts=len(attempts),
        rejections=sum(attempt.outcome is Outcome.REJECTED for attempt in attempts),
        reruns=len(reruns),
        waiting=sum(attempt.outcome is Outcome.WAITING for attempt in attempts),
        feedback_quality=within(mean(qualities), 0.0, 100.0),
        accepted_first=_accepted(first),
        accepted_after_rerun=_accepted(reruns),
        by_quality=[
            ByQuality(
                grade=grade, accepted=_accepted([a for a in reruns if _grade_before(a, by_id) is grade])
            )
            for _, grade in GRADES
        ],
        evidence_first=_evidence(first),
        evidence_after_rerun=_evidence(reruns),
        hours_to_acceptance=median(list(_hours(reruns, by_id))),
    )


def _accepted(attempts: Sequence[Attempt]) -> Share:
    decided = [attempt for attempt in attempts if attempt.outcome is not Outcome.WAITING]
    return wilson(sum(attempt.outcome is Outcome.ACCEPTED for attempt in decided), len(decided))


def _evidence(attempts: Sequence[Attempt]) -> Share:
    return wilson(sum(attempt.sourced for attempt in attempts), sum(attempt.values for attempt in attempts))


def _grade_before(attempt: Attempt, by_id: dict[UUID, Attempt]) -> Grade | None:
    """Of the rejection that it answers."""
    parent = by_id.get(attempt.parent_id) if attempt.parent_id else None
    if parent is None or parent.quality is None:
        return None
    return next(grade for least, grade in GRADES if parent.quality >= least)


def _hours(reruns: Sequence[Attempt], by_id: dict[UUID, Attempt]) -> list[float]:
    """From the first rejection of a chain to its acceptance."""
    found = []
    for rerun in reruns:
        if rerun.outcome is not Outcome.ACCEPTED or rerun.decided_at is None:
            continue
        first, steps = rerun, 0
        while first.parent_id in by_id and steps < len(by_id):
            first, steps = by_id[first.parent_id], steps + 1
        if first is not rerun and first.decided_at is not None:
            found.append(max(0.0, (rerun.decided_at - first.decided_at).total_seconds() / 3600))
    return found


def as_text(found: QualityLoopReport) -> str:
    """For people at a terminal."""
    lines = [
        f"{found.attempts} attempts, {found.rejections} rejected, {found.reruns} reruns, {found.waiting} waiting for review",
        f"feedback quality          {_average(found.feedback_quality, '{:.0f}')}",
        f"accepted at first         {_share(found.accepted_first)}",
        f"accepted after a rerun    {_share(found.accepted_after_rerun)}",
        *(f"  after {each.grade:<9} feedback {_share(each.accepted)}" for each in found.by_quality),
        f"values with evidence      {_share(found.evidence_first)} at first",
        f"                          {_share(found.evidence_after_rerun)} after a rerun",
        f"hours to acceptance       {_average(found.hours_to_acceptance, '{:.1f}')}",
    ]
    return "\n".join(lines)


def _share(share: Share) -> str:
    if share.share is None or share.low is None or share.high is None:
        return "nothing to count"
    return f"{share.share:.0%} ({share.low:.0%} to {share.high:.0%}), {share.count} of {share.n}"


def _average(average: Average, shape: str) -> str:
    if average.value is None:
        return "nothing to count"
    between = (
        f" ({shape.format(average.low)} to {shape.format(average.high)})"
        if average.low is not None and average.high is not None
        else ""
    )
    return f"{shape.format(average.value)}{between}, n {average.n}"
