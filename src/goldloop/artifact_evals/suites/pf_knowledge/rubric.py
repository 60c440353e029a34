"""The rubric of product knowledge, derived from its loop. Pure."""

from goldloop.artifact_evals.checks import require_actionable_payload, require_fields
from goldloop.artifact_evals.rubric_from_loop import rubric_from_loop
from goldloop.artifact_evals.suites.pf_knowledge.adapter import PAYLOAD
from goldloop.artifact_evals.suites.pf_knowledge.loop import LOOP, SLUG

pf_knowledge_rubric = rubric_from_loop(
    LOOP,
    SLUG,
    schema_completeness=(require_fields("topic", "insight", "applies_to"), require_fields("confidence")),
    actionability=require_actionable_payload("guidance"),
    payload_fields=PAYLOAD,
)
