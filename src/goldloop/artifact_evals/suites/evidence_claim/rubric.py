"""When an evidence claim can be trusted: two sources, a measured effect with its limits, and a person who read it. Pure."""

from goldloop.artifact_evals.checks import (
    assert_tenant_scope,
    require_actionable_payload,
    require_evidence_refs,
    require_fields,
    require_renderable,
    require_safety_label,
)
from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.rubric import KnowledgeRubric
from goldloop.artifact_evals.suites.evidence_claim.schema import DRAFTS, FINAL, REVIEW, SURFACES

MINIMUM_SOURCES = 2  # one study is an observation

evidence_claim_rubric = KnowledgeRubric(
    name="evidence-claim",
    source_grounding=require_evidence_refs(
        "evidence", minimum=MINIMUM_SOURCES, draft_statuses=DRAFTS, finalized_statuses=FINAL
    ),
    schema_completeness=(
        require_fields("statement", "population", "intervention", "outcome"),
        require_fields("effect.direction", "effect.size", "certainty", "limitations"),
    ),
    actionability=require_actionable_payload("implication"),
    safety_human_gate=require_safety_label(KnowledgeSafetyClass.SENSITIVE, REVIEW),
    workspace_renderability=require_renderable("statement", "summary", known_surfaces=SURFACES),
    tenant_isolation=assert_tenant_scope(),
)
