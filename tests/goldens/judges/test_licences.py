"""Which labels license a judge, and what ends a licence."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from goldloop.goldens.judges.licences import LICENCE_LIFE, Opinion, decide, gather, plan_labels, weigh
from goldloop.goldens.judges.model import JudgeLicence, LabelledShare
from goldloop.tenants.model import Party

NOW = datetime(2026, 11, 1, tzinfo=UTC)
_ID = UUID(int=1)
ADA = Party(kind="user", id=None, name="Ada")
ANY = LabelledShare(hits=0, of=0, rate=None, low=0.0, high=1.0)


def opinions(both: int, judge: int, people: int, neither: int) -> list[Opinion]:
    """By who passes them."""
    return (
        [Opinion(True, 1, 0)] * both
        + [Opinion(True, 0, 1)] * judge
        + [Opinion(False, 1, 0)] * people
        + [Opinion(False, 0, 1)] * neither
    )


GOOD = opinions(40, 1, 1, 40)


def licence(issued: datetime = NOW, withdrawn: datetime | None = None) -> JudgeLicence:
    return JudgeLicence(
        id=_ID,
        judge_id=_ID,
        kappa=0.9,
        low=0.8,
        tpr=ANY,
        tnr=ANY,
        labelled=82,
        people=[ADA],
        issued_at=issued,
        issued_by=ADA,
        expires_at=issued + LICENCE_LIFE,
        withdrawn_at=withdrawn,
        withdrawn_by=ADA if withdrawn else None,
    )


OLD = NOW - LICENCE_LIFE


@pytest.mark.parametrize(
    ("labels", "newest", "changed", "model", "status", "reasons", "can_be_issued"),
    [
        ([], None, [], "m", "none", ["no_labels"], False),
        ([Opinion(True, 0, 0)], None, [], "m", "none", ["no_labels"], False),  # nobody could tell
        (GOOD, None, [], "m", "advisory", ["not_issued"], True),
        (GOOD, None, [], None, "advisory", ["model_unknown"], False),
        (GOOD, None, ["rubric"], "m", "advisory", ["rubric_changed"], False),
        (
            opinions(20, 0, 0, 5), None, [], "m", "advisory",
            ["too_few_labels", "too_few_failed", "tnr_low"], False,
        ),
        (opinions(60, 20, 5, 15), None, [], "m", "advisory", ["kappa_low", "tnr_low"], False),
        (opinions(60, 0, 0, 0), None, [], "m", "advisory", ["too_few_failed", "no_kappa", "tnr_low"], False),
        (GOOD, licence(), [], "m", "licensed", [], True),
        (GOOD, licence(NOW - LICENCE_LIFE + timedelta(seconds=1)), [], "m", "licensed", [], True),
        (GOOD, licence(OLD), [], "m", "expired", ["expired"], True),  # to the second
        ([], licence(OLD), [], "m", "expired", ["expired", "no_labels"], False),
        (GOOD, licence(), ["model"], "m", "void", ["model_changed"], False),
        (GOOD, licence(), ["rubric", "prompt"], "m", "void", ["rubric_changed", "prompt_changed"], False),
        (GOOD, licence(withdrawn=NOW), [], "m", "advisory", ["withdrawn", "not_issued"], True),
        (opinions(60, 20, 5, 15), licence(), [], "m", "advisory", ["kappa_low", "tnr_low"], False),  # labels since
    ],
)  # fmt: skip
def test_a_judge_has_a_licence_or_every_reason_why_not(
    labels: list[Opinion],
    newest: JudgeLicence | None,
    changed: list[str],
    model: str | None,
    status: str,
    reasons: list[str],
    can_be_issued: bool,
) -> None:
    state = decide(weigh(labels), newest, changed, model, NOW)
    assert (state.status, [reason.code for reason in state.reasons]) == (status, reasons)
    assert state.can_be_issued is can_be_issued
    assert all(reason.message for reason in state.reasons)


def test_what_people_say_is_what_more_of_them_say() -> None:
    mixed = [
        Opinion(True, 2, 1),
        Opinion(True, 1, 1),
        Opinion(False, 1, 2),
        Opinion(False, 0, 0),
        Opinion(False, 1, 0),
    ]
    found = gather(mixed, [ADA])
    assert (found.labelled, found.undecided, found.passed, found.failed) == (3, 2, 2, 1)
    confusion = found.confusion
    assert (confusion.by_both, confusion.by_judge, confusion.by_people, confusion.by_neither) == (1, 0, 1, 1)
    assert (found.twice, found.people) == (3, [ADA])
    assert found.alpha is not None
    assert found.alpha < 0


@pytest.mark.parametrize(
    ("labels", "rate", "unsampled", "labels_more", "passed", "failed", "draw"),
    [
        ([], None, 1000, 50, 15, 15, 50),
        ([], 0.9, 1000, 50, 15, 15, 151),  # a tenth fails: fifteen of them are in 150, and floats round up
        ([], 1.0, 1000, 50, 15, 15, 301),  # it may not pass all
        ([], 0.5, 20, 50, 15, 15, 20),
        ([], 0.5, 0, 50, 15, 15, None),
        (opinions(30, 0, 0, 10), 0.5, 1000, 10, 0, 5, 20),
        (GOOD, 0.5, 1000, 0, 0, 0, None),
    ],
)
def test_it_is_told_how_many_labels_are_wanted_of_which(
    labels: list[Opinion],
    rate: float | None,
    unsampled: int,
    labels_more: int,
    passed: int,
    failed: int,
    draw: int | None,
) -> None:
    wanted = plan_labels(weigh(labels), rate, unsampled)
    assert (wanted.labels, wanted.passed, wanted.failed) == (labels_more, passed, failed)
    assert wanted.draw == pytest.approx(draw, abs=1) if draw else wanted.draw is None
