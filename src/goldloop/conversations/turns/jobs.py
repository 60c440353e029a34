"""What is made of turns after they are taken in: their logs in the blob store, embeddings and words."""

from goldloop.kit.db import Actor, Database
from goldloop.kit.queue import mark


@mark("blobs.write")
async def write_logs(db: Database, actor: Actor, key: str) -> None:
    raise NotImplementedError


@mark("conversations.index")
async def index(db: Database, actor: Actor, key: str) -> None:
    raise NotImplementedError
