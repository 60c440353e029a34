"""A function that is an agent: every call of it is a session, and it does what it did."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

import goldloop
from goldloop.client import AgentFunction, AsyncClient, Client, ToolFailed, agent_runs, current_session
from tests.client.flaky import Answer, Asked, Flaky, flaky_server
from tests.client.test_recording import begun, ends, events, without_time


def decide(asked: Asked) -> Answer:
    if asked.path == "/api/tools/getEntity":
        return Answer(200, {"title": "Halden", **asked.body})
    return Answer(200, {"error": "no"} if asked.path.startswith("/api/tools/") else {})


@pytest.fixture
def flaky() -> Iterator[Flaky]:
    with flaky_server() as flaky:
        flaky.decide = decide
        yield flaky


@pytest.fixture
def client(flaky: Flaky) -> Iterator[Client]:
    with Client(flaky.url, "gl_x") as client:
        yield client


@pytest.fixture
def configured(flaky: Flaky, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """As a process with both variables is."""
    monkeypatch.setenv("GOLDLOOP_URL", flaky.url)
    monkeypatch.setenv("GOLDLOOP_KEY", "gl_x")
    agent_runs._client_of.cache_clear()
    client = agent_runs._client_needed()
    yield client
    client.close()
    agent_runs._client_of.cache_clear()


def kinds(flaky: Flaky) -> list[str]:
    return [kind for kind, _ in events(flaky)]


def test_a_call_is_a_session(flaky: Flaky, configured: Client) -> None:
    @goldloop.agent
    def answer_bot(run: goldloop.Run) -> str:
        """Answers."""
        assert (run.message, run.input) == ("Who?", {"message": "Who?", "order": 7})
        assert (run.context, run.metadata) == ({"entity": "e1"}, {"release": 3})
        assert run.messages == [{"role": "user", "content": "Who?"}]
        assert current_session() is run.session
        run.session.event("thought", {"about": run.message})
        return str(run.tool("getEntity", entityId="e1")["title"])

    assert (
        answer_bot("Who?", input={"order": 7}, context={"entity": "e1"}, metadata={"release": 3}) == "Halden"
    )
    assert (answer_bot.name, answer_bot.__doc__) == ("answer_bot", "Answers.")
    assert configured.flush(10)
    (begin,) = begun(flaky)
    assert (begin["agent"], begin["input"]) == ("answer_bot", {"message": "Who?", "order": 7})
    assert begin["metadata"] == {"release": 3}
    found = [(kind, without_time(payload)) for kind, payload in events(flaky)]
    call = found[2][1]["id"]
    assert found == [
        ("user.message", {"text": "Who?"}),
        ("thought", {"about": "Who?"}),
        ("tool.call", {"id": call, "name": "getEntity", "arguments": {"entityId": "e1"}}),
        ("tool.result", {"id": call, "result": {"title": "Halden", "entityId": "e1"}}),
        ("agent.message", {"text": "Halden"}),
    ]
    assert ends(flaky) == [{"status": "completed", "output": "Halden"}]


@pytest.mark.parametrize("kind", ["environment", "Client", "AsyncClient"])
async def test_an_asynchronous_one_runs_on_any_client(flaky: Flaky, configured: Client, kind: str) -> None:
    asynchronous = AsyncClient(flaky.url, "gl_x")
    given: dict[str, Any] = {"environment": None, "Client": configured, "AsyncClient": asynchronous}

    @goldloop.agent(name="bot", client=given[kind])
    async def answer(run: goldloop.AsyncRun) -> str:
        await asyncio.sleep(0)
        with pytest.raises(ToolFailed):
            await run.tool("breaks")
        return str((await run.tool("getEntity"))["title"])

    assert await answer("Who?") == "Halden"
    assert answer.is_async
    await asynchronous.aclose()
    assert configured.flush(10)
    assert kinds(flaky) == [
        "user.message", "tool.call", "tool.result", "tool.call", "tool.result", "agent.message",
    ]  # fmt: skip
    assert events(flaky)[2][1]["error"].startswith("ToolFailed: no")


def test_what_it_raises_is_raised_and_recorded(flaky: Flaky, client: Client) -> None:
    @goldloop.agent(client=client)
    def breaks(run: goldloop.Run) -> str:
        raise LookupError(run.message)

    with pytest.raises(LookupError, match="nowhere"):
        breaks("nowhere")
    assert client.flush(10)
    assert ends(flaky) == [{"status": "failed", "error": {"code": "LookupError", "message": "nowhere"}}]


def test_an_agent_that_calls_another_is_its_parent(flaky: Flaky, client: Client) -> None:
    @goldloop.agent(client=client)
    def inner(run: goldloop.Run) -> str:
        return run.message.upper()

    @goldloop.agent(client=client)
    def outer(run: goldloop.Run) -> dict[str, str]:
        run.session.agent_message("Let me ask.")
        return {"said": inner(run.message)}

    assert outer("hi") == {"said": "HI"}
    assert client.flush(10)
    sessions = {begin["agent"]: begin for begin in begun(flaky)}
    assert sessions["inner"]["parent_session_id"] == sessions["outer"]["id"]
    assert [end["output"] for end in ends(flaky)] == ["HI", {"said": "HI"}]


def test_what_it_said_itself_is_not_said_twice(flaky: Flaky, client: Client) -> None:
    @goldloop.agent(client=client)
    def says(run: goldloop.Run) -> str:
        run.session.agent_message("Done.")
        return "Done."

    says("hi")
    assert client.flush(10)
    assert kinds(flaky) == ["user.message", "agent.message"]


def test_without_a_server_it_runs_and_is_not_recorded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("GOLDLOOP_URL", raising=False)
    monkeypatch.delenv("GOLDLOOP_KEY", raising=False)
    agent_runs._client_of.cache_clear()
    agent_runs._say_once.cache_clear()
    caplog.set_level(logging.WARNING, "goldloop.client")

    @goldloop.tool
    def twice(text: str) -> str:
        return text * 2

    @goldloop.agent
    def echo(run: goldloop.Run) -> str:
        with pytest.raises(goldloop.GoldloopError) as caught:
            run.tool("getEntity")
        assert caught.value.code == "not_configured"
        run.session.event("thought")
        return twice(run.message)

    assert [echo("hi"), echo("ho")] == ["hihi", "hoho"]
    assert len(caplog.records) == 1
    assert "GOLDLOOP_URL" in caplog.text


class OtherRun:
    """As another program makes one, Goldloop's server for example."""

    input: dict[str, Any] = {"message": "hi"}  # noqa: RUF012
    message = "hi"
    messages: list[dict[str, Any]] = []  # noqa: RUF012
    context: dict[str, Any] = {}  # noqa: RUF012
    metadata: dict[str, Any] = {}  # noqa: RUF012

    class Session:
        id = UUID(int=1)

        def agent_message(self, text: str) -> None: ...
        def event(self, type: str, payload: Any = None) -> None: ...

    session = Session()

    def tool(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        return {"tool": name, **arguments}


def test_a_run_of_somebody_else_is_only_run(flaky: Flaky, client: Client) -> None:
    @goldloop.agent(client=client)
    def ask(run: goldloop.Run) -> str:
        return str(run.tool("look", at=run.message))

    run: goldloop.Run = OtherRun()
    assert ask(run) == "{'tool': 'look', 'at': 'hi'}"
    assert client.flush(10)
    assert flaky.asked == []


def test_a_function_that_is_not_async_wants_a_client_that_is_not() -> None:
    client = AsyncClient("http://goldloop.test", "gl_x")
    with pytest.raises(TypeError, match="not async"):
        AgentFunction(lambda run: "hi", "bot", client)
