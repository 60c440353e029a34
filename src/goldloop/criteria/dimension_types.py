"""The single source of what each type of dimension is: a row of `TYPES` says which values it takes, what many of them say
together, how far raters can agree on it, what a promotion makes of a value, and which fields become it by default. A new
type is a member of `DimensionType`, a row here, and one in the table of the web UI.

An empty value (null, or text of nothing but spaces) is no value of any type.

Pure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from goldloop.criteria.model import MAX_OPTION, MAX_OPTIONS, Dimension, DimensionType, Scale
from goldloop.entities.fields import FieldShape
from goldloop.kit.errors import Fault
from goldloop.kit.numbers import Number, is_number

MAX_TEXT = 10_000  # a few pages; longer text belongs into richtext
MAX_RICHTEXT = 100_000  # a long document
STEP_TOLERANCE = 1e-6  # in steps: 0.1 + 0.2 is on a step of 0.1
LONG_TEXT = 500  # more characters than a single line shows
LONG_WIDGETS = ("richtext", "textarea", "markdown", "html", "longtext")
LONG_FORMATS = ("markdown", "html", "text/markdown", "text/html")
BOOLEAN_OPTIONS = ["true", "false"]


class Summary(StrEnum):
    """What many values say together, beside how many there are."""

    NUMBERS = "numbers"  # mean, median, extremes and spread
    FREQUENCIES = "frequencies"  # how often each was chosen
    NOTHING = "nothing"


class Level(StrEnum):
    """Of measurement: what a difference between two values means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class TypeOfDimension(NamedTuple):
    """`check` gets a value that is not empty; `schema` is what of that a JSON Schema says, for whoever proposes a value;
    `is_value` tells values of the type from those of another day; `default_of` has what goes with the type for a field,
    None where the field does not become it."""

    check: Callable[[object, Dimension, str], Iterator[Fault]]
    schema: Callable[[Dimension], dict[str, Any]]
    is_value: Callable[[object], bool]
    summary: Summary
    level: Level | None
    promote: Callable[[Any, FieldShape], Any]
    default_of: Callable[[FieldShape, Mapping[str, Any]], dict[str, Any] | None]
    takes_scale: bool = False
    needs_scale: bool = False
    takes_options: bool = False


def is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def option_text(member: object) -> str | None:
    """A member of an enum as the option of a select; None for a list or an object."""
    if isinstance(member, str):
        return member
    return msgspec.json.encode(member).decode() if isinstance(member, bool | int | float) else None


