"""The entity type `pf_idea`. Pure."""

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

SLUG = "pf_idea"
DRAFTS = ("captured", "triaged")
FINAL = ("accepted", "declined")
SURFACES = ("view:idea-board", f"entity-list:{SLUG}")
REVIEW = ReviewGate(statuses=FINAL, reviewer_field="decided_by", reviewer_kind_field="decided_by_kind")

ENTITY_TYPE = KnowledgeEntityType(
    slug=SLUG,
    name="Product idea",
    json_schema=object_schema(
        (*DRAFTS, *FINAL),
        SURFACES,
        REVIEW,
        problem=LONG,
        proposal=LONG,
        who_benefits=SHORT,
        affected_per_month={"type": "integer", "minimum": 0},
        owner=SHORT,
        next_step=LONG,
        signals=SOURCES,
        duplicates=LINKS,
    ),
    field_configs={
        **gate_configs(REVIEW, "Decided by"),
        "affected_per_month": {"label": "Affected customers a month"},
        "next_step": {"description": "Who does what, and by when."},
    },
)
