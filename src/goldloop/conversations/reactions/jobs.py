"""Reading users' messages for reactions: a mark of each message, so that it waits for a model that is away and is read in
the end, once."""

from goldloop.conversations.equipment import equipment
from goldloop.conversations.reactions import machine
from goldloop.conversations.turns.jobs import embed
from goldloop.conversations.turns.store import GATHER
from goldloop.kit import compute_threads
from goldloop.kit.db import Actor, Database
from goldloop.kit.queue import mark


@mark("conversations.gate", delay=GATHER)  # so that turns which come in out of order are all there
async def read_message(db: Database, actor: Actor, key: str) -> None:
    project, conversation_id, turn_id = key.split("/", 2)
    async with db.tx(actor) as tx:
        scene = await machine.find_scene(tx, project, conversation_id, turn_id)
    if scene is None:
        return
    tools = equipment()
    found = await tools.detector.detect(
        scene.message, previous_assistant=scene.previous_assistant, previous_user=scene.previous_user
    )
    if not found.fires:
        return
    await embed(db, actor, project, conversation_id, None)
    said = await tools.embedder.embed([scene.message])
    async with db.tx(actor) as tx:
        candidates = await machine.find_candidates(tx, scene, said.model, said.vectors[0].tolist())
    target = await compute_threads.run_always(actor.tenant_id, machine.find_target, scene, candidates)
    async with db.tx(actor) as tx:
        await machine.write(tx, scene, found, target)
