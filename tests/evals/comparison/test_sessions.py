"""When a replay passes: one table for Python and the browser."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.evals import Effects, InvalidSession, compare
from goldloop.evals.model import RANK, Comparison
from tests import tables
from tests.loops import some

TABLE = tables.load("evals_compare")


def golden_of(row: dict[str, Any]) -> dict[str, Any]:
    wanted = dict(row.get("with", {}))
    if wanted.get("tools") == "declared":
        wanted["tools"] = TABLE["tools"]
    wanted["alternatives"] = [TABLE["sessions"][name] for name in wanted.get("alternatives", [])]
    return {**TABLE["sessions"][row["golden"]], **wanted}


@pytest.mark.parametrize("row", TABLE["cases"], ids=tables.ids)
def test_comparison(row: dict[str, Any]) -> None:
    found = compare(golden_of(row), TABLE["sessions"][row["replay"]])
    shown = [f"{d.kind} {d.path}" if d.path else str(d.kind) for d in found.divergences]
    assert (found.passed, shown) == (row["passed"], row["divergences"])
    scores = {name: found.dimensions[name].score for name in row.get("dimensions", {})}
    assert scores == pytest.approx(row.get("dimensions", {}))
    if "overall" in row:
        assert found.overall_accuracy == pytest.approx(row["overall"])


def test_every_dimension_has_a_reason_and_divergences_are_in_their_order() -> None:
    for row in some(TABLE["cases"]):
        found = compare(golden_of(row), TABLE["sessions"][row["replay"]])
        assert all(dimension.reason for dimension in some(found.dimensions.values()))
        ranks = [RANK[divergence.kind] for divergence in found.divergences]
        assert ranks == sorted(ranks)


def test_a_divergence_shows_both_values_and_where_they_stand() -> None:
    golden, replay = TABLE["sessions"]["refund"], TABLE["sessions"]["another amount"]
    (found,) = compare({**golden, "tools": TABLE["tools"]}, replay).divergences
    assert (found.tool, found.path, found.golden, found.replay) == ("refund_order", "amount", 1628, 1600)
    assert golden["events"][found.golden_event or 0]["payload"]["name"] == "refund_order"
    assert replay["events"][found.replay_event or 0]["payload"]["name"] == "refund_order"


def test_a_guess_about_writes_is_told() -> None:
    golden = TABLE["sessions"]["refund"]
    assert "guessed by name" in compare(golden, golden).dimensions["effects"].reason
    known = compare({**golden, "tools": TABLE["tools"]}, golden)
    assert "guessed" not in known.dimensions["effects"].reason


def test_the_meaning_of_the_final_message_counts_as_much_as_its_words() -> None:
    golden, replay = TABLE["sessions"]["refund"], TABLE["sessions"]["refund without the sum"]
    words = compare(golden, replay).dimensions["final_message"]
    both = compare(golden, replay, similarity=lambda a, b: 0.9).dimensions["final_message"]
    assert "keywords alone" in words.reason
    assert both.score == pytest.approx(((words.score or 0) + 0.9) / 2)


def test_a_text_of_a_response_is_compared_by_meaning_where_that_can_be_had() -> None:
    golden = {"type": "response", "status": "completed", "events": [], "output": {"values": {"why": "cheap"}}}
    replay = {**golden, "output": {"values": {"why": "low in price"}}}
    assert not compare(golden, replay).passed
    assert compare(golden, replay, similarity=lambda a, b: 0.9).passed


def test_a_comparison_is_read_by_attribute_and_as_json() -> None:
    golden = TABLE["sessions"]["refund"]
    found = compare(golden, golden)
    assert found["passed"] is found.passed
    assert found["dimensions"]["effects"]["score"] == 1
    assert {"session_type", "dimensions", "overall_accuracy", "divergences", "passed"} <= dict(found).keys()
    assert msgspec.json.decode(msgspec.json.encode(found), type=Comparison) == found
    with pytest.raises(KeyError):
        found["score"]


@pytest.mark.parametrize(
    ("golden", "replay", "path"),
    [
        (None, {}, "golden"),
        ({"status": "completed", "events": []}, {}, "golden.type"),
        ({"type": "chat", "events": []}, {}, "golden.status"),
        ({"type": "chat", "status": "completed"}, {}, "golden.events"),
        ({"type": "chat", "status": "completed", "events": [{}]}, {}, "golden.events[0]"),
        (
            {"type": "chat", "status": "completed", "events": [{"type": "tool.call", "payload": {}}]},
            {},
            "golden.events[0]",
        ),
        ({"type": "chat", "status": "completed", "events": []}, [], "replay"),
        ({"type": "chat", "status": "completed", "events": [], "effects": "some"}, "same", "golden.effects"),
        ({"type": "chat", "status": "completed", "events": [], "facts": "7"}, "same", "golden.facts"),
        ({"type": "chat", "status": "completed", "events": [], "facts": [" "]}, "same", "golden.facts"),
        ({"type": "chat", "status": "completed", "events": [], "tools": [1]}, "same", "golden.tools"),
        ({"type": "chat", "status": "completed", "events": [], "tools": {"a": 1}}, "same", "golden.tools.a"),
        (
            {"type": "response", "status": "completed", "events": [], "criteria": [{}]},
            "same",
            "golden.criteria",
        ),
        (
            {"type": "chat", "status": "completed", "events": [], "alternatives": [1]},
            {"type": "chat", "status": "failed", "events": []},
            "golden.alternatives[0]",
        ),
    ],
)
def test_what_is_no_session_is_refused_by_its_place(golden: Any, replay: Any, path: str) -> None:
    with pytest.raises(InvalidSession) as refused:
        compare(golden, golden if replay == "same" else replay)
    assert refused.value.path == path


ARGUMENTS = st.dictionaries(
    st.sampled_from("abc"), st.one_of(st.none(), st.integers(0, 3), st.sampled_from(["x", "Y"])), max_size=3
)
CALLS = st.lists(
    st.tuples(st.sampled_from(["get_a", "set_a", "set_b"]), ARGUMENTS, st.booleans()), max_size=6
)


def session_of(calls: list[tuple[str, dict[str, Any], bool]]) -> dict[str, Any]:
    events: list[dict[str, Any]] = []
    for number, (name, arguments, works) in enumerate(calls):
        outcome = {"result": "ok"} if works else {"error": "no"}
        events.append({"type": "tool.call", "payload": {"id": number, "name": name, "arguments": arguments}})
        events.append({"type": "tool.result", "payload": {"id": number, **outcome}})
    return {"type": "agent", "status": "completed", "events": [*events, said("Done.")]}


def said(text: str) -> dict[str, Any]:
    return {"type": "agent.message", "payload": {"text": text}}


@given(CALLS)
def test_every_session_passes_beside_itself(calls: list[Any]) -> None:
    found = compare(session_of(calls), session_of(calls))
    assert (found.passed, found.overall_accuracy, found.divergences) == (True, 1.0, [])


@given(CALLS, CALLS)
def test_effects_decide_and_are_the_same_both_ways(a: list[Any], b: list[Any]) -> None:
    there, back = compare(session_of(a), session_of(b)), compare(session_of(b), session_of(a))
    assert there.dimensions["effects"].score == back.dimensions["effects"].score
    assert there.passed == back.passed == there.dimensions["effects"].passed
    if there.passed:
        assert compare({**session_of(a), "effects": Effects.CONTAINS}, session_of(b)).passed
