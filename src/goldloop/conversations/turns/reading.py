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


async def read_log(tenant_id: UUID, project: str, conversation_id: str, turn_id: str) -> Any:
    """None where it is not in the store. Raises BlobStoreFailed."""
    content = await equipment().blobs.get(log_key(tenant_id, project, conversation_id, turn_id))
    return None if content is None else msgspec.json.decode(content)


async def read_logs(
    tenant_id: UUID, project: str, conversation_id: str, turn_ids: Sequence[str]
) -> dict[str, Any]:
    """Those that could be read in time."""
    found: dict[str, Any] = {}
    limit = asyncio.Semaphore(AT_ONCE)

    async def read(turn_id: str) -> None:
        async with limit:
            found[turn_id] = await read_log(tenant_id, project, conversation_id, turn_id)

    try:
        async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
            for turn_id in turn_ids:
                group.create_task(read(turn_id))
    except (TimeoutError, ExceptionGroup) as error:
        causes = error.exceptions if isinstance(error, ExceptionGroup) else (error,)
        if not all(isinstance(cause, BlobStoreFailed | TimeoutError) for cause in causes):
            raise
        log.warning("turn logs are left out of an answer: %s", causes[0])
    return found
