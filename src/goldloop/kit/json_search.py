"""Finds parts of a JSON value and names them by JSON pointer. Pure.

Every request body is searched on the event loop, and may have half a million parts and a hundred levels. So it is
searched level by level without recording the path to each part; paths are reconstructed for the few that are found.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice
from typing import Any

from goldloop.kit.json_pointer import pointer

MOST_POINTERS = 20  # that one problem response names


def find_pointers(
    value: Any, kinds: set[type], pick: Callable[[Sequence[Any]], list[int]], *at: str | int
) -> list[str]:
    """JSON pointers, below `at`, to the first keys and values that `pick` selects. It is called with the parts of each
    level that has any of these kinds, and returns indexes."""
    parts, levels = [value], list[_Level]()
    found: list[str] = []
    while parts and len(found) < MOST_POINTERS:
        level = _Level(parts)
        picked = pick(parts) if level.kinds & kinds else []
        found += [pointer(*at, *_path(levels, index)) for index in picked[: MOST_POINTERS - len(found)]]
        levels.append(level)
        parts = level.parts()
    return found


def _path(levels: Sequence["_Level"], index: int) -> list[str | int]:
    path = []
    for level in reversed(levels):
        index, key = level.parent(index)
        path.append(key)
    return path[::-1]


class _Level:
    """One nesting level of the value. The parts of its lists and objects, in order, are the next level; of an object
    first the keys and then the values."""

    def __init__(self, above: list[Any]) -> None:
        self.above = above
        self.kinds = set(map(type, above))
        only = self.kinds <= {list, dict}
        self.inner = above if only else [part for part in above if type(part) is list or type(part) is dict]

    def parts(self) -> list[Any]:
        if dict not in self.kinds:
            return list(chain.from_iterable(self.inner))
        return list(
            chain.from_iterable(
                (*part, *part.values()) if type(part) is dict else part for part in self.inner
            )
        )

    def parent(self, index: int) -> tuple[int, str | int]:
        """The index in this level of the part's parent, and the part's key there; `index` is that of the next level."""
        nth = bisect_right(self._ends, index)
        part, offset = self.inner[nth], index - (self._ends[nth - 1] if nth else 0)
        key = offset if type(part) is list else next(islice(part, offset % len(part), None))
        return self._places[nth], key

    @cached_property
    def _ends(self) -> list[int]:
        if dict not in self.kinds:
            return list(accumulate(map(len, self.inner)))
        return list(accumulate(len(part) * (1 + (type(part) is dict)) for part in self.inner))

    @cached_property
    def _places(self) -> Sequence[int]:
        if self.inner is self.above:
            return range(len(self.above))
        return [n for n, part in enumerate(self.above) if type(part) is list or type(part) is dict]
