"""Scoring records with the artifact eval suites of the server, and what to fix first."""

from datetime import datetime
from uuid import UUID

import msgspec

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.types import CriteriaSet, Party, Row


class DimensionSummary(Row, frozen=True):
    """How many records pass a dimension; `mean` is None where none has a score."""

    dimension: str
    passed: int
    failed: int
    mean: float | None = None


class ArtifactEvalRun(Row, frozen=True):
    """Scoring every record of a suite's type; `done` of `total` are scored so far."""

    id: UUID
    suite: str
    entity_type: str
    rubric_version: str
    status: str
    total: int
    done: int
    passed: int
    mean: float | None
    dimensions: list[DimensionSummary]
    results_kept: bool
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    created_by: Party


class ArtifactEvalSuite(Row, frozen=True):
    """A suite of the server and what the workspace has for it."""

    slug: str
    title: str
    entity_type: str
    entity_type_exists: bool
    records: int
    loop: str | None
    criteria_set_id: UUID | None
    newest_run: ArtifactEvalRun | None


class ArtifactEvalGap(Row, frozen=True):
    """Something to fix; without a `dimension` nothing could be judged."""

    dimension: str | None
    check: str
    fields: list[str]
    reason: str
    score: float | None
    importance: float


class ArtifactEvalResult(Row, frozen=True):
    """What a run found about a record; `gaps` are the most important first."""

    entity_id: UUID
    title: str
    passed: bool
    overall: float | None
    scores: dict[str, float | None]
    gaps: list[ArtifactEvalGap]


class LoopStep(Row, frozen=True):
    step: str
    passed: bool
    score: float
    reason: str
    importance: float


class LoopReport(Row, frozen=True):
    loop: str
    title: str
    closed: bool
    score: float
    steps: list[LoopStep]


class ArtifactEvalMethods(Resource[Kind]):
    @operation("GET", "/api/artifact-evals/suites")
    def suites(self) -> Call[list[ArtifactEvalSuite]]:
        """Each with its newest run in this workspace."""
        return Call(_SuiteList, read=lambda answer: answer.data)

    @operation("GET", "/api/artifact-evals/suites/{suite}")
    def suite(self, suite: str) -> Call[ArtifactEvalSuite]:
        return Call(ArtifactEvalSuite, (suite,))

    @operation("GET", "/api/artifact-evals/suites/{suite}/loop")
    def loop(self, suite: str) -> Call[LoopReport]:
        """Whether the loop that makes the records closes."""
        return Call(LoopReport, (suite,))

    @operation("POST", "/api/artifact-evals/suites/{suite}/criteria-set", safe=True)
    def make_criteria_set(self, suite: str) -> Call[CriteriaSet]:
        """The set that asks people what the suite checks. Again: what is there."""
        return Call(CriteriaSet, (suite,))

    @operation("POST", "/api/artifact-evals/suites/{suite}/runs", safe=True)
    def start(self, suite: str, *, id: Id | None = None) -> Call[ArtifactEvalRun]:
        """Score every record of the suite's type, in the background. While one runs, it is a `Conflict`."""
        return Call(ArtifactEvalRun, (suite,), body={"id": id or new_id()})

    @listing("/api/artifact-evals/suites/{suite}/runs")
    def runs(self, suite: str) -> Call[Page[ArtifactEvalRun]]:
        """Newest first."""
        return Call(Page[ArtifactEvalRun], (suite,))

    @operation("GET", "/api/artifact-evals/runs/{run_id}")
    def run(self, run_id: Id) -> Call[ArtifactEvalRun]:
        return Call(ArtifactEvalRun, (run_id,))

    @listing("/api/artifact-evals/runs/{run_id}/results")
    def results(
        self, run_id: Id, *, result: str | None = None, dimension: str | None = None
    ) -> Call[Page[ArtifactEvalResult]]:
        """What to fix first. `result` is failed or passed."""
        return Call(Page[ArtifactEvalResult], (run_id,), query={"result": result, "dimension": dimension})

    @operation("POST", "/api/artifact-evals/runs/{run_id}/cancel", safe=True)
    def cancel(self, run_id: Id) -> Call[ArtifactEvalRun]:
        """Again: no change."""
        return Call(ArtifactEvalRun, (run_id,))


class _SuiteList(msgspec.Struct, frozen=True):
    data: list[ArtifactEvalSuite]
    problems: list[str]
    next_cursor: str | None
