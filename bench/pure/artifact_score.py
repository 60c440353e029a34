"""Scoring knowledge artifacts beside parsing them: 10,000 of the worked suites' own fixtures, good and bad."""

import json
from collections.abc import Sequence
from itertools import cycle, islice

import msgspec

from bench.pure.model import Pass, Prepared, PureWorkload
from goldloop.artifact_evals import score_knowledge_artifact
from goldloop.artifact_evals.suites import SUITES

COUNT = 10_000
MOST_PASSES = 5  # reading a record from JSON costs one; judging it may not be what takes the time


def prepare_scores(count: int = COUNT) -> Prepared:
    """Artifacts that are there already, beside `json.loads` of the same artifacts. What either makes is dropped."""
    fixtures = [(suite.adapter(f.record), suite.rubric) for suite in SUITES for f in suite.fixtures]
    artifacts = list(islice(cycle(fixtures), count))

    def score() -> None:
        for artifact, rubric in artifacts:
            score_knowledge_artifact(artifact, rubric)

    return Prepared(subject=score, baseline=_parse([artifact for artifact, _ in artifacts]), count=count)


def prepare_records(count: int = COUNT) -> Prepared:
    """Records through their adapter and the rubric, beside `json.loads` of the records, which are shorter."""
    fixtures = [(f.record, suite.adapter, suite.rubric) for suite in SUITES for f in suite.fixtures]
    records = list(islice(cycle(fixtures), count))

    def score() -> None:
        for record, adapter, rubric in records:
            score_knowledge_artifact(adapter(record), rubric)

    return Prepared(subject=score, baseline=_parse([record for record, _, _ in records]), count=count)


def _parse(things: Sequence[object]) -> Pass:
    texts = [msgspec.json.encode(thing).decode() for thing in things]

    def parse() -> None:
        for text in texts:
            json.loads(text)

    return parse


WORKLOADS = (
    PureWorkload(
        name="artifact_score",
        about=f"score {COUNT:,} knowledge artifacts",
        baseline="json.loads of the artifacts",
        bound=MOST_PASSES,
        prepare=prepare_scores,
    ),
    PureWorkload(
        name="artifact_adapt_score",
        about=f"adapt and score {COUNT:,} records",
        baseline="json.loads of the records",
        bound=None,
        prepare=prepare_records,
    ),
)
