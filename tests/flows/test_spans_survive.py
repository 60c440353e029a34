"""Whatever is killed while an exporter sends, every batch that was acknowledged becomes events, and none twice."""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from goldloop.kit.embedded_postgres import status
from tests.factories import make_workspace
from tests.loops import some
from tests.servers import GOLDLOOP, Program, Server, eventually, free_port, open_folder, start_server

TRACES = 250
TOOLS = 5
SPANS = TOOLS + 3  # an agent, two requests and their tools
BATCH = 10  # so that nearly every trace is in two requests
SECONDS = 240.0  # generous: other tests may run on the same cores


def spans() -> list[ReadableSpan]:
    """As the SDK makes them: a run of an agent each, that asks a model, calls tools, and asks again."""
    made = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({"service.name": "burst"}))
    provider.add_span_processor(SimpleSpanProcessor(made))
    tracer = provider.get_tracer("burst")
    for number in range(TRACES):
        about = {"gen_ai.operation.name": "invoke_agent", "session.id": f"s-{number:03}"}
        with tracer.start_as_current_span("invoke_agent burst", attributes=about):
            asked = [{"role": "user", "content": f"question {number}"}]
            calls = [
                {"type": "tool_call", "id": f"c{at}", "name": "look", "arguments": {"at": at}}
                for at in range(TOOLS)
            ]
            _ask(tracer, asked, {"role": "assistant", "parts": calls})
            for at in range(TOOLS):
                attributes = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "look",
                    "gen_ai.tool.call.id": f"c{at}",
                    "gen_ai.tool.call.result": f"found {at}",
                }
                tracer.start_span("execute_tool look", attributes=attributes).end()
            _ask(tracer, asked, {"role": "assistant", "content": f"answer {number}"})
    return list(made.get_finished_spans())


def _ask(tracer: Any, asked: list[Any], answer: dict[str, Any]) -> None:
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps([answer]),
    }
    tracer.start_span("chat m", attributes=attributes).end()


class Sending:
    """A real exporter, which is given each batch until it is acknowledged."""

    def __init__(self, url: str, secret: str, batches: Sequence[Sequence[ReadableSpan]]) -> None:
        self.exporter = OTLPSpanExporter(
            endpoint=f"{url}/v1/traces", headers={"Authorization": f"Bearer {secret}"}, timeout=2
        )
        self.batches = batches
        self.acknowledged = 0

    async def run(self) -> None:
        for batch in self.batches:
            while await asyncio.to_thread(self.exporter.export, batch) is not SpanExportResult.SUCCESS:
                continue
            self.acknowledged += 1

    async def reached(self, part: float) -> None:
        async def enough() -> bool:
            return self.acknowledged >= part * len(self.batches)

        await eventually(enough, SECONDS, every=0.005)


async def test_every_acknowledged_batch_becomes_events_and_none_twice_whatever_is_killed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL, "opentelemetry")  # it says much about what is away
    finished = spans()
    assert len(finished) == TRACES * SPANS == 2000
    batches = [finished[start : start + BATCH] for start in range(0, len(finished), BATCH)]
    with open_folder() as folder:
        port = free_port()
        programs: list[Program] = []
        server = await start_server(folder, port)
        programs.append(server.program)
        try:
            async with server.database() as db, make_workspace(db) as workspace:
                _, secret = await workspace.make_key()
            worker = await _worker(server, programs)
            sending = Sending(server.url, secret, batches)
            running = asyncio.create_task(sending.run())
            await sending.reached(0.2)
            worker.kill()
            await sending.reached(0.4)
            before = status(server.data_dir).pid
            server.kill_postgres()
            await sending.reached(0.6)
            assert status(server.data_dir).pid != before
            server.program.kill()
            assert sending.acknowledged < len(batches), "all was sent before: the test proves nothing"
            server = await start_server(folder, port)
            programs.append(server.program)
            await _worker(server, programs)
            await asyncio.wait_for(running, SECONDS)
            sessions = await eventually(lambda: _settled(server, secret), SECONDS, every=0.5)
            await _check(server, secret, sessions)
        finally:
            for program in reversed(programs):
                program.close()


async def _worker(server: Server, programs: list[Program]) -> Program:
    extra = {"GOLDLOOP_DATABASE_URL": server.database_url}
    programs.append(Program([*GOLDLOOP, "worker", "--json"], server.data_dir.parent, extra))
    assert (await programs[-1].line())["role"] == "worker"
    return programs[-1]


async def _settled(server: Server, secret: str) -> list[dict[str, Any]] | None:
    found: list[dict[str, Any]] = []
    cursor = None
    async with server.client(secret) as client:
        while True:
            page: dict[str, Any] = {"limit": 200, "source": "otlp", **({"cursor": cursor} if cursor else {})}
            body = (await client.get("/api/sessions", params=page)).json()
            found += body["data"]
            if (cursor := body["next_cursor"]) is None:
                break
    whole = [each for each in found if each["status"] == "completed" and each["tool_calls"] == TOOLS]
    return found if len(whole) == TRACES else None


async def _check(server: Server, secret: str, sessions: list[dict[str, Any]]) -> None:
    names = sorted(session["external_id"] for session in sessions)
    assert names == [f"s-{number:03}" for number in range(TRACES)]
    for session in some(sessions):
        assert (session["requests"], session["tool_calls"], session["input_tokens"]) == (2, TOOLS, 20), (
            session
        )
    async with server.client(secret) as client:
        for session in some(sessions):
            path = f"/api/sessions/{session['id']}/events"
            events = (await client.get(path, params={"limit": 200})).json()["data"]
            kinds = [event["type"] for event in events]
            number = int(session["external_id"].removeprefix("s-"))
            assert [e["payload"]["text"] for e in events if e["type"] == "user.message"] == [
                f"question {number}"
            ]
            assert [e["payload"]["text"] for e in events if e["type"] == "agent.message"] == [
                f"answer {number}"
            ]
            assert kinds.count("tool.result") == TOOLS
