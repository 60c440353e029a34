"""What conversations leave for later: reading users' messages for reactions."""

from goldloop.kit.db import Actor, Database
from goldloop.kit.queue import job


@job("conversations.gate")
async def read_messages(
    db: Database, actor: Actor, *, project: str, conversation_id: str, turn_ids: list[str]
) -> None:
    raise NotImplementedError
