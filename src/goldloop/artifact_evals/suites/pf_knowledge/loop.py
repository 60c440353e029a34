"""The loop that produces product knowledge: the single source of its statuses, sources, gate and surfaces. Pure."""

from goldloop.artifact_evals.loops import (
    KnowledgeLoopDefinition,
    KnowledgeSafetyClass,
    KnowledgeSurface,
    LoopRecord,
    ReviewGate,
)

SLUG = "pf_knowledge"

LOOP = KnowledgeLoopDefinition(
    name="product-knowledge",
    title="Product knowledge",
    records=(
        LoopRecord(
            entity_type=SLUG,
            draft_statuses=("draft",),
            finalized_statuses=("published",),
            evidence_fields=("sources",),
        ),
    ),
    surfaces=(
        KnowledgeSurface(kind="view", key="product-knowledge", title="Product knowledge"),
        KnowledgeSurface(kind="entity-list", key=SLUG, title="All product knowledge"),
    ),
    review_gate=ReviewGate(statuses=("published",)),
    safety_class=KnowledgeSafetyClass.OPERATIONAL,
)
RECORD = LOOP.record(SLUG)
