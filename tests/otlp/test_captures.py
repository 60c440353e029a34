"""What real emitters sent becomes what happened, however it is shuffled, batched and repeated."""

import json
import random
from typing import Any

import pytest

from tests.loops import some
from tests.otlp.ground import Emitter
from tests.otlp.stories import stories, told
from tests.otlp.wire import CAPTURES, as_json, captured, shuffled

EXPECTED = json.loads((CAPTURES / "expected.json").read_text())
NAMES = sorted(EXPECTED["captures"])


def expected(name: str) -> dict[str, Any]:
    of = EXPECTED["captures"][name]
    found: dict[str, Any] = {"user": None, **EXPECTED["stories"][of["story"]], **of}
    return found


def same_results(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> bool:
    """Errors begin as they should: emitters add a traceback."""
    return len(found) == len(wanted) and all(
        payload.get("result") == each.get("result")
        and payload.get("error", "").startswith(each.get("error", ""))
        for payload, each in zip(found, wanted, strict=True)
    )


def test_every_capture_has_an_expectation() -> None:
    assert sorted(folder.name for folder in CAPTURES.iterdir() if folder.is_dir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_capture_tells_what_happened(name: str) -> None:
    wanted = expected(name)
    found = [each for each in stories(*captured(name)) if each.makes_session]
    assert {each.session.value if each.session else None for each in found} == {wanted["session"]}
    assert {each.agent for each in found} == {wanted["agent"]}
    assert [bool(each.error) for each in found] == wanted["failed"]
    of = {kind: [p for each in found for p in told(each, kind)] for kind in ("user.message", "agent.message")}
    assert [payload["text"] for payload in of["user.message"]] == wanted["said"]
    assert [payload["text"] for payload in of["agent.message"]] == wanted["answered"]
    calls = [payload for each in found for payload in told(each, "tool.call")]
    assert [[payload["name"], payload["arguments"]] for payload in calls] == wanted["calls"]
    results = [payload for each in found for payload in told(each, "tool.result")]
    assert same_results(results, wanted["results"]), results
    assert [payload["id"] for payload in results] == [payload["id"] for payload in calls]
    requests = [payload for each in found for payload in told(each, "model.request")]
    assert len(requests) == wanted["requests"]
    assert sum(payload.get("input_tokens", 0) for payload in requests) == wanted["input_tokens"]
    assert sum(payload.get("output_tokens", 0) for payload in requests) == wanted["output_tokens"]


@pytest.mark.parametrize("name", NAMES)
def test_neither_order_nor_batches_nor_repetition_change_what_is_told(name: str) -> None:
    traces, logs = captured(name)
    once = [each._replace(nodes=[], requests=[]) for each in stories(traces, logs)]
    for seed in range(5):
        again = stories(shuffled(traces, seed), [*logs, *logs])
        assert [each._replace(nodes=[], requests=[]) for each in again] == once


@pytest.mark.parametrize("name", NAMES)
async def test_a_capture_becomes_its_sessions_whole_and_piece_by_piece(name: str, emitter: Emitter) -> None:
    """Half of the batches are derived as they come, with others missing; some come as JSON."""
    wanted = expected(name)
    traces, logs = captured(name)
    chance = random.Random(name)
    sent: list[tuple[str, Any]] = [("/v1/traces", each) for each in shuffled(traces, seed=7)]
    for path, each in [*sent, *(("/v1/logs", each) for each in logs)]:
        if chance.random() < 0.3:
            answer = await emitter.client.post(path, json=as_json(each))
        else:
            answer = await emitter.send(each, path)
        assert answer.status_code == 200
        if chance.random() < 0.5:
            await emitter.work_once("otlp.spread", "otlp.derive")
    await emitter.work()
    sessions = await emitter.sessions()
    if wanted["session"] is not None:
        assert [session["external_id"] for session in sessions] == [wanted["session"]]
        assert sessions[0]["first_message"] == wanted["said"][0]
        assert sessions[0]["status"] == ("failed" if wanted["failed"][-1] else "completed")
        assert sessions[0]["metadata"].get("user_id") == wanted["user"]
    else:
        assert len(sessions) == len(wanted["failed"])
        statuses = ["failed" if failed else "completed" for failed in wanted["failed"]]
        assert sorted(session["status"] for session in sessions) == sorted(statuses)
    for session in some(sessions):
        assert session["source"] == "otlp"
        assert session["agent"] == wanted["agent"]
    events = sorted(
        [event for session in sessions for event in await emitter.events(session)],
        key=lambda event: event["at"],
    )
    of = {kind: [e["payload"] for e in events if e["type"] == kind] for kind in {e["type"] for e in events}}
    assert [payload["text"] for payload in of["user.message"]] == wanted["said"]
    assert [payload["text"] for payload in of["agent.message"]] == wanted["answered"]
    assert [[payload["name"], payload["arguments"]] for payload in of["tool.call"]] == wanted["calls"]
    assert same_results(of["tool.result"], wanted["results"]), of["tool.result"]
    assert sum(session["requests"] for session in sessions) == wanted["requests"]
    assert sum(session["input_tokens"] for session in sessions) == wanted["input_tokens"]
    assert sum(session["output_tokens"] for session in sessions) == wanted["output_tokens"]
