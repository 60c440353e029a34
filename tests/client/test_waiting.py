"""Waiting for the end of a run: reads it again with growing pauses, and not for ever."""

from typing import Any

import msgspec
import pytest

from goldloop.client import AsyncClient, Client, NotInTime, calls
from goldloop.client.calls import Pauses
from goldloop.client.session_types import SessionDetail
from goldloop.client.sessions import SessionMethods
from tests.client.flaky import Answer, flaky_server

ID = "0199b5a0-0000-7000-8000-000000000000"
AT = "2026-01-01T00:00:00Z"
NUMBERS = ("events", "requests", "tool_calls", "input_tokens", "output_tokens")
TEXTS = ("first_message", "purpose", "source", "type")
TIMES = ("created_at", "last_at")


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "FIRST_PAUSE", 0.001)


def session(status: str) -> Answer:
    body: dict[str, Any] = dict.fromkeys(field.name for field in msgspec.structs.fields(SessionDetail))
    body |= dict.fromkeys(NUMBERS, 0) | dict.fromkeys(TEXTS, "") | dict.fromkeys(TIMES, AT)
    body |= {"id": ID, "status": status, "input": {}, "metadata": {}, "turns": []}
    return Answer(200, body | {"created_by": {"kind": "system", "id": None, "name": None}})


@pytest.mark.parametrize("end", ["completed", "failed", "cancelled", "waiting"])
def test_it_waits_until_the_session_does_not_go_on_by_itself(end: str) -> None:
    with (
        flaky_server(session("queued"), Answer(503), session("running"), session("stalled")) as flaky,
        Client(flaky.url, "gl_x") as client,
    ):
        flaky.last = session(end)
        assert client.sessions.wait(ID, timeout=60).status == end
        assert len(flaky.asked) == 5


async def test_the_asynchronous_client_waits_too() -> None:
    with flaky_server(session("queued"), last=session("completed")) as flaky:
        async with AsyncClient(flaky.url, "gl_x") as client:
            assert (await client.sessions.wait(ID, timeout=60)).status == "completed"
            flaky.last = session("running")
            with pytest.raises(NotInTime) as caught:
                await client.sessions.wait(ID, timeout=0)
            assert caught.value.code == "not_in_time"


def test_pauses_grow_up_to_the_longest_and_end_with_the_time() -> None:
    request = SessionMethods.wait.route.request(SessionMethods.wait.describe(None, ID))
    pauses = Pauses(10_000)
    found = [pauses.next(request) for _ in range(40)]
    assert found == sorted(found)
    assert (found[0], found[1], found[-1]) == (
        calls.FIRST_PAUSE,
        calls.FIRST_PAUSE * 1.5,
        calls.LONGEST_PAUSE,
    )
    with pytest.raises(NotInTime):
        Pauses(-1).next(request)
