"""Puts large payloads of events into the blob store before their rows are written, and reads them back. Infrastructure.

A blob is called by the hash of what it holds, so that writing it twice is writing it once; one whose row was never
written harms nobody.
"""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.kit.blobs import BlobStore
from goldloop.sessions.event_store import StoredPayload
from goldloop.sessions.payloads import LARGE, is_large, keep
from goldloop.sessions.store import NewEvent

TOGETHER = 100  # payloads whose size is asked for at once


async def put_large(blobs: BlobStore, tenant_id: UUID, events: Sequence[NewEvent]) -> list[NewEvent]:
    """The events as they go into their rows."""
    kept: list[NewEvent] = []
    for start in range(0, len(events), TOGETHER):
        part = events[start : start + TOGETHER]
        if (
            len(msgspec.json.encode([event.payload for event in part])) < LARGE
        ):  # nearly always: so is each of them
            kept += part
        else:
            kept += [
                await _put(blobs, tenant_id, event) if is_large(event.payload) else event for event in part
            ]
    return kept


async def _put(blobs: BlobStore, tenant_id: UUID, event: NewEvent) -> NewEvent:
    kept = keep(event.payload)
    if kept.whole is None:
        return event
    key = f"{payload_folder(tenant_id)}{kept.digest}.json"
    await blobs.put(key, kept.whole)
    return event._replace(payload=kept.payload, blob=key)


def payload_folder(tenant_id: UUID) -> str:
    """All large payloads of a workspace are in it."""
    return f"{tenant_id}/events/"


async def read_whole(blobs: BlobStore, tenant_id: UUID, stored: StoredPayload) -> bytes | None:
    """The payload as JSON. None where the blob store has lost it, or the row names what is none of its workspace's."""
    if stored.blob is None:
        return msgspec.json.encode(stored.payload)
    if not stored.blob.startswith(payload_folder(tenant_id)):
        return None
    return await blobs.get(stored.blob)
