"""Types of evals: what a comparison returns, and what it takes for granted about a tool."""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import msgspec


class InvalidSession(ValueError):
    """What is compared is no session; `path` says where it goes wrong."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path


class Readable(msgspec.Struct, frozen=True, kw_only=True):
    """Read by attribute in Python, and by key as the JSON that is made of it."""

    def __getitem__(self, key: str) -> Any:
        try:
            return getattr(self, key)
        except AttributeError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.__struct_fields__)

    def keys(self) -> tuple[str, ...]:
        return self.__struct_fields__


class Effects(StrEnum):
    """How far the writes of a replay must be those of the golden."""

    EXACT = "exact"  # the same set
    CONTAINS = "contains"  # at least those of the golden: many ways lead to the goal
    OFF = "off"  # they decide nothing


class DivergenceKind(StrEnum):
    """In the order in which a person wants to know of them."""

    NOT_COMPLETED = "not_completed"
    MISSING_WRITE = "missing_write"
    UNEXPECTED_WRITE = "unexpected_write"
    WRONG_WRITE_ARGUMENT = "wrong_write_argument"
    MISSING_FACT = "missing_fact"
    WRONG_VALUE = "wrong_value"
    WRONG_OUTPUT = "wrong_output"
    MISSING_TOOL = "missing_tool"
    EXTRA_TOOL = "extra_tool"
    TEXT = "text"


RANK = {kind: rank for rank, kind in enumerate(DivergenceKind)}


class Divergence(Readable, frozen=True, kw_only=True):
    """`path` is the argument, value or fact; `golden` and `replay` are what each has there. `golden_event` and
    `replay_event` count the events from 0, None where there is none to look at."""

    kind: DivergenceKind
    message: str
    tool: str | None = None
    path: str | None = None
    golden: Any = None
    replay: Any = None
    golden_event: int | None = None
    replay_event: int | None = None


class DimensionResult(Readable, frozen=True, kw_only=True):
    """`score` is between 0 and 1, None where there is nothing to compare. `required`: the replay fails where `passed` is
    false, whatever the rest comes to. A dimension of weight 0 is only shown."""

    score: float | None
    passed: bool | None
    weight: float
    reason: str
    required: bool = False


class Comparison(Readable, frozen=True, kw_only=True):
    """`overall_accuracy` is the weighted mean of the dimensions' scores, None where none has one. `alternative` is the number
    of the accepted alternative that the replay is nearest to, None for the golden itself."""

    session_type: str
    dimensions: dict[str, DimensionResult]
    overall_accuracy: float | None
    divergences: list[Divergence]
    passed: bool
    alternative: int | None = None


class ToolShape(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a tool. `arguments` are the paths that it declares (`a.b`, `items[].id`), None where nobody says so;
    `defaults` what an argument is when it is not sent; the elements of an `unordered` one have no order; a `volatile` one
    (a time, a key, a reason in words) says nothing about what is asked."""

    writes: bool | None = None
    arguments: list[str] | None = None
    defaults: dict[str, Any] = {}
    unordered: list[str] = []
    volatile: list[str] = []


UNKNOWN = ToolShape()
