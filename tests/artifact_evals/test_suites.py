"""The worked suites hold, every check in them is needed, and a renamed field is noticed."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from goldloop.artifact_evals import (
    Check,
    CheckResult,
    KnowledgeDimension,
    KnowledgeEvalSuite,
    KnowledgeRubric,
    run_knowledge_eval_suite,
    score_knowledge_artifact,
    unresolved_knowledge_surfaces,
)
from goldloop.artifact_evals.suites import SUITES, pf_knowledge
from goldloop.artifact_evals.suites.pf_knowledge.loop import RECORD
from goldloop.artifact_evals.suites.pf_knowledge.records import RECORDS
from goldloop.artifact_runs.demo import NEEDS_WORK
from goldloop.entities.fields import check_field_configs
from goldloop.entities.schema import check_content, check_json_schema
from goldloop.views.demo import ARTIFACT_VIEWS
from tests.loops import some

BY_NAME = {suite.name: suite for suite in SUITES}
NAMED = pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)


def schema_of(suite: KnowledgeEvalSuite) -> dict[str, Any]:
    assert suite.entity_type is not None
    return suite.entity_type.json_schema


def test_there_are_four() -> None:
    assert list(BY_NAME) == ["evidence-claim", "therapy-plan", "pf_idea", "pf_knowledge"]


@pytest.mark.parametrize(
    ("suite", "fixture"),
    [
        pytest.param(suite, fixture, id=f"{suite.name}: {fixture.name}")
        for suite in SUITES
        for fixture in suite.fixtures
    ],
)
def test_a_fixture_passes_or_fails_on_exactly_its_dimension(suite: KnowledgeEvalSuite, fixture: Any) -> None:
    result = score_knowledge_artifact(suite.adapter(fixture.record), suite.rubric)
    assert result.failed == ((fixture.fails_dimension,) if fixture.fails_dimension else ()), result.gaps


@NAMED
def test_every_dimension_has_a_fixture_that_fails_on_it(suite: KnowledgeEvalSuite) -> None:
    assert {f.fails_dimension for f in suite.fixtures} == {None, *KnowledgeDimension}
    report = run_knowledge_eval_suite(suite)
    assert report.passed, report.problems


def with_checks(
    rubric: KnowledgeRubric, dimension: KnowledgeDimension, checks: list[Check]
) -> KnowledgeRubric:
    return replace(rubric, **{dimension.value: tuple(checks)})  # type: ignore[arg-type]


def weakened(suite: KnowledgeEvalSuite) -> Iterator[tuple[str, KnowledgeRubric]]:
    """The rubric without one of its checks, and with that check always content, for each of them."""
    content = Check(name="content", run=lambda _: CheckResult(True, 1.0, "always content"))
    for planned in suite.rubric.plan:
        for place, check in enumerate(planned.checks):
            before, after = planned.checks[:place], planned.checks[place + 1 :]
            name = f"{planned.dimension} {check.name} {place}"
            yield f"without {name}", with_checks(suite.rubric, planned.dimension, [*before, *after])
            yield f"idle {name}", with_checks(suite.rubric, planned.dimension, [*before, content, *after])


@pytest.mark.parametrize(
    ("suite", "rubric"),
    [
        pytest.param(suite, rubric, id=f"{suite.name} {name}")
        for suite in SUITES
        for name, rubric in weakened(suite)
    ],
)
def test_removing_any_single_check_breaks_the_contract(
    suite: KnowledgeEvalSuite, rubric: KnowledgeRubric
) -> None:
    report = run_knowledge_eval_suite(msgspec.structs.replace(suite, rubric=rubric))
    assert not report.passed
    assert any(not fixture.held for fixture in report.fixtures)


@pytest.mark.parametrize(
    ("suite", "field"),
    [
        pytest.param(suite, field, id=f"{suite.name} {field}")
        for suite in SUITES
        for field in schema_of(suite)["properties"]
    ],
)
def test_a_field_renamed_in_the_schema_is_drift(suite: KnowledgeEvalSuite, field: str) -> None:
    schema = schema_of(suite)
    renamed = {
        f"new_{name}" if name == field else name: rules for name, rules in schema["properties"].items()
    }
    assert suite.entity_type is not None
    kind = msgspec.structs.replace(suite.entity_type, json_schema={**schema, "properties": renamed})
    report = run_knowledge_eval_suite(msgspec.structs.replace(suite, entity_type=kind))
    assert not report.passed
    assert {found.field.partition(".")[0] for found in report.drift} == {field}
    assert any(f"the schema has no field `{field}" in problem for problem in report.problems)


def places(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every field within a field of a schema, by the way to it."""
    for name, inner in node.get("properties", {}).items():
        if path:
            yield (*path, "properties", name)
        yield from places(inner, (*path, "properties", name))
    if "items" in node:
        yield from places(node["items"], (*path, "items"))


