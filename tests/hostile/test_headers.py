"""Headers, and bytes that are no request: refused, and the next one is served."""

from collections.abc import AsyncIterator

import pytest

from tests.hostile.arena import Arena, faults_of
from tests.hostile.headers import BESIDE, CREDENTIALS, REQUESTS
from tests.hostile.wire import JSON, Call, Header, Wire
from tests.routes import OPERATIONS, PUBLIC

pytestmark = pytest.mark.timeout(300)  # a table is long, and the machine may be busy

DESTRUCTIVE_LAST = sorted(
    OPERATIONS, key=lambda operation: (operation[0] == "DELETE", "session" in operation[1])
)


async def with_headers(
    arena: Arena, table: dict[str, tuple[Header, ...]], *, beside: bool
) -> AsyncIterator[Call]:
    for method, path in DESTRUCTIVE_LAST:
        body = await arena.body_sent(method, path)
        own = arena.headers(method, path) if beside else ()
        for name, headers in table.items():
            yield arena.call(method, path, name=name, headers=(*own, *headers, JSON), body=body)


async def test_credentials_of_no_use_are_refused_everywhere(arena: Arena) -> None:
    accepted = []

    def look(call: Call, status: int) -> None:
        if status < 400 and (call.method, call.path) not in PUBLIC:
            accepted.append(str(call))

    calls = with_headers(arena, CREDENTIALS, beside=False)
    found = await arena.faults(calls, lambda call, answer: look(call, answer.status))
    assert not found + accepted, "\n" + "\n".join(found + accepted)


async def test_headers_of_junk_do_no_harm_anywhere(arena: Arena) -> None:
    found = await arena.faults(with_headers(arena, BESIDE, beside=True))
    assert not found, "\n" + "\n".join(found)


async def test_what_is_no_request_is_refused_and_the_next_is_served(arena: Arena) -> None:
    found = []
    for name, request in REQUESTS.items():
        wire = Wire(arena.port, patience=3)  # a request that is not whole may wait for the rest
        answer = await wire.send(request)
        wire.close()
        if answer.status >= 500 or "set-cookie" in answer.headers:
            found.append(f"{name}: {answer.status} {answer.headers}")
        if answer.headers.get("content-type", "").startswith("application/problem+json"):
            found += [f"{name}: {fault}" for fault in faults_of(answer)]
        found += [f"{name}: {fault}" for fault in await arena.bystander_faults()]
    assert not found, "\n" + "\n".join(found)
