"""The knowledge of the demo workspace: the records of the worked suites, and some that still need work.

The records name as their surface the views that `views/demo.py` lays out; product knowledge can also be rated by people,
on the dimensions of its rubric.
"""

from typing import Any
from uuid import UUID

from goldloop.artifact_evals.loops import KnowledgeSafetyClass
from goldloop.artifact_evals.suites import SUITES
from goldloop.artifact_evals.suites.fragments import make_record, signed, source, unsigned
from goldloop.artifact_evals.suites.pf_knowledge.loop import SLUG as PF_KNOWLEDGE
from goldloop.artifact_runs.suite_service import make_criteria_set
from goldloop.entities.records import service as records
from goldloop.entities.types import service as types
from goldloop.entities.types import store as type_store
from goldloop.kit.db import Tx
from goldloop.tenants.demo import Part, acting, demo_id

NEEDS_WORK = (
    make_record(
        "evidence-claim",
        "claim-standing-desks",
        "Standing desks and back pain",
        status="published",
        statement="Standing for half of the shift lowers back pain within a month.",
        summary="Written down after the fair in Malmö; the study that was mentioned there was never found.",
        population="Agents at fixed desks",
        intervention="Standing for half of the shift",
        outcome="Back pain after four weeks",
        effect={"direction": "better", "size": "unknown"},
        certainty="low",
        limitations="No study at hand.",
        implication="Order height-adjustable desks for the chat team in Malmö.",
        evidence=[source("a talk at the fair", "Ergonomics fair")],
        **signed(KnowledgeSafetyClass.SENSITIVE, "Dr Ines Aalto"),
        surface="view:evidence-desk",
    ),
    make_record(
        "therapy-plan",
        "plan-shoulder",
        "OH-2071: stiff shoulder",
        status="active",
        case_reference="OH-2071",
        indication="Stiff left shoulder for three weeks",
        goal="Lift the arm above the head without pain by week five.",
        summary="Begun in a hurry before the holidays; the signature is missing.",
        steps=[
            {"action": "Swing the arm with a light weight for two minutes", "frequency": "daily", "owner": "the person"},
            {"action": "Move the screen to eye level as needed", "frequency": "once", "owner": "facilities"},
        ],
        contraindications=["Dislocation within the last year"],
        escalation={"when": "Call the clinic if the arm turns cold or numb.", "contact": "Brack Clinic, shoulder desk"},
        evidence=[source("doi:10.5555/ohs.2018.207", "Pendulum exercises for stiff shoulders")],
        **unsigned(KnowledgeSafetyClass.CLINICAL),
        surface="view:care-plans",
    ),
    make_record(
        "pf_idea",
        "idea-bot-tone",
        "A warmer tone for the answer bot",
        status="accepted",
        problem="Some customers find the answer bot curt.",
        proposal="Let the bot begin with a sentence about what the customer wrote.",
        who_benefits="Customers who chat at night",
        affected_per_month=400,
        next_step="Look into the tone of the bot.",
        signals=[source("NW-T-49102", "Is there nobody at home? (ticket)")],
        safety_class="operational",
        review_required=True,
        decided_by="triage",
        decided_by_kind="agent",
        surface="view:idea-board",
    ),
    make_record(
        "pf_knowledge",
        "know-card-decline",
        "Cards that are declined twice",
        status="published",
        topic="Cards that are declined twice",
        insight="A second decline within an hour is nearly always the bank's limit, not a wrong number.",
        applies_to=["billing"],
        guidance=["Ask the customer to try again after midnight, when the limit is new."],
        confidence=0.6,
        sources=[
            {"source": "RS-T-20117", "title": "Redstone's own ticket on limits", "workspace": "redstone"},
            source("NW-T-48655", "Card declined twice (ticket)"),
        ],
        **signed(KnowledgeSafetyClass.SENSITIVE, "Tomás Okafor"),
        surface="view:product-knowledge",
    ),
)  # fmt: skip

RECORDS: tuple[dict[str, Any], ...] = (
    *(fixture.record for suite in SUITES for fixture in suite.fixtures if fixture.fails_dimension is None),
    *NEEDS_WORK,
)
_PLACES = {record["id"]: place for place, record in enumerate(RECORDS)}


def record_id(key: str) -> UUID:
    return demo_id(520 + _PLACES[key], key)


ARTIFACTS = "artifact evals"  # the flow, which views add to


async def has_none(tx: Tx) -> bool:
    """No type of these names: a visitor may have made one of them."""
    for suite in SUITES:
        if await type_store.find(tx, suite.name):
            return False
    return True


async def load(tx: Tx) -> None:
    async with acting(tx, "mara.lindqvist") as admin:
        for place, suite in enumerate(SUITES):
            if (kind := suite.entity_type) is not None:
                await types.create(
                    admin,
                    demo_id(500 + place, f"{kind.slug} type"),
                    kind.slug,
                    kind.name,
                    kind.json_schema,
                    kind.field_configs,
                    {},
                )
        await make_criteria_set(admin, PF_KNOWLEDGE)
    async with acting(tx, "priya.raman") as reviewer:
        for record in RECORDS:
            await records.create(
                reviewer,
                record_id(record["id"]),
                record["type"],
                record["title"],
                _linked(record["content"]),
                {},
            )


def _linked(content: dict[str, Any]) -> dict[str, Any]:
    """Links between the records by their ids in this workspace."""

    def link(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [
            {**item, "id": str(record_id(item["id"]))} if isinstance(item, dict) and "id" in item else item
            for item in value
        ]

    return {name: link(value) for name, value in content.items()}


PARTS = [Part(ARTIFACTS, load, is_absent=has_none)]
