"""Use case: what a run came to, for each of its agents."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.stats.model import Pair
from goldloop.goldens.runs import baseline_store, replay_store
from goldloop.goldens.runs.model import AgentReport, EvalRun, ReplayUse, RunAgent
from goldloop.goldens.runs.planning import Planned, is_same
from goldloop.goldens.runs.reports import RunGolden, Side, report_agents
from goldloop.kit.db import Tx


async def report(tx: Tx, run: EvalRun, goldens: Sequence[Planned]) -> list[AgentReport]:
    """`goldens` are those of the run that are golden still, as they are now."""
    compared = await replay_store.list_compared(tx, run.id)
    sides = []
    for agent in run.agents:
        own = [replay for id, version, replay in compared if (id, version) == (agent.id, agent.version)]
        before = await _baseline(tx, run, agent, goldens)
        sides.append(Side(agent, own, run.baseline, before.passes, before.use))
    return report_agents(
        [RunGolden(g.id, g.floor, g.min_pass) for g in goldens],
        sides,
        repeats=run.repeats,
        mode=run.mode,
        set_name=run.set_name,
        margin=run.margin,
    )


class _Baseline(NamedTuple):
    passes: Mapping[UUID, Pair]
    use: ReplayUse | None


async def _baseline(tx: Tx, run: EvalRun, agent: RunAgent, goldens: Sequence[Planned]) -> _Baseline:
    """What the baseline came to, in this run as well; an agent is not compared with what it did itself in the run, or in the
    one that the run confirms."""
    if run.baseline is None:
        return _Baseline({}, None)
    own = [run.id, *([run.confirms_id] if run.confirms_id else [])] if is_same(agent, run.baseline) else []
    same = (run.baseline, [(g.id, g.revision) for g in goldens], run.mode, run.context, own)
    passes = await baseline_store.count_baseline(tx, *same)
    return _Baseline(passes, await baseline_store.mean_use(tx, *same) if passes else None)
