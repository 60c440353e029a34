"""A workspace with records of a worked suite, and the worker that scores them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.suites import pf_knowledge
from goldloop.artifact_runs.service import JOB
from goldloop.kit.queue import JOBS
from tests.records import Desk, ok

SUITE = pf_knowledge.SUITE
GOOD = [fixture.record for fixture in SUITE.fixtures if fixture.fails_dimension is None]
BAD = {fixture.fails_dimension: fixture.record for fixture in SUITE.fixtures if fixture.fails_dimension}


@dataclass
class Library:
    """Shortcuts through the HTTP API; each asserts that it worked."""

    desk: Desk

    async def make_type(
        self, suite: KnowledgeEvalSuite = SUITE, *, view: str | None = "product-knowledge"
    ) -> None:
        kind = suite.entity_type
        assert kind is not None
        properties = {
            **kind.json_schema["properties"],
            "surface": {"type": "string"},
        }  # so that it can be wrong
        schema = {**kind.json_schema, "properties": properties}
        await self.desk.make_type(kind.slug, schema, field_configs=kind.field_configs)
        if view:
            body = {"slug": view, "name": view, "entity_type": kind.slug, "blocks": []}
            ok(await self.desk.admin.post("/api/views", json=body))

    async def add(self, *records: dict[str, Any], **changes: Any) -> list[Any]:
        return [
            await self.desk.make_record(
                {**record["content"], **changes}, type=record["type"], title=record["title"]
            )
            for record in records
        ]

    async def start(self, suite: str = SUITE.name, **body: Any) -> Any:
        return ok(await self.desk.admin.post(f"/api/artifact-evals/suites/{suite}/runs", json=body))

    async def work(self, run: Any) -> None:
        """As a worker does that takes the run's job."""
        await JOBS[JOB].run(self.desk.workspace.db, self.desk.workspace.system, run_id=run["id"])

    async def score(self, suite: str = SUITE.name) -> Any:
        run = await self.start(suite)
        await self.work(run)
        return await self.show(run)

    async def show(self, run: Any) -> Any:
        return ok(await self.desk.admin.get(f"/api/artifact-evals/runs/{run['id']}"))

    async def suite(self, slug: str = SUITE.name) -> Any:
        return ok(await self.desk.admin.get(f"/api/artifact-evals/suites/{slug}"))

    async def set_suite(
        self, slug: str = SUITE.name, *, added: bool = False, left_out: dict[str, str] | None = None
    ) -> Any:
        named = [{"dimension": name, "reason": reason} for name, reason in (left_out or {}).items()]
        body = {"added": added, "left_out": named}
        return ok(await self.desk.admin.put(f"/api/artifact-evals/suites/{slug}/settings", json=body))

    async def results(self, run: Any, limit: int = 200, **params: Any) -> list[Any]:
        """All pages."""
        seen: list[Any] = []
        cursor = None
        while True:
            query = {"limit": limit, **params, **({"cursor": cursor} if cursor else {})}
            found = ok(
                await self.desk.reviewer.get(f"/api/artifact-evals/runs/{run['id']}/results", params=query)
            )
            seen += found["data"]
            if (cursor := found["next_cursor"]) is None:
                return seen

    async def sql(self, statement: str, *args: Any) -> Sequence[Any]:
        async with self.desk.workspace.db.tx(self.desk.workspace.system) as tx:
            return await tx.fetch(statement, *args)
