"""What a tool's JSON Schema says about its calls."""

from typing import Any

import pytest

from goldloop.evals.model import ToolShape
from goldloop.evals.replay.schemas import shape_of


@pytest.mark.parametrize(
    ("schema", "arguments", "defaults", "unordered"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, ["a"], {}, []),
        (
            {
                "properties": {
                    "where": {"properties": {"city": {}, "zip": {"default": "1"}}},
                    "page": {"default": 1},
                }
            },
            ["page", "where.city", "where.zip"],
            {"page": 1, "where.zip": "1"},
            [],
        ),
        (
            {
                "properties": {
                    "ids": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
                    "rows": {"type": "array", "items": {"properties": {"id": {}}}},
                }
            },
            ["ids[]", "rows[].id"],
            {},
            ["ids[]"],
        ),
        (
            {
                "properties": {"to": {"$ref": "#/$defs/Place"}},
                "$defs": {"Place": {"properties": {"city": {}}}},
            },
            ["to.city"],
            {},
            [],
        ),
        (
            {"properties": {"to": {"anyOf": [{"type": "null"}, {"properties": {"city": {}}}]}}},
            ["to.city"],
            {},
            [],
        ),
        ({"properties": {"free": {"type": "object"}}}, ["free"], {}, []),
        ({"properties": {"tags": {"type": "array", "default": []}}}, ["tags[]"], {"tags": []}, []),
    ],
)
def test_shape(
    schema: dict[str, Any], arguments: list[str], defaults: dict[str, Any], unordered: list[str]
) -> None:
    assert shape_of(schema) == ToolShape(arguments=arguments, defaults=defaults, unordered=unordered)


@pytest.mark.parametrize("schema", [None, True, {}, {"type": "object"}, {"properties": {}}])
def test_where_nothing_is_declared_everything_counts(schema: Any) -> None:
    assert shape_of(schema, writes=True) == ToolShape(writes=True, arguments=None)


def test_a_schema_that_names_itself_comes_to_an_end() -> None:
    schema = {"$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}, "id": {}}}}}
    found = shape_of({**schema, "properties": {"root": {"$ref": "#/$defs/Node"}}})
    assert "root.next.next.id" in (found.arguments or [])
