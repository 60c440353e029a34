"""What a schema may cost, and which ones are refused for it."""

from typing import Any

import pytest

from goldloop.entities.json_size import JsonSize, measure
from goldloop.entities.patterns import MAX_PATTERN, MAX_PATTERNS
from goldloop.entities.schema import MAX_PROPERTIES, MAX_SCHEMA_VALUES, check_json_schema
from goldloop.entities.schema_cost import MAX_STEPS, measure_schema


def of(field: Any, **definitions: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"a": field}, "$defs": definitions}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def doubling(keyword: str, levels: int, spelled: str = "#/$defs/d{}") -> dict[str, Any]:
    """Some forty bytes a level, and twice as much to ask at each."""
    each = {
        f"d{level}": {keyword: [{"$ref": spelled.format(level + 1)}] * 2, "$anchor": f"d{level}"}
        for level in range(levels)
    }
    last = {f"d{levels}": {"type": "string", "$anchor": f"d{levels}"}}
    return of({"$ref": spelled.format(0)}, **each, **last)


def unevaluated(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"properties": {"a": True}}
    for _ in range(levels):
        schema = {"allOf": [schema], "unevaluatedProperties": {"type": "integer"}}
    return {**schema, "type": "object", "properties": {}}


TREE = {
    "anyOf": [
        {"type": "string"},
        {"properties": {"and": {"items": ref("tree")}, "or": {"items": ref("tree")}, "not": ref("tree")}},
    ]
}


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        *((doubling(keyword, 28), "too_costly") for keyword in ("anyOf", "oneOf", "allOf")),
        (doubling("anyOf", 28, "#d{}"), "too_costly"),
        (doubling("anyOf", 28, "#/%24defs/d{}"), "too_costly"),
        (doubling("anyOf", 1000), "too_costly"),
        (unevaluated(20), "too_costly"),
        (of(ref("x"), x=ref("x")), "endless_reference"),
        (of(ref("x"), x={"allOf": [{"not": ref("y")}]}, y={"if": ref("x")}), "endless_reference"),
        (of({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}), "multiplying_reference"),
        (of(ref("x"), x={"items": ref("x"), "contains": ref("x")}), "multiplying_reference"),
        (of(ref("x"), x={"patternProperties": {"a": ref("x"), "b": ref("x")}}), "multiplying_reference"),
        (of(ref("x"), x={"allOf": [ref("y"), ref("y")]}, y={"items": ref("x")}), "multiplying_reference"),
        (
            of(ref("x"), x={"properties": {"p": ref("x")}, "not": {"additionalProperties": ref("x")}}),
            "multiplying_reference",
        ),
        (of(ref("d0"), **{f"d{n}": ref(f"d{n + 1}") for n in range(3000)}, d3000={}), "too_deep"),
        (of({}, **{f"d{n}": {"pattern": rf"\p{{L}}{{9}}{n}"} for n in range(9)}), "patterns_too_large"),
        (of({"pattern": "(?=" + r"\w{9})(?=" * 90 + "a)"}), "patterns_too_large"),
        (of({}, **{f"d{n}": {"pattern": f"^{n}"} for n in range(MAX_PATTERNS + 1)}), "too_many_patterns"),
        (of({"patternProperties": {"a" * (MAX_PATTERN + 1): {}}}), "pattern_too_long"),
        (of({"properties": {f"f{n}": {} for n in range(MAX_PROPERTIES + 1)}}), "too_many"),
        (of({"enum": list(range(MAX_SCHEMA_VALUES))}), "too_large"),
        (
            {"type": "object", "properties": {f"f{n}": ref("e") for n in range(200)}, "$defs": {"e": {"enum": ["x" * 99 + str(n) for n in range(500)]}}},
            "too_costly",
        ),
        (
            {"type": "object", "properties": {f"f{n}": ref("e") for n in range(200)}, "$defs": {"e": {"description": "x" * 5000}}},
            "too_large",
        ),
        (of({"$id": "other", "$ref": "#/$defs/x"}, x={}), "nested_id"),
        (of({}, x={"$anchor": "same"}, y={"$dynamicAnchor": "same"}), "duplicate_anchor"),
        (of({"title": "a\x00"}), "nul_character"),
        (of({"enum": ["a", "b\x00"]}), "nul_character"),
    ],
)  # fmt: skip
def test_what_could_take_long_is_refused_by_place(schema: dict[str, Any], code: str) -> None:
    faults = check_json_schema(schema)
    assert [fault.code for fault in faults] == [code]
    assert faults[0].path.startswith("/json_schema")


