"""Reading turn logs from the blob store. Does without them when it is away."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.equipment import equipment
from goldloop.conversations.turns.logs import first_beyond, log_key
from goldloop.kit.blobs import BlobStoreFailed
from goldloop.kit.pagination import PAGE_BYTES

log = logging.getLogger("goldloop.conversations")

AT_ONCE = 8
SECONDS = 8.0  # for all logs of one answer


class Logs(NamedTuple):
    """Logs by turn, and the first turn whose log is not on the page."""

    found: Mapping[str, msgspec.Raw | None]
    beyond: str | None


async def read_log(tenant_id: UUID, project: str, conversation_id: str, turn_id: str) -> msgspec.Raw | None:
    """As it was written, for it goes into an answer as it is. None where it is not in the store. Raises
    BlobStoreFailed, also for what is not a log."""
    content = await equipment().blobs.get(log_key(tenant_id, project, conversation_id, turn_id))
    if content is None:
        return None
    try:
        msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        return msgspec.Raw(content)
    except msgspec.MsgspecError as error:
        raise BlobStoreFailed(
            f"What the blob store has of the log of {turn_id} is not one: {error}"
        ) from error


async def read_logs(tenant_id: UUID, project: str, conversation_id: str, turn_ids: Sequence[str]) -> Logs:
    """Those that could be read in time, a few at once and in their order, until a page is full."""
    found: dict[str, msgspec.Raw | None] = {}

    async def read(turn_id: str) -> None:
        try:
            found[turn_id] = await read_log(tenant_id, project, conversation_id, turn_id)
        except BlobStoreFailed as error:
            log.warning("a turn's log is left out of an answer: %s", error)

    try:
        async with asyncio.timeout(SECONDS):
            for start in range(0, len(turn_ids), AT_ONCE):
                batch = turn_ids[start : start + AT_ONCE]
                async with asyncio.TaskGroup() as group:
                    for turn_id in batch:
                        group.create_task(read(turn_id))
                if (full := first_beyond(found, turn_ids[: start + AT_ONCE], PAGE_BYTES)) is not None:
                    return Logs(found, full)
    except TimeoutError:
        log.warning(
            "turn logs are left out of an answer: the blob store takes longer than %s seconds", SECONDS
        )
    return Logs(found, None)
