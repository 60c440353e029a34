"""Which JSON Schemas a type may have, and which content they let through."""

from typing import Any

import pytest

from goldloop.entities.schema import (
    DRAFT,
    MAX_DEPTH,
    MAX_FAULTS,
    MAX_PROPERTIES,
    MAX_SCHEMA_BYTES,
    check_content,
    check_json_schema,
)

COMPANY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "employees": {"type": ["integer", "null"], "minimum": 0},
        "founded": {"type": "string", "format": "date"},
        "a/b": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    },
    "required": ["name"],
    "additionalProperties": False,
    "$defs": {
        "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
    },
}


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}},
        {"$schema": DRAFT, "type": "object", "properties": {}},
        {"$schema": f"{DRAFT}#", "type": "object", "properties": {}},
        COMPANY,
        {"type": "object", "properties": {"a": True, "b": {}}},
        {"type": "object", "properties": {"parent": {"$ref": "#"}}},
        {"type": "object", "properties": {"$ref": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"enum": [{"$ref": "https://example.com"}]}}},
        {"type": "object", "properties": {"a": {"pattern": "^(?!x)"}}},
        {"type": "object", "properties": {"a": {"type": "string", "format": "markdown"}}},
        {"type": "object", "properties": {f"f{n}": {} for n in range(MAX_PROPERTIES)}},
        nested(20),
    ],
)
def test_an_object_schema_of_its_own_is_taken(schema: dict[str, Any]) -> None:
    assert check_json_schema(schema) == []


@pytest.mark.parametrize(
    ("schema", "path", "code"),
    [
        (None, "/json_schema", "wrong_type"),
        ([], "/json_schema", "wrong_type"),
        (True, "/json_schema", "wrong_type"),
        ({"properties": {}}, "/json_schema/type", "not_an_object_schema"),
        ({"type": "string", "properties": {}}, "/json_schema/type", "not_an_object_schema"),
        ({"type": ["object", "null"], "properties": {}}, "/json_schema/type", "not_an_object_schema"),
        ({"type": "object"}, "/json_schema/properties", "missing"),
        ({"type": "object", "properties": []}, "/json_schema/properties", "missing"),
        ({"type": "object", "properties": {"": {}}}, "/json_schema/properties/", "empty_name"),
        (
            {"type": "object", "properties": {f"f{n}": {} for n in range(MAX_PROPERTIES + 1)}},
            "/json_schema/properties",
            "too_many",
        ),
        (
            {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}},
            "/json_schema/$schema",
            "wrong_draft",
        ),
        ({"$schema": 7, "type": "object", "properties": {}}, "/json_schema/$schema", "wrong_draft"),
        (
            {"type": "object", "properties": {"a": {"type": "strin"}}},
            "/json_schema/properties/a/type",
            "any_of",
        ),
        (
            {"type": "object", "properties": {"a": {"minimum": "0"}}},
            "/json_schema/properties/a/minimum",
            "type",
        ),
        (
            {"type": "object", "properties": {}, "required": ["a", "a"]},
            "/json_schema/required",
            "unique_items",
        ),
        (
            {"type": "object", "properties": {"a": {"pattern": "("}}},
            "/json_schema/properties/a/pattern",
            "invalid_schema",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "https://example.com/schema"}}},
            "/json_schema/properties/a/$ref",
            "remote_reference",
        ),
        (
            {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}},
            "/json_schema/properties/a/$ref",
            "remote_reference",
        ),
        (
            {"type": "object", "properties": {"a": {"anyOf": [{"$ref": "other.json"}]}}},
            "/json_schema/properties/a/anyOf/0/$ref",
            "remote_reference",
        ),
        ({"type": "object", "properties": {"a": {"$ref": "#/$defs/gone"}}}, "/json_schema", "invalid_schema"),
        (nested(MAX_DEPTH), "/json_schema", "too_deep"),
        (nested(5000), "/json_schema", "too_deep"),
        (
            {"type": "object", "properties": {}, "description": "x" * MAX_SCHEMA_BYTES},
            "/json_schema",
            "too_large",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_no_type_can_use_is_refused_with_its_place(schema: object, path: str, code: str) -> None:
    faults = check_json_schema(schema)
    assert [(fault.path, fault.code) for fault in faults] == [(path, code)]
    assert faults[0].message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"name": "ACME"}, []),
        ({"name": "ACME", "employees": None, "founded": "1999-12-31", "tags": ["a", "b"]}, []),
        ({"name": "ACME", "employees": 3.0}, []),
        ({"name": "ACME", "address": {"city": "Bern"}}, []),
        ({}, [("/content/name", "required")]),
        ({"name": ""}, [("/content/name", "min_length")]),
        ({"name": "ACME", "employees": 3.5}, [("/content/employees", "type")]),
        ({"name": "ACME", "employees": -1}, [("/content/employees", "minimum")]),
        ({"name": "ACME", "employees": True}, [("/content/employees", "type")]),
        ({"name": "ACME", "founded": "in 1999"}, [("/content/founded", "format")]),
        ({"name": "ACME", "a/b": 1}, [("/content/a~1b", "type")]),
        ({"name": "ACME", "address": {}}, [("/content/address/city", "required")]),
        ({"name": "ACME", "tags": ["a", 1]}, [("/content/tags/1", "type")]),
        ({"name": "ACME", "x": 1, "y": 2}, [("/content/x", "unknown_field"), ("/content/y", "unknown_field")]),
        ({"employees": "3", "x": 1}, [
            ("/content/employees", "type"), ("/content/name", "required"), ("/content/x", "unknown_field"),
        ]),
        ([], [("/content", "type")]),
        (None, [("/content", "type")]),
    ],
)  # fmt: skip
def test_content(content: object, expected: list[tuple[str, str]]) -> None:
    assert sorted((fault.path, fault.code) for fault in check_content(COMPANY, content)) == sorted(expected)


def test_content_that_nests_beyond_reading_is_refused_before_it_is_read() -> None:
    content: Any = {}
    for _ in range(100_000):
        content = {"a": content}
    assert [fault.code for fault in check_content(COMPANY, content)] == ["too_deep"]


def test_faults_are_many_but_bounded() -> None:
    schema = {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}}
    assert len(check_content(schema, {"tags": list(range(5000))})) == MAX_FAULTS


def test_a_pattern_that_explodes_is_a_fault_and_not_a_standstill() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^(?=(a+)+$)\1*b"}}}
    assert check_json_schema(schema) == []
    assert [fault.path for fault in check_content(schema, {"a": "a" * 5000 + "!"})] == ["/content/a"]


def test_a_long_value_does_not_fill_the_message() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert len(check_content(schema, {"a": "x" * 100_000})[0].message) <= 300
