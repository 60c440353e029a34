"""A session around a block: what happens in it arrives in order and once, and nothing of that reaches the block."""

import asyncio
import contextvars
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

import goldloop
from goldloop.client import AsyncClient, Client, Recording, clients, current_session, delivery
from goldloop.kit.clock import now
from tests.client.flaky import HANG_UP, Answer, Asked, Flaky, flaky_server
from tests.client.test_journal import nobody, run, wait_until
from tests.loops import some
from tests.servers import environment, free_port

ENTITY = "0199b5a0-0000-7000-8000-000000000000"
NO_SESSION = Answer(404, {"code": "session_not_found", "detail": "There is no such session"})


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.02)


@pytest.fixture
def flaky() -> Iterator[Flaky]:
    with flaky_server() as flaky:
        yield flaky


@pytest.fixture
def client(flaky: Flaky) -> Iterator[Client]:
    with Client(flaky.url, "gl_x") as client:
        yield client


def begun(flaky: Flaky) -> list[dict[str, Any]]:
    return [asked.body for asked in flaky.asked if asked.path == "/api/sessions"]


def events(flaky: Flaky, session: Recording | None = None) -> list[tuple[str, dict[str, Any]]]:
    """Of one session, or of all."""
    return [
        (event["type"], event["payload"])
        for asked in flaky.asked
        if asked.path.endswith("/events") and (session is None or str(session.id) in asked.path)
        for event in asked.body
    ]


def ends(flaky: Flaky) -> list[dict[str, Any]]:
    """Without when: each says that it was a moment ago."""
    sent = [asked.body for asked in flaky.asked if asked.path.endswith("/end")]
    return [body for body in sent if datetime.fromisoformat(body.pop("at", "0001-01-01T00:00Z")) <= now()]


def without_time(payload: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name != "duration_ms"}


def test_a_block_is_a_session(flaky: Flaky, client: Client) -> None:
    conversation = {"project": "Support", "id": "c1"}
    with client.session(
        "support-bot",
        input={"message": "Where?"},
        type="chat",
        entity_id=ENTITY,
        conversation=conversation,
        metadata={"release": 7},
    ) as session:
        session.user_message("Where?")
        session.model_request(model="m", input_tokens=12, messages=[{"role": "user"}])
        session.model_response(model="m", output_tokens=3, cost=0.01)
        call = session.tool_call("find", {"order": 7})
        call.result({"at": "Oslo"})
        session.tool_call("send").error(ValueError("no address"))
        session.agent_message("In Oslo.", confidence=0.9)
        session.event("order.moved", {"order": 7})
        session.output = "In Oslo."
    assert client.flush(10)
    assert [asked.path.rpartition("/")[2] for asked in flaky.asked] == ["sessions", "events", "end"]
    (begin,) = begun(flaky)
    assert begin.pop("at")
    assert begin == {
        "id": str(session.id), "source": "client", "type": "chat", "agent": "support-bot", "entity_id": ENTITY,
        "conversation": conversation, "input": {"message": "Where?"}, "metadata": {"release": 7},
    }  # fmt: skip
    found = [(kind, without_time(payload)) for kind, payload in events(flaky)]
    send = found[5][1]["id"]
    assert found == [
        ("user.message", {"text": "Where?"}),
        ("model.request", {"model": "m", "input_tokens": 12, "messages": [{"role": "user"}]}),
        ("model.response", {"model": "m", "output_tokens": 3, "cost": 0.01}),
        ("tool.call", {"id": call.id, "name": "find", "arguments": {"order": 7}}),
        ("tool.result", {"id": call.id, "result": {"at": "Oslo"}}),
        ("tool.call", {"id": send, "name": "send", "arguments": {}}),
        ("tool.result", {"id": send, "error": "ValueError: no address"}),
        ("agent.message", {"text": "In Oslo.", "confidence": 0.9}),
        ("order.moved", {"order": 7}),
    ]
    assert ends(flaky) == [{"status": "completed", "output": "In Oslo."}]
    ids = [event["id"] for asked in flaky.asked if asked.path.endswith("/events") for event in asked.body]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (
            ValueError("bad order"),
            {"status": "failed", "error": {"code": "ValueError", "message": "bad order"}},
        ),
        (KeyError(), {"status": "failed", "error": {"code": "KeyError", "message": ""}}),
        (SystemExit(2), {"status": "failed", "error": {"code": "SystemExit", "message": "2"}}),
        (SystemExit(0), {"status": "completed"}),
        (KeyboardInterrupt(), {"status": "cancelled"}),
        (asyncio.CancelledError(), {"status": "cancelled"}),
    ],
)
def test_what_a_block_raises_is_its_end_and_goes_on(
    flaky: Flaky, client: Client, raised: BaseException, expected: dict[str, Any]
) -> None:
    with pytest.raises(type(raised)) as caught, client.session("x"):
        raise raised
    assert caught.value is raised
    assert client.flush(10)
    assert ends(flaky) == [expected]


