"""The people, agents and keys of the demo workspace."""

from goldloop.kit.db import Tx
from goldloop.tenants.agents import service as agents
from goldloop.tenants.agents import store as agent_store
from goldloop.tenants.keys import service as keys
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Role

_MEMBERS = [
    ("mara.lindqvist@demo.goldloop.local", "Mara Lindqvist", Role.ADMIN),
    ("tomas.okafor@demo.goldloop.local", "Tomás Okafor", Role.REVIEWER),
    ("priya.raman@demo.goldloop.local", "Priya Raman", Role.REVIEWER),
    ("jonas.weber@demo.goldloop.local", "Jonas Weber", Role.CONTRIBUTOR),
    ("aiko.tanaka@demo.goldloop.local", "Aiko Tanaka", Role.VIEWER),
]
_AGENTS = [
    ("triage", "Ticket triage", "Reads new tickets, proposes a category, a priority and a team."),
    (
        "extractor",
        "Contract extractor",
        "Proposes field values from contracts, with the passages they come from.",
    ),
    ("answer-bot", "Answer bot", "Answers customers in chat from the knowledge base."),
]


async def load(tx: Tx) -> None:
    for email, name, role in _MEMBERS:
        if await member_store.find_by_email(tx, email) is None:
            await members.invite(tx, email, name, role)
    for slug, name, description in _AGENTS:
        if await agent_store.find_by_slug(tx, slug) is None:
            agent = await agents.create(tx, None, slug, name, description)
            await keys.create(
                tx,
                keys.NewKey(id=None, name=f"{name} in production", role=Role.CONTRIBUTOR, agent_id=agent.id),
            )
