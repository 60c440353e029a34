"""Use case: knowledge that another system kept as lists under keys, each item a row that a person stands for."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid5

import msgspec

from goldloop.entities.model import EntityTypeNotFound
from goldloop.feedback.imports.kind_service import ImportKind, Written, register
from goldloop.kit.db import Tx
from goldloop.knowledge.imports.legacy import LegacyItem, LegacyRow, read
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import service, store
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.tenants.model import AgentNotFound

NAME = "shared-context"
METHOD = "import"


def _items(tx: Tx, batch: Sequence[LegacyRow]) -> dict[UUID, LegacyItem]:
    return {uuid5(tx.actor.tenant_id, item.key): item for row in batch for item in row.items}


async def count(tx: Tx, batch: Sequence[LegacyRow]) -> Written:
    items = _items(tx, batch)
    there = await store.list_there(tx, list(items))
    return Written(len(items) - len(there), len(there))


async def write(tx: Tx, batch: Sequence[LegacyRow]) -> Written:
    tx.actor.check(KNOWLEDGE_MANAGE)
    counted = await count(tx, batch)
    there = await store.list_there(tx, list(_items(tx, batch)))
    for row_id, item in _items(tx, batch).items():
        if row_id not in there:
            await service.add(tx, await _new(tx, row_id, item))
    return counted


async def _new(tx: Tx, row_id: UUID, item: LegacyItem) -> NewKnowledge:
    """Where the agent or the entity type is not there, it holds for all, and says so."""
    agent_id, entity_type_id, legacy = item.agent_id, item.entity_type_id, dict(item.legacy)
    try:
        await service.check_scope(tx, agent_id, entity_type_id)
    except (AgentNotFound, EntityTypeNotFound):
        legacy |= {
            "agent_id": agent_id and str(agent_id),
            "entity_type_id": entity_type_id and str(entity_type_id),
        }
        agent_id = entity_type_id = None
    return NewKnowledge(
        type=item.type,
        content=item.content,
        context=item.context,
        agent_id=agent_id,
        entity_type_id=entity_type_id,
        metadata={"method": METHOD, "legacy": legacy},
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