def test_a_block_can_fail_without_raising(flaky: Flaky, client: Client) -> None:
    with client.session("x") as session:
        session.fail("The model gave up", code="gave_up")
    assert client.flush(10)
    assert ends(flaky) == [{"status": "failed", "error": {"code": "gave_up", "message": "The model gave up"}}]


async def test_the_asynchronous_client_records_too(flaky: Flaky) -> None:
    async with AsyncClient(flaky.url, "gl_x") as client:
        async with client.session("x") as session:
            session.user_message("hi")
        with pytest.raises(ValueError, match="stop"):
            async with client.session("y"):
                raise ValueError("stop")
    assert [begin["agent"] for begin in begun(flaky)] == ["x", "y"]
    assert [end["status"] for end in ends(flaky)] == ["completed", "failed"]
    assert events(flaky) == [("user.message", {"text": "hi"})]


def test_a_session_in_a_session_is_its_child(flaky: Flaky, client: Client) -> None:
    with client.session("outer") as outer:
        assert current_session() is outer
        with client.session("inner") as inner:
            inner.user_message("in")
            with client.session("elsewhere", parent_session_id=ENTITY):
                pass
        outer.user_message("out")
        with Client(flaky.url, "gl_other") as other, other.session("another workspace"):
            pass
    assert current_session() is None
    assert client.flush(10)
    parents = {begin["agent"]: begin.get("parent_session_id") for begin in begun(flaky)}
    assert parents == {
        "outer": None, "inner": str(outer.id), "elsewhere": ENTITY, "another workspace": None,
    }  # fmt: skip
    assert events(flaky, outer) == [("user.message", {"text": "out"})]


async def test_each_task_has_a_session_of_its_own(flaky: Flaky) -> None:
    @goldloop.tool
    async def look(place: str) -> str:
        await asyncio.sleep(0)
        return place

    async with AsyncClient(flaky.url, "gl_x") as client:

        async def work(name: str) -> Recording:
            async with client.session(name) as session:
                await look(name)
            return session

        sessions = await asyncio.gather(*(work(f"agent {n}") for n in range(5)))
    for n, session in some(list(enumerate(sessions))):
        results = [payload["result"] for kind, payload in events(flaky, session) if kind == "tool.result"]
        assert results == [f"agent {n}"]


