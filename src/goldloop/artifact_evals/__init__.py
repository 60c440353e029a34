"""Artifact evals: can what a knowledge loop produces be trusted?

In flow records (through an adapter) and a rubric, or a loop's definition and facts about it; out flow scores with
reasons, gaps with the most important first, and a scorecard of whole suites. Deterministic: no database, no model, no
clock. It installs without the server; `artifact_runs/` scores the records of a workspace with it.
"""

from goldloop.artifact_evals.checks import (
    RenderabilityProbe,
    assert_tenant_scope,
    require_actionable_payload,
    require_evidence_refs,
    require_fields,
    require_renderable,
    require_safety_label,
)
from goldloop.artifact_evals.closure import LoopClosure, LoopFacts, LoopStep, score_loop_closure_from_facts
from goldloop.artifact_evals.convert import (
    CriteriaDimension,
    knowledge_result_to_rubric_score_result,
    knowledge_rubric_to_criteria_dimensions,
)
from goldloop.artifact_evals.drift import SchemaDrift, find_drift
from goldloop.artifact_evals.loops import (
    KnowledgeLoopDefinition,
    KnowledgeSafetyClass,
    KnowledgeSurface,
    LoopRecord,
    ReviewGate,
    ReviewProof,
)
from goldloop.artifact_evals.model import (
    Adapter,
    Check,
    CheckResult,
    DimensionResult,
    EvidenceRef,
    FieldProvenance,
    Gap,
    KnowledgeArtifact,
    KnowledgeDimension,
    KnowledgeResult,
    RecordRef,
    RenderTarget,
    SafetyPosture,
)
from goldloop.artifact_evals.projection import Record, project
from goldloop.artifact_evals.rubric import KnowledgeRubric, leave_out
from goldloop.artifact_evals.rubric_from_loop import rubric_from_loop, with_surface_probe
from goldloop.artifact_evals.rubric_scores import RubricScoreResult
from goldloop.artifact_evals.scoring import score_knowledge_artifact
from goldloop.artifact_evals.suite import (
    KnowledgeEntityType,
    KnowledgeEvalSuite,
    KnowledgeFixture,
    SuiteReport,
    bad,
    good,
    promoted,
    run_knowledge_eval_suite,
    vary,
)
from goldloop.artifact_evals.surfaces import (
    SurfaceResolution,
    make_surface_probe,
    resolve_knowledge_surfaces,
    unresolved_knowledge_surfaces,
)

__all__ = [
    "Adapter",
    "Check",
    "CheckResult",
    "CriteriaDimension",
    "DimensionResult",
    "EvidenceRef",
    "FieldProvenance",
    "Gap",
    "KnowledgeArtifact",
    "KnowledgeDimension",
    "KnowledgeEntityType",
    "KnowledgeEvalSuite",
    "KnowledgeFixture",
    "KnowledgeLoopDefinition",
    "KnowledgeResult",
    "KnowledgeRubric",
    "KnowledgeSafetyClass",
    "KnowledgeSurface",
    "LoopClosure",
    "LoopFacts",
    "LoopRecord",
    "LoopStep",
    "Record",
    "RecordRef",
    "RenderTarget",
    "RenderabilityProbe",
    "ReviewGate",
    "ReviewProof",
    "RubricScoreResult",
    "SafetyPosture",
    "SchemaDrift",
    "SuiteReport",
    "SurfaceResolution",
    "assert_tenant_scope",
    "bad",
    "find_drift",
    "good",
    "knowledge_result_to_rubric_score_result",
    "knowledge_rubric_to_criteria_dimensions",
    "leave_out",
    "make_surface_probe",
    "project",
    "promoted",
    "require_actionable_payload",
    "require_evidence_refs",
    "require_fields",
    "require_renderable",
    "require_safety_label",
    "resolve_knowledge_surfaces",
    "rubric_from_loop",
    "run_knowledge_eval_suite",
    "score_knowledge_artifact",
    "score_loop_closure_from_facts",
    "unresolved_knowledge_surfaces",
    "vary",
    "with_surface_probe",
]
