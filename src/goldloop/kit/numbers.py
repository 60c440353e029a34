"""What counts as a number in what people and agents send. Pure."""

from typing import TypeGuard

Number = int | float

MAX_NUMBER = 1e100  # far beyond any measure, and sums of squares are still finite


def is_number(value: object) -> TypeGuard[Number]:
    """A finite int or float: neither a boolean, nor not-a-number, nor an integer too large to be a float."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER


def settle(number: float) -> float:
    """To twelve digits: what binary fractions leave beyond them (74.99999999999999 for 75) decides nothing."""
    return float(f"{number:.12g}")
