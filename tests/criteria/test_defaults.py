"""The default criteria set of a type: which field becomes which dimension."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.criteria.defaults import (
    default_criteria_set_name,
    default_criteria_set_slug,
    default_dimensions,
    humanize,
)
from goldloop.criteria.definition import check_definition
from goldloop.criteria.model import MAX_OPTION, MAX_OPTIONS, CriteriaSetDefinition, Kind
from tests import tables


def default_of(rules: Any, config: dict[str, Any] | None = None, **schema: Any) -> dict[str, Any] | None:
    """The dimension of a field `f`, without what every one has."""
    made = default_dimensions(
        {"type": "object", "properties": {"f": rules}, **schema}, {"f": config} if config else None
    )
    if not made:
        return None
    dimension: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(made[0]))
    assert dimension.pop("key") == dimension.pop("fieldName") == "f"
    assert dimension.pop("label") == "F"
    return dimension


TRUE_FALSE = {"type": "select", "options": ["true", "false"]}


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"type": "string"}, {"type": "text"}),
        ({"type": ["string", "null"]}, {"type": "text"}),
        ({"type": "string", "format": "date"}, {"type": "text"}),
        ({"type": "string", "maxLength": 500}, {"type": "text"}),
        ({"type": "string", "maxLength": 501}, {"type": "richtext"}),
        ({"type": "string", "format": "markdown"}, {"type": "richtext"}),
        ({"type": "string", "contentMediaType": "text/markdown"}, {"type": "richtext"}),
        ({"type": "number"}, {"type": "number"}),
        ({"type": "integer"}, {"type": "number", "step": 1}),
        ({"type": ["integer", "number"]}, {"type": "number"}),
        ({"type": ["number", "null"]}, {"type": "number"}),
        ({"type": "number", "minimum": 0}, {"type": "number"}),
        ({"type": "number", "maximum": 9}, {"type": "number"}),
        ({"type": "number", "minimum": 0, "maximum": 9.5}, {"type": "number", "scale": [0, 9.5]}),
        ({"type": "integer", "minimum": 1, "maximum": 5}, {"type": "number", "scale": [1, 5], "step": 1}),
        ({"type": "integer", "minimum": 0.5, "maximum": 5}, {"type": "number", "scale": [0.5, 5]}),
        ({"type": "number", "minimum": 3, "maximum": 3}, {"type": "number"}),
        ({"type": "number", "minimum": 5, "maximum": 1}, {"type": "number"}),
        ({"type": "boolean"}, TRUE_FALSE),
        ({"type": ["boolean", "null"]}, TRUE_FALSE),
        ({"enum": ["a", "b"]}, {"type": "select", "options": ["a", "b"]}),
        ({"type": "string", "enum": ["a", "b"]}, {"type": "select", "options": ["a", "b"]}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "select", "options": ["a"]}),
        ({"type": "integer", "enum": [1, 2]}, {"type": "select", "options": ["1", "2"]}),
        ({"enum": [True, "x", 1.5]}, {"type": "select", "options": ["true", "x", "1.5"]}),
        ({"enum": ["1", 1]}, {"type": "select", "options": ["1"]}),
        ({"type": "string", "enum": ["x" * (MAX_OPTION + 1)]}, {"type": "text"}),
        ({"type": "string", "enum": [str(n) for n in range(MAX_OPTIONS + 1)]}, {"type": "text"}),
        ({"type": "string", "enum": ["", "a"]}, {"type": "text"}),
        ({"enum": [[1], {"a": 1}]}, None),
        ({"type": "array", "items": {"type": "string"}}, None),
        ({"type": "object"}, None),
        ({"type": ["string", "number"]}, None),
        ({"type": "null"}, None),
        ({}, None),
        (True, None),
        ({"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]}, {"type": "number", "scale": [0, 1]}),
        ({"type": "string", "description": "Help"}, {"type": "text", "description": "Help"}),
    ],
    ids=str,
)  # fmt: skip
def test_field_to_dimension(rules: Any, expected: dict[str, Any] | None) -> None:
    assert default_of(rules) == expected


@pytest.mark.parametrize("row", tables.load("long_text")["cases"], ids=tables.ids)
def test_text_is_long_where_the_forms_say_so_too(row: dict[str, Any]) -> None:
    assert default_of(row["rules"], row["config"]) == {"type": "richtext" if row["long"] else "text"}


def test_a_relation_has_none_whatever_its_schema() -> None:
    assert default_of({"type": "string"}, {"relation": {"target_type": "company"}}) is None


def test_a_reference_is_followed() -> None:
    made = default_of({"$ref": "#/$defs/s"}, **{"$defs": {"s": {"enum": ["a"]}}})
    assert made == {"type": "select", "options": ["a"]}


def test_nothing_is_required_so_that_a_response_may_propose_one_value() -> None:
    assert default_of({"type": "string"}, required=["f"]) == {"type": "text"}


def test_labels_come_from_the_config_then_the_title_then_the_name() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a_b": {"type": "string", "title": "T"},
            "c_d": {"type": "string", "title": " "},
            "e_f": {"type": "string", "title": "T"},
        },
    }
    made = default_dimensions(schema, {"a_b": {"label": "L"}, "c_d": {"label": ""}})
    assert [dimension.label for dimension in made] == ["L", "C d", "T"]


def test_names_that_are_no_keys_get_the_nearest_free_one_and_keep_their_field() -> None:
    fields = ["a b", "a_b", "a/b", "€", "-x", "größe"]
    made = default_dimensions({"properties": {field: {"type": "string"} for field in fields}})
    assert [dimension.key for dimension in made] == ["a_b_2", "a_b", "a_b_3", "_", "x", "größe"]
    assert [dimension.field_name for dimension in made] == fields


def test_no_fields_no_dimensions() -> None:
    assert default_dimensions({}) == []
    assert default_dimensions({"properties": {}}, {}) == []


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("revenue", "Revenue"),
        ("annual_revenue", "Annual revenue"),
        ("annualRevenue", "Annual revenue"),
        ("annual-revenue.usd", "Annual revenue usd"),
        ("revenue_USD", "Revenue USD"),
        ("q3", "Q3"),
        ("_", "_"),
    ],
)
def test_humanize(field: str, words: str) -> None:
    assert humanize(field) == words


def test_slug() -> None:
    assert default_criteria_set_slug("company") == "default-company"


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))  # no schema holds others
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
RULES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["string", "number", "integer", "boolean", "array", "object", ["string", "null"]]
        ),
        "enum": st.lists(SCALARS, max_size=4),
        "minimum": st.integers(-5, 5) | st.floats(-5, 5),
        "maximum": st.integers(-5, 5) | st.floats(-5, 5),
        "maxLength": st.integers(0, 1000),
        "title": TEXTS,
        "description": TEXTS,
        "format": st.sampled_from(["date", "markdown"]),
    },
)
CONFIGS = st.fixed_dictionaries({}, optional={"label": TEXTS, "widget": st.sampled_from(["textarea", "x"])})


@given(st.dictionaries(TEXTS.filter(bool), st.tuples(RULES, CONFIGS), max_size=6))
def test_default_dimensions_are_always_a_good_definition(fields: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {field: rules for field, (rules, _) in fields.items()}}
    dimensions = default_dimensions(schema, {field: config for field, (_, config) in fields.items()})
    definition = CriteriaSetDefinition(slug="default-x", name="X", kind=Kind.RECORD, dimensions=dimensions)
    assert check_definition(definition) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Company", "Company fields"),
        ("x" * 193, f"{'x' * 193} fields"),
        ("x" * 200, f"{'x' * 193} fields"),
        (f"{'x' * 192} {'y' * 7}", f"{'x' * 192} fields"),
    ],
)
def test_the_name_of_a_default_set_fits_whatever_the_type_is_called(name: str, expected: str) -> None:
    assert default_criteria_set_name(name) == expected
    assert len(expected) <= 200
