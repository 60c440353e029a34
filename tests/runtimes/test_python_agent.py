"""Agents that are functions of installed packages: what they are given, and how they end."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

import goldloop
from goldloop.client.errors import ToolFailed
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.runtimes import python_agent
from goldloop.runtimes.runner import RUNTIMES
from tests.records import Desk, ok
from tests.runtimes.scripted import configured, events_of, kinds, show, start, work

AGENTS: dict[str, Any] = {}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What `AGENTS` has is offered as a package would offer it."""

    def offered(*, group: str) -> EntryPoints:
        return EntryPoints(
            EntryPoint(name, f"{__name__}:AGENTS_{name.replace('-', '_')}", group) for name in AGENTS
        )

    monkeypatch.setattr(python_agent, "entry_points", offered)
    yield
    AGENTS.clear()


def __getattr__(name: str) -> Any:
    if not name.startswith("AGENTS_"):
        raise AttributeError(name)
    return AGENTS[name.removeprefix("AGENTS_").replace("_", "-")]


async def run_function(
    desk: Desk, worker_db: Database, outside: Outside, function: Any, **more: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    AGENTS["ours"] = function
    config = {"runtime": "python", "entry_point": "ours", **more.pop("config", {})}
    slug = await configured(desk.workspace, "ours", **config)
    session = await start(desk.contributor, slug, **more)
    await work(worker_db, desk.workspace, outside, session)
    return await show(desk.contributor, session["id"]), await events_of(desk.contributor, session)


def answer(run: Any) -> dict[str, Any]:
    assert threading.current_thread() is not threading.main_thread()
    assert (run.message, run.input["message"]) == ("How many?", "How many?")
    assert run.messages == [{"role": "user", "content": "How many?"}]
    assert (run.metadata, run.output_schema) == ({"ticket": 7}, None)
    run.session.agent_message("I look.")
    company = run.context["entity"]
    read = run.tool("getEntity", entityId=company["id"])
    try:
        run.tool("getEntity", entityId="nothing")
    except ToolFailed as failure:
        run.emit("thought", {"of": str(failure)[:20]})
    run.tool("submitResponse", entityId=company["id"], values={"employees": 3})
    return {"name": read["content"]["name"], "session": str(run.session.id)}


async def answer_async(run: Any) -> dict[str, Any]:
    run.session.agent_message("I look.")
    company = run.context["entity"]
    read = await run.tool("getEntity", entityId=company["id"])
    try:
        await run.tool("getEntity", entityId="nothing")
    except ToolFailed as failure:
        run.emit("thought", {"of": str(failure)[:20]})
    await run.tool("submitResponse", entityId=company["id"], values={"employees": 3})
    return {"name": read["content"]["name"], "session": str(run.session.id)}


@pytest.mark.parametrize(
    "function", [answer, answer_async, goldloop.agent(answer), goldloop.agent(name="x")(answer_async)]
)
async def test_a_function_is_given_a_run_and_what_it_does_is_recorded(
    desk: Desk, worker_db: Database, outside: Outside, function: Any
) -> None:
    record = await desk.make_record({"name": "Acme"})
    ended, events = await run_function(
        desk,
        worker_db,
        outside,
        function,
        message="How many?",
        entity_id=record["id"],
        metadata={"ticket": 7},
        config={"tool_groups": ["entities-read", "responses"]},
    )
    assert ended["error"] is None
    assert ended["output"] == {"name": "Acme", "session": ended["id"]}
    assert kinds(events) == [
        "session.created",
        "user.message",
        "session.claimed",
        "agent.called",
        "agent.message",
        "tool.call",
        "tool.result",
        "tool.call",
        "tool.result",
        "thought",
        "tool.call",
        "response.submitted",
        "tool.result",
        "session.completed",
    ]
    assert len(ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]) == 1


