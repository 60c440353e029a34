"""Fire and forget: never waits, never raises, keeps what it can, says what it could not."""

import inspect
import logging
import subprocess
import sys
import threading
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from goldloop.client import AsyncClient, Background, Client, clients, delivery, turn_body
from goldloop.client.conversations import ConversationMethods
from goldloop.client.responses import ResponseMethods
from tests.client.flaky import HANG_UP, Answer, Asked, Flaky, flaky_server
from tests.servers import environment, free_port

ENTITY = "0199b5a0-0000-7000-8000-000000000000"
WORKSPACE = Answer(200, {"slug": "acme"})


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.02)


def test_what_is_queued_arrives_in_order_under_the_ids_that_were_returned() -> None:
    with flaky_server() as flaky, Client(flaky.url, "gl_x") as client:
        ids = [client.background.submit(ENTITY, {"n": n}, notes="from a test") for n in range(20)]
        assert client.flush(10)
        assert [asked.body["id"] for asked in flaky.asked] == [str(i) for i in ids]
        assert [asked.body["values"]["n"] for asked in flaky.asked] == list(range(20))
        assert flaky.asked[0].body["notes"] == "from a test"
        assert (client.background.stats.sent, client.background.stats.queued) == (20, 0)


def test_a_server_that_is_down_costs_the_caller_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "CLOSING_SECONDS", 0.2)
    senders: list[int] = []
    tried = threading.Event()

    def note(self: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        senders.append(threading.get_ident())
        tried.set()
        raise httpx.ConnectError("nobody is there")

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", note)
    with Client(f"http://127.0.0.1:{free_port()}", "gl_x") as client:
        assert client.background.submit(ENTITY, {"n": 1}) is not None
        assert tried.wait(30)
        assert threading.get_ident() not in senders, "another thread tries to reach the server"
        assert client.background.stats.queued == 1


def test_trouble_that_passes_loses_nothing() -> None:
    trouble = [Answer(HANG_UP), Answer(503), Answer(429), Answer(500)]
    with flaky_server(*trouble) as flaky, Client(flaky.url, "gl_x") as client:
        first, second = (client.background.submit(ENTITY, {"n": n}) for n in range(2))
        assert client.flush(10)
        sent = [asked.body["id"] for asked in flaky.asked]
        assert sent == [str(first)] * 5 + [str(second)]  # in order, and each once in the end
        assert client.background.stats.sent == 2


def test_a_full_queue_drops_the_oldest_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "goldloop.client")
    with flaky_server() as flaky:
        flaky.gate.clear()
        with Client(flaky.url, "gl_x", queue_size=3) as client:
            for n in range(10):
                client.background.submit(ENTITY, {"n": n})
            assert flaky.asked == [], "the caller has waited for no answer"
            assert (client.background.stats.queued, client.background.stats.dropped) == (3, 7)
            assert "dropped: the queue is full" in caplog.text
            assert len(caplog.records) == 1  # a line now and then, not one for each
            flaky.gate.set()
            assert client.flush(10)
        arrived = [asked.body["values"]["n"] for asked in flaky.asked]
        assert arrived[-3:] == [7, 8, 9]


def test_what_the_server_refuses_is_counted_and_does_not_stop_the_rest(
    caplog: pytest.LogCaptureFixture,
) -> None:
    refused = Answer(422, {"code": "invalid_input", "detail": "There is no such dimension"})
    with flaky_server(refused) as flaky, Client(flaky.url, "gl_x") as client:
        client.background.submit(ENTITY, {"n": 1})
        client.background.submit(ENTITY, {"n": 2})
        assert client.flush(10)
        assert (client.background.stats.failed, client.background.stats.sent) == (1, 1)
        assert "There is no such dimension" in caplog.text


