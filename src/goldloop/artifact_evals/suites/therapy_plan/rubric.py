"""When a therapy plan may begin: steps with an owner and a rhythm, a way out when it gets worse, a signature. Pure."""

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
from goldloop.artifact_evals.suites.therapy_plan.schema import DRAFTS, FINAL, REVIEW, SURFACES

MINIMUM_STEPS = 2  # something to do, and something that tells whether it helped

therapy_plan_rubric = KnowledgeRubric(
    name="therapy-plan",
    source_grounding=require_evidence_refs("evidence", draft_statuses=DRAFTS, finalized_statuses=FINAL),
    schema_completeness=require_fields("case_reference", "indication", "goal", "escalation.contact"),
    actionability=(
        require_actionable_payload("steps", also=("frequency", "owner"), minimum=MINIMUM_STEPS),
        require_actionable_payload("escalation.when"),
    ),
    safety_human_gate=(
        require_safety_label(KnowledgeSafetyClass.CLINICAL, REVIEW),
        require_fields("contraindications"),
    ),
    workspace_renderability=require_renderable("goal", "summary", known_surfaces=SURFACES),
    tenant_isolation=assert_tenant_scope(),
)
