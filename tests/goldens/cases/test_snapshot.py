"""What is read out of the events of a session for its snapshot: tables of cases."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.goldens.cases.snapshot import first_message, frozen_tools, named_by, recorded_entity
from goldloop.kit.clock import now
from goldloop.kit.tools import TOOLS
from goldloop.sessions.beginning import NewSession, first_state
from goldloop.sessions.model import Session, SessionEvent, SessionSource
from goldloop.tenants.model import Party

ONE, TWO = UUID(int=1), UUID(int=2)
RECORD = {"id": str(ONE), "type": "company", "title": "Acme", "content": {"employees": 9}}
CHANGED = ("entity.updated", {"entity_id": str(ONE)})


def result(value: Any) -> tuple[str, dict[str, Any]]:
    return "tool.result", {"id": "1", "result": value}


def called(name: str = "x", **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tool.call", {"id": "1", "name": name, "arguments": arguments}


def happened(*events: tuple[str, dict[str, Any]]) -> list[SessionEvent]:
    return [
        SessionEvent(seq=seq, id=UUID(int=seq), type=kind, at=now(), payload=payload, whole=True)
        for seq, (kind, payload) in enumerate(events, 1)
    ]


def session(**fields: Any) -> Session:
    new = NewSession(agent=None, input={})
    begun = first_state(
        new, SessionSource.CLIENT, None, None, ONE, now(), Party(kind="system", id=None, name="system")
    )
    return msgspec.structs.replace(begun, **fields)


@pytest.mark.parametrize(
    ("given_input", "events", "message"),
    [
        ({}, [], ""),
        ({"message": "Begin"}, [], "Begin"),
        ({"message": 7}, [], ""),
        ({"message": "Begin"}, [("user.message", {"text": "Hello"})], "Hello"),
        ({}, [("user.message", {"text": 7}), ("user.message", {"text": "Hello"})], "Hello"),
        ({}, [("agent.message", {"text": "Hi"}), ("user.message", {"text": "a"}), ("user.message", {"text": "b"})], "a"),
    ],
)  # fmt: skip
def test_the_first_message(
    given_input: dict[str, Any], events: list[tuple[str, dict[str, Any]]], message: str
) -> None:
    assert first_message(session(input=given_input), happened(*events)) == message


@pytest.mark.parametrize(
    ("given_input", "events", "employees"),
    [
        ({}, [], None),
        ({}, [result(RECORD)], 9),
        ({}, [result({"entities": [{"id": str(TWO)}, RECORD], "more": False})], 9),
        ({}, [result({**RECORD, "id": str(TWO)})], None),
        ({}, [result({"id": str(ONE), "content": {}})], None),
        ({}, [CHANGED, result(RECORD)], None),
        ({}, [("entity.updated", {"entity_id": str(TWO)}), result(RECORD)], 9),
        ({}, [result("a text"), result(None), result(RECORD)], 9),
        ({"entity": RECORD}, [CHANGED], 9),
        ({}, [result([[[[[[RECORD]]]]]])], None),
    ],
)
def test_the_record_as_the_session_read_it(
    given_input: dict[str, Any], events: list[tuple[str, dict[str, Any]]], employees: int | None
) -> None:
    found = recorded_entity(session(entity_id=ONE, input=given_input), happened(*events))
    assert (found.content["employees"] if found else None) == employees


def test_a_session_about_no_record_has_none() -> None:
    assert recorded_entity(session(), happened(result(RECORD))) is None


@pytest.mark.parametrize(
    ("events", "slugs", "ids"),
    [
        ([], [], []),
        ([called(type="company", query="type")], ["company"], []),
        ([called(filter={"entityType": "deal"}), called(types=["a", "b"])], ["deal", "a", "b"], []),
        ([called(entityId=str(ONE)), called(ids=[str(ONE), str(TWO)])], [], [ONE, TWO]),
        ([called(type=7), called(type="x" * 64)], [], []),
        ([("tool.call", {"id": "1", "name": "x", "arguments": "type: company"})], [], []),
        ([CHANGED], [], [ONE]),
        ([result({"type": "company"})], [], []),
    ],
)
def test_the_types_and_records_that_calls_name(
    events: list[tuple[str, dict[str, Any]]], slugs: list[str], ids: list[UUID]
) -> None:
    assert named_by(happened(*events)) == (slugs, ids)


OFFERED = {"name": "pay", "description": "Pays.", "input_schema": {"type": "object", "title": "Pay"}}


@pytest.mark.parametrize(
    ("events", "groups", "ours", "foreign", "guessed"),
    [
        ([], [], [], [], []),
        ([], ["entities-read"], ["getEntity", "searchEntities"], [], []),
        ([called("getEntity")], [], ["getEntity"], [], []),
        ([called("getOrder"), called("cancelOrder")], [], [], ["cancelOrder", "getOrder"], ["cancelOrder", "getOrder"]),
        ([("model.request", {"tools": [OFFERED]})], [], [], ["pay"], ["pay"]),
        ([("model.request", {"tools": [{**OFFERED, "annotations": {"readOnlyHint": False}}]})], [], [], ["pay"], []),
        ([("model.request", {"tools": ["pay", {"function": 7}, {"name": 7}]})], [], [], [], []),
        ([("model.request", {"tools": "pay"})], [], [], [], []),
    ],
)  # fmt: skip
def test_the_tools(
    events: list[tuple[str, dict[str, Any]]],
    groups: list[str],
    ours: list[str],
    foreign: list[str],
    guessed: list[str],
) -> None:
    tools, found = frozen_tools(happened(*events), groups, TOOLS)
    assert [name for name, tool in sorted(tools.items()) if tool.foreign] == foreign
    assert {name for name, tool in tools.items() if not tool.foreign} >= set(ours)
    assert bool(ours) == any(not tool.foreign for tool in tools.values())
    assert found == guessed


def test_a_tool_that_was_offered_is_frozen_as_it_was_defined() -> None:
    tools, _ = frozen_tools(happened(("model.request", {"tools": [OFFERED]}), called("pay", order=7)), [], {})
    assert (tools["pay"].description, tools["pay"].parameters) == ("Pays.", OFFERED["input_schema"])
