"""The entity type `therapy-plan`. Pure."""

from goldloop.artifact_evals.loops import ReviewGate
from goldloop.artifact_evals.suite import KnowledgeEntityType
from goldloop.artifact_evals.suites.fragments import (
    LINKS,
    LONG,
    SHORT,
    SOURCES,
    gate_configs,
    object_schema,
)

SLUG = "therapy-plan"
DRAFTS = ("draft",)
FINAL = ("active", "completed")
SURFACES = ("view:care-plans", f"entity-list:{SLUG}")
REVIEW = ReviewGate(statuses=FINAL, reviewer_field="signed_by", reviewer_kind_field="signed_by_kind")

_SCHEMA = object_schema(
    (*DRAFTS, "awaiting_signature", *FINAL),
    SURFACES,
    REVIEW,
    case_reference={"type": "string", "pattern": "^OH-[0-9]{4}$"},
    indication=SHORT,
    goal=LONG,
    summary=LONG,
    steps={
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["action"],
            "properties": {
                "action": {"type": "string"},
                "frequency": {"type": "string"},
                "owner": {"type": "string"},
            },
        },
    },
    contraindications={"type": "array", "items": {"type": "string"}},
    escalation={
        "type": "object",
        "additionalProperties": False,
        "properties": {"when": {"type": "string"}, "contact": {"type": "string"}},
    },
    evidence=SOURCES,
    rests_on=LINKS,
)
ENTITY_TYPE = KnowledgeEntityType(
    slug=SLUG,
    name="Therapy plan",
    json_schema=_SCHEMA,
    field_configs={
        **gate_configs(REVIEW, "Signed by"),
        "case_reference": {"description": "The partner's case number; names stay with the partner."},
    },
)
