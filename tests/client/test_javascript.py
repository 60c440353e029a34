"""What of the JavaScript client is generated is what `make generate` makes of the OpenAPI document and the Python client."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import write_js_client

from goldloop import __version__
from goldloop.conversations.reactions.tokens import Grant

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = json.loads((ROOT / "web" / "openapi.json").read_text())
SOURCES = ROOT / "clients" / "js" / "src"


def test_what_is_generated_is_fresh() -> None:
    written = write_js_client.generate(DOCUMENT)
    assert {path.name for path in written} == {"types.gen.ts", "operations.gen.ts"}
    for path, text in written.items():
        assert path.read_text() == text, f"{path.name} is stale: run `make generate`"


def test_every_route_of_the_python_client_is_there_with_what_may_be_repeated() -> None:
    """The table has methods by group: its numbers say whether a call is harmless twice, and whether it gets an id."""
    table = (SOURCES / "operations.gen.ts").read_text().partition("export const OPERATIONS")[2]
    found = dict(re.findall(r'"([A-Z]+ [^"]+)", (\d+)', table))
    routes = {f"{each.route.method} {each.path}" for each in write_js_client.described(DOCUMENT)}
    assert len(found) >= len(routes) - 1 > 80, (
        "a session that is waited for and one that is shown have one route"
    )
    assert found["POST /api/entities:"] == "3"
    assert found["POST /api/keys:"] == "0", "the second answer would be without the secret"
    assert found["PATCH /api/entities/{}:"] == "0"
    assert found["GET /api/entities?"] == "5"
    assert found["POST /conversations/@/{}/{}/turns:?"] == "1"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, "unknown"),
        ({"type": "integer"}, "number"),
        ({"const": "a"}, '"a"'),
        ({"enum": ["a", None], "type": ["null", "string"]}, '"a" | null'),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"oneOf": [{"type": "string"}, {"type": "null"}]}}, "(string | null)[]"),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}]}, "[string, number]"),
        ({"type": "object"}, "Record<string, unknown>"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"$ref": "#/components/schemas/Party"}, "Party"),
    ],
)
def test_types_of_the_document_as_typescript_has_them(schema: dict[str, Any], expected: str) -> None:
    assert write_js_client._type(schema, DOCUMENT["components"]["schemas"]) == expected


def test_the_package_has_the_version_of_the_server() -> None:
    assert json.loads((ROOT / "clients" / "js" / "package.json").read_text())["version"] == __version__


def test_pages_find_the_turn_where_a_token_has_it() -> None:
    """`feedback.ts` reads a token by places: who moves one moves it there too."""
    assert Grant.__struct_fields__[1:7] == (
        "tenant",
        "project",
        "conversation_id",
        "turn_id",
        "end_user",
        "expires",
    )
