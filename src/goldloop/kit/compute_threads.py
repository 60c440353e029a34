"""Threads for computations of more than some milliseconds, so that neither the event loop nor a sign-in waits for
them. One computation of a workspace runs at a time.

Threads share the interpreter with the loop and hand it over every few milliseconds, but not within one call of a
library: what is computed here decodes and encodes piece by piece.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar
from uuid import UUID

from goldloop.kit.errors import TooManyRequests
from goldloop.kit.tenant_limiter import TenantLimiter

THREADS = 2
PER_WORKSPACE = 8  # running or waiting: as many as the panels of some pages
IN_ALL = 32  # each has its input in memory

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class CountingBusy(TooManyRequests):
    code, title = "counting_busy", "Other numbers of this workspace are still being counted: try again"


_LIMITER = TenantLimiter(PER_WORKSPACE, IN_ALL, CountingBusy)
_THREADS = ThreadPoolExecutor(THREADS, thread_name_prefix="goldloop-compute")


async def run(
    tenant_id: UUID,
    compute: Callable[Arguments, Found],
    *args: Arguments.args,
    **named: Arguments.kwargs,
) -> Found:
    """Runs it for a caller that can try again later. Raises CountingBusy where too many wait."""
    return await _LIMITER.run(tenant_id, lambda: _in_thread(lambda: compute(*args, **named)))


async def run_always(
    tenant_id: UUID,
    compute: Callable[Arguments, Found],
    *args: Arguments.args,
    **named: Arguments.kwargs,
) -> Found:
    """Runs it however many wait: for requests that are half done, and for jobs and marks, of which a process runs few."""
    return await _LIMITER.run_always(tenant_id, lambda: _in_thread(lambda: compute(*args, **named)))


async def _in_thread(compute: Callable[[], Found]) -> Found:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, compute)
