"""Use case: knowledge that another system kept as lists under keys, each item a row that a person stands for."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.entities.types import store as types
from goldloop.feedback.imports.kind_service import ImportKind, Written, register
from goldloop.kit.db import Tx
from goldloop.knowledge.imports.legacy import LegacyItem, LegacyRow, read
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import service, store
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.tenants.agents import store as agents

NAME = "shared-context"
METHOD = "import"


class Found(NamedTuple):
    """Items by the ids of their rows, where they hold, and what is left out: its place in the batch, and why."""

    items: dict[UUID, LegacyItem]
    scopes: dict[UUID, tuple[UUID | None, UUID | None]]
    rejects: list[tuple[int, str]]


async def _find(tx: Tx, batch: Sequence[LegacyRow]) -> Found:
    """What was written for an agent or a type that is not here is left out: it was never meant for all."""
    found = Found({}, {}, [])
    for place, row in enumerate(batch):
        for item in row.items:
            row_id = uuid5(tx.actor.tenant_id, item.key)
            agent_id, entity_type_id = _uuid(item.agent_id), _uuid(item.entity_type_id)
            if item.agent_id is not None and (agent_id is None or await agents.find(tx, agent_id) is None):
                found.rejects.append((place, f"{_name(item)}: there is no agent {item.agent_id}"))
            elif item.entity_type_id is not None and (
                entity_type_id is None or await types.find_by_id(tx, entity_type_id) is None
            ):
                found.rejects.append((place, f"{_name(item)}: there is no type {item.entity_type_id}"))
            else:
                found.items[row_id], found.scopes[row_id] = item, (agent_id, entity_type_id)
    return found


def _name(item: LegacyItem) -> str:
    return f"item {item.legacy['position']}"


def _uuid(value: str | None) -> UUID | None:
    try:
        return UUID(value) if value is not None else None
    except ValueError:
        return None


async def count(tx: Tx, batch: Sequence[LegacyRow]) -> Written:
    found = await _find(tx, batch)
    there = await store.list_there(tx, list(found.items))
    return Written(len(found.items) - len(there), len(there), found.rejects)


async def write(tx: Tx, batch: Sequence[LegacyRow]) -> Written:
    tx.actor.check(KNOWLEDGE_MANAGE)
    found = await _find(tx, batch)
    there = await store.list_there(tx, list(found.items))
    for row_id, item in found.items.items():
        if row_id not in there:
            await service.add(tx, _new(row_id, item, *found.scopes[row_id]))
    return Written(len(found.items) - len(there), len(there), found.rejects)


def _new(row_id: UUID, item: LegacyItem, agent_id: UUID | None, entity_type_id: UUID | None) -> NewKnowledge:
    return NewKnowledge(
        type=item.type,
        content=item.content,
        context=item.context,
        agent_id=agent_id,
        entity_type_id=entity_type_id,
        metadata={"method": METHOD, "legacy": item.legacy},
        reason="It was active elsewhere",
        id=row_id,
        at=item.created_at,
    )


def show(row: LegacyRow) -> dict[str, Any]:
    return {"key": row.key, "items": [msgspec.to_builtins(item._asdict()) for item in row.items[:3]]}


register(
    ImportKind(
        name=NAME,
        permission=KNOWLEDGE_MANAGE,
        read=lambda row, rules: read(row),
        count=count,
        write=write,
        show=show,
    )
)
