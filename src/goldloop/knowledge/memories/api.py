"""Routes of what agents remember about whoever asks: `/api/memories`."""

from typing import Annotated

import msgspec
from litestar import Router, delete, get, post
from litestar.params import JSONBody

from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.knowledge.memories import service
from goldloop.knowledge.memories.model import MEMORY_CHARACTERS, Memory
from goldloop.knowledge.model import MemoryNotFound
from goldloop.knowledge.permissions import MEMORIES_OWN
from goldloop.tenants.auth.api import Who, needs


class NewMemory(Wire, frozen=True):
    content: Annotated[str, msgspec.Meta(min_length=1, max_length=MEMORY_CHARACTERS)]


@post(
    "/",
    opt=needs(MEMORIES_OWN),
    responses=problems(body=True),
    summary="Have agents remember something about oneself",
)
async def create_memory(data: JSONBody[NewMemory], db: Db, actor: Who) -> Memory:
    async with db.tx(actor) as tx:
        return await service.access(tx, await service.save(tx, data.content))


@get(
    "/",
    opt=needs(MEMORIES_OWN),
    responses=problems(),
    summary="What agents remember about oneself, newest first",
)
async def list_memories(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[Memory]:
    async with db.tx(actor) as tx:
        return await service.list_own(tx, cursor, limit)


@delete(
    "/{memory_id:uuid}",
    opt=needs(MEMORIES_OWN),
    responses=problems(MemoryNotFound),
    summary="Forget something",
)
async def delete_memory(memory_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, memory_id)


router = Router(
    "/api/memories", route_handlers=[create_memory, list_memories, delete_memory], tags=["knowledge"]
)
