"""The kind of task that needs nothing else: a message to an agent."""

from typing import Annotated
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import PROMPT, NewSession
from goldloop.sessions.model import Session
from goldloop.tasks.kind_service import TaskKind, register
from goldloop.tasks.model import Task


class PromptConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    message: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000, pattern=r"\S")]


async def start(tx: Tx, task: Task, config: PromptConfig, session_id: UUID | None) -> Session:
    new = NewSession(
        agent=str(task.agent_id), input={"message": config.message}, id=session_id, task_id=task.id
    )
    return await sessions.start(tx, new)


register(TaskKind(name=PROMPT, config=PromptConfig, start=start))
