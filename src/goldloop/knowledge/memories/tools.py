"""The tool by which agents remember something about a person."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.http import Wire
from goldloop.kit.tools import plain, tool
from goldloop.knowledge.memories import service
from goldloop.knowledge.memories.model import MEMORY_CHARACTERS
from goldloop.knowledge.permissions import MEMORIES_OWN


class SaveMemory(Wire, frozen=True, rename="camel"):
    content: Annotated[str, msgspec.Meta(min_length=1, max_length=MEMORY_CHARACTERS)]
    session_id: UUID | None = None


class MemorySaved(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    memory_id: UUID


@tool(
    "saveMemory",
    group="memories",
    permission=MEMORIES_OWN,
    arguments=SaveMemory,
    result=MemorySaved,
    writes=True,
)
async def save_memory(tx: Tx, call: SaveMemory) -> dict[str, Any]:
    """Remember something about the person you work for, in one sentence. It is in their prompts from now on and in nobody
    else's. `sessionId` is your session, which they began. What holds for everybody is a lesson or a correction."""
    return plain(MemorySaved(memory_id=await service.save(tx, call.content, call.session_id)))