def test_no_mistake_of_the_caller_is_raised() -> None:
    with flaky_server() as flaky, Client(flaky.url, "gl_x") as client:
        assert client.background.submit(ENTITY, {"n": 1}, colour="red") is None  # type: ignore[call-arg]
        assert client.background.submit(ENTITY, None) is None  # type: ignore[arg-type]
        assert client.background.submit(ENTITY, {"n": object()}) is None
        assert client.background.submit(ENTITY, {"n": 2}) is not None
        assert client.flush(10)
        assert (client.background.stats.failed, client.background.stats.sent) == (3, 1)


def test_closing_sends_what_is_queued_and_takes_nothing_more() -> None:
    with flaky_server() as flaky:
        client = Client(flaky.url, "gl_x")
        client.background.submit(ENTITY, {"n": 1})
        client.close()
        assert len(flaky.asked) == 1
        assert client.background.submit(ENTITY, {"n": 2}) is None
        assert client.background.stats.dropped == 1
        client.close()


async def test_the_asynchronous_client_has_it_too() -> None:
    with flaky_server() as flaky:
        async with AsyncClient(flaky.url, "gl_x") as client:
            client.background.submit(ENTITY, {"n": 1})
            assert await client.flush(10)
            client.background.submit(ENTITY, {"n": 2})
        assert [asked.body["values"]["n"] for asked in flaky.asked] == [1, 2]


def test_a_program_that_ends_without_closing_still_sends() -> None:
    program = f"import goldloop; goldloop.Client().background.submit('{ENTITY}', {{'n': 1}})"
    with flaky_server() as flaky:
        extra = {"GOLDLOOP_URL": flaky.url, "GOLDLOOP_KEY": "gl_x"}
        subprocess.run([sys.executable, "-c", program], env=environment(extra), timeout=120, check=True)
        assert [asked.body["values"] for asked in flaky.asked] == [{"n": 1}]


def test_turns_and_reactions_are_queued_in_order_for_the_keys_workspace() -> None:
    workspace = Answer(200, {"slug": "acme"})
    with flaky_server(workspace) as flaky, Client(flaky.url, "gl_x") as client:
        assert client.background.add_turn(
            "Support", "c/1", "t1", user="Where?", assistant="Here.", gate=False
        )
        assert client.background.react("Support", "c/1", "t1", "ok", text="Fine")
        assert client.flush(10)
        asked = [(each.method, each.path) for each in flaky.asked]
        assert asked == [
            ("GET", "/api/workspace"),
            ("POST", "/conversations/acme/Support/c%2F1/turns?gate=false"),
            ("POST", "/conversations/acme/Support/c%2F1/turns/t1/feedback"),
        ]
        sent = dict(flaky.asked[1].body)
        assert sent.pop("ts")
        assert sent == {"turn_id": "t1", "user": {"text": "Where?"}, "assistant": {"text": "Here."}}


def test_what_is_queued_was_said_when_it_was_queued() -> None:
    with (
        flaky_server(Answer(503, {}), Answer(200, {"slug": "acme"})) as flaky,
        Client(flaky.url, "gl_x") as client,
    ):
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        before = datetime.now(UTC)
        client.background.add_turn("Support", "c", "t1", user="hi")
        client.background.react("Support", "c", "t1", "ok")
        client.background.add_turn("Support", "c", "t2", user="hi", ts=moment)
        after = datetime.now(UTC)
        assert client.flush(30)
        times = [datetime.fromisoformat(each.body["ts"]) for each in flaky.asked if each.method == "POST"]
        first, reaction, second = times
        assert before <= first <= reaction <= after
        assert second == moment


