"""When a product idea can be taken up: two signals from customers, a named owner, a next step, a decision. Pure."""

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
from goldloop.artifact_evals.suites.pf_idea.schema import DRAFTS, FINAL, REVIEW, SURFACES

MINIMUM_SIGNALS = 2  # one customer's wish is a ticket
NEXT_STEP_WORDS = 6  # who, does what, by when

pf_idea_rubric = KnowledgeRubric(
    name="pf_idea",
    source_grounding=require_evidence_refs(
        "signals", minimum=MINIMUM_SIGNALS, draft_statuses=DRAFTS, finalized_statuses=FINAL
    ),
    schema_completeness=require_fields("problem", "proposal", "who_benefits", "affected_per_month", "owner"),
    actionability=require_actionable_payload("next_step", min_words=NEXT_STEP_WORDS),
    safety_human_gate=require_safety_label(KnowledgeSafetyClass.OPERATIONAL, REVIEW),
    workspace_renderability=require_renderable("problem", "proposal", known_surfaces=SURFACES),
    tenant_isolation=assert_tenant_scope(),
)
