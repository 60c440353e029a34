"""The views of the demo workspace: one for each type of record."""

from uuid import UUID

from goldloop.artifact_evals.suites.pf_knowledge.loop import SLUG as PF_KNOWLEDGE
from goldloop.artifact_runs.demo import ARTIFACTS
from goldloop.artifact_runs.registry import criteria_set_slug
from goldloop.criteria.demo import CONTRACT_TERMS, QUARTERLY, SATISFACTION, VENDOR_RISK
from goldloop.entities.demo import CONTRACT, VENDOR
from goldloop.kit.db import Tx
from goldloop.tenants.demo import PROPOSE_AND_REVIEW, Part, acting, demo_id
from goldloop.views import service, store
from goldloop.views.model import (
    FieldsBlock,
    ProgressionBlock,
    RelationsBlock,
    ResponseFormBlock,
    ResponsesBlock,
    TextBlock,
)

ARTIFACT_VIEWS = {
    "evidence-claim": ("evidence-desk", "Evidence desk", ["statement", "certainty", "implication", "limitations"]),
    "therapy-plan": ("care-plans", "Care plans", ["goal", "steps", "escalation", "signed_by"]),
    "pf_idea": ("idea-board", "Idea board", ["problem", "proposal", "next_step", "owner"]),
    "pf_knowledge": ("product-knowledge", "Product knowledge", ["insight", "guidance", "applies_to", "sources"]),
}  # fmt: skip


async def load(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        await service.create(
            admin,
            demo_id(400, "vendor review"),
            "vendor-review",
            "Vendor review",
            VENDOR,
            [
                TextBlock(
                    text="Rate the vendor first, then read what the others said. A recommendation is accepted by a "
                    "reviewer when at least two assessments point the same way."
                ),
                FieldsBlock(
                    title="In short", fields=["criticality", "recommendation", "annual_spend_eur", "summary"]
                ),
                ResponseFormBlock(title="Your assessment", criteria_set_slug=VENDOR_RISK),
                ProgressionBlock(title="Risk score over time", criteria_set_slug=VENDOR_RISK),
                ResponseFormBlock(title="Working with them", criteria_set_slug=SATISFACTION),
                ResponsesBlock(title="Quarterly figures", criteria_set_slug=QUARTERLY),
            ],
        )
        await service.create(
            admin,
            demo_id(401, "contract desk"),
            "contract-desk",
            "Contract desk",
            CONTRACT,
            [
                FieldsBlock(title="Terms"),
                RelationsBlock(title="With whom", field_key="vendor"),
                ResponsesBlock(title="What was read", criteria_set_slug="default-contract"),
                ResponseFormBlock(title="Before renewal", criteria_set_slug=CONTRACT_TERMS),
            ],
        )


async def has_no_artifact_views(tx: Tx) -> bool:
    """No view of these names: a visitor may have made one of them."""
    for slug, _, _ in ARTIFACT_VIEWS.values():
        if await store.find_by_slug(tx, slug):
            return False
    return True


async def load_artifact_views(tx: Tx) -> None:
    """The surfaces that the records of the worked suites name."""
    async with acting(tx, "mara.lindqvist") as admin:
        for place, entity_type in enumerate(ARTIFACT_VIEWS):
            await _add_artifact_view(admin, demo_id(511 + place, f"{entity_type} view"), entity_type)


async def _add_artifact_view(tx: Tx, view_id: UUID, entity_type: str) -> None:
    slug, name, fields = ARTIFACT_VIEWS[entity_type]
    form = criteria_set_slug(PF_KNOWLEDGE) if entity_type == PF_KNOWLEDGE else f"default-{entity_type}"
    await service.create(
        tx,
        view_id,
        slug,
        name,
        entity_type,
        [
            TextBlock(
                text="What is published here was reviewed by a person and can be traced to its sources."
            ),
            FieldsBlock(title="In short", fields=fields),
            ResponseFormBlock(title="What you think of it", criteria_set_slug=form),
        ],
    )


PARTS = [
    Part(PROPOSE_AND_REVIEW, load, in_the_past=True),
    Part(ARTIFACTS, load_artifact_views, is_absent=has_no_artifact_views),
]
