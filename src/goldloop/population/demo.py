"""Runs of the demo workspace's agents: contracts that were read well and badly, a run that found no end, one that asks. They
are run by the same code as any other, on models that follow a script.
"""

from collections.abc import Mapping
from uuid import UUID

from goldloop.agents import service as configurations
from goldloop.agents import store as configuration_store
from goldloop.agents.model import AgentConfig, Limits
from goldloop.entities.demo import CONTRACTS, Contract, contract_id
from goldloop.entities.records import store as records
from goldloop.kit import moments
from goldloop.kit.clock import now
from goldloop.kit.db import Database, Tx
from goldloop.kit.outside import Outside
from goldloop.population import service
from goldloop.population.demo_scripts import ANSWERS, READER, TRIAGE
from goldloop.population.model import Document, Material
from goldloop.promotion import service as promotion
from goldloop.responses import service as responses
from goldloop.responses.demo import PASSAGES, document_says
from goldloop.responses.model import EntityResponse, ResponseStatus
from goldloop.runtimes import jobs as runs
from goldloop.runtimes.scripted_models import PROVIDER
from goldloop.sessions import service as sessions
from goldloop.sessions import store as session_store
from goldloop.sessions.beginning import NewSession
from goldloop.tasks import service as tasks
from goldloop.tasks.model import Schedule
from goldloop.tasks.service import NewTask
from goldloop.tenants.agents import store as agents
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.demo import Part, acting, demo_id

RUNS = "runs of agents"  # the flow
GOOD, BAD = "castell-retainer", "orchard-sso"  # contracts that nobody had read
EXTRACTED = demo_id(910, "session that read the retainer")
MISREAD = demo_id(911, "session that misread the identity platform")
ENDLESS = demo_id(912, "session that found no end")
ASKING = demo_id(913, "session that asks")

_WEEKLY = NewTask(
    name="Read the contracts that wait for review",
    kind="populate_fields",
    agent="extractor",
    config={"type": "contract", "waits": True},
    schedule=Schedule(cron="0 7 * * 1", timezone="Europe/Stockholm"),
    enabled=False,  # whoever looks around decides
    id=demo_id(914, "weekly task"),
)
_CONFIGS: Mapping[str, AgentConfig] = {
    "extractor": AgentConfig(
        model=f"{PROVIDER}:{READER}",
        instructions="Read contracts for the people of procurement. Name the passage that each value comes from.",
        tool_groups=["entities-read", "responses"],
    ),
    "triage": AgentConfig(
        model=f"{PROVIDER}:{TRIAGE}",
        instructions="Find the record that a ticket is about.",
        tool_groups=["entities-read"],
        limits=Limits(requests=6),
    ),
    "answer-bot": AgentConfig(
        model=f"{PROVIDER}:{ANSWERS}",
        instructions="Answer customers from what the records say. Ask a colleague before you promise anything.",
        tool_groups=["entities-read", "people"],
    ),
}


def make_document(key: str, before: str = "") -> Document:
    """A contract as it was signed, with another passage before those that matter."""
    contract = _contract(key)
    values = document_says(contract)
    passages = [passage.format(values[key]) for key, (_, passage) in PASSAGES.items()]
    return Document(title=f"{contract.reference} signed.pdf", text="\n".join([before, *passages]).strip())


async def has_none(tx: Tx) -> bool:
    return await session_store.find(tx, EXTRACTED) is None and await _has_records(tx)


async def _has_records(tx: Tx) -> bool:
    return await records.find(tx, contract_id(GOOD)) is not None


async def load(tx: Tx) -> None:
    """What the agents run with, and their sessions, queued: `play` runs them."""
    async with acting(tx, "mara.lindqvist") as admin:
        for slug, config in _CONFIGS.items():
            agent = await agents.find_by_slug(tx, slug)
            if agent is not None and await configuration_store.find_newest(tx, agent.id) is None:
                await configurations.configure(admin, agent.id, config, "First configuration", 0)
        await tasks.create(admin, _WEEKLY)
    async with acting(tx, "jonas.weber") as contributor:
        racks = "Racks are moved with a notice of 30 days before the date of moving."
        await _populate(contributor, EXTRACTED, GOOD, make_document(GOOD))
        await _populate(contributor, MISREAD, BAD, make_document(BAD, racks))
        await _start(contributor, ENDLESS, "triage", "Ticket 51203: the parcel of a customer in Lund is late again. Which vendor is it about?")  # fmt: skip
        await _start(contributor, ASKING, "answer-bot", "Do you refund the express fee of a parcel that came two days late?")  # fmt: skip


def _contract(key: str) -> Contract:
    return next(contract for contract in CONTRACTS if contract.key == key)


async def _populate(tx: Tx, session_id: UUID, contract: str, document: Document) -> None:
    material = Material(documents=[document])
    await service.populate(
        tx, contract_id(contract), material, service.Start(agent="extractor", id=session_id)
    )


async def _start(tx: Tx, session_id: UUID, agent: str, message: str) -> None:
    await sessions.start(tx, NewSession(agent=agent, input={"message": message}, id=session_id))


async def play(db: Database, outside: Outside, tenant_id: UUID) -> None:
    """Run what waits to be run."""
    for session_id in (EXTRACTED, MISREAD, ENDLESS, ASKING):
        await runs.run(db, system_actor(tenant_id, "demo"), outside, run_id=str(session_id))


async def review(tx: Tx) -> None:
    """What people think of what the agents found."""
    await moments.set_to(tx, now())
    good, bad = await find_submitted(tx, GOOD, EXTRACTED), await find_submitted(tx, BAD, MISREAD)
    async with acting(tx, "tomas.okafor") as reviewer:
        if good is not None:
            await promotion.promote(reviewer, contract_id(GOOD), good, ["end_date", "governing_law"], None)
    async with acting(tx, "priya.raman") as reviewer:
        if bad is not None:
            notes = "notice_days: the 30 days are for moving racks. The contract ends with a notice of 90 days (section 7)."
            await responses.review(reviewer, contract_id(BAD), bad, ResponseStatus.REJECTED, notes)


async def find_submitted(tx: Tx, contract: str, session_id: UUID) -> UUID | None:
    """The open response of the session that read a contract."""
    page = await responses.list_responses(tx, contract_id(contract), None, None, None, 50)
    found = page.read(EntityResponse).data
    return next((response.id for response in found if _is_of(response, session_id)), None)


def _is_of(response: EntityResponse, session_id: UUID) -> bool:
    sessions_of = {meta.get("session_id") for meta in response.field_meta.values()}
    return response.status is ResponseStatus.SUBMITTED and str(session_id) in sessions_of


PARTS = [Part(RUNS, load, is_absent=has_none, play=play, after=review)]