def test_a_tool_of_a_session_is_recorded_with_its_arguments_by_name(flaky: Flaky, client: Client) -> None:
    with client.session("x") as session:

        @session.tool
        def find(order: int, /, place: str = "Oslo", *more: str, deep: bool = False, **rest: Any) -> str:
            """Finds it."""
            return f"{order} in {place}"

        assert find(7, "Bergen", "a", "b", colour="red") == "7 in Bergen"
        assert find(8) == "8 in Oslo"
        assert (find.__name__, find.__doc__) == ("find", "Finds it.")

        @session.tool(name="breaks")
        def fails(why: str) -> None:
            raise ValueError(why)

        with pytest.raises(ValueError, match="no luck"):
            fails("no luck")
        with pytest.raises(TypeError):
            fails("one", "too many")  # type: ignore[call-arg]
    assert client.flush(10)
    calls = [
        (payload["name"], payload["arguments"]) for kind, payload in events(flaky) if kind == "tool.call"
    ]
    assert calls == [
        ("find", {"order": 7, "place": "Bergen", "more": ["a", "b"], "colour": "red"}),
        ("find", {"order": 8}),
        ("breaks", {"why": "no luck"}),
        ("breaks", {"args": ["one", "too many"]}),
    ]
    outcomes = [payload for kind, payload in events(flaky) if kind == "tool.result"]
    assert [outcome.get("result") for outcome in outcomes] == ["7 in Bergen", "8 in Oslo", None, None]
    assert outcomes[2]["error"] == "ValueError: no luck"
    assert outcomes[3]["error"].startswith("TypeError: ")
    assert ends(flaky) == [{"status": "completed"}]


class Shelf:
    @goldloop.tool
    def take(self, book: str) -> "Shelf":
        return self

    @goldloop.tool(name="shelf.count")
    async def count(self) -> int:
        return 3

    def __repr__(self) -> str:
        return "<Shelf>"


async def test_a_tool_belongs_to_the_session_that_it_is_called_in(flaky: Flaky) -> None:
    shelf = Shelf()
    assert shelf.take("a") is shelf, "no session, no record"
    async with AsyncClient(flaky.url, "gl_x") as client:
        async with client.session("x") as session:
            shelf.take("b")
            assert await shelf.count() == 3
            await asyncio.to_thread(shelf.take, "c")
            context = contextvars.copy_context()
            thread = threading.Thread(target=context.run, args=(shelf.take, "d"))
            thread.start()
            thread.join()
        shelf.take("e")
    found = [without_time(payload) for _, payload in events(flaky, session)]
    assert [payload["arguments"] for payload in found if "name" in payload] == [
        {"book": "b"}, {}, {"book": "c"}, {"book": "d"},
    ]  # fmt: skip
    assert [payload["result"] for payload in found if "result" in payload] == [
        "<Shelf>",
        3,
        "<Shelf>",
        "<Shelf>",
    ]


async def test_an_asynchronous_tool_that_fails_or_is_cancelled_says_so(flaky: Flaky) -> None:
    async with AsyncClient(flaky.url, "gl_x") as client, client.session("x") as session:

        @session.tool
        async def wait(seconds: float) -> None:
            if not seconds:
                raise LookupError("nothing")
            await asyncio.sleep(seconds)

        with pytest.raises(LookupError):
            await wait(0)
        task = asyncio.create_task(wait(60))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.iscoroutinefunction(wait)
        later: Any = session.tool(lambda: wait(0))  # not async itself
        with pytest.raises(LookupError):
            await later()
    errors = [payload["error"] for _, payload in events(flaky) if "error" in payload]
    assert errors == [
        "LookupError: nothing",
        "CancelledError",
        "LookupError: nothing",
        "LookupError: nothing",
    ]


def test_a_call_as_a_block_tells_its_outcome_once(flaky: Flaky, client: Client) -> None:
    with client.session("x") as session:
        with session.tool_call("a") as call:
            call.result(1)
        with session.tool_call("b"):
            pass
        with pytest.raises(ValueError, match="no"), session.tool_call("c"):
            raise ValueError("no")
        assert not call.result(2)
    assert client.flush(10)
    outcomes = [without_time(payload) for kind, payload in events(flaky) if kind == "tool.result"]
    assert [(each.get("result"), each.get("error")) for each in outcomes] == [
        (1, None), (None, None), (None, "ValueError: no"),
    ]  # fmt: skip


