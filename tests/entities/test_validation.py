"""Checking what may take long, beside others who do not want to wait."""

import asyncio
import io
import os
import select
import signal
import subprocess
import sys
import textwrap
from typing import Any
from uuid import uuid4

import pytest

from goldloop.entities import schema as pure
from goldloop.entities import validators
from goldloop.entities.validation import service as validation
from goldloop.entities.validation.process import read_message
from goldloop.entities.validation.service import ValidationBusy, check_content, check_each, check_schema
from tests.entities.test_schema_cost import doubling, of
from tests.servers import eventually

LIST = of({"type": "array", "items": {"type": "string"}})
LARGE = {"a": ["x"] * 400_000}  # more values than are looked at in passing


def ids_of_processes() -> list[int]:
    return [process.pid for process in validation._PROCESSES]


@pytest.mark.parametrize("content", [{"a": ["x"]}, {"a": [1]}, {"a": "x" * 1000}, LARGE, {"a": [1] * 2000}])
async def test_it_is_the_same_answer_in_a_process_or_at_once(content: dict[str, Any]) -> None:
    assert await check_content(uuid4(), LIST, content) == pure.check_content(LIST, content)


async def test_what_is_certain_to_be_quick_asks_nobody() -> None:
    before = ids_of_processes()
    schema = of({"type": "string"}, **{f"only_here_{n}": {} for n in range(20)})
    assert await check_schema(uuid4(), schema) == []
    assert await check_content(uuid4(), schema, {"a": "x"}) == []
    assert [fault.path for fault in await check_content(uuid4(), schema, {"a": 1})] == ["/content/a"]
    assert ids_of_processes() == before


async def test_a_large_schema_is_measured_elsewhere_once_and_then_quick() -> None:
    schema = {"type": "object", "properties": {f"field_{n}": {"type": "string"} for n in range(190)}}
    assert await check_content(uuid4(), schema, {"field_1": "x"}) == []
    found = validators.find_cached(validators.canonical(schema))
    assert found is not None
    assert found.cost == validators.Validator(found.text).cost
    assert validation._check_quickly(found, {"field_1": "x"}) == []


async def test_a_schema_from_before_there_were_bounds_ends_its_process_and_not_ours() -> None:
    explosive = doubling("anyOf", 28)
    faults = await check_content(uuid4(), explosive, {"a": 1})
    assert [(fault.path, fault.code) for fault in faults] == [("/content", "too_costly")]
    assert await check_content(uuid4(), LIST, LARGE) == []


async def test_a_schema_that_is_too_costly_to_look_at_is_refused_as_such() -> None:
    bad = {"type": "object", "properties": {}, "$defs": {f"d{n}": {"type": "strin"} for n in range(500)}}
    assert {fault.code for fault in await check_schema(uuid4(), bad)} == {"any_of"}


async def test_one_workspace_waits_in_a_short_queue_and_others_are_served() -> None:
    one, other = uuid4(), uuid4()
    asked = [check_content(one, LIST, LARGE) for _ in range(validation.PER_WORKSPACE + 3)]
    found = await asyncio.gather(*asked, check_content(other, LIST, LARGE), return_exceptions=True)
    refused = [each for each in found if isinstance(each, ValidationBusy)]
    assert len(refused) == 3
    assert refused[0].headers == {"Retry-After": "1"}
    assert found[-1] == []
    assert not validation._ASKING
    assert not validation._LOCKS


