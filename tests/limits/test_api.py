"""Limits through the API: who is refused when, what they are told, and who may set them."""

from typing import Any

import httpx
import pytest

from goldloop.limits.installation import set_installation_limits
from goldloop.limits.model import UsageLimits
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.limits.conftest import NOTHING, PLAIN, Clock, ask, left, set_limits
from tests.records import code, ok, places, some_id


async def test_without_limits_nothing_is_counted_and_nothing_told(workspace: Workspace) -> None:
    admin = await workspace.client()
    answer = await admin.get(PLAIN)
    assert "RateLimit" not in answer.headers
    assert "RateLimit-Policy" not in answer.headers
    shown = ok(await admin.get("/api/limits"))
    assert (shown["limits"], shown["installation"], shown["keys"]) == (NOTHING, NOTHING, [])
    assert [(use["limit"], use["most"], use["used"], use["left"]) for use in shown["uses"]] == [
        ("requests_per_minute", None, None, None),
        ("tokens_per_day", None, 0, None),
        ("cost_per_day", None, 0, None),
        ("storage_bytes", None, None, None),
    ]


async def test_one_request_too_many_is_refused_until_the_next_minute(
    workspace: Workspace, clock: Clock
) -> None:
    admin, program = await workspace.client(), await workspace.client(Role.VIEWER)
    await set_limits(admin, requests_per_minute=3)
    answers = [await program.get(PLAIN) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [left(answer) for answer in answers] == [{"workspace": each} for each in (2, 1, 0, 0)]
    assert {answer.headers["RateLimit-Policy"] for answer in answers} == {'"workspace";q=3;w=60'}
    refused = answers[-1]
    assert code(refused) == (429, "too_many_requests")
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.headers["Retry-After"] == "55"
    assert refused.headers["RateLimit"] == '"workspace";r=0;t=55'
    assert refused.json()["detail"] == "This workspace has made the 3 requests that it may make in a minute"
    clock.at += 55
    assert await ask(program, 4) == [200, 200, 200, 429]


async def test_a_key_has_a_limit_of_its_own_or_that_of_every_key(workspace: Workspace) -> None:
    admin = await workspace.client()
    key, secret = await workspace.make_key(Role.VIEWER, name="slow")
    slow, other = await workspace.client_with(secret), await workspace.client(Role.VIEWER)
    await set_limits(admin, requests_per_minute=100, key_requests_per_minute=2)
    ok(await admin.put(f"/api/limits/keys/{key.id}", json={"requests_per_minute": 1}))
    assert await ask(slow, 3) == [200, 429, 429]
    assert await ask(other, 3) == [200, 200, 429]
    answer = await slow.get(PLAIN)
    assert answer.headers["RateLimit-Policy"] == '"workspace";q=100;w=60, "key";q=1;w=60'
    assert answer.json()["detail"] == "This API key has made the 1 requests that it may make in a minute"
    shown = ok(await admin.get("/api/limits"))
    (own,) = [each for each in shown["keys"] if each["own"]]
    assert own == {
        "key_id": str(key.id), "name": "slow", "requests_per_minute": 1, "own": True, "used": 1, "left": 0
    }  # fmt: skip
    (use,) = [each for each in shown["uses"] if each["limit"] == "requests_per_minute"]
    assert (use["most"], use["used"]) == (100, 5)  # with the two of the admin, and none that was refused
    ok(await admin.put(f"/api/limits/keys/{key.id}", json={"requests_per_minute": None}))
    assert await ask(slow, 2) == [200, 429]  # as every key


async def test_what_one_workspace_uses_is_not_taken_from_another(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    await set_limits(await workspace.client(), requests_per_minute=1)
    other_workspace.app = workspace.app
    assert await ask(await workspace.client(Role.VIEWER), 3) == [200, 429, 429]
    assert await ask(await other_workspace.client(), 5) == [200] * 5


async def test_whoever_is_signed_in_counts_to_the_workspace(workspace: Workspace) -> None:
    await set_limits(await workspace.client(), requests_per_minute=2)
    person = await workspace.signed_in(await workspace.make_person(Role.REVIEWER))
    assert await ask(person, 3) == [200, 200, 429]
    assert (await person.get("/api/session")).status_code == 200  # who they are is of no workspace


async def test_an_administrator_is_never_locked_out(workspace: Workspace) -> None:
    by_key, person = await workspace.client(), await workspace.signed_in()
    await set_limits(by_key, requests_per_minute=1)
    assert await ask(by_key, 3) == [200, 429, 429]
    answer = await person.get(PLAIN)  # counted, and let in
    assert (answer.status_code, left(answer)) == (200, {"workspace": 0})
    assert ok(await person.get("/api/limits"))["limits"]["requests_per_minute"] == 1
    assert (
        await by_key.get("/api/limits")
    ).status_code == 200  # also by a key that has made all its requests
    await set_limits(by_key, requests_per_minute=1000)
    assert await ask(by_key, 2) == [200, 200]


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_what_watches_the_server_is_not_limited(
    workspace: Workspace, anonymous: httpx.AsyncClient, path: str
) -> None:
    await set_limits(await workspace.client(), requests_per_minute=1, key_requests_per_minute=1)
    assert [(await anonymous.get(path)).status_code for _ in range(3)] == [200] * 3


async def test_a_request_that_is_forbidden_is_counted(workspace: Workspace) -> None:
    await set_limits(await workspace.client(), key_requests_per_minute=1)
    viewer = await workspace.client(Role.VIEWER)
    assert code(await viewer.get("/api/keys")) == (403, "forbidden")
    assert code(await viewer.get("/api/keys")) == (429, "too_many_requests")


async def test_calls_by_mcp_are_counted(workspace: Workspace) -> None:
    await set_limits(await workspace.client(), key_requests_per_minute=1)
    program = await workspace.client(Role.VIEWER)
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    first, second = [await program.post("/mcp", json=ping) for _ in range(2)]
    assert (first.status_code, left(first)) == (200, {"key": 0})
    assert (code(second), second.headers["Retry-After"]) == ((429, "too_many_requests"), "55")


async def test_exporters_are_told_to_come_back(workspace: Workspace) -> None:
    await set_limits(await workspace.client(), key_requests_per_minute=1)
    program = await workspace.client(Role.CONTRIBUTOR)
    first, second = [await program.post("/v1/traces", json={}) for _ in range(2)]
    assert (first.status_code, left(first)) == (200, {"key": 0})
    assert (second.status_code, second.headers["Retry-After"], left(second)) == (503, "55", {"key": 0})
    assert "requests that it may make in a minute" in second.json()["message"]


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"requests_per_minute": 0}, "/requests_per_minute"),
        ({"requests_per_minute": 1.5}, "/requests_per_minute"),
        ({"key_requests_per_minute": -1}, "/key_requests_per_minute"),
        ({"tokens_per_day": "many"}, "/tokens_per_day"),
        ({"cost_per_day": 0}, "/cost_per_day"),
        ({"storage_bytes": 10**13}, "/storage_bytes"),
        ({"requests_per_hour": 1}, "/requests_per_hour"),
    ],
)
async def test_a_limit_that_cannot_be_is_refused(workspace: Workspace, wrong: Any, place: str) -> None:
    answer = await (await workspace.client()).put("/api/limits", json=NOTHING | wrong)
    assert answer.status_code == 422
    assert [path for path, _ in places(answer)] == [place]


