"""Evals: the matrix of 200 goldens by 5 agent versions by 5 repeats, the trend of 1,000 runs, the newest runs, goldens and
candidates; each beside a history and beside one that is ten times as long, of the same set and of others."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from bench.ground import Ground, Tenant
from bench.load import request
from bench.model import Statement, Target, Workload
from bench.workloads.filling import numbered_id_sql

GOLDENS, VERSIONS, REPEATS, POINTS = 200, 5, 5, 1000
SETS = 10  # of as many goldens each; the first one is asked for
SIZES = {"50k": 1, "500k": 10}  # replays, and how often each golden was replayed as often as a matrix shows
RUNS = 2000  # of the set that is asked for, at the first size; half of them are no more than floors
COMPLAINTS = 50  # of people, older than all that runs have said
SET = "set-1"
RESULT = 4_000  # bytes of a run's report, so many that it is not kept in its row


def _at(number: str) -> str:
    return f"timestamptz '2026-01-01' + {number} * interval '1 second'"


async def _fill(ground: Ground, tenant: Tenant, times: int) -> None:
    async with ground.superuser() as connection:
        await connection.execute("SET session_replication_role = replica")
        await connection.execute("SET synchronous_commit = off")
        for sql, *arguments in (
            (SETS_SQL, SETS),
            (SESSIONS_SQL, SETS * GOLDENS),
            (GOLDENS_SQL, SETS * GOLDENS, GOLDENS),
            (RUNS_SQL, RUNS * times * SETS, SETS, VERSIONS, RESULT),
            (REPLAYS_SQL, SETS * GOLDENS * VERSIONS * REPEATS * times, SETS * GOLDENS, VERSIONS),
            (FEEDBACK_SQL, COMPLAINTS + 10_000 * times, COMPLAINTS),
            (MESSAGES_SQL, COMPLAINTS),
        ):
            await connection.execute(sql, tenant.id, *arguments)
        for table in (
            "golden_sets",
            "goldens",
            "sessions",
            "eval_runs",
            "eval_replays",
            "feedback",
            "session_events",
        ):
            await connection.execute(f"VACUUM ANALYZE {table}")


SETS_SQL = f"""
INSERT INTO golden_sets (tenant_id, id, name, created_at)
SELECT $1, {numbered_id_sql("n")}, 'set-' || n, now() FROM generate_series(1, $2::bigint) n
"""
SESSIONS_SQL = f"""
INSERT INTO sessions (tenant_id, id, type, status, source, agent, agent_id, input, first_message, metadata, created_at, last_at,
    created_by_kind)
SELECT $1, {numbered_id_sql("n")}, 'agent', 'completed', 'client', 'clerk', {numbered_id_sql("1")}, '{{"message": "Where is it?"}}',
       'Where is order ' || n || ', and when will it be here?', jsonb_build_object('golden', repeat('a snapshot ', 500)),
       {_at("n")}, {_at("n")}, 'system'
FROM generate_series(1, $2::bigint) n
"""
GOLDENS_SQL = f"""
INSERT INTO goldens (tenant_id, session_id, set_id, effects, agent_id, agent_version, floor, floor_passes, floor_runs, promoted_at,
    promoted_by_kind)
SELECT $1, {numbered_id_sql("n")}, {numbered_id_sql("(1 + (n - 1) / $3::bigint)")}, 'exact', {numbered_id_sql("1")}, 1, 'stable', 5, 5,
       {_at("n")}, 'system'
FROM generate_series(1, $2::bigint) n
"""
RUNS_SQL = f"""
INSERT INTO eval_runs (tenant_id, id, name, kind, trigger, set_id, set_name, set_version, agents, agent_id, repeats, mode, context,
    margin, concurrency, estimate, status, replays, done, passed, pass_rate, pass_rate_low, pass_rate_high, verdict, results,
    created_at, ended_at, created_by_kind)
SELECT $1, {numbered_id_sql("n")}, 'A run', CASE WHEN n / $3::bigint % 2 = 0 THEN 'run' ELSE 'floor' END, 'scheduled',
       {numbered_id_sql("(1 + n % $3::bigint)")}, 'set-' || 1 + n % $3::bigint, 1,
       jsonb_build_array(jsonb_build_object('id', {numbered_id_sql("1")}, 'slug', 'clerk', 'version', 1 + n / $3::bigint / 2 % $4::bigint)),
       {numbered_id_sql("1")}, 5, 'hybrid', 'snapshot', 0.05, 4, '{{"replays": 1000, "tokens": 1, "cost": 1.0}}', 'completed', 1000, 1000,
       900, 0.9, 0.85, 0.95, 'no worse', CASE WHEN n % $3::bigint > 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('goldens', (
           SELECT string_agg(md5(n || ' ' || m), '') FROM generate_series(1, $5::bigint / 32) m))) END,
       {_at("n")}, {_at("n")}, 'system'
