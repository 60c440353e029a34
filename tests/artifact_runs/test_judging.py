"""A verdict says what the pure function says, whatever the record; a tally adds verdicts up in any batches."""

from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.artifact_evals import KnowledgeDimension, score_knowledge_artifact
from goldloop.artifact_evals.suites import SUITES
from goldloop.artifact_runs.judging import Judge, RecordRow, as_record, judge_record
from goldloop.artifact_runs.tally import Tally, add
from tests.artifact_evals.artifacts import junk

RECORD_ID = UUID(int=7)
FIXTURES = [(suite, fixture.record) for suite in SUITES for fixture in suite.fixtures]


def judge_of(suite: Any) -> Judge:
    return Judge(adapter=suite.adapter, rubric=suite.rubric, entity_type=suite.name, tenant="northwind")


def row_of(record: Any, **changes: Any) -> RecordRow:
    return RecordRow(id=RECORD_ID, title=record["title"], content={**record["content"], **changes})


@given(st.data())
def test_a_verdict_is_the_result_of_scoring(data: st.DataObject) -> None:
    suite, record = data.draw(st.sampled_from(FIXTURES))
    field = data.draw(st.sampled_from(sorted(suite.entity_type.json_schema["properties"])))
    row = row_of(record, **({field: data.draw(junk)} if data.draw(st.booleans()) else {}))
    judge = judge_of(suite)
    pure = score_knowledge_artifact(suite.adapter(as_record(judge, row)), suite.rubric)
    verdict = judge_record(judge, row)
    assert (verdict.passed, verdict.overall, verdict.failed) == (pure.passed, pure.overall, pure.failed)
    assert (verdict.urgency > 0) == (not verdict.passed)
    assert verdict.urgency == (pure.gaps[0].importance if pure.gaps else 0)
    assert verdict.scores == {found.dimension: found.score for found in pure.dimensions}
    assert [gap.importance for gap in verdict.gaps] == [gap.importance for gap in pure.gaps]
    msgspec.json.encode(verdict)


@given(st.lists(st.sampled_from(FIXTURES), max_size=12), st.integers(1, 5))
def test_a_tally_is_the_same_in_batches_of_any_size(chosen: list[Any], size: int) -> None:
    verdicts = [judge_record(judge_of(suite), row_of(record)) for suite, record in chosen]
    whole, parts = add(Tally(), verdicts), Tally()
    for start in range(0, len(verdicts), size):
        kept = msgspec.json.decode(msgspec.json.encode(parts), type=Tally)  # as the database keeps it
        parts = add(kept, verdicts[start : start + size])
    assert parts == whole
    for summary in whole.summaries():
        failed = sum(summary.dimension in verdict.failed for verdict in verdicts)
        assert (summary.failed, summary.passed) == (failed, len(verdicts) - failed)
        assert summary.mean is None or 0 <= summary.mean <= 1


def test_a_tally_of_nothing_has_no_mean() -> None:
    assert add(Tally(), []).overall.mean is None
    assert [each.mean for each in Tally().summaries()] == [None] * len(KnowledgeDimension)


@pytest.mark.parametrize("answer", [None, {}, "artifact"])
def test_an_adapter_that_returns_something_else_has_crashed(answer: Any) -> None:
    judge = msgspec.structs.replace(judge_of(SUITES[0]), adapter=lambda record: answer)
    verdict = judge_record(judge, row_of(SUITES[0].fixtures[0].record))
    assert (verdict.passed, verdict.overall, verdict.failed) == (False, None, ())
    assert "not a KnowledgeArtifact" in verdict.gaps[0].reason