async def test_limits_are_set_by_people_who_may(workspace: Workspace, other_workspace: Workspace) -> None:
    key, _ = await workspace.make_key(Role.VIEWER)
    changes = [("/api/limits", NOTHING), (f"/api/limits/keys/{key.id}", {"requests_per_minute": 5})]
    reviewer = await workspace.client(Role.REVIEWER)
    agent = await workspace.client(Role.ADMIN, agent_id=(await workspace.make_agent()).id)
    other_workspace.app = workspace.app
    stranger = await other_workspace.client()
    assert code(await reviewer.get("/api/limits")) == (403, "forbidden")
    assert code(await reviewer.post("/api/limits/measure")) == (403, "forbidden")
    for path, body in changes:
        assert code(await reviewer.put(path, json=body)) == (403, "forbidden")
        assert code(await agent.put(path, json=body)) == (403, "forbidden")
    assert code(await stranger.put(*changes[1][:1], json=changes[1][1])) == (404, "key_not_found")
    admin = await workspace.client(Role.ADMIN)
    assert code(await admin.put(f"/api/limits/keys/{some_id()}", json=changes[1][1])) == (
        404,
        "key_not_found",
    )
    ok(await admin.put(changes[1][0], json=changes[1][1]))


async def test_a_change_is_an_event_that_says_what_it_was(workspace: Workspace) -> None:
    admin = await workspace.client()
    key, _ = await workspace.make_key(Role.VIEWER)
    await set_limits(admin, requests_per_minute=50)
    await set_limits(admin, requests_per_minute=60, cost_per_day=1.5)
    await set_limits(admin, requests_per_minute=60, cost_per_day=1.5)  # no change, no event
    ok(await admin.put(f"/api/limits/keys/{key.id}", json={"requests_per_minute": 5}))
    listed = ok(await admin.get("/api/audit"))["data"]
    logged = [each for each in listed if each["name"].startswith("limits.")]
    assert [each["name"] for each in logged] == ["limits.key_changed", "limits.changed", "limits.changed"]
    assert logged[0]["subject_id"] == str(key.id)
    detail = ok(await admin.get(f"/api/audit/{logged[1]['id']}"))
    changed = {each["what"]: (each["before"], each["after"]) for each in detail["changes"]}
    assert (changed["requests_per_minute"], changed["cost_per_day"]) == ((50, 60), (None, 1.5))


@pytest.mark.usefixtures("no_limits_of_the_installation")
async def test_nobody_goes_beyond_what_the_installation_allows(workspace: Workspace) -> None:
    set_installation_limits(UsageLimits(requests_per_minute=2))
    admin, program = await workspace.client(), await workspace.client(Role.VIEWER)
    shown = await set_limits(admin, requests_per_minute=1000)
    assert (shown["installation"]["requests_per_minute"], shown["uses"][0]["most"]) == (2, 2)
    assert await ask(program, 3) == [200, 429, 429]
