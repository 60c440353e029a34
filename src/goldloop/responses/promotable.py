"""The single source of which dimensions lead to a field of the record. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldloop.criteria.dimension_types import is_empty
from goldloop.criteria.model import Dimension
from goldloop.entities.fields import describe_field


def promotion_target(dimension: Dimension, json_schema: Mapping[str, Any]) -> str | None:
    """The field that takes the dimension's value; None if no field does."""
    if dimension.field_name is not None:
        return dimension.field_name
    return dimension.key if describe_field(json_schema, dimension.key) is not None else None


def filled_promotable(
    values: Mapping[str, Any], dimensions: Sequence[Dimension], json_schema: Mapping[str, Any]
) -> set[str]:
    """The keys of the dimensions that have a value and a field to take it."""
    return {
        dimension.key
        for dimension in dimensions
        if not is_empty(values.get(dimension.key)) and promotion_target(dimension, json_schema) is not None
    }
