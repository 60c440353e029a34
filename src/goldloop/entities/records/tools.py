"""What agents may call to read records: `searchEntities`, `getEntity`."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.entities.model import Entity
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import service
from goldloop.entities.records.ordering import Sort
from goldloop.kit.db import Tx
from goldloop.kit.tools import plain, tool

GROUP = "entities-read"
MOST_FOUND = 20  # records of an answer: a model reads all of them


class SearchEntities(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    query: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    type: Annotated[str, msgspec.Meta(max_length=63)] | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_FOUND)] = 10


class GetEntity(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    entity_id: UUID


class EntityRead(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: UUID
    type: str
    title: str
    content: dict[str, Any]
    score: float | None


class EntitiesFound(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    entities: list[EntityRead]
    more: bool


@tool(
    "searchEntities",
    group=GROUP,
    permission=ENTITIES_READ,
    arguments=SearchEntities,
    result=EntitiesFound,
    writes=False,
)
async def search_entities(tx: Tx, call: SearchEntities) -> dict[str, Any]:
    """Find records by words of their title and content, newest first. `type` is the slug of an entity type; without a
    query all records of the type are listed. `more` says that there are others: search with more words."""
    wanted = service.Filter(type=call.type, q=call.query)
    found = (await service.list_entities(tx, wanted, Sort.NEWEST, None, call.limit)).read(Entity)
    return plain(
        EntitiesFound(entities=[_read(entity) for entity in found.data], more=found.next_cursor is not None)
    )


@tool(
    "getEntity",
    group=GROUP,
    permission=ENTITIES_READ,
    arguments=GetEntity,
    result=EntityRead,
    writes=False,
)
async def get_entity(tx: Tx, call: GetEntity) -> dict[str, Any]:
    """Read one record: its title and its content, which is what is accepted to be true."""
    return plain(_read(await service.access(tx, call.entity_id)))


def _read(entity: Entity) -> EntityRead:
    return EntityRead(
        id=entity.id, type=entity.type, title=entity.title, content=entity.content, score=entity.score
    )
