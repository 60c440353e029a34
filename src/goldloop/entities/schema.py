"""The single source of what a type's JSON Schema may be, and of whether content satisfies it. Pure."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec
from jsonschema_rs import Draft202012Validator, FancyRegexOptions, ValidationError

from goldloop.kit.errors import Fault
from goldloop.kit.pointers import pointer

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MAX_SCHEMA_BYTES = 256 * 1024  # compiled once per change, held in memory by every process
MAX_PROPERTIES = 200  # each scalar one becomes a dimension of the type's default criteria set
MAX_DEPTH = 60  # nesting of objects and lists; beyond it no form and no person reads it
MAX_FAULTS = 100  # enough to repair a record by; a list of ten thousand helps nobody
CACHED_VALIDATORS = 512  # as many types as a busy process has in use

# Lookaround is allowed, for it is common in schemas; a pattern that explodes stops at the limit instead.
_PATTERNS = FancyRegexOptions(backtrack_limit=100_000, size_limit=1_000_000)
_DATA = {"const", "default", "enum", "examples"}  # values, in which "$ref" is a name like any other
_META = Draft202012Validator({"$ref": DRAFT})


def check_json_schema(schema: Any) -> list[Fault]:
    """What keeps `schema` from being an entity type's schema: an object schema of draft 2020-12, by itself."""
    at = "json_schema"
    if not isinstance(schema, dict):
        return [_fault(pointer(at), "wrong_type", "A JSON Schema is an object")]
    if _depth(schema) > MAX_DEPTH:
        return [_fault(pointer(at), "too_deep", f"A schema nests at most {MAX_DEPTH} levels")]
    if len(_canonical(schema)) > MAX_SCHEMA_BYTES:
        return [_fault(pointer(at), "too_large", f"A schema has at most {MAX_SCHEMA_BYTES // 1024} KiB")]
    if faults := [*_object_schema_faults(schema), *_remote_references(schema, (at,))]:
        return faults
    if faults := [fault for error in _META.iter_errors(schema) for fault in _faults(error, at)]:
        return faults[:MAX_FAULTS]
    try:
        _validator(_canonical(schema))
    except ValidationError as error:  # a pattern or a local reference that the meta-schema cannot see through
        return [_fault(pointer(at, *error.instance_path), "invalid_schema", error.message)]
    return []


def check_content(schema: Mapping[str, Any], content: Any) -> list[Fault]:
    """Everything about `content` that `schema` refuses; formats (`date`, `email`, `uri`) are asserted."""
    if _depth(content) > MAX_DEPTH:
        return [_fault("/content", "too_deep", f"Content nests at most {MAX_DEPTH} levels")]
    errors = _validator(_canonical(schema)).iter_errors(content)
    return [fault for error in errors for fault in _faults(error, "content")][:MAX_FAULTS]


def _object_schema_faults(schema: dict[str, Any]) -> Iterator[Fault]:
    declared = schema.get("$schema", DRAFT)
    if not isinstance(declared, str) or declared.rstrip("#") != DRAFT:
        yield _fault("/json_schema/$schema", "wrong_draft", f"Schemas are of draft 2020-12 ({DRAFT})")
    if schema.get("type") != "object":
        yield _fault("/json_schema/type", "not_an_object_schema", "A record is an object: write type: object")
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        yield _fault("/json_schema/properties", "missing", "Name the fields under properties, as an object")
    elif len(properties) > MAX_PROPERTIES:
        yield _fault("/json_schema/properties", "too_many", f"A type has at most {MAX_PROPERTIES} fields")
    elif "" in properties:
        yield _fault("/json_schema/properties/", "empty_name", "A field has a name")


def _remote_references(node: Any, at: tuple[str | int, ...]) -> Iterator[Fault]:
    """References that leave the document. Nothing is ever fetched, so they could not be resolved."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in _DATA:
                continue
            if key in ("$ref", "$dynamicRef") and isinstance(value, str) and not value.startswith("#"):
                yield _fault(
                    pointer(*at, key), "remote_reference", "References stay within the schema: #/$defs/…"
                )
            yield from _remote_references(value, (*at, key))
    elif isinstance(node, list):
        for place, value in enumerate(node):
            yield from _remote_references(value, (*at, place))


def _faults(error: ValidationError, at: str) -> Iterator[Fault]:
    """One error as faults at the fields that are missing or too many, and not at the object around them."""
    details = error.kind.as_dict()
    names = details.get("unexpected", [])
    if error.kind.name == "required":
        yield _fault(pointer(at, *error.instance_path, details["property"]), "required", "This is needed")
    elif names and isinstance(error.instance, dict):
        for name in names:
            yield _fault(
                pointer(at, *error.instance_path, name), "unknown_field", "The schema has no such field"
            )
    else:
        yield _fault(pointer(at, *error.instance_path), _snake(error.kind.name), _short(error.message))


@lru_cache(maxsize=CACHED_VALIDATORS)
def _validator(schema: bytes) -> Draft202012Validator:
    """Keyed by the schema's canonical bytes: equal schemas compile once, whatever the order of their keys."""
    return Draft202012Validator(
        msgspec.json.decode(schema), validate_formats=True, pattern_options=_PATTERNS, offline=True
    )


def _canonical(schema: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(schema, order="sorted")


def _depth(node: Any) -> int:
    """How deep lists and objects nest, counted level by level so that no input exhausts the stack."""
    level, depth = [node], 0
    while level := [
        child
        for item in level
        if isinstance(item, dict | list)
        for child in (item.values() if isinstance(item, dict) else item)
    ]:
        depth += 1
        if depth > MAX_DEPTH:
            break
    return depth


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _short(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:299]}…"


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
