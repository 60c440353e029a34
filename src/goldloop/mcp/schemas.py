"""The schemas of tools as MCP clients read them. Pure."""

from functools import cache
from typing import Any

import msgspec

_VALUES = {"default", "examples", "enum", "const"}  # below these stands what is no schema


@cache
def plain_schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """A JSON Schema whose root is the object itself, without titles: some clients read no reference there, and the names of
    our types say nothing to a model."""
    schema = msgspec.json.schema(kind)
    definitions = dict(schema.get("$defs", {}))
    root = schema
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        root = definitions[name]
        if not _refers_to(definitions, name):
            definitions.pop(name)
    found = {key: value for key, value in root.items() if key != "$defs"}
    untitled: dict[str, Any] = _without_titles(found | ({"$defs": definitions} if definitions else {}))
    return untitled


def _refers_to(definitions: dict[str, Any], name: str) -> bool:
    return f'"#/$defs/{name}"' in msgspec.json.encode(definitions).decode()


def _without_titles(schema: Any) -> Any:
    """A property that is called title has a schema there, not a text."""
    if isinstance(schema, list):
        return [_without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: value if key in _VALUES else _without_titles(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }
