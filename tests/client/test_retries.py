"""When a request is sent again, and what the caller gets when it is not."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from goldloop.client import (
    AsyncClient,
    BadRequest,
    Client,
    Conflict,
    ConnectionFailed,
    Forbidden,
    GoldloopError,
    InvalidInput,
    NotConfigured,
    NotFound,
    RetryPolicy,
    ServerError,
    TooManyRequests,
    Unauthenticated,
    UnexpectedAnswer,
)
from goldloop.client.retries import parse_retry_after
from tests.client.flaky import HANG_UP, Answer, Flaky, flaky_server
from tests.servers import free_port

QUICK = RetryPolicy(attempts=4, first_wait=0.01, longest_wait=0.02, budget=5.0)
WORKSPACE: dict[str, Any] = {
    "id": "0199b5a0-0000-7000-8000-000000000000",
    "slug": "main",
    "name": "Main",
    "created_at": "2026-01-01T00:00:00Z",
    "role": "viewer",
    "permissions": ["*.team.read"],
    "a_field_of_tomorrow": {"is": "ignored"},
}


@pytest.mark.parametrize(
    ("attempt", "elapsed", "retry_after", "chance", "expected"),
    [
        (1, 0.0, None, 1.0, 0.25),
        (1, 0.0, None, 0.0, 0.125),  # jitter: the upper half of the wait
        (2, 0.0, None, 1.0, 0.5),
        (3, 0.0, None, 1.0, 1.0),
        (4, 0.0, None, 1.0, None),  # that was the last attempt
        (1, 0.0, 3.0, 1.0, 3.0),  # the server knows better
        (1, 0.0, 0.0, 1.0, 0.25),  # but not sooner than our own wait
        (1, 29.9, None, 1.0, None),  # the budget is spent
        (1, 0.0, 60.0, 1.0, None),  # waiting would spend it
    ],
)
def test_how_long_to_wait(
    attempt: int, elapsed: float, retry_after: float | None, chance: float, expected: float | None
) -> None:
    policy = RetryPolicy()
    assert policy.wait(attempt=attempt, elapsed=elapsed, retry_after=retry_after, chance=chance) == expected


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("7", 7.0),
        ("-3", 0.0),
        ("soon", None),
        ("Thu, 01 Jan 2026 00:00:30 GMT", 30.0),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0.0),
    ],
)
def test_what_retry_after_says(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, datetime(2026, 1, 1, tzinfo=UTC)) == seconds


def client(flaky: Flaky, **options: Any) -> Client:
    return Client(flaky.url, "gl_x", retry=QUICK, **options)


@pytest.mark.parametrize("trouble", [429, 502, 503, 504, HANG_UP])
def test_reading_goes_on_after_passing_trouble(trouble: int) -> None:
    with flaky_server(Answer(trouble), Answer(trouble), Answer(200, WORKSPACE)) as flaky, client(flaky) as c:
        assert c.workspace.show().slug == "main"
        assert len(flaky.asked) == 3
        assert flaky.asked[0].headers["authorization"] == "Bearer gl_x"


@pytest.mark.parametrize("trouble", [429, 502, 503, 504, HANG_UP])
async def test_so_does_the_asynchronous_client(trouble: int) -> None:
    with flaky_server(Answer(trouble), Answer(200, WORKSPACE)) as flaky:
        async with AsyncClient(flaky.url, "gl_x", retry=QUICK) as c:
            assert (await c.workspace.show()).slug == "main"
        assert len(flaky.asked) == 2


def test_a_create_is_repeated_under_the_same_id() -> None:
    refused = Answer(422, {"code": "invalid_input", "detail": "no"})
    with flaky_server(Answer(HANG_UP), Answer(503), refused) as flaky, client(flaky) as c:
        with pytest.raises(InvalidInput):
            c.responses.submit(WORKSPACE["id"], {"quality": 8})
        first, *others = [asked.body for asked in flaky.asked]
        assert others == [first, first]
        assert first["id"][14] == "7"


@pytest.mark.parametrize("trouble", [429, 503, HANG_UP])
def test_what_could_do_harm_is_sent_once(trouble: int) -> None:
    entity_id = str(WORKSPACE["id"])
    with flaky_server(last=Answer(trouble)) as flaky, client(flaky) as c:
        for act in (
            lambda: c.promotion.undo(entity_id, "price"),
            lambda: c.entities.edit(entity_id, 1, title="x"),
            lambda: c.tools.submit_response(entity_id, {}),
            lambda: c.keys.create("ci", "viewer"),
        ):
            before = len(flaky.asked)
            with pytest.raises(GoldloopError):
                act()
            assert len(flaky.asked) == before + 1


def test_retry_after_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    later = Answer(429, {"code": "too_many_requests", "detail": "slowly"}, {"retry-after": "3"})
    with flaky_server(later, Answer(200, WORKSPACE)) as flaky, client(flaky) as c:
        c.workspace.show()
    assert waits == [3.0]


def test_a_wait_beyond_the_budget_is_left_to_the_caller() -> None:
    later = Answer(429, {"code": "too_many_requests", "detail": "slowly"}, {"retry-after": "600"})
    with flaky_server(last=later) as flaky, client(flaky) as c:
        with pytest.raises(TooManyRequests) as caught:
            c.workspace.show()
        assert caught.value.retry_after == 600
        assert len(flaky.asked) == 1


def test_trouble_that_stays_is_raised_in_the_end() -> None:
    with flaky_server(last=Answer(503, {"code": "unavailable", "detail": "away"})) as flaky:
        with client(flaky) as c, pytest.raises(ServerError) as caught:
            c.workspace.show()
        assert (caught.value.code, len(flaky.asked)) == ("unavailable", QUICK.attempts)


def test_nobody_there() -> None:
    with Client(f"http://127.0.0.1:{free_port()}", "gl_x", retry=QUICK) as c:
        with pytest.raises(ConnectionFailed) as caught:
            c.workspace.show()
        assert (caught.value.status, caught.value.code) == (None, "connection_failed")


def test_a_server_that_does_not_answer_is_given_up() -> None:
    with flaky_server(last=Answer(200, WORKSPACE)) as flaky:
        flaky.gate.clear()
        once = RetryPolicy(attempts=1)
        with Client(flaky.url, "gl_x", retry=once, timeout=0.2) as c:
            with pytest.raises(ConnectionFailed, match="took too long"):
                c.workspace.show()
            assert flaky.asked == [], "the server has not answered yet"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequest),
        (401, Unauthenticated),
        (403, Forbidden),
        (404, NotFound),
        (409, Conflict),
        (413, BadRequest),
        (422, InvalidInput),
        (500, ServerError),
        (302, UnexpectedAnswer),
    ],
)
def test_each_status_has_its_error(status: int, kind: type[GoldloopError]) -> None:
    problem = {
        "code": "some_code",
        "detail": "What is wrong",
        "errors": [{"path": "/values/a", "code": "out_of_scale", "message": "From 1 to 5"}],
        "conflict": {"actual_version": 3},
    }
    answer = Answer(status, problem, {"x-request-id": "r-1"})
    with flaky_server(last=answer) as flaky, client(flaky) as c, pytest.raises(kind) as caught:
        c.workspace.show()
    error = caught.value
    assert (error.status, error.code, error.detail, error.request_id) == (status, "some_code", "What is wrong", "r-1")  # fmt: skip
    assert error.errors[0].path == "/values/a"
    assert error.conflict == {"actual_version": 3}
    assert str(error) == "What is wrong (some_code); /values/a: From 1 to 5"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Answer(500, b"<html>Bad gateway</html>"), ServerError, "HTTP 500: <html>Bad gateway"),
        (Answer(404, b""), NotFound, "HTTP 404: Not Found"),
        (Answer(200, b"<html>Please sign in</html>"), UnexpectedAnswer, "could not be read"),
        (Answer(200, {"id": 3}), UnexpectedAnswer, "could not be read"),
    ],
)
def test_an_answer_that_is_not_ours_says_so(answer: Answer, kind: type[GoldloopError], words: str) -> None:
    with flaky_server(last=answer) as flaky, client(flaky) as c, pytest.raises(kind, match=words):
        c.workspace.show()


def test_what_it_needs_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOLDLOOP_URL", raising=False)
    monkeypatch.delenv("GOLDLOOP_KEY", raising=False)
    with pytest.raises(NotConfigured, match="GOLDLOOP_URL and GOLDLOOP_KEY"):
        Client()
    with flaky_server(last=Answer(200, WORKSPACE)) as flaky:
        monkeypatch.setenv("GOLDLOOP_URL", flaky.url)
        with pytest.raises(NotConfigured, match="GOLDLOOP_KEY"):
            Client()
        monkeypatch.setenv("GOLDLOOP_KEY", "gl_x")
        with Client() as c:
            assert c.workspace.show().name == "Main"


@pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan")])
def test_a_timeout_has_bounds(timeout: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Client("http://goldloop.test", "gl_x", timeout=timeout)
