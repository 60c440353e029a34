"""The shapes of artifact evals: what is judged, and what judging it gives."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

import msgspec


class KnowledgeDimension(StrEnum):
    SOURCE_GROUNDING = "source_grounding"
    SCHEMA_COMPLETENESS = "schema_completeness"
    ACTIONABILITY = "actionability"
    SAFETY_HUMAN_GATE = "safety_human_gate"
    WORKSPACE_RENDERABILITY = "workspace_renderability"
    TENANT_ISOLATION = "tenant_isolation"


QUESTIONS: Mapping[KnowledgeDimension, str] = {
    KnowledgeDimension.SOURCE_GROUNDING: "Can what it says be traced to sources that somebody can look up?",
    KnowledgeDimension.SCHEMA_COMPLETENESS: "Are the fields filled in that it cannot do without?",
    KnowledgeDimension.ACTIONABILITY: "Does it say what to do, so precisely that a person or an agent could start?",
    KnowledgeDimension.SAFETY_HUMAN_GATE: "Is it labelled with what is at stake, and did a person let it through?",
    KnowledgeDimension.WORKSPACE_RENDERABILITY: "Is there a real place that shows it, and is there something to show?",
    KnowledgeDimension.TENANT_ISOLATION: "Does everything in it belong to the workspace that it belongs to?",
}


class EvidenceRef(msgspec.Struct, frozen=True, gc=False):
    """A source (`doi:…`, an address, a ticket) and the field that cites it; `tenant` is the workspace that it lives in,
    None for this one or a public source."""

    source: str
    field: str
    title: str = ""
    tenant: str | None = None


class RecordRef(msgspec.Struct, frozen=True, gc=False):
    """Another record that a field points to, and the workspace that record lives in."""

    id: str
    field: str
    tenant: str | None = None


class SafetyPosture(msgspec.Struct, frozen=True, gc=False):
    safety_class: str | None = None
    review_required: bool | None = None
    reviewed_by: str | None = None
    reviewer_kind: str | None = None  # user, agent or system


class FieldProvenance(msgspec.Struct, frozen=True, gc=False):
    """Where a field's value comes from, by the history that Goldloop keeps and nobody can write: how it got there
    (`promotion`, `edit`, `undo`, `aggregate`), who did it and what they are (user, agent or system), and when. Only
    reviewers, admins and owners promote."""

    kind: str
    by: str = ""
    by_kind: str = ""
    at: str = ""


class RenderTarget(msgspec.Struct, frozen=True):
    """Where an artifact is shown (`view:evidence-desk`), and what is shown there."""

    surface: str | None = None
    payload: Mapping[str, Any] = {}


class KnowledgeArtifact(msgspec.Struct, frozen=True, kw_only=True):
    """A record or an agent's output, projected by an adapter. `fields` keep the names of the entity type's schema;
    `provenance` says of some of them where the value comes from, where that is known."""

    id: str
    type: str
    title: str = ""
    tenant: str | None = None
    status: str | None = None
    fields: Mapping[str, Any] = {}
    evidence_refs: tuple[EvidenceRef, ...] = ()
    references: tuple[RecordRef, ...] = ()
    safety: SafetyPosture = SafetyPosture()
    render: RenderTarget = RenderTarget()
    provenance: Mapping[str, FieldProvenance] = {}


Adapter = Callable[[Any], KnowledgeArtifact]


class CheckResult(msgspec.Struct, frozen=True, gc=False):
    """A verdict with its reason. `score` is 0 to 1, None where nothing is due yet; `fields` are those it speaks of."""

    passed: bool
    score: float | None
    reason: str
    fields: tuple[str, ...] = ()


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A named question. `fields` are the fields of the entity type that it reads, which must be in the schema;
    `provenance` are those of which it asks where the value comes from."""

    name: str
    run: Callable[[KnowledgeArtifact], CheckResult]
    fields: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()


class DimensionResult(msgspec.Struct, frozen=True, gc=False):
    """The lowest of the dimension's checks; passed when all of them are. `score` is None where nothing was judged. One
    that is left out does not count: it has no score, fails nothing, and its reason says why."""

    dimension: KnowledgeDimension
    passed: bool
    score: float | None
    reason: str
    fields: tuple[str, ...]
    left_out: bool = False


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Something to fix: `importance` is the dimension's weight times what is missing from a full score."""

    dimension: KnowledgeDimension
    check: str
    fields: tuple[str, ...]
    reason: str
    score: float | None
    importance: float


class KnowledgeResult(msgspec.Struct, frozen=True):
    """`overall` is the weighted mean of the scored dimensions, None when there is none; `gaps` are the worst first."""

    artifact_id: str
    rubric: str
    rubric_version: str
    passed: bool
    overall: float | None
    dimensions: tuple[DimensionResult, ...]
    gaps: tuple[Gap, ...]

    @property
    def failed(self) -> tuple[KnowledgeDimension, ...]:
        return tuple(result.dimension for result in self.dimensions if not result.passed)

    @property
    def left_out(self) -> tuple[DimensionResult, ...]:
        return tuple(result for result in self.dimensions if result.left_out)
