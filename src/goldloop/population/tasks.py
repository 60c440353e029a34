"""The kind of task that fills in records of a type."""

from uuid import UUID

from goldloop.entities.types import store as types
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Faults
from goldloop.population import many_service
from goldloop.population.model import POPULATOR, PopulateMany, find_faults
from goldloop.population.service import Start
from goldloop.sessions.model import Session
from goldloop.tasks.kind_service import TaskKind, register
from goldloop.tasks.model import Task


async def start(tx: Tx, task: Task, config: PopulateMany, session_id: UUID | None) -> Session:
    return await many_service.populate_many(
        tx, config, Start(agent=str(task.agent_id), id=session_id, task_id=task.id)
    )


async def check(tx: Tx, config: PopulateMany) -> Faults:
    faults = find_faults(config)
    if await types.find(tx, config.type) is None:
        message = f"There is no entity type {config.type!r}"
        faults.append(Fault(path="/type", code="entity_type_not_found", message=message))
    return faults


register(
    TaskKind(name="populate_fields", config=PopulateMany, start=start, check=check, default_agent=POPULATOR)
)
