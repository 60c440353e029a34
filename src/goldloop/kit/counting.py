"""Where what takes more than some milliseconds to count is counted: in threads of its own, so that neither the event loop
nor a sign-in waits for it, one count of a workspace at a time.

Threads share the interpreter with the loop and hand it over every few milliseconds, but not within one call of a
library: what is counted here decodes and encodes piece by piece.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from uuid import UUID

from goldloop.kit.errors import TooManyRequests
from goldloop.kit.turns import Turns

THREADS = 2
PER_WORKSPACE = 8  # counts at work or waiting: as many as the panels of some pages
IN_ALL = 32  # each has read what it counts

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class CountingBusy(TooManyRequests):
    code, title = "counting_busy", "Other numbers of this workspace are still being counted: try again"


_TURNS = Turns(PER_WORKSPACE, IN_ALL, CountingBusy)
_THREADS = ThreadPoolExecutor(THREADS, thread_name_prefix="goldloop-counting")


async def count(
    tenant_id: UUID,
    compute: Callable[Arguments, Found],
    *args: Arguments.args,
    **named: Arguments.kwargs,
) -> Found:
    """For whoever can try again. Raises CountingBusy."""
    return await _TURNS.take(tenant_id, lambda: _in_thread(lambda: compute(*args, **named)))


async def count_in_any_case(
    tenant_id: UUID,
    compute: Callable[Arguments, Found],
    *args: Arguments.args,
    **named: Arguments.kwargs,
) -> Found:
    """For what was begun, and for jobs and marks, of which a process runs few: they wait."""
    return await _TURNS.wait(tenant_id, lambda: _in_thread(lambda: compute(*args, **named)))


async def _in_thread(compute: Callable[[], Found]) -> Found:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, compute)
