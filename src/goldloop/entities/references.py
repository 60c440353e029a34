"""Finds the subschemas of a JSON Schema and resolves its references. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

Path = tuple[str | int, ...]

DATA = frozenset({"const", "default", "enum", "examples"})  # values, in which "$ref" is a name like any other
REFERENCES = ("$ref", "$dynamicRef")
SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
ONE_CHILD = frozenset({"properties", "prefixItems"})
MANY_CHILDREN = frozenset(
    [
        "items",
        "contains",
        "additionalProperties",
        "patternProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "propertyNames",
    ]
)

_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})


class Part(NamedTuple):
    """A subschema: `keyword` tells which values it applies to, `name` which one it is in a list or map."""

    keyword: str
    name: str | int | None
    schema: Any


def parts(schema: Mapping[str, Any]) -> Iterator[Part]:
    """The subschemas that apply when a value is checked against `schema`, without its references."""
    for keyword, value in schema.items():
        if keyword in _LISTS and isinstance(value, list):
            yield from (Part(keyword, place, each) for place, each in enumerate(value))
        elif keyword in _MAPS and isinstance(value, dict):
            yield from (Part(keyword, name, each) for name, each in value.items())
        elif keyword in SAME_VALUE or keyword in MANY_CHILDREN:
            yield Part(keyword, None, value)


def walk(node: Any, at: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every object that is or could be a schema, with its path; also what nothing refers to."""
    if isinstance(node, dict):
        yield at, node
        for key, value in node.items():
            if key not in DATA:
                yield from walk(value, (*at, key))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from walk(value, (*at, place))


def find_anchors(nodes: Iterable[tuple[Path, dict[str, Any]]]) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    for at, node in nodes:
        for key in ("$anchor", "$dynamicAnchor"):
            if key in node and isinstance(name := node[key], str):
                yield (*at, key), name, node


def resolve(reference: str, root: Any, anchors: Mapping[str, Any] | None = None) -> Any:
    """Resolves `#`, `#/$defs/name` or `#anchor`; None when it leads nowhere."""
    if not reference.startswith("#"):
        return None
    fragment = _decode(reference[1:])
    if fragment and not fragment.startswith("/"):
        return (anchors or {}).get(fragment)
    node = root
    for token in fragment.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list):
            node = node[int(name)] if name.isdecimal() and len(name) < 6 and int(name) < len(node) else None
        else:
            node = node.get(name) if isinstance(node, dict) else None
    return node


def _decode(fragment: str) -> str:
    """`%24defs` as `$defs`."""
    octets = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes.fromhex(found[1].decode()), fragment.encode())
    return octets.decode(errors="replace")
