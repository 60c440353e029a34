"""The brief and the answer to it: fences that hold, a schema by the fields, what is read of an answer."""

from typing import Any

import pytest

from goldloop.criteria.model import Dimension, DimensionType
from goldloop.kit.errors import Faults
from goldloop.population.brief import _section, output_schema
from goldloop.population.output import Output, read_output, with_session

SIZE = Dimension(key="size", label="Size", type=DimensionType.RATING, scale=(1, 5), description="How large")
KIND = Dimension(key="kind", label="Kind", type=DimensionType.SELECT, options=["a", "b"])
WHY = Dimension(key="why", label="Why", type=DimensionType.TEXT)


@pytest.mark.parametrize(
    ("text", "fence"),
    [("plain", "```"), ("", "```"), ("a `b` c", "```"), ("```\nx\n```", "````"), ("``````", "```````")],
)
def test_a_fence_is_longer_than_any_in_the_text(text: str, fence: str) -> None:
    assert _section("T", text) == f"## T\n{fence}\n{text}\n{fence}"


def test_the_schema_has_each_field_as_its_type_takes_it_and_no_other() -> None:
    schema = output_schema([SIZE, KIND, WHY])
    values = schema["properties"]["values"]
    assert values["properties"] == {
        "size": {"description": "How large", "type": "number", "minimum": 1, "maximum": 5},
        "kind": {"description": "Kind", "type": "string", "enum": ["a", "b"]},
        "why": {"description": "Why", "type": "string"},
    }
    assert values["additionalProperties"] is False
    assert schema["required"] == ["values"]
    assert output_schema([])["properties"]["values"]["properties"] == {}


@pytest.mark.parametrize(
    "output",
    [None, "text", [], {}, {"values": []}, {"values": {}, "notes": 3}, {"values": {}, "notes": "x" * 10_001}],
)
def test_what_is_no_answer_is_told_what_one_is(output: Any) -> None:
    assert isinstance(read_output(output, [SIZE]), Faults)


def test_what_was_not_asked_for_is_told() -> None:
    found = read_output({"values": {"size": 3, "why": "x"}, "field_meta": {"kind": {}}}, [SIZE])
    assert isinstance(found, Faults)
    assert [fault.path for fault in found] == ["/values/why", "/field_meta/kind"]


@pytest.mark.parametrize(
    ("values", "empty"), [({}, True), ({"why": None}, True), ({"why": "  "}, True), ({"size": 0}, False)]
)
def test_an_answer_without_values_is_empty(values: dict[str, Any], empty: bool) -> None:
    found = read_output({"values": values, "notes": "Looked everywhere."}, [SIZE, WHY])
    assert isinstance(found, Output)
    assert found.is_empty is empty


def test_each_value_and_what_was_looked_for_in_vain_names_the_session() -> None:
    meta = {"size": {"confidence": "low"}, "kind": {"sources": []}}
    assert with_session(meta, {"size": 3, "why": "x", "kind": None}, "s") == {
        "size": {"confidence": "low", "session_id": "s"},
        "why": {"session_id": "s"},
        "kind": {"sources": [], "session_id": "s"},
    }
    assert with_session({}, {}, "s") == {}
    assert with_session({"size": "high"}, {"size": 3}, "s") == {"size": {"session_id": "s"}}
