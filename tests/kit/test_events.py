"""The engine of events: what is written, and who gets it. What each concept emits: tests/test_events.py."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from goldloop.kit.db import Tx
from goldloop.kit.events import (
    LISTENERS,
    LISTENERS_TO_ALL,
    NOTHING,
    Event,
    EventType,
    Listener,
    NoPayload,
    Payload,
    dispatch,
    emit,
    emit_all,
    listen,
    listen_all,
)
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID
from goldloop.kit.queue import job, mark
from tests.factories import Workspace


class Weather(Payload, frozen=True, kw_only=True):
    degrees: float
    place_id: str | UnsetType = UNSET


# Made here and not declared: nobody else hears of them.
RAINED = EventType(name="sky.rained", topic="sky", subject="sky", payload=Weather, when="It rained")
CLEARED = EventType(name="sky.cleared", topic="sky", subject="sky", payload=NoPayload, when="It cleared up")


@contextmanager
def heard_by(*names: str) -> Iterator[list[Event]]:
    """What one listener to these events gets, or to all where none is named."""
    heard: list[Event] = []

    async def record(tx: Tx, event: Event) -> None:
        heard.append(event)

    for name in names:
        listen(name, Listener(act=record))
    if not names:
        listen_all(Listener(act=record))
    try:
        yield heard
    finally:
        for name in names:
            LISTENERS.pop(name)
        if not names:
            LISTENERS_TO_ALL.pop()


async def log(tx: Tx) -> list[Event]:
    rows = await tx.fetch(
        "SELECT id, name, topic, subject_id, payload FROM events WHERE topic = 'sky' ORDER BY id"
    )
    return [Event(**row) for row in rows]


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        (RAINED.of("s", Weather(degrees=1.5)), {"degrees": 1.5}),
        (RAINED.of("s", Weather(degrees=1.5, place_id="p")), {"degrees": 1.5, "place_id": "p"}),
        (CLEARED.of("s", NOTHING), {}),
    ],
)
def test_an_event_is_made_from_its_declaration(event: Event, payload: dict[str, Any]) -> None:
    assert (event.topic, event.subject_id, event.payload) == ("sky", "s", payload)
    assert event.id.version == 7


async def test_an_event_is_in_the_log_and_its_listener_gets_that_very_one(workspace: Workspace) -> None:
    event = RAINED.of(7, Weather(degrees=-3))
    async with workspace.db.tx(workspace.system) as tx:
        with heard_by("sky.rained") as heard:
            await emit(tx, event)
            await emit(tx, CLEARED.of(7, NOTHING))
        assert [event, *heard] == [event, event]
        assert {written.name for written in await log(tx)} == {"sky.rained", "sky.cleared"}
        assert event in await log(tx)


@pytest.mark.parametrize("many", [0, 1, 3])
async def test_many_events_are_written_and_dispatched_each(workspace: Workspace, many: int) -> None:
    events = [RAINED.of(number, Weather(degrees=number)) for number in range(many)]
    async with workspace.db.tx(workspace.system) as tx:
        with heard_by("sky.rained") as heard:
            await emit_all(tx, events)
        assert heard == events
        assert {event.id: event for event in await log(tx)} == {event.id: event for event in events}


async def test_who_listens_to_all_gets_every_event_after_those_who_named_it(workspace: Workspace) -> None:
    events = [RAINED.of("s", Weather(degrees=1)), CLEARED.of("s", NOTHING)]
    async with workspace.db.tx(workspace.system) as tx:
        with heard_by() as all_heard, heard_by("sky.cleared") as named:
            await emit_all(tx, events)
    assert (all_heard, named) == (events, events[1:])


async def test_what_emit_event_returns_is_the_event(workspace: Workspace) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        returned = await tx.fetchval(
            "SELECT emit_event($1, 'sky.rained', 'sky', 's', $2)", new_id(), {"degrees": 2}
        )
        assert [Event.written(returned)] == await log(tx)


def test_a_function_that_wrote_no_event_returns_none() -> None:
    assert Event.written(None) is None


@pytest.mark.usefixtures("registry")
async def test_a_listener_leaves_a_job_and_marks_in_the_same_transaction(workspace: Workspace) -> None:
    @job("test.umbrella")
    async def umbrella(tx: Tx, **_: Any) -> None: ...

    @mark("test.puddle")
    async def puddle(tx: Tx, key: str) -> None: ...

    event = RAINED.of("s", Weather(degrees=1))
    listener = Listener(job="test.umbrella", mark="test.puddle", keys=lambda event: [event.subject_id, "all"])
    LISTENERS[event.name] = [listener, Listener(job="test.umbrella", payload=lambda _: None)]
    try:
        async with workspace.db.tx(workspace.system) as tx:
            await dispatch(tx, event)
            marks = await tx.fetch("SELECT key FROM marks WHERE kind = 'test.puddle' ORDER BY key")
            jobs = await tx.fetch("SELECT name, args FROM list_jobs(NULL, NULL, $1, 10)", LAST_ID)
            await tx.execute("DELETE FROM marks WHERE kind = 'test.puddle'")
    finally:
        del LISTENERS[event.name]
    assert [row["key"] for row in marks] == ["all", "s"]
    assert [(row["name"], row["args"]) for row in jobs] == [("test.umbrella", {"event": {"degrees": 1.0}})]
