"""What answers a call follows from the events up to it."""

from typing import Any

from goldloop.evals.replay.playback import Playback
from goldloop.evals.replay.tape import Mode, ReplayTool, Reply, Source, tape_of

MODEL: list[tuple[str, dict[str, Any]]] = [("model.request", {}), ("model.response", {})]


def called(call_id: str, name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return "tool.call", {"id": call_id, "name": name, "arguments": arguments}


def answered(call_id: str, result: Any) -> tuple[str, dict[str, Any]]:
    return "tool.result", {"id": call_id, "result": result}


AT_ONCE = [
    called("a", "setStock", count=99),
    called("b", "getStock"),
    answered("a", {"done": True}),
    answered("b", {"count": 0}),
]
AFTER = [called("c", "getStock"), answered("c", {"count": 99})]


def session(*events: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    recorded = [{"type": kind, "payload": payload} for kind, payload in events]
    return {"type": "agent", "status": "completed", "events": recorded}


def played(golden: dict[str, Any], *events: tuple[str, dict[str, Any]], **more: Any) -> list[Reply]:
    playback = Playback(tape_of(golden, mode=Mode.FROZEN), **more)
    return [reply for event in events if (reply := playback.follow(*event)) is not None]


def test_calls_made_before_any_is_answered_are_of_one_message() -> None:
    for golden in (session(*AT_ONCE, *AFTER), session(*MODEL, *AT_ONCE, *MODEL, *AFTER)):
        replies = played(golden, *AT_ONCE, *AFTER)
        assert [reply.result for reply in replies] == [{"done": True}, {"count": 0}, {"count": 99}]


def test_the_rest_of_a_message_that_is_half_answered_has_the_epoch_of_its_beginning() -> None:
    golden = session(*MODEL, *AT_ONCE, *MODEL, *AFTER)
    halfway = [*MODEL, AT_ONCE[0], AT_ONCE[2], ("session.claimed", {}), AT_ONCE[1]]
    assert [reply.result for reply in played(golden, *halfway)] == [{"done": True}, {"count": 0}]


def test_two_equal_calls_on_their_way_get_two_recordings() -> None:
    golden = session(called("a", "getNext"), answered("a", 1), called("b", "getNext"), answered("b", 2))
    assert [r.result for r in played(golden, called("x", "getNext"), called("y", "getNext"))] == [1, 2]


def test_a_tool_that_the_agent_has_not_is_on_no_tape() -> None:
    golden = session(*AT_ONCE)
    assert played(golden, *AT_ONCE, has_tool=lambda name: name == "getStock")[0].result == {"count": 0}


def test_what_was_run_is_settled_by_its_result() -> None:
    tape = tape_of(session(), tools={"getStock": ReplayTool()}, mode=Mode.HYBRID)
    playback = Playback(tape)
    first = playback.follow(*called("a", "getStock"))
    assert first is not None
    assert first.to_run
    assert playback.follow(*answered("a", {"count": 5})) is None
    again = playback.follow(*called("b", "getStock"))
    assert again is not None
    assert (again.to_run, again.source, again.result) == (False, Source.LIVE, {"count": 5})
