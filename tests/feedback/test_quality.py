"""How much feedback helps whoever tries again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.feedback.quality import (
    GRADES,
    WEIGHTS,
    FeedbackInput,
    FeedbackQuality,
    Grade,
    Signal,
    format_feedback_quality_summary,
    is_specific_reason,
    score_feedback_quality,
)
from tests import tables

TABLE = tables.load("feedback_reasons")

WHOLE: dict[str, Any] = {
    "reason": "Use the 2023 figure from the annual report",
    "rejected_value": 12,
    "field_name": "revenue",
    "response_id": "r1",
    "sources": [{"type": "web"}],
    "criteria_snapshot": [{"key": "revenue"}],
    "field_meta": {"confidence": "low"},
}


@pytest.mark.parametrize("row", TABLE["cases"], ids=lambda row: str(row["reason"]))
def test_a_reason_is_specific_when_it_can_be_acted_on(row: dict[str, Any]) -> None:
    assert is_specific_reason(FeedbackInput(reason=row["reason"], **TABLE["rejected"])) == row["specific"]


def test_weights_make_a_hundred() -> None:
    assert sum(WEIGHTS.values()) == 100
    assert WEIGHTS.keys() == set(Signal)
    assert GRADES[-1][0] == 0


@pytest.mark.parametrize(
    ("change", "score", "grade", "missing"),
    [
        ({}, 100, Grade.EXCELLENT, []),
        ({"reason": "wrong"}, 65, Grade.FAIR, [Signal.SPECIFIC_REASON]),
        ({"reason": None}, 65, Grade.FAIR, [Signal.SPECIFIC_REASON]),
        ({"rejected_value": None}, 85, Grade.EXCELLENT, [Signal.REJECTED_VALUE]),
        ({"rejected_value": []}, 85, Grade.EXCELLENT, [Signal.REJECTED_VALUE]),
        ({"rejected_value": 0}, 100, Grade.EXCELLENT, []),
        ({"rejected_value": False}, 100, Grade.EXCELLENT, []),
        ({"field_name": ""}, 85, Grade.EXCELLENT, [Signal.FIELD_NAME]),
        ({"response_id": None}, 90, Grade.EXCELLENT, [Signal.RESPONSE_LINEAGE]),
        ({"response_id": None, "parent_response_id": "r0"}, 100, Grade.EXCELLENT, []),
        ({"sources": []}, 85, Grade.EXCELLENT, [Signal.SOURCE_EVIDENCE]),
        ({"sources": [], "field_meta": {"sources": [{"type": "web"}]}}, 95, Grade.EXCELLENT, [Signal.FIELD_METADATA]),
        ({"criteria_snapshot": []}, 95, Grade.EXCELLENT, [Signal.CRITERIA_SNAPSHOT]),
        ({"field_meta": None}, 95, Grade.EXCELLENT, [Signal.FIELD_METADATA]),
        ({"field_meta": {"confidence": None}}, 95, Grade.EXCELLENT, [Signal.FIELD_METADATA]),
        ({"sources": [], "response_id": None}, 75, Grade.GOOD, [Signal.SOURCE_EVIDENCE, Signal.RESPONSE_LINEAGE]),
    ],
)  # fmt: skip
def test_quality(change: dict[str, Any], score: int, grade: Grade, missing: list[Signal]) -> None:
    quality = score_feedback_quality(FeedbackInput(**{**WHOLE, **change}))
    assert (quality.score, quality.grade, quality.missing) == (score, grade, missing)


def test_nothing_at_all_is_poor() -> None:
    quality = score_feedback_quality(FeedbackInput())
    assert (quality.score, quality.grade, quality.present) == (0, Grade.POOR, [])
    assert set(quality.missing) == set(Signal)


@pytest.mark.parametrize(
    ("quality", "text"),
    [
        (
            FeedbackQuality(score=100, grade=Grade.EXCELLENT, present=list(WEIGHTS), missing=[]),
            "Feedback quality: 100/100 (excellent)",
        ),
        (
            FeedbackQuality(
                score=75,
                grade=Grade.GOOD,
                present=[],
                missing=[Signal.SOURCE_EVIDENCE, Signal.RESPONSE_LINEAGE],
            ),
            "Feedback quality: 75/100 (good; missing: source evidence, response lineage)",
        ),
    ],
)
def test_summary(quality: FeedbackQuality, text: str) -> None:
    assert format_feedback_quality_summary(quality) == text


@given(st.sets(st.sampled_from(sorted(WHOLE))))
def test_more_signals_never_score_less(kept: set[str]) -> None:
    some = score_feedback_quality(FeedbackInput(**{key: WHOLE[key] for key in kept}))
    assert 0 <= some.score <= 100
    assert some.score == sum(WEIGHTS[signal] for signal in some.present)
    assert sorted([*some.present, *some.missing]) == sorted(Signal)
    for key in WHOLE.keys() - kept:
        more = score_feedback_quality(FeedbackInput(**{k: WHOLE[k] for k in kept | {key}}))
        assert more.score >= some.score
