"""Use case: plan an experiment: which goldens and rows, what is there already, and what each replay has in its prompt."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.agents import service as configurations
from goldloop.evals.replay.tape import Mode
from goldloop.goldens.cases import store as case_store
from goldloop.goldens.experiments import staleness_service, store
from goldloop.goldens.experiments.model import (
    MOST_ROWS,
    PAIRS,
    REPLAYS,
    ExperimentDesign,
    NoRows,
    RowNotApplicable,
)
from goldloop.goldens.experiments.planning import (
    TRIED,
    Coverage,
    Ground,
    counts_of,
    cover,
    hashes_of,
    lay_out,
    observe,
    plan_halves,
    plan_pairs,
    there_of,
)
from goldloop.goldens.experiments.planning import (
    Planned as PlannedReplay,
)
from goldloop.goldens.experiments.store import Way
from goldloop.goldens.model import GoldenNotFound, GoldenSet, GoldenSetNotFound
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs import store as run_store
from goldloop.goldens.runs.drawn_service import DrawnReplay
from goldloop.goldens.runs.model import (
    MOST_REPLAYS,
    CostUnknown,
    NoGoldens,
    RunAgent,
    TooManyReplays,
)
from goldloop.goldens.runs.planning import Drawn, Planned
from goldloop.goldens.runs.service import NamedAgent, NewRun
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.knowledge.model import SharedContextNotFound
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.knowledge.prompts import trial_service as trials
from goldloop.knowledge.prompts import trial_store
from goldloop.knowledge.prompts.trial_store import TrialRow


class NewExperiment(NamedTuple):
    """As the route takes it."""

    set_name: str
    golden_ids: Sequence[UUID] | None = None
    agent: str | None = None
    version: int | None = None
    row_ids: Sequence[UUID] | None = None
    design: ExperimentDesign = ExperimentDesign.HALVES
    replays: int = REPLAYS
    confirms: bool = True
    pairs: int = PAIRS
    mode: Mode = Mode.HYBRID
    max_cost: float | None = None
    name: str | None = None
    id: UUID | None = None


class Plan(NamedTuple):
    """`reused` replays are there; `replays` are made. `coverage` is what both tell together. `targets` are of each
    row that is tried by itself the goldens that it was learnt from."""

    set: GoldenSet
    agent: RunAgent
    model: str | None
    goldens: dict[UUID, Planned]
    ground: Ground
    reused: int
    replays: list[PlannedReplay]
    coverage: Coverage
    targets: Mapping[UUID, Collection[UUID]]


async def plan(tx: Tx, new: NewExperiment, model: str | None, experiment_id: UUID) -> Plan:
    tx.actor.check(KNOWLEDGE_READ)
    found = await case_store.find_set_by_name(tx, new.set_name)
    if found is None:
        raise GoldenSetNotFound
    if new.design is ExperimentDesign.PAIRS and new.row_ids is None:
        raise InvalidInput.at("/rowIds", "required", "Name the rows that are tried one at a time")
    goldens = await _goldens(tx, new, found)
    agent = await _agent(tx, new, goldens)
    ground = await lay_ground(tx, list(goldens), agent, await _named(tx, new))
    _check_rows(new, ground)
    way = Way(agent, new.mode, await _model(tx, agent, model))
    compared = await store.list_compared(tx, list(ground.applicable), way, now())
    observed = observe(compared, hashes_of(ground.rows))
    counts: dict[UUID, int] = {}
    targets: dict[UUID, list[UUID]] = {}
    first = await store.list_repeats(tx, list(ground.applicable), agent)
    if new.design is ExperimentDesign.PAIRS:
        targets = await find_targets(tx, ground)
        observed = []
        count = 2 * new.pairs * len(ground.rows)
        _check_count(count, "/pairs")
        replays = plan_pairs(ground, list(ground.rows), targets, new.pairs, first)
    else:
        counts = counts_of(ground, new.replays, there_of(ground, observed), str(found.id))
        _check_count(sum(counts.values()), "/replays")
        replays = plan_halves(ground, counts, first, str(experiment_id))
    if new.max_cost is not None and all(golden.cost is None for golden in goldens.values()):
        raise CostUnknown(errors=[Fault(path="/maxCost", code=CostUnknown.code, message=CostUnknown.title)])
    coverage = cover(ground, observed, counts)
    reused = coverage.replays - sum(counts.values())
    return Plan(found, agent, way.model, goldens, ground, reused, replays, coverage, targets)


async def find_targets(tx: Tx, ground: Ground) -> dict[UUID, list[UUID]]:
    """For each row the goldens among those that it applies to that it was learnt from."""
    targeted = await store.list_targeted(tx, list(ground.rows), list(ground.applicable))
    return {
        row_id: [golden for golden in ground.goldens_of(row_id) if golden in targeted.get(row_id, ())]
        for row_id in ground.rows
    }


def _check_count(replays: int, place: str) -> None:
    if replays > MOST_REPLAYS:
        raise TooManyReplays(
            errors=[Fault(path=place, code=TooManyReplays.code, message=TooManyReplays.title)]
        )


async def _goldens(tx: Tx, new: NewExperiment, found: GoldenSet) -> dict[UUID, Planned]:
    every = {
        golden.id: golden for golden in await run_store.list_planned(tx, "set_id", found.id, MOST_REPLAYS)
    }
    for place, golden_id in enumerate(new.golden_ids or ()):
        if golden_id not in every:
            raise GoldenNotFound.in_field(f"/goldenIds/{place}")
    chosen = every if new.golden_ids is None else {id: every[id] for id in every if id in set(new.golden_ids)}
    if not chosen:
        raise NoGoldens(errors=[Fault(path="/setName", code=NoGoldens.code, message=NoGoldens.title)])
    return chosen


async def _agent(tx: Tx, new: NewExperiment, goldens: dict[UUID, Planned]) -> RunAgent:
    if new.agent is not None:
        return await runs.access_agent(tx, NamedAgent(new.agent, new.version))
    return await runs.find_own_agent(tx, NewRun(version=new.version), list(goldens.values()))


async def _named(tx: Tx, new: NewExperiment) -> list[TrialRow] | None:
    if new.row_ids is None:
        return None
    there = await trial_store.list_named(tx, new.row_ids)
    for place, row_id in enumerate(new.row_ids):
        if row_id not in there:
            raise SharedContextNotFound.in_field(f"/rowIds/{place}")
        if there[row_id].state not in TRIED:
            raise RowNotApplicable.in_field(f"/rowIds/{place}")
    return [there[row_id] for row_id in dict.fromkeys(new.row_ids)]


def _check_rows(new: NewExperiment, ground: Ground) -> None:
    if not ground.applicable:
        place = "/setName" if new.row_ids is None else "/rowIds"
        raise NoRows(errors=[Fault(path=place, code=NoRows.code, message=NoRows.title)])


async def lay_ground(
    tx: Tx, golden_ids: Sequence[UUID], agent: RunAgent, named: Sequence[TrialRow] | None
) -> Ground:
    """Which rows apply to which goldens now, and what else their prompts hold."""
    scopes = await store.list_scopes(tx, golden_ids, agent.id)
    known = {
        scope: await trials.list_in_scope(tx, scope, MOST_ROWS) for scope in dict.fromkeys(scopes.values())
    }
    return lay_out(scopes, known, named, MOST_ROWS)


async def _model(tx: Tx, agent: RunAgent, model: str | None) -> str | None:
    config = (await configurations.access(tx, agent.id, agent.version)).config
    return staleness_service.model_of(config, model)


async def keep_prompts(
    tx: Tx, goldens: dict[UUID, Planned], replays: Sequence[PlannedReplay]
) -> list[DrawnReplay]:
    """Each with the name of its prompt; equal ones are one."""
    names: dict[frozenset[UUID], str] = {}
    made = []
    for each in replays:
        key = frozenset(row.id for row in each.prompt)
        if key not in names:
            names[key] = await trials.keep_manifest(tx, each.prompt)
        made.append(draw(goldens[each.golden], each, names[key]))
    return made


def draw(golden: Planned, each: PlannedReplay, manifest: str) -> DrawnReplay:
    drawn = Drawn(manifest, each.applicable, each.present, each.measures)
    return DrawnReplay(golden, each.repeat, drawn, each.baseline)
