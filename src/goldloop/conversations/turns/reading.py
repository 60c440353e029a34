"""Reading turn logs from the blob store. Does without them when it is away."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.equipment import equipment
from goldloop.conversations.turns.logs import log_key
from goldloop.kit.blobs import BlobStoreFailed

log = logging.getLogger("goldloop.conversations")

AT_ONCE = 16
SECONDS = 8.0  # for all logs of one answer


async def read_log(
    tenant_id: UUID, project: str, conversation_id: str, turn_id: str
) -> dict[str, Any] | None:
    """None where it is not in the store. Raises BlobStoreFailed, also for what is not a log."""
    content = await equipment().blobs.get(log_key(tenant_id, project, conversation_id, turn_id))
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise BlobStoreFailed(
            f"What the blob store has of the log of {turn_id} is not one: {error}"
        ) from error


async def read_logs(
    tenant_id: UUID, project: str, conversation_id: str, turn_ids: Sequence[str]
) -> dict[str, Any]:
    """Those that could be read in time."""
    found: dict[str, Any] = {}
    limit = asyncio.Semaphore(AT_ONCE)

    async def read(turn_id: str) -> None:
        async with limit:
            try:
                found[turn_id] = await read_log(tenant_id, project, conversation_id, turn_id)
            except BlobStoreFailed as error:
                log.warning("a turn's log is left out of an answer: %s", error)

    try:
        async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
            for turn_id in turn_ids:
                group.create_task(read(turn_id))
    except TimeoutError:
        log.warning(
            "turn logs are left out of an answer: the blob store takes longer than %s seconds", SECONDS
        )
    return found
