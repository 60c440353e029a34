"""A gate is open only when a person is named who opened it."""

import pytest

from goldloop.artifact_evals import KnowledgeSafetyClass, ReviewGate, SafetyPosture, require_safety_label
from tests.artifact_evals.artifacts import make_artifact

CHECK = require_safety_label(KnowledgeSafetyClass.SENSITIVE, ReviewGate(statuses=("published",)))


@pytest.mark.parametrize(
    ("status", "posture", "field", "says"),
    [
        ("published", ("sensitive", True, "Ann", "user"), None, "`reviewed_by` names “Ann”"),
        ("published", ("clinical", True, "Ann", "user"), None, "`safety_class` is clinical"),
        ("draft", ("sensitive", True, None, None), None, "no review is due in status “draft”"),
        ("draft", (None, True, None, None), "safety_class", "is nothing; label it sensitive or stricter"),
        ("draft", ("dangerous", True, None, None), "safety_class", "is “dangerous”; label it"),
        ("draft", (5, True, None, None), "safety_class", "is 5; label it"),
        ("draft", ("operational", True, None, None), "safety_class", "weaker than sensitive"),
        (
            "draft",
            ("sensitive", False, None, None),
            "review_required",
            "a sensitive record needs a person's review",
        ),
        ("draft", ("sensitive", None, None, None), "review_required", "`review_required` is nothing"),
        ("published", ("sensitive", True, None, None), "reviewed_by", "names nobody, and it is published"),
        ("published", ("sensitive", True, "TBD", "user"), "reviewed_by", "names nobody"),
        ("published", ("sensitive", True, "bot", "agent"), "reviewer_kind", "“bot” is “agent”"),
        ("published", ("sensitive", True, "cron", "system"), "reviewer_kind", "does not say that a person"),
        ("published", ("sensitive", True, "Ann", None), "reviewer_kind", "“Ann” is nothing"),
    ],
)
def test_all_or_nothing(
    status: str, posture: tuple[str, bool, str, str], field: str | None, says: str
) -> None:
    result = CHECK.run(make_artifact(status=status, safety=SafetyPosture(*posture)))
    assert (result.passed, result.score) == (field is None, 1.0 if field is None else 0.0)
    assert says in result.reason
    if field:
        assert result.fields == (field,)


def test_what_nobody_acts_on_needs_no_review() -> None:
    check = require_safety_label(KnowledgeSafetyClass.INFORMATIONAL, ReviewGate(statuses=()))
    assert check.run(make_artifact(safety=SafetyPosture("informational"))).passed
    assert not check.run(make_artifact(safety=SafetyPosture("operational"))).passed
