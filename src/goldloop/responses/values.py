"""The single source of which values a set of dimensions takes; `criteria/dimension_types.py` has what each type does.

An empty value is missing where one is required, and dropped by `clean_values` where not, so that "not answered" has
one form everywhere.

Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from goldloop.criteria.dimension_types import TYPES, is_empty
from goldloop.criteria.model import Dimension
from goldloop.kit.errors import Fault, Faults, unknown_keys
from goldloop.kit.json_pointer import pointer


def check_values(
    values: Mapping[str, Any], dimensions: Sequence[Dimension], *, at: str = "/values"
) -> Faults:
    """Everything about `values` that the dimensions refuse; `at` is where the values stand in the request."""
    return check_known_values(values, Asked.of(dimensions), at=at)


class Asked(NamedTuple):
    """Dimensions, where each stands, and which are required: for whoever checks many values."""

    dimensions: Sequence[Dimension]
    places: Mapping[str, int]
    required: AbstractSet[str]

    @classmethod
    def of(cls, dimensions: Sequence[Dimension]) -> "Asked":
        places = {dimension.key: place for place, dimension in enumerate(dimensions)}
        return cls(dimensions, places, {dimension.key for dimension in dimensions if dimension.required})


def check_known_values(values: Mapping[str, Any], asked: Asked, *, at: str) -> Faults:
    """Costs what there is in `values`, however much might be."""
    faults = unknown_values(values, asked, at=at)
    keys = (asked.places.keys() & values.keys()) | asked.required
    for key in sorted(keys, key=asked.places.__getitem__):
        dimension = asked.dimensions[asked.places[key]]
        faults += _value_faults(values.get(key), dimension, at + pointer(key))
    return faults


def unknown_values(values: Mapping[str, Any], asked: Asked, *, at: str) -> Faults:
    message = "The criteria set has no such dimension"
    return unknown_keys(values, asked.places.keys(), at, "unknown_dimension", message)


def clean_values(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if not is_empty(value)}


def _value_faults(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
    if is_empty(value):
        if dimension.required:
            yield _fault(at, "required", f"{dimension.label} is needed")
    else:
        yield from TYPES[dimension.type].check(value, dimension, at)


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
