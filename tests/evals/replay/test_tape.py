"""Which recording answers a call: a table of replays, and what holds for any of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldloop.evals.model import ToolShape
from goldloop.evals.replay.recordings import Recording, read_recordings
from goldloop.evals.replay.tape import Asked, Mode, OnMiss, ReplayTool, Reply, Source, Tape, tape_of

READ, WRITE = ToolShape(writes=False), ToolShape(writes=True)
OURS = {"get": ReplayTool(shape=READ), "set": ReplayTool(shape=WRITE)}
SHAPES = {name: tool.shape for name, tool in OURS.items()}


def session(*messages: list[tuple[str, Any, Any]]) -> dict[str, Any]:
    """Messages of `(tool, argument, answer)`; an answer that begins with `!` is an error."""
    events: list[dict[str, Any]] = []
    for number, calls in enumerate(messages):
        ids = [f"{number}.{place}" for place in range(len(calls))]
        events += [
            {"type": "tool.call", "payload": {"id": i, "name": name, "arguments": {"x": x}}}
            for i, (name, x, _) in zip(ids, calls, strict=True)
        ]
        for i, (_, _, answer) in zip(ids, calls, strict=True):
            failed = isinstance(answer, str) and answer.startswith("!")
            events.append(
                {"type": "tool.result", "payload": {"id": i, "error" if failed else "result": answer}}
            )
    return {"type": "agent", "status": "completed", "events": events}


def ask(*calls: tuple[str, Any]) -> list[Asked]:
    return [Asked(id=str(n), name=name, arguments={"x": x}) for n, (name, x) in enumerate(calls)]


def answer_of(reply: Reply) -> tuple[str, Any]:
    return str(reply.source), "run" if reply.to_run else reply.result if reply.error is None else "error"


GOLDEN = session([("get", 1, "before")], [("set", 1, "done")], [("get", 1, "after")], [("get", 2, "two")])


@pytest.mark.parametrize(
    ("mode", "messages", "answers"),
    [
        ("frozen", [[("get", 1)], [("set", 1)], [("get", 1)]], [[("tape", "before")], [("tape", "done")], [("tape", "after")]]),
        ("frozen", [[("get", 2)], [("get", 1)]], [[("tape", "two")], [("tape", "before")]]),
        ("frozen", [[("set", 1)], [("get", 1)]], [[("tape", "done")], [("tape", "after")]]),
        ("frozen", [[("get", 2)], [("get", 2)]], [[("tape", "two")], [("tape", "two")]]),
        ("frozen", [[("set", 1)], [("set", 1)]], [[("tape", "done")], [("miss", "error")]]),
        ("frozen", [[("get", 9)]], [[("miss", "error")]]),
        ("frozen", [[("unheard", 1)]], [[("miss", "error")]]),
        ("hybrid", [[("get", 9)]], [[("live", "run")]]),
        ("hybrid", [[("set", 9)]], [[("dry", "run")]]),
        ("hybrid", [[("set", 1)], [("set", 1)]], [[("tape", "done")], [("dry", "run")]]),
        ("hybrid", [[("unheard", 1)]], [[("miss", "error")]]),
        ("live", [[("get", 1)], [("set", 1)]], [[("live", "run")], [("dry", "run")]]),
        ("frozen", [[("get", 1), ("get", 2), ("set", 1)]], [[("tape", "before"), ("tape", "two"), ("tape", "done")]]),
        ("frozen", [[("set", 1), ("get", 1)]], [[("tape", "done"), ("tape", "before")]]),
    ],
    ids=[
        "in its order",
        "in another order",
        "a read after a write has the answer of then",
        "a read that is used up answers again",
        "a write that is used up does not",
        "a miss",
        "a tool that nobody knows",
        "a read that was missed is live",
        "a write that was missed is tried dry",
        "a write again is tried dry",
        "nobody runs a tool that is not ours",
        "live has no tape",
        "calls of one message",
        "none of them sees what another writes",
    ],
)  # fmt: skip
def test_replay(mode: str, messages: list[Any], answers: list[Any]) -> None:
    tape = Tape(read_recordings(GOLDEN, SHAPES), tools=OURS, mode=Mode(mode))
    assert [[answer_of(reply) for reply in tape.answer(ask(*calls))] for calls in messages] == answers


def test_parallel_calls_of_the_recording_have_one_epoch() -> None:
    recorded = session([("set", 1, "done"), ("get", 1, "before")], [("get", 1, "after")])
    assert [recording.epoch for recording in read_recordings(recorded, SHAPES)] == [0, 0, 1]


def test_a_write_that_failed_begins_no_epoch() -> None:
    recorded = session([("set", 1, "!no")], [("get", 1, "same")])
    assert [recording.epoch for recording in read_recordings(recorded, SHAPES)] == [0, 0]
    tape = Tape(read_recordings(recorded, SHAPES), tools=OURS, mode=Mode.FROZEN)
    assert [answer_of(reply) for reply in tape.answer(ask(("set", 1)))] == [("tape", "error")]
    assert tape.epoch == 0


def test_a_call_without_an_answer_is_no_recording() -> None:
    cut = {**GOLDEN, "events": GOLDEN["events"][:1]}
    assert read_recordings(cut, SHAPES) == []


def test_calls_between_requests_of_a_model_are_one_message_however_they_were_run() -> None:
    one_by_one = session([("set", 1, "done")], [("get", 1, "before")])
    request = {"type": "model.request", "payload": {"model": "m"}}
    epochs = [
        r.epoch for r in read_recordings({**one_by_one, "events": [request, *one_by_one["events"]]}, SHAPES)
    ]
    assert epochs == [0, 0]


def test_calls_of_one_message_may_come_one_by_one() -> None:
    tape = Tape(read_recordings(GOLDEN, SHAPES), tools=OURS, mode=Mode.FROZEN)
    answers = [answer_of(tape.answer(ask(call), message=message)[0]) for message, call in [(1, ("set", 1)), (1, ("get", 1)), (2, ("get", 1))]]  # fmt: skip
    assert answers == [("tape", "done"), ("tape", "before"), ("tape", "after")]


def test_siblings_answer_what_the_tape_does_not() -> None:
    siblings = [session([("get", 9, "of one")]), session([("set", 9, "ok")], [("get", 9, "of another")])]
    tape = tape_of(GOLDEN, tools=OURS, siblings=siblings, mode=Mode.FROZEN)
    (found,) = tape.answer(ask(("get", 9)))
    assert (answer_of(found), found.rung) == (("sibling", "of one"), 4)
    (after,) = tape.answer(ask(("set", 9)))
    assert answer_of(after) == ("sibling", "ok")
    assert answer_of(tape.answer(ask(("get", 9)))[0]) == ("sibling", "of another")
    assert answer_of(tape.answer(ask(("get", 1)))[0]) == ("tape", "after")


@pytest.mark.parametrize(
    "more", [{"answered_by": "miss"}, {}], ids=["a miss", "a tool that its agent had not"]
)
def test_what_a_replay_found_no_answer_for_answers_no_other(more: dict[str, str]) -> None:
    replay = session([("get", 1, "before")], [("get", 9, "!no recording answers this call")])
    results = [event["payload"] for event in replay["events"] if event["type"] == "tool.result"]
    results[0]["answered_by"] = "tape"
    results[1].update(more)
    assert [recording.arguments["x"] for recording in read_recordings(replay, SHAPES)] == [1]
    for mode, answer in ((Mode.HYBRID, ("live", "run")), (Mode.FROZEN, ("miss", "error"))):
        tape = tape_of(GOLDEN, tools=OURS, siblings=[replay], mode=mode)
        assert answer_of(tape.answer(ask(("get", 9)))[0]) == answer


def test_what_was_read_live_is_read_once() -> None:
    tape = Tape(read_recordings(GOLDEN, SHAPES), tools=OURS)
    assert tape.answer(ask(("get", 9)))[0].to_run
    tape.settle("0", result="nine")
    assert answer_of(tape.answer(ask(("get", 9)))[0]) == ("live", "nine")


@pytest.mark.parametrize(("error", "answer"), [(None, "after"), ("not allowed", "before")])
def test_a_dry_run_counts_as_a_write_if_it_would_have_worked(error: str | None, answer: str) -> None:
    tape = Tape(read_recordings(GOLDEN, SHAPES), tools=OURS)
    assert tape.answer(ask(("set", 9)))[0].source is Source.DRY
    tape.settle("0", result="ok", error=error)
    assert answer_of(tape.answer(ask(("get", 1)))[0]) == ("tape", answer)


def test_a_miss_shows_the_nearest_recording_and_is_not_answered_by_it() -> None:
    golden = session([("get", {"city": "Ulm", "day": 1}, "a"), ("get", {"city": "Bonn", "day": 2}, "b")])
    tape = tape_of(golden, tools=OURS, mode=Mode.FROZEN)
    (found,) = tape.answer(ask(("get", {"city": "Ulm", "day": 2, "hour": 1})))
    assert found.source is Source.MISS
    assert "replay_miss" in found.error
    assert found.nearest is not None
    assert found.nearest.result in ("a", "b")
    assert tape.answer(ask(("set", 1)))[0].nearest is None


@pytest.mark.parametrize(
    ("tool", "mode", "answer"),
    [
        (ReplayTool(shape=READ, foreign=True), "hybrid", ("miss", "error")),
        (ReplayTool(shape=READ, foreign=True, on_miss=OnMiss.LIVE), "hybrid", ("live", "run")),
        (ReplayTool(shape=ToolShape(), foreign=True, on_miss=OnMiss.LIVE), "hybrid", ("miss", "error")),
        (ReplayTool(shape=WRITE, foreign=True, on_miss=OnMiss.LIVE), "hybrid", ("miss", "error")),
        (ReplayTool(shape=READ, foreign=True, on_miss=OnMiss.LIVE), "frozen", ("miss", "error")),
        (ReplayTool(shape=READ, foreign=True, on_miss=OnMiss.STATIC, static="x"), "hybrid", ("tape", "x")),
        (ReplayTool(shape=READ, foreign=True), "live", ("live", "run")),
        (ReplayTool(shape=READ, foreign=True, absent=True), "live", ("miss", "error")),
        (ReplayTool(shape=WRITE, foreign=True), "live", ("miss", "error")),
        (ReplayTool(shape=READ, unsafe=True), "live", ("miss", "error")),
        (ReplayTool(shape=READ, unsafe=True), "hybrid", ("miss", "error")),
    ],
)
def test_tools_of_others_and_unsafe_ones(tool: ReplayTool, mode: str, answer: tuple[str, Any]) -> None:
    tape = Tape([], tools={"lookup": tool}, mode=Mode(mode))
    assert answer_of(tape.answer(ask(("lookup", 1)))[0]) == answer


def test_fidelity_is_the_share_of_reads_that_were_answered() -> None:
    tape = Tape(read_recordings(GOLDEN, SHAPES), tools=OURS, mode=Mode.FROZEN)
    assert tape.fidelity is None
    tape.answer(ask(("get", 1), ("get", 2), ("get", 9), ("set", 9)))
    assert (tape.reads_asked, tape.reads_missed, tape.fidelity) == (3, 1, pytest.approx(2 / 3))


CALLS = st.lists(
    st.lists(st.tuples(st.sampled_from(["get", "set"]), st.integers(0, 2)), min_size=1, max_size=3),
    max_size=5,
)


def recorded(messages: list[list[tuple[str, int]]]) -> list[Recording]:
    return read_recordings(session(*[[(n, x, f"{n}{x}@{m}") for n, x in calls] for m, calls in enumerate(messages)]), SHAPES)  # fmt: skip


@given(CALLS)
def test_an_unchanged_replay_gets_the_answers_of_the_recording(messages: list[list[tuple[str, int]]]) -> None:
    tape = Tape(recorded(messages), tools=OURS, mode=Mode.FROZEN)
    for number, calls in enumerate(messages):
        answers = [answer_of(reply) for reply in tape.answer(ask(*calls))]
        assert answers == [("tape", f"{name}{x}@{number}") for name, x in calls]
    assert tape.fidelity in (None, 1.0)


@given(CALLS, CALLS)
def test_order_within_a_message_makes_no_difference(a: list[Any], b: list[Any]) -> None:
    one, other = (Tape(recorded(a), tools=OURS, mode=Mode.FROZEN) for _ in range(2))
    for calls in b:
        here = [(call, answer_of(reply)) for call, reply in zip(calls, one.answer(ask(*calls)), strict=True)]
        calls = calls[::-1]
        there = [
            (call, answer_of(reply)) for call, reply in zip(calls, other.answer(ask(*calls)), strict=True)
        ]
        assert sorted(here, key=repr) == sorted(there, key=repr)


@given(CALLS, CALLS, st.sampled_from(Mode))
def test_a_write_is_never_run_and_only_equal_calls_are_answered(
    a: list[Any], b: list[Any], mode: Mode
) -> None:
    tape = Tape(recorded(a), tools=OURS, mode=mode)
    for calls in b:
        for asked, reply in zip(ask(*calls), tape.answer(ask(*calls)), strict=True):
            if asked.name == "set":
                assert reply.source is not Source.LIVE
            if reply.recording is not None:
                assert (reply.recording.name, reply.recording.arguments) == (asked.name, asked.arguments)
