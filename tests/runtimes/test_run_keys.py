"""The key of a run: an agent elsewhere calls the tools of its run, in its session and nowhere else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest

from goldloop.kit.db import Database, Tx
from goldloop.kit.ids import new_id
from goldloop.kit.outside import Outside
from goldloop.kit.tools import TOOLS, Tool
from goldloop.runtimes.run_keys import RUN_KEY, RunGrant
from goldloop.sessions.payloads import LARGE
from tests.factories import ROOT, Workspace
from tests.records import Desk, code, make_desk, ok
from tests.runtimes.http_agents import Connection, Received, allowing_loopback, http_agent
from tests.runtimes.scripted import configured, events_of, kinds, set_secret, show, start, work


def keyed(app: Any, token: str, **headers: str) -> httpx.AsyncClient:
    sent = {"Authorization": f"Bearer {token}", **headers}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ROOT, headers=sent)


Act = Callable[[httpx.AsyncClient, str], Awaitable[Any]]


async def while_running(
    desk: Desk, worker_db: Database, outside: Outside, app: Any, act: Act, **config: Any
) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
    """A run of an agent elsewhere that does `act` with the key that it was sent; its session, events and key."""
    tokens: list[str] = []
    raised: list[BaseException] = []

    async def agent(received: Received, to: Connection) -> None:
        tokens.append(received.body["tools"]["token"])
        try:
            async with keyed(app, tokens[0]) as client:
                await act(client, received.body["session_id"])
            await to.answer({"output": "Done."})
        except BaseException as error:
            raised.append(error)
            raise

    async with http_agent(agent) as served:
        groups = {"tool_groups": ["entities-read", "responses"]}
        slug = await configured(desk.workspace, runtime="http", url=served.url, **groups | config)
        session = await start(desk.contributor, slug)
        await work(worker_db, desk.workspace, allowing_loopback(outside), session)
    if raised:
        raise raised[0]
    return (
        await show(desk.contributor, session["id"]),
        await events_of(desk.contributor, session),
        tokens[0],
    )


async def test_a_call_with_the_key_of_a_run_is_recorded_in_its_session_with_what_it_changed(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    record = await desk.make_record({"name": "Acme"})

    async def act(client: httpx.AsyncClient, _: str) -> None:
        listed = ok(await client.get("/api/tools"))["data"]
        assert {tool["group"] for tool in listed} == {"entities-read", "responses"}
        found = ok(await client.post("/api/tools/getEntity", json={"entityId": record["id"]}))
        assert found["content"]["name"] == "Acme"
        call = {"entityId": record["id"], "values": {"employees": 3}}
        for _again in range(2):  # the second time is the first time
            sent = await client.post(
                "/api/tools/submitResponse", json=call, headers={"Idempotency-Key": "mine"}
            )
            assert "error" not in ok(sent)

    ended, events, _ = await while_running(desk, worker_db, outside, app, act)
    assert (ended["status"], ended["tool_calls"]) == ("completed", 2)
    assert kinds(events)[4:-2] == [
        "tool.call",
        "tool.result",
        "tool.call",
        "response.submitted",
        "tool.result",
    ]
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    assert [(r["submitted_by"]["kind"], r["values"]) for r in responses] == [("agent", {"employees": 3})]
    effect = next(event["payload"] for event in events if event["type"] == "response.submitted")
    assert (effect["call_id"], effect["response_id"]) == ("mine", responses[0]["id"])


async def test_one_call_sent_twice_at_once_writes_once(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    record = await desk.make_record({"name": "Acme"})
    answers: list[dict[str, Any]] = []

    async def act(client: httpx.AsyncClient, _: str) -> None:
        call = {"entityId": record["id"], "values": {"employees": 3}}
        headers = {"Idempotency-Key": "mine"}
        path = "/api/tools/submitResponse"
        both = await asyncio.gather(*(client.post(path, json=call, headers=headers) for _ in range(4)))
        answers.extend(map(ok, both))

    _, events, _ = await while_running(desk, worker_db, outside, app, act)
    assert answers == answers[:1] * 4
    assert kinds(events).count("tool.result") == kinds(events).count("response.submitted") == 1
    assert len(ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]) == 1


async def test_a_tool_that_the_run_was_not_given_is_not_run(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    record = await desk.make_record({"name": "Acme"})

    async def act(client: httpx.AsyncClient, _: str) -> None:
        call = {"entityId": record["id"], "values": {"employees": 3}}
        assert "no tool" in ok(await client.post("/api/tools/submitResponse", json=call))["error"]
        assert code(await client.post("/api/tools/nothing", json={})) == (404, "tool_not_found")
        asked = ok(await client.post("/api/tools/askPerson", json={"question": "Who?"}))
        assert "wait for a person" in asked["error"]

    groups = ["entities-read", "people"]
    _, events, _ = await while_running(desk, worker_db, outside, app, act, tool_groups=groups)
    assert kinds(events).count("tool.result") == 2
    assert ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"] == []


async def test_the_limit_of_tool_calls_counts_calls_by_key_and_ends_the_run(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    async def act(client: httpx.AsyncClient, _: str) -> None:
        path = "/api/tools/listEntityTypes"
        answers = await asyncio.gather(*(client.post(path, json={}) for _ in range(5)))
        refused = [answer for answer in answers if answer.status_code == 409]
        assert {code(answer) for answer in refused} == {(409, "run_limit_reached")}
        others = {answer.status_code for answer in answers} - {409}
        assert others <= {200, 401}, "done before the run ended, or ended with it"
        assert code(await client.get("/api/tools")) == (401, "unauthenticated")

    ended, _, _ = await while_running(desk, worker_db, outside, app, act, limits={"tool_calls": 2})
    assert (ended["status"], ended["error"]["code"], ended["tool_calls"]) == ("failed", "limit_tool_calls", 2)


async def test_the_tenant_of_a_call_is_that_of_its_session(
    desk: Desk, other_workspace: Workspace, worker_db: Database, outside: Outside, app: Any
) -> None:
    theirs = await make_desk(other_workspace)
    await theirs.make_type()
    foreign = await theirs.make_record({"name": "Theirs"})
    own = await desk.make_record({"name": "Ours"})

    async def act(client: httpx.AsyncClient, _: str) -> None:
        found = ok(await client.post("/api/tools/searchEntities", json={"type": "company"}))
        assert [entity["id"] for entity in found["entities"]] == [own["id"]]
        read = ok(await client.post("/api/tools/getEntity", json={"entityId": foreign["id"]}))
        assert "no such" in read["error"]
        call = {"entityId": foreign["id"], "values": {"employees": 3}}
        assert "error" in ok(await client.post("/api/tools/submitResponse", json=call))
        elsewhere = {"X-Goldloop-Tenant": other_workspace.slug}
        assert code(await client.get("/api/tools", headers=elsewhere)) == (404, "not_found")
        refused = await client.post(
            "/api/tools/getEntity", json={"entityId": foreign["id"]}, headers=elsewhere
        )
        assert code(refused) == (404, "not_found")

    ended, events, _ = await while_running(desk, worker_db, outside, app, act)
    assert ended["status"] == "completed"
    assert kinds(events).count("tool.result") == 3
    assert ok(await theirs.reviewer.get(f"/api/entities/{foreign['id']}/responses"))["data"] == []
    assert ok(await theirs.contributor.get("/api/sessions"))["data"] == []


async def test_a_key_opens_nothing_but_the_tools_and_nothing_after_the_run(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    async def act(client: httpx.AsyncClient, session_id: str) -> None:
        for path in ("/api/entities", f"/api/sessions/{session_id}", "/api/workspace", "/api/agents"):
            refused = await client.get(path)
            assert code(refused) == (401, "unauthenticated")
            assert "opens only /api/tools" in refused.json()["detail"]
        assert code(await client.post(f"/api/sessions/{session_id}/cancel")) == (401, "unauthenticated")

    _, events, token = await while_running(desk, worker_db, outside, app, act)
    async with keyed(app, token) as client:
        late = await client.post("/api/tools/listEntityTypes", json={})
        assert (code(late), late.json()["detail"]) == (
            (401, "unauthenticated"),
            "The run that this key is for is over",
        )
        assert code(await client.get("/api/tools")) == (401, "unauthenticated")
    assert "tool.call" not in kinds(events)


async def test_a_key_of_a_claim_that_was_lost_opens_nothing(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    async def act(client: httpx.AsyncClient, session_id: str) -> None:
        await work(worker_db, desk.workspace, allowing_loopback(outside), {"id": session_id})
        assert code(await client.post("/api/tools/listEntityTypes", json={})) == (401, "unauthenticated")

    ended, events, _ = await while_running(desk, worker_db, outside, app, act)
    assert (ended["status"], ended["error"]["code"]) == ("failed", "interrupted")
    assert "tool.call" not in kinds(events)


async def test_a_key_that_was_forged_changed_or_has_expired_is_none(workspace: Workspace, app: Any) -> None:
    grant = RunGrant(
        tenant_id=workspace.id, tenant=workspace.slug, session_id=new_id(), agent_id=new_id(), claim=1, expires=1
    )  # fmt: skip
    later = RunGrant(**{name: getattr(grant, name) for name in grant.__struct_fields__} | {"expires": 2**40})
    secret = b"a secret of the tests"
    for token in (
        RUN_KEY.sign(grant, secret),
        RUN_KEY.sign(later, b"another"),
        RUN_KEY.sign(later, secret)[:-2],
        "glr_",
        "glr_garbage",
    ):
        async with keyed(app, token) as client:
            assert code(await client.get("/api/tools")) == (401, "unauthenticated"), token
    async with keyed(app, RUN_KEY.sign(later, secret)) as client:
        assert (await client.get("/api/tools")).json()["detail"] == "The run that this key is for is over"


async def test_no_secret_is_in_what_is_kept_of_a_call_by_key(
    desk: Desk, worker_db: Database, outside: Outside, app: Any
) -> None:
    record = await desk.make_record({"name": "Acme"})
    secret = "sk-of-the-agent"

    async def act(client: httpx.AsyncClient, _: str) -> None:
        await set_secret(desk, "worker", "http_secret", secret)
        key = client.headers["Authorization"].removeprefix("Bearer ")
        text = f"I was sent {secret} and {key}"
        values = {"entityId": record["id"], "values": {"name": text}}
        assert "error" not in ok(await client.post("/api/tools/submitResponse", json=values))
        refused = ok(await client.post("/api/tools/getEntity", json={"entityId": text, key: secret}))
        assert "error" in refused

    ended, events, token = await while_running(desk, worker_db, outside, app, act)
    assert ended["status"] == "completed"
    responses = ok(await desk.reviewer.get(f"/api/entities/{record['id']}/responses"))["data"]
    written = str([ended, events, responses])
    assert kinds(events).count("tool.result") == 2
    assert responses[0]["values"] == {"name": "I was sent … and …"}
    assert secret not in written
    assert token not in written


class Nothing(msgspec.Struct):
    pass


async def test_a_large_result_of_a_tool_that_writes_is_whole_and_its_row_is_small(
    desk: Desk, worker_db: Database, outside: Outside, app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def make(tx: Tx, arguments: Nothing) -> dict[str, Any]:
        return {"made": ["y" * LARGE]}

    bulky = Tool(
        name="makeMuch",
        group="responses",
        description="Makes much.",
        permission=TOOLS["submitResponse"].permission,
        arguments=Nothing,
        result=Nothing,
        writes=True,
        idempotent=False,
        waits=False,
        run=make,
    )
    monkeypatch.setitem(TOOLS, bulky.name, bulky)
    answers: list[Any] = []

    async def act(client: httpx.AsyncClient, _: str) -> None:
        for _again in range(2):
            sent = await client.post("/api/tools/makeMuch", json={}, headers={"Idempotency-Key": "mine"})
            answers.append(ok(sent))

    ended, events, _ = await while_running(desk, worker_db, outside, app, act)
    assert answers == [{"made": ["y" * LARGE]}] * 2
    (result,) = [event for event in events if event["type"] == "tool.result"]
    assert (result["whole"], result["payload"]["id"]) == (False, "mine")
    assert len(str(result["payload"])) < LARGE
    path = f"/api/sessions/{ended['id']}/events/{result['seq']}/payload"
    assert ok(await desk.contributor.get(path))["result"] == answers[0]
