"""The single source of a party's name (user, agent or system), in Python and in SQL. The only writer of `parties`.

Names are the workspace's own rows and stay when somebody leaves. Beside the workspace's data they are read by a piece of
the statement and not by a function, which PostgreSQL would run as a query of its own for every row. What stays on the
coordinator of a sharded database (members, agents, keys, jobs) is not joined with them: there they come by a second query.
"""

from collections.abc import Iterable
from uuid import UUID

from goldloop.kit.db import Actor, ActorKind, Tx
from goldloop.kit.json_rows import json_object, json_text, json_word
from goldloop.tenants.model import Party


def name_sql(tenant: str, kind: str, party_id: str) -> str:
    """An expression for the name of a user, an agent or the system; null for who has none in this tenant. An id that is one of
    two is told by CASE and not by COALESCE, which PostgreSQL does not count among what tells nothing of rows under a policy: it
    would not look it up in an index, and read all names for each."""
    assert "coalesce(" not in party_id.lower(), party_id
    return f"""CASE WHEN {kind} IN ('user', 'agent') THEN
        (SELECT p.name FROM parties p WHERE p.tenant_id = {tenant} AND p.kind = {kind} AND p.id = {party_id})
        ELSE 'system' END"""


def party_json(kind: str, party_id: str, name: str) -> str:
    """An expression for the JSON of a party, of expressions for what it has."""
    return json_object(Party, "", kind=json_word(kind), id=json_word(party_id), name=json_text(name))


Parties = dict[tuple[str, UUID | None], Party]  # by kind and id


async def find_parties(tx: Tx, wanted: Iterable[tuple[str, UUID | None]]) -> Parties:
    """Each of those with their name, in one query."""
    keys = set(wanted)
    kinds, ids = [kind for kind, _ in keys], [party_id for _, party_id in keys]
    rows = await tx.fetch(
        """
        SELECT p.kind, p.id, p.name FROM parties p
        WHERE p.tenant_id = $1 AND (p.kind, p.id) IN (SELECT w.kind, w.id FROM unnest($2::text[], $3::uuid[]) w (kind, id))
        """,
        tx.actor.tenant_id,
        kinds,
        ids,
    )
    names: dict[tuple[str, UUID | None], str] = {(row["kind"], row["id"]): row["name"] for row in rows}
    return {key: Party(kind=key[0], id=key[1], name=_name(key, names)) for key in keys}  # type: ignore[arg-type]


def _name(key: tuple[str, UUID | None], names: dict[tuple[str, UUID | None], str]) -> str | None:
    return names.get(key) if key[0] in (ActorKind.USER, ActorKind.AGENT) else str(ActorKind.SYSTEM)


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
