"""Words of records from before those of their contents were kept: the migration marks each workspace once."""

from uuid import UUID

from goldloop.entities.records import store
from goldloop.entities.records.words import record_words
from goldloop.kit.db import Tx
from goldloop.kit.queue import mark, set_marks

BATCH = 200


@mark("entities.words")
async def rebuild_words(tx: Tx, key: str) -> None:
    """Rebuild the words of the records after an id, a batch, and mark the next one."""
    batch = await store.hold_batch(tx, UUID(key), BATCH)
    for entity_id, title, content in batch:
        await store.rebuild_words(tx, entity_id, record_words(title, content))
    if len(batch) == BATCH:
        await set_marks(tx, "entities.words", [str(batch[-1][0])])
