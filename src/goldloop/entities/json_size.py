"""Measures the size of a JSON value, which bounds the cost of checking it. Pure."""

from typing import Any, NamedTuple


class JsonSize(NamedTuple):
    """`text` and `longest` are in characters, names of fields among them. `large` are the integers beyond 64 bits."""

    depth: int
    values: int
    text: int
    longest: int
    large: int = 0


def measure(value: Any, *, deepest: int, most: int) -> JsonSize:
    """Measures level by level, so that no input exhausts the stack. Stops below `deepest` levels or after `most` values."""
    level, depth, values, text, longest, large = [value], -1, 0, 0, 0, 0
    while level and depth <= deepest and values <= most:
        depth += 1
        values += len(level)
        below: list[Any] = []
        for item in level:
            if isinstance(item, str):
                text += len(item)
                longest = max(longest, len(item))
            elif isinstance(item, dict):
                below.extend(item.values())
                text += sum(map(len, item))
                longest = max(longest, max(map(len, item), default=0))
            elif isinstance(item, list):
                below.extend(item)
            elif type(item) is int and not -(2**63) <= item < 2**64:
                large += 1
        level = below
    return JsonSize(depth, values, text, longest, large)
