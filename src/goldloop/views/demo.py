"""The views of the demo workspace: one for each type of record."""

from goldloop.criteria.demo import CONTRACT_TERMS, QUARTERLY, SATISFACTION, VENDOR_RISK
from goldloop.entities.demo import CONTRACT, VENDOR
from goldloop.kit.db import Tx
from goldloop.tenants.demo import acting, demo_id
from goldloop.views import service
from goldloop.views.model import (
    FieldsBlock,
    ProgressionBlock,
    RelationsBlock,
    ResponseFormBlock,
    ResponsesBlock,
    TextBlock,
)


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
