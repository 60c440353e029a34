"""The single source of which values a dimension takes.

An empty value (null, or text of nothing but spaces) is no value: it is missing where one is required, and
dropped by `clean_values` where not, so that "not answered" has one form everywhere.

Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from goldloop.criteria.model import NUMERIC, Dimension, DimensionType
from goldloop.kit.errors import Fault, Faults, unknown_keys
from goldloop.kit.json_pointer import pointer
from goldloop.kit.numbers import Number, is_number

MAX_TEXT = 10_000  # a few pages; longer text belongs into richtext
MAX_RICHTEXT = 100_000  # a long document
STEP_TOLERANCE = 1e-6  # in steps: 0.1 + 0.2 is on a step of 0.1


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


def is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _value_faults(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
    if is_empty(value):
        if dimension.required:
            yield _fault(at, "required", f"{dimension.label} is needed")
    elif dimension.type in NUMERIC:
        yield from _number_faults(value, dimension, at)
    elif not isinstance(value, str):
        yield _fault(at, "wrong_type", "This is text")
    elif dimension.type is DimensionType.SELECT:
        if value not in (dimension.options or []):
            yield _fault(at, "not_an_option", f"Choose one of {_listed(dimension.options or [])}")
    else:
        longest = MAX_RICHTEXT if dimension.type is DimensionType.RICHTEXT else MAX_TEXT
        if len(value) > longest:
            yield _fault(at, "too_long", f"This has at most {longest} characters")


def _number_faults(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
    if not is_number(value):
        yield _fault(at, "wrong_type", "This is a finite number")
    elif dimension.scale and not dimension.scale[0] <= value <= dimension.scale[1]:
        low, high = dimension.scale
        yield _fault(at, "out_of_scale", f"This is a number from {low} to {high}")
    elif dimension.step and not _on_step(value, dimension.step, dimension.scale[0] if dimension.scale else 0):
        start = f" from {dimension.scale[0]}" if dimension.scale else ""
        yield _fault(at, "off_step", f"This goes in steps of {dimension.step}{start}")


def _on_step(value: Number, step: Number, start: Number) -> bool:
    steps = (value - start) / step
    return is_number(steps) and abs(steps - round(steps)) <= STEP_TOLERANCE


def _listed(options: Sequence[str]) -> str:
    """The first few, for a message that a person or an agent can act on."""
    shown = ", ".join(options[:10])
    return f"{shown} … ({len(options)} in all)" if len(options) > 10 else shown


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
