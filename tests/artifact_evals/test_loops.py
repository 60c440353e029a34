"""Loops: what they declare, whether they close, where they show, and the rubric that is a lens over them."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.artifact_evals import (
    Check,
    CheckResult,
    KnowledgeEvalSuite,
    KnowledgeRubric,
    KnowledgeSafetyClass,
    KnowledgeSurface,
    LoopFacts,
    LoopStep,
    make_surface_probe,
    require_renderable,
    resolve_knowledge_surfaces,
    rubric_from_loop,
    score_knowledge_artifact,
    score_loop_closure_from_facts,
    unresolved_knowledge_surfaces,
    with_surface_probe,
)
from goldloop.artifact_evals.loops import parse_surface
from goldloop.artifact_evals.suites import SUITES
from goldloop.artifact_evals.suites.pf_knowledge import LOOP, SUITE
from goldloop.artifact_evals.suites.pf_knowledge.adapter import PAYLOAD
from tests.artifact_evals.artifacts import make_artifact

FIELDS = {"pf_knowledge": {"sources", *LOOP.review_gate.fields}}
FACTS = LoopFacts(
    fields=FIELDS,
    records={"pf_knowledge": {"draft": 4, "published": 6}},
    reviewed={"pf_knowledge": 6},
    reviewers=2,
    surfaces=LOOP.surface_refs,
)


def test_a_loop_of_which_all_is_there_is_closed() -> None:
    closure = score_loop_closure_from_facts(LOOP, FACTS)
    assert (closure.closed, closure.score, closure.gaps) == (True, 1.0, ())
    assert [step.step for step in closure.steps] == list(LoopStep)


@pytest.mark.parametrize(
    ("change", "gaps", "says"),
    [
        ({"fields": {}}, ["review", "records", "evidence"], "has no field `safety_class`"),
        ({"fields": {"pf_knowledge": set(LOOP.review_gate.fields)}}, ["evidence"], "no field `sources` for sources"),
        ({"records": {}}, ["lifecycle"], "none of 0 `pf_knowledge` records is published"),
        ({"records": {"pf_knowledge": {"draft": 4}}}, ["lifecycle"], "none of 4"),
        ({"reviewed": {"pf_knowledge": 4}}, ["review"], "no person reviewed 2 finalized `pf_knowledge` records"),
        ({"reviewers": 0}, ["review"], "nobody may review `pf_knowledge`"),
        ({"surfaces": ()}, ["surfaces"], "there is no `view:product-knowledge`; there is no `entity-list:pf_knowledge`"),
    ],
)  # fmt: skip
def test_what_is_missing_is_a_gap_with_a_reason(change: dict[str, Any], gaps: list[str], says: str) -> None:
    closure = score_loop_closure_from_facts(LOOP, msgspec.structs.replace(FACTS, **change))
    assert (closure.closed, [gap.step.value for gap in closure.gaps]) == (False, gaps)
    assert says in closure.gaps[0].reason
    assert closure.score == pytest.approx(1 - sum(gap.importance for gap in closure.gaps))


def test_half_of_the_surfaces_is_half_a_score() -> None:
    closure = score_loop_closure_from_facts(
        LOOP, msgspec.structs.replace(FACTS, surfaces=LOOP.surface_refs[:1])
    )
    assert closure.steps[-1].score == 0.5


def test_a_loop_of_nothing_is_not_closed() -> None:
    empty = msgspec.structs.replace(LOOP, records=(), surfaces=())
    closure = score_loop_closure_from_facts(empty, FACTS)
    assert (closure.closed, closure.score) == (False, 0.0)
    assert {gap.reason for gap in closure.gaps} == {"the loop declares none"}


counts = st.dictionaries(st.sampled_from(["draft", "published", "x"]), st.integers(0, 9))
facts = st.builds(
    LoopFacts,
    fields=st.dictionaries(st.sampled_from(["pf_knowledge", "x"]), st.sets(st.sampled_from(sorted(FIELDS["pf_knowledge"])))),
    records=st.dictionaries(st.sampled_from(["pf_knowledge", "x"]), counts),
    reviewed=st.dictionaries(st.just("pf_knowledge"), st.integers(0, 9)),
    reviewers=st.integers(0, 3),
    surfaces=st.sets(st.sampled_from(LOOP.surface_refs)),
)  # fmt: skip


@given(facts)
def test_closure_is_within_range_and_closed_only_without_gaps(known: LoopFacts) -> None:
    closure = score_loop_closure_from_facts(LOOP, known)
    assert 0 <= closure.score <= 1
    assert closure.closed == (closure.score == 1.0) == (not closure.gaps)


def _down(_key: str) -> bool:
    raise ConnectionError("no network")


@pytest.mark.parametrize(
    ("resolvers", "resolved", "says"),
    [
        ({"view": lambda key: key == "product-knowledge", "entity-list": {"pf_knowledge"}.__contains__}, [True, True], "is there"),
        ({"view": lambda _: False, "entity-list": lambda _: True}, [False, True], "there is no `view:product-knowledge`"),
        ({"entity-list": lambda _: True}, [False, True], "nothing can look up “view” surfaces"),
        ({"view": _down, "entity-list": lambda _: True}, [False, True], "crashed: ConnectionError “no network”"),
        ({}, [False, False], "nothing can look up"),
    ],
)  # fmt: skip
def test_a_surface_is_there_when_the_resolver_of_its_kind_says_so(
    resolvers: dict[str, Any], resolved: list[bool], says: str
) -> None:
    found = resolve_knowledge_surfaces(LOOP, resolvers)
    assert [resolution.resolved for resolution in found] == resolved
    assert says in found[0].reason
    assert unresolved_knowledge_surfaces(LOOP, resolvers) == tuple(r for r in found if not r.resolved)


def test_a_probe_asks_the_same_resolvers_about_each_record() -> None:
    check = require_renderable("topic", probe=make_surface_probe({"view": lambda key: key == "desk"}))
    assert check.run(make_artifact()).passed
    probe = make_surface_probe({"view": _down})
    assert [probe(ref) for ref in ("view:desk", "page:/x", "desk", "")] == [False] * 4


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_a_probe_takes_the_place_of_the_list_in_a_rubric_that_is_there(suite: KnowledgeEvalSuite) -> None:
    artifact = suite.adapter(suite.fixtures[0].record)
    nowhere = with_surface_probe(suite.rubric, lambda _: False)
    assert score_knowledge_artifact(artifact, nowhere).failed == ("workspace_renderability",)
    assert score_knowledge_artifact(artifact, with_surface_probe(nowhere, lambda _: True)).passed
    assert nowhere.fields == suite.rubric.fields


def test_a_check_of_ones_own_is_not_probed() -> None:
    mine = Check(name="mine", run=lambda _: CheckResult(True, 1.0, "mine"))
    rubric = KnowledgeRubric(name="r", workspace_renderability=mine)
    assert list(with_surface_probe(rubric, lambda _: False).checks) == [("workspace_renderability", mine)]


@pytest.mark.parametrize(
    ("ref", "kind", "key"),
    [("view:a:b", "view", "a:b"), ("page:/x", "page", "/x"), ("x", "", "x"), ("", "", "")],
)
def test_a_surface_is_named_by_kind_and_key(ref: str, kind: str, key: str) -> None:
    assert parse_surface(ref) == KnowledgeSurface(kind=kind, key=key)


def _derived(loop: Any) -> Any:
    return rubric_from_loop(
        loop,
        "pf_knowledge",
        schema_completeness=SUITE.rubric.schema_completeness,
        actionability=SUITE.rubric.actionability,
        payload_fields=PAYLOAD,
    )


_RECORD = LOOP.records[0]
REFUND = SUITE.fixtures[0].record


@pytest.mark.parametrize(
    ("change", "dimension"),
    [
        ({"surfaces": (KnowledgeSurface(kind="page", key="/wiki"),)}, "workspace_renderability"),
        ({"safety_class": KnowledgeSafetyClass.CLINICAL}, "safety_human_gate"),
        ({"records": (msgspec.structs.replace(_RECORD, minimum_evidence=3),)}, "source_grounding"),
    ],
)
def test_what_the_loop_declares_is_what_the_rubric_asks(change: dict[str, Any], dimension: str) -> None:
    artifact = SUITE.adapter(REFUND)
    assert score_knowledge_artifact(artifact, _derived(LOOP)).passed
    changed = msgspec.structs.replace(LOOP, **change)
    assert score_knowledge_artifact(artifact, _derived(changed)).failed == (dimension,)


def test_a_status_that_becomes_a_draft_one_owes_no_sources() -> None:
    unsourced = SUITE.adapter({**REFUND, "content": {**REFUND["content"], "sources": []}})
    assert score_knowledge_artifact(unsourced, _derived(LOOP)).failed == ("source_grounding",)
    softer = msgspec.structs.replace(_RECORD, draft_statuses=("published",), finalized_statuses=())
    loop = msgspec.structs.replace(LOOP, records=(softer,))
    assert score_knowledge_artifact(unsourced, _derived(loop)).passed


def test_a_rubric_of_a_type_that_the_loop_does_not_have_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="the loop product-knowledge declares pf_knowledge, not pf_idea"):
        LOOP.record("pf_idea")
