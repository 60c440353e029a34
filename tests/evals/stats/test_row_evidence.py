"""What is said about a row, by what was measured."""

import random

import pytest

from goldloop.evals.stats import (
    InvalidCounts,
    NoValue,
    RowBasis,
    RowFigure,
    RowLabel,
    RowPairs,
    RowProposal,
    RowValue,
    e_value,
    judge_row,
)

NEVER = RowValue(row="r", reason=NoValue.NEVER_APPLIED)


def value(delta: float, half: float, adjusted_p: float) -> RowValue:
    return RowValue(
        row="r", delta=delta, low=delta - half, high=delta + half, adjusted_p=adjusted_p, with_row=24, without_row=24
    )  # fmt: skip


UP, DOWN, FLAT = value(0.2, 0.1, 0.01), value(-0.2, 0.1, 0.01), value(0.02, 0.1, 1.0)
HELPS, HARMS = RowPairs(better=9, same=20), RowPairs(worse=9, same=20)


@pytest.mark.parametrize(
    ("known", "targeted", "guard", "label", "proposal", "basis"),
    [
        (None, RowPairs(), RowPairs(), RowLabel.UNMEASURED, None, None),
        (NEVER, RowPairs(), RowPairs(), RowLabel.UNMEASURED, None, None),
        (None, RowPairs(better=2, same=2), RowPairs(), RowLabel.UNMEASURED, None, None),
        (FLAT, RowPairs(), RowPairs(), RowLabel.NO_EFFECT, None, RowBasis.HALVES),
        (FLAT, RowPairs(better=2, same=2), RowPairs(), RowLabel.NO_EFFECT, None, RowBasis.HALVES),
        (None, RowPairs(better=3, worse=1, same=20), RowPairs(), RowLabel.NO_EFFECT, None, RowBasis.PAIRS),
        (FLAT, RowPairs(same=20), RowPairs(), RowLabel.NO_EFFECT, None, RowBasis.PAIRS),
        (UP, RowPairs(), RowPairs(), RowLabel.FLAGGED, RowProposal.CONFIRM, RowBasis.HALVES),
        (UP, RowPairs(better=3, same=9), RowPairs(), RowLabel.FLAGGED, RowProposal.CONFIRM, RowBasis.HALVES),
        (DOWN, RowPairs(), RowPairs(), RowLabel.FLAGGED, RowProposal.CONFIRM, RowBasis.HALVES),
        (None, HELPS, RowPairs(), RowLabel.MEASURED, RowProposal.ACTIVATE, RowBasis.PAIRS),
        (UP, HELPS, RowPairs(same=40), RowLabel.MEASURED, RowProposal.ACTIVATE, RowBasis.PAIRS),
        (DOWN, HELPS, RowPairs(), RowLabel.MEASURED, RowProposal.ACTIVATE, RowBasis.PAIRS),
        (None, RowPairs(), HELPS, RowLabel.MEASURED, RowProposal.ACTIVATE, RowBasis.PAIRS),
        (None, RowPairs(same=20), HELPS, RowLabel.NO_EFFECT, None, RowBasis.PAIRS),
        (None, HARMS, RowPairs(), RowLabel.HARMFUL, RowProposal.RETIRE, RowBasis.PAIRS),
        (UP, HELPS, HARMS, RowLabel.HARMFUL, RowProposal.RETIRE, RowBasis.PAIRS),
    ],
)  # fmt: skip
def test_label_and_proposal(
    known: RowValue | None,
    targeted: RowPairs,
    guard: RowPairs,
    label: RowLabel,
    proposal: RowProposal | None,
    basis: RowBasis | None,
) -> None:
    found = judge_row(known, targeted, guard)
    assert (found.label, found.proposal) == (label, proposal)
    assert (found.figure and found.figure.basis) == basis
    assert found.confirmed == (proposal in (RowProposal.ACTIVATE, RowProposal.RETIRE))


@pytest.mark.parametrize(
    ("pairs", "label", "proposal", "delta"),
    [
        (RowPairs(same=8), RowLabel.NO_EFFECT, None, 0.0),
        (RowPairs(better=3, worse=9, same=28), RowLabel.NO_EFFECT, None, -0.15),
        (RowPairs(better=3, same=1), RowLabel.FLAGGED, RowProposal.CONFIRM, 0.2),
        (RowPairs(), RowLabel.FLAGGED, RowProposal.CONFIRM, 0.2),
        (RowPairs(better=9, same=20), RowLabel.MEASURED, RowProposal.ACTIVATE, 9 / 29),
    ],
    ids=["all the same", "more became worse", "too few", "none", "enough"],
)
def test_once_all_pairs_are_there_they_say_what_a_flagged_row_is_worth(
    pairs: RowPairs, label: RowLabel, proposal: RowProposal | None, delta: float
) -> None:
    found = judge_row(UP, guard=pairs, is_tried=True)
    assert (found.label, found.proposal) == (label, proposal)
    assert found.figure is not None
    assert found.figure.delta == pytest.approx(delta)


