"""The registry of tools that agents may call. The same tools are offered over HTTP and, later, elsewhere.

A tool takes `tx` and its typed arguments and returns its result. A failure that is the tool's own
(no such record, a value out of scale) is an answer with `error`; a caller without the right, or a call that
cannot be read, is refused before the tool runs.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from goldloop.kit.db import Tx

Run = Callable[[Tx, Any], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    name: str
    description: str
    permission: str
    arguments: type[msgspec.Struct]
    run: Run


TOOLS: dict[str, Tool] = {}


def tool(name: str, *, permission: str, arguments: type[msgspec.Struct]) -> Callable[[Run], Run]:
    """Register a tool; its docstring is what an agent reads about it."""

    def register(run: Run) -> Run:
        TOOLS[name] = Tool(
            name=name,
            description=(run.__doc__ or "").strip(),
            permission=permission,
            arguments=arguments,
            run=run,
        )
        return run

    return register
