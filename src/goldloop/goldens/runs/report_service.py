"""Use case: what a run came to, for each of its agents."""

from goldloop.goldens.runs import replay_store, store
from goldloop.goldens.runs.model import AgentReport, EvalRun
from goldloop.goldens.runs.reports import RunGolden, Side, report_agents
from goldloop.kit.db import Tx


async def report(tx: Tx, run: EvalRun) -> list[AgentReport]:
    goldens = await store.list_in_run(tx, run.id)
    compared = await replay_store.list_compared(tx, run.id)
    passes, use = {}, None
    if run.baseline is not None:
        same = (run.baseline, [(g.id, g.revision) for g in goldens], run.mode, run.context, run.id)
        passes = await replay_store.count_baseline(tx, *same)
        use = await replay_store.mean_use(tx, *same) if passes else None
    sides = []
    for agent in run.agents:
        own = [replay for id, version, replay in compared if (id, version) == (agent.id, agent.version)]
        sides.append(Side(agent, own, run.baseline, passes, use))
    return report_agents(
        [RunGolden(g.id, g.floor, g.min_pass) for g in goldens],
        sides,
        repeats=run.repeats,
        mode=run.mode,
        set_name=run.set_name,
        margin=run.margin,
    )