def renamed_at(schema: dict[str, Any], way: tuple[str, ...]) -> dict[str, Any]:
    copy: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))
    node = copy
    for part in way[:-1]:
        node = node[part]
    node[f"new_{way[-1]}"] = node.pop(way[-1])
    return copy


@pytest.mark.parametrize(
    ("suite", "way"),
    [
        pytest.param(suite, way, id=f"{suite.name} {'.'.join(way)}")
        for suite in SUITES
        for way in places(schema_of(suite))
    ],
)
def test_a_field_renamed_within_a_field_is_drift(suite: KnowledgeEvalSuite, way: tuple[str, ...]) -> None:
    assert suite.entity_type is not None
    kind = msgspec.structs.replace(suite.entity_type, json_schema=renamed_at(schema_of(suite), way))
    report = run_knowledge_eval_suite(msgspec.structs.replace(suite, entity_type=kind))
    assert not report.passed
    assert any(found.field.endswith(way[-1]) for found in report.drift), report.drift


@NAMED
def test_goldloop_takes_the_type_and_its_good_records(suite: KnowledgeEvalSuite) -> None:
    assert suite.entity_type is not None
    schema = suite.entity_type.json_schema
    assert check_json_schema(schema) == []
    assert check_field_configs(suite.entity_type.field_configs, schema) == []
    for fixture in some(suite.fixtures):
        if fixture.fails_dimension is None:
            assert check_content(schema, fixture.record["content"]) == [], fixture.name


@NAMED
def test_the_surfaces_of_the_schema_are_those_of_the_demo(suite: KnowledgeEvalSuite) -> None:
    view = ARTIFACT_VIEWS[suite.name][0]
    named = schema_of(suite)["properties"]["surface"]["enum"]
    assert named == [f"view:{view}", f"entity-list:{suite.name}"]


def test_product_knowledge_has_ten_records_with_drafts_among_them() -> None:
    drafts = [record for record in RECORDS if record["content"]["status"] in RECORD.draft_statuses]
    assert (len(RECORDS), len(drafts)) == (10, 4)
    assert any(not record["content"].get("sources") for record in drafts), "a draft owes no sources"


def test_the_surfaces_of_the_loop_resolve_in_the_demo() -> None:
    resolvers = {
        "view": {view for view, _, _ in ARTIFACT_VIEWS.values()}.__contains__,
        "entity-list": ARTIFACT_VIEWS.__contains__,
    }
    assert unresolved_knowledge_surfaces(pf_knowledge.LOOP, resolvers) == ()


@pytest.mark.parametrize(
    ("key", "failed"),
    [
        ("claim-standing-desks", ["source_grounding", "schema_completeness"]),
        ("plan-shoulder", ["actionability", "safety_human_gate"]),
        ("idea-bot-tone", ["source_grounding", "schema_completeness", "actionability", "safety_human_gate"]),
        ("know-card-decline", ["tenant_isolation"]),
    ],
)
def test_the_demo_has_something_to_fix(key: str, failed: list[str]) -> None:
    record = next(record for record in NEEDS_WORK if record["id"] == key)
    suite = BY_NAME[record["type"]]
    assert check_content(schema_of(suite), record["content"]) == []
    assert score_knowledge_artifact(suite.adapter(record), suite.rubric).failed == tuple(failed)
