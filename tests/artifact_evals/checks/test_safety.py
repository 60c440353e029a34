"""A gate is open only when a person is named who opened it."""

import pytest

from goldloop.artifact_evals import (
    FieldProvenance,
    KnowledgeSafetyClass,
    ReviewGate,
    ReviewProof,
    SafetyPosture,
    require_safety_label,
)
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


BY_ANN = FieldProvenance("promotion", "Ann", "user", "2026-03-02T09:14:00Z")
BY_BOT = FieldProvenance("promotion", "triage", "agent")
EDITED = FieldProvenance("edit", "Ann", "user")
NAMED, UNNAMED = ("Ben", "user"), (None, None)


@pytest.mark.parametrize(
    ("proof", "source", "named", "field", "says"),
    [
        ("either", BY_ANN, UNNAMED, None, "“Ann” promoted `status` on 2026-03-02"),
        ("either", BY_ANN, ("bot", "agent"), None, "“Ann” promoted `status`"),
        ("either", BY_BOT, NAMED, None, "`reviewed_by` names “Ben”"),
        ("either", None, NAMED, None, "`reviewed_by` names “Ben”"),
        ("either", BY_BOT, UNNAMED, "reviewed_by", "names nobody"),
        ("either", EDITED, UNNAMED, "reviewed_by", "names nobody"),
        ("either", None, UNNAMED, "reviewed_by", "names nobody"),
        ("text", BY_ANN, UNNAMED, "reviewed_by", "names nobody"),
        ("text", BY_BOT, NAMED, None, "`reviewed_by` names “Ben”"),
        ("history", BY_ANN, UNNAMED, None, "“Ann” promoted `status`"),
        ("history", None, NAMED, "status", "nothing is known of who promoted it"),
        ("history", BY_BOT, NAMED, "status", "promoted by “triage”, who is “agent” and no person"),
        ("history", EDITED, NAMED, "status", "was not promoted"),
    ],
)
def test_history_is_proof_of_who_let_it_through_where_the_gate_takes_it(
    proof: str,
    source: FieldProvenance | None,
    named: tuple[str | None, str | None],
    field: str | None,
    says: str,
) -> None:
    gate = ReviewGate(statuses=("published",), proof=ReviewProof(proof))
    check = require_safety_label(KnowledgeSafetyClass.SENSITIVE, gate)
    artifact = make_artifact(
        status="published",
        safety=SafetyPosture("sensitive", True, *named),
        provenance={"status": source} if source else {},
    )
    result = check.run(artifact)
    assert (result.passed, says in result.reason) == (field is None, True), result.reason
    if field:
        assert result.fields == (field,)


def test_a_check_says_of_which_fields_it_asks_where_they_come_from() -> None:
    asked = {
        proof: require_safety_label(
            KnowledgeSafetyClass.SENSITIVE,
            ReviewGate(statuses=("published",), status_field="state", proof=proof),
        ).provenance
        for proof in ReviewProof
    }
    assert asked == {
        ReviewProof.TEXT: (),
        ReviewProof.HISTORY: ("state",),
        ReviewProof.EITHER: ("state",),
    }


def test_history_alone_needs_no_fields_for_a_name() -> None:
    assert ReviewGate(statuses=(), proof=ReviewProof.HISTORY).fields == ("safety_class", "review_required")
