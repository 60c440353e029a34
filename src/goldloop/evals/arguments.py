"""The single source of when the arguments of two calls are the same: what a tool does not declare is left out, and what is
left is compared by value. Pure."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

# The tree of declared paths: the names at each level, with what is declared below; None is the whole value.
Declared = dict[str, Any]
DIGITS = 15  # of a text that is taken for an integer
DEEPEST = 100  # levels of arguments; what is nested deeper, nothing of ours could walk through


def parse_arguments(text: str) -> Any:
    """What a text of JSON says. One that is none, says what JSON cannot hold (NaN, infinity), or is nested too deep stays
    the text that it is."""
    try:
        parsed = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return text
    return text if _is_too_deep(parsed) else parsed


def _is_too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        below = (each for each in level if isinstance(each, dict | list))
        level = [inner for each in below for inner in (each.values() if isinstance(each, dict) else each)]
        if not level:
            return False
    return True


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
    if kind is dict:
        return _canonical_object(value, declared)
    if kind is list or kind is tuple:
        return _sorted([canonical(each, declared) for each in value])
    if kind is int or kind is float or kind is bool:
        return value if value == value else "nan"
    if value is None:
        return None
    if isinstance(value, Mapping):
        return _canonical_object(value, declared)
    return canonical_text(str(value))


def _canonical_object(value: Mapping[str, Any], declared: Declared | None) -> tuple[Any, ...]:
    found = []
    for name in sorted(value):
        each = value[name]
        if each is None:
            continue
        if declared is None:
            found.append((name, canonical(each)))
        elif name in declared:
            found.append((name, canonical(each, declared[name])))
    return tuple(found)


def canonical_text(text: str) -> Any:
    """An integer or a boolean in quotes is what it says. Other numbers stay as they are written: 1.10 is a version as well."""
    folded = text.strip().casefold()
    if folded == "true" or folded == "false":
        return folded == "true"
    if folded.isdecimal():
        plain = folded.isascii() and len(folded) <= DIGITS and (folded[0] != "0" or folded == "0")
        return int(folded) if plain else folded
    return " ".join(folded.split()) if " " in folded or "\n" in folded or "\t" in folded else folded


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


def differences(
    a: Any, b: Any, declared: Declared | None = None, path: str = ""
) -> Iterator[tuple[str, Any, Any]]:
    """Where two values do not mean the same: the path, and what each has there (None: nothing)."""
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        for name in [*a, *(name for name in b if name not in a)]:
            if declared is None or name in declared:
                below = None if declared is None else declared[name]
                yield from differences(a.get(name), b.get(name), below, f"{path}.{name}" if path else name)
    elif canonical(a, declared) == canonical(b, declared):
        return
    elif isinstance(a, list) and isinstance(b, list):
        yield from _list_differences(a, b, declared, path)
    else:
        yield path, a, b


def _list_differences(
    a: list[Any], b: list[Any], declared: Declared | None, path: str
) -> Iterator[tuple[str, Any, Any]]:
    """Place by place; where only their number differs, the lists themselves."""
    found = False
    for place in range(max(len(a), len(b))):
        one, other = (each[place] if place < len(each) else None for each in (a, b))
        for difference in differences(one, other, declared, f"{path}[{place}]"):
            found = True
            yield difference
    if not found:
        yield path, a, b
