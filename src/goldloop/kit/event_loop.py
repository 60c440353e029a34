"""The one way to start an event loop: uvloop's where it is installed."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_loop(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=find_loop_factory()) as runner:
        return runner.run(work)


def find_loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Imported, so that who forks has it in memory once."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return None
    return uvloop.new_event_loop
