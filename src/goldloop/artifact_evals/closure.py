"""Does a loop close: do its records exist, cite, move on, pass a gate and show? Scored from facts that others gather.

    closure = Σ weight·score / Σ weight     over the five steps; closed when all of them pass

Pure.
"""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum

import msgspec

from goldloop.artifact_evals.loops import KnowledgeLoopDefinition
from goldloop.artifact_evals.values import named


class LoopStep(StrEnum):
    RECORDS = "records"  # every declared type exists
    EVIDENCE = "evidence"  # the fields that hold sources exist
    LIFECYCLE = "lifecycle"  # something of every type was finalized
    REVIEW = "review"  # the gate's fields exist, somebody may pass it, and what was finalized did
    SURFACES = "surfaces"  # every declared surface resolves


WEIGHTS = {  # a gate that is not kept undoes the rest; a loop that finalized nothing yet is merely young
    LoopStep.RECORDS: 0.20,
    LoopStep.EVIDENCE: 0.20,
    LoopStep.LIFECYCLE: 0.15,
    LoopStep.REVIEW: 0.25,
    LoopStep.SURFACES: 0.20,
}


class LoopFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of a workspace. What is not known is left out, and counts as not there."""

    fields: Mapping[str, Collection[str]] = {}  # of each entity type that exists
    records: Mapping[str, Mapping[str, int]] = {}  # how many, by type and status
    reviewed: Mapping[str, int] = {}  # how many finalized ones a person reviewed, by type
    reviewers: int = 0  # people who may pass the gate
    surfaces: Collection[str] = ()  # those that resolve


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    step: LoopStep
    passed: bool
    score: float
    reason: str
    importance: float


class LoopClosure(msgspec.Struct, frozen=True, kw_only=True):
    """`gaps` are the steps that do not pass, the most important first."""

    loop: str
    closed: bool
    score: float
    steps: tuple[StepResult, ...]
    gaps: tuple[StepResult, ...]


def score_loop_closure_from_facts(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> LoopClosure:
    steps = (
        _step(LoopStep.RECORDS, _missing_types(loop, facts), len(loop.records)),
        _step(LoopStep.EVIDENCE, _missing_evidence_fields(loop, facts), _count_evidence_fields(loop)),
        _step(LoopStep.LIFECYCLE, _never_finalized(loop, facts), len(loop.records)),
        _step(LoopStep.REVIEW, _open_gates(loop, facts), len(loop.records)),
        _step(LoopStep.SURFACES, _missing_surfaces(loop, facts), len(loop.surfaces)),
    )
    gaps = sorted((step for step in steps if not step.passed), key=lambda step: -step.importance)
    return LoopClosure(
        loop=loop.name,
        closed=not gaps,
        score=min(1.0, sum(WEIGHTS[step.step] * step.score for step in steps) / sum(WEIGHTS.values())),
        steps=steps,
        gaps=tuple(gaps),
    )


_FULL = {
    LoopStep.RECORDS: "every declared type exists",
    LoopStep.EVIDENCE: "every field for sources exists",
    LoopStep.LIFECYCLE: "every type has finalized records",
    LoopStep.REVIEW: "a person reviewed whatever is finalized",
    LoopStep.SURFACES: "every declared surface is there",
}


def _step(step: LoopStep, faults: Iterator[str], parts: int) -> StepResult:
    """A step of nothing is not passed: a loop without records or surfaces leads nowhere."""
    found = list(faults) if parts else ["the loop declares none"]
    score = max(0.0, 1 - len(found) / parts) if parts else 0.0
    return StepResult(
        step=step,
        passed=not found,
        score=score,
        reason="; ".join(found) or _FULL[step],
        importance=WEIGHTS[step] * (1 - score),
    )


def _missing_types(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> Iterator[str]:
    for record in loop.records:
        if record.entity_type not in facts.fields:
            yield f"there is no entity type `{record.entity_type}`"


def _count_evidence_fields(loop: KnowledgeLoopDefinition) -> int:
    return sum(len(record.evidence_fields) for record in loop.records)


def _missing_evidence_fields(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> Iterator[str]:
    for record in loop.records:
        for field in record.evidence_fields:
            if field not in facts.fields.get(record.entity_type, ()):
                yield f"`{record.entity_type}` has no field `{field}` for sources"


def _finalized(loop: KnowledgeLoopDefinition, facts: LoopFacts, entity_type: str) -> int:
    counts = facts.records.get(entity_type, {})
    return sum(counts.get(status, 0) for status in loop.record(entity_type).finalized_statuses)


def _never_finalized(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> Iterator[str]:
    for record in loop.records:
        if not _finalized(loop, facts, record.entity_type):
            total = sum(facts.records.get(record.entity_type, {}).values())
            yield f"none of {total} `{record.entity_type}` records is {' or '.join(record.finalized_statuses)}"


def _open_gates(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> Iterator[str]:
    """One fault per type, the first that holds."""
    for record in loop.records:
        kind = record.entity_type
        missing = [field for field in loop.review_gate.fields if field not in facts.fields.get(kind, ())]
        unreviewed = _finalized(loop, facts, kind) - facts.reviewed.get(kind, 0)
        if missing:
            yield f"`{kind}` has no field {named(missing)} for its review"
        elif facts.reviewers < 1:
            yield f"nobody may review `{kind}`"
        elif unreviewed > 0:
            yield f"no person reviewed {unreviewed} finalized `{kind}` records"


def _missing_surfaces(loop: KnowledgeLoopDefinition, facts: LoopFacts) -> Iterator[str]:
    for surface in loop.surfaces:
        if surface.ref not in facts.surfaces:
            yield f"there is no `{surface.ref}`"