FROM generate_series(1, $2::bigint) n
"""
REPLAYS_SQL = f"""
INSERT INTO eval_replays (tenant_id, id, run_id, golden_id, revision, agent_id, agent, agent_version, repeat, mode, context, state,
    outcome, accuracy, fidelity, comparison, tokens, cost, seconds, ended_at)
SELECT $1, {numbered_id_sql("n")}, {numbered_id_sql("(1 + n / 1000)")}, {numbered_id_sql("(1 + n % $3::bigint)")}, 1, {numbered_id_sql("1")},
       'clerk', 1 + n / $3::bigint % $4::bigint, n, 'hybrid', 'snapshot', 'compared', CASE WHEN n % 7 = 0 THEN 'failed' ELSE 'passed' END,
       0.9, 1, '{{"overall_accuracy": 0.9}}', 1200, 0.01, 3, {_at("n")}
FROM generate_series(1, $2::bigint) n
"""
# What people said came first; since then only runs of evals have said anything.
FEEDBACK_SQL = f"""
INSERT INTO feedback (tenant_id, id, source_type, rating, comment, context, created_at, created_by_kind, updated_at, source_key,
    origin_actor, origin_artefact, placed_at, session_id, agent_id)
SELECT $1, {numbered_id_sql("n")}, 'session', 'negative', 'The year was wrong', '{{}}', {_at("n")}, 'user', now(),
       CASE WHEN n > $3::bigint THEN 'replay:' ELSE 'bench:' END || n, 'agent:1', 'session:' || n, now(), {numbered_id_sql("(1 + n % 50)")},
       {numbered_id_sql("1")}
FROM generate_series(1, $2::bigint) n
"""
MESSAGES_SQL = f"""
INSERT INTO session_events (tenant_id, session_id, seq, id, type, at, payload)
SELECT $1, {numbered_id_sql("n")}, 1, {numbered_id_sql("n")}, 'user.message', now(), jsonb_build_object('text', 'Where is order ' || n)
FROM generate_series(1, $2::bigint) n
"""

SET_BY_NAME = Statement(holds="FROM golden_sets c")
PAGES: dict[str, tuple[str, str, tuple[Statement, ...]]] = {
    "eval_matrix": (
        f"/api/admin/evals/matrix?set={SET}",
        f"{GOLDENS} goldens × {VERSIONS} versions × {REPEATS} repeats",
        (
            SET_BY_NAME,
            Statement(holds="SELECT n.mode, n.context"),
            Statement(holds="n.agents"),
            Statement(holds="WITH chosen AS"),
        ),
    ),
    "eval_trend": (
        f"/api/admin/evals/trend?set={SET}&limit={POINTS}",
        f"{POINTS:,} runs of a set",
        (SET_BY_NAME, Statement(holds="FROM eval_runs r")),
    ),
    "eval_runs": (
        "/api/admin/evals/runs?kind=run&limit=50",
        "the 50 newest runs",
        (Statement(holds="FROM eval_runs r"),),
    ),
    "goldens": (
        f"/api/admin/evals/golden?set={SET}&limit=50",
        "the 50 newest goldens of a set",
        (Statement(holds="ORDER BY g.promoted_at DESC"),),
    ),
    "candidates": (
        "/api/admin/evals/candidates?limit=100",
        f"candidates of {COMPLAINTS} complaints behind those of runs",
        (Statement(holds="FROM feedback f"), Statement(holds="FROM session_events e")),
    ),
}


_FILLED: dict[tuple[Path, int], Tenant] = {}


def _prepare(path: str, times: int) -> Callable[[Ground], Awaitable[Target]]:
    async def prepare(ground: Ground) -> Target:
        """Nothing is changed, so that all of a size are asked of the same workspace."""
        tenant = _FILLED.get((ground.folder, times))
        if tenant is None:
            tenant = _FILLED[ground.folder, times] = await ground.make_tenant()
            await _fill(ground, tenant, times)
        return Target(tenant_id=tenant.id, requests=[request("GET", path, tenant.secret)])

    return prepare


WORKLOADS = tuple(
    Workload(
        name=f"{name}_{size}",
        about=f"GET {path.partition('?')[0]}: {about}, in a history of {size.replace('k', ',000')} replays",
        statements=statements,
        prepare=_prepare(path, times),
    )
    for name, (path, about, statements) in PAGES.items()
    for size, times in SIZES.items()
)
