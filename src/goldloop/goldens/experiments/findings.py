"""What an experiment says about a row, from its replays. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.evals.stats.e_values import e_value
from goldloop.evals.stats.row_evidence import RowJudgement, RowLabel, RowPairs, RowProposal, judge_row
from goldloop.evals.stats.row_values import RowValue, shrunk_z
from goldloop.goldens.experiments.model import ExperimentFindings, ExperimentRow, PairsOfRow
from goldloop.goldens.runs.model import RunAgent
from goldloop.knowledge.model import MeasuredValue, PairedEvidence
from goldloop.knowledge.printing import hash_of
from goldloop.knowledge.prompts.trial_store import TrialRow

NORMAL = 1.959964  # standard errors of a two-sided interval of 95%


class Pairs(msgspec.Struct, frozen=True, kw_only=True):
    """Of one row; `goldens` is how many they are of."""

    goldens: int = 0
    better: int = 0
    worse: int = 0
    same: int = 0

    @property
    def counted(self) -> RowPairs:
        return RowPairs(better=self.better, worse=self.worse, same=self.same)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about a row: the value from random halves, and pairs of it alone. `flagged` is whether it is confirmed."""

    row_id: UUID
    row_hash: str
    goldens: int
    tokens: int
    value: RowValue | None = None
    flagged: bool = False
    targeted: Pairs = msgspec.field(default_factory=Pairs)
    guard: Pairs = msgspec.field(default_factory=Pairs)

    @property
    def judgement(self) -> RowJudgement:
        return judge_row(self.value, self.targeted.counted, self.guard.counted)

    @property
    def is_known(self) -> bool:
        return self.value is not None or bool(self.targeted.counted.n + self.guard.counted.n)


class PairedReplay(NamedTuple):
    row: UUID
    golden: UUID
    repeat: int
    present: bool
    passed: bool


def count_pairs(replays: Iterable[PairedReplay]) -> dict[UUID, dict[UUID, RowPairs]]:
    """By row and golden. A replay whose other half did not come to anything counts for nothing."""
    sides: dict[tuple[UUID, UUID, int], dict[bool, bool]] = {}
    for each in replays:
        sides.setdefault((each.row, each.golden, each.repeat), {})[each.present] = each.passed
    found: dict[UUID, dict[UUID, RowPairs]] = {}
    for (row, golden, _), passed in sides.items():
        if len(passed) == 2:
            of_row = found.setdefault(row, {})
            of_row[golden] = of_row.get(golden, RowPairs()) + _pair(passed[True], passed[False])
    return found


def _pair(with_row: bool, without: bool) -> RowPairs:
    if with_row == without:
        return RowPairs(same=1)
    return RowPairs(better=1) if with_row else RowPairs(worse=1)


def with_pairs(finding: Finding, pairs: Mapping[UUID, RowPairs], targeted: Collection[UUID]) -> Finding:
    """`pairs` are by golden, `targeted` are those that the row was learnt from."""
    return msgspec.structs.replace(
        finding,
        targeted=_sum([counted for golden, counted in pairs.items() if golden in targeted]),
        guard=_sum([counted for golden, counted in pairs.items() if golden not in targeted]),
    )


def _sum(pairs: Sequence[RowPairs]) -> Pairs:
    total = sum(pairs, RowPairs())
    return Pairs(goldens=len(pairs), better=total.better, worse=total.worse, same=total.same)


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
        stale=False,
        stale_because=[],
        measured_at=at,
    )


def _evidence(pairs: Pairs) -> PairedEvidence | None:
    if not pairs.counted.n:
        return None
    return PairedEvidence(
        goldens=pairs.goldens,
        pairs=pairs.counted.n,
        wins=pairs.better,
        losses=pairs.worse,
        e_helps=e_value(pairs.better, pairs.worse),
        e_harms=e_value(pairs.worse, pairs.better),
    )


def value_z(finding: Finding) -> float | None:
    """For the rank. Where there are only pairs, their interval says how sure they are."""
    if finding.value is not None and finding.value.value_z is not None:
        return finding.value.value_z
    figure = finding.judgement.figure
    if (
        figure is None
        or figure.delta is None
        or figure.low is None
        or figure.high is None
        or figure.high <= figure.low
    ):
        return None
    return shrunk_z(figure.delta, (figure.high - figure.low) / (2 * NORMAL))


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
        no_effect_found=labels.count(RowLabel.NO_EFFECT),
        unmeasured=labels.count(RowLabel.UNMEASURED),
    )
