"""Every place in a request body, out of the OpenAPI document: where it is, and what may be there. Pure."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from string import ascii_letters
from typing import Any

from tests.routes import DOCUMENT, OPERATIONS

Path = tuple[str | int, ...]
Schema = dict[str, Any]

SOME_ID = "0190b6f0-0000-7000-8000-000000000000"
DEEPEST = 6  # no body of ours is deeper; one that refers to itself ends here
_HERE = "the place itself"
NO_MAXIMUM = 900_000  # characters for a text without one: what still fits into a request


@dataclass(frozen=True)
class Place:
    path: Path
    schema: Schema
    body: Any  # one in which this place exists

    def __str__(self) -> str:
        return "".join(f"/{part}" for part in self.path)

    def with_json(self, value: bytes) -> bytes:
        """The body as JSON with this at the place, which may be what no encoder would write."""
        return as_json(self.with_value(_HERE)).replace(as_json(_HERE), value)

    def with_value(self, value: Any) -> Any:
        if not self.path:
            return value
        made = deepcopy(self.body)
        inside = made
        for part in self.path[:-1]:
            inside = inside[part]
        inside[self.path[-1]] = value
        return made


def long_name(length: int) -> str:
    """One that cannot be made shorter: a database would compress a letter that is repeated."""
    return "".join(Random(length).choices(ascii_letters, k=length))


def as_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def body_schema(method: str, path: str) -> Schema | None:
    body = DOCUMENT["paths"][path][method.lower()].get("requestBody")
    return body["content"]["application/json"]["schema"] if body else None


def operations_with_bodies() -> list[tuple[str, str]]:
    return [(method, path) for method, path in OPERATIONS if body_schema(method, path)]


def places(schema: Schema, body: Any, path: Path = ()) -> Iterator[Place]:
    """The body itself and all in it, each in a body that has it; of alternatives each."""
    for choice in choices(schema):
        kind = choice.get("type")
        here = value_at(body, path)
        if kind == "array" and not isinstance(here, list):
            body = Place(path, choice, body).with_value([])
        if kind == "object" and not isinstance(here, dict):
            body = Place(path, choice, body).with_value(sample(choice))
        if kind != "null":
            yield Place(path, choice, body)
        if len(path) < DEEPEST:
            yield from _inside(choice, body, path)


def _inside(schema: Schema, body: Any, path: Path) -> Iterator[Place]:
    if schema.get("type") == "array":
        for choice in choices(schema.get("items", {})):
            yield from places(choice, Place(path, schema, body).with_value([sample(choice)]), (*path, 0))
    for name, inner in schema.get("properties", {}).items():
        with_name = body
        if value_at(body, (*path, name)) is None:
            with_name = Place((*path, name), inner, body).with_value(sample(inner))
        yield from places(inner, with_name, (*path, name))


def value_at(body: Any, path: Path) -> Any:
    for part in path:
        try:
            body = body[part]
        except (KeyError, IndexError, TypeError):
            return None
    return body


def choices(schema: Schema) -> list[Schema]:
    """What a schema may be, with references followed and the constraints beside `oneOf` kept."""
    if "$ref" in schema:
        return choices(DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    for word in ("oneOf", "anyOf"):
        if word in schema:
            beside = {key: value for key, value in schema.items() if key != word}
            return [{**beside, **choice} for one in schema[word] for choice in choices(one)]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    return [schema]


def sample(schema: Schema, number: int = 0) -> Any:
    """Something small that fits; another `number`, another text."""
    schema = choices(schema)[0]
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "string":
            return _sample_text(schema, number)
        case "integer" | "number":
            return int(schema.get("minimum", 1))
        case "boolean":
            return True
        case "array":
            pairs = [sample(item, number) for item in schema.get("prefixItems", [])]
            return pairs or [sample(schema.get("items", {}), number)] * schema.get("minItems", 0)
        case "object":
            needed = schema.get("required", [])
            return {name: sample(schema["properties"][name], number) for name in needed}
    return None


def _sample_text(schema: Schema, number: int) -> str:
    match schema.get("format"):
        case "uuid":
            return SOME_ID[:-5] + f"{number:05x}"
        case "date-time":
            return "2024-01-01T00:00:00Z"
    return f"x{number}".ljust(schema.get("minLength", 1), "x")[: schema.get("maxLength", 100)]


def is_list(place: Place) -> bool:
    return place.schema.get("type") == "array"


def is_text(place: Place) -> bool:
    plain = place.schema.keys().isdisjoint({"enum", "const", "format"})
    return place.schema.get("type") == "string" and plain


def is_object(place: Place) -> bool:
    return place.schema.get("type") == "object"
