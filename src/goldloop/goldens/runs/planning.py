"""What a run replays, in which order, and what that will use. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.stats.counting import NoiseFloor
from goldloop.goldens.runs.model import Estimate, RunAgent


class Planned(NamedTuple):
    """A golden that a run replays, with what it used itself."""

    id: UUID
    revision: int
    floor: NoiseFloor | None
    min_pass: float | None
    agent_id: UUID | None
    agent_version: int | None
    tokens: int
    cost: float | None


class NewReplay(NamedTuple):
    id: UUID
    golden_id: UUID
    revision: int
    agent_id: UUID
    agent: str
    agent_version: int
    repeat: int


def plan_replays(
    goldens: Sequence[Planned], agents: Sequence[RunAgent], repeats: int, new_id: Callable[[], UUID]
) -> list[NewReplay]:
    """The first repeat of every golden before the second of any, so that what is there early speaks about all of them."""
    planned = [
        (golden, agent, repeat) for repeat in range(1, repeats + 1) for golden in goldens for agent in agents
    ]
    ids = sorted(new_id() for _ in planned)  # replays are taken by their ids
    return [
        NewReplay(id, golden.id, golden.revision, agent.id, agent.slug, agent.version, repeat)
        for id, (golden, agent, repeat) in zip(ids, planned, strict=True)
    ]


def estimate(goldens: Sequence[Planned], agents: int, repeats: int) -> Estimate:
    """As if each replay used what its golden did."""
    costs = [golden.cost for golden in goldens]
    known = [cost for cost in costs if cost is not None]
    times = agents * repeats
    return Estimate(
        replays=len(goldens) * times,
        tokens=sum(golden.tokens for golden in goldens) * times,
        cost=sum(known) * times if len(known) == len(costs) and known else None,
    )