def test_the_place_is_the_innermost_that_is_too_costly() -> None:
    faults = check_json_schema(doubling("anyOf", 28))
    assert faults[0].path.startswith("/json_schema/$defs/d1")


@pytest.mark.parametrize(
    "schema",
    [
        doubling("anyOf", 6),
        of(ref("tree"), tree=TREE),
        of({"$ref": "#"}),
        of(ref("x"), x={"properties": {"p": ref("x"), "q": ref("x")}, "additionalProperties": ref("x")}),
        of(ref("x"), x={"prefixItems": [ref("x"), ref("x")], "items": ref("x")}),
        of({"$dynamicRef": "#node"}, x={"$dynamicAnchor": "node", "items": {"$dynamicRef": "#node"}}),
        of({"pattern": r"^(?=.*[a-z])(?=.*\d).{8,64}$"}, b={"pattern": r"^\+?[1-9]\d{1,14}$"}),
        of({"enum": [f"country {n}" for n in range(250)]}),
        of({"properties": {"$id": {"type": "string"}, "pattern": {}, "enum": {}}}),
        unevaluated(3),
        {
            "type": "object",
            "properties": {
                f"f{n}": {"type": "string", "title": "T" * 50, "enum": ["a", "b"]} for n in range(200)
            },
        },
    ],
)
def test_what_schemas_are_usually_made_of_is_taken(schema: dict[str, Any]) -> None:
    assert check_json_schema(schema) == []


def test_references_count_as_if_they_were_written_out() -> None:
    written = {"anyOf": [{"anyOf": [{"type": "string"}] * 2}] * 2}
    by_reference = of(ref("x"), x={"anyOf": [ref("y")] * 2}, y={"anyOf": [{"type": "string"}] * 2})
    assert measure_schema(of(written)).once < measure_schema(by_reference).once < MAX_STEPS


def test_what_stands_under_a_loop_counts_for_each_value() -> None:
    flat = measure_schema(of({"properties": {"b": {"type": "string"}}}))
    looped = measure_schema(of({"items": {"type": "string"}}))
    small, large = JsonSize(2, 3, 10, 5), JsonSize(2, 1000, 10, 5)
    assert flat.steps(small) == flat.steps(large)
    assert looped.steps(small) < looped.steps(large)


@pytest.mark.parametrize(
    "schema",
    [
        {"uniqueItems": True},
        {"items": {"items": {"uniqueItems": True}}},
        {"anyOf": [{"type": "null"}, ref("x")]},
        ref("tree"),
    ],
)
def test_unique_items_count_by_the_pairs_of_values(schema: dict[str, Any]) -> None:
    unique = {"uniqueItems": True}
    cost = measure_schema(of(schema, x=unique, tree={"items": ref("tree"), **unique}))
    assert cost.steps(JsonSize(2, 1000, 0, 0)) > 1000**2
    assert cost.steps(JsonSize(2, 1000, 0, 0, 1000)) > 100 * 1000**2
    assert measure_schema(of({"uniqueItems": False})).pairs == 0


def test_integers_beyond_64_bits_count_as_many_values() -> None:
    cost = measure_schema(of({"items": {"minimum": 1}}))
    assert cost.steps(JsonSize(2, 1000, 0, 0, 1000)) > 10 * cost.steps(JsonSize(2, 1000, 0, 0))


def test_patterns_count_by_the_text_and_lookaround_much_more() -> None:
    text = JsonSize(1, 2, 1000, 1000)
    plain = measure_schema(of({"pattern": "^a+$"})).steps(text)
    assert measure_schema(of({})).steps(text) < plain
    assert measure_schema(of({"pattern": "^(?!b)a+$"})).steps(text) > 100 * plain


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (None, (0, 1, 0, 0, 0)),
        ("abc", (0, 1, 3, 3, 0)),
        ([], (0, 1, 0, 0, 0)),
        ({"ab": ["x", {"c": "yyyy"}], "d": 1}, (3, 6, 9, 4, 0)),
        ([2**64 - 1, -(2**63), True, 1e30], (1, 5, 0, 0, 0)),
        ([2**64, {"a": -(2**63) - 1}], (2, 4, 1, 1, 2)),
    ],
)
def test_measure(value: Any, size: tuple[int, int, int, int, int]) -> None:
    assert measure(value, deepest=60, most=100) == size


def test_measuring_stops_where_it_is_known_to_be_too_much() -> None:
    assert measure([[[[]]]], deepest=1, most=100).depth == 2
    assert measure([list(range(1000)), [[[]]]], deepest=60, most=10).values < 2000
