"""The single source of whether two JSON values are the same.

Python calls True and 1 equal; in JSON one is no number. 1 and 1.0 are one number, and the order of keys means nothing.
PostgreSQL writes 1e23 as an integer, which a float meets only as near as it can: so a float is compared as floats are.

Pure.
"""

from typing import Any


def same_json(a: Any, b: Any) -> bool:
    """Values as decoded from JSON. Without recursion, so that no nesting exhausts the stack."""
    waiting = [(a, b)]
    for one, other in waiting:
        if isinstance(one, bool) or isinstance(other, bool):
            if one is not other:
                return False
        elif isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            waiting.extend((value, other[key]) for key, value in one.items())
        elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif one != other and not _same_float(one, other):
            return False
    return True


def _same_float(one: Any, other: Any) -> bool:
    """Whether an integer's nearest float is this one."""
    if {type(one), type(other)} != {float, int}:
        return False
    try:
        return float(one) == float(other)
    except OverflowError:
        return False
