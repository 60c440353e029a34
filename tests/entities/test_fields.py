"""What a field is: its shape in the schema, its config."""

from typing import Any

import pytest

from goldloop.entities.fields import (
    check_field_configs,
    check_field_names,
    describe_field,
    is_relation,
    narrowed_relations,
)
from goldloop.kit.errors import MOST_FAULTS, Faults

STATUS = {"enum": ["open", "closed"], "title": "Status"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "plain": {"type": "string"},
        "nullable": {"type": ["string", "null"]},
        "optional": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}], "title": "Optional"},
        "referenced": {"$ref": "#/$defs/status", "title": "State"},
        "wrapped": {"allOf": [{"$ref": "#/$defs/status"}]},
        "nullable_enum": {"enum": ["a", None]},
        "mixed": {"anyOf": [{"type": "integer"}, {"type": "string"}], "title": "Mixed"},
        "anything": {},
        "always": True,
        "circular": {"$ref": "#/properties/circular"},
        "dangling": {"$ref": "#/$defs/gone"},
        "escaped": {"$ref": "#/$defs/a~1b"},
        "protocols": {"type": "array"},
    },
    "required": ["plain"],
    "$defs": {"status": STATUS, "a/b": {"type": "boolean"}},
}


@pytest.mark.parametrize(
    ("field", "types", "nullable", "enum"),
    [
        ("plain", {"string"}, False, None),
        ("nullable", {"string"}, True, None),
        ("optional", {"integer"}, True, None),
        ("referenced", set(), False, ["open", "closed"]),
        ("wrapped", set(), False, ["open", "closed"]),
        ("nullable_enum", set(), True, ["a"]),
        ("mixed", set(), False, None),
        ("anything", set(), False, None),
        ("always", set(), False, None),
        ("circular", set(), False, None),
        ("dangling", set(), False, None),
        ("escaped", {"boolean"}, False, None),
    ],
)
def test_shape(field: str, types: set[str], nullable: bool, enum: list[Any] | None) -> None:
    shape = describe_field(SCHEMA, field)
    assert shape is not None
    assert (shape.types, shape.nullable, shape.enum) == (types, nullable, enum)
    assert shape.required == (field == "plain")


def test_what_stands_beside_a_reference_wins() -> None:
    assert describe_field(SCHEMA, "referenced").rules["title"] == "State"  # type: ignore[union-attr]
    assert describe_field(SCHEMA, "wrapped").rules["title"] == "Status"  # type: ignore[union-attr]


@pytest.mark.parametrize("schema", [{}, {"properties": []}, {"properties": {}}, SCHEMA])
def test_a_field_that_is_not_there_has_no_shape(schema: dict[str, Any]) -> None:
    assert describe_field(schema, "nowhere") is None


RELATION = {"target_type": "protocol", "multiple": True, "relationship_type": "did-protocol"}


@pytest.mark.parametrize(
    ("configs", "expected"),
    [
        ({}, []),
        ({"plain": {}}, []),
        ({"plain": {"label": "Plain", "description": None, "widget": "textarea", "relation": None}}, []),
        ({"protocols": {"relation": RELATION}}, []),
        ({"not_in_the_schema": {"relation": {"target_type": "protocol"}}}, []),
        ([], [("/field_configs", "wrong_type")]),
        ({"plain": "Plain"}, [("/field_configs/plain", "wrong_type")]),
        ({"a/b": {}}, [("/field_configs/a~1b", "unknown_field")]),
        ({"plain": {"label": 5}}, [("/field_configs/plain/label", "invalid_text")]),
        ({"plain": {"label": "x" * 201}}, [("/field_configs/plain/label", "invalid_text")]),
        ({"plain": {"unit": "days"}}, []),
        ({"plain": {"unit": "x" * 31}}, [("/field_configs/plain/unit", "invalid_text")]),
        ({"plain": {"unit": "per\nday"}}, [("/field_configs/plain/unit", "invalid_text")]),
        ({"plain": {"lable": "Plain"}}, [("/field_configs/plain/lable", "unknown_key")]),
        ({"plain": {"relation": "protocol"}}, [("/field_configs/plain/relation", "wrong_type")]),
        ({"plain": {"relation": {}}}, [("/field_configs/plain/relation/target_type", "missing")]),
        (
            {"plain": {"relation": {**RELATION, "multiple": "yes"}}},
            [("/field_configs/plain/relation/multiple", "wrong_type")],
        ),
        (
            {"plain": {"relation": {**RELATION, "relationship_type": ""}}},
            [("/field_configs/plain/relation/relationship_type", "invalid_text")],
        ),
        (
            {"plain": {"relation": {**RELATION, "targets": 1}}},
            [("/field_configs/plain/relation/targets", "unknown_key")],
        ),
    ],
)
def test_field_configs(configs: Any, expected: list[tuple[str, str]]) -> None:
    assert [(fault.path, fault.code) for fault in check_field_configs(configs, SCHEMA)] == expected


def test_relations_are_told_by_their_config() -> None:
    configs = {"a": {"relation": RELATION}, "b": {"relation": None}, "c": {}}
    assert [field for field in "abcd" if is_relation(configs, field)] == ["a"]


ONE, MANY = {"target_type": "fund"}, {"target_type": "fund", "multiple": True}


@pytest.mark.parametrize(
    ("before", "after", "narrowed"),
    [
        ({}, {}, []),
        ({"a": {"relation": ONE}}, {"a": {"relation": ONE}}, []),
        ({"a": {"relation": ONE}}, {"a": {"relation": ONE, "label": "A"}}, []),
        ({"a": {"relation": ONE}}, {"a": {"relation": ONE | {"multiple": False}}}, []),
        ({"a": {"relation": ONE}}, {"a": {"relation": ONE | {"relationship_type": "backs"}}}, []),
        ({"a": {"relation": ONE}}, {"a": {"relation": MANY}}, []),
        ({"a": {"relation": MANY}}, {"a": {"relation": ONE}}, ["a"]),
        ({"a": {"relation": ONE}}, {"a": {"relation": {"target_type": "firm"}}}, ["a"]),
        ({"a": {"relation": ONE}}, {"a": {"relation": None}}, ["a"]),
        ({"a": {"relation": ONE}}, {"a": {"label": "A"}}, ["a"]),
        ({"a": {"relation": ONE}, "b": {"relation": ONE}}, {"c": {"relation": ONE}}, ["a", "b"]),
        ({"a": {"label": "A"}, "b": {"relation": None}}, {}, []),
        ({}, {"a": {"relation": ONE}}, []),
    ],
)
def test_which_relations_do_not_hold_what_they_held(before: Any, after: Any, narrowed: list[str]) -> None:
    assert narrowed_relations(before, after) == narrowed


def test_of_many_wrong_names_the_first_are_told_and_the_rest_counted() -> None:
    faults = check_field_names([*(f"{n}\n" for n in range(10_000)), "right"], "content")
    assert isinstance(faults, Faults)
    assert (len(faults), faults.omitted) == (MOST_FAULTS, 10_000 - MOST_FAULTS)
    assert check_field_names(["a", "b c"], "content") == []
