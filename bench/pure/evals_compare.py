"""Comparing sessions beside parsing them: 1,000 pairs of 50 events, half of which differ in what they changed."""

import json
from typing import Any

from bench.pure.model import Prepared, PureWorkload
from goldloop.evals import compare

COUNT = 1_000
EVENTS = 50
MOST_PASSES = 5  # reading both sessions from JSON costs one; comparing them may not be what takes the time
READ_TOOLS = ("get_user_details", "get_order_details", "search_direct_flight", "calculate")
WRITE = "update_reservation"
TOOLS = {
    **{name: {"writes": False, "arguments": ["order_id", "user_id", "filter.date"]} for name in READ_TOOLS},
    WRITE: {
        "writes": True,
        "arguments": ["reservation_id", "cabin", "flights[].number", "flights[].date", "payment_id"],
    },
}
FACTS = ["1628", "HAT136"]


def session(number: int, differs: bool) -> dict[str, Any]:
    """A chat with a read in most turns, a write in every fourth, and sentences of the length that agents write."""
    events: list[dict[str, Any]] = []
    turn = 0
    while len(events) < EVENTS - 1:
        call_id, name = f"call_{number}_{turn}", READ_TOOLS[turn % len(READ_TOOLS)]
        arguments: dict[str, Any] = {"order_id": f"#W{number}{turn}", "filter": {"date": "2026-05-20"}}
        if turn % 4 == 3:
            name = WRITE
            arguments = {
                "reservation_id": f"R{turn}",
                "cabin": "business" if differs and turn == 3 else "economy",
                "flights": [
                    {"number": "HAT136", "date": "2026-05-20"},
                    {"number": "HAT039", "date": "2026-05-21"},
                ],
                "payment_id": "credit_card_4421486",
            }
        events += [
            _event("user.message", {"text": f"Could you please look at my order #W{number}{turn} again?"}),
            _event("tool.call", {"id": call_id, "name": name, "arguments": arguments}),
            _event("tool.result", {"id": call_id, "result": {"status": "ok", "total": 1628 + turn, "items": [1, 2]}}),
            _event("agent.message", {"text": f"I have looked at it: the total of order {turn} comes to $1,628.00."}),
        ]  # fmt: skip
        turn += 1
    events = [*events[: EVENTS - 1], _event("agent.message", {"text": "You fly with HAT136. Anything else?"})]
    return {"type": "chat", "status": "completed", "events": events}


def _event(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "payload": payload}


def prepare(count: int = COUNT) -> Prepared:
    """Sessions that are there already, beside `json.loads` of the same sessions. What either makes is dropped."""
    pairs = [
        ({**session(n, False), "tools": TOOLS, "facts": FACTS}, session(n, n % 2 == 1)) for n in range(count)
    ]
    texts = [(json.dumps(golden), json.dumps(replay)) for golden, replay in pairs]

    def compare_all() -> None:
        for golden, replay in pairs:
            compare(golden, replay)

    def parse_all() -> None:
        for golden, replay in texts:
            json.loads(golden)
            json.loads(replay)

    return Prepared(subject=compare_all, baseline=parse_all, count=count)


WORKLOADS = (
    PureWorkload(
        name="evals_compare",
        about=f"compare {COUNT:,} pairs of sessions of {EVENTS} events",
        baseline="json.loads of both sessions",
        bound=MOST_PASSES,
        prepare=prepare,
    ),
)
