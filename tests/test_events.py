"""One way for an event: what is emitted is declared, listeners get what the log has, and the documentation lists it."""

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

import goldloop
from goldloop.kit.db import Database, Tx
from goldloop.kit.events import EVENTS, LISTENERS, LISTENERS_TO_ALL, TOPICS, Event, Listener, listen_all
from goldloop.migrations.files import PACKAGE, functions
from tests.event_flows import FLOWS, Flow, caused, promotion
from tests.factories import make_workspace
from tests.records import make_desk

PAGE = Path(__file__).parents[1] / "docs" / "events.md"
EMITTING = {function.name: function.sql for function in functions() if "public.emit_event(" in function.sql}
SOURCES = {str(path.relative_to(PACKAGE)): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}


for _module in pkgutil.walk_packages(goldloop.__path__, "goldloop."):
    if _module.name.endswith((".events", ".jobs")):
        importlib.import_module(_module.name)


@contextmanager
def recording() -> Iterator[list[tuple[UUID, Event]]]:
    """What a listener to all events gets, with the workspace that it happened in."""
    heard: list[tuple[UUID, Event]] = []

    async def record(tx: Tx, event: Event) -> None:
        heard.append((tx.actor.tenant_id, event))

    listener = Listener(act=record)
    listen_all(listener)
    try:
        yield heard
    finally:
        LISTENERS_TO_ALL.remove(listener)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.__name__)
async def test_listeners_get_what_the_log_has(worker_db: Database, app: Any, flow: Flow) -> None:
    with recording() as heard:
        async with make_workspace(worker_db, app) as workspace:
            await flow(await make_desk(workspace))
            async with worker_db.tx(workspace.system) as tx:
                rows = await tx.fetch("SELECT id, name, topic, subject_id, payload FROM events")
    log = {row["id"]: Event(**row) for row in rows}
    assert {event.id: event for tenant, event in heard if tenant == workspace.id} == log
    assert len([1 for tenant, _ in heard if tenant == workspace.id]) == len(log)
    assert FLOWS[flow] <= {event.name for event in log.values()}
    for event in log.values():
        declared = EVENTS[event.name]
        assert event.topic == declared.topic
        assert event.id.version == 7
        payload = msgspec.convert(event.payload, declared.payload)
        assert msgspec.to_builtins(payload) == event.payload


async def test_a_promotion_tells_of_the_fields_that_changed(worker_db: Database, app: Any) -> None:
    with recording() as heard:
        async with make_workspace(worker_db, app) as workspace:
            await promotion(await make_desk(workspace))
    told = [event.payload["fields"] for _, event in heard if event.name == "response.promoted"]
    assert told == [{"name": "name"}, {"employees": "employees"}]


def test_every_declared_event_is_caused_by_a_flow() -> None:
    assert caused() == EVENTS.keys(), "add the event to the flow of its concept in tests/event_flows.py"


def test_whatever_a_concept_declares_is_there_in_every_process() -> None:
    print_declared = "import goldloop.concepts, goldloop.kit.events as e; print(*e.EVENTS, *e.TOPICS)"
    found = subprocess.run([sys.executable, "-c", print_declared], capture_output=True, text=True, check=True)
    assert set(found.stdout.split()) == EVENTS.keys() | TOPICS.keys()


def test_every_topic_that_is_spoken_of_is_registered_with_its_readers() -> None:
    texts = [*SOURCES.values(), *(function.sql for function in functions())]
    spoken = r"(?:notify_change\('|\bnotify\(tx, \")(\w+)['\"]"
    notified = {name for text in texts for name in re.findall(spoken, text)}
    assert {"jobs", "marks"} <= notified
    assert notified | {declared.topic for declared in EVENTS.values()} <= TOPICS.keys()


def test_whoever_listens_listens_to_a_declared_event() -> None:
    assert LISTENERS.keys() <= EVENTS.keys()


