"""The entity type `evidence-claim`. Pure."""

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

SLUG = "evidence-claim"
DRAFTS = ("draft", "in_review")
FINAL = ("published", "retired")
SURFACES = ("view:evidence-desk", f"entity-list:{SLUG}")
REVIEW = ReviewGate(statuses=FINAL)

ENTITY_TYPE = KnowledgeEntityType(
    slug=SLUG,
    name="Evidence claim",
    json_schema=object_schema(
        (*DRAFTS, *FINAL),
        SURFACES,
        REVIEW,
        statement=LONG,
        summary=LONG,
        population=SHORT,
        intervention=SHORT,
        outcome=SHORT,
        effect={
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "direction": {"type": "string", "enum": ["better", "no difference", "worse"]},
                "size": {"type": "string"},
            },
        },
        certainty={"type": "string", "enum": ["high", "moderate", "low", "very low"]},
        limitations=LONG,
        implication=LONG,
        evidence=SOURCES,
        builds_on=LINKS,
    ),
    field_configs={
        **gate_configs(REVIEW, "Reviewed by"),
        "implication": {"description": "What to do differently because of it."},
        "limitations": {"widget": "textarea"},
    },
)
