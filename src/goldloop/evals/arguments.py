"""The single source of when the arguments of two calls are the same: what a tool does not declare is left out, and what is
left is compared by value. Pure."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

# The tree of declared paths: the names at each level, with what is declared below; None is the whole value.
Declared = dict[str, Any]
EXACT_INTEGER = 2**53  # beyond it a float is no longer the number that was sent
DIGITS = 15  # of a text that is taken for an integer


@lru_cache(maxsize=1024)
def declared_tree(paths: tuple[str, ...]) -> Declared:
    """`flights[].date` as `{"flights": {"date": None}}`: lists are walked through, whatever their length."""
    tree: Declared = {}
    for path in paths:
        names = path.replace("[]", "").split(".")
        level = tree
        for name in names[:-1]:
            below = level.setdefault(name, {})
            if below is None:
                break
            level = below
        else:
            level[names[-1]] = None
    return tree


def prune(value: Any, declared: Declared | None) -> Any:
    """A value without what is not declared, and without null: for a tool both are as if they had not been sent."""
    if isinstance(value, Mapping):
        if declared is None:
            return {name: prune(each, None) for name, each in value.items() if each is not None}
        return {
            name: prune(each, declared[name])
            for name, each in value.items()
            if each is not None and name in declared
        }
    if isinstance(value, list | tuple):
        return [prune(each, declared) for each in value]
    return value


def canonical(value: Any, declared: Declared | None = None) -> Any:
    """A hashable that is equal for values that mean the same: case, spaces, the order of lists, and how a number is written
    make no difference. Pruned on the way."""
    kind = type(value)
    if kind is str:
        return canonical_text(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is int or kind is float:
        return value if value == value else "nan"
    if kind is dict:
        if declared is None:
            return tuple(
                sorted(
                    [(name, canonical(each)) for name, each in value.items() if each is not None], key=_name
                )
            )
        return tuple(
            sorted(
                [
                    (name, canonical(each, declared[name]))
                    for name, each in value.items()
                    if each is not None and name in declared
                ],
                key=_name,
            )
        )
    if kind is list or kind is tuple:
        return _sorted([canonical(each, declared) for each in value])
    if value is None:
        return None
    if isinstance(value, Mapping):
        return canonical(dict(value), declared)
    return canonical_text(str(value))


def canonical_text(text: str) -> Any:
    """An integer in quotes is the integer. Other numbers stay as they are written: 1.10 is a version as well."""
    folded = text.strip().casefold()
    if " " in folded or "\n" in folded or "\t" in folded:
        return " ".join(folded.split())
    if (
        folded.isdecimal()
        and folded.isascii()
        and len(folded) <= DIGITS
        and (folded[0] != "0" or folded == "0")
    ):
        return int(folded)
    return folded


def _name(pair: tuple[str, Any]) -> str:
    return pair[0]


def _sorted(values: list[Any]) -> tuple[Any, ...]:
    if len(values) < 2:
        return tuple(values)
    try:
        return tuple(sorted(values))
    except TypeError:  # of several kinds
        return tuple(sorted(values, key=repr))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that holds no others, with its path; an empty list or object is one."""
    if isinstance(value, Mapping) and value:
        for name, each in value.items():
            yield from leaves(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple) and value:
        for place, each in enumerate(value):
            yield from leaves(each, f"{path}[{place}]")
    else:
        yield path, value
