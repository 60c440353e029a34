"""Sessions that run here on a model: what happens in them, how they end, and that a killed one goes on."""

import asyncio
from typing import Any

import pytest

from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes.session_log import SessionLog
from goldloop.sessions.store import NewEvent
from tests.records import Desk, code, ok, places
from tests.runtimes.scripted import (
    Script,
    call,
    configured,
    events_of,
    kinds,
    returned,
    scripted,
    show,
    start,
    work,
)


async def test_a_run_answers_and_each_step_is_an_event(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, instructions="Be brief.", tool_groups=["entities-read"])
    script = Script([call("listEntityTypes"), "There is one type."])
    session = await start(desk.contributor, agent, "Which types are there?")
    assert (session["status"], session["agent_version"], session["source"]) == ("queued", 1, "run")
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["output"]) == ("completed", "There is one type.")
    assert ended["first_message"] == "Which types are there?"
    assert (ended["requests"], ended["tool_calls"]) == (2, 1)
    assert (ended["input_tokens"], ended["output_tokens"]) == (20, 10)
    events = await events_of(desk.contributor, session)
    assert kinds(events) == [
        "session.created",
        "user.message",
        "session.claimed",
        "model.request",
        "model.response",
        "tool.call",
        "tool.result",
        "model.request",
        "model.response",
        "agent.message",
        "session.completed",
    ]
    assert [event["seq"] for event in events] == list(range(1, 12))
    assert events[6]["payload"]["result"]["types"][0]["slug"] == "company"
    assert events[3]["payload"]["messages"][0]["instructions"] == "Be brief."


async def test_what_a_tool_wrote_is_an_event_and_the_agent_wrote_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, tool_groups=["responses"])
    record = await desk.make_record({"name": "Acme"})
    script = Script([call("submitResponse", entityId=record["id"], values={"employees": 12}), "Done."])
    session = await start(desk.contributor, agent, entity_id=record["id"])
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    events = await events_of(desk.contributor, session)
    effect = next(event["payload"] for event in events if event["type"] == "response.submitted")
    assert (effect["entity_id"], effect["call_id"]) == (record["id"], "c1")
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert [response["id"] for response in responses] == [effect["response_id"]]
    assert responses[0]["submitted_by"]["kind"] == "agent"


class Killed(BaseException):
    """Stands for the death of the process: nothing catches it."""


