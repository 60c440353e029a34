"""The single source of a party's name (user, agent or system), in Python and in SQL. The only writer of `parties`.

Names are the workspace's own rows and stay when somebody leaves. They are read by a piece of the statement and not by
a function, which PostgreSQL would run as a query of its own for every row.
"""

from uuid import UUID

from goldloop.kit.db import Actor, ActorKind, Tx
from goldloop.tenants.model import Party


def name_sql(tenant: str, kind: str, party_id: str) -> str:
    """An expression for the name of a user, an agent or the system; null for who has none in this tenant."""
    return f"""CASE WHEN {kind} IN ('user', 'agent') THEN
        (SELECT p.name FROM parties p WHERE p.tenant_id = {tenant} AND p.kind = {kind} AND p.id = {party_id})
        ELSE 'system' END"""


async def set_name(tx: Tx, kind: ActorKind, party_id: UUID, name: str) -> None:
    await tx.execute(
        """
        INSERT INTO parties (tenant_id, kind, id, name) VALUES ($1, $2, $3, $4)
        ON CONFLICT (tenant_id, kind, id) DO UPDATE SET name = excluded.name
        """,
        tx.actor.tenant_id,
        kind,
        party_id,
        name,
    )


def party_of(actor: Actor) -> Party:
    """The actor of a transaction as a party."""
    name = ActorKind.SYSTEM if actor.kind is ActorKind.SYSTEM else actor.name
    return Party(kind=actor.kind.value, id=actor.id, name=str(name))


def is_by(party: Party, actor: Actor) -> bool:
    """Whether a party is the actor. Kind and id are compared: a person and an agent may have the same id."""
    return (party.kind, party.id) == (actor.kind, actor.id)
