"""What whoever goes on with a session reads from its events."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from goldloop.runtimes.past import CallKey, Happened, Past, read_past

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def happened(*events: tuple[str, dict[str, Any]] | tuple[str, dict[str, Any], float]) -> list[Happened]:
    """One each second, unless told when."""
    return [
        Happened(event[0], BEGAN + timedelta(seconds=event[2] if len(event) > 2 else place), event[1])
        for place, event in enumerate(events)
    ]


NOTHING = Past(
    messages=[], called=frozenset(), results={}, responses=0, requests=0, tokens=0, cost=0.0, seconds=0.0,
    handed_over=False,
)  # fmt: skip
REQUEST = ("model.request", {"messages": ["asked"]})
RESPONSE = ("model.response", {"message": "answered", "input_tokens": 10, "output_tokens": 5, "cost": 0.5})
CALL = ("tool.call", {"id": "a", "name": "x", "arguments": {}})
RESULT = ("tool.result", {"id": "a", "result": {"n": 1}})


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], {}),
        ([("session.created", {}), ("user.message", {"text": "?"})], {}),
        ([REQUEST], {"requests": 1}),
        (
            [REQUEST, RESPONSE],
            {"messages": ["asked", "answered"], "requests": 1, "responses": 1, "tokens": 15, "cost": 0.5},
        ),
        (
            [REQUEST, REQUEST, RESPONSE],  # asked again after a crash
            {"messages": ["asked", "answered"], "requests": 2, "responses": 1, "tokens": 15, "cost": 0.5},
        ),
        ([CALL], {"called": frozenset({CallKey(0, "a")})}),
        ([CALL, RESULT], {"called": frozenset({CallKey(0, "a")}), "results": {CallKey(0, "a"): RESULT[1]}}),
        (
            [CALL, RESULT, RESPONSE, CALL],  # an id that a model used before is another call
            {
                "called": frozenset({CallKey(0, "a"), CallKey(1, "a")}),
                "results": {CallKey(0, "a"): RESULT[1]},
                "messages": ["answered"],
                "responses": 1,
                "tokens": 15,
                "cost": 0.5,
            },
        ),
        ([("model.request", {"model": "m", "input_tokens": 3, "output_tokens": None})], {"requests": 1, "tokens": 3}),
        ([("agent.called", {})], {"handed_over": True}),
        ([("session.claimed", {}, 0), ("tool.call", CALL[1], 7)], {"called": frozenset({CallKey(0, "a")})}),
        ([("session.claimed", {}, 0), ("x", {}, 7), ("session.claimed", {}, 100)], {"seconds": 7.0}),
        (
            [("session.claimed", {}, 0), ("x", {}, 7), ("session.claimed", {}, 100), ("x", {}, 103), ("session.claimed", {}, 200)],
            {"seconds": 10.0},
        ),
        (
            [("session.claimed", {}, 0), ("session.waiting", {}, 7), ("session.answered", {}, 9000), ("tool.result", RESULT[1], 9000),
             ("session.claimed", {}, 9001), ("x", {}, 9003), ("session.claimed", {}, 9999)],
            {"results": {CallKey(0, "a"): RESULT[1]}, "seconds": 9.0},  # a person took their time
        ),
        ([("session.claimed", {}, 9), ("x", {}, 5), ("session.claimed", {}, 10)], {"seconds": 0.0}),  # a clock went back
    ],
)  # fmt: skip
def test_what_the_events_tell(events: list[Any], expected: dict[str, Any]) -> None:
    assert read_past(happened(*events)) == NOTHING._replace(**expected)
