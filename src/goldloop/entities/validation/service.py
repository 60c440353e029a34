"""Validates schemas and content without blocking the event loop.

A check that is certain to be quick runs at once. The others run in a few separate processes, one check of a workspace
at a time. Few may wait: each of them holds a database connection meanwhile.
"""

import asyncio
import atexit
import signal
import subprocess
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec

from goldloop.entities.json_size import JsonSize, measure
from goldloop.entities.schema import MAX_DEPTH, check_json_schema, list_faults, too_deep
from goldloop.entities.schema_cost import Cost
from goldloop.entities.validation.process import Answer, Question, read_message, write_message
from goldloop.entities.validators import Validator, cache, canonical, find_cached
from goldloop.kit.child_process import start_child
from goldloop.kit.errors import Fault, TooManyRequests

SMALL_SCHEMA = 4096  # bytes, without patterns: measured and compiled in some milliseconds
QUICK_STEPS = 300_000  # of 30 ns
QUICK_FAULTS = 3_000_000  # steps × (bytes of a fault's own + those of the content, which each may repeat)
FAULT_BYTES = 2000
QUICK_COMPILED = 256_000  # bytes of patterns: a millisecond to compile
QUICK_HEIGHT = 500
PROCESSES = 2
PER_WORKSPACE = 4  # questions at work or waiting
IN_ALL = 8  # half of the database connections that a process has
AT_MOST = (
    12  # with a first question of workspaces that ask none yet: as many connections as one workspace may have
)


class ValidationBusy(TooManyRequests):
    code, title = "validation_busy", "Other content is still being checked: try again"


async def check_schema(tenant_id: UUID, schema: dict[str, Any]) -> list[Fault]:
    """As `schema.check_json_schema`."""
    text = canonical(schema)
    if _is_small(text):
        return check_json_schema(schema)
    found = await _ask(tenant_id, Question(schema=msgspec.Raw(text)))
    return [_too_costly("/json_schema")] if found is None else found.faults


async def check_content(tenant_id: UUID, schema: dict[str, Any], content: Any) -> list[Fault]:
    """As `schema.check_content`."""
    text = canonical(schema)
    validator = find_cached(text)
    if validator is None and _is_small(text):
        validator = cache(Validator(text), tenant_id)
    if validator is not None and (faults := _check_quickly(validator, content)) is not None:
        return faults
    encoded = msgspec.Raw(msgspec.json.encode(content))
    found = await _ask(tenant_id, Question(schema=msgspec.Raw(text), content=encoded))
    if found is None:
        return [_too_costly("/content")]
    if validator is None and found.cost is not None:
        cache(Validator(text, found.cost), tenant_id)
    return found.faults


async def check_each(
    tenant_id: UUID, schema: dict[str, Any], contents: list[dict[str, Any]]
) -> list[list[Fault]]:
    """Checks many contents, yielding to other tasks in between."""
    found = []
    for content in contents:
        found.append(await check_content(tenant_id, schema, content))
        await asyncio.sleep(0)
    return found


def _is_small(text: bytes) -> bool:
    return len(text) <= SMALL_SCHEMA and b'"pattern' not in text


def _check_quickly(validator: Validator, content: Any) -> list[Fault] | None:
    """None when it could take more than some milliseconds."""
    cost = validator.cost
    if cost is None or cost.compiled > QUICK_COMPILED or cost.height > QUICK_HEIGHT:
        return None
    size = measure(content, deepest=MAX_DEPTH, most=QUICK_STEPS)
    if size.depth > MAX_DEPTH:
        return [too_deep()]
    steps = cost.steps(size)
    if steps > QUICK_STEPS or size.values + size.text > QUICK_STEPS:
        return None
    compiled = validator.compiled()
    if compiled.is_valid(content):
        return []
    return list_faults(compiled, content) if _lists_quickly(cost, size) else None


def _lists_quickly(cost: Cost, size: JsonSize) -> bool:
    asked = cost.once + cost.each * size.values
    return asked * (FAULT_BYTES + size.text + 10 * size.values) <= QUICK_FAULTS


def _too_costly(path: str) -> Fault:
    return Fault(path=path, code="too_costly", message="This takes too long to check: make it smaller")


_ASKING: Counter[UUID] = Counter()
_LOCKS: dict[UUID, asyncio.Lock] = {}


async def _ask(tenant_id: UUID, question: Question) -> Answer | None:
    """None when the question took too long, or too much memory."""
    if not _has_room(_ASKING[tenant_id], _ASKING.total()):
        raise ValidationBusy(headers={"Retry-After": "1"})
    _ASKING[tenant_id] += 1
    asked = asyncio.ensure_future(_ask_in_turn(tenant_id, msgspec.json.encode(question)))
    return await asyncio.shield(asked)  # whoever no longer waits has its turn all the same


def _has_room(own: int, all_: int) -> bool:
    """Whether a workspace may ask one more. However much few of them ask, there is room for the first of another."""
    return own < PER_WORKSPACE and all_ < (IN_ALL if own else AT_MOST)


async def _ask_in_turn(tenant_id: UUID, body: bytes) -> Answer | None:
    try:
        async with _LOCKS.setdefault(tenant_id, asyncio.Lock()):
            return await asyncio.get_running_loop().run_in_executor(_threads(), _ask_process, body)
    finally:
        _ASKING[tenant_id] -= 1
        if not _ASKING[tenant_id]:
            del _ASKING[tenant_id], _LOCKS[tenant_id]


_MINE = threading.local()  # each thread has a process
_PROCESSES: set["subprocess.Popen[bytes]"] = set()  # of all threads: whoever has one adds and discards it
_THREADS: list[ThreadPoolExecutor] = []


def _threads() -> ThreadPoolExecutor:
    if not _THREADS:
        _THREADS.append(ThreadPoolExecutor(PROCESSES, thread_name_prefix="validation"))
        atexit.register(_end_processes)
    return _THREADS[0]


def _ask_process(body: bytes) -> Answer | None:
    process: subprocess.Popen[bytes] | None = getattr(_MINE, "process", None)
    if process is None or process.poll() is not None:
        if process is not None:
            _forget(process)
        process = _MINE.process = _start_process()
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        write_message(process.stdin, body)
        if found := read_message(process.stdout):
            return msgspec.json.decode(found, type=Answer)
    _forget(process)
    if process.returncode == -signal.SIGALRM:  # the machine had no time for it
        raise ValidationBusy(headers={"Retry-After": "10"})
    if process.returncode >= 0:
        raise RuntimeError(f"the process that checks content ended by itself ({process.returncode})")
    return None  # by the system, for the time or the memory that it took


def _start_process() -> "subprocess.Popen[bytes]":
    process = start_child("goldloop.entities.validation.process")
    _PROCESSES.add(process)
    return process


def _forget(process: "subprocess.Popen[bytes]") -> None:
    """One that ended, or ends now that nobody asks it any more."""
    _PROCESSES.discard(process)
    process.communicate()
    _MINE.process = None


def _end_processes() -> None:
    for process in list(_PROCESSES):
        process.communicate()
