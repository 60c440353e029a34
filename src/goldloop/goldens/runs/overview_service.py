"""Use cases of what many runs show together: lists, the matrix of goldens by agents, how it went over time."""

from datetime import datetime
from uuid import UUID

from goldloop.evals.replay.tape import Mode
from goldloop.evals.stats.model import Verdict
from goldloop.goldens.cases import store as cases
from goldloop.goldens.model import GoldenSet, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_READ
from goldloop.goldens.runs import overview_store, store
from goldloop.goldens.runs.model import Context, EvalMatrix, EvalRun, RunKind, RunState, TrendPoint
from goldloop.goldens.runs.overview_store import Way
from goldloop.goldens.runs.store import Wanted
from goldloop.kit.db import Tx
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, RawPage, decode_pair, page
from goldloop.sessions.service import find_agent

MOST_GOLDENS = 200  # of a matrix
MOST_VERSIONS = 5
NEWEST_RUNS = 20  # in which a matrix looks for agent versions
REPEATS = 5
NOBODY = UUID(int=0)


async def list_runs(
    tx: Tx,
    set_name: str | None,
    agent: str | None,
    status: RunState | None,
    verdict: Verdict | None,
    kind: RunKind | None,
    waits: bool | None,
    cursor: str | None,
    limit: int,
) -> RawPage[EvalRun]:
    """A set or an agent that is not there has no runs."""
    tx.actor.check(EVALS_READ)
    wanted = Wanted(set_name, await _agent_id(tx, agent), status, verdict, kind, waits)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    return await store.list_newest_first(tx, wanted, before, limit)


async def _agent_id(tx: Tx, agent: str | None) -> UUID | None:
    if agent is None:
        return None
    found = await find_agent(tx, agent)
    return found.id if found else NOBODY


async def _access_set(tx: Tx, name: str) -> GoldenSet:
    tx.actor.check(EVALS_READ)
    found = await cases.find_set_by_name(tx, name)
    if found is None:
        raise GoldenSetNotFound
    return found


async def show_matrix(tx: Tx, set_name: str, mode: Mode | None, context: Context | None) -> EvalMatrix:
    """Replays of one mode and context, which cannot be told apart beside others: without them those of the newest run."""
    found = await _access_set(tx, set_name)
    newest = await overview_store.find_newest_way(tx, found.id) or Way()
    way = Way(mode or newest.mode, context or newest.context)
    agents = await overview_store.list_agents(tx, found.id, way, NEWEST_RUNS, MOST_VERSIONS)
    rows = await overview_store.list_cells(tx, found.id, way, agents, MOST_GOLDENS + 1, REPEATS)
    return EvalMatrix(
        set=found.name,
        set_version=found.version,
        mode=way.mode,
        context=way.context,
        agents=agents,
        goldens=rows[:MOST_GOLDENS],
        truncated=len(rows) > MOST_GOLDENS,
    )


async def list_trend(
    tx: Tx, set_name: str, agent: str | None, cursor: str | None, limit: int
) -> Page[TrendPoint]:
    found = await _access_set(tx, set_name)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await overview_store.list_trend(tx, found.id, await _agent_id(tx, agent), before, limit + 1)
    return page(rows, limit, lambda point: (point.created_at, point.run_id))
