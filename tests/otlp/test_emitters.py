"""Programs with real instrumentations send to a real server, on this machine, and sessions come of it."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from goldloop.tenants.model import Role
from tests.otlp import model_server
from tests.otlp.ground import Emitter
from tests.otlp.test_captures import EXPECTED, same_results
from tests.served import served

ROOT = Path(__file__).parents[2]
PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "opentelemetry_sdk": ("caught", {"agent": "weather_agent", "user": "user-77"}),
    "openinference_openai": (
        "caught",
        {
            "agent": "weather-bot",
            "user": "user-77",
            "results": [
                {"result": "22 degrees and sunny in Paris"},
                {"result": "error: weather service down for Rome"},
            ],
        },
    ),
    "pydantic_ai_agent": ("raised", {"agent": "weather_agent"}),
    "langfuse_openai": ("caught", {"agent": "weather_agent", "user": "user-77"}),
}


async def run_program(name: str, goldloop: str, model: str, key: str) -> str:
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("OTEL_", "LANGFUSE_", "GOLDLOOP_"))},
        "GOLDLOOP_URL": goldloop,
        "GOLDLOOP_KEY": key,
        "MODEL_URL": f"{model}/v1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
    }
    program = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        f"tests.otlp.programs.{name}",
        cwd=ROOT,
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await program.communicate()
    assert program.returncode == 0, output.decode()
    return output.decode()


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_program_with_an_instrumentation_becomes_a_session(
    name: str, emitter: Emitter, app: Any
) -> None:
    story, differs = PROGRAMS[name]
    wanted = {"user": None, **EXPECTED["stories"][story], **differs}
    _, secret = await emitter.workspace.make_key(Role.CONTRIBUTOR)
    async with served(app) as goldloop, served(model_server.app) as model:
        output = await run_program(name, goldloop, model, secret)
    await emitter.work()
    sessions = await emitter.sessions()
    assert [session["external_id"] for session in sessions] == ["conv-1234"], output
    (session,) = sessions
    assert (session["agent"], session["metadata"].get("user_id")) == (wanted["agent"], wanted["user"])
    assert session["status"] == "failed", "the last turn was refused"
    assert [each["text"] for each in await emitter.told(session, "user.message")] == wanted["said"]
    assert [each["text"] for each in await emitter.told(session, "agent.message")] == wanted["answered"]
    calls = await emitter.told(session, "tool.call")
    assert [[each["name"], each["arguments"]] for each in calls] == wanted["calls"]
    assert same_results(await emitter.told(session, "tool.result"), wanted["results"])
    counted = (session["requests"], session["input_tokens"], session["output_tokens"])
    assert counted == (wanted["requests"], wanted["input_tokens"], wanted["output_tokens"])
