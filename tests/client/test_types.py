"""The client's types are those of the OpenAPI document, and how a schema becomes a type."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from client_types import BY_HAND, TYPES, client_types, python_type  # noqa: E402
from write_generated import client_types_text  # noqa: E402

DOCUMENT = (ROOT / "web" / "openapi.json").read_text()
SCHEMAS: dict[str, Any] = {
    "Party": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    "Status": {"type": "string", "enum": ["open", "closed"]},
    "Unknown": {"type": "object", "properties": {}},
}


def test_the_kept_types_are_those_of_the_document() -> None:
    kept = (ROOT / "src" / "goldloop" / "client" / "types.py").read_text()
    assert kept == client_types_text(DOCUMENT), "src/goldloop/client/types.py is stale: run `make generate`"


def test_a_changed_document_makes_other_types() -> None:
    document = json.loads(DOCUMENT)
    document["components"]["schemas"]["Entity"]["properties"]["colour"] = {"type": "string"}
    assert "    colour: str" in client_types(document)
    assert "    colour: str" not in client_types(json.loads(DOCUMENT))


def test_no_two_types_have_one_name() -> None:
    names = [*(generated.name for generated in TYPES), *BY_HAND]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, "Any"),
        ({"type": "string"}, "str"),
        ({"type": "string", "format": "uuid"}, "UUID"),
        ({"type": "string", "format": "date-time"}, "datetime"),
        ({"type": "string", "enum": ["a"]}, "str"),
        ({"oneOf": [{"type": "null"}, {"type": "number"}]}, "float | None"),
        ({"type": "array", "items": {"type": "integer"}}, "list[int]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "object"}, "Object"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "dict[str, bool]"),
        ({"$ref": "#/components/schemas/Party"}, "Who"),
        ({"$ref": "#/components/schemas/Status"}, "str"),
        ({"$ref": "#/components/schemas/Unknown"}, "Object"),
    ],
)
def test_how_a_schema_becomes_a_type(schema: dict[str, Any], expected: str) -> None:
    assert python_type(schema, SCHEMAS, {"Party": "Who"}) == expected
