"""How the one who did something is called: the single source of it, in Python and in SQL. Pure.

A piece of the statement and not a function, which PostgreSQL would run as a query of its own for every row.
"""

from goldloop.kit.db import Actor, ActorKind
from goldloop.tenants.model import Party

_TENANT = "nullif(current_setting('app.tenant', true), '')::uuid"


def name_sql(kind: str, party_id: str) -> str:
    """An expression for the name of a user, an agent or the system; null for who is gone."""
    return f"""CASE {kind}
        WHEN 'user' THEN (SELECT pu.name FROM users pu WHERE pu.id = {party_id})
        WHEN 'agent' THEN (SELECT pa.name FROM agents pa WHERE pa.tenant_id = {_TENANT} AND pa.id = {party_id})
        ELSE 'system' END"""


def party_of(actor: Actor) -> Party:
    """Whoever acts, as the rows that they write will show them."""
    name = ActorKind.SYSTEM if actor.kind is ActorKind.SYSTEM else actor.name
    return Party(kind=actor.kind.value, id=actor.id, name=str(name))


def is_by(party: Party, actor: Actor) -> bool:
    """Whether they are the same. An id alone does not tell: a person and an agent may have the same."""
    return (party.kind, party.id) == (actor.kind, actor.id)