async def test_a_run_killed_after_any_event_goes_on_and_no_finished_tool_runs_twice(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = await configured(desk.workspace, tool_groups=["responses", "entities-read"])

    def steps(record_id: str) -> list[Any]:
        return [
            call("getEntity", entityId=record_id),
            [
                call("submitResponse", "a", entityId=record_id, values={"employees": 12}),
                call("submitResponse", "b", entityId=record_id, values={"stage": "seed"}),
            ],
            call("submitResponse", "a", entityId=record_id, values={"active": "true"}),  # an id again
            lambda messages: Script([f"{len(returned(messages))} results"])(messages, None),  # type: ignore[arg-type]
        ]

    written = 0
    whole = SessionLog.add

    async def add(self: SessionLog, *new: NewEvent, **more: Any) -> None:
        nonlocal written
        await whole(self, *new, **more)
        written += 1
        if written == die_after:
            raise Killed

    monkeypatch.setattr(SessionLog, "add", add)
    for die_after in range(1, 14):
        record = await desk.make_record({"name": f"Acme {die_after}"})
        script = Script(steps(record["id"]))
        session = await start(desk.contributor, agent, entity_id=record["id"])
        written = 0
        try:
            await work(worker_db, desk.workspace, scripted(outside, script), session)
        except Killed:
            await work(worker_db, desk.workspace, scripted(outside, script), session)
        ended = await show(desk.contributor, session["id"])
        assert (ended["status"], ended["output"]) == ("completed", "4 results"), die_after
        responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
        assert len(responses) == 3, die_after
        events = await events_of(desk.contributor, session)
        assert kinds(events).count("tool.result") == 4, die_after
        assert kinds(events).count("tool.call") == 4, die_after
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize(
    ("limit", "most", "code_of_it"),
    [
        ("requests", 2, "limit_requests"),
        ("tool_calls", 1, "limit_tool_calls"),
        ("tokens", 30, "limit_tokens"),
    ],
)
async def test_a_run_that_reaches_a_limit_ends_with_its_name(
    desk: Desk, worker_db: Database, outside: Outside, limit: str, most: int, code_of_it: str
) -> None:
    agent = await configured(desk.workspace, tool_groups=["entities-read"], limits={limit: most})
    script = Script([call("listEntityTypes", str(n)) for n in range(5)])
    session = await start(desk.contributor, agent)
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", code_of_it)


async def test_a_run_that_takes_too_long_ends_with_that_limit(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, limits={"seconds": 1})

    class Slow(Script):
        async def __call__(self, messages: Any, info: Any) -> Any:  # type: ignore[override]
            await asyncio.sleep(60)

    session = await start(desk.contributor, agent)
    await work(worker_db, desk.workspace, scripted(outside, Slow([])), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "limit_seconds")


async def test_without_a_model_a_run_fails_and_says_what_to_set(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace)
    session = await start(desk.contributor, agent)
    await work(worker_db, desk.workspace, outside, session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "no_model")
    assert "GOLDLOOP_MODEL" in ended["error"]["message"]


async def test_a_cancelled_session_is_over_at_once_and_its_worker_writes_nothing_more(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, tool_groups=["responses"])
    record = await desk.make_record({"name": "Acme"})
    session = await start(desk.contributor, agent)
    reached, go = asyncio.Event(), asyncio.Event()

    class Held(Script):
        async def __call__(self, messages: Any, info: Any) -> Any:  # type: ignore[override]
            reached.set()
            await go.wait()
            return super().__call__(messages, info)

    script = Held([call("submitResponse", entityId=record["id"], values={"employees": 1}), "Done."])
    running = asyncio.create_task(work(worker_db, desk.workspace, scripted(outside, script), session))
    await reached.wait()
    assert ok(await desk.contributor.post(f"/api/sessions/{session['id']}/cancel"))["status"] == "cancelled"
    go.set()
    await running
    events = await events_of(desk.contributor, session)
    assert kinds(events)[-2:] == ["model.request", "session.cancelled"]
    assert ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"] == []


async def test_a_session_that_another_worker_took_is_left_to_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace)
    session = await start(desk.contributor, agent)
    reached, go = asyncio.Event(), asyncio.Event()

    class Held(Script):
        async def __call__(self, messages: Any, info: Any) -> Any:  # type: ignore[override]
            reached.set()
            await go.wait()
            return super().__call__(messages, info)

    slow = asyncio.create_task(
        work(worker_db, desk.workspace, scripted(outside, Held(["Of the first."])), session)
    )
    await reached.wait()
    await work(worker_db, desk.workspace, scripted(outside, Script(["Of the second."])), session)
    go.set()
    await slow
    ended = await show(desk.contributor, session["id"])
    assert ended["output"] == "Of the second."
    assert kinds(await events_of(desk.contributor, session)).count("agent.message") == 1


async def test_a_run_asks_a_person_waits_and_goes_on_with_the_answer(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, tool_groups=["people"])
    script = Script([call("askPerson", question="Which year?"), lambda messages: _said(returned(messages))])
    session = await start(desk.contributor, agent)
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    waiting = await show(desk.contributor, session["id"])
    assert (waiting["status"], waiting["question"]["text"]) == ("waiting", "Which year?")
    inbox = ok(await desk.contributor.get("/api/inbox"))
    assert {kind["kind"]: kind["count"] for kind in inbox["data"]}["waiting_sessions"] == 1
    path = f"/api/sessions/{session['id']}/answer"
    assert ok(await desk.contributor.post(path, json={"text": "2025"}))["status"] == "queued"
    assert code(await desk.contributor.post(path, json={"text": "2026"})) == (409, "session_not_waiting")
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["output"], ended["question"]) == ("completed", "2025", None)


