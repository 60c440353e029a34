"""The single source of which dimensions lead to a field of the record, and of what it would hold. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from goldloop.criteria.dimension_types import TYPES, is_empty
from goldloop.criteria.model import Dimension
from goldloop.entities.fields import describe_field, has_field


def promotion_target(dimension: Dimension, json_schema: Mapping[str, Any]) -> str | None:
    """The field that takes the dimension's value; None if no field does."""
    if dimension.field_name is not None:
        return dimension.field_name
    return dimension.key if has_field(json_schema, dimension.key) else None


def promoted_value(value: Any, dimension: Dimension, json_schema: Mapping[str, Any], field: str) -> Any:
    """The value as the field spells it, by the type of its dimension."""
    shape = describe_field(json_schema, field)
    return value if shape is None else TYPES[dimension.type].promote(value, shape)


class Proposed(NamedTuple):
    """What a field would hold, and the dimension that says so."""

    key: str
    value: Any


def proposed_fields(
    values: Mapping[str, Any], dimensions: Sequence[Dimension], json_schema: Mapping[str, Any]
) -> list[dict[str, Proposed]]:
    """What the fields that the schema describes would hold, by field. One after the other where several dimensions lead
    to the same field; none where no value leads to any."""
    found: list[dict[str, Proposed]] = []
    for dimension in dimensions:
        value = values.get(dimension.key)
        field = promotion_target(dimension, json_schema)
        if is_empty(value) or field is None or not has_field(json_schema, field):
            continue
        free = next((fields for fields in found if field not in fields), None)
        if free is None:
            found.append(free := {})
        free[field] = Proposed(dimension.key, promoted_value(value, dimension, json_schema, field))
    return found


def filled_promotable(
    values: Mapping[str, Any], dimensions: Sequence[Dimension], json_schema: Mapping[str, Any]
) -> set[str]:
    """The keys of the dimensions that have a value and a field to take it."""
    return {
        dimension.key
        for dimension in dimensions
        if not is_empty(values.get(dimension.key)) and promotion_target(dimension, json_schema) is not None
    }
