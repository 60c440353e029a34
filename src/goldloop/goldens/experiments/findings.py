"""What an experiment says about a row, from its replays. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.stats.e_values import e_value
from goldloop.evals.stats.row_evidence import (
    RowBasis,
    RowJudgement,
    RowLabel,
    RowPairs,
    RowProposal,
    figure_of_pairs,
    judge_row,
)
from goldloop.evals.stats.row_values import RowValue, shrunk_z
from goldloop.goldens.experiments.model import ExperimentFindings, ExperimentRow, PairsOfRow
from goldloop.goldens.runs.model import RunAgent
from goldloop.knowledge.model import MeasuredValue, PairedEvidence
from goldloop.knowledge.printing import hash_of
from goldloop.knowledge.prompts.trial_store import TrialRow

NORMAL = 1.959964  # standard errors of a two-sided interval of 95%


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Of one row. As `RowPairs` has them; `goldens` is how many they are of."""

    goldens: int = 0
    better: int = 0
    worse: int = 0
    same: int = 0
    spoilt: int = 0
    lost_better: int = 0
    lost_worse: int = 0
    lost_same: int = 0
    lost_with: int = 0
    lost_without: int = 0

    @property
    def counted(self) -> RowPairs:
        return RowPairs(**msgspec.structs.asdict(self))


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a row: the value from random halves, and pairs of it alone. `flagged` is whether it is to be confirmed,
    `tried` whether all pairs that were planned for it are over, `targets` the goldens among these that it was learnt from, as they were
    when that was planned; None where nothing was."""

    row_id: UUID
    row_hash: str
    goldens: int
    tokens: int
    value: RowValue | None = None
    flagged: bool = False
    targeted: Pairs = msgspec.field(default_factory=Pairs)
    guard: Pairs = msgspec.field(default_factory=Pairs)
    targets: list[UUID] | None = None
    tried: bool = False

    @property
    def judgement(self) -> RowJudgement:
        return judge_row(
            self.value,
            self.targeted.counted,
            self.guard.counted,
            is_targeted=None if self.targets is None else bool(self.targets),
            is_tried=self.tried,
        )

    @property
    def pairs(self) -> RowPairs:
        return self.targeted.counted + self.guard.counted

    @property
    def is_known(self) -> bool:
        return self.value is not None or bool(self.pairs.made)


class PairedReplay(NamedTuple):
    row: UUID
    golden: UUID
    repeat: int
    present: bool
    passed: bool | None  # null where it decided nothing


def count_pairs(replays: Iterable[PairedReplay]) -> dict[UUID, dict[UUID, RowPairs]]:
    """By row and golden. A replay whose other half is still to come, or whose infrastructure failed, counts for nothing."""
    sides: dict[tuple[UUID, UUID, int], dict[bool, bool | None]] = {}
    for each in replays:
        sides.setdefault((each.row, each.golden, each.repeat), {})[each.present] = each.passed
    found: dict[UUID, dict[UUID, RowPairs]] = {}
    for (row, golden, _), passed in sides.items():
        if len(passed) == 2:
            of_row = found.setdefault(row, {})
            of_row[golden] = of_row.get(golden, RowPairs()) + _pair(passed[True], passed[False])
    return found


def _pair(with_row: bool | None, without: bool | None) -> RowPairs:
    change = "same" if bool(with_row) == bool(without) else "better" if with_row else "worse"
    if with_row is not None and without is not None:
        return RowPairs(**{change: 1})
    return RowPairs(
        **{f"lost_{change}": 1}, lost_with=int(with_row is None), lost_without=int(without is None)
    )


def with_targets(finding: Finding, targets: Collection[UUID]) -> Finding:
    """With the goldens of its pairs, as they are planned, that the row was learnt from. It is these until the end, whatever is
    learnt meanwhile."""
    return msgspec.structs.replace(finding, targets=sorted(targets))


def with_pairs(
    finding: Finding, pairs: Mapping[UUID, RowPairs], targeted: Collection[UUID], *, tried: bool = False
) -> Finding:
    """`pairs` are by golden, `targeted` are those that the row was learnt from where no plan says it."""
    own = targeted if finding.targets is None else finding.targets
    return msgspec.structs.replace(
        finding,
        targeted=_sum([counted for golden, counted in pairs.items() if golden in own]),
        guard=_sum([counted for golden, counted in pairs.items() if golden not in own]),
        tried=tried,
    )


def _sum(pairs: Sequence[RowPairs]) -> Pairs:
    counts = msgspec.structs.asdict(sum(pairs, RowPairs()))
    goldens = sum(counted.n > 0 for counted in pairs)
    return Pairs(**counts | {"goldens": goldens, "spoilt": sum(counted.worse > 0 for counted in pairs)})


def to_confirm(findings: Sequence[Finding]) -> list[UUID]:
    """Rows whose effect is more than chance explains, and that nobody has looked at by themselves."""
    return [each.row_id for each in findings if each.judgement.proposal is RowProposal.CONFIRM]


def value_of(
    finding: Finding,
    *,
    agent: RunAgent,
    model: str | None,
    set_id: UUID,
    set_name: str,
    set_version: int,
    experiment_id: UUID,
    at: datetime,
) -> MeasuredValue:
    judged, value = finding.judgement, finding.value
    figure = judged.figure
    return MeasuredValue(
        label=judged.label,
        reason=judged.reason,
        basis=figure.basis if figure else None,
        delta=figure.delta if figure else None,
        low=figure.low if figure else None,
        high=figure.high if figure else None,
        p=value.p if value else None,
        adjusted_p=value.adjusted_p if value else None,
        n=figure.n if figure else 0,
        tokens=finding.tokens,
        agent_id=agent.id,
        agent=agent.slug,
        agent_version=agent.version,
        model=model,
        set_id=set_id,
        set=set_name,
        set_version=set_version,
        experiment_id=experiment_id,
        row_hash=finding.row_hash,
        confirmed=judged.confirmed,
        targeted=_evidence(finding.targeted),
        guard=_evidence(finding.guard),
        harm_excluded=judged.harm_excluded,
        lost_with=_lost(finding)[0],
        lost_without=_lost(finding)[1],
        stale=False,
        stale_because=[],
        measured_at=at,
    )


def _lost(finding: Finding) -> tuple[int, int]:
    """Replays that decided nothing, with the row and without it, of those that the figure would be of."""
    pairs, value = finding.pairs, finding.value
    if pairs.made and finding.judgement.label is not RowLabel.FLAGGED:
        return pairs.lost_with, pairs.lost_without
    return (value.lost_with, value.lost_without) if value else (0, 0)


def _evidence(pairs: Pairs) -> PairedEvidence | None:
    if not pairs.counted.made:
        return None
    return PairedEvidence(
        goldens=pairs.goldens,
        pairs=pairs.counted.n,
        wins=pairs.better,
        losses=pairs.worse,
        lost_with=pairs.lost_with,
        lost_without=pairs.lost_without,
        e_helps=e_value(pairs.better, pairs.worse),
        e_harms=e_value(pairs.worse, pairs.better),
    )


def value_z(finding: Finding) -> float | None:
    """For the rank. Where pairs were made that can be believed, they and their interval; else what random halves say."""
    judged = finding.judgement
    figure = figure_of_pairs(finding.pairs) if judged.helps is not None else None
    figure = figure or judged.figure
    if figure is None:
        return None
    if figure.basis is RowBasis.HALVES:
        return finding.value.value_z if finding.value else None
    error = (figure.high - figure.low) / (2 * NORMAL)
    return shrunk_z(figure.delta, error) if error > 0 else None


def show(finding: Finding, now: TrialRow | None) -> ExperimentRow:
    """With the row as it is now; None where it is deleted."""
    judged, value = finding.judgement, finding.value
    figure = judged.figure
    return ExperimentRow(
        row_id=finding.row_id,
        type=now.row.type if now else None,
        content=now.row.content if now else None,
        state=now.state if now else None,
        changed=now is None or hash_of(now.row) != finding.row_hash,
        goldens=finding.goldens,
        tokens=finding.tokens,
        label=judged.label if finding.is_known else None,
        reason=judged.reason,
        basis=figure.basis if figure else None,
        n=figure.n if figure else 0,
        present=value.with_row if value else 0,
        absent=value.without_row if value else 0,
        lost_present=value.lost_with if value else 0,
        lost_absent=value.lost_without if value else 0,
        delta=figure.delta if figure else None,
        low=figure.low if figure else None,
        high=figure.high if figure else None,
        p=value.p if value else None,
        adjusted_p=value.adjusted_p if value else None,
        flagged=finding.flagged,
        confirmed=judged.confirmed,
        targeted=_shown(finding.targeted),
        guard=_shown(finding.guard),
        harm_excluded=judged.harm_excluded,
    )


def _shown(pairs: Pairs) -> PairsOfRow | None:
    evidence = _evidence(pairs)
    return PairsOfRow(**msgspec.structs.asdict(evidence)) if evidence else None


def count(findings: Sequence[Finding]) -> ExperimentFindings:
    labels = [each.judgement.label for each in findings]
    return ExperimentFindings(
        measured=labels.count(RowLabel.MEASURED),
        harmful=labels.count(RowLabel.HARMFUL),
        flagged=labels.count(RowLabel.FLAGGED),
        no_effect_found=labels.count(RowLabel.NO_EFFECT),
        unmeasured=labels.count(RowLabel.UNMEASURED),
    )