def test_events_are_sent_in_batches_in_their_order(flaky: Flaky) -> None:
    flaky.gate.clear()
    with Client(flaky.url, "gl_x", queue_size=5000) as client:
        with client.session("a") as a, client.session("b") as b:
            for n in range(1100):
                a.event("step", {"n": n})
                b.event("step", {"n": n})
        flaky.gate.set()
        assert client.flush(60)
        assert client.background.stats.sent == 2204
    for session in (a, b):
        assert [payload["n"] for _, payload in events(flaky, session)] == list(range(1100))
    assert [len(asked.body) for asked in flaky.asked if asked.path.endswith("/events")] == [
        1000,
        1000,
        100,
        100,
    ]
    assert [asked.path.rpartition("/")[2] for asked in flaky.asked][-2:] == ["end", "end"]


def test_trouble_that_passes_loses_nothing_and_keeps_the_ids() -> None:
    trouble = [
        Answer(HANG_UP),
        Answer(503),
        Answer(200),
        Answer(500),
        Answer(HANG_UP),
        Answer(200),
        Answer(502),
    ]
    with flaky_server(*trouble) as flaky, Client(flaky.url, "gl_x") as client:
        with client.session("x") as session:
            session.user_message("hi")
            session.agent_message("Hello.")
        assert client.flush(30)
        assert client.background.stats.sent == 4
        bodies = [asked.body for asked in flaky.asked]
    assert bodies[0] == bodies[1] == bodies[2]
    assert bodies[3] == bodies[4] == bodies[5]
    assert bodies[6] == bodies[7]
    assert len(bodies) == 8


