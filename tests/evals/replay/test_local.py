"""A golden replayed against a function of this process."""

from contextlib import suppress
from typing import Any

import pytest

from goldloop.client.errors import ToolFailed
from goldloop.evals.replay.local import replay_locally
from goldloop.evals.stats import ReplayOutcome

GOLDEN = {
    "type": "chat",
    "status": "completed",
    "events": [
        {"type": "user.message", "payload": {"text": "Refund order 7"}},
        {"type": "tool.call", "payload": {"id": 1, "name": "get_order", "arguments": {"id": 7}}},
        {"type": "tool.result", "payload": {"id": 1, "result": {"total": 12}}},
        {"type": "tool.call", "payload": {"id": 2, "name": "refund", "arguments": {"id": 7, "amount": 12}}},
        {"type": "tool.result", "payload": {"id": 2, "result": {"ok": True}}},
        {"type": "agent.message", "payload": {"text": "Refunded 12."}},
    ],
    "facts": ["12"],
}


def good(run: Any) -> str:
    order = run.tool("get_order", id=int(run.message.rpartition(" ")[2]))
    run.tool("refund", id=7, amount=order["total"])
    return f"Refunded {order['total']}."


async def good_later(run: Any) -> str:
    order = await run.tool("get_order", id=7)
    await run.tool("refund", id=7, amount=order["total"])
    run.emit("agent.message", {"text": "Refunded 12."})
    return ""


def forgets(run: Any) -> str:
    run.tool("get_order", id=7)
    return "Refunded 12."


def refunds_too_much(run: Any) -> str:
    with suppress(ToolFailed):
        run.tool("refund", id=7, amount=120)
    return "Refunded 12."


def looks_elsewhere(run: Any) -> str:
    try:
        run.tool("get_invoice", id=7)
    except ToolFailed:
        return "I cannot find it."
    raise AssertionError("nothing answers this")


def cannot_be_reached(run: Any) -> str:
    raise ConnectionError("the model is away")


def breaks(run: Any) -> str:
    raise ValueError("a bug")


def leaves(run: Any) -> str:
    raise SystemExit(0)


@pytest.mark.parametrize(
    ("function", "outcome"),
    [
        (good, ReplayOutcome.PASSED),
        (good_later, ReplayOutcome.PASSED),
        (forgets, ReplayOutcome.FAILED),
        (refunds_too_much, ReplayOutcome.FAILED),
        (looks_elsewhere, ReplayOutcome.INCONCLUSIVE),
        (cannot_be_reached, ReplayOutcome.ERROR),
        (breaks, ReplayOutcome.FAILED),
        (leaves, ReplayOutcome.FAILED),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_replay(function: Any, outcome: ReplayOutcome) -> None:
    assert replay_locally(GOLDEN, function).outcome is outcome


def test_siblings_answer_as_well_and_events_say_so() -> None:
    events = [
        {"type": "tool.call", "payload": {"id": 1, "name": "get_invoice", "arguments": {"id": 7}}},
        {"type": "tool.result", "payload": {"id": 1, "result": "found"}},
    ]
    answers: list[Any] = []
    replayed = replay_locally(
        GOLDEN,
        lambda run: answers.append(run.tool("get_invoice", id=7)),
        siblings=[{**GOLDEN, "events": events}],
    )
    assert answers == ["found"]
    assert [e["payload"].get("answered_by") for e in replayed.session["events"]] == [None, None, "sibling"]
    assert replayed.fidelity == 1


def test_a_tool_that_nobody_has_is_the_functions_mistake() -> None:
    offered = {**GOLDEN, "offered": ["get_order", "refund"]}
    replayed = replay_locally(offered, looks_elsewhere)
    assert (replayed.outcome, replayed.fidelity) == (ReplayOutcome.FAILED, None)
    assert replayed.session["events"][-2]["payload"]["error"] == "There is no tool get_invoice"


def test_the_function_is_told_what_it_was_told_then() -> None:
    spoken = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]
    golden = {**GOLDEN, "input": {"message": "x", "order": 7}, "instructions": "Be brief.", "spoken": spoken}
    runs: list[Any] = []
    replay_locally(golden, lambda run: runs.append((run.input, run.messages)))
    asked = {"role": "user", "content": "Refund order 7"}
    told = [{"role": "system", "content": "Be brief."}, *spoken, asked]
    assert runs == [({"message": "Refund order 7", "order": 7}, told)]
