"""The single source of what a judge's word is worth, and of whether it may decide. Pure.

What people say of a replay is what more of them say; where as many say the one as the other, or none can tell, nothing is said.
Licences are issued by a person, by labels of the last 90 days, for 90 days: agents, work and people's standards change.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from goldloop.criteria.dimension_types import Level
from goldloop.evals.stats.licence import (
    LEAST_GOLDENS,
    LEAST_KAPPA,
    LEAST_LABELS,
    LEAST_OF_CLASS,
    LEAST_TNR,
    MOST_OF_ONE,
    JudgedRate,
    NoLicence,
    judge_licence,
)
from goldloop.evals.stats.licence import Licence as Worth
from goldloop.goldens.judges.model import (
    MOST_SAMPLED,
    JudgeConfusion,
    JudgeEvidence,
    JudgeLicence,
    JudgeLicenceState,
    JudgeReason,
    LabelledShare,
    LabelsWanted,
    LicenceStatus,
)
from goldloop.responses.agreement import measure_agreement
from goldloop.tenants.model import Party

LICENCE_LIFE = timedelta(days=90)  # a quarter: how long agents and their work stay alike
FEW = 10  # replays: of more, a rate says little about one of them
CHANGES = {
    "rubric": "the rubric is another one since",
    "model": "another model judges since",
    "prompt": "judges are asked otherwise since",
}


class Opinion(NamedTuple):
    """Of one replay of a golden: what the judge says, and how many people say that it passes and that it fails."""

    judge: bool
    passes: int
    fails: int
    golden: UUID

    @property
    def people(self) -> bool | None:
        return None if self.passes == self.fails else self.passes > self.fails


def weigh(opinions: Sequence[Opinion]) -> Worth:
    told = [each for each in opinions if each.people is not None]
    return judge_licence([(each.judge, bool(each.people)) for each in told], [each.golden for each in told])


def gather(opinions: Sequence[Opinion], people: Sequence[Party]) -> JudgeEvidence:
    worth = weigh(opinions)
    several = [each for each in opinions if each.passes + each.fails > 1]
    units = [dict(enumerate(["passed"] * each.passes + ["failed"] * each.fails)) for each in several]
    return JudgeEvidence(
        labelled=worth.n,
        passed=worth.tpr.labels,
        failed=worth.tnr.labels,
        undecided=len(opinions) - worth.n,
        goldens=worth.goldens or 0,
        largest=worth.largest,
        confusion=JudgeConfusion(
            by_both=worth.both_passed,
            by_judge=worth.only_judge_passed,
            by_people=worth.only_people_passed,
            by_neither=worth.both_failed,
        ),
        kappa=worth.kappa,
        low=worth.low,
        low_95=worth.low_95,
        tpr=share_of(worth.tpr),
        tnr=share_of(worth.tnr),
        twice=len(several),
        alpha=measure_agreement(units, Level.NOMINAL).alpha,
        people=list(people),
    )


def share_of(rate: JudgedRate) -> LabelledShare:
    return LabelledShare(hits=rate.right, of=rate.labels, rate=rate.rate, low=rate.low, high=rate.high)


def decide(
    worth: Worth, licence: JudgeLicence | None, changed: Sequence[str], model: str | None, now: datetime
) -> JudgeLicenceState:
    """`licence` is the newest one; `changed` what would be asked otherwise now."""
    lacking = _lacking(worth, model)
    outdated = [JudgeReason(code=f"{what}_changed", message=CHANGES[what]) for what in changed]
    holds = licence is not None and licence.withdrawn_at is None
    status, reasons = _status(worth, licence if holds else None, lacking, outdated, now)
    if licence is not None and not holds:
        reasons = [JudgeReason(code="withdrawn", message="Somebody withdrew its licence"), *reasons]
    return JudgeLicenceState(
        status=status,
        reasons=reasons,
        can_be_issued=not lacking and not outdated,
        changed=list(changed),
        kappa=worth.kappa,
        low=worth.low,
        labelled=worth.n,
        goldens=worth.goldens or 0,
        issued_at=licence.issued_at if licence else None,
        expires_at=licence.expires_at if licence else None,
    )


def _status(
    worth: Worth,
    licence: JudgeLicence | None,
    lacking: list[JudgeReason],
    outdated: list[JudgeReason],
    now: datetime,
) -> tuple[LicenceStatus, list[JudgeReason]]:
    if licence is None:
        if not worth.n:
            return LicenceStatus.NONE, [*lacking, *outdated]
        missing = JudgeReason(code="not_issued", message="Nobody has issued a licence")
        return LicenceStatus.ADVISORY, [*lacking, *outdated] or [missing]
    if outdated:
        return LicenceStatus.VOID, outdated
    if licence.expires_at <= now:
        ended = JudgeReason(code="expired", message=f"Its licence ended on {licence.expires_at:%Y-%m-%d}")
        return LicenceStatus.EXPIRED, [ended, *lacking]
    return (LicenceStatus.ADVISORY, lacking) if lacking else (LicenceStatus.LICENSED, [])


def _lacking(worth: Worth, model: str | None) -> list[JudgeReason]:
    found = [JudgeReason(code="no_labels", message="Nobody has labelled replays that it judged")]
    if worth.n:
        found = [JudgeReason(code=str(code), message=_why(code, worth)) for code in worth.reasons]
    if model is None:
        found.append(JudgeReason(code="model_unknown", message="Nobody tells which model it is"))
    return found


def _why(code: NoLicence, worth: Worth) -> str:
    match code:
        case NoLicence.TOO_FEW_LABELS:
            return f"{worth.n} replays are labelled, and {LEAST_LABELS} are needed"
        case NoLicence.TOO_FEW_PASSED:
            return f"people passed {worth.tpr.labels} replays, and {LEAST_OF_CLASS} are needed"
        case NoLicence.TOO_FEW_FAILED:
            return f"people failed {worth.tnr.labels} replays, and {LEAST_OF_CLASS} are needed"
        case NoLicence.TOO_FEW_GOLDENS:
            return (
                f"only {worth.goldens} of the goldens have labelled replays, and {LEAST_GOLDENS} are needed"
            )
        case NoLicence.UNEVEN_GOLDENS:
            return (
                f"{worth.largest or 0:.0%} of the labels are of one golden, and {MOST_OF_ONE:.0%} is the most"
            )
        case NoLicence.NO_KAPPA:
            return "it says the same of all replays, or people do: nobody can tell how far they agree"
        case NoLicence.KAPPA_LOW:
            return f"kappa is at least {worth.low or 0:.2f}, and {LEAST_KAPPA:.2f} is needed"
        case NoLicence.TNR_LOW:
            return (
                f"it fails at least {worth.tnr.low:.0%} of what people failed, and {LEAST_TNR:.0%} is needed"
            )


def tells(judged: int, passed: int) -> bool:
    """Whether the figures of a judge tell what it says of single replays: of few, or where it says the same of all."""
    return judged < FEW or passed in (0, judged)


def plan_labels(worth: Worth, judged_rate: float | None, unsampled: int) -> LabelsWanted:
    """What is lacking by numbers alone, and how many replays to draw for it: by how often people passed replays so far, and
    before they did, how often the judge does."""
    labels = max(0, LEAST_LABELS - worth.n)
    passed, failed = (max(0, LEAST_OF_CLASS - rate.labels) for rate in (worth.tpr, worth.tnr))
    share = (worth.tpr.labels + 1) / (worth.n + 2) if worth.n else 0.5 if judged_rate is None else judged_rate
    share = min(max(share, 0.05), 0.95)  # who passes nearly all of a few may not pass all
    goldens = max(0, LEAST_GOLDENS - (worth.goldens or 0))
    needed = max(labels, math.ceil(passed / share), math.ceil(failed / (1 - share)), goldens)
    draw = min(needed, unsampled, MOST_SAMPLED)
    return LabelsWanted(labels=labels, passed=passed, failed=failed, goldens=goldens, draw=draw or None)
