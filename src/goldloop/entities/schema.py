"""The single source of what a type's JSON Schema may be, and of whether content satisfies it.

Both may take long: a server asks `validation.py`, which keeps that from whoever else it serves.

Pure.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema_rs import Draft202012Validator, ValidationError

from goldloop.entities.json_size import measure
from goldloop.entities.references import REFERENCES, walk
from goldloop.entities.schema_cost import CONTENT_DEPTH, find_ambiguities
from goldloop.entities.validators import canonical, validator_of
from goldloop.kit.errors import Fault
from goldloop.kit.json_pointer import pointer
from goldloop.kit.text import nul_faults

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MAX_SCHEMA_BYTES = 256 * 1024  # compiled once per change, held in memory by every process
MAX_SCHEMA_VALUES = 20_000  # of any kind: members of enums and names of required fields among them
MAX_PROPERTIES = (
    200  # at any level; each scalar one at the top becomes a dimension of the default criteria set
)
MAX_DEPTH = CONTENT_DEPTH  # nesting of objects and lists; beyond it no form and no person reads it
MAX_FAULTS = 100  # enough to repair a record by; a list of ten thousand helps nobody
ANY_NUMBER = 2**62

_META = Draft202012Validator({"$ref": DRAFT})


def check_json_schema(schema: Any) -> list[Fault]:
    """What keeps `schema` from being an entity type's schema: an object schema of draft 2020-12, by itself, that no
    content takes long to check against."""
    at = "json_schema"
    if not isinstance(schema, dict):
        return [_fault(pointer(at), "wrong_type", "A JSON Schema is an object")]
    size = measure(schema, deepest=MAX_DEPTH, most=MAX_SCHEMA_VALUES)
    if size.depth > MAX_DEPTH:
        return [_fault(pointer(at), "too_deep", f"A schema nests at most {MAX_DEPTH} levels")]
    if size.values > MAX_SCHEMA_VALUES:
        return [_fault(pointer(at), "too_large", f"A schema has at most {MAX_SCHEMA_VALUES} values")]
    if len(text := canonical(schema)) > MAX_SCHEMA_BYTES:
        return [_fault(pointer(at), "too_large", f"A schema has at most {MAX_SCHEMA_BYTES // 1024} KiB")]
    if faults := nul_faults(schema, at):
        return faults
    if faults := [*_object_schema_faults(schema), *_reference_faults(schema)]:
        return faults[:MAX_FAULTS]
    if not _META.is_valid(schema):
        errors = _META.iter_errors(schema)
        return list(islice((fault for error in errors for fault in _faults(error, at)), MAX_FAULTS))
    validator = validator_of(text)
    if validator.fault is not None:
        return [validator.fault]
    try:
        validator.compiled()
    except ValidationError as error:  # a pattern or a local reference that the meta-schema cannot see through
        return [_fault(pointer(at, *error.instance_path), "invalid_schema", error.message)]
    return []


def check_content(schema: Mapping[str, Any], content: Any) -> list[Fault]:
    """Everything about `content` that `schema` refuses; formats (`date`, `email`, `uri`) are asserted."""
    if measure(content, deepest=MAX_DEPTH, most=ANY_NUMBER).depth > MAX_DEPTH:
        return [too_deep()]
    compiled = validator_of(canonical(schema)).compiled()
    return [] if compiled.is_valid(content) else list_faults(compiled, content)


def list_faults(compiled: Draft202012Validator, content: Any) -> list[Fault]:
    """A thousand times as costly as knowing whether there are any."""
    errors = compiled.iter_errors(content)
    return list(islice((fault for error in errors for fault in _faults(error, "content")), MAX_FAULTS))


def too_deep() -> Fault:
    return _fault("/content", "too_deep", f"Content nests at most {MAX_DEPTH} levels")


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


def _reference_faults(schema: dict[str, Any]) -> Iterator[Fault]:
    """References that leave the document (nothing is ever fetched), and what makes others ambiguous."""
    for at, node in walk(schema, ("json_schema",)):
        for key in REFERENCES:
            if isinstance(value := node.get(key), str) and not value.startswith("#"):
                yield _fault(
                    pointer(*at, key), "remote_reference", "References stay within the schema: #/$defs/…"
                )
        properties = node.get("properties")
        if len(at) > 1 and isinstance(properties, dict) and len(properties) > MAX_PROPERTIES:
            yield _fault(
                pointer(*at, "properties"), "too_many", f"An object has at most {MAX_PROPERTIES} fields"
            )
    yield from find_ambiguities(schema)


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


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _short(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:299]}…"


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
