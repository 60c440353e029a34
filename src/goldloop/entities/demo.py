"""The records of the demo workspace: the vendors of a support company, and the contracts with them.

A contract begins with what its register knows; the rest is proposed by an agent that has read it.
"""

from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.records import service as records
from goldloop.entities.relations import service as relations
from goldloop.entities.types import service as types
from goldloop.entities.types import store as type_store
from goldloop.kit.db import Tx
from goldloop.tenants.demo import PROPOSE_AND_REVIEW, Part, acting, demo_id, later

VENDOR = "vendor"
CONTRACT = "contract"


class Vendor(NamedTuple):
    """`ratings`: what an even-handed rater would say of security, reliability, data protection, finances, support."""

    key: str
    title: str
    category: str
    country: str
    spend: int
    criticality: str
    personal_data: bool
    ratings: str
    summary: str


class Contract(NamedTuple):
    """What the register knows, and after it what the document says."""

    key: str
    title: str
    vendor: str
    reference: str
    owner: str
    signed: str
    ends: str
    notice_days: int
    renews: bool
    value: int
    law: str
    payment: str


_VENDOR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["category", "country"],
    "properties": {
        "category": {
            "type": "string",
            "enum": ["infrastructure", "telephony", "software", "staffing", "logistics", "services"],
        },
        "country": {"type": "string", "minLength": 2, "maxLength": 60},
        "website": {"type": "string", "format": "uri"},
        "annual_spend_eur": {"type": "integer", "minimum": 0},
        "criticality": {"type": "string", "enum": ["low", "medium", "high", "critical"]},
        "holds_personal_data": {"type": "boolean"},
        "recommendation": {"type": "string", "enum": ["keep", "watch", "replace"]},
        "summary": {"type": "string", "maxLength": 4000},
    },
}
_VENDOR_FIELDS: dict[str, Any] = {
    "annual_spend_eur": {
        "label": "Annual spend (EUR)",
        "description": "Invoiced over the last twelve months.",
    },
    "holds_personal_data": {"label": "Holds personal data"},
    "recommendation": {"description": "What the last risk assessment came to."},
    "summary": {"widget": "textarea"},
}
_CONTRACT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reference"],
    "properties": {
        "reference": {"type": "string", "pattern": "^NW-[0-9]{4}-[0-9]{3}$"},
        "owner": {"type": "string", "maxLength": 120},
        "start_date": {"type": "string", "format": "date"},
        "end_date": {"type": "string", "format": "date"},
        "notice_days": {"type": "integer", "minimum": 0, "maximum": 365},
        "auto_renewal": {"type": "boolean"},
        "annual_value_eur": {"type": "number", "minimum": 0},
        "governing_law": {"type": "string", "maxLength": 80},
        "payment_terms": {"type": "string", "enum": ["14 days", "30 days", "60 days", "prepaid"]},
    },
}
_CONTRACT_FIELDS: dict[str, Any] = {
    "owner": {"label": "Responsible"},
    "notice_days": {"label": "Notice period", "unit": "days", "description": "Before the end of a term."},
    "auto_renewal": {"label": "Renews by itself"},
    "annual_value_eur": {"label": "Annual value (EUR)"},
    "vendor": {
        "label": "Vendor",
        "relation": {"target_type": VENDOR, "multiple": False, "relationship_type": "party"},
    },
}