def test_pairs_of_which_too_many_replays_are_lost_say_nothing() -> None:
    many = RowPairs(better=9, same=20, lost_same=8, lost_with=4, lost_without=8)
    found = judge_row(guard=many)
    assert (found.label, found.reason, found.figure, found.helps) == (
        RowLabel.UNMEASURED,
        NoValue.LOST,
        None,
        None,
    )
    assert judge_row(UP, guard=many, is_tried=True).label is RowLabel.FLAGGED
    few = RowPairs(better=9, same=24, lost_same=4, lost_with=4)
    assert judge_row(guard=few).label is RowLabel.MEASURED


def test_pairs_say_nothing_where_it_depends_on_what_is_lost() -> None:
    helps = RowPairs(better=8, same=40, lost_worse=8, lost_with=8)
    assert (judge_row(guard=helps).label, judge_row(guard=helps).reason) == (
        RowLabel.UNMEASURED,
        NoValue.LOST,
    )
    either = judge_row(guard=RowPairs(better=12, same=40, lost_worse=2, lost_with=2))
    assert (either.label, either.helps) == (RowLabel.MEASURED, e_value(12, 2)), "the less evidence counts"


def test_help_is_that_of_the_set_that_was_planned_however_early_one_looks() -> None:
    early = judge_row(guard=HELPS, is_targeted=True)
    assert (early.helps, early.label) == (1.0, RowLabel.NO_EFFECT), "no targeted pair is there yet"
    assert judge_row(targeted=RowPairs(better=1), guard=HELPS, is_targeted=False).label is RowLabel.MEASURED


def test_a_figure_is_that_of_what_it_rests_on() -> None:
    assert judge_row(DOWN).figure == RowFigure(
        basis=RowBasis.HALVES, delta=-0.2, low=-0.30000000000000004, high=-0.1, n=48
    )
    figure = judge_row(UP, HELPS, RowPairs(worse=1, same=18)).figure
    assert figure is not None
    assert (figure.n, figure.delta) == (48, pytest.approx(8 / 48))
    assert (figure.low, figure.high) == pytest.approx((0.031, 0.289), abs=1e-3)  # Bonett and Price


def test_why_there_is_no_figure() -> None:
    assert judge_row(NEVER).reason is NoValue.NEVER_APPLIED
    assert judge_row(NEVER, RowPairs(same=20)).reason is None
    assert judge_row().reason is None
    assert (judge_row().helps, judge_row().harms, judge_row().harm_excluded) == (None, None, None)


@pytest.mark.parametrize(
    ("guard", "excluded"),
    [
        (RowPairs(same=14), 0.192636),
        (RowPairs(same=20), 0.139108),
        (RowPairs(same=29), 0.098145),
        (RowPairs(same=59), 0.049508),
        (RowPairs(same=149), 0.019905),
        (RowPairs(worse=1, same=19), 0.216106),
        (RowPairs(worse=3), 1.0),
    ],
)
def test_the_harm_that_is_excluded(guard: RowPairs, excluded: float) -> None:
    assert judge_row(guard=guard).harm_excluded == pytest.approx(excluded, abs=1e-6)
    assert judge_row(targeted=guard).harm_excluded == judge_row(guard=guard).harm_excluded


def test_the_harm_that_is_excluded_is_that_to_goldens_however_often_each_was_replayed() -> None:
    often = judge_row(guard=RowPairs(same=27, goldens=9)).harm_excluded
    assert often == judge_row(guard=RowPairs(same=9)).harm_excluded == pytest.approx(0.283129, abs=1e-6)
    spoilt = judge_row(guard=RowPairs(worse=3, same=24, goldens=9, spoilt=1)).harm_excluded
    assert spoilt == judge_row(guard=RowPairs(worse=1, same=8)).harm_excluded
    assert judge_row(guard=RowPairs(worse=2, same=2, goldens=1, spoilt=1)).harm_excluded == 1


def test_harm_is_looked_for_in_both_sets() -> None:
    one, both = judge_row(guard=HARMS), judge_row(targeted=RowPairs(same=5), guard=HARMS)
    assert one.harms is not None
    assert both.harms == pytest.approx((one.harms + 1) / 2)


def test_pairs_are_counted() -> None:
    with pytest.raises(InvalidCounts):
        judge_row(targeted=RowPairs(better=-1))


def test_useless_rows_are_seldom_proposed_for_anything_however_often_one_looks() -> None:
    rng = random.Random(9)
    rows, activated, retired = 400, 0, 0
    for _ in range(rows):
        targeted, guard, proposals = RowPairs(), RowPairs(), set()
        for _ in range(60):
            first, second = (
                RowPairs(**{rng.choices(["better", "worse", "same"], [0.15, 0.15, 0.7])[0]: 1})
                for _ in range(2)
            )
            targeted, guard = targeted + first, guard + second
            proposals.add(judge_row(None, targeted, guard).proposal)
        activated += RowProposal.ACTIVATE in proposals
        retired += RowProposal.RETIRE in proposals
    assert activated / rows <= 0.05
    assert retired / rows <= 0.05
