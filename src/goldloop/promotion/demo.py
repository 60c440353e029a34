"""The promotions of the demo workspace: whole responses, parts of some, one that another replaced, one undone."""

from goldloop.entities.demo import contract_id, vendor_id
from goldloop.kit.db import Tx
from goldloop.promotion import service
from goldloop.responses.demo import amendment_id, extraction_id, rerun_id, risk_id
from goldloop.tenants.demo import PROPOSE_AND_REVIEW, Part, acting, later

_ALL = ["end_date", "notice_days", "auto_renewal", "annual_value_eur", "governing_law", "payment_terms"]
_WHOLE = ["halden-hosting", "halden-support", "brightline-voice", "corvid-licence", "lumen-api", "quill-kb", "redstone-psp"]  # fmt: skip
_PARTS = {
    "kestrel-pentest": ["end_date", "notice_days"],
    "tidewater-returns": ["end_date", "annual_value_eur", "payment_terms"],
    "gannet-express": ["end_date", "notice_days", "annual_value_eur"],
}
_RECOMMENDATIONS = [
    ("halden", "priya.raman"),
    ("saltmarsh", "mara.lindqvist"),
    ("kestrel", "jonas.weber"),
    ("brightline", "tomas.okafor"),
]


async def load(tx: Tx) -> None:
    async with acting(tx, "tomas.okafor") as reviewer:
        for key in _WHOLE:
            await later(reviewer, hours=12)
            await service.promote(reviewer, contract_id(key), extraction_id(key), _ALL, None)
        for key, fields in _PARTS.items():
            await later(reviewer, hours=12)
            await service.promote(reviewer, contract_id(key), extraction_id(key), fields, None)
        for vendor, rater in _RECOMMENDATIONS:
            await later(reviewer, hours=12)
            await service.promote(
                reviewer, vendor_id(vendor), risk_id(vendor, rater), ["recommendation"], None
            )
    async with acting(tx, "priya.raman") as reviewer:
        await later(reviewer, hours=12)
        await service.promote(reviewer, contract_id("papaya-frame"), rerun_id("papaya-frame"), _ALL, None)
        # The amendment replaces everything that the agent had read: its response is superseded.
        voice = contract_id("brightline-voice")
        await later(reviewer, hours=12)
        await service.promote(reviewer, voice, amendment_id("brightline-voice"), _ALL, None)
        # The others came to another view of this vendor, so the recommendation went back to open.
        await later(reviewer, hours=20)
        await service.undo(reviewer, vendor_id("brightline"), "recommendation", None)
        await later(reviewer, hours=20)
        await service.undo(reviewer, contract_id("tidewater-returns"), "payment_terms", None)


PARTS = [Part(PROPOSE_AND_REVIEW, load, in_the_past=True)]
