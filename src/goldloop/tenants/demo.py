"""The people, agents and keys of the demo workspace, and how the demo of every other concept acts in their name."""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from goldloop.kit import moments
from goldloop.kit.db import Actor, Database, Tx
from goldloop.kit.ids import id_at
from goldloop.kit.outside import Outside
from goldloop.tenants.agents import service as agents
from goldloop.tenants.agents import store as agent_store
from goldloop.tenants.auth.actors import agent_actor, member_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.keys import store as key_store
from goldloop.tenants.members import service as members
from goldloop.tenants.members import store as member_store
from goldloop.tenants.model import Role
from goldloop.tenants.workspaces import service as workspaces

Step = Callable[[Tx], Awaitable[None]]
Play = Callable[[Database, Outside, UUID], Awaitable[None]]


class Round(NamedTuple):
    play: Play
    after: Step


class Part(NamedTuple):
    """What a concept adds to a flow of the demo workspace. A flow is loaded where all of its parts that can
    tell are absent; one with a part `in_the_past` begins some weeks ago, and goes on by `later`. What a part has to
    `play` comes when everything is stored, with what a worker has, and `after` that what people make of it; `then` are
    further rounds of the two."""

    flow: str
    load: Step
    is_absent: Callable[[Tx], Awaitable[bool]] | None = None
    in_the_past: bool = False
    play: Play | None = None
    after: Step | None = None
    then: Sequence[Round] = ()


PROPOSE_AND_REVIEW = "propose and review"  # the flow of the first records, which several concepts add to

_DOMAIN = "demo.goldloop.local"
_MEMBERS = [
    ("mara.lindqvist", "Mara Lindqvist", Role.ADMIN),
    ("tomas.okafor", "Tomás Okafor", Role.REVIEWER),
    ("priya.raman", "Priya Raman", Role.REVIEWER),
    ("jonas.weber", "Jonas Weber", Role.CONTRIBUTOR),
    ("ines.aalto", "Dr Ines Aalto", Role.REVIEWER),
    ("noor.haddad", "Noor Haddad", Role.CONTRIBUTOR),
    ("aiko.tanaka", "Aiko Tanaka", Role.VIEWER),
]
_AGENTS = [
    ("triage", "Ticket triage", "Reads new tickets, proposes a category, a priority and a team."),
    (
        "extractor",
        "Contract extractor",
        "Proposes field values from contracts, with the passages they come from.",
    ),
    (
        "evidence-reader",
        "Evidence reader",
        "Reads studies and reports, and rates how far each of them can be relied on.",
    ),
    ("answer-bot", "Answer bot", "Answers customers in chat from the knowledge base."),
]
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)  # ids of the demo sort before those of what a visitor adds


async def load(tx: Tx, password: str | None) -> None:
    """With a password the people are there; without one they are invited."""
    for local, name, role in _MEMBERS:
        email = f"{local}@{_DOMAIN}"
        if await member_store.find_by_email(tx, email) is None:
            invitation = await members.invite(tx, email, name, role)
            if password:
                await workspaces.set_first_password(tx, invitation.member, password)
    for slug, name, description in _AGENTS:
        if await agent_store.find_by_slug(tx, slug) is None:
            agent = await agents.create(tx, None, slug, name, description)
            await keys.create(
                tx,
                keys.NewKey(id=None, name=f"{name} in production", role=Role.CONTRIBUTOR, agent_id=agent.id),
            )


async def date_back(tx: Tx, since: datetime) -> None:
    """Who was made in this transaction has been here since then."""
    await member_store.date_back(tx, since)
    await agent_store.date_back(tx, since)
    await key_store.date_back(tx, since)


def demo_id(place: int, name: str) -> UUID:
    """The same id for the same name on every installation; by `place` they sort as if made one after the other."""
    milliseconds = int(_BEGINNING.timestamp() * 1000) + place
    return id_at(milliseconds, hashlib.sha256(name.encode()).digest()[:10])


async def later(tx: Tx, *, hours: float) -> None:
    """What comes next happened that much after what came before."""
    await moments.advance(tx, timedelta(hours=hours))


@asynccontextmanager
async def acting(tx: Tx, who: str) -> AsyncIterator[Tx]:
    """The same transaction in the name of a member (`priya.raman`) or an agent (`extractor`).

    Somebody whom a visitor has removed is played by the system."""
    actor = await _find_actor(tx, who) or tx.actor
    yield await tx.acting_as(actor)
    await tx.acting_as(tx.actor)


async def _find_actor(tx: Tx, who: str) -> Actor | None:
    member = await member_store.find_by_email(tx, f"{who}@{_DOMAIN}")
    if member is not None:
        return member_actor(tx.actor.tenant_id, member)
    agent = await agent_store.find_by_slug(tx, who)
    return agent_actor(tx.actor.tenant_id, agent, Role.CONTRIBUTOR) if agent else None
