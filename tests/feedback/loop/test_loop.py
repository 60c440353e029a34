"""What rejections say and what becomes of trying again: intervals, the worked examples, and a workspace."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from goldloop.feedback.loop import fixtures
from goldloop.feedback.loop.intervals import mean, median, wilson, within
from goldloop.feedback.loop.report import Attempt, Outcome, as_text, report
from goldloop.feedback.quality import Grade
from tests.feedback.signals import Signals
from tests.records import ok


@pytest.mark.parametrize(
    ("count", "n", "expected"),
    [
        (0, 0, (None, None, None)),
        (0, 5, (0.0, 0.0, 0.434)),
        (5, 5, (1.0, 0.566, 1.0)),
        (1, 2, (0.5, 0.095, 0.905)),
        (50, 100, (0.5, 0.404, 0.596)),
    ],
)
def test_shares_have_the_interval_of_wilson(count: int, n: int, expected: tuple[float | None, ...]) -> None:
    found = wilson(count, n)
    assert (found.share, found.low, found.high) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], (None, None, None)),
        ([7.0], (7.0, None, None)),
        ([1.0, 3.0], (2.0, -10.706, 14.706)),
        ([5.0] * 20, (5.0, 5.0, 5.0)),
    ],
)
def test_means(values: list[float], expected: tuple[float | None, ...]) -> None:
    found = mean(values)
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=5e-3)


def test_an_interval_ends_where_the_measure_does() -> None:
    found = within(mean([90.0, 100.0]), 0.0, 100.0)
    assert (found.value, found.low, found.high) == pytest.approx((95.0, 31.469, 100.0), abs=5e-3)
    assert within(mean([7.0]), 0.0, 100.0).low is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], (None, None, None)),
        ([4.0], (4.0, None, None)),
        ([1.0, 2.0, 3.0, 4.0, 5.0], (3.0, None, None)),
        ([float(n) for n in range(1, 7)], (3.5, 1.0, 6.0)),
        ([float(n) for n in range(1, 101)], (50.5, 40.0, 61.0)),
        ([float(n) for n in range(1, 1001)], (500.5, 469.0, 532.0)),
    ],
)
def test_medians(values: list[float], expected: tuple[float | None, ...]) -> None:
    found = median(values[::-1])
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=1.01)


def test_nothing_to_report_is_no_zero() -> None:
    found = report([])
    assert (found.attempts, found.feedback_quality.value, found.accepted_first.share) == (0, None, None)
    assert "nothing to count" in as_text(found)


def test_the_worked_examples() -> None:
    found = report(list(fixtures.attempts()))
    assert (found.attempts, found.rejections, found.reruns, found.waiting) == (14, 7, 6, 1)
    assert (found.accepted_first.count, found.accepted_first.n) == (2, 7)
    assert (found.accepted_after_rerun.count, found.accepted_after_rerun.n) == (4, 6)
    by_grade = {each.grade: (each.accepted.count, each.accepted.n) for each in found.by_quality}
    assert by_grade[Grade.FAIR] == (0, 2)
    assert by_grade[Grade.GOOD] == (3, 3)
    assert (found.evidence_first.count, found.evidence_after_rerun.count) == (3, 4)
    assert found.hours_to_acceptance.n == 4


def test_time_runs_from_the_first_rejection_of_a_chain() -> None:
    start = datetime(2025, 1, 1, tzinfo=UTC)

    def attempt(number: int, parent: int | None, outcome: Outcome, hours: float) -> Attempt:
        parent_id = UUID(int=parent) if parent else None
        decided = start + timedelta(hours=hours)
        return Attempt(UUID(int=number), parent_id, outcome, start, decided, 1, 0, None)

    chain = [
        attempt(1, None, Outcome.REJECTED, 1),
        attempt(2, 1, Outcome.REJECTED, 5),
        attempt(3, 2, Outcome.ACCEPTED, 25),
    ]
    assert report(chain).hours_to_acceptance.value == 24
    assert report(chain[1:]).hours_to_acceptance.value == 20
    loop = [attempt(1, 2, Outcome.REJECTED, 1), attempt(2, 1, Outcome.ACCEPTED, 2)]
    assert report(loop).hours_to_acceptance.n <= 1


async def test_a_workspace_has_its_own_report(signals: Signals) -> None:
    sources = {"employees": {"sources": [{"type": "web", "url": "https://acme.test"}]}}
    first = await signals.extraction({"employees": 3}, field_meta=sources)
    await signals.desk.review(first, "rejected", "employees is 30 in the annual report")
    agent = await signals.desk.agent()
    record = {"id": first["entity_id"]}
    again = await signals.desk.submit(
        record, {"employees": 30}, by=agent, source="extraction", parent_response_id=first["id"]
    )
    await signals.desk.promote(again, "employees")
    await signals.desk.submit(await signals.desk.make_record(), {"employees": 1})  # a person's is no attempt
    found = ok(await signals.admin.get("/api/feedback/quality-loop"))
    assert (found["attempts"], found["rejections"], found["reruns"]) == (2, 1, 1)
    assert found["feedback_quality"]["value"] == 95
    assert (found["accepted_after_rerun"]["count"], found["accepted_after_rerun"]["n"]) == (1, 1)
    assert found["accepted_after_rerun"]["low"] == pytest.approx(0.207, abs=0.001)
    assert (found["evidence_first"]["count"], found["evidence_after_rerun"]["count"]) == (1, 0)
    assert found["hours_to_acceptance"]["n"] == 1
    later = {"since": "2100-01-01T00:00:00Z"}
    assert ok(await signals.admin.get("/api/feedback/quality-loop", params=later))["attempts"] == 0
    assert (await signals.desk.reviewer.get("/api/feedback/quality-loop")).status_code == 403
