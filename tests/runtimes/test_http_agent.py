"""Agents at an address of their owner: what they are sent, what they may answer, and how each failure ends."""

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest

from goldloop.agents.model import Runtime
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes import event_stream
from goldloop.runtimes import http_agent as runtime
from goldloop.runtimes.session_log import SessionLog
from goldloop.sessions.store import NewEvent
from tests.records import Desk, ok
from tests.runtimes.http_agents import (
    Connection,
    Handler,
    HttpAgent,
    Received,
    allowing_loopback,
    answering,
    http_agent,
)
from tests.runtimes.scripted import (
    configured,
    configured_before,
    events_of,
    kinds,
    set_secret,
    show,
    start,
    work,
)
from tests.servers import eventually, free_port


async def run_at(
    desk: Desk, worker_db: Database, outside: Outside, url: str, **more: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A session of an agent at an address, to its end; and its events."""
    config = {"runtime": "http", "url": url, **more.pop("config", {})}
    agent = await configured(desk.workspace, more.pop("slug", "elsewhere"), **config)
    session = await start(desk.contributor, agent, **more)
    await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    return await show(desk.contributor, session["id"]), await events_of(desk.contributor, session)


async def test_an_agent_elsewhere_is_sent_all_it_needs_and_its_answer_is_the_sessions(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    record = await desk.make_record({"name": "Acme"})
    async with http_agent(answering({"output": "Fine."})) as agent:
        config = {"runtime": "http", "url": f"{agent.url}?key=hidden", "instructions": "Be brief."}
        slug = await configured(desk.workspace, "elsewhere", **config)
        admin = await desk.workspace.client()
        (row,) = [a for a in ok(await admin.get("/api/agents"))["data"] if a["slug"] == slug]
        await admin.put(f"/api/agents/{row['id']}/secrets/http_secret", json={"value": "s3cret"})
        session = await start(
            desk.contributor, slug, "How is it?", entity_id=record["id"], metadata={"ticket": 7}
        )
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    ended, events = await show(desk.contributor, session["id"]), await events_of(desk.contributor, session)
    assert (ended["status"], ended["output"]) == ("completed", "Fine.")
    assert kinds(events) == [
        "session.created",
        "user.message",
        "session.claimed",
        "agent.called",
        "agent.message",
        "session.completed",
    ]
    (received,) = agent.received
    assert received.head.startswith("POST /run?key=hidden ")
    headers = received.headers
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["idempotency-key"] == session["id"]
    assert headers["baggage"] == f"session.id={session['id']}"
    version, trace, span, flags = headers["traceparent"].split("-")
    assert (version, UUID(trace), len(span), flags) == ("00", UUID(session["id"]), 16, "01")
    body = received.body
    assert (body["session_id"], body["run_id"], body["agent"]) == (session["id"], session["id"], slug)
    assert (body["input"], body["metadata"]) == ({"message": "How is it?"}, {"ticket": 7})
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How is it?"},
    ]
    entity = body["context"]["entity"]
    assert (entity["id"], entity["content"]["name"]) == (record["id"], "Acme")
    assert body["tools"]["url"] == "http://goldloop.test/api/tools"
    assert body["mcp"] == {"url": "http://goldloop.test/mcp", "token": body["tools"]["token"]}
    assert "output_schema" not in body
    written = str(events)
    assert "s3cret" not in written
    assert "hidden" not in written
    assert body["tools"]["token"] not in written


async def test_a_stream_is_recorded_as_it_comes(desk: Desk, worker_db: Database, outside: Outside) -> None:
    go = asyncio.Event()

    async def stream(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.send(b": still there\n\n")
        await to.event("tool.call", id="x", name="lookUp", arguments={"city": "Paris"})
        await to.event("tool.result", id="x", result={"degrees": 20})
        await to.event("model.request", model="own:one", input_tokens=7, output_tokens=3, cost=0.5)
        await go.wait()
        await to.event("agent.message", text="Warm\x00.")
        await to.event("done", output={"degrees": 20})

    async with http_agent(stream) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        session = await start(desk.contributor, slug)
        running = asyncio.create_task(work(worker_db, desk.workspace, allowing_loopback(outside), session))

        async def three_came() -> bool:
            return kinds(await events_of(desk.contributor, session))[-1] == "model.request"

        await eventually(three_came)
        go.set()
        await running
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["output"]) == ("completed", {"degrees": 20})
    assert (ended["tool_calls"], ended["requests"], ended["input_tokens"], ended["cost"]) == (1, 1, 7, 0.5)
    events = await events_of(desk.contributor, session)
    assert kinds(events)[4:] == [
        "tool.call",
        "tool.result",
        "model.request",
        "agent.message",
        "session.completed",
    ]
    assert events[-2]["payload"]["text"] == "Warm\ufffd."


async def test_an_answer_tells_what_was_said_called_and_used(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    call = {"id": "c9", "type": "function", "function": {"name": "lookUp", "arguments": '{"a": 1}'}}
    answer = {
        "output": "Done.",
        "messages": [
            {"role": "user", "content": "Begin."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c9", "content": "found"},
            {"role": "assistant", "content": "Done."},
        ],
        "usage": {"input_tokens": 11, "output_tokens": 4},
        "model": "own:two",
    }
    async with http_agent(answering(answer)) as agent:
        ended, events = await run_at(desk, worker_db, outside, agent.url)
    assert ended["status"] == "completed"
    assert [(event["type"], event["payload"]) for event in events[4:-1]] == [
        ("tool.call", {"id": "c9", "name": "lookUp", "arguments": {"a": 1}}),
        ("tool.result", {"id": "c9", "result": "found"}),
        ("agent.message", {"text": "Done."}),
        ("model.request", {"model": "own:two", "input_tokens": 11, "output_tokens": 4}),
    ]


def raw(text: bytes) -> Handler:
    async def handle(_: Received, to: Connection) -> None:
        await to.send(text)

    return handle


def streaming(text: bytes) -> Handler:
    async def handle(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.send(text)

    return handle


UNREADABLE = "agent_answer_unreadable"


@pytest.mark.parametrize(
    ("handler", "code", "words"),
    [
        (answering({"why": "x"}, "500 Internal Server Error"), "agent_failed", "500"),
        (answering({}, "307 Temporary Redirect", Location="http://127.0.0.1:1/"), "agent_failed", "redirect"),
        (answering({}, "503 Service Unavailable"), "agent_failed", "503"),
        (answering({}, "429 Too Many Requests", Retry_After="3600"), "agent_failed", "429"),
        (answering(b"<html>"), UNREADABLE, "JSON"),
        (answering(b""), UNREADABLE, "JSON"),
        (answering([1]), UNREADABLE, "object"),
        (answering({"result": 1}), UNREADABLE, "output"),
        (answering({"output": 1, "messages": 3}), UNREADABLE, "/messages"),
        (answering({"output": 1, "usage": {"input_tokens": -1}}), UNREADABLE, "input_tokens"),
        (answering(b"[" * 5000), UNREADABLE, "deep"),
        (answering("hello", kind="text/plain"), UNREADABLE, "text/plain"),
        (answering({"output": 1}, Content_Encoding="gzip"), UNREADABLE, "compressed"),
        (raw(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), UNREADABLE, "HTTP"),
        (raw(b""), "agent_failed", "broke"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"), "agent_failed", "broke"),
        (streaming(b""), UNREADABLE, "without done"),
        (streaming(b"event: done\ndata: {}\n\n"), UNREADABLE, "no output"),
        (streaming(b"event: done\ndata: nonsense\n\n"), UNREADABLE, "event done"),
        (streaming(b'data: {"text": "?"}\n\n'), UNREADABLE, "name"),
        (streaming(b'event: agent.message\ndata: {"words": 1}\n\n'), UNREADABLE, "/payload/text"),
        (streaming(b'event: session.completed\ndata: {}\n\n'), UNREADABLE, "server's own"),
        (streaming(b'event: response.submitted\ndata: {}\n\n'), UNREADABLE, "server's own"),
        (streaming(b'event: agent.called\ndata: {}\n\n'), UNREADABLE, "server's own"),
        (streaming(b'event: error\ndata: {"message": "No idea."}\n\n'), "agent_failed", "No idea."),
        (answering({"output": "x" * 1_100_000}), "bad_output", "longer"),
    ],
)  # fmt: skip
async def test_each_failure_of_an_agent_elsewhere_has_its_code(
    desk: Desk, worker_db: Database, outside: Outside, handler: Handler, code: str, words: str
) -> None:
    async with http_agent(handler) as agent:
        ended, events = await run_at(desk, worker_db, outside, agent.url)
    assert (ended["status"], ended["error"]["code"]) == ("failed", code), ended["error"]
    assert words in ended["error"]["message"]
    assert len(agent.received) == 1, "it is not called again"
    assert kinds(events)[-1] == "session.failed"


async def test_what_an_agent_repeats_of_its_secrets_is_not_kept(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async def repeat(received: Received, to: Connection) -> None:
        token = received.body["tools"]["token"].encode()
        await to.answer(b"I was sent " + token, "400 Bad Request")

    async with http_agent(repeat) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert ended["error"]["message"] == "The agent answered 400: I was sent …"


@pytest.mark.parametrize("is_stream", [False, True])
async def test_no_secret_is_in_what_is_kept_however_an_agent_repeats_it(
    desk: Desk, worker_db: Database, outside: Outside, is_stream: bool
) -> None:
    secret = 'sk-"quoted"/\\secret'
    keys: list[str] = []

    async def repeat(received: Received, to: Connection) -> None:
        header, token = received.headers["authorization"], received.body["tools"]["token"]
        keys.append(token)
        sent = {header: token, "as text": json.dumps([header, token])}
        call = {"id": token, "name": header, "arguments": sent}
        if is_stream:
            await to.begin_stream()
            await to.event("agent.message", text=f"I was sent {header} and {token}")
            await to.event("tool.call", **call)
            await to.event("tool.result", id=token, error=header)
            await to.event("thought", **sent)
            await to.event("thought", long=f"{'x' * 70_000} {header} {token}")
            piece = f"event: done\ndata: {json.dumps({'output': sent})}\n\n".encode()
            for place in range(0, len(piece), 7):  # cut within the secrets
                await to.send(piece[place : place + 7])
        else:
            messages = [
                {"role": "assistant", "content": f"I was sent {header} and {token}", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": token, "content": sent},
                {"role": "assistant", "content": f"{'x' * 70_000} {header} {token}"},
            ]
            await to.answer({"output": sent, "messages": messages, "model": header})

    async with http_agent(repeat) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        await set_secret(desk, slug, "http_secret", secret)
        where = {"project": "shop", "id": "k1"}
        session = await start(desk.contributor, slug, conversation=where)
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]) == ("completed", None)
    assert ended["output"] == {"Bearer …": "…", "as text": '["Bearer …", "…"]'}
    path = f"/api/sessions/{session['id']}/events"
    events = await events_of(desk.contributor, session)
    wholes = [ok(await desk.contributor.get(f"{path}/{event['seq']}/payload")) for event in events]
    turns = ok(await desk.contributor.get("/api/conversations/shop/k1"))["turns"]
    assert any(not event["whole"] for event in events), "a large one is looked at too"
    assert {"agent.message", "tool.call", "tool.result"} <= {*kinds(events)}
    assert json.loads(turns[-1]["assistant"]) == ended["output"]
    written = json.dumps([ended, events, wholes, turns])
    assert "I was sent Bearer \\u2026 and \\u2026" in written
    assert "sk-" not in written
    assert "glr_" not in written
    assert keys[0].startswith("glr_")


async def test_an_event_cannot_be_called_by_a_secret(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async def stream(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.event("my.hidden-value", n=1)
        await to.closed()

    async with http_agent(stream) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        await set_secret(desk, slug, "http_secret", "hidden-value")
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    ended = await show(desk.contributor, session["id"])
    assert ended["error"]["code"] == UNREADABLE
    assert "hidden-value" not in json.dumps([ended, await events_of(desk.contributor, session)])


async def test_an_error_that_is_cut_within_a_secret_shows_no_part_of_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async def repeat(received: Received, to: Connection) -> None:
        padding = b"." * (runtime.SHOWN_BYTES - 20)
        await to.answer(padding + received.headers["authorization"].encode(), "400 Bad Request")

    async with http_agent(repeat) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        await set_secret(desk, slug, "http_secret", "a-secret-of-many-characters")
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    message = (await show(desk.contributor, session["id"]))["error"]["message"]
    assert message.endswith("...Bearer …")


@pytest.mark.parametrize("secret", ["caf\u00e9-secret", "two\nlines"])
async def test_a_secret_that_no_header_can_hold_is_said_and_not_shown(
    desk: Desk, worker_db: Database, outside: Outside, secret: str
) -> None:
    async with http_agent(answering({"output": "Fine."})) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        await set_secret(desk, slug, "http_secret", secret)
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    error = (await show(desk.contributor, session["id"]))["error"]
    assert (error["code"], agent.received) == ("secret_unreadable", [])
    assert "secret" not in error["message"].replace("http_secret", "")


@pytest.mark.parametrize("name", ["MOST_EVENT_BYTES", "MOST_EVENTS"])
async def test_a_stream_without_end_is_cut(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(event_stream, name, 20)

    async def babble(_: Received, to: Connection) -> None:
        await to.begin_stream()
        while True:
            if name == "MOST_EVENTS":
                await to.event("thought", n=1)
            else:
                await to.send(b"data: and so on\n")

    async with http_agent(babble) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert ended["error"]["code"] == UNREADABLE


async def test_an_answer_without_end_is_cut(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "MOST_ANSWER_BYTES", 1000)
    async with http_agent(answering({"output": "x" * 5000})) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert ended["error"]["code"] == UNREADABLE
    assert "1,000" in ended["error"]["message"]


async def test_an_agent_where_nobody_listens_is_tried_again_and_then_unreachable(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "WAIT_SECONDS", 0.001)
    ended, _ = await run_at(desk, worker_db, outside, f"http://127.0.0.1:{free_port()}/")
    assert ended["error"]["code"] == "agent_unreachable"


async def test_an_agent_that_starts_late_is_reached(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try finds nobody; the agent listens before the second."""
    port = free_port()
    served: list[asyncio.Server] = []
    agent = HttpAgent([answering({"output": "Late."})])

    whole = runtime._Call._try

    async def try_and_listen(self: Any, *given: Any, **more: Any) -> Any:
        outcome = await whole(self, *given, **more)
        if not served:
            served.append(await asyncio.start_server(agent.serve, "127.0.0.1", port))
        return outcome

    monkeypatch.setattr(runtime._Call, "_try", try_and_listen)
    ended, events = await run_at(desk, worker_db, outside, f"http://127.0.0.1:{port}/")
    served[0].close()
    assert (ended["output"], kinds(events).count("agent.called")) == ("Late.", 1)


async def test_a_busy_agent_is_called_again_when_it_says_when(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    busy = answering({}, "503 Service Unavailable", Retry_After="0")
    async with http_agent(busy, busy, answering({"output": "Now."})) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert (ended["output"], len(agent.received)) == ("Now.", 3)
    assert {received.headers["idempotency-key"] for received in agent.received} == {ended["id"]}


async def test_a_busy_agent_is_not_called_for_ever(desk: Desk, worker_db: Database, outside: Outside) -> None:
    async with http_agent(answering({}, "429 Too Many Requests", Retry_After="0")) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert (ended["error"]["code"], len(agent.received)) == ("agent_failed", runtime.TRIES)


async def hang(_: Received, to: Connection) -> None:
    await to.closed()


async def test_an_agent_that_takes_longer_than_its_limit_is_left(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    left = asyncio.Event()

    async def wait(received: Received, to: Connection) -> None:
        await to.closed()
        left.set()

    async with http_agent(wait) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url, config={"limits": {"seconds": 1}})
        await asyncio.wait_for(left.wait(), 30)
    assert ended["error"]["code"] == "limit_seconds"


async def test_an_agent_that_falls_silent_in_its_answer_has_timed_out(
    desk: Desk, worker_db: Database, outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "SILENT_SECONDS", 0.1)

    async def begin(received: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.closed()

    async with http_agent(begin) as agent:
        ended, _ = await run_at(desk, worker_db, outside, agent.url)
    assert ended["error"]["code"] == "agent_timed_out"


async def test_private_networks_are_closed_unless_the_installation_allows_the_host(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async with http_agent(answering({"output": "in"})) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, outside, session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["error"]["code"], agent.received) == ("host_not_allowed", [])
    assert "agent.called" not in kinds(await events_of(desk.contributor, session))


async def test_limits_count_what_an_agent_elsewhere_tells(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    async def stream(_: Received, to: Connection) -> None:
        await to.begin_stream()
        for number in range(5):
            await to.event("tool.call", id=str(number), name="own", arguments={})
            await to.event("model.request", model="m", input_tokens=10, output_tokens=10)
        await to.closed()

    for limit, most, tool_calls in (("requests", 2, 3), ("tokens", 40, 3), ("tool_calls", 2, 2)):
        async with http_agent(stream) as agent:
            ended, _ = await run_at(
                desk, worker_db, outside, agent.url, slug=f"by-{limit.replace('_', '-')}",
                config={"limits": {limit: most}},
            )  # fmt: skip
        assert (ended["error"]["code"], ended["tool_calls"]) == (f"limit_{limit}", tool_calls)


@pytest.mark.parametrize(
    ("kind", "limits", "used", "code"),
    [
        ("model.response", {"tokens": 30}, {"input_tokens": 10, "output_tokens": 10}, "limit_tokens"),
        ("model.response", {"cost": 0.5}, {"cost": 0.3}, "limit_cost"),
        ("thought", {"tokens": 30}, {"output_tokens": 20}, "limit_tokens"),
    ],
)
async def test_what_an_agent_elsewhere_has_used_ends_it_whichever_event_says_so(
    desk: Desk,
    worker_db: Database,
    outside: Outside,
    kind: str,
    limits: dict[str, Any],
    used: dict[str, Any],
    code: str,
) -> None:
    async def stream(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.event(kind, model="m", **used)
        await to.event("agent.message", text="Within the limit.")
        await to.event(kind, model="m", **used)
        await to.closed()

    async with http_agent(stream) as agent:
        ended, events = await run_at(desk, worker_db, outside, agent.url, config={"limits": limits})
    assert (ended["status"], ended["error"]["code"]) == ("failed", code)
    assert kinds(events)[-4:] == [kind, "agent.message", kind, "session.failed"]


async def test_an_answer_that_has_used_more_than_it_may_is_not_taken(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    for tokens, status in ((30, "completed"), (31, "failed")):
        answer = {"output": "Done.", "model": "m", "usage": {"input_tokens": tokens}}
        async with http_agent(answering(answer)) as agent:
            ended, _ = await run_at(
                desk, worker_db, outside, agent.url, slug=f"by-{tokens}", config={"limits": {"tokens": 30}}
            )
        assert ended["status"] == status


@pytest.mark.parametrize("url", ["http://[::1", "http://a..b/", "http://x:99999/"])
async def test_an_address_that_is_none_ends_the_run_at_once(
    desk: Desk, worker_db: Database, outside: Outside, url: str
) -> None:
    slug = await configured_before(desk.workspace, runtime=Runtime.HTTP, url=url)
    session = await start(desk.contributor, slug)
    await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], ended["error"]["code"]) == ("failed", "invalid_url")
    assert "agent.called" not in kinds(await events_of(desk.contributor, session))


class Killed(BaseException):
    """Stands for the death of the process: nothing catches it."""


@pytest.mark.parametrize(
    ("last", "status", "calls"),
    [("session.claimed", "completed", 1), ("agent.called", "failed", 0), ("agent.message", "failed", 1)],
)
async def test_an_agent_that_was_called_is_not_called_again_by_another_worker(
    desk: Desk,
    worker_db: Database,
    outside: Outside,
    monkeypatch: pytest.MonkeyPatch,
    last: str,
    status: str,
    calls: int,
) -> None:
    whole = SessionLog.add
    dying = True

    async def add(self: SessionLog, *new: NewEvent, **more: Any) -> None:
        if last == "session.claimed" and dying:
            raise Killed
        await whole(self, *new, **more)
        if new[-1].type == last and dying:
            raise Killed

    monkeypatch.setattr(SessionLog, "add", add)

    async def stream(_: Received, to: Connection) -> None:
        await to.begin_stream()
        await to.event("agent.message", text="I begin.")
        await to.event("done", output="Done.")

    async with http_agent(stream) as agent:
        slug = await configured(desk.workspace, runtime="http", url=agent.url)
        session = await start(desk.contributor, slug)
        with pytest.raises(Killed):
            await work(worker_db, desk.workspace, allowing_loopback(outside), session)
        dying = False
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    ended = await show(desk.contributor, session["id"])
    assert (ended["status"], len(agent.received)) == (status, calls)
    assert status == "completed" or ended["error"]["code"] == "interrupted"
