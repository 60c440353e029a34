"""Who somebody acts as: actors of the system, of members and of agents, and those of keys and sessions. Pure."""

from typing import Any
from uuid import UUID

from goldloop.kit.db import Actor, ActorKind
from goldloop.kit.errors import Unauthenticated
from goldloop.tenants import roles
from goldloop.tenants.auth.model import KeyHolder, SignedIn
from goldloop.tenants.model import Agent, Member, Role


def system_actor(tenant_id: UUID, name: str = "system") -> Actor:
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.SYSTEM,
        id=None,
        name=name,
        permissions=roles.SYSTEM,
        role=Role.OWNER,
    )


def member_actor(tenant_id: UUID, member: Member) -> Actor:
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.USER,
        id=member.user_id,
        name=member.name,
        permissions=roles.permissions(member.role),
        role=member.role,
    )


def agent_actor(tenant_id: UUID, agent: Agent, role: Role) -> Actor:
    """An agent has no role of its own: it has that of the key by which it acts."""
    return Actor(
        tenant_id=tenant_id,
        kind=ActorKind.AGENT,
        id=agent.id,
        name=agent.name,
        permissions=roles.permissions(role),
        role=role,
    )


def key_holder(row: Any) -> KeyHolder:
    if row is None:
        raise Unauthenticated("This API key is not known")
    if row["revoked_at"]:
        raise Unauthenticated("This API key was revoked")
    role = Role(row["key_role"])
    if row["agent_id"]:
        if not row["agent_active"]:
            raise Unauthenticated("The agent that this API key belongs to is not active")
        kind, actor_id, name = ActorKind.AGENT, row["agent_id"], row["agent_name"]
    else:
        if not row["user_role"]:
            raise Unauthenticated("The person whom this API key belongs to is no member any more")
        kind, actor_id, name = ActorKind.USER, row["user_id"], row["user_name"]
        role = roles.lower(role, Role(row["user_role"]))  # a key never outranks its person
    actor = Actor(
        tenant_id=row["tenant_id"],
        kind=kind,
        id=actor_id,
        name=name,
        permissions=roles.permissions(role, row["scopes"]),
        key_id=row["key_id"],
        role=role,
    )
    return KeyHolder(
        actor=actor,
        tenant_slug=row["tenant_slug"],
        expires_at=row["expires_at"],
        last_used_at=row["last_used_at"],
    )


def signed_in(row: Any) -> SignedIn:
    actor = None
    if row["tenant_id"]:
        actor = Actor(
            tenant_id=row["tenant_id"],
            kind=ActorKind.USER,
            id=row["user_id"],
            name=row["user_name"],
            permissions=roles.permissions(Role(row["role"])),
            role=row["role"],
        )
    return SignedIn(
        account_id=row["account_id"],
        email=row["email"],
        name=row["account_name"],
        expires_at=row["expires_at"],
        workspaces=row["workspaces"],
        actor=actor,
    )
