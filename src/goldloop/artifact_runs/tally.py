"""What the verdicts of a run come to, added up batch by batch. Pure."""

from collections.abc import Iterable, Mapping

import msgspec

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_runs.judging import Verdict
from goldloop.artifact_runs.model import DimensionSummary


class Scores(msgspec.Struct, frozen=True):
    scored: int = 0
    sum: float = 0.0

    def plus(self, score: float | None) -> "Scores":
        return self if score is None else Scores(self.scored + 1, self.sum + score)

    @property
    def mean(self) -> float | None:
        return min(1.0, self.sum / self.scored) if self.scored else None


class DimensionTally(msgspec.Struct, frozen=True):
    passed: int = 0
    failed: int = 0
    scores: Scores = Scores()


class Tally(msgspec.Struct, frozen=True):
    """As a run keeps it: sums, from which a worker that takes over goes on, and what it was begun without, and why."""

    overall: Scores = Scores()
    dimensions: Mapping[KnowledgeDimension, DimensionTally] = {}
    left_out: Mapping[KnowledgeDimension, str] = {}

    def summaries(self) -> list[DimensionSummary]:
        """Each dimension in its order, also one that nothing was judged on."""
        return [
            DimensionSummary(
                dimension=dimension,
                passed=tally.passed,
                failed=tally.failed,
                mean=tally.scores.mean,
                left_out=self.left_out.get(dimension),
            )
            for dimension in KnowledgeDimension
            for tally in [self.dimensions.get(dimension, DimensionTally())]
        ]


def add(tally: Tally, verdicts: Iterable[Verdict]) -> Tally:
    """A record that could not be judged counts in no dimension."""
    overall, dimensions = tally.overall, dict(tally.dimensions)
    for verdict in verdicts:
        overall = overall.plus(verdict.overall)
        for dimension, score in verdict.scores.items():
            before = dimensions.get(dimension, DimensionTally())
            failed = dimension in verdict.failed
            dimensions[dimension] = DimensionTally(
                before.passed + (not failed), before.failed + failed, before.scores.plus(score)
            )
    return Tally(overall, dimensions, tally.left_out)
