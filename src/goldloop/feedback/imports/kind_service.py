"""The registry of what can be imported. A concept to the right adds its own kinds by `register`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from goldloop.feedback.ratings import Rule
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput


class Unmapped(NamedTuple):
    """A name that no rule covers, and the item that it is as neutral; `example` is a value of it."""

    name: str
    example: str
    item: Any


class Written(NamedTuple):
    """`rejects` are places in the batch of what was left out, in full or in part, and why."""

    new: int
    existing: int
    rejects: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportKind:
    """`read` makes an item of a row (or says that a rule is missing, or raises ValueError), `count` and `write` tell for a batch
    of items how many are new; only `write` writes. `show` is an item as a preview has it."""

    name: str
    permission: str
    read: Callable[[dict[str, Any], Mapping[str, Rule]], Any]
    count: Callable[[Tx, Sequence[Any]], Awaitable[Written]]
    write: Callable[[Tx, Sequence[Any]], Awaitable[Written]]
    show: Callable[[Any], dict[str, Any]]


KINDS: dict[str, ImportKind] = {}


def register(kind: ImportKind) -> ImportKind:
    KINDS[kind.name] = kind
    return kind


def access_kind(name: str) -> ImportKind:
    if name not in KINDS:
        raise InvalidInput.at(
            "/kind", "unknown_import", f"What can be imported is {', '.join(sorted(KINDS))}"
        )
    return KINDS[name]
