"""The registry of tools that agents may call. The same tools are offered over HTTP, to agents that run here and to those
that run elsewhere.

A tool takes `tx` and its typed arguments and returns its result. A failure that is the tool's own
(no such record, a value out of scale) is an answer with `error`; a caller without the right, or a call that
cannot be read, is refused before the tool runs. What a tool changed is in the events of its transaction.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.errors import Conflict, GoldloopError


class AskPerson(Conflict):
    """Raised by a tool whose result is a person's answer: a session that runs here waits for it."""

    code, title = "asks_a_person", "Only a session that runs here can wait for a person's answer"

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


Run = Callable[[Tx, Any], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`writes` says whether it changes anything, `idempotent` that the same call again changes nothing more: only then, or
    where it only reads, is a call repeated whose end nobody knows. `waits` is one whose result can come days later, for which
    only a session that runs here can wait. An agent is given tools by `group`."""

    name: str
    group: str
    description: str
    permission: str
    arguments: type[msgspec.Struct]
    result: type[msgspec.Struct]
    writes: bool
    idempotent: bool
    waits: bool
    run: Run

    @property
    def is_repeatable(self) -> bool:
        return self.idempotent or not self.writes


TOOLS: dict[str, Tool] = {}


def tool(
    name: str,
    *,
    group: str,
    permission: str,
    arguments: type[msgspec.Struct],
    result: type[msgspec.Struct],
    writes: bool,
    idempotent: bool = False,
    waits: bool = False,
) -> Callable[[Run], Run]:
    """Register a tool; its docstring is what an agent reads about it."""

    def register(run: Run) -> Run:
        TOOLS[name] = Tool(
            name=name,
            group=group,
            description=" ".join((run.__doc__ or "").split()),
            permission=permission,
            arguments=arguments,
            result=result,
            writes=writes,
            idempotent=idempotent,
            waits=waits,
            run=run,
        )
        return run

    return register


def group_names() -> list[str]:
    """The groups that tools are given out by, in the order in which they were registered."""
    return list(dict.fromkeys(tool.group for tool in TOOLS.values()))


def tools_of(groups: list[str]) -> list[Tool]:
    return [tool for tool in TOOLS.values() if tool.group in groups]


def explained(error: GoldloopError) -> str:
    """A tool's failure as whoever called it reads it."""
    return "; ".join([error.detail, *(f"{fault.path}: {fault.message}" for fault in error.errors)])


def plain(result: msgspec.Struct) -> dict[str, Any]:
    """A typed result as a tool answers it."""
    answer: dict[str, Any] = msgspec.to_builtins(result)
    return answer