def test_a_server_that_is_away_costs_the_block_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "CLOSING_SECONDS", 0.2)
    senders: set[int] = set()
    tried = threading.Event()

    def note(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        senders.add(threading.get_ident())
        tried.set()
        raise httpx.ConnectError("nobody is there")

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", note)
    with Client(f"http://127.0.0.1:{free_port()}", "gl_x") as client:
        with client.session("x") as session:
            assert session.user_message("hi")
            assert tried.wait(30)
        assert threading.get_ident() not in senders
        assert client.background.stats.queued == 3


@pytest.mark.parametrize("status", [401, 403, 422])
def test_a_session_that_is_refused_costs_the_block_nothing(
    status: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TOGETHER_SECONDS", 30.0)

    def decide(asked: Asked) -> Answer:
        if status == 422 and asked.path != "/api/sessions":
            return NO_SESSION
        return Answer(status, {"code": "refused", "detail": "no"})

    with flaky_server() as flaky, Client(flaky.url, "gl_x") as client:
        flaky.decide = decide
        with client.session("x") as session:
            for n in range(500):
                assert session.event("step", {"n": n})
            session.output = 1
        assert client.flush(30)
        assert (client.background.stats.failed, client.background.stats.sent) == (502, 0)
        assert len(flaky.asked) == 3, "a list is not taken apart for what is wrong with all of it"
        assert "refused" in caplog.text


def test_one_event_that_is_refused_costs_that_event_alone(
    flaky: Flaky, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decide(asked: Asked) -> Answer:
        wrong = asked.path.endswith("/events") and any(event["type"] == "Bad!" for event in asked.body)
        return Answer(422, {"code": "invalid_input", "detail": "no"}) if wrong else Answer(200, {})

    flaky.decide = decide
    with client.session("x") as session:
        for n in range(50):
            session.event("Bad!" if n == 20 else "step", {"n": n})
    assert client.flush(30)
    assert (client.background.stats.failed, client.background.stats.sent) == (1, 51)
    assert ends(flaky) == [{"status": "completed"}]


def test_events_after_the_end_of_a_session_are_not_taken_apart(flaky: Flaky, client: Client) -> None:
    flaky.gate.clear()
    with client.session("x") as session:
        for n in range(100):
            session.event("step", {"n": n})
        ended = Answer(409, {"code": "session_ended", "detail": "This session has ended"})
        flaky.decide = lambda asked: ended if asked.path.endswith("/events") else Answer(200, {})
        flaky.gate.set()
        assert client.flush(30)
        assert client.background.stats.failed == 100
        assert len(flaky.asked) < 10


def test_a_full_queue_keeps_the_beginning_of_a_session(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "goldloop.client")
    with flaky_server() as flaky:
        flaky.gate.clear()
        with Client(flaky.url, "gl_x", queue_size=5) as client:
            with client.session("x") as session:
                for n in range(10):
                    session.event("step", {"n": n})
            assert (client.background.stats.queued, client.background.stats.dropped) == (5, 7)
            assert "dropped: the queue is full" in caplog.text
            flaky.gate.set()
            assert client.flush(10)
        assert [begin["agent"] for begin in begun(flaky)] == ["x"]
        assert [payload["n"] for _, payload in events(flaky)] == [7, 8, 9]
        assert ends(flaky) == [{"status": "completed"}]


def test_a_queue_full_of_beginnings_drops_the_oldest() -> None:
    with flaky_server() as flaky:
        flaky.gate.clear()
        with Client(flaky.url, "gl_x", queue_size=2) as client:
            open_sessions = [client.session(f"agent {n}").__enter__() for n in range(4)]
            assert (client.background.stats.queued, client.background.stats.dropped) == (2, 2)
            flaky.gate.set()
            assert client.flush(10)
        assert [begin["agent"] for begin in begun(flaky)][-2:] == ["agent 2", "agent 3"]
    for session in reversed(open_sessions):
        session.__exit__(None, None, None)


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("not now")

    def __str__(self) -> str:
        raise RuntimeError("not now")


def test_no_mistake_of_the_caller_is_raised(flaky: Flaky, client: Client) -> None:
    @goldloop.tool
    def echo(value: Any) -> Any:
        return value

    with client.session("x\x00", input={"a": Hostile()}, metadata={"b": {(1, 2): "\ud800"}}) as session:
        session.user_message()  # type: ignore[call-arg]
        session.model_request(colour=7)  # type: ignore[call-arg]
        session.tool_call().result()  # type: ignore[call-arg]
        session.event("step", 7)  # type: ignore[arg-type]
        session.event("step", {"v": Hostile()}, at="yesterday", more=1)  # type: ignore[call-arg, arg-type]
        assert session.tool_call("t", Hostile()).error() is False  # type: ignore[call-arg]
        hostile = Hostile()
        assert echo(hostile) is hostile
        session.output = {"h": Hostile()}
    assert not session.event("late", {})
    assert client.flush(10)
    (begin,) = begun(flaky)
    assert (begin["agent"], begin["input"]) == ("x\ufffd", {"a": "<Hostile>"})
    assert begin["metadata"] == {"b": {"(1, 2)": "\ufffd"}}
    assert [payload for kind, payload in events(flaky) if kind == "tool.call"][1]["arguments"] == {
        "value": "<Hostile>"
    }
    assert ends(flaky) == [{"status": "completed", "output": {"h": "<Hostile>"}}]
    assert client.background.stats.failed == 6


def test_an_exception_without_words_ends_it_too(flaky: Flaky, client: Client) -> None:
    class Silent(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    with pytest.raises(Silent), client.session("x"):
        raise Silent
    assert client.flush(10)
    assert ends(flaky) == [{"status": "failed", "error": {"code": "Silent", "message": ""}}]


def test_what_is_huge_is_cut_and_arrives(flaky: Flaky, client: Client) -> None:
    with client.session("x", input={"text": "x" * 3_000_000}) as session:
        session.tool_call("read", {"path": "/x"}).result("y" * 3_000_000)
        session.output = "z" * 3_000_000
    assert client.flush(30)
    (begin,), (end,) = begun(flaky), ends(flaky)
    result = next(payload for kind, payload in events(flaky) if kind == "tool.result")
    assert (begin["input"]["cut"], result["cut"]) == (["text"], ["result"])
    assert 100_000 < len(end["output"]) < 600_000
    assert 500_000 < len(result["result"]) < 600_000
    assert client.background.stats.failed == 0


def test_what_the_caller_changes_afterwards_is_not_recorded(flaky: Flaky, client: Client) -> None:
    with client.session("x") as session:
        arguments = {"ids": [1]}
        session.tool_call("find", arguments)
        arguments["ids"].append(2)
    assert client.flush(10)
    assert events(flaky)[0][1]["arguments"] == {"ids": [1]}


async def test_a_block_may_be_left_in_another_context(flaky: Flaky) -> None:
    async with AsyncClient(flaky.url, "gl_x") as client:

        async def words() -> AsyncIterator[str]:
            async with client.session("x") as session:
                session.agent_message("one")
                yield "one"
                yield "two"

        spoken = words()
        assert await anext(spoken) == "one"
        await asyncio.create_task(spoken.aclose())  # type: ignore[attr-defined]
    assert ends(flaky) == [{"status": "cancelled"}]


PROGRAM = """
import os, goldloop
client = goldloop.Client()
with client.session("x") as s:
    s.user_message("before")
    child = os.fork()
    s.event("step", {"of": "parent" if child else "child"})
    if child:
        assert os.waitpid(child, 0)[1] == 0
assert client.flush(20)
if not child:
    os._exit(0)
"""


def test_a_process_that_was_forked_records_and_does_not_end_it(flaky: Flaky) -> None:
    extra = {"GOLDLOOP_URL": flaky.url, "GOLDLOOP_KEY": "gl_x"}
    subprocess.run([sys.executable, "-c", PROGRAM], env=environment(extra), timeout=60, check=True)
    steps = [payload.get("of") or payload["text"] for _, payload in events(flaky)]
    assert sorted(steps) == ["before", "child", "parent"]
    assert [begin["id"] for begin in begun(flaky)] == [begun(flaky)[0]["id"]] * 2, "each says that it began"
    assert len(ends(flaky)) == 1


def test_a_program_that_ends_without_closing_still_sends(flaky: Flaky) -> None:
    program = """
import goldloop
client = goldloop.Client()
with client.session("x") as s:
    s.user_message("hi")
    raise SystemExit(3)
"""
    extra = {"GOLDLOOP_URL": flaky.url, "GOLDLOOP_KEY": "gl_x"}
    done = subprocess.run([sys.executable, "-c", program], env=environment(extra), timeout=120)
    assert done.returncode == 3
    assert events(flaky) == [("user.message", {"text": "hi"})]
    assert ends(flaky) == [{"status": "failed", "error": {"code": "SystemExit", "message": "3"}}]


KILLED = """
import os, signal, time, goldloop
client = goldloop.Client(spill=os.environ["FOLDER"])
s = client.session("x").__enter__()
for n in range(3):
    s.event("step", {"n": n})
while client.background.stats.saved < 4:
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_recorded_is_sent_at_the_next_start(tmp_path: Path) -> None:
    with flaky_server(*[Answer(503)] * 10_000) as flaky:
        assert run(KILLED, tmp_path / "queue", flaky.url) == -signal.SIGKILL
        flaky.answers.clear()
        flaky.asked.clear()
        with Client(flaky.url, "gl_x", spill=tmp_path / "queue") as client:
            assert client.flush(30)
        assert [asked.path.rpartition("/")[2] for asked in flaky.asked] == ["sessions", "events"]
        assert [payload["n"] for _, payload in events(flaky)] == [0, 1, 2]


def test_what_was_recorded_while_the_server_was_away_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "CLOSING_SECONDS", 0.2)
    with flaky_server() as flaky:
        with Client(flaky.url, "gl_x", spill=tmp_path / "queue", transport=nobody()) as client:
            with client.session("x") as session:
                session.user_message("hi")
            wait_until(client, saved=3)
        with Client(flaky.url, "gl_x", spill=tmp_path / "queue") as client:
            assert client.flush(30)
        assert len(begun(flaky)) == len(events(flaky)) == len(ends(flaky)) == 1
