"""From a record of the workspace to a verdict that can be stored. A suite that crashes on a record fails that record.

The verdict says what `score_knowledge_artifact` says, in values that any database takes. Pure.
"""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.artifact_evals.model import (
    Adapter,
    FieldProvenance,
    Gap,
    KnowledgeArtifact,
    KnowledgeDimension,
    KnowledgeResult,
)
from goldloop.artifact_evals.projection import Record
from goldloop.artifact_evals.rubric import KnowledgeRubric
from goldloop.artifact_evals.scoring import score_knowledge_artifact
from goldloop.artifact_evals.values import describe_error, shown
from goldloop.artifact_runs.model import RecordGap
from goldloop.artifact_runs.surfaces import KnownSurfaces

LEAST_URGENCY = 1e-9  # of a failure: only what passes has 0
CRASHED = 1.0  # nothing about the record is known to be right, so it comes before any gap
REASON_CHARACTERS = 2000


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`urgency` is the importance of the worst gap, above 0 unless the record passes."""

    entity_id: UUID
    passed: bool
    overall: float | None
    urgency: float
    scores: dict[KnowledgeDimension, float | None]
    failed: tuple[KnowledgeDimension, ...]
    gaps: list[RecordGap]


class RecordRow(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    title: str
    content: dict[str, Any]
    provenance: dict[str, FieldProvenance] = {}  # of the fields that the rubric asks it of


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What a run judges: with which suite, in which workspace, without which dimensions and why, and how many seconds a
    record and the loading of the suite may take. `path` is where the suite is found."""

    suite: str
    entity_type: str
    tenant: str
    surfaces: KnownSurfaces
    path: tuple[str, ...]
    seconds: float
    loading_seconds: float
    left_out: dict[KnowledgeDimension, str] = {}


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a task can be done: `problem` is None, or why it cannot."""

    problem: str | None


class Judge(msgspec.Struct, frozen=True, kw_only=True):
    """The suite's adapter, and its rubric with a probe of the workspace's surfaces."""

    adapter: Adapter
    rubric: KnowledgeRubric
    entity_type: str
    tenant: str


def judge_record(judge: Judge, row: RecordRow) -> Verdict:
    try:
        artifact = judge.adapter(as_record(judge, row))
        if not isinstance(artifact, KnowledgeArtifact):
            raise TypeError(f"it returned {shown(artifact)}, not a KnowledgeArtifact")
        return verdict_of(row.id, score_knowledge_artifact(artifact, judge.rubric))
    except (Exception, SystemExit) as error:
        return not_judged(row.id, f"the adapter crashed: {describe_error(error)}")


def as_record(judge: Judge, row: RecordRow) -> Record:
    """As `GET /api/entities/{id}` answers it, with the workspace that it was read in and where its values come from."""
    return {
        "id": str(row.id),
        "type": judge.entity_type,
        "title": row.title,
        "tenant": judge.tenant,
        "content": row.content,
        "provenance": msgspec.to_builtins(row.provenance),
    }


def verdict_of(entity_id: UUID, result: KnowledgeResult) -> Verdict:
    return Verdict(
        entity_id=entity_id,
        passed=result.passed,
        overall=result.overall,
        urgency=0.0 if result.passed else max(LEAST_URGENCY, *(gap.importance for gap in result.gaps)),
        scores={found.dimension: found.score for found in result.dimensions if not found.left_out},
        failed=result.failed,
        gaps=[_gap(gap) for gap in result.gaps],
    )


def _gap(gap: Gap) -> RecordGap:
    return RecordGap(
        dimension=gap.dimension,
        check=_storable(gap.check),
        fields=[_storable(field) for field in gap.fields],
        reason=_storable(gap.reason),
        score=gap.score,
        importance=gap.importance,
    )


def not_judged(entity_id: UUID, reason: str) -> Verdict:
    """Of a record on which the suite crashes or hangs."""
    gap = RecordGap(
        dimension=None, check="adapter", fields=[], reason=_storable(reason), score=None, importance=CRASHED
    )
    return Verdict(
        entity_id=entity_id, passed=False, overall=None, urgency=CRASHED, scores={}, failed=(), gaps=[gap]
    )


def _storable(text: object) -> str:
    """What a check of somebody's own says may hold anything; PostgreSQL takes no NUL and no half of a character."""
    cut = str(text)[:REASON_CHARACTERS]
    return cut.encode("utf-8", "replace").decode().replace("\x00", "\N{REPLACEMENT CHARACTER}")
