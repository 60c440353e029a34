"""The lines that people copy to connect an agent do what they promise, with a key that may no more than it must."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from goldloop.otlp.emitters import EMITTERS as KNOWN
from goldloop.otlp.emitters import UNKNOWN, emitter_of
from goldloop.otlp.emitters import Emitter as EmitterRow
from goldloop.tenants.model import Role
from tests import snippets
from tests.loops import some
from tests.otlp import model_server
from tests.otlp.ground import Emitter
from tests.otlp.stories import stories
from tests.otlp.test_captures import expected
from tests.otlp.wire import captured
from tests.records import ok
from tests.served import served
from tests.snippets import SNIPPETS

RUN = {
    "opentelemetry",
    "openinference",
    "pydantic-ai",
    "langfuse",
}  # the others' packages are not installed here
CAPTURED = {"langchain", "openai-agents", "vercel-ai", "langsmith"}
EMITTERS = {
    "opentelemetry": "OpenTelemetry",
    "openinference": "OpenInference",
    "pydantic-ai": "pydantic-ai",
    "langchain": "OpenInference",
    "openai-agents": "OpenInference",
    "vercel-ai": "Vercel AI SDK 7",
    "langfuse": "Langfuse SDK",
    "langsmith": "LangSmith",
}
ANSWERS = {"opentelemetry": "Good morning"}  # of the rest: what the model of the tests says
PAGES = {
    page: (snippets.ROOT / "docs" / page).read_text()
    for page in ("opentelemetry.md", "mcp.md", "agents-and-sessions.md")
}


async def secret_for(emitter: Emitter, snippet: str) -> str:
    """A key as the page makes it."""
    _, secret = await emitter.workspace.make_key(Role.CONTRIBUTOR, scopes=SNIPPETS[snippet]["scopes"])
    return secret


async def check_told(emitter: Emitter, snippet: str) -> None:
    """Session, person, agent, question and answer are there, and nothing is missed in what was sent."""
    await emitter.work()
    session = await emitter.session()
    assert (session["external_id"], session["agent"], session["source"]) == (
        "conversation-1",
        "my-agent",
        "otlp",
    )
    assert session["metadata"]["user_id"] == "user-1"
    assert session["status"] == "completed"
    assert [each["text"] for each in await emitter.told(session, "user.message")] == ["Hello"]
    answer = ANSWERS.get(snippet, "Here is the weather for you.")
    assert [each["text"] for each in await emitter.told(session, "agent.message")] == [answer]
    (source,) = ok(await emitter.client.get("/api/otlp/sources"))["data"]
    assert (source["service"], source["emitter"]) == ("my-agent", EMITTERS[snippet])
    assert source["missing"] == []


def test_every_snippet_is_run_or_captured() -> None:
    of_spans = {name for name, each in SNIPPETS.items() if each["receives"] == "spans"}
    assert of_spans == RUN | CAPTURED
    assert {folder.name for folder in snippets.CAPTURES.iterdir() if folder.is_dir()} == CAPTURED
    assert set(SNIPPETS) - of_spans == {"mcp", "http", "python"}


def test_every_file_belongs_to_a_snippet() -> None:
    used = {file for name in SNIPPETS for file in snippets.files_of(name)}
    assert {path.name for path in snippets.FOLDER.iterdir()} == {"index.json", *used}


@pytest.mark.parametrize("name", sorted(RUN))
async def test_the_lines_of_an_instrumentation_send_a_whole_session(
    name: str, emitter: Emitter, app: Any, tmp_path: Path
) -> None:
    secret = await secret_for(emitter, name)
    async with served(app) as goldloop, served(model_server.app) as model:
        await snippets.run(name, goldloop, secret, model, tmp_path)
    await check_told(emitter, name)


@pytest.mark.parametrize("name", sorted(CAPTURED))
async def test_what_the_lines_sent_is_a_whole_session(name: str, emitter: Emitter) -> None:
    client = await emitter.workspace.client_with(await secret_for(emitter, name))
    folder = snippets.CAPTURES / name
    for file in some(sorted(folder.glob("*-traces.pb"))):
        body = ExportTraceServiceRequest.FromString(file.read_bytes())
        answer = await client.post(
            "/v1/traces",
            content=body.SerializeToString(),
            headers={"Content-Type": "application/x-protobuf"},
        )
        assert answer.status_code == 200
    await check_told(emitter, name)


@pytest.mark.parametrize("name", sorted(CAPTURED))
def test_a_capture_is_of_the_lines_as_they_are(name: str) -> None:
    """Lines that changed are run again: `python -m tests.otlp.capture_snippet`."""
    made_of = json.loads((snippets.CAPTURES / name / "lines.json").read_text())
    assert made_of == {"sha256": snippets.fingerprint(name)}


def test_the_settings_for_content_are_those_of_the_emitter_and_content_comes_with_them() -> None:
    settings = re.findall(r"export (\S+)", snippets.text_of("opentelemetry-content.sh"))
    named = re.findall(r"`([^`]+)`", emitter_of("opentelemetry.instrumentation.openai_v2").content)
    assert settings == named
    told = [each for each in stories(*captured("otel-genai-openai")) if each.makes_session]
    assert [request.input for each in told for request in each.requests if request.input]
    assert expected("otel-genai-openai")["said"]


@pytest.mark.parametrize("known", [*KNOWN, UNKNOWN], ids=lambda known: known.name)
def test_what_turns_on_a_missing_part_can_be_copied(known: EmitterRow) -> None:
    """Between backticks, which are in pairs. Strands has no switch for content."""
    for how in (known.content, known.session, known.user):
        assert how.count("`") % 2 == 0
        assert re.search(r"`[^`]+`", how) or (known.name, how) == ("Strands", known.content)


@pytest.mark.parametrize("name", ["http", "python"])
async def test_the_lines_that_record_a_session_record_one(
    name: str, emitter: Emitter, app: Any, tmp_path: Path
) -> None:
    secret = await secret_for(emitter, name)
    async with served(app) as goldloop:
        await snippets.run(name, goldloop, secret, goldloop, tmp_path)
    session = await emitter.session()
    assert (session["agent"], session["source"], session["status"]) == ("my-agent", "client", "completed")
    assert [each["text"] for each in await emitter.told(session, "user.message")] == ["Hello"]
    assert [each["text"] for each in await emitter.told(session, "agent.message")] == ["Good morning"]


async def test_a_client_of_mcp_has_the_tools_with_each_of_its_lines(
    emitter: Emitter, app: Any, tmp_path: Path
) -> None:
    secret = await secret_for(emitter, "mcp")
    async with served(app) as goldloop, served(model_server.app) as model:
        configured = json.loads(snippets.lines_for("mcp.json", goldloop, secret))["mcpServers"]["goldloop"]
        async with (
            httpx2.AsyncClient(headers=configured["headers"], timeout=60) as http,
            Client(streamable_http_client(configured["url"], http_client=http)) as client,
        ):
            assert "submitResponse" in {tool.name for tool in (await client.list_tools()).tools}
        program = tmp_path / "program"
        program.mkdir()
        output = await snippets.run_program("mcp.py", goldloop, secret, model, program)
    assert "Here is the weather for you." in output
    words = shlex.split(snippets.lines_for("mcp-claude.sh", goldloop, secret))
    assert words[:3] == ["claude", "mcp", "add"]
    assert words[words.index("--transport") + 1] == configured["type"]
    assert configured["url"] in words
    name, _, value = words[words.index("--header") + 1].partition(": ")
    assert {name: value} == configured["headers"]


@pytest.mark.parametrize("name", SNIPPETS)
def test_the_documentation_has_the_same_lines(name: str) -> None:
    for file in some(snippets.files_of(name)):
        fenced = re.compile(r"```\w+\n" + re.escape(snippets.text_of(file)) + r"```$", re.MULTILINE)
        assert any(fenced.search(text) for text in PAGES.values()), f"no page has {file} as it is"
