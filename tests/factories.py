"""Makes what tests need, through the same use cases that a user's request runs."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import IPv6Address
from typing import Any
from uuid import UUID

import httpx
from argon2 import PasswordHasher

from goldloop.kit.db import Actor, Database
from goldloop.kit.ids import new_id
from goldloop.tenants.agents import service as agents
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.keys import service as keys
from goldloop.tenants.members import service as members
from goldloop.tenants.model import Agent, ApiKey, Role
from goldloop.tenants.workspaces import service as workspaces

PASSWORD = "correct horse battery"
ROOT = "http://goldloop.test"
# Of PASSWORD, with little work: a password is checked with the parameters of the hash that is stored.
PASSWORD_HASH = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)


def browser(app: Any) -> httpx.AsyncClient:
    """A client that keeps cookies, from a network address of its own (attempts to sign in count by address)."""
    address = str(IPv6Address(new_id().int))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 40000)), base_url=ROOT)


async def sign_in(client: httpx.AsyncClient, email: str, password: str = PASSWORD) -> httpx.Response:
    """Signs in as the web UI does: the CSRF token goes with every later request."""
    answer = await client.post("/api/session", json={"email": email, "password": password})
    if answer.status_code == 201:
        client.headers["X-Goldloop-CSRF"] = answer.json()["csrf_token"]
    return answer


@dataclass(frozen=True)
class Person:
    """A member who can sign in with PASSWORD."""

    id: UUID
    email: str


@dataclass
class Workspace:
    """One tenant with an owner. `db` runs with the worker's role, `app` is the HTTP application."""

    db: Database
    app: Any
    id: UUID
    slug: str
    owner_email: str
    owner_id: UUID
    _clients: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def system(self) -> Actor:
        return system_actor(self.id)

    async def make_agent(self, slug: str | None = None) -> Agent:
        slug = slug or f"agent-{new_id().hex[-12:]}"
        async with self.db.tx(self.system) as tx:
            return await agents.create(tx, None, slug, slug, "")

    @property
    def owner(self) -> Person:
        return Person(self.owner_id, self.owner_email)

    async def make_member(self, role: Role = Role.VIEWER) -> UUID:
        return (await self.make_person(role)).id

    async def invite(self, role: Role = Role.VIEWER, email: str | None = None) -> members.Invitation:
        """A member who has not joined."""
        async with self.db.tx(self.system) as tx:
            return await members.invite(tx, email or f"{new_id().hex}@goldloop.test", None, role)

    async def make_person(self, role: Role = Role.VIEWER, email: str | None = None) -> Person:
        async with self.db.tx(self.system) as tx:
            invitation = await members.invite(tx, email or f"{new_id().hex}@goldloop.test", None, role)
            await tx.fetchval(
                "SELECT set_first_password($1, $2, $3)",
                invitation.member.user_id,
                PASSWORD_HASH,
                invitation.member.name,
            )
        return Person(invitation.member.user_id, invitation.member.email)

    async def browser(self) -> httpx.AsyncClient:
        """A browser in which nobody is signed in."""
        return await self._clients.enter_async_context(browser(self.app))

    async def signed_in(self, person: Person | None = None) -> httpx.AsyncClient:
        """A browser in which a person (the owner) is signed in."""
        client = await self.browser()
        assert (await sign_in(client, (person or self.owner).email)).status_code == 201
        return client

    async def make_key(
        self,
        role: Role = Role.OWNER,
        *,
        scopes: list[str] | None = None,
        agent_id: UUID | None = None,
        user_id: UUID | None = None,
        expires_at: datetime | None = None,
        name: str = "test",
    ) -> tuple[ApiKey, str]:
        """A key of the owner unless told otherwise; returns it with its secret."""
        holder = None if agent_id else user_id or self.owner_id
        async with self.db.tx(self.system) as tx:
            made = await keys.create(
                tx,
                keys.NewKey(
                    id=None,
                    name=name,
                    role=role,
                    agent_id=agent_id,
                    user_id=holder,
                    scopes=scopes,
                    expires_at=expires_at,
                ),
            )
        assert made.secret is not None
        return made.key, made.secret

    async def client(self, role: Role = Role.OWNER, **key: Any) -> httpx.AsyncClient:
        """An HTTP client that holds a new key."""
        _, secret = await self.make_key(role, **key)
        return await self.client_with(secret)

    async def client_with(self, secret: str) -> httpx.AsyncClient:
        return await self._clients.enter_async_context(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(self.app),
                base_url=ROOT,
                headers={"Authorization": f"Bearer {secret}"},
            )
        )


@asynccontextmanager
async def make_workspace(db: Database, app: Any = None, slug: str | None = None) -> AsyncIterator[Workspace]:
    slug = slug or f"t-{new_id().hex}"
    email = f"owner-{slug}@goldloop.test"
    made = await workspaces.create(db, slug, f"Workspace {slug}", email, None)
    async with db.tx(system_actor(made.workspace.id)) as tx:
        await tx.fetchval(
            "SELECT set_first_password($1, $2, $3)", made.owner.user_id, PASSWORD_HASH, made.owner.name
        )
    workspace = Workspace(
        db=db,
        app=app,
        id=made.workspace.id,
        slug=slug,
        owner_email=email,
        owner_id=made.owner.user_id,
    )
    async with workspace._clients:
        yield workspace
