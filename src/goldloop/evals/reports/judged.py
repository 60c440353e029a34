"""The single source of whether a run may be held to what a judge says of it, and whether that is good enough. Pure.

Without a licence a judge only advises: a run that is to be held to its word is refused, and never passes or fails by it.
"""

from collections.abc import Sequence

import msgspec

LICENSED = "licensed"


class JudgedResult(msgspec.Struct, frozen=True, kw_only=True):
    """Replays of a run by one judge. `rate` is as the judge says; `corrected` with `low` and `high` without its errors, None where
    `refused` says why. `reasons` say why it has no `licence` that holds; `page` is where people label."""

    judge: str
    rubric: str
    model: str | None
    replays: int
    passed: int
    rate: float
    corrected: float | None = None
    low: float | None = None
    high: float | None = None
    method: str | None = None
    refused: str | None = None
    licence: str
    kappa_low: float | None = None
    reasons: list[str] = []
    page: str | None = None


def why_refused(judged: Sequence[JudgedResult]) -> list[str]:
    """Why a run cannot be held to what its judges say; empty where it can."""
    if not judged:
        return ["no judge has judged a replay of this run, so there is no rate to hold it to"]
    return [reason for each in judged if (reason := _refusal(each))]


def _refusal(judged: JudgedResult) -> str | None:
    if judged.licence != LICENSED:
        return no_licence(judged.rubric, judged.model, judged.licence, judged.reasons, judged.page)
    if judged.low is None:
        return f"the rate by {judged.rubric} is not corrected: {judged.refused or 'nobody says why'}"
    return None


def no_licence(rubric: str, model: str | None, status: str, reasons: Sequence[str], page: str | None) -> str:
    why = "; ".join(reasons) or "nobody has labelled what it judged"
    where = f". Label replays at {page}" if page else ""
    return f"the judge by {rubric} ({model or 'model unknown'}) has no licence ({status}): {why}{where}"


def too_low(judged: Sequence[JudgedResult], least: float, rounding: float) -> list[str]:
    """By the lower end of the corrected rate, which is there for each."""
    return [
        f"the lower end of the corrected rate by {each.rubric} is {each.low:.1%}, and at least {least:.1%} is asked for"
        for each in judged
        if each.low is not None and each.low < least - rounding
    ]


def judged_line(judged: JudgedResult) -> str:
    """In one line: the licence, the rate and the corrected one."""
    licence = "licensed" if judged.licence == LICENSED else f"{judged.licence}, so it only advises"
    if judged.corrected is None or judged.low is None or judged.high is None:
        corrected = f"not corrected: {judged.refused}" if judged.refused else "not corrected"
    else:
        corrected = (
            f"corrected {judged.corrected:.1%}, {judged.low:.1%} to {judged.high:.1%} ({judged.method})"
        )
    return f"judge by {judged.rubric} ({licence}): {judged.passed} of {judged.replays} pass, {judged.rate:.1%}; {corrected}"
