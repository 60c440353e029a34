"""The entity type `pf_knowledge`; its statuses and surfaces are the loop's. Pure."""

from goldloop.artifact_evals.suite import KnowledgeEntityType
from goldloop.artifact_evals.suites.fragments import (
    LINKS,
    LONG,
    SHORT,
    SOURCES,
    gate_configs,
    object_schema,
)
from goldloop.artifact_evals.suites.pf_knowledge.loop import LOOP, RECORD, SLUG

ENTITY_TYPE = KnowledgeEntityType(
    slug=SLUG,
    name="Product knowledge",
    json_schema=object_schema(
        (*RECORD.draft_statuses, *RECORD.finalized_statuses),
        LOOP.surface_refs,
        LOOP.review_gate,
        topic=SHORT,
        insight=LONG,
        applies_to={"type": "array", "items": {"type": "string"}},
        guidance={"type": "array", "items": {"type": "string"}},
        confidence={"type": "number", "minimum": 0, "maximum": 1},
        sources=SOURCES,
        supersedes=LINKS,
    ),
    field_configs={
        **gate_configs(LOOP.review_gate, "Reviewed by"),
        "insight": {"widget": "textarea"},
        "confidence": {"description": "The author's own estimate, from 0 to 1."},
    },
)
