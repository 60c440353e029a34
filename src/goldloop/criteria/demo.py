"""The criteria sets of the demo workspace: fields, a scored assessment, a survey, quarterly figures."""

from goldloop.criteria import service, store
from goldloop.criteria.model import (
    LIKERT_MATRIX,
    AnchorLabels,
    CriteriaSetDefinition,
    Dimension,
    DimensionType,
    DisplayConfig,
    Kind,
)
from goldloop.entities.demo import CONTRACT, VENDOR
from goldloop.kit.db import Tx
from goldloop.tenants.demo import PROPOSE_AND_REVIEW, Part, acting, demo_id

VENDOR_RISK = "vendor-risk"
CONTRACT_TERMS = "contract-terms"
SATISFACTION = "vendor-satisfaction"
QUARTERLY = "vendor-quarterly"


def _rating(key: str, label: str, weight: float, description: str, highest: int = 5) -> Dimension:
    return Dimension(
        key=key,
        label=label,
        type=DimensionType.RATING,
        scale=(1, highest),
        step=1,
        weight=weight,
        description=description,
        required=True,
    )


SETS = [
    CriteriaSetDefinition(
        slug=VENDOR_RISK,
        name="Vendor risk",
        description="How safe it is to depend on a vendor. 5 is the best answer everywhere.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[VENDOR],
        dimensions=[
            _rating("security", "Security", 0.3, "Certificates, tests, how incidents were handled."),
            _rating("reliability", "Reliability", 0.25, "Outages and missed deliveries in the last year."),
            _rating("data_protection", "Data protection", 0.2, "Where data is, who sees it, how it goes."),
            _rating(
                "financial_health", "Financial health", 0.15, "Whether they will be here in three years."
            ),
            _rating("support", "Support", 0.1, "How long it takes to reach somebody who can help."),
            Dimension(
                key="recommendation",
                label="Recommendation",
                type=DimensionType.SELECT,
                options=["keep", "watch", "replace"],
                field_name="recommendation",
            ),
            Dimension(key="comment", label="Comment", type=DimensionType.RICHTEXT),
        ],
    ),
    CriteriaSetDefinition(
        slug=CONTRACT_TERMS,
        name="Contract terms",
        description="How good the terms are for us, before a renewal.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[CONTRACT],
        dimensions=[
            _rating("exit", "Way out", 0.4, "How soon, and at what price, we can leave.", 10),
            _rating("price", "Price protection", 0.3, "Whether increases are capped.", 10),
            _rating("liability", "Liability", 0.3, "What they owe us when it goes wrong.", 10),
        ],
    ),
    CriteriaSetDefinition(
        slug=SATISFACTION,
        name="Working with this vendor",
        description="A minute's survey among those who deal with them.",
        kind=Kind.ASSESSMENT,
        entity_type_slugs=[VENDOR],
        display_type=LIKERT_MATRIX,
        display_config=DisplayConfig(
            scale=(1, 5),
            step=1,
            anchor_labels=AnchorLabels(min="Disagree", mid="Neither", max="Agree"),
        ),
        dimensions=[
            _rating("easy", "Their product is easy to use", 0.25, ""),
            _rating("answers", "They answer within a day", 0.25, ""),
            _rating("honest", "They tell us about problems first", 0.25, ""),
            _rating("again", "I would choose them again", 0.25, ""),
        ],
    ),
    CriteriaSetDefinition(
        slug=QUARTERLY,
        name="Quarterly figures",
        description="What was delivered in a quarter, from the service reports.",
        kind=Kind.TEMPORAL,
        temporal_key="quarter",
        entity_type_slugs=[VENDOR],
        dimensions=[
            Dimension(
                key="availability",
                label="Availability (%)",
                type=DimensionType.NUMBER,
                scale=(95, 100),
                weight=0.7,
                required=True,
            ),
            Dimension(
                key="answered_in_time",
                label="Answered in time (%)",
                type=DimensionType.NUMBER,
                scale=(0, 100),
                weight=0.3,
            ),
            Dimension(key="incidents", label="Incidents", type=DimensionType.NUMBER, step=1),
            Dimension(key="remark", label="Remark", type=DimensionType.TEXT),
        ],
    ),
]


async def load(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        for place, definition in enumerate(SETS):
            await service.create(admin, demo_id(300 + place, definition.slug), definition)


async def has_none(tx: Tx) -> bool:
    return not await store.list_by_slug(tx, None, None, True, "", 1)


PARTS = [Part(PROPOSE_AND_REVIEW, load, is_absent=has_none, in_the_past=True)]
