"""Use cases of experiments: say what one would use, begin it, read it, stop it."""

import hashlib
from datetime import datetime
from statistics import fmean
from uuid import UUID

import msgspec

from goldloop.evals.stats.planning import run_variance
from goldloop.evals.stats.row_planning import RowPlan, row_power, row_replays
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.experiments import events, staleness_service, store
from goldloop.goldens.experiments import plan_service as plans
from goldloop.goldens.experiments.findings import Finding, count_pairs, with_pairs, with_targets
from goldloop.goldens.experiments.findings import show as show_row
from goldloop.goldens.experiments.model import (
    EffectPower,
    Experiment,
    ExperimentDesign,
    ExperimentDetail,
    ExperimentEnded,
    ExperimentExists,
    ExperimentForecast,
    ExperimentNotFound,
    ExperimentState,
)
from goldloop.goldens.experiments.plan_service import NewExperiment, Plan
from goldloop.goldens.experiments.planning import (
    Ground,
    hashes_of,
)
from goldloop.goldens.experiments.store import NewRow, Stored, Wanted
from goldloop.goldens.permissions import EVALS_MANAGE, EVALS_READ
from goldloop.goldens.runs import drawn_service as drawn_runs
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs import store as run_store
from goldloop.goldens.runs.drawn_service import DrawnRun
from goldloop.goldens.runs.model import (
    RunState,
)
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.knowledge.printing import cost_of
from goldloop.knowledge.prompts import trial_store
from goldloop.limits import service as limits

EFFECTS = (0.10, 0.20)  # whose power is foretold
NOBODY = UUID(int=0)


async def foresee(tx: Tx, new: NewExperiment, model: str | None) -> ExperimentForecast:
    """`model` is the installation's."""
    tx.actor.check(EVALS_MANAGE)
    plan = await plans.plan(tx, new, model, new_id())
    ground, made = plan.ground, len(plan.replays)
    use = drawn_runs.estimate([plans.draw(plan.goldens[each.golden], each, "") for each in plan.replays])
    floors = await store.list_floors(tx, list(ground.applicable))
    variance = run_variance(floors) if any(runs > 1 for _, runs in floors) else None
    halves = new.design is ExperimentDesign.HALVES
    more = 2 * new.pairs if halves and new.confirms else 0
    each_golden = [plan.goldens[golden] for golden in ground.applicable]
    each_cost = [golden.cost for golden in each_golden if golden.cost is not None]
    return ExperimentForecast(
        goldens=plan.coverage.goldens if halves else len(ground.applicable),
        rows=len(ground.rows),
        rows_left_out=ground.left_out,
        replays=plan.reused + made,
        reused=plan.reused,
        made=made,
        fewest=plan.coverage.fewest if halves else 2 * new.pairs,
        confirmation_replays_per_row=more,
        confirmation_tokens_per_row=round(more * fmean(golden.tokens for golden in each_golden)),
        confirmation_cost_per_row=more * fmean(each_cost) if len(each_cost) == len(each_golden) else None,
        tokens=use.tokens,
        cost=use.cost,
        power=[_power(plan, effect, variance) for effect in EFFECTS] if halves else [],
        smallest_detectable=_row_plan(plan, EFFECTS[0], variance).smallest_detectable if halves else None,
        run_variance=variance,
    )


def _share(ground: Ground) -> float:
    """Of the goldens, to which the row applies that applies to fewest."""
    fewest = min(len(goldens) for row_id in ground.rows if (goldens := ground.goldens_of(row_id)))
    return fewest / len(ground.applicable)


def _row_plan(plan: Plan, effect: float, variance: float | None) -> RowPlan:
    """Of the row that is known least."""
    ground, counted = plan.ground, plan.coverage
    return row_power(
        len(ground.rows),
        len(ground.applicable),
        counted.replays,
        effect,
        variance=variance,
        share=counted.share,
        strata=counted.strata,
    )


def _power(plan: Plan, effect: float, variance: float | None) -> EffectPower:
    ground = plan.ground
    needed = row_replays(
        len(ground.rows),
        len(ground.applicable),
        effect,
        variance=variance,
        share=_share(ground),
        earlier=plan.coverage.earlier,
    )
    return EffectPower(
        effect=effect,
        power=_row_plan(plan, effect, variance).power,
        replays_needed=needed.replays if needed else None,
    )


async def begin(tx: Tx, new: NewExperiment, model: str | None) -> Experiment:
    """The same begin again, by its id, answers with what is there. `model` is the installation's."""
    tx.actor.check(EVALS_MANAGE)
    asked = hashlib.sha256(msgspec.json.encode(list(new._replace(id=None)))).hexdigest()
    if new.id is not None and (before := await _begun_before(tx, new.id, asked)) is not None:
        return before
    await limits.check_run(tx)
    experiment_id = new.id or new_id()
    plan = await plans.plan(tx, new, model, experiment_id)
    run = DrawnRun(
        id=experiment_id,
        name=new.name
        or f"What knowledge is worth to {plan.agent.slug} v{plan.agent.version}: {plan.set.name}"[:200],
        set=plan.set,
        agent=plan.agent,
        replays=await plans.keep_prompts(tx, plan.goldens, plan.replays),
        mode=new.mode,
        max_cost=new.max_cost,
        asked=asked,
    )
    if not await drawn_runs.begin(tx, run):
        return await _taken(tx, experiment_id, asked)
    ground = plan.ground
    row = NewRow(
        id=experiment_id,
        design=new.design,
        golden_ids=list(ground.applicable),
        row_ids=list(ground.rows),
        row_hashes=list(hashes_of(ground.rows).values()),
        applies=[len(ground.goldens_of(row_id)) for row_id in ground.rows],
        tokens=[cost_of(each.row) for each in ground.rows.values()],
        model=plan.model,
        wanted=plan.reused + len(plan.replays),
        reused=plan.reused,
        confirms=new.confirms,
        pairs=new.pairs,
        status=ExperimentState.SCREENING
        if new.design is ExperimentDesign.HALVES
        else ExperimentState.CONFIRMING,
        asked=asked,
        created_at=now(),
        found=_aimed(plan) if new.design is ExperimentDesign.PAIRS else None,
    )
    await store.insert(tx, row)
    begun = (await _access(tx, experiment_id)).shown
    await emit(tx, events.STARTED.of(experiment_id, about(begun)))
    return begun


