"""The single source of what one dimension may be. Pure."""

import re
from collections.abc import Iterator

from goldloop.criteria.dimension_types import TYPES
from goldloop.criteria.model import (
    MAX_DESCRIPTION,
    MAX_FIELD_NAME,
    MAX_LABEL,
    MAX_OPTION,
    MAX_OPTIONS,
    Dimension,
    Scale,
)
from goldloop.kit.errors import Fault
from goldloop.kit.numbers import Number, is_number
from goldloop.kit.text import NUL, is_name, nul_fault

KEY = re.compile(r"\w[\w.\-]{0,99}")  # letters of any script, digits, _ . -, at most 100
MIN_STEP = 1e-9  # finer than any rating, and a value's distance from the start still counts in whole steps


def check_dimension(dimension: Dimension, at: str) -> Iterator[Fault]:
    """Everything wrong with `dimension` by itself; `at` is its place."""
    if not KEY.fullmatch(dimension.key):
        yield _fault(
            f"{at}/key",
            "invalid_key" if dimension.key else "empty_key",
            "A key has 1 to 100 letters, digits, _ . or -, and begins with a letter, a digit or _",
        )
    yield from check_name(dimension.label, f"{at}/label", MAX_LABEL)
    yield from check_text(dimension.description, f"{at}/description", MAX_DESCRIPTION, may_be_empty=True)
    yield from check_text(dimension.field_name, f"{at}/fieldName", MAX_FIELD_NAME)
    yield from _numeric_faults(dimension, at)
    yield from _option_faults(dimension, at)
    if dimension.weight is not None and not (is_number(dimension.weight) and 0 <= dimension.weight <= 1):
        yield _fault(f"{at}/weight", "weight_out_of_range", "A weight is a number from 0 to 1")


def check_text(text: str | None, at: str, longest: int, *, may_be_empty: bool = False) -> Iterator[Fault]:
    """An absent text is the caller's matter."""
    if text is not None and NUL in text:
        yield nul_fault(at)
    elif text is not None and not text.strip() and not may_be_empty:
        yield _fault(at, "empty", "This may not be empty")
    elif text is not None and len(text) > longest:
        yield _fault(at, "too_long", f"This has at most {longest} characters")


def check_name(text: str | None, at: str, longest: int) -> Iterator[Fault]:
    faults = list(check_text(text, at, longest))
    if text is not None and not faults and not is_name(text):
        faults.append(_fault(at, "invalid_text", "This is one line of text"))
    yield from faults


def check_scale(scale: Scale | None, step: Number | None, at: str) -> Iterator[Fault]:
    """A scale goes up, and a step leads from its lower end to another value on it."""
    usable = scale is not None and all(is_number(end) for end in scale)
    if scale is not None and not usable:
        yield _fault(f"{at}/scale", "scale_not_finite", "Both ends of a scale are finite numbers")
    elif scale is not None and scale[0] >= scale[1]:
        yield _fault(f"{at}/scale", "scale_upside_down", "A scale is [min, max] with min below max")
    if step is not None and not (is_number(step) and step >= MIN_STEP):
        yield _fault(f"{at}/step", "invalid_step", f"A step is a finite number of at least {MIN_STEP}")
    elif step is not None and scale is not None and usable and 0 < scale[1] - scale[0] < step:
        yield _fault(f"{at}/step", "step_too_large", "A step is no larger than the scale")


def _numeric_faults(dimension: Dimension, at: str) -> Iterator[Fault]:
    if TYPES[dimension.type].takes_scale:
        yield from check_scale(dimension.scale, dimension.step, at)
        if TYPES[dimension.type].needs_scale and dimension.scale is None:
            yield _fault(f"{at}/scale", "scale_missing", "A rating needs a scale")
        return
    for name, value in (("scale", dimension.scale), ("step", dimension.step)):
        if value is not None:
            yield _fault(f"{at}/{name}", f"{name}_not_numeric", f"Only numbers and ratings have a {name}")


def _option_faults(dimension: Dimension, at: str) -> Iterator[Fault]:
    options = dimension.options
    if not TYPES[dimension.type].takes_options:
        if options is not None:
            yield _fault(f"{at}/options", "options_not_select", "Only a select has options")
        return
    if not options:
        yield _fault(f"{at}/options", "options_missing", "A select needs at least one option")
    elif len(options) > MAX_OPTIONS:
        yield _fault(f"{at}/options", "too_many", f"A select has at most {MAX_OPTIONS} options")
    seen: set[str] = set()
    for place, option in enumerate(options or []):
        yield from check_text(option, f"{at}/options/{place}", MAX_OPTION)
        if option in seen:
            yield _fault(f"{at}/options/{place}", "duplicate_option", f"{option!r} is there twice")
        seen.add(option)


def _fault(path: str, code: str, message: str) -> Fault:
    return Fault(path=path, code=code, message=message)
