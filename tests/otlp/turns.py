"""Turns as agents report them: what was said and answered, in spans of one trace each."""

import json
from typing import Any

from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from tests.otlp.wire import span

CHAT: dict[str, Any] = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m-1"}


def said(user: str, answer: str | None = None, history: tuple[str, ...] = ()) -> dict[str, Any]:
    """Attributes of a request to a model; `history` alternates between user and assistant."""
    roles = ["user", "assistant"]
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate((*history, user))]
    found: dict[str, Any] = {**CHAT, "gen_ai__input__messages": json.dumps(messages)}
    if answer is not None:
        found["gen_ai__output__messages"] = json.dumps([{"role": "assistant", "content": answer}])
    return found


def turn(
    number: int, user: str, answer: str | None, *history: str, session: str = "conv", **more: Any
) -> list[WireSpan]:
    """A trace: an agent and its request, at `number` seconds."""
    start = number * 1000
    root = span(
        1,
        trace=number,
        name="invoke_agent bot",
        start=start,
        end=start + 500,
        gen_ai__operation__name="invoke_agent",
        session__id=session,
        **more,
    )
    ask = span(
        2,
        1,
        trace=number,
        start=start + 10,
        end=start + 400,
        gen_ai__usage__input_tokens=10,
        **said(user, answer, history),
    )
    return [ask, root]
