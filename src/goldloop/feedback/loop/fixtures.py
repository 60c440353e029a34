"""Worked examples of reject, try again and accept, by which the report is checked without a workspace. Pure."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from goldloop.feedback.loop.report import Attempt, Outcome
from goldloop.feedback.quality import FeedbackInput, score_feedback_quality

_NAMES = UUID("8a3c1f7e-5f0e-4d9b-9a53-3d1f7f1f2a10")
_START = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
_WEB = [{"type": "web", "url": "https://example.org/report"}]


class Try(NamedTuple):
    """One attempt at a field. `reason` is what was said where it was rejected, `hours` when that was decided."""

    value: Any
    sources: list[dict[str, str]]
    outcome: Outcome
    hours: float
    reason: str | None = None


# What is tried, and what a reviewer made of it: a specific reason helps, "wrong" does not.
CHAINS: dict[str, list[Try]] = {
    "employees": [
        Try(3, [], Outcome.REJECTED, 2, "employees is 30 in the annual report, not 3"),
        Try(30, _WEB, Outcome.ACCEPTED, 5),
    ],
    "valuation": [
        Try(12, _WEB, Outcome.REJECTED, 1, "valuation is in millions: write 12000000 instead of 12"),
        Try(12_000_000, _WEB, Outcome.ACCEPTED, 3),
    ],
    "stage": [
        Try(
            "seed",
            [],
            Outcome.REJECTED,
            4,
            "The press release of 2024 names the series B, so stage is growth",
        ),
        Try("growth", _WEB, Outcome.ACCEPTED, 30),
    ],
    "summary": [
        Try("A company.", [], Outcome.REJECTED, 1, "wrong"),
        Try(
            "A company that makes things.", [], Outcome.REJECTED, 6, 'Name the products, as "route planning"'
        ),
        Try("Makes route planning for couriers.", _WEB, Outcome.ACCEPTED, 26),
    ],
    "founded": [
        Try(2018, [], Outcome.REJECTED, 3, "no"),
        Try(2017, [], Outcome.REJECTED, 8, "still wrong"),
    ],
    "name": [Try("Acme GmbH", _WEB, Outcome.ACCEPTED, 1)],
    "country": [Try("DE", _WEB, Outcome.ACCEPTED, 1)],
    "active": [Try(True, [], Outcome.WAITING, 0)],
}


def attempts() -> Iterator[Attempt]:
    for field, tries in CHAINS.items():
        parent = None
        for place, each in enumerate(tries):
            attempt_id = uuid5(_NAMES, f"{field}/{place}")
            yield Attempt(
                id=attempt_id,
                parent_id=parent,
                outcome=each.outcome,
                created_at=_START,
                decided_at=None if each.outcome is Outcome.WAITING else _START + timedelta(hours=each.hours),
                values=1,
                sourced=int(bool(each.sources)),
                quality=_quality(field, each, attempt_id) if each.reason else None,
            )
            parent = attempt_id


def _quality(field: str, each: Try, attempt_id: UUID) -> float:
    return score_feedback_quality(
        FeedbackInput(
            reason=each.reason,
            rejected_value=each.value,
            field_name=field,
            response_id=str(attempt_id),
            sources=each.sources,
            criteria_snapshot=[field],
        )
    ).score