VENDORS = [
    Vendor("halden", "Halden Cloud", "infrastructure", "Norway", 412000, "critical", True, "54443", "Runs the ticket system and its database in two regions. The only vendor with a seat in our incident channel."),
    Vendor("brightline", "Brightline Telephony", "telephony", "Ireland", 186500, "critical", True, "33432", "Voice lines and call recording for all five languages. Two long outages this year."),
    Vendor("corvid", "Corvid Analytics", "software", "Germany", 58000, "medium", True, "45434", "Dashboards over ticket data. Reads a nightly export, never the live system."),
    Vendor("papaya", "Papaya Staffing", "staffing", "Portugal", 240000, "high", True, "34345", "Seasonal agents for November to January, trained by us."),
    Vendor("lumen", "Lumen Translate", "software", "France", 39500, "high", True, "44354", "Machine translation of chats. Texts are deleted after 24 hours by contract."),
    Vendor("ostrava", "Ostrava Datacenters", "infrastructure", "Czechia", 97000, "high", False, "45543", "Second site for backups."),
    Vendor("kestrel", "Kestrel Security", "services", "United Kingdom", 64000, "high", False, "55445", "Penetration tests twice a year and an on-call line."),
    Vendor("mosaic", "Mosaic Surveys", "software", "Netherlands", 21000, "low", True, "33244", "Sends the satisfaction survey after a closed ticket."),
    Vendor("tidewater", "Tidewater Logistics", "logistics", "Denmark", 133000, "medium", True, "24333", "Returns and replacements in the Nordics."),
    Vendor("fernwood", "Fernwood Office", "services", "Sweden", 18000, "low", False, "34445", "Office supplies and furniture in Malmö."),
    Vendor("quill", "Quill Knowledge", "software", "Estonia", 47000, "high", False, "44444", "The knowledge base that the answer bot reads."),
    Vendor("redstone", "Redstone Payments", "services", "Luxembourg", 88000, "critical", True, "54553", "Refunds to cards and accounts."),
    Vendor("saltmarsh", "Saltmarsh Hosting", "infrastructure", "Ireland", 26000, "medium", True, "22322", "Hosts the old community forum, which is to be moved."),
    Vendor("vireo", "Vireo Mail", "software", "Germany", 34000, "high", True, "43434", "Outgoing mail for tickets and surveys."),
    Vendor("anchorage", "Anchorage Backup", "infrastructure", "Norway", 29000, "high", True, "55434", "Keeps encrypted copies for seven years."),
    Vendor("polder", "Polder Recruiting", "staffing", "Netherlands", 52000, "low", True, "33344", "Finds team leads; paid per placement."),
    Vendor("sable", "Sable Workforce", "software", "United States", 71000, "high", True, "43255", "Shift planning. Data leaves the EU under standard clauses."),
    Vendor("gannet", "Gannet Couriers", "logistics", "United Kingdom", 44000, "medium", True, "33423", "Express parcels to the islands."),
    Vendor("ember", "Ember Training", "services", "Finland", 23500, "low", False, "34345", "De-escalation courses for new agents."),
    Vendor("nimbus", "Nimbus Voice AI", "software", "United States", 112000, "high", True, "32234", "Transcribes calls. Under trial in two queues since spring."),
    Vendor("castell", "Castell Legal", "services", "Spain", 41000, "medium", True, "44554", "Outside counsel for consumer law."),
    Vendor("orchard", "Orchard Identity", "software", "Austria", 38000, "critical", True, "55444", "Single sign-on for everybody."),
    Vendor("drift", "Driftwood Archive", "services", "Denmark", 12500, "low", True, "23333", "Paper archive of the years before 2019."),
    Vendor("meridian", "Meridian Print", "logistics", "Poland", 16000, "low", True, "33343", "Prints and mails letters to customers without e-mail."),
]  # fmt: skip

CONTRACTS = [
    Contract("halden-hosting", "Hosting and operations", "halden", "NW-2023-004", "Mara Lindqvist", "2023-04-01", "2027-03-31", 180, True, 396000, "Norway", "30 days"),
    Contract("halden-support", "Premium support addendum", "halden", "NW-2024-011", "Mara Lindqvist", "2024-02-01", "2027-03-31", 90, True, 16000, "Norway", "30 days"),
    Contract("brightline-voice", "Voice services", "brightline", "NW-2022-019", "Tomás Okafor", "2022-09-15", "2026-09-14", 90, True, 162000, "Ireland", "30 days"),
    Contract("brightline-recording", "Call recording", "brightline", "NW-2023-007", "Tomás Okafor", "2023-06-01", "2026-12-31", 60, False, 24500, "Ireland", "30 days"),
    Contract("corvid-licence", "Analytics licence", "corvid", "NW-2024-003", "Jonas Weber", "2024-01-15", "2027-01-14", 30, True, 58000, "Germany", "prepaid"),
    Contract("papaya-frame", "Frame agreement, seasonal agents", "papaya", "NW-2021-002", "Priya Raman", "2021-10-01", "2026-09-30", 120, False, 240000, "Portugal", "60 days"),
    Contract("lumen-api", "Translation API", "lumen", "NW-2024-016", "Jonas Weber", "2024-05-01", "2027-04-30", 30, True, 39500, "France", "30 days"),
    Contract("ostrava-colo", "Colocation, hall 3", "ostrava", "NW-2020-009", "Mara Lindqvist", "2020-07-01", "2028-06-30", 365, True, 97000, "Czechia", "30 days"),
    Contract("kestrel-pentest", "Penetration testing", "kestrel", "NW-2025-001", "Mara Lindqvist", "2025-01-01", "2026-12-31", 60, False, 52000, "England and Wales", "30 days"),
    Contract("kestrel-oncall", "Incident on-call line", "kestrel", "NW-2025-002", "Mara Lindqvist", "2025-01-01", "2026-12-31", 60, True, 12000, "England and Wales", "30 days"),
    Contract("mosaic-surveys", "Survey subscription", "mosaic", "NW-2024-021", "Priya Raman", "2024-08-01", "2026-07-31", 30, True, 21000, "Netherlands", "prepaid"),
    Contract("tidewater-returns", "Returns handling", "tidewater", "NW-2023-013", "Priya Raman", "2023-11-01", "2026-10-31", 90, True, 133000, "Denmark", "14 days"),
    Contract("quill-kb", "Knowledge base subscription", "quill", "NW-2024-008", "Jonas Weber", "2024-03-01", "2027-02-28", 60, True, 47000, "Estonia", "prepaid"),
    Contract("redstone-psp", "Payment services", "redstone", "NW-2022-005", "Tomás Okafor", "2022-03-01", "2027-02-28", 180, True, 88000, "Luxembourg", "14 days"),
    Contract("saltmarsh-forum", "Forum hosting", "saltmarsh", "NW-2019-001", "Jonas Weber", "2019-05-01", "2026-04-30", 30, True, 26000, "Ireland", "30 days"),
    Contract("vireo-mail", "Mail delivery", "vireo", "NW-2023-018", "Jonas Weber", "2023-12-01", "2026-11-30", 30, True, 34000, "Germany", "30 days"),
    Contract("anchorage-vault", "Encrypted vault", "anchorage", "NW-2022-010", "Mara Lindqvist", "2022-05-01", "2029-04-30", 180, False, 29000, "Norway", "30 days"),
    Contract("polder-search", "Search and placement", "polder", "NW-2025-006", "Priya Raman", "2025-03-01", "2027-02-28", 30, False, 52000, "Netherlands", "14 days"),
    Contract("sable-planning", "Shift planning", "sable", "NW-2023-010", "Priya Raman", "2023-09-01", "2026-08-31", 90, True, 71000, "Delaware", "30 days"),
    Contract("gannet-express", "Express delivery", "gannet", "NW-2024-014", "Tomás Okafor", "2024-04-15", "2026-10-14", 45, True, 44000, "Scotland", "14 days"),
    Contract("nimbus-trial", "Transcription pilot", "nimbus", "NW-2026-001", "Tomás Okafor", "2026-03-01", "2026-12-31", 14, False, 112000, "Delaware", "30 days"),
    Contract("castell-retainer", "Retainer", "castell", "NW-2021-008", "Mara Lindqvist", "2021-01-01", "2026-12-31", 90, True, 41000, "Spain", "30 days"),
    Contract("orchard-sso", "Identity platform", "orchard", "NW-2024-001", "Mara Lindqvist", "2024-01-01", "2026-12-31", 90, True, 38000, "Austria", "prepaid"),
    Contract("meridian-letters", "Letter service", "meridian", "NW-2023-021", "Jonas Weber", "2023-12-15", "2026-12-14", 30, True, 16000, "Poland", "30 days"),
]  # fmt: skip


