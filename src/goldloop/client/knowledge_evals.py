"""Scoring records with the knowledge suites of the server, and what to fix first."""

import msgspec

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.types import CriteriaSet, KnowledgeResult, KnowledgeRun, KnowledgeSuite, LoopReport


class KnowledgeEvalMethods(Resource[Kind]):
    @operation("GET", "/api/knowledge-suites")
    def suites(self) -> Call[list[KnowledgeSuite]]:
        """Each with its newest run in this workspace."""
        return Call(_SuiteList, read=lambda answer: answer.data)

    @operation("GET", "/api/knowledge-suites/{suite}")
    def suite(self, suite: str) -> Call[KnowledgeSuite]:
        return Call(KnowledgeSuite, (suite,))

    @operation("GET", "/api/knowledge-suites/{suite}/loop")
    def loop(self, suite: str) -> Call[LoopReport]:
        """Whether the loop that makes the records closes."""
        return Call(LoopReport, (suite,))

    @operation("POST", "/api/knowledge-suites/{suite}/criteria-set", safe=True)
    def make_criteria_set(self, suite: str) -> Call[CriteriaSet]:
        """The set that asks people what the suite checks. Again: what is there."""
        return Call(CriteriaSet, (suite,))

    @operation("POST", "/api/knowledge-suites/{suite}/runs", safe=True)
    def start(self, suite: str, *, id: Id | None = None) -> Call[KnowledgeRun]:
        """Score every record of the suite's type, in the background. While one runs, it is a `Conflict`."""
        return Call(KnowledgeRun, (suite,), body={"id": id or new_id()})

    @listing("/api/knowledge-suites/{suite}/runs")
    def runs(self, suite: str) -> Call[Page[KnowledgeRun]]:
        """Newest first."""
        return Call(Page[KnowledgeRun], (suite,))

    @operation("GET", "/api/knowledge-runs/{run_id}")
    def run(self, run_id: Id) -> Call[KnowledgeRun]:
        return Call(KnowledgeRun, (run_id,))

    @listing("/api/knowledge-runs/{run_id}/results")
    def results(
        self, run_id: Id, *, result: str | None = None, dimension: str | None = None
    ) -> Call[Page[KnowledgeResult]]:
        """What to fix first. `result` is failed or passed."""
        return Call(Page[KnowledgeResult], (run_id,), query={"result": result, "dimension": dimension})

    @operation("POST", "/api/knowledge-runs/{run_id}/cancel", safe=True)
    def cancel(self, run_id: Id) -> Call[KnowledgeRun]:
        """Again: no change."""
        return Call(KnowledgeRun, (run_id,))


class _SuiteList(msgspec.Struct, frozen=True):
    data: list[KnowledgeSuite]
