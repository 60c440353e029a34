"""What holds for every artifact, however it came to be."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.artifact_evals import (
    EvidenceRef,
    KnowledgeArtifact,
    KnowledgeDimension,
    KnowledgeResult,
    score_knowledge_artifact,
)
from goldloop.artifact_evals.suites import SUITES
from tests.artifact_evals.artifacts import RUBRIC, artifacts, junk, make_artifact, odd_artifacts, refs

SUITE_OF = st.sampled_from(SUITES)


def check_shape(result: KnowledgeResult) -> None:
    assert [found.dimension for found in result.dimensions] == list(KnowledgeDimension)
    for found in result.dimensions:
        assert found.score is None or 0 <= found.score <= 1
        assert found.reason
        assert "crashed" not in found.reason, found.reason
        assert len(found.reason) < 1000
        if not found.passed:
            assert found.score is None or found.score < 1
            assert found.fields, "a failure names the field to look at"
    assert result.overall is None or 0 <= result.overall <= 1
    assert result.passed == (not result.gaps) == (not result.failed)
    importances = [gap.importance for gap in result.gaps]
    assert importances == sorted(importances, reverse=True)
    assert {gap.dimension for gap in result.gaps} == set(result.failed)


@given(artifacts)
def test_scores_are_within_range_and_every_verdict_has_a_reason(artifact: KnowledgeArtifact) -> None:
    check_shape(score_knowledge_artifact(artifact, RUBRIC))


@given(odd_artifacts)
def test_an_odd_artifact_gets_a_reason_and_never_an_exception(artifact: KnowledgeArtifact) -> None:
    check_shape(score_knowledge_artifact(artifact, RUBRIC))


@given(SUITE_OF, st.dictionaries(st.text(max_size=10) | st.sampled_from(["id", "content", "tenant"]), junk))
def test_an_adapter_takes_any_record(suite: Any, record: dict[str, Any]) -> None:
    check_shape(score_knowledge_artifact(suite.adapter(record), suite.rubric))


@given(st.data())
def test_a_record_with_any_field_replaced_by_junk_is_scored(data: st.DataObject) -> None:
    suite = data.draw(SUITE_OF)
    record = data.draw(st.sampled_from(suite.fixtures)).record
    assert suite.entity_type is not None
    field = data.draw(st.sampled_from(sorted(suite.entity_type.json_schema["properties"])))
    odd = {**record, "content": {**record["content"], field: data.draw(junk)}}
    check_shape(score_knowledge_artifact(suite.adapter(odd), suite.rubric))


@given(artifacts, st.lists(refs, max_size=4))
def test_adding_evidence_never_lowers_source_grounding(
    artifact: KnowledgeArtifact, more: list[EvidenceRef]
) -> None:
    richer = msgspec.structs.replace(artifact, evidence_refs=(*artifact.evidence_refs, *more))
    before, after = (score_knowledge_artifact(one, RUBRIC).dimensions[0] for one in (artifact, richer))
    assert after.passed >= before.passed
    if before.score is not None:
        assert after.score is not None
        assert after.score >= before.score


@given(artifacts)
def test_the_same_artifact_scores_the_same(artifact: KnowledgeArtifact) -> None:
    copy = msgspec.json.decode(msgspec.json.encode(artifact), type=KnowledgeArtifact)
    once = score_knowledge_artifact(artifact, RUBRIC)
    assert once == score_knowledge_artifact(artifact, RUBRIC)
    assert once == score_knowledge_artifact(copy, RUBRIC)


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "fields",
    [
        {"topic": "x" * 5_000_000, "steps": "word " * 500_000, "owner": {"name": "y" * 1_000_000}},
        {"topic": ["x"] * 200_000, "steps": ["Do the thing that is written here."] * 50_000},
        {"topic": _nested(50_000), "steps": _nested(50_000), "owner": _nested(50_000)},
        {"topic": 10**5000, "steps": -(10**5000), "owner": {"name": float("nan")}},
    ],
    ids=["long", "wide", "deep", "numbers"],
)
def test_a_huge_artifact_is_scored_with_a_short_reason(fields: dict[str, Any]) -> None:
    sources = tuple(EvidenceRef(f"doi:10.5555/{number}" + "z" * 1000, "sources") for number in range(5000))
    check_shape(score_knowledge_artifact(make_artifact(fields=fields, evidence_refs=sources), RUBRIC))


@pytest.mark.parametrize(
    "part", ["id", "type", "title", "tenant", "status", "fields", "evidence_refs", "safety"]
)
@pytest.mark.parametrize("odd", [10**5000, _nested(50_000)], ids=["number", "deep"])
def test_no_part_of_an_artifact_is_too_odd_to_be_scored(part: str, odd: Any) -> None:
    result = score_knowledge_artifact(make_artifact(**{part: odd}), RUBRIC)
    check_shape(result)
    assert len(result.artifact_id) < 100
    record = {"id": odd, "type": odd, "title": odd, "tenant": odd, "content": {"status": odd, "sources": odd}}
    for suite in SUITES:
        check_shape(score_knowledge_artifact(suite.adapter(record), suite.rubric))
