"""What a field of a type is: how its schema constrains it, and how its config presents it. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from goldloop.kit.errors import Fault
from goldloop.kit.pointers import pointer
from goldloop.kit.text import on_one_line

MAX_FIELD_NAME = 200  # it is part of index keys, which hold 2700 bytes
MAX_LABEL = 200  # one line above an input
MAX_DESCRIPTION = 2000  # a help text, not a document
MAX_HOPS = 16  # references and wrappers followed before a field counts as too involved for a form

_FIELD_NAME_RULE = f"The name of a field is one line of at most {MAX_FIELD_NAME} characters"
_TEXTS = {"label": MAX_LABEL, "description": MAX_DESCRIPTION, "widget": 50}
_RELATION_KEYS = {"target_type", "multiple", "relationship_type"}


class FieldShape(msgspec.Struct, frozen=True, kw_only=True):
    """A property as forms and promotion see it: references followed, `null` told apart from the rest."""

    types: frozenset[str]
    nullable: bool
    required: bool
    enum: list[Any] | None
    rules: Mapping[str, Any]  # the property's keywords, its references resolved


def describe_field(json_schema: Mapping[str, Any], field: str) -> FieldShape | None:
    """None when the schema has no such property."""
    properties = json_schema.get("properties")
    if not isinstance(properties, dict) or field not in properties:
        return None
    required = json_schema.get("required")
    rules, nullable = _flatten(properties[field], json_schema)
    named = rules.get("type", [])
    types = frozenset([named] if isinstance(named, str) else named)
    enum = rules.get("enum")
    return FieldShape(
        types=types - {"null"},
        nullable=nullable or "null" in types or (isinstance(enum, list) and None in enum),
        required=isinstance(required, list) and field in required,
        enum=[member for member in enum if member is not None] if isinstance(enum, list) else None,
        rules=rules,
    )


def _flatten(node: Any, root: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """One set of keywords out of local references and of choices with a single branch beside `null`."""
    rules, nullable = dict(node) if isinstance(node, dict) else {}, False
    for _ in range(MAX_HOPS):
        if isinstance(reference := rules.pop("$ref", None), str):
            rules = {**_lookup(reference, root), **rules}
            continue
        wrapper = next((k for k in ("anyOf", "oneOf", "allOf") if isinstance(rules.get(k), list)), None)
        if wrapper is None:
            return rules, nullable
        branches = rules.pop(wrapper)
        real = [branch for branch in branches if branch != {"type": "null"}]
        nullable = nullable or (wrapper != "allOf" and len(real) < len(branches))
        if len(real) != 1 or not isinstance(real[0], dict):
            return {key: value for key, value in rules.items() if key in ("title", "description")}, nullable
        rules = {**real[0], **rules}
    return {}, nullable


def _lookup(reference: str, root: Mapping[str, Any]) -> dict[str, Any]:
    node: Any = root
    for token in reference.removeprefix("#").split("/")[1:]:
        node = node.get(token.replace("~1", "/").replace("~0", "~")) if isinstance(node, dict) else None
    return dict(node) if isinstance(node, dict) and reference.startswith("#/") else {}


def is_relation(field_configs: Mapping[str, Any], field: str) -> bool:
    config = field_configs.get(field)
    return isinstance(config, dict) and config.get("relation") is not None


def check_field_names(names: Iterable[str], *at: str) -> list[Fault]:
    """Of fields in content, or in a schema; `at` is the place of what they are the keys of."""
    return [
        _fault(pointer(*at, name), "invalid_field_name", _FIELD_NAME_RULE)
        for name in names
        if len(name) > MAX_FIELD_NAME or on_one_line(name) != name
    ]


def check_field_configs(field_configs: Any, json_schema: Mapping[str, Any]) -> list[Fault]:
    """A config names a property of the schema; that of a relation may stand alone, for its edges are rows."""
    if not isinstance(field_configs, dict):
        return [_fault("/field_configs", "wrong_type", "Field configs are an object: field name to config")]
    return [
        fault
        for field, config in field_configs.items()
        for fault in _config_faults(field, config, json_schema)
    ]


def _config_faults(field: str, config: Any, json_schema: Mapping[str, Any]) -> Iterator[Fault]:
    at = pointer("field_configs", field)
    if not isinstance(config, dict):
        yield _fault(at, "wrong_type", "A field config is an object")
        return
    relation = config.get("relation")
    if relation is None and describe_field(json_schema, field) is None:
        yield _fault(at, "unknown_field", "The schema has no such field, and it is not a relation")
    for key, value in config.items():
        place = at + pointer(key)
        if key in _TEXTS:
            if value is not None and not _is_text(key, value):
                yield _fault(place, "invalid_text", f"This is text of at most {_TEXTS[key]} characters")
        elif key == "relation":
            yield from _relation_faults(relation, place)
        else:
            yield _fault(place, "unknown_key", "A field config has label, description, widget and relation")


def _is_text(key: str, value: Any) -> bool:
    one_line = key != "description"
    return (
        isinstance(value, str) and len(value) <= _TEXTS[key] and (not one_line or on_one_line(value) == value)
    )


def _relation_faults(relation: Any, at: str) -> Iterator[Fault]:
    if relation is None:
        return
    if not isinstance(relation, dict):
        yield _fault(at, "wrong_type", "A relation is an object with target_type")
        return
    target, kind = relation.get("target_type"), relation.get("relationship_type")
    if not isinstance(target, str) or not target:
        yield _fault(f"{at}/target_type", "missing", "A relation names the slug of the type it leads to")
    if not isinstance(relation.get("multiple", False), bool):
        yield _fault(f"{at}/multiple", "wrong_type", "multiple is true or false")
    if kind is not None and (not isinstance(kind, str) or not 0 < len(kind) <= 100):
        yield _fault(f"{at}/relationship_type", "invalid_text", "A relationship type is a short text")
    for key in relation.keys() - _RELATION_KEYS:
        yield _fault(at + pointer(key), "unknown_key", f"A relation has {', '.join(sorted(_RELATION_KEYS))}")


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