def _said(results: list[Any]) -> Any:
    return Script([results[0]["answer"]])([], None)  # type: ignore[arg-type]


async def test_a_tool_that_the_agent_was_not_given_or_that_fails_is_told_to_the_model(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace, tool_groups=["entities-read"])
    nobody = "01999999-0000-7000-8000-000000000000"
    script = Script(
        [
            call("submitResponse", "1", entityId=nobody, values={}),
            call("getEntity", "2", entityId=nobody),
            call("getEntity", "3", wrong=1),
            "I give up.",
        ]
    )
    session = await start(desk.contributor, agent)
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    assert (await show(desk.contributor, session["id"]))["status"] == "completed"
    events = await events_of(desk.contributor, session)
    results = {e["payload"]["id"]: e["payload"] for e in events if e["type"] == "tool.result"}
    assert "no such" in results["2"]["error"]
    assert "/wrong" in results["3"]["error"] or "unknown field" in results["3"]["error"]


async def test_a_run_in_a_conversation_knows_what_was_said_and_becomes_its_next_turn(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    agent = await configured(desk.workspace)
    turns = f"/conversations/{desk.workspace.slug}/shop/k1/turns"
    before = {"turn_id": "t1", "user": {"text": "My name is Ada."}, "assistant": {"text": "Hello Ada."}}
    ok(await desk.contributor.post(turns, json=before))
    script = Script(["You are Ada."])
    where = {"project": "shop", "id": "k1"}
    session = await start(
        desk.contributor, agent, "Who am I?", conversation=where, metadata={"user_id": "u1"}
    )
    await work(worker_db, desk.workspace, scripted(outside, script), session)
    said = [part.content for message in script.asked[0] for part in message.parts]  # type: ignore[union-attr]
    assert said == ["My name is Ada.", "Hello Ada.", "Who am I?"]
    shown = ok(await desk.contributor.get("/api/conversations/shop/k1"))["turns"][-1]
    assert (shown["user"], shown["assistant"], shown["user_id"]) == ("Who am I?", "You are Ada.", "u1")
    assert (shown["session_id"], shown["agent"]) == (session["id"], agent)
    place = {"project": "shop", "conversation_id": "k1", "turn_id": shown["turn_id"]}
    assert (await show(desk.contributor, session["id"]))["turns"] == [place]


async def test_starting_a_run_says_what_is_missing(desk: Desk) -> None:
    elsewhere = await desk.workspace.make_agent("elsewhere")
    post = desk.contributor.post
    message = {"input": {"message": "Begin."}}
    assert places(await post("/api/sessions", json={})) == [
        ("/agent", "required"),
        ("/input/message", "required"),
    ]
    assert code(await post("/api/sessions", json={"agent": "nobody", **message})) == (404, "agent_not_found")
    assert code(await post("/api/sessions", json={"agent": elsewhere.slug, **message})) == (422, "no_runtime")


async def test_a_failed_run_waits_in_the_inbox_until_it_is_dismissed_or_run_again(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async def count() -> int:
        data = ok(await desk.contributor.get("/api/inbox"))["data"]
        counted: int = {kind["kind"]: kind["count"] for kind in data}["failed_sessions"]
        return counted

    agent = await configured(desk.workspace)
    first = await start(desk.contributor, agent)
    second = await start(desk.contributor, agent)
    for session in (first, second):
        await work(worker_db, desk.workspace, outside, session)
    assert await count() == 2
    ok(await desk.contributor.post(f"/api/sessions/{first['id']}/dismiss"))
    assert await count() == 1
    again = ok(await desk.contributor.post(f"/api/sessions/{second['id']}/run-again", json={}))
    assert await count() == 0
    assert again["input"] == second["input"]
    await work(worker_db, desk.workspace, scripted(outside, Script(["Fine."])), again)
    assert (await show(desk.contributor, again["id"]))["output"] == "Fine."
    assert code(await desk.contributor.post(f"/api/sessions/{again['id']}/dismiss")) == (
        409,
        "session_needs_nobody",
    )
