"""What an agent that is called over HTTP is sent, and what its answer means. Pure."""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from goldloop.kit.errors import InvalidInput
from goldloop.kit.http import read_as
from goldloop.runtimes.agent_events import read_object
from goldloop.runtimes.model import RunFailed, RunPlan

MOST_ANSWER_BYTES = 4 * 1024 * 1024
LONGEST_WAIT = 60.0  # seconds that an agent may ask us to wait before we try again

Told = tuple[str, dict[str, Any]]  # an event of the agent: its name and its payload


class Answer(NamedTuple):
    output: Any
    events: list[Told]


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    role: str
    content: Any = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None


class _Usage(msgspec.Struct, frozen=True, kw_only=True):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    output: Any
    messages: list[_Message] | None = None
    usage: _Usage | None = None
    model: str | None = None


def headers(plan: RunPlan, secret: str | None) -> dict[str, str]:
    """The trace has the session's id, so that spans which an agent sends elsewhere are told to be of it."""
    session = plan.session.id
    span = hashlib.sha256(f"{session}:{plan.claim.number}".encode()).hexdigest()[:16]
    sent = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream, application/json",
        "Accept-Encoding": "identity",
        "User-Agent": "goldloop",
        "Idempotency-Key": str(session),
        "traceparent": f"00-{session.hex}-{span}-01",
        "baggage": f"session.id={session}",
    }
    return sent | ({"Authorization": f"Bearer {secret}"} if secret else {})


def body(plan: RunPlan, server_url: str, token: str) -> bytes:
    session, brief = plan.session, plan.brief
    sent: dict[str, Any] = {
        "session_id": session.id,
        "run_id": session.id,
        "agent": session.agent,
        "input": {**session.input, "message": brief.message},
        "messages": messages(plan),
        "context": brief.context,
        "tools": {"url": f"{server_url}/api/tools", "token": token},
        "mcp": {"url": f"{server_url}/mcp", "token": token},
        "metadata": session.metadata,
    }
    if plan.prompt.manifest is not None:
        sent["shared_context"] = {"text": plan.prompt.text, "manifest": plan.prompt.manifest}
    if brief.output_schema is not None:
        sent["output_schema"] = brief.output_schema
    return msgspec.json.encode(sent)


def messages(plan: RunPlan) -> list[dict[str, str]]:
    """What an agent is told first, what was said before, and last what it is asked."""
    before = [{"role": message.role, "content": message.content} for message in plan.spoken]
    system = [{"role": "system", "content": plan.instructions}] if plan.instructions else []
    return [*system, *before, {"role": "user", "content": plan.brief.message}]


def read_answer(raw: bytes) -> Answer:
    """A whole answer in JSON, and what it tells of what happened."""
    what = "The agent's answer"
    sent = read_object(raw, what)
    try:
        answer = read_as(sent, _Answer)
    except InvalidInput as error:
        raise RunFailed("agent_answer_unreadable", f"{what} cannot be read: {_faults(error)}") from error
    events = [event for message in answer.messages or () for event in _events_of(message)]
    if answer.usage or answer.model:
        usage = msgspec.to_builtins(answer.usage or _Usage())
        used = {key: value for key, value in usage.items() if value is not None}
        events.append(("model.request", {"model": answer.model or "unknown", **used}))
    return Answer(answer.output, events)


def _events_of(message: _Message) -> Iterator[Told]:
    if message.role == "assistant":
        if isinstance(message.content, str) and message.content.strip():
            yield "agent.message", {"text": message.content}
        for call in message.tool_calls or ():
            yield "tool.call", _call(call)
    elif message.role == "tool":
        yield "tool.result", {"id": message.tool_call_id, "result": message.content}


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    """As we write a call, or as OpenAI does, with the arguments as text."""
    function = call.get("function")
    named = function if isinstance(function, dict) else call
    arguments = named.get("arguments")
    if isinstance(arguments, str):
        with suppress(msgspec.DecodeError):
            arguments = msgspec.json.decode(arguments)
    return {"id": call.get("id"), "name": named.get("name"), "arguments": arguments}


def read_output(event: dict[str, Any]) -> Any:
    """Of the event `done`."""
    if "output" not in event:
        raise RunFailed("agent_answer_unreadable", "The agent's event done has no output")
    return event["output"]


def wait_of(status: int, retry_after: str | None) -> float | None:
    """How long an agent that is busy asks us to wait before the call is sent again; None where it is not to be."""
    if status not in (429, 503) or retry_after is None:
        return None
    text = retry_after.strip()
    if not text.isascii() or not text.isdigit():
        return None
    return float(text) if float(text) <= LONGEST_WAIT else None


def _faults(error: InvalidInput) -> str:
    return "; ".join(f"{fault.path or '/'}: {fault.message}" for fault in error.errors)
