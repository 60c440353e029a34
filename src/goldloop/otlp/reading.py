"""Reads the spans of a trace out of stored bodies and tells what they say; what is large in a thread. Infrastructure."""

import asyncio
from uuid import UUID

from goldloop.kit import compute_threads
from goldloop.otlp.batch_cache import CACHE
from goldloop.otlp.decoding import Decoded, decode
from goldloop.otlp.derive_service import TraceParts
from goldloop.otlp.mapper import TraceStory, tell

INLINE_BYTES = (
    256 * 1024
)  # of bodies that are read at once: a larger trace takes milliseconds that others would wait


async def read_story(tenant_id: UUID, trace_id: bytes, parts: TraceParts) -> TraceStory:
    """Bodies that were read for another trace meanwhile are not read again."""
    await asyncio.sleep(0)  # others of this process go on between two traces
    parts = parts._replace(known=parts.known | CACHE.find(tenant_id, parts.bodies))
    size = sum(len(body) for each, body in parts.bodies.items() if each not in parts.known) + sum(
        known.size for known in parts.known.values()
    )
    if size > INLINE_BYTES:
        story, decoded = await compute_threads.run_always(tenant_id, _read, trace_id, parts)
    else:
        story, decoded = _read(trace_id, parts)
    for batch_id, each in decoded.items():
        CACHE.keep(tenant_id, batch_id, each)
    return story


def _read(trace_id: bytes, parts: TraceParts) -> tuple[TraceStory, dict[bytes, Decoded]]:
    decoded = dict(parts.known)
    for batch in parts.batches:
        if batch.id not in decoded and batch.id in parts.bodies:
            decoded[batch.id] = decode(batch.signal, batch.encoding, parts.bodies[batch.id])
    spans = [span for each in decoded.values() for span in each.spans(trace_id)]
    records = [record for each in decoded.values() for record in each.records(trace_id)]
    return tell(spans, records), decoded
