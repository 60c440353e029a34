"""Which JSON numbers are accepted, and how results are rounded. Pure."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

import msgspec

from goldloop.kit.errors import Fault
from goldloop.kit.json_search import find_pointers

Number = int | float

DIGITS = 50
LARGEST = float(
    f"1e{DIGITS}"
)  # of a number in a body: PostgreSQL writes numbers out, so each takes up as many characters
SMALLEST = float(f"1e-{DIGITS}")
OUT_OF_RANGE = f"A number lies within ±1e{DIGITS}, and is 0 or at least 1e-{DIGITS} in size"

MAX_NUMBER = 1e100  # far beyond any measure, and sums of squares are still finite


def is_number(value: object) -> TypeGuard[Number]:
    """A finite int or float: neither a boolean, nor not-a-number, nor an integer too large to be a float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER


def round_off(number: float) -> float:
    """Rounds to twelve digits, so that floating-point noise (74.99999999999999 for 75) decides nothing."""
    return float(f"{number:.12g}")


_SHAPE = bytes.maketrans(b"123456789E+", b"000000000e-")
_LONG = b"0" * 20  # digits; with fewer, and an exponent of one digit, no number is out of range
_EXTREME = (_LONG, b"0e00", b"0e-00")
_OF_NUMBER = b"-.0123456789"


def may_be_out_of_range(body: bytes) -> bool:
    """A cheap pre-check without false negatives: whether JSON has a number with many digits or a large exponent."""
    shape = body.translate(_SHAPE)
    return any(_may_be_number(body, start) for sign in _EXTREME for start in _places(shape, sign))


def _places(shape: bytes, sign: bytes) -> Iterator[int]:
    start = shape.find(sign)
    while start >= 0:
        yield start
        start = shape.find(sign, start + len(sign))


def _may_be_number(body: bytes, start: int) -> bool:
    """Whether what leads to a digit can be a number's, and is not that of an id in hexadecimal."""
    before = body[max(0, start - DIGITS) : start].rstrip(_OF_NUMBER)
    return not before or before[-1:] in b"[:, \t\r\n"


def range_faults(body: bytes) -> list[Fault]:
    """One fault for each of the first numbers of a JSON document that are out of range. Raises for invalid JSON."""
    return [
        Fault(path=place, code="number_out_of_range", message=OUT_OF_RANGE)
        for place in find_pointers(_BY_PYTHON.decode(body), {int, float}, _out_of_range)
    ]


_BY_PYTHON: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    float_hook=float
)  # which is quick for 1e-308 too


def _out_of_range(parts: Sequence[Any]) -> list[int]:
    return [
        index
        for index, part in enumerate(parts)
        if (type(part) is float and part and not SMALLEST <= abs(part) <= LARGEST)
        or (type(part) is int and not -LARGEST <= part <= LARGEST)
    ]
