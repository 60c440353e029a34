"""What a run replays, in which order, and what that will use. Pure."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.stats.counting import FLOOR_REPLAYS, NoiseFloor
from goldloop.evals.stats.model import Pair
from goldloop.goldens.runs.model import Estimate, RunAgent

CONCURRENCY = 4  # replays of a run at once
ROUNDING = 1e-9  # of sums of costs, so that a limit of ten replays' cost is ten replays


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
    baseline: bool = False


class Drawn(NamedTuple):
    """What a replay of an experiment knows: the manifest of its prompt, the rows that were drawn from, and those that it has. Of a pair
    about one row alone `measures` is that row."""

    manifest: str
    applicable: Sequence[UUID]
    present: Sequence[UUID]
    measures: UUID | None = None


def plan_replays(
    goldens: Sequence[Planned],
    agents: Sequence[RunAgent],
    repeats: int,
    new_id: Callable[[], UUID],
    baseline: RunAgent | None = None,
    missing: Mapping[UUID, int] | None = None,
) -> list[NewReplay]:
    """The first repeat of every golden before the second of any, so that what is there early speaks about all of them.
    `missing` is how many replays of a golden the baseline lacks."""
    lacks = missing or {}
    planned = [
        (golden, agent, repeat, is_baseline)
        for repeat in range(1, repeats + 1)
        for golden in goldens
        for agent, is_baseline in [
            *((agent, False) for agent in agents),
            *([(baseline, True)] if baseline and repeat <= lacks.get(golden.id, 0) else []),
        ]
    ]
    ids = sorted(new_id() for _ in planned)  # replays are taken by their ids
    return [
        NewReplay(id, golden.id, golden.revision, agent.id, agent.slug, agent.version, repeat, is_baseline)
        for id, (golden, agent, repeat, is_baseline) in zip(ids, planned, strict=True)
    ]


def lacking(
    goldens: Sequence[Planned],
    agents: Sequence[RunAgent],
    repeats: int,
    baseline: RunAgent | None,
    passes: Mapping[UUID, Pair],
) -> dict[UUID, int]:
    """How many replays of each golden a run makes for its baseline: as many as it makes itself are there then, and no more
    than a noise floor has. None where the baseline is tried in the run anyway, beside others."""
    if baseline is None or (len(agents) > 1 and any(is_same(agent, baseline) for agent in agents)):
        return {}
    wanted = min(repeats, FLOOR_REPLAYS)
    short = {golden.id: wanted - passes.get(golden.id, (0, 0))[1] for golden in goldens}
    return {golden_id: count for golden_id, count in short.items() if count > 0}


def is_same(agent: RunAgent, other: RunAgent) -> bool:
    return (agent.id, agent.version) == (other.id, other.version)


def estimate(
    goldens: Sequence[Planned], agents: int, repeats: int, missing: Mapping[UUID, int] | None = None
) -> Estimate:
    """As if each replay used what its golden did."""
    lacks = missing or {}
    times = [(golden, agents * repeats + lacks.get(golden.id, 0)) for golden in goldens]
    known = [golden.cost * count for golden, count in times if golden.cost is not None]
    return Estimate(
        replays=sum(count for _, count in times),
        baseline_replays=sum(lacks.values()),
        tokens=sum(golden.tokens * count for golden, count in times),
        cost=sum(known) if len(known) == len(goldens) and known else None,
    )


def affordable(max_cost: float, cost: float, running: int, expected: float | None) -> int:
    """How many more replays may begin so that those that run and they stay within a limit, if each costs what is expected.
    Where nobody knows that, the first one shows."""
    if cost >= max_cost:
        return 0
    if expected is None:
        return max(0, 1 - running)
    if expected == 0:
        return CONCURRENCY
    return max(0, math.floor((max_cost - cost) / expected + ROUNDING) - running)


def expected_cost(planned: Estimate, cost: float | None, done: int) -> float | None:
    """Of the next replay: as those before it, and until there are some as the goldens."""
    if cost is not None and done:
        return cost / done
    return planned.cost / planned.replays if planned.cost is not None and planned.replays else None
