"""Addresses: ids, slugs and parameters that nobody has, and those that somebody else has."""

from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest

from tests.hostile.arena import Arena, operation
from tests.hostile.ids import CONTROL, SEGMENTS, segments_for, values_for
from tests.hostile.wire import Call
from tests.routes import OPERATIONS

pytestmark = pytest.mark.timeout(300)  # a table is long, and the machine may be busy

WITH_IDS = [(method, path) for method, path in OPERATIONS if "{" in path]
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


def with_segment(arena: Arena, path: str, name: str, value: str) -> str:
    """The attacker's own address of a route, but for one part of it."""
    return arena.attacker.path(path.replace(f"{{{name}}}", "~the-place~")).replace("~the-place~", value)


def given(method: str, path: str, where: str) -> list[tuple[str, Any]]:
    """The parameters of a route in its path or query, each with its schema."""
    return [
        (parameter["name"], parameter["schema"])
        for parameter in operation(method, path).get("parameters", [])
        if parameter["in"] == where
    ]


async def segments(arena: Arena, only: Iterable[str] = SEGMENTS) -> AsyncIterator[Call]:
    for method, path in WITH_IDS:
        body = await arena.body_sent(method, path)
        for name, schema in given(method, path, "path"):
            for what, value in segments_for(schema).items():
                if what in only:
                    target = with_segment(arena, path, name, value)
                    yield arena.call(method, path, name=f"{name}: {what}", target=target, body=body)


async def ids_of_the_bystander(arena: Arena) -> AsyncIterator[Call]:
    for method, path in WITH_IDS:
        body = await arena.body_sent(method, path)
        for name, _ in given(method, path, "path"):
            target = with_segment(arena, path, name, arena.bystander.ids[name])
            yield arena.call(method, path, name=f"{name}: of the bystander", target=target, body=body)


async def parameters(arena: Arena) -> AsyncIterator[Call]:
    for method, path in OPERATIONS:
        body = await arena.body_sent(method, path)
        for name, schema in given(method, path, "query"):
            target, _, query = arena.attacker.path(path).partition("?")
            kept = [pair for pair in query.split("&") if pair and not pair.startswith(f"{name}=")]
            for what, value in values_for(name, schema).items():
                asked = f"{target}?{'&'.join([*kept, f'{name}={value}'])}"
                yield arena.call(method, path, name=f"?{name}: {what}", target=asked, body=body)
            asked = f"{target}?{'&'.join([*kept, *[f'{name}=x'] * 500])}"
            yield arena.call(method, path, name=f"?{name} 500 times", target=asked, body=body)


async def test_no_id_in_an_address_is_more_than_the_server_takes(arena: Arena) -> None:
    found = await arena.faults(segments(arena))
    assert not found, "\n" + "\n".join(found)


async def test_nothing_is_written_under_an_id_with_control_characters(arena: Arena) -> None:
    accepted = [
        str(call)
        async for call in segments(arena, CONTROL)
        if call.method in WRITES and (await arena.ask(call))[0].status < 400
    ]
    assert not accepted, "\n" + "\n".join(accepted)


async def test_ids_of_another_workspace_lead_nowhere_and_change_nothing_there(arena: Arena) -> None:
    before = await arena.rows(arena.bystander)
    found = await arena.faults(ids_of_the_bystander(arena))
    assert not found, "\n" + "\n".join(found)
    after = await arena.rows(arena.bystander)
    assert {t for t in after if after[t] != before[t]} <= {
        "entities",
        "entity_words",
        "events",
    }  # its own work


async def test_no_parameter_is_more_than_the_server_takes(arena: Arena) -> None:
    found = await arena.faults(parameters(arena))
    assert not found, "\n" + "\n".join(found)