def check_emitting(sql: str) -> list[str]:
    """What is wrong with how an SQL function emits."""
    faults = []
    if re.search(r"PERFORM\s+public\.emit_event\(", sql):
        faults.append("an SQL function returns the event that it emits, so that its caller can dispatch it")
    calls = re.findall(r"public\.emit_event\((\w+(?:\(\))?),\s*(.*?)'(\w+)',", sql, re.DOTALL)
    if len(calls) != sql.count("public.emit_event("):
        faults.append("the call names its event and its topic as literals")
    for event_id, names, topic in calls:
        if event_id != "p_event":
            faults.append("the id of an event is a v7 and comes in as p_event")
        found = re.findall(r"'([\w/.-]+)'", names)
        faults += [f"{name} is not declared" for name in found if name not in EVENTS]
        faults += [f"{name} stands under {EVENTS[name].topic}" for name in found if name in EVENTS and EVENTS[name].topic != topic]  # fmt: skip
        faults += [] if found else ["the call names its event"]
    return faults


@pytest.mark.parametrize("name", EMITTING)
def test_sql_emits_what_is_declared_and_returns_it(name: str) -> None:
    assert check_emitting(EMITTING[name]) == []


GOOD_CALL = "event := public.emit_event(p_event, 'key.created', 'keys', p_id::text, '{}');"


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        (GOOD_CALL.replace("event :=", "PERFORM"), "returns the event"),
        (GOOD_CALL.replace("p_event", "gen_random_uuid()"), "is a v7"),
        (GOOD_CALL.replace("key.created", "key.made"), "key.made is not declared"),
        (GOOD_CALL.replace("'keys'", "'jobs'"), "stands under keys"),
        (GOOD_CALL.replace("'key.created', 'keys'", "p_name, p_topic"), "as literals"),
        (GOOD_CALL.replace("'key.created'", "p_name"), "names its event"),
        (
            GOOD_CALL.replace("'key.created'", "CASE WHEN true THEN 'key.created' ELSE 'key.gone' END"),
            "key.gone",
        ),
    ],
)
def test_a_wrong_way_to_emit_in_sql_is_found(sql: str, fault: str) -> None:
    assert check_emitting(GOOD_CALL) == []
    assert any(fault in found for found in check_emitting(sql))


_IMPORTS_DECLARE = r"from goldloop\.kit\.events import (?:\([^)]*|[^\n]*)\b(?:declare|topic)\b"


def check_made(path: str, source: str) -> list[str]:
    """Events are made from their declaration, and declared where they belong."""
    faults = []
    if path != "kit/events.py" and re.search(r"(?<![\w.])Event\(", source):
        faults.append(f"{path}: make the event from its declaration: EVENT.of(subject, payload)")
    if not path.endswith("events.py") and re.search(_IMPORTS_DECLARE, source):
        faults.append(f"{path}: events and topics are declared in the events.py of their concept")
    if path != "kit/events.py" and "emit_event(" in source:
        faults.append(f"{path}: emit(tx, event), or an SQL function that returns its event")
    return faults


def test_events_are_made_from_their_declarations() -> None:
    assert [fault for path, source in SOURCES.items() for fault in check_made(path, source)] == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("keys/service.py", 'await emit(tx, Event(name="key.created"))'),
        ("keys/service.py", "from goldloop.kit.events import NOTHING, declare"),
        ("keys/service.py", "from goldloop.kit.events import (\n    emit,\n    topic,\n)"),
        ("keys/store.py", 'await tx.execute("SELECT emit_event($1, $2)")'),
    ],
)
def test_an_event_without_a_declaration_is_found(path: str, source: str) -> None:
    assert check_made(path, source)


def described() -> list[str]:
    """The rows of the page, as the declarations say them."""
    return [
        f"| `{event.name}` | `{event.topic}` | {event.subject} | {_fields(event.payload)} | {event.when} |"
        for event in EVENTS.values()
    ]


def _fields(payload: type[msgspec.Struct]) -> str:
    fields = [
        f"`{each.name}`" if each.required else f"`{each.name}`?" for each in msgspec.structs.fields(payload)
    ]
    return ", ".join(fields) or "–"


def test_the_page_lists_every_event_and_no_other() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    assert sorted(rows) == sorted(described())


def test_the_page_on_the_api_lists_every_topic() -> None:
    listed = re.search(r"^Topics are (.*?); you hear", (PAGE.parent / "api.md").read_text(), re.MULTILINE)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == TOPICS.keys()
