"""The registry of what every prompt has beside an agent's instructions. A concept to the right adds its own by `register`."""

from collections.abc import Awaitable, Callable

from goldloop.kit.db import Tx
from goldloop.runtimes.model import NO_PROMPT, Prompt, RunPlan

Load = Callable[[Tx, RunPlan], Awaitable[Prompt]]

LOADERS: list[Load] = []


def register(load: Load) -> Load:
    LOADERS.append(load)
    return load


async def load_prompt(tx: Tx, plan: RunPlan) -> Prompt:
    """What a session has in its prompt from its first request on; one that goes on has what it began with."""
    for load in LOADERS:
        return await load(tx, plan)
    return NO_PROMPT
