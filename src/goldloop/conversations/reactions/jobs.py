"""Reading users' messages for reactions: a mark of each message, so that it waits for a model that is away and is read in
the end, once."""

from goldloop.conversations.gate.model import DETECTOR
from goldloop.conversations.reactions import service
from goldloop.conversations.reactions.targeting import find_target
from goldloop.conversations.turns.jobs import embed
from goldloop.conversations.turns.store import GATHER
from goldloop.kit import compute_threads
from goldloop.kit.db import Actor, Database
from goldloop.kit.outside import Outside
from goldloop.kit.queue import mark


@mark("conversations.gate", delay=GATHER)  # so that turns which come in out of order are all there
async def read_message(db: Database, actor: Actor, key: str, outside: Outside) -> None:
    project, conversation_id, turn_id = key.split("/", 2)
    async with db.tx(actor) as tx:
        context = await service.find_message(tx, project, conversation_id, turn_id)
    if context is None:
        return
    found = await outside[DETECTOR].detect(
        context.message, previous_assistant=context.previous_assistant, previous_user=context.previous_user
    )
    if not found.fires:
        return
    await embed(db, actor, outside.embedder, project, conversation_id)
    embedded = await outside.embedder.embed([context.message])
    async with db.tx(actor) as tx:
        candidates = await service.find_candidates(tx, context, embedded.model, embedded.vectors[0].tolist())
    target = await compute_threads.run_always(actor.tenant_id, find_target, context, candidates)
    async with db.tx(actor) as tx:
        await service.add_machine_reaction(tx, context, found, target)
