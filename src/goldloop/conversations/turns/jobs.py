"""What is made of turns after they are taken in: their logs in the blob store, words to be found by, embeddings.

Each is a mark of the conversation. While the blob store or the model is away the mark stays, with its error, and is tried
again; what is to be written stays in the database until then.
"""

import msgspec

from goldloop.conversations.turns import store
from goldloop.conversations.turns.logs import log_key
from goldloop.entities.records.words import words
from goldloop.kit import compute_threads
from goldloop.kit.db import Actor, Database
from goldloop.kit.embedding import Embedder
from goldloop.kit.outside import Outside
from goldloop.kit.pagination import FIRST_ID
from goldloop.kit.queue import mark

LOGS = 20  # of a conversation between two looks at the database
MESSAGES = 16  # embedded at once: others wait for the encoder as well
READ = 200  # messages whose words are written at once
CHARACTERS = 20_000  # of one message that it is found by
MOST_WORDS = 100_000  # of so many messages; they have fewer


@mark("blobs.write", delay=store.GATHER)
async def write_logs(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    project, _, conversation_id = key.partition("/")
    while True:
        async with db.tx(actor) as tx:
            waiting = await store.next_waiting_logs(tx, project, conversation_id, LOGS)
        if not waiting:
            return
        for turn_id, turn_log in waiting:
            place = log_key(actor.tenant_id, project, conversation_id, turn_id)
            uri = await outside.blobs.put(place, msgspec.json.encode(turn_log))
            async with db.tx(actor) as tx:
                is_there = await store.log_is_stored(tx, project, conversation_id, turn_id, uri)
            if not is_there:  # it was erased meanwhile, and so is what was just written
                await outside.blobs.delete(place)


@mark("conversations.index", delay=store.GATHER)
async def index(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    """Words first: a conversation is found by them while the model is away."""
    project, _, conversation_id = key.partition("/")
    after = FIRST_ID
    while True:
        async with db.tx(actor) as tx:
            new = await store.texts_without_vector(tx, project, conversation_id, after, READ, CHARACTERS)
        if not new:
            break
        text = "\n".join(message.text for message in new)
        found = await compute_threads.run_always(actor.tenant_id, words, text, MOST_WORDS)
        async with db.tx(actor) as tx:
            await store.set_words(tx, project, conversation_id, found)
        after = new[-1].id
    await embed(db, actor, outside.embedder, project, conversation_id)


async def embed(db: Database, actor: Actor, embedder: Embedder, project: str, conversation_id: str) -> None:
    """Vectors of the configured model for messages that have none of it."""
    while True:
        async with db.tx(actor) as tx:
            missing = await store.messages_to_embed(tx, project, conversation_id, embedder.model, MESSAGES)
        if not missing:
            return
        made = await embedder.embed([message.text for message in missing])
        vectors = [(m.id, v.tolist()) for m, v in zip(missing, made.vectors, strict=True)]
        async with db.tx(actor) as tx:
            await store.set_embeddings(tx, made.model, vectors)
