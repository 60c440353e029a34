"""An agent whose replays pass or fail by which rows are in their prompts, and experiments on them."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import UUID

from pydantic_ai.messages import ToolCallPart

from goldloop.evals.stats.counting import ReplayOutcome
from goldloop.goldens.experiments.end_service import MEASURE
from goldloop.goldens.experiments.staleness_service import RECHECK
from goldloop.goldens.runs import end_service
from goldloop.goldens.runs.replay_store import ReplayResult
from goldloop.goldens.runs.service import ADVANCE
from goldloop.jobs.marks import MarkRunner
from goldloop.kit.queue import MARKS
from tests.factories import Workspace
from tests.goldens.tried import EVALS, HASTY, Tried
from tests.outside import embedded_outside
from tests.records import ok
from tests.runtimes.scripted import call

KNOWLEDGE = "/api/admin/shared-context"
EXPERIMENTS = f"{EVALS}/experiments"
HELPS = "Look the company up, then propose its employees."  # as the careful instructions have it
HARMS = "Propose nothing that nobody has checked."
USELESS = ("Greet politely.", "Use short sentences.", "Name the source of a number.")
TOOLS = ["entities-read", "responses"]


def clerk(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
    """Proposes what it is told where its prompt says so, and not where its prompt forbids it."""
    entity, employees = message.split()[-2:]
    if HELPS in instructions and HARMS not in instructions and not results:
        return call("submitResponse", "write", entityId=entity, values={"employees": int(employees)})
    return f"It has {employees} employees."


@dataclass
class Lab:
    """Goldens of an agent that was told what to do; in its newest version only knowledge may tell it."""

    evals: Tried
    goldens: list[Any]
    rows: dict[str, Any]

    @property
    def admin(self) -> Any:
        return self.evals.admin

    def try_begin(self, **more: Any) -> Any:
        return self.admin.post(EXPERIMENTS, json={"setName": "clerk", **more})

    async def begin(self, **more: Any) -> Any:
        answer = await self.try_begin(**more)
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def foresee(self, **more: Any) -> Any:
        return ok(await self.try_begin(dryRun=True, **more))

    async def show(self, experiment: Any) -> Any:
        return ok(await self.admin.get(f"{EXPERIMENTS}/{experiment['id']}"))

    async def found(self, experiment: Any) -> dict[str, Any]:
        """What was found about each row, by its words."""
        return {each["content"]: each for each in (await self.show(experiment))["results"]}

    async def row(self, words: str) -> Any:
        return ok(await self.admin.get(f"{KNOWLEDGE}/{self.rows[words]['id']}"))

    async def replays(self, run_id: str) -> list[Any]:
        found: list[Any] = ok(await self.admin.get(f"{EVALS}/runs/{run_id}/replays", params={"limit": 200}))[
            "data"
        ]
        return found

    async def write(self, words: str, **more: Any) -> Any:
        self.rows[words] = ok(
            await self.admin.post(KNOWLEDGE, json={"type": "lesson", "content": words, **more})
        )
        return self.rows[words]

    async def go_on(self) -> int:
        return await self.evals.go_on(clerk)


async def make_lab(evals: Tried, goldens: int) -> Lab:
    made = []
    for number in range(goldens):
        record = await evals.desk.make_record()
        session = await evals.run(clerk, f"Set the employees of {record['id']} {number + 10}")
        made.append(await evals.promote(session, set="clerk", floor=False))
    await evals.configure(instructions=HASTY, tool_groups=TOOLS)
    lab = Lab(evals, made, {})
    for words in USELESS:
        await lab.write(words)
    return lab


async def play(
    workspace: Workspace, row_id: str | None, *, until: str | None = None, loses: str | None = None
) -> None:
    """What workers do, without running a session: a replay passes where its prompt holds a row, or always. One whose prompt holds
    what `loses` decides nothing. It ends with the experiments, or when one of them is as far as `until`."""
    marks = MarkRunner(workspace.db, embedded_outside(Path(gettempdir())))
    for _ in range(200):
        done = sum([await marks.drain(MARKS[kind]) for kind in (ADVANCE, MEASURE, RECHECK)])
        async with workspace.db.tx(workspace.system) as tx:
            if until and await tx.fetchval(
                "SELECT EXISTS (SELECT FROM eval_experiments WHERE tenant_id = $1 AND status = $2)",
                workspace.id,
                until,
            ):
                return
            running = await tx.fetch(
                "SELECT id, rows_present FROM eval_replays WHERE state = 'running' AND context = 'drawn' ORDER BY id"
            )
            for replay in running:
                passed = row_id is None or UUID(row_id) in replay["rows_present"]
                outcome = ReplayOutcome.PASSED if passed else ReplayOutcome.FAILED
                if loses and UUID(loses) in replay["rows_present"]:
                    outcome = ReplayOutcome.INCONCLUSIVE
                await end_service.take_in(tx, replay["id"], ReplayResult(outcome))
        if not done and not running:
            return
    raise AssertionError("it does not end")