async def test_however_much_few_workspaces_ask_there_is_room_for_the_first_of_another() -> None:
    few = [uuid4() for _ in range(validation.IN_ALL // validation.PER_WORKSPACE)]
    asked = [check_content(one, LIST, LARGE) for one in few for _ in range(validation.PER_WORKSPACE)]
    others = validation.AT_MOST - validation.IN_ALL
    first = [check_content(uuid4(), LIST, LARGE) for _ in range(others + 1)]
    found = await asyncio.gather(*asked, *first, return_exceptions=True)
    assert found[:-1] == [[]] * (len(asked) + others)
    assert isinstance(found[-1], ValidationBusy)
    assert not validation._ASKING


@pytest.mark.parametrize(
    ("own", "in_all", "room"),
    [(0, 0, True), (3, 3, True), (4, 4, False), (1, 7, True), (1, 8, False), (0, 8, True), (0, 11, True), (0, 12, False)],
)  # fmt: skip
def test_room(own: int, in_all: int, room: bool) -> None:
    assert validation._has_room(own, in_all) is room


@pytest.mark.parametrize(
    "content",
    [
        {"a": [10**30 + n for n in range(300)]},
        {"a": [{"b": 10**30 + n} for n in range(300)]},
        {"a": [10**18 + n for n in range(2000)]},
        {"a": [f"x{n}" for n in range(2000)]},
    ],
)
def test_many_unique_items_are_not_compared_in_passing(content: dict[str, Any]) -> None:
    validator = validators.Validator(validators.canonical(of({"type": "array", "uniqueItems": True})))
    assert validation._check_quickly(validator, content) is None
    assert validation._check_quickly(validator, {"a": content["a"][:20]}) == []


async def test_a_process_that_another_thread_forgot_ends_all_the_same() -> None:
    asked = asyncio.create_task(check_content(uuid4(), doubling("anyOf", 28), {"a": 1}))

    async def started() -> bool:
        return any(process.poll() is None for process in validation._PROCESSES)

    await eventually(started)
    others = list(validation._PROCESSES)
    validation._PROCESSES.clear()
    assert [fault.code for fault in await asked] == ["too_costly"]
    validation._PROCESSES.update(process for process in others if process.poll() is None)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"", None),
        (b"\0\0", None),
        (b"\0\0\0\2", None),
        (b"\0\0\0\2{", None),  # killed while it wrote
        (b"\0\0\0\2{}", b"{}"),
        (b"\0\0\0\2{}\0\0", b"{}"),
    ],
)
def test_half_a_message_is_none(sent: bytes, message: bytes | None) -> None:
    assert read_message(io.BytesIO(sent)) == message


async def test_whoever_no_longer_waits_still_has_its_turn() -> None:
    tenant = uuid4()
    asked = asyncio.create_task(check_content(tenant, LIST, LARGE))
    await asyncio.sleep(0)  # it asks
    asked.cancel()
    assert validation._ASKING[tenant] == 1
    assert await check_content(tenant, LIST, LARGE) == []
    assert not validation._ASKING


async def test_many_are_checked_with_room_for_others_in_between() -> None:
    passed = 0

    async def others() -> None:
        nonlocal passed
        while True:
            passed += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(others())
    found = await check_each(uuid4(), LIST, [{"a": ["x"]}, {"a": [1]}, {"a": ["y"]}])
    other.cancel()
    assert [len(faults) for faults in found] == [0, 1, 0]
    assert passed >= 3


async def test_a_process_that_was_ended_from_outside_is_replaced() -> None:
    assert await check_content(uuid4(), LIST, LARGE) == []
    for process in list(validation._PROCESSES):
        process.kill()
        process.wait()
    assert await check_content(uuid4(), LIST, LARGE) == []


def test_compiled_schemas_are_kept_by_their_size_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validators, "_CACHE", type(validators._CACHE)())
    monkeypatch.setattr(validators, "CACHED_BYTES", 20 * 4000)
    for number in range(30):
        validators.validator_of(validators.canonical(of({"title": f"{number}" + "x" * 900})))
    assert sum(each.size for each in validators._CACHE.values()) <= 20 * 4000
    assert 1 <= len(validators._CACHE) <= 4


def test_one_workspace_does_not_push_out_the_schemas_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validators, "_CACHE", type(validators._CACHE)())
    first, busy = of({"title": "of another"}), uuid4()
    validators.cache(validators.Validator(validators.canonical(first)), uuid4())
    for number in range(validators.CACHED + 1):
        validators.cache(validators.Validator(validators.canonical(of({"title": f"{number}"}))), busy)
    assert validators.find_cached(validators.canonical(first)) is not None
    assert len(validators._CACHE) == 1 + validators.CACHED // validators.SHARES


def test_the_processes_end_with_the_server_even_if_that_is_killed() -> None:
    server = textwrap.dedent(
        """
        import asyncio, uuid
        from goldloop.entities.validation import service as validation
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
        asyncio.run(validation.check_content(uuid.uuid4(), schema, {"a": ["x"] * 400_000}))
        print(next(iter(validation._PROCESSES)).pid, flush=True)
        input()
        """
    )
    started = subprocess.Popen([sys.executable, "-c", server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert started.stdout is not None
    child = int(started.stdout.readline())
    end_of_child = os.pidfd_open(child)
    started.send_signal(signal.SIGKILL)
    started.communicate()
    waiting = select.poll()
    waiting.register(end_of_child, select.POLLIN)
    assert waiting.poll(60_000), "it still runs"
    os.close(end_of_child)
