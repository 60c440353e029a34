"""Scoring records with the artifact eval suites of the server, and what to fix first."""

from collections.abc import Mapping, Sequence

import msgspec

from goldloop.client.artifact_eval_types import (
    ArtifactEvalResult,
    ArtifactEvalRun,
    ArtifactEvalSuite,
    LoopReport,
)
from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.ids import Id, new_id
from goldloop.client.types import CriteriaSet


class ArtifactEvalMethods(Resource[Kind]):
    @operation("GET", "/api/artifact-evals/suites")
    def suites(self, *, hidden: bool = False) -> Call[list[ArtifactEvalSuite]]:
        """Those that the workspace has a type for or has added, each with its newest run; or else the others."""
        return Call(_SuiteList, query={"hidden": hidden}, read=lambda answer: answer.data)

    @operation("GET", "/api/artifact-evals/suites/{suite}")
    def suite(self, suite: str) -> Call[ArtifactEvalSuite]:
        return Call(ArtifactEvalSuite, (suite,))

    @operation("PUT", "/api/artifact-evals/suites/{suite}/settings")
    def change_suite(
        self, suite: str, *, added: bool, left_out: Sequence[Mapping[str, str]] = ()
    ) -> Call[ArtifactEvalSuite]:
        """Show a suite also without its type; leave dimensions out of the next runs, each `{"dimension", "reason"}`."""
        return Call(ArtifactEvalSuite, (suite,), body={"added": added, "left_out": left_out})

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