def _aimed(plan: Plan) -> list[Finding]:
    """Rows of which nothing is known yet, with what their pairs are of."""
    ground = plan.ground
    return [
        with_targets(
            Finding(
                row_id=row_id,
                row_hash=row_hash,
                goldens=len(ground.goldens_of(row_id)),
                tokens=cost_of(ground.rows[row_id].row),
            ),
            plan.targets[row_id],
        )
        for row_id, row_hash in hashes_of(ground.rows).items()
    ]


async def _begun_before(tx: Tx, experiment_id: UUID, asked: str) -> Experiment | None:
    before = await store.find_asked(tx, experiment_id)
    if before is None:
        return None
    if before != asked:
        raise ExperimentExists(conflict={"id": str(experiment_id)})
    return (await _access(tx, experiment_id)).shown


async def _taken(tx: Tx, experiment_id: UUID, asked: str) -> Experiment:
    """Somebody else was first, or it is the id of a run that is none of an experiment."""
    before = await _begun_before(tx, experiment_id, asked)
    if before is None:
        raise ExperimentExists(conflict={"id": str(experiment_id)})
    return before


def about(experiment: Experiment) -> events.OfExperiment:
    return events.OfExperiment(
        set=experiment.set_name,
        design=experiment.design,
        agent_id=experiment.agent.id,
        agent_version=experiment.agent.version,
        rows=experiment.rows,
        replays=experiment.replays,
    )


async def _access(tx: Tx, experiment_id: UUID) -> Stored:
    tx.actor.check(EVALS_READ)
    found = await store.find(tx, experiment_id)
    if found is None:
        raise ExperimentNotFound
    return found


async def show(tx: Tx, experiment_id: UUID, model: str | None) -> ExperimentDetail:
    """While rows are confirmed, with the pairs that are there: those may be looked at at any time."""
    tx.actor.check(KNOWLEDGE_READ)
    stored = await with_pairs_so_far(tx, await _access(tx, experiment_id))
    shown = stored.shown
    rows = await trial_store.list_named(tx, list(stored.hashes))
    because = await staleness_service.reasons_of(tx, shown, model)
    return ExperimentDetail(
        **msgspec.structs.asdict(shown),
        tokens=await store.sum_tokens(tx, shown),
        golden_ids=stored.golden_ids,
        results=[show_row(each, rows.get(each.row_id)) for each in stored.findings],
        stale=bool(because),
        stale_because=because,
    )


async def with_pairs_so_far(tx: Tx, stored: Stored, *, tried: bool = False) -> Stored:
    """With the pairs that were compared until now; `tried` where no more will come."""
    run_id = pairs_run_of(stored.shown)
    if run_id is None or stored.shown.status is not ExperimentState.CONFIRMING:
        return stored
    counted = count_pairs(await store.list_paired(tx, run_id))
    targeted = await store.list_targeted(tx, list(counted), stored.golden_ids)
    found = [
        with_pairs(each, counted.get(each.row_id, {}), targeted.get(each.row_id, ()), tried=tried)
        for each in stored.findings
    ]
    return stored._replace(findings=found)


def pairs_run_of(experiment: Experiment) -> UUID | None:
    """The run with pairs, if there is one."""
    return experiment.id if experiment.design is ExperimentDesign.PAIRS else experiment.confirmation_id


async def list_experiments(
    tx: Tx,
    set_name: str | None,
    status: ExperimentState | None,
    row_id: UUID | None,
    cursor: str | None,
    limit: int,
) -> Page[Experiment]:
    """A set that is not there has none."""
    tx.actor.check(EVALS_READ)
    set_id = None
    if set_name is not None:
        found = await case_store.find_set_by_name(tx, set_name)
        set_id = found.id if found else NOBODY
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, Wanted(set_id, status, row_id), before, limit + 1)
    return page(rows, limit, lambda each: (each.created_at, each.id))


async def cancel(tx: Tx, experiment_id: UUID, model: str | None) -> ExperimentDetail:
    """Stop it now: what is compared stays, and no row gets a value of it. Again: no change."""
    tx.actor.check(EVALS_MANAGE)
    stored = await store.lock(tx, experiment_id)
    if stored is None:
        raise ExperimentNotFound
    shown = stored.shown
    if shown.status is ExperimentState.COMPLETED:
        raise ExperimentEnded(conflict={"id": str(experiment_id), "status": shown.status})
    if shown.status is not ExperimentState.CANCELLED:
        for run_id in filter(None, (shown.id, shown.confirmation_id)):
            run = await run_store.find(tx, run_id)
            if run is not None and run.status is RunState.RUNNING:
                await runs.cancel(tx, run_id)
        await set_cancelled(tx, stored)
    return await show(tx, experiment_id, model)


async def set_cancelled(tx: Tx, stored: Stored) -> None:
    await store.set_ended(tx, stored.shown.id, ExperimentState.CANCELLED, None, await tx.moment())
    await emit(tx, events.CANCELLED.of(stored.shown.id, about(stored.shown)))
