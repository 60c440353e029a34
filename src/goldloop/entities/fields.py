"""Fields of a type: their schema and their presentation config. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from goldloop.entities.references import resolve
from goldloop.kit.errors import MOST_FAULTS, Fault, Faults, unknown_keys
from goldloop.kit.json_pointer import pointer
from goldloop.kit.text import nul_faults, on_one_line

MAX_FIELD_NAME = 200  # it is part of index keys, which hold 2700 bytes
MAX_LABEL = 200  # one line above an input
MAX_DESCRIPTION = 2000  # a help text, not a document
MAX_UNIT = 30  # beside a number
MAX_CONFIGS = 400  # a config for each field, and as many relations
MAX_RELATIONS = 100
MAX_TARGET = 63  # characters of a type's slug
MAX_HOPS = 16  # references and wrappers followed before a field counts as too involved for a form

_FIELD_NAME_RULE = f"The name of a field is one line of at most {MAX_FIELD_NAME} characters"
_TEXTS = {"label": MAX_LABEL, "description": MAX_DESCRIPTION, "widget": 50, "unit": MAX_UNIT}
_CONFIG_KEYS = _TEXTS.keys() | {"relation"}
_CONFIG_SAYS = "A field config has label, description, widget, unit and relation"
_RELATION_KEYS = {"target_type", "multiple", "relationship_type"}
_RELATION_SAYS = f"A relation has {', '.join(sorted(_RELATION_KEYS))}"


class FieldShape(msgspec.Struct, frozen=True, kw_only=True):
    """A property as forms and promotion see it: references resolved, `null` separate from the other types."""

    types: frozenset[str]
    nullable: bool
    required: bool
    enum: list[Any] | None
    rules: Mapping[str, Any]  # the property's keywords, its references resolved


def has_field(json_schema: Mapping[str, Any], field: str) -> bool:
    properties = json_schema.get("properties")
    return isinstance(properties, dict) and field in properties


def describe_field(json_schema: Mapping[str, Any], field: str) -> FieldShape | None:
    """None when the schema has no such property."""
    if not has_field(json_schema, field):
        return None
    properties = json_schema["properties"]
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
    node = resolve(reference, root) if reference.startswith("#/") else None
    return dict(node) if isinstance(node, dict) else {}


def is_relation(field_configs: Mapping[str, Any], field: str) -> bool:
    config = field_configs.get(field)
    return isinstance(config, dict) and config.get("relation") is not None


def check_field_names(names: Iterable[str], *at: str) -> Faults:
    """Of fields in content, or in a schema; `at` is the place of what they are the keys of."""
    wrong = [name for name in names if len(name) > MAX_FIELD_NAME or on_one_line(name) != name]
    shown = wrong[:MOST_FAULTS]
    faults = Faults(_fault(pointer(*at, name), "invalid_field_name", _FIELD_NAME_RULE) for name in shown)
    faults.omitted = len(wrong) - len(shown)
    return faults


def narrowed_relations(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The fields whose connections may not fit any more: gone, leading to another type, or to one where it was to many.
    What a relation is called may change, as its label may."""
    return [
        field
        for field in before
        if is_relation(before, field) and not _still_fits(before[field], after.get(field))
    ]


def _still_fits(before: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    was, found = before["relation"], (after or {}).get("relation")
    if found is None or found["target_type"] != was["target_type"]:
        return False
    return found.get("multiple", False) or not was.get("multiple", False)


def check_field_configs(field_configs: Any, json_schema: Mapping[str, Any]) -> Faults:
    """A config names a property of the schema; that of a relation may stand alone, for its edges are rows."""
    if not isinstance(field_configs, dict):
        return Faults(
            [_fault("/field_configs", "wrong_type", "Field configs are an object: field name to config")]
        )
    if bound := _too_many(field_configs):
        return Faults([bound])
    if nul := nul_faults(field_configs, "field_configs"):
        return Faults(nul)
    faults = Faults(check_field_names(field_configs, "field_configs"))
    for field, config in field_configs.items():
        at = pointer("field_configs", field)
        faults += _config_faults(field, config, json_schema, at)
        if isinstance(config, dict):
            faults += unknown_keys(config, _CONFIG_KEYS, at, "unknown_key", _CONFIG_SAYS)
            if isinstance(relation := config.get("relation"), dict):
                faults += unknown_keys(
                    relation, _RELATION_KEYS, f"{at}/relation", "unknown_key", _RELATION_SAYS
                )
    return faults


def _too_many(field_configs: Mapping[str, Any]) -> Fault | None:
    if len(field_configs) > MAX_CONFIGS:
        return _fault("/field_configs", "too_many", f"A type has at most {MAX_CONFIGS} field configs")
    if sum(is_relation(field_configs, field) for field in field_configs) > MAX_RELATIONS:
        return _fault("/field_configs", "too_many", f"A type has at most {MAX_RELATIONS} relations")
    return None


def _config_faults(field: str, config: Any, json_schema: Mapping[str, Any], at: str) -> Iterator[Fault]:
    if not isinstance(config, dict):
        yield _fault(at, "wrong_type", "A field config is an object")
        return
    relation = config.get("relation")
    if relation is None and describe_field(json_schema, field) is None:
        yield _fault(at, "unknown_field", "The schema has no such field, and it is not a relation")
    for key, longest in _TEXTS.items():
        value = config.get(key)
        if value is not None and not _is_text(key, value):
            yield _fault(f"{at}/{key}", "invalid_text", f"This is text of at most {longest} characters")
    yield from _relation_faults(relation, f"{at}/relation")


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
    if not isinstance(target, str) or not 0 < len(target) <= MAX_TARGET:
        yield _fault(f"{at}/target_type", "missing", "A relation names the slug of the type it leads to")
    if not isinstance(relation.get("multiple", False), bool):
        yield _fault(f"{at}/multiple", "wrong_type", "multiple is true or false")
    if kind is not None and (not isinstance(kind, str) or not 0 < len(kind) <= 100):
        yield _fault(f"{at}/relationship_type", "invalid_text", "A relationship type is a short text")


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
