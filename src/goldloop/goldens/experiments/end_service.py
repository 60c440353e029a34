"""Use cases of experiments on their way: what a run that is over found, which rows are confirmed, and what stands on them then.

Values are written and proposals made; nothing is activated or retired.
"""

from uuid import UUID, uuid5

import msgspec

from goldloop.evals.stats.row_values import row_values
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.experiments import events, service, staleness_service, store
from goldloop.goldens.experiments import plan_service as plans
from goldloop.goldens.experiments.findings import count, to_confirm, value_of, value_z, with_targets
from goldloop.goldens.experiments.model import ExperimentState
from goldloop.goldens.experiments.planning import observe, plan_pairs, still_there
from goldloop.goldens.experiments.store import Stored, Way
from goldloop.goldens.runs import drawn_service as drawn_runs
from goldloop.goldens.runs import store as run_store
from goldloop.goldens.runs.drawn_service import DrawnRun
from goldloop.goldens.runs.model import MOST_REPLAYS, EvalRunDetail, RunState
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, emit
from goldloop.kit.queue import set_marks
from goldloop.knowledge.prompts import trial_store
from goldloop.knowledge.rows import value_service as values

MEASURE = "goldens.measure"  # the mark of an experiment whose run is over
CONFIRMATION = "confirmation"


async def mark_over(tx: Tx, event: Event) -> None:
    """In the transaction that ends or stops a run: its experiment goes on."""
    if event.payload["kind"] != "experiment":
        return
    experiment_id = await store.find_of_run(tx, UUID(event.subject_id))
    if experiment_id is not None:
        await set_marks(tx, MEASURE, [str(experiment_id)])


async def measure(tx: Tx, experiment_id: UUID) -> None:
    """Go on from the run that is over: confirm what showed an effect, or say what was found. Again: no change."""
    stored = await store.lock(tx, experiment_id)
    if stored is None or stored.shown.status.is_over:
        return
    shown = stored.shown
    run = await run_store.find(tx, shown.confirmation_id or shown.id)
    if run is None or run.status is RunState.RUNNING:
        return
    if run.status is RunState.CANCELLED:
        await service.set_cancelled(tx, stored)
        return
    if shown.status is ExperimentState.SCREENING:
        stored = await _screen(tx, stored)
        if shown.confirms and run.stopped is None and await _confirm(tx, stored, run):
            return
    else:
        stored = await service.with_pairs_so_far(tx, stored, tried=run.stopped is None)
    await _end(tx, stored)


async def _screen(tx: Tx, stored: Stored) -> Stored:
    """What the replays say about all rows together, with those that earlier experiments made."""
    shown = stored.shown
    way = Way(shown.agent, shown.mode, shown.model)
    compared = await store.list_compared(tx, stored.golden_ids, way, shown.created_at)
    observed = observe(compared, stored.hashes)
    await store.set_reused(
        tx, shown.id, sum(run != shown.id and each.outcome is not None for _, run, each in observed)
    )
    found = row_values(
        [each for _, _, each in observed],
        [str(row_id) for row_id in stored.hashes],
        applying=[str(each.row_id) for each in stored.findings if each.goldens],
    )
    by_row = {UUID(value.row): value for value in found.rows}
    return stored._replace(
        findings=[
            msgspec.structs.replace(each, value=value, flagged=value.is_flagged)
            for each in stored.findings
            if (value := by_row[each.row_id])
        ]
    )


async def _confirm(tx: Tx, stored: Stored, run: EvalRunDetail) -> bool:
    """Try the rows that showed an effect one at a time. False where there is none that can be."""
    shown = stored.shown
    named = await trial_store.list_named(tx, to_confirm(stored.findings))
    rows = still_there(named, stored.hashes)
    found = await case_store.find_set(tx, shown.set_id) if shown.set_id else None
    if not rows or found is None:
        return False
    ground = await plans.lay_ground(tx, stored.golden_ids, shown.agent, rows)
    targets = await plans.find_targets(tx, ground)
    first = await store.list_repeats(tx, stored.golden_ids, shown.agent)
    pairs = min(shown.pairs, MOST_REPLAYS // (2 * len(rows)))
    planned = plan_pairs(ground, list(ground.rows), targets, pairs, first)
    if not planned:
        return False
    every = await run_store.list_planned(tx, "set_id", found.id, MOST_REPLAYS)
    goldens = {golden.id: golden for golden in every}
    replays = [each for each in planned if each.golden in goldens]
    second = DrawnRun(
        id=uuid5(shown.id, CONFIRMATION),
        name=f"Confirmation of {shown.name}"[:200],
        set=found,
        agent=shown.agent,
        replays=await plans.keep_prompts(tx, goldens, replays),
        mode=shown.mode,
        max_cost=None if run.max_cost is None else max(0.0, run.max_cost - (run.cost or 0.0)),
        asked="",
        confirms_id=shown.id,
    )
    await drawn_runs.begin(tx, second)
    aimed = [
        with_targets(each, targets[each.row_id]) if each.row_id in targets else each
        for each in stored.findings
    ]
    await store.set_confirming(tx, shown.id, second.id, aimed)
    await emit(tx, events.CONFIRMING.of(shown.id, service.about(shown)))
    return True


async def _end(tx: Tx, stored: Stored) -> None:
    shown = stored.shown
    at = await tx.moment()
    await store.set_ended(tx, shown.id, ExperimentState.COMPLETED, stored.findings, at)
    await _keep_values(tx, stored)
    counted = count(stored.findings)
    over = events.ExperimentOver(
        **msgspec.structs.asdict(service.about(shown)), measured=counted.measured, harmful=counted.harmful
    )
    await emit(tx, events.ENDED.of(shown.id, over))


async def _keep_values(tx: Tx, stored: Stored) -> None:
    """In the order of the rows' ids, as whoever locks several does."""
    shown, at = stored.shown, await tx.moment()
    if shown.set_id is None:
        return
    for each in sorted(stored.findings, key=lambda finding: finding.row_id):
        value = value_of(
            each,
            agent=shown.agent,
            model=shown.model,
            set_id=shown.set_id,
            set_name=shown.set_name,
            set_version=shown.set_version,
            experiment_id=shown.id,
            at=at,
        )
        await values.keep(tx, each.row_id, value, value_z(each), each.judgement.proposal)
    await set_marks(tx, staleness_service.RECHECK, ["workspace"])
