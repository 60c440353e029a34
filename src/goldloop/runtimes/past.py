"""What a session's events tell whoever goes on with it: the messages so far, which tool calls are finished, what is used up. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple


class Happened(NamedTuple):
    """An event with its whole payload."""

    type: str
    at: datetime
    payload: dict[str, Any]


class CallKey(NamedTuple):
    """A tool call: models reuse ids, so it counts how many answers of the model came before."""

    responses: int
    id: str


class Past(NamedTuple):
    """`messages` are those of the model's conversation, as they were recorded: requests that were answered, each with its
    answer. `seconds` is how long it was worked on: the time between two workers, and until a person answered, left out. `handed_over` says that an agent
    elsewhere, or of a package, was called, and what it did since is not known."""

    messages: list[Any]
    called: frozenset[CallKey]
    results: dict[CallKey, dict[str, Any]]
    responses: int
    requests: int
    tokens: int
    cost: float
    seconds: float
    handed_over: bool


def read_past(events: Iterable[Happened]) -> Past:
    messages: list[Any] = []
    asked: list[Any] = []
    called: set[CallKey] = set()
    results: dict[CallKey, dict[str, Any]] = {}
    responses = requests = tokens = 0
    cost = seconds = 0.0
    claimed = latest = None
    handed_over = False
    for event in events:
        payload = event.payload
        match event.type:
            case "session.claimed":
                seconds += _between(claimed, latest)
                claimed = event.at
            case "session.waiting":  # until somebody claims it again nobody works on it
                seconds += _between(claimed, event.at)
                claimed = None
            case "model.request":
                requests += 1
                asked = payload.get("messages", [])
            case "model.response":
                messages += [*asked, payload["message"]] if "message" in payload else []
                asked = []
                responses += 1
            case "agent.called":
                handed_over = True
            case "tool.call":
                called.add(CallKey(responses, payload["id"]))
            case "tool.result":
                results[CallKey(responses, payload["id"])] = payload
        tokens += _number(payload, "input_tokens") + _number(payload, "output_tokens")
        cost += payload.get("cost") or 0.0
        latest = event.at
    return Past(
        messages=messages,
        called=frozenset(called),
        results=results,
        responses=responses,
        requests=requests,
        tokens=tokens,
        cost=cost,
        seconds=seconds,
        handed_over=handed_over,
    )


def _between(claimed: datetime | None, latest: datetime | None) -> float:
    """How long the last worker was at it, as far as its events tell."""
    if claimed is None or latest is None:
        return 0.0
    return max(0.0, (latest - claimed).total_seconds())


def _number(payload: dict[str, Any], key: str) -> int:
    return int(payload.get(key) or 0)
