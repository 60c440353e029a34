"""Reading the events of a session."""

from typing import Any

import pytest

from goldloop.evals.model import ToolShape
from goldloop.evals.recorded import Tools, read_session
from goldloop.evals.tool_names import looks_creating, looks_writing


def call(call_id: Any, name: str = "get", **more: Any) -> dict[str, Any]:
    return {"type": "tool.call", "payload": {"id": call_id, "name": name, **more}}


def result(call_id: Any, **outcome: Any) -> dict[str, Any]:
    return {"type": "tool.result", "payload": {"id": call_id, **outcome}}


def text(words: str, who: str = "agent") -> dict[str, Any]:
    return {"type": f"{who}.message", "payload": {"text": words}}


def read(*events: dict[str, Any], **more: Any) -> Any:
    return read_session({"type": "chat", "status": "completed", "events": list(events), **more}, "x")


def test_results_answer_the_call_of_their_id() -> None:
    found = read(call("a"), call("b"), result("b", result=2), result("a", error="no"))
    assert [(c.result, c.failed) for c in found.calls] == [(None, True), (2, False)]


def test_an_id_that_is_used_twice_answers_the_last_call_that_waits() -> None:
    found = read(call("a"), result("a", result=1), call("b"), result("a", result=2))
    assert [c.result for c in found.calls] == [1, 2]
    again = read(call("a"), result("a", result=1), call("a"), result("a", result=2))
    assert [c.result for c in again.calls] == [1, 2]


def test_a_result_without_a_call_is_let_be() -> None:
    assert read(result("a", result=1)).calls == []


def test_a_call_without_a_result_did_not_fail() -> None:
    (found,) = read(call("a")).calls
    assert (found.failed, found.is_answered) == (False, False)


@pytest.mark.parametrize(
    ("arguments", "read_as"),
    [({"a": 1}, {"a": 1}), ('{"a": 1}', {"a": 1}), ("{broken", "{broken"), ("words", "words"), (None, {})],
)
def test_arguments(arguments: Any, read_as: Any) -> None:
    assert read(call("a", arguments=arguments)).calls[0].arguments == read_as


def test_what_the_agent_said_last() -> None:
    assert read(text("first"), text("hello", "user"), text("last"), text("")).final_text == "last"
    assert read(output="the output").final_text == "the output"
    assert read(output={"values": {}}).final_text == ""


@pytest.mark.parametrize(
    ("events", "messages"),
    [
        ([call("a"), call("b"), result("a"), result("b"), call("c")], [0, 0, 1]),
        ([call("a"), result("a"), call("b"), result("b")], [0, 1]),
        ([text("one"), call("a"), text("two"), call("b")], [1, 2]),
        ([{"type": "model.request", "payload": {}}, call("a"), result("a"), call("b")], [1, 1]),
    ],
    ids=["at once", "one after the other", "between words", "of one request"],
)
def test_calls_of_one_message(events: list[dict[str, Any]], messages: list[int]) -> None:
    assert [c.message for c in read(*events).calls] == messages


@pytest.mark.parametrize(
    ("name", "writes"),
    [
        ("get_user", False),
        ("listOrders", False),
        ("crm__searchAccounts", False),
        ("server.find_x", False),
        ("calculate", False),
        ("transfer_to_human", False),
        ("update_order", True),
        ("createEntity", True),
        ("HTTPPost", True),
        ("getter_set", True),
        ("", True),
    ],
)
def test_writes_are_guessed_by_name(name: str, writes: bool) -> None:
    assert looks_writing(name) is writes


def test_what_is_stated_is_not_guessed() -> None:
    tools = Tools({"get_lost": ToolShape(writes=True), "delete": ToolShape(writes=False)})
    assert (tools.writes("get_lost"), tools.writes("delete"), tools.guessed) == (True, False, set())
    assert (tools.writes("remove"), tools.guessed) == (True, {"remove"})


def test_names_that_make_something() -> None:
    assert looks_creating("book_reservation")
    assert not looks_creating("cancel_reservation")