def default_kind(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    """The type of the dimension for a field and what goes with it; None for what no single input can hold."""
    for type_, row in TYPES.items():
        if (kind := row.default_of(shape, config)) is not None:
            return {"type": type_, **kind}
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not is_empty(value)


def _check_number(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
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


def _check_option(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield _not_text(at)
    elif value not in (dimension.options or []):
        yield _fault(at, "not_an_option", f"Choose one of {_listed(dimension.options or [])}")


def _listed(options: Sequence[str]) -> str:
    """The first few, for a message that a person or an agent can act on."""
    shown = ", ".join(options[:10])
    return f"{shown} … ({len(options)} in all)" if len(options) > 10 else shown


def _check_text(longest: int) -> Callable[[object, Dimension, str], Iterator[Fault]]:
    def check(value: object, dimension: Dimension, at: str) -> Iterator[Fault]:
        if not isinstance(value, str):
            yield _not_text(at)
        elif len(value) > longest:
            yield _fault(at, "too_long", f"This has at most {longest} characters")

    return check


def _number_schema(dimension: Dimension) -> dict[str, Any]:
    if dimension.scale is None:
        return {"type": "number"}
    return {"type": "number", "minimum": dimension.scale[0], "maximum": dimension.scale[1]}


def _option_schema(dimension: Dimension) -> dict[str, Any]:
    return {"type": "string", "enum": dimension.options or []}


def _text_schema(dimension: Dimension) -> dict[str, Any]:
    return {"type": "string"}


def _as_field_has_it(value: Any, shape: FieldShape) -> Any:
    """3.0 as 3 for an integer. Anything else stays as it is, and the schema decides."""
    whole = shape.types == {"integer"} and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _as_member(value: Any, shape: FieldShape) -> Any:
    """An option as the boolean or the member of the enum that it stands for."""
    booleans = [True, False] if shape.types == {"boolean"} else []
    members = shape.enum if shape.enum is not None else booleans
    return next((member for member in members if option_text(member) == value), value)


def _default_select(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    options = _options(shape) if shape.enum is not None else None
    if not options and shape.types == {"boolean"}:
        options = list(BOOLEAN_OPTIONS)
    return {"options": options} if options else None


def _options(shape: FieldShape) -> list[str] | None:
    texts = list(dict.fromkeys(option_text(member) for member in shape.enum or []))
    usable = all(text and text.strip() and len(text) <= MAX_OPTION for text in texts)
    return [text for text in texts if text] if usable and 0 < len(texts) <= MAX_OPTIONS else None


def _default_number(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    if not shape.types or not shape.types <= {"number", "integer"}:
        return None
    scale = _scale(shape)
    whole = shape.types == {"integer"} and (scale is None or _counts_in_ones(scale))
    return {"scale": scale, "step": 1 if whole else None}


def _scale(shape: FieldShape) -> Scale | None:
    low, high = shape.rules.get("minimum"), shape.rules.get("maximum")
    return (low, high) if is_number(low) and is_number(high) and low < high else None


def _counts_in_ones(scale: Scale) -> bool:
    return scale[0] == int(scale[0]) and scale[1] - scale[0] >= 1


def _default_richtext(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    longest = shape.rules.get("maxLength")
    is_long = (
        config.get("widget") in LONG_WIDGETS
        or shape.rules.get("format") in LONG_FORMATS
        or shape.rules.get("contentMediaType") in LONG_FORMATS
        or (is_number(longest) and longest > LONG_TEXT)
    )
    return {} if is_long and shape.types == {"string"} else None


def _default_text(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    return {} if shape.types == {"string"} else None


def _never_default(shape: FieldShape, config: Mapping[str, Any]) -> dict[str, Any] | None:
    return None


def _not_text(at: str) -> Fault:
    return _fault(at, "wrong_type", "This is text")


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)


# In the order in which a field is tried: an enum of numbers is a select, and long text no plain one.
TYPES: dict[DimensionType, TypeOfDimension] = {
    DimensionType.SELECT: TypeOfDimension(
        check=_check_option,
        schema=_option_schema,
        is_value=_is_text,
        summary=Summary.FREQUENCIES,
        level=Level.NOMINAL,
        promote=_as_member,
        default_of=_default_select,
        takes_options=True,
    ),
    DimensionType.NUMBER: TypeOfDimension(
        check=_check_number,
        schema=_number_schema,
        is_value=is_number,
        summary=Summary.NUMBERS,
        level=Level.INTERVAL,
        promote=_as_field_has_it,
        default_of=_default_number,
        takes_scale=True,
    ),
    DimensionType.RATING: TypeOfDimension(
        check=_check_number,
        schema=_number_schema,
        is_value=is_number,
        summary=Summary.NUMBERS,
        level=Level.ORDINAL,
        promote=_as_field_has_it,
        default_of=_never_default,
        takes_scale=True,
        needs_scale=True,
    ),
    DimensionType.RICHTEXT: TypeOfDimension(
        check=_check_text(MAX_RICHTEXT),
        schema=_text_schema,
        is_value=_is_text,
        summary=Summary.NOTHING,
        level=None,
        promote=_as_field_has_it,
        default_of=_default_richtext,
    ),
    DimensionType.TEXT: TypeOfDimension(
        check=_check_text(MAX_TEXT),
        schema=_text_schema,
        is_value=_is_text,
        summary=Summary.NOTHING,
        level=None,
        promote=_as_field_has_it,
        default_of=_default_text,
    ),
}
NUMERIC = frozenset(type_ for type_, row in TYPES.items() if row.summary is Summary.NUMBERS)
RATED = frozenset(type_ for type_, row in TYPES.items() if row.needs_scale)
CHOSEN = frozenset(type_ for type_, row in TYPES.items() if row.summary is Summary.FREQUENCIES)