def vendor_id(key: str) -> UUID:
    return demo_id([vendor.key for vendor in VENDORS].index(key), f"vendor {key}")


def contract_id(key: str) -> UUID:
    return demo_id(100 + [contract.key for contract in CONTRACTS].index(key), f"contract {key}")


async def load(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        await types.create(
            admin, demo_id(0, "vendor type"), VENDOR, "Vendor", _VENDOR_SCHEMA, _VENDOR_FIELDS, {}
        )
        await types.create(
            admin, demo_id(1, "contract type"), CONTRACT, "Contract", _CONTRACT_SCHEMA, _CONTRACT_FIELDS, {}
        )
    async with acting(tx, "tomas.okafor") as reviewer:
        for vendor in VENDORS:
            await records.create(
                reviewer, vendor_id(vendor.key), VENDOR, vendor.title, _vendor_content(vendor), {}
            )
        for contract in CONTRACTS:
            await _add_contract(reviewer, contract)
    async with acting(tx, "mara.lindqvist") as admin:
        await _correct(admin, vendor_id("nimbus"), criticality="medium")
        await _correct(admin, vendor_id("saltmarsh"), criticality="low", annual_spend_eur=24800)


async def _add_contract(tx: Tx, contract: Contract) -> None:
    vendor = next(vendor for vendor in VENDORS if vendor.key == contract.vendor)
    entity_id = contract_id(contract.key)
    known = {"reference": contract.reference, "owner": contract.owner, "start_date": contract.signed}
    await records.create(tx, entity_id, CONTRACT, f"{vendor.title}: {contract.title}", known, {})
    relation_id = demo_id(200, f"party {contract.key}")
    await relations.connect(tx, entity_id, relation_id, "vendor", vendor_id(vendor.key))


def _vendor_content(vendor: Vendor) -> dict[str, Any]:
    return {
        "category": vendor.category,
        "country": vendor.country,
        "website": f"https://www.{vendor.key}.example",
        "annual_spend_eur": vendor.spend,
        "criticality": vendor.criticality,
        "holds_personal_data": vendor.personal_data,
        "summary": vendor.summary,
    }


async def _correct(tx: Tx, entity_id: UUID, **fields: Any) -> None:
    """A direct edit, so that some fields have a history from the start."""
    before = await records.access(tx, entity_id)
    await later(tx, hours=1)
    await records.edit(
        tx, entity_id, records.EntityChange(version=before.version, content=before.content | fields)
    )


async def has_none(tx: Tx) -> bool:
    return not await type_store.list_by_slug(tx, None, 1)


PARTS = [Part(PROPOSE_AND_REVIEW, load, is_absent=has_none, in_the_past=True)]