def test_a_process_that_was_forked_sends_what_it_queues() -> None:
    program = f"""
import os, goldloop
client = goldloop.Client()
client.background.submit('{ENTITY}', {{'n': 1}})
assert client.flush(20)
child = os.fork()
client.background.submit('{ENTITY}', {{'n': 2 if child else 3}})
assert client.flush(20)
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
    with flaky_server() as flaky:
        extra = {"GOLDLOOP_URL": flaky.url, "GOLDLOOP_KEY": "gl_x"}
        subprocess.run([sys.executable, "-c", program], env=environment(extra), timeout=60, check=True)
        assert sorted(asked.body["values"]["n"] for asked in flaky.asked) == [1, 2, 3]


def test_a_turn_that_cannot_be_sent_does_not_reach_the_chat() -> None:
    with flaky_server(WORKSPACE) as flaky, Client(flaky.url, "gl_x") as client:
        add = client.background.add_turn
        assert not add("Support", "c", "t1", user="hi", weather="fine")  # type: ignore[call-arg]
        assert not add("Support", "c", "t1", user="hi", turn_log={"step": object()})
        assert not add("Support", "c")  # type: ignore[call-arg]
        assert client.flush(10)
        assert client.background.stats.failed == 3


def test_what_is_queued_has_the_arguments_of_what_is_called() -> None:
    def arguments(function: Any) -> dict[str, Any]:
        found = inspect.signature(function).parameters
        return {name: each.annotation for name, each in found.items() if name not in ("self", "gate")}

    add_turn, react, submit = Background.add_turn, Background.react, Background.submit
    place = {"project": str, "conversation_id": str}
    assert arguments(add_turn) == place | arguments(turn_body)
    assert arguments(react) == arguments(ConversationMethods.react.describe)
    assert arguments(submit) == arguments(ResponseMethods.submit.describe)
    assert inspect.signature(add_turn).parameters["gate"].annotation == bool | None


def turns_sent(flaky: Flaky) -> list[list[str]]:
    """The ids of the turns in each call that was not refused."""
    calls = [asked.body for asked in flaky.asked if asked.path.partition("?")[0].endswith("/turns")]
    return [[turn["turn_id"] for turn in (body if isinstance(body, list) else [body])] for body in calls]


def test_turns_that_are_queued_together_are_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "TOGETHER_SECONDS", 30.0)  # until there are enough, or somebody waits
    with flaky_server(WORKSPACE) as flaky, Client(flaky.url, "gl_x") as client:
        for n in range(900):
            client.background.add_turn("Support", f"c{n % 2}", f"t{n}", user="hi", assistant="Hello.")
        assert client.flush(60)
        assert [len(turns) for turns in turns_sent(flaky)] == [450, 450]
        assert turns_sent(flaky)[0] == [f"t{n}" for n in range(0, 900, 2)]
        assert {asked.path.partition("?")[2] for asked in flaky.asked[1:]} == {"gate=true"}
        assert client.background.stats.sent == 900


def test_a_list_that_is_refused_for_one_turn_costs_that_turn_alone(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "TOGETHER_SECONDS", 30.0)

    def answer(asked: Asked) -> Answer:
        turns = asked.body if isinstance(asked.body, list) else [asked.body]
        known = any(turn["turn_id"] == "t37" for turn in turns if turn)
        return Answer(409, {"code": "turn_exists", "detail": "t37"}) if known else Answer(200, {"slug": "a"})

    with flaky_server() as flaky, Client(flaky.url, "gl_x") as client:
        flaky.decide = answer
        for n in range(100):
            client.background.add_turn("Support", "c", f"t{n}", user="hi")
        assert client.flush(30)
        assert (client.background.stats.sent, client.background.stats.failed) == (99, 1)
        assert caplog.text.count("turn_exists") == 1
        arrived = [turn for turns in turns_sent(flaky) if "t37" not in turns for turn in turns]
        assert arrived == [f"t{n}" for n in range(100) if n != 37]


def test_what_the_caller_changes_afterwards_is_not_sent() -> None:
    with flaky_server(WORKSPACE) as flaky, Client(flaky.url, "gl_x") as client:
        log = {"steps": ["look"]}
        client.background.add_turn("Support", "c", "t1", user="hi", turn_log=log)
        log["steps"].append("forget")
        assert client.flush(10)
        assert flaky.asked[-1].body["turn_log"] == {"steps": ["look"]}
