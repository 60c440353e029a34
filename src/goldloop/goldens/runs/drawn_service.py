"""Use case: begin a run of an experiment, whose replays each know what was drawn for them and are compared with nobody's."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from goldloop.evals.replay.tape import Mode
from goldloop.goldens.model import GoldenSet
from goldloop.goldens.runs import drawn_store, events, replay_store, store
from goldloop.goldens.runs.model import Estimate, ReplayContext, RunAgent, RunKind
from goldloop.goldens.runs.planning import CONCURRENCY, Drawn, NewReplay, Planned
from goldloop.goldens.runs.service import ADVANCE, NewRun, about, new_run
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.queue import set_marks

MOST_REPEATS = 100  # that a run is said to have


class DrawnReplay(NamedTuple):
    """A replay of an experiment. Of a pair about one row the `baseline` is without it; both have the same repeat."""

    golden: Planned
    repeat: int
    drawn: Drawn
    baseline: bool = False


class DrawnRun(NamedTuple):
    """`asked` is a hash of what the experiment was asked for, `confirms_id` the run whose rows it confirms."""

    id: UUID
    name: str
    set: GoldenSet
    agent: RunAgent
    replays: Sequence[DrawnReplay]
    mode: Mode
    max_cost: float | None
    asked: str
    confirms_id: UUID | None = None


async def begin(tx: Tx, new: DrawnRun) -> bool:
    """For use cases that have asked who may. False where its id is taken."""
    times = Counter(each.golden.id for each in new.replays if not each.baseline)
    asked = NewRun(
        repeats=min(MOST_REPEATS, max(times.values(), default=1)),
        mode=new.mode,
        context=ReplayContext.DRAWN,
        max_cost=new.max_cost,
        kind=RunKind.EXPERIMENT,
        name=new.name,
        confirms_id=new.confirms_id,
        id=new.id,
    )
    run = new_run(tx, asked, new.set, [new.agent], None, estimate(new.replays))
    if not await store.insert(tx, run, CONCURRENCY, len(new.replays), new.asked):
        return False
    planned = list(zip(sorted(new_id() for _ in new.replays), new.replays, strict=True))  # taken by their ids
    if planned:
        await replay_store.insert(tx, run, [_replay(id, each, new.agent) for id, each in planned])
        await drawn_store.set_drawn(tx, [(id, each.drawn) for id, each in planned])
    await emit(tx, events.STARTED.of(run.id, about(run)))
    await set_marks(tx, ADVANCE, [str(run.id)])
    return True


def _replay(id: UUID, each: DrawnReplay, agent: RunAgent) -> NewReplay:
    golden = each.golden
    return NewReplay(
        id, golden.id, golden.revision, agent.id, agent.slug, agent.version, each.repeat, each.baseline
    )


def estimate(replays: Sequence[DrawnReplay]) -> Estimate:
    """As if each replay used what its golden did."""
    known = [each.golden.cost for each in replays if each.golden.cost is not None]
    return Estimate(
        replays=len(replays),
        baseline_replays=sum(each.baseline for each in replays),
        tokens=sum(each.golden.tokens for each in replays),
        cost=sum(known) if known and len(known) == len(replays) else None,
    )
