"""What is said about a row, and what is proposed: pure."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from msgspec.structs import replace

from goldloop.evals.stats.row_evidence import RowLabel, RowPairs, RowProposal
from goldloop.evals.stats.row_values import NoValue, RowValue
from goldloop.goldens.experiments.findings import (
    Finding,
    PairedReplay,
    Pairs,
    count,
    count_pairs,
    show,
    to_confirm,
    value_of,
    value_z,
    with_pairs,
    with_targets,
)
from goldloop.goldens.runs.model import RunAgent
from goldloop.knowledge.model import Flag, KnowledgeState, MeasuredValue, Staleness
from goldloop.knowledge.rows.value_service import flag_for
from goldloop.knowledge.valuing import as_of, value_z_of, with_reasons

ROW, GOLDEN, OTHER = UUID(int=1), UUID(int=2), UUID(int=3)
FOUND = RowValue(
    row=str(ROW), delta=0.2, low=0.1, high=0.3, error=0.05, df=40.0, p=0.001, adjusted_p=0.01, value_z=3.2, with_row=24, without_row=24
)  # fmt: skip


def finding(value: RowValue | None = None, guard: Pairs | None = None) -> Finding:
    return Finding(row_id=ROW, row_hash="hash", goldens=4, tokens=9, value=value, guard=guard or Pairs())


def measured(of: Finding) -> MeasuredValue:
    return value_of(
        of,
        agent=RunAgent(id=OTHER, slug="clerk", version=2),
        model="m",
        set_id=GOLDEN,
        set_name="smoke",
        set_version=3,
        experiment_id=ROW,
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_only_pairs_of_which_both_decided_something_count() -> None:
    replays = [
        PairedReplay(ROW, GOLDEN, 1, True, True),
        PairedReplay(ROW, GOLDEN, 1, False, False),
        PairedReplay(ROW, GOLDEN, 2, True, False),
        PairedReplay(ROW, GOLDEN, 2, False, True),
        PairedReplay(ROW, OTHER, 1, True, True),
        PairedReplay(ROW, OTHER, 1, False, True),
        PairedReplay(ROW, OTHER, 2, True, True),
        PairedReplay(ROW, OTHER, 3, True, None),
        PairedReplay(ROW, OTHER, 3, False, True),
        PairedReplay(ROW, OTHER, 4, True, None),
        PairedReplay(ROW, OTHER, 4, False, None),
    ]
    lost = {"lost_worse": 1, "lost_same": 1, "lost_with": 2, "lost_without": 1}
    counted = count_pairs(replays)
    assert counted == {ROW: {GOLDEN: RowPairs(better=1, worse=1), OTHER: RowPairs(same=1, **lost)}}
    split = with_pairs(finding(), counted[ROW], {OTHER})
    assert split.targeted == Pairs(goldens=1, same=1, **lost)
    assert split.guard == Pairs(goldens=1, better=1, worse=1, spoilt=1)
    assert count_pairs([]) == {}


@pytest.mark.parametrize(
    ("found", "label", "proposal", "confirmed"),
    [
        (finding(), RowLabel.UNMEASURED, None, False),
        (finding(FOUND), RowLabel.FLAGGED, RowProposal.CONFIRM, False),
        (finding(FOUND, guard=Pairs(goldens=4, same=9)), RowLabel.FLAGGED, RowProposal.CONFIRM, False),
        (
            replace(finding(FOUND, guard=Pairs(goldens=4, same=9)), tried=True),
            RowLabel.NO_EFFECT,
            None,
            False,
        ),
        (finding(FOUND, guard=Pairs(goldens=4, better=9)), RowLabel.MEASURED, RowProposal.ACTIVATE, True),
        (finding(guard=Pairs(goldens=4, worse=9)), RowLabel.HARMFUL, RowProposal.RETIRE, True),
        (finding(guard=Pairs(goldens=4, same=9)), RowLabel.NO_EFFECT, None, False),
        (finding(RowValue(row=str(ROW), reason=NoValue.NEVER_APPLIED)), RowLabel.UNMEASURED, None, False),
    ],
)
def test_what_is_proposed_follows_from_pairs(
    found: Finding, label: RowLabel, proposal: RowProposal | None, confirmed: bool
) -> None:
    judged = found.judgement
    assert (judged.label, judged.proposal, judged.confirmed) == (label, proposal, confirmed)
    assert to_confirm([found]) == ([ROW] if proposal is RowProposal.CONFIRM else [])
    value = measured(found)
    assert (value.label, value.confirmed, value.stale) == (label, confirmed, False)
    shown = show(found, None)
    assert (shown.label, shown.changed, shown.content) == (label if found.is_known else None, True, None)
    assert shown.delta == value.delta


def test_a_row_that_never_applied_has_no_figure_and_says_why() -> None:
    value = measured(finding(RowValue(row=str(ROW), reason=NoValue.NEVER_APPLIED)))
    assert (value.delta, value.n, value.reason) == (None, 0, NoValue.NEVER_APPLIED)


@pytest.mark.parametrize(
    ("proposal", "state", "flag"),
    [
        (RowProposal.ACTIVATE, KnowledgeState.SHADOW, Flag.HELPS),
        (RowProposal.ACTIVATE, KnowledgeState.PROPOSED, Flag.HELPS),
        (RowProposal.ACTIVATE, KnowledgeState.ACTIVE, None),
        (RowProposal.ACTIVATE, KnowledgeState.RETIRED, None),
        (RowProposal.RETIRE, KnowledgeState.ACTIVE, Flag.HARMS),
        (RowProposal.RETIRE, KnowledgeState.SHADOW, Flag.HARMS),
        (RowProposal.RETIRE, KnowledgeState.REJECTED, None),
        (RowProposal.CONFIRM, KnowledgeState.ACTIVE, None),
        (None, KnowledgeState.ACTIVE, None),
    ],
)
def test_what_a_person_is_asked(
    proposal: RowProposal | None, state: KnowledgeState, flag: Flag | None
) -> None:
    assert flag_for(proposal, state) is flag


def test_a_value_of_other_words_or_another_agent_is_stale_and_moves_no_rank() -> None:
    value = measured(finding(FOUND))
    assert as_of(value, "hash") is value
    reworded = as_of(value, "other")
    assert (reworded.stale, reworded.stale_because) == (True, [Staleness.CONTENT])
    assert as_of(reworded, "hash") == value
    both = as_of(with_reasons(value, {Staleness.GOLDENS, Staleness.AGENT}), "other")
    assert both.stale_because == [Staleness.AGENT, Staleness.CONTENT, Staleness.GOLDENS]
    assert (value_z_of(value, 1.5), value_z_of(both, 1.5), value_z_of(None, 1.5)) == (1.5, None, None)


def test_ranks_have_what_pairs_say_and_without_them_what_halves_say() -> None:
    against = finding(FOUND, guard=Pairs(goldens=4, better=3, worse=9, same=28))
    assert (value_z(against) or 0) < 0
    assert (value_z(replace(against, tried=True)) or 0) < 0
    assert value_z(finding(FOUND, guard=Pairs(goldens=4, worse=2))) == 3.2, "too few pairs"
    assert value_z(finding(FOUND, guard=Pairs(goldens=4, better=9, lost_same=9, lost_with=9))) == 3.2
    assert value_z(finding(FOUND)) == 3.2
    assert value_z(finding()) is None
    assert (value_z(finding(guard=Pairs(goldens=4, better=9, same=9))) or 0) > 0
    assert (value_z(finding(guard=Pairs(goldens=4, worse=9, same=9))) or 0) < 0


def test_rows_are_counted_by_what_was_found() -> None:
    helps = finding(FOUND, guard=Pairs(goldens=1, better=9))
    counted = count([finding(), finding(FOUND), helps, finding(guard=Pairs(goldens=1, worse=9))])
    assert (counted.measured, counted.harmful, counted.flagged) == (1, 1, 1)
    assert (counted.no_effect_found, counted.unmeasured) == (0, 1)


def test_what_was_learnt_from_stays_what_it_was_when_pairs_were_planned() -> None:
    planned = with_targets(finding(), [GOLDEN])
    later = with_pairs(planned, {GOLDEN: RowPairs(better=9), OTHER: RowPairs(worse=1)}, {OTHER})
    assert (later.targeted.better, later.guard.worse) == (9, 1)
    early = with_pairs(planned, {OTHER: RowPairs(better=9)}, ())
    assert (early.judgement.helps, early.judgement.proposal) == (1.0, None)
    none = with_pairs(with_targets(finding(), ()), {OTHER: RowPairs(better=9)}, {OTHER})
    assert none.judgement.proposal is RowProposal.ACTIVATE
    assert (none.targeted.goldens, none.guard.goldens) == (0, 1)


def test_what_was_lost_stands_beside_the_figure() -> None:
    value = measured(finding(replace(FOUND, lost_with=3, lost_without=1)))
    assert (value.label, value.lost_with, value.lost_without) == (RowLabel.FLAGGED, 3, 1)
    pairs = Pairs(goldens=2, better=9, same=20, lost_same=2, lost_with=2)
    value = measured(finding(FOUND, guard=pairs))
    assert (value.basis, value.lost_with, value.lost_without) == ("pairs", 2, 0)
    assert value.guard is not None
    assert (value.guard.pairs, value.guard.lost_with) == (29, 2)
    shown = show(finding(replace(FOUND, lost_with=3)), None)
    assert (shown.lost_present, shown.lost_absent) == (3, 0)
