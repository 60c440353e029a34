"""Which labels license a judge, and what ends a licence."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from goldloop.goldens.judges.licences import LICENCE_LIFE, Opinion, decide, gather, plan_labels, tells, weigh
from goldloop.goldens.judges.model import JudgeLicence, LabelledShare
from goldloop.tenants.model import Party

NOW = datetime(2026, 11, 1, tzinfo=UTC)
_ID = UUID(int=1)
ADA = Party(kind="user", id=None, name="Ada")
ANY = LabelledShare(hits=0, of=0, rate=None, low=0.0, high=1.0)


def opinions(both: int, judge: int, people: int, neither: int, goldens: int = 20) -> list[Opinion]:
    """By who passes them, of so many goldens in turn."""
    words = (
        [(True, 1, 0)] * both + [(True, 0, 1)] * judge + [(False, 1, 0)] * people + [(False, 0, 1)] * neither
    )
    return [Opinion(*word, UUID(int=place % goldens)) for place, word in enumerate(words)]


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
        goldens=20,
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
        ([Opinion(True, 0, 0, _ID)], None, [], "m", "none", ["no_labels"], False),  # nobody could tell
        (GOOD, None, [], "m", "advisory", ["not_issued"], True),
        (GOOD, None, [], None, "advisory", ["model_unknown"], False),
        (GOOD, None, ["rubric"], "m", "advisory", ["rubric_changed"], False),
        (
            opinions(20, 0, 0, 5), None, [], "m", "advisory",
            ["too_few_labels", "too_few_failed", "tnr_low"], False,
        ),
        (opinions(60, 20, 5, 15), None, [], "m", "advisory", ["kappa_low", "tnr_low"], False),
        (opinions(60, 0, 0, 0), None, [], "m", "advisory", ["too_few_failed", "no_kappa", "tnr_low"], False),
        (opinions(40, 1, 1, 40, goldens=9), None, [], "m", "advisory", ["too_few_goldens"], False),
        (opinions(40, 1, 1, 40, goldens=1), licence(), [], "m", "advisory", ["too_few_goldens"], False),
        (GOOD + opinions(30, 0, 0, 0, goldens=1), None, [], "m", "advisory", ["uneven_goldens"], False),
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


@pytest.mark.parametrize(
    ("judged", "passed", "told"),
    [(0, 0, True), (9, 5, True), (10, 5, False), (60, 0, True), (60, 60, True), (60, 1, False)],
)
def test_figures_of_few_replays_or_of_all_alike_tell_what_the_judge_says_of_each(
    judged: int, passed: int, told: bool
) -> None:
    assert tells(judged, passed) is told


def test_what_people_say_is_what_more_of_them_say() -> None:
    mixed = [
        Opinion(True, 2, 1, _ID),
        Opinion(True, 1, 1, _ID),
        Opinion(False, 1, 2, _ID),
        Opinion(False, 0, 0, _ID),
        Opinion(False, 1, 0, _ID),
    ]
    found = gather(mixed, [ADA])
    assert (found.labelled, found.undecided, found.passed, found.failed) == (3, 2, 2, 1)
    confusion = found.confusion
    assert (confusion.by_both, confusion.by_judge, confusion.by_people, confusion.by_neither) == (1, 0, 1, 1)
    assert (found.twice, found.people, found.goldens, found.largest) == (3, [ADA], 1, 1.0)
    assert found.alpha is not None
    assert found.alpha < 0


@pytest.mark.parametrize(
    ("labels", "rate", "unsampled", "labels_more", "passed", "failed", "goldens", "draw"),
    [
        ([], None, 1000, 50, 15, 15, 10, 50),
        (
            [],
            0.9,
            1000,
            50,
            15,
            15,
            10,
            151,
        ),  # a tenth fails: fifteen of them are in 150, and floats round up
        ([], 1.0, 1000, 50, 15, 15, 10, 301),  # it may not pass all
        ([], 0.5, 20, 50, 15, 15, 10, 20),
        ([], 0.5, 0, 50, 15, 15, 10, None),
        (opinions(30, 0, 0, 10), 0.5, 1000, 10, 0, 5, 0, 20),
        (GOOD, 0.5, 1000, 0, 0, 0, 0, None),
        (opinions(40, 1, 1, 40, goldens=4), 0.5, 1000, 0, 0, 0, 6, 6),
    ],
)
def test_it_is_told_how_many_labels_are_wanted_of_which(
    labels: list[Opinion],
    rate: float | None,
    unsampled: int,
    labels_more: int,
    passed: int,
    failed: int,
    goldens: int,
    draw: int | None,
) -> None:
    wanted = plan_labels(weigh(labels), rate, unsampled)
    assert (wanted.labels, wanted.passed, wanted.failed, wanted.goldens) == (
        labels_more,
        passed,
        failed,
        goldens,
    )
    assert wanted.draw == pytest.approx(draw, abs=1) if draw else wanted.draw is None
