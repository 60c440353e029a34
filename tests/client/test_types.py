"""The client's types are what `make generate` makes of the OpenAPI document."""

import ast
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from goldloop.client import AsyncClient, Client, types
from goldloop.client.resources import Resources

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((ROOT / "web" / "openapi.json").read_text())


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "write_client_types", ROOT / "tools" / "write_client_types.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_types_are_those_of_the_document() -> None:
    written = generator().generate(DOCUMENT)
    assert {path.name for path in written} >= {"types.py", "conversation_types.py"}
    for path, text in written.items():
        assert path.read_text() == text, f"{path.name} is stale: run `make generate`"


def test_a_field_that_the_server_adds_is_one_of_the_client() -> None:
    entity = DOCUMENT["components"]["schemas"]["Entity"]
    changed = json.loads(json.dumps(DOCUMENT))
    added = {
        "colour": {"oneOf": [{"type": "string"}, {"type": "null"}]},
        "seenAt": {"type": "string", "format": "date-time"},
    }
    changed["components"]["schemas"]["Entity"] = entity | {
        "properties": entity["properties"] | added,
        "required": [*entity["required"], "colour"],
    }
    text = next(text for path, text in generator().generate(changed).items() if path.name == "types.py")
    assert "    colour: str | None\n" in text
    assert '    seen_at: datetime | None = msgspec.field(default=None, name="seenAt")\n' in text


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        ({}, "Any"),
        ({"type": "number"}, "float"),
        ({"type": "string", "format": "uuid"}, "UUID"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Party"}}, "list[Party]"),
        ({"$ref": "#/components/schemas/EntityResponse"}, "Response"),
        ({"$ref": "#/components/schemas/DimensionType"}, "str"),
        ({"$ref": "#/components/schemas/Scope"}, "Object"),
        ({"oneOf": [{"type": "null"}, {"type": "integer"}]}, "int | None"),
        (
            {"oneOf": [{"$ref": "#/components/schemas/Party"}, {"$ref": "#/components/schemas/Entity"}]},
            "Object",
        ),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "dict[str, int]"),
        ({"type": "object", "additionalProperties": {}}, "Object"),
    ],
)
def test_how_a_schema_is_written(schema: dict[str, object], annotation: str) -> None:
    assert generator()._annotation(schema, "float", DOCUMENT["components"]["schemas"]) == annotation


def test_what_is_sent_leaves_out_what_was_not_set() -> None:
    dimension = types.Dimension(key="a", label="A", type="rating", scale=(1, 5))
    assert msgspec.json.decode(msgspec.json.encode(dimension)) == {
        "key": "a", "label": "A", "type": "rating", "scale": [1, 5]
    }  # fmt: skip


def test_each_resource_is_listed_once_for_both_clients() -> None:
    assert issubclass(Client, Resources)
    assert issubclass(AsyncClient, Resources)
    tree = ast.parse((ROOT / "src" / "goldloop" / "client" / "clients.py").read_text())
    listed = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id.endswith("Methods")
    ]
    assert not listed, f"list {listed} in resources.py"
