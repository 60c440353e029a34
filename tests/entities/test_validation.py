"""Checking what may take long, beside others who do not want to wait."""

import asyncio
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
from goldloop.entities import validation, validators
from goldloop.entities.validation import ValidationBusy, check_content, check_each, check_schema
from tests.entities.test_schema_cost import doubling, of

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
    found = validators.recent(validators.canonical(schema))
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
    assert not validation._TURNS


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
    monkeypatch.setattr(validators, "_RECENT", type(validators._RECENT)())
    monkeypatch.setattr(validators, "CACHED_BYTES", 20 * 4000)
    for number in range(30):
        validators.validator_of(validators.canonical(of({"title": f"{number}" + "x" * 900})))
    assert sum(each.size for each in validators._RECENT.values()) <= 20 * 4000
    assert 1 <= len(validators._RECENT) <= 4


def test_the_processes_end_with_the_server_even_if_that_is_killed() -> None:
    server = textwrap.dedent(
        """
        import asyncio, uuid
        from goldloop.entities import validation
        schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}
        asyncio.run(validation.check_content(uuid.uuid4(), schema, {"a": ["x"] * 400_000}))
        print(validation._PROCESSES[0].pid, flush=True)
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
