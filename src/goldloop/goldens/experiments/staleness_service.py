"""Use cases: whether what was measured holds still. A value is of an agent's version, its model and the goldens of a set."""

from collections.abc import Callable
from uuid import UUID

from goldloop.agents import store as configurations
from goldloop.agents.model import AgentConfig, Runtime
from goldloop.goldens.experiments import store
from goldloop.goldens.experiments.model import Experiment
from goldloop.kit.db import Tx
from goldloop.knowledge.model import MeasuredValue, Staleness
from goldloop.knowledge.rows import value_service as values

RECHECK = "goldens.recheck_values"  # the mark of a workspace whose agents or goldens are others


def model_of(config: AgentConfig, model: str | None) -> str | None:
    """What an agent asks; `model` is the installation's. Null where whoever runs the agent chooses."""
    return config.model or (model if config.runtime is Runtime.BUILT_IN else None)


class Present:
    """Versions and models of agents, and versions of sets, as they are."""

    def __init__(self, tx: Tx, model: str | None, sets: dict[UUID, int]) -> None:
        self._tx, self._model, self._sets = tx, model, sets
        self._agents: dict[UUID, tuple[int, str | None] | None] = {}

    async def look_up(self, agent_id: UUID) -> None:
        if agent_id not in self._agents:
            newest = await configurations.find_newest(self._tx, agent_id)
            self._agents[agent_id] = (
                (newest.version, model_of(newest.config, self._model)) if newest else None
            )

    def reasons(
        self, agent_id: UUID, version: int, model: str | None, set_id: UUID | None, set_version: int
    ) -> list[Staleness]:
        newest = self._agents.get(agent_id)
        because = set()
        if newest is None or newest[0] != version:
            because.add(Staleness.AGENT)
        if newest is not None and newest[1] != model:
            because.add(Staleness.MODEL)
        if set_id is None or self._sets.get(set_id) != set_version:
            because.add(Staleness.GOLDENS)
        return [each for each in Staleness if each in because]


async def present(tx: Tx, model: str | None) -> Present:
    return Present(tx, model, await store.list_set_versions(tx))


async def reasons_of(tx: Tx, experiment: Experiment, model: str | None) -> list[Staleness]:
    there = await present(tx, model)
    agent = experiment.agent
    await there.look_up(agent.id)
    return there.reasons(agent.id, agent.version, experiment.model, experiment.set_id, experiment.set_version)


def _of(there: Present) -> Callable[[MeasuredValue], list[Staleness]]:
    return lambda value: there.reasons(
        value.agent_id, value.agent_version, value.model, value.set_id, value.set_version
    )


async def recheck(tx: Tx, after: UUID, model: str | None) -> UUID | None:
    """Grey values that hold no more, some at once. Where to go on; None where all were looked at."""
    there = await present(tx, model)
    for agent_id in await values.list_agents(tx):
        await there.look_up(agent_id)
    return await values.recheck(tx, after, _of(there))


FIRST = values.FIRST