async def test_a_text_that_a_function_returns_is_its_message(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    ended, events = await run_function(desk, worker_db, outside, lambda run: "Hello\x00.")
    assert ended["output"] == "Hello\ufffd."
    assert events[-2]["payload"] == {"text": "Hello\ufffd."}


def raising(error: BaseException) -> Callable[[Any], Any]:
    def function(run: Any) -> Any:
        raise error

    return function


async def leave(run: Any) -> None:
    raise SystemExit(3)


def wrong_event(run: Any) -> None:
    run.emit("session.completed", {})


@pytest.mark.parametrize(
    ("function", "code", "words"),
    [
        (raising(KeyError("city")), "agent_failed", "KeyError: 'city'"),
        (raising(SystemExit(3)), "agent_failed", "SystemExit: 3"),
        (leave, "agent_failed", "SystemExit: 3"),
        (wrong_event, "agent_failed", "server's own"),
        (lambda run: object(), "bad_output", "not JSON"),
        (lambda run: "x" * 2_000_000, "bad_output", "longer"),
        (lambda run: run.tool("getEntity", entityId=object()), "agent_failed", "not JSON"),
        ("not a function", "agent_failed", "TypeError"),
    ],
)
async def test_each_failure_of_a_function_has_its_code(
    desk: Desk, worker_db: Database, outside: Outside, function: Any, code: str, words: str
) -> None:
    ended, _ = await run_function(desk, worker_db, outside, function)
    assert (ended["status"], ended["error"]["code"]) == ("failed", code), ended["error"]
    assert words in ended["error"]["message"]


async def test_an_agent_that_no_package_offers_is_named_with_those_that_are(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    AGENTS["other"] = answer
    slug = await configured(desk.workspace, runtime="python", entry_point="gone")
    session = await start(desk.contributor, slug)
    await work(worker_db, desk.workspace, outside, session)
    ended = await show(desk.contributor, session["id"])
    assert ended["error"]["code"] == "agent_missing"
    assert "gone" in ended["error"]["message"]
    assert "other" in ended["error"]["message"]


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_function_that_takes_too_long_is_left_and_writes_nothing_more(
    desk: Desk, worker_db: Database, outside: Outside, is_async: bool
) -> None:
    record = await desk.make_record({"name": "Acme"})
    go, over = threading.Event(), threading.Event()
    raised: list[BaseException] = []
    values = {"employees": 3}

    def slow(run: Any) -> None:
        go.wait(60)
        try:
            run.tool("submitResponse", entityId=record["id"], values=values)
        except BaseException as error:
            raised.append(error)
        over.set()

    async def slow_async(run: Any) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            raised.append(error)
            over.set()
            raise

    config = {"limits": {"seconds": 1}, "tool_groups": ["responses"]}
    ended, _ = await run_function(desk, worker_db, outside, slow_async if is_async else slow, config=config)
    assert ended["error"]["code"] == "limit_seconds"
    go.set()
    assert await asyncio.to_thread(over.wait, 30)
    assert [type(error).__name__ for error in raised] == ["CancelledError" if is_async else "RunOver"]
    assert ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"] == []


async def test_a_function_cannot_go_on_beyond_a_limit_by_catching_it(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    caught = threading.Event()

    def stubborn(run: Any) -> str:
        for _ in range(3):
            try:
                run.tool("listEntityTypes")
            except Exception:
                caught.set()
        return "All done."

    ended, _ = await run_function(
        desk,
        worker_db,
        outside,
        stubborn,
        config={"limits": {"tool_calls": 1}, "tool_groups": ["entities-read"]},
    )
    assert (ended["status"], ended["error"]["code"]) == ("failed", "limit_tool_calls")
    assert await asyncio.to_thread(caught.wait, 30)


async def test_a_cancelled_session_leaves_a_thread_that_can_write_nothing(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    begun, go = threading.Event(), threading.Event()

    def held(run: Any) -> str:
        begun.set()
        go.wait(60)
        run.session.agent_message("Too late.")
        return "Too late."

    AGENTS["ours"] = held
    slug = await configured(desk.workspace, runtime="python", entry_point="ours")
    session = await start(desk.contributor, slug)
    running = asyncio.create_task(work(worker_db, desk.workspace, outside, session))
    assert await asyncio.to_thread(begun.wait, 30)
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/cancel"))
    go.set()
    await running
    assert kinds(await events_of(desk.contributor, session))[-2:] == ["agent.called", "session.cancelled"]


def test_every_runtime_has_its_runner() -> None:
    assert {str(runtime) for runtime in RUNTIMES} == {"built_in", "http", "python"}
