"""The single source of what a type's schema says about each field by itself: whether a value can ever be that field's,
whatever the other fields hold. What is required, and rules between fields, are known only of a whole content.

Pure.
"""

from collections.abc import Mapping
from typing import Any

from goldloop.entities.references import REFERENCES, find_anchors, resolve, walk

# What the top of a schema says about a content as a whole.
_OF_THE_WHOLE = frozenset(
    [
        "$dynamicRef",
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "enum",
        "if",
        "maxProperties",
        "minProperties",
        "not",
        "oneOf",
        "propertyNames",
        "required",
        "then",
        "unevaluatedProperties",
    ]
)


def fields_schema(json_schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """`json_schema` as far as it is about single fields; None where a field refers into what is left out."""
    kept = {keyword: value for keyword, value in json_schema.items() if keyword not in _OF_THE_WHOLE}
    left_out = [value for keyword, value in json_schema.items() if keyword in _OF_THE_WHOLE]
    if not any(_holds_schemas(value) for value in left_out):
        return kept
    return kept if _refers_to_itself_only(kept) else None


def _holds_schemas(value: Any) -> bool:
    """A list of names, as `required` is, holds none."""
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(each, dict) for each in value)
    )


def _refers_to_itself_only(schema: dict[str, Any]) -> bool:
    nodes = list(walk(schema, ()))
    anchors = {name: node for _, name, node in find_anchors(nodes)}
    references = (node[key] for _, node in nodes for key in REFERENCES if isinstance(node.get(key), str))
    return all(resolve(reference, schema, anchors) is not None for reference in references)
