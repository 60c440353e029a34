"""Live updates over real HTTP: who hears what, when, and what happens when the database goes away."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.tenants.model import Role
from tests.factories import Workspace, make_workspace, sign_in
from tests.servers import Heard, Server, eventually, listening, running_server


@pytest_asyncio.fixture(scope="module")
async def server() -> AsyncIterator[Server]:
    async with running_server() as started:
        yield started


@pytest_asyncio.fixture
async def workspace(server: Server) -> AsyncIterator[Workspace]:
    async with server.database() as db, make_workspace(db) as made:
        yield made


async def make_key_over_http(server: Server, secret: str, name: str = "made") -> dict[str, Any]:
    async with server.client(secret) as client:
        answer = await client.post("/api/keys", json={"name": name, "role": "viewer"})
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def test_a_stream_says_hello_first(server: Server, workspace: Workspace) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        assert heard.events[0] == ("hello", {})


async def test_a_stream_needs_a_key(server: Server) -> None:
    async with server.client() as client:
        answer = await client.get("/api/events")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_a_key_that_another_client_makes_is_heard_of_before_anybody_polls(
    server: Server, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key()
    _, other = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        before = len(heard.events)
        await make_key_over_http(server, other)
        await heard.said("change", "keys", after=before, seconds=4.0)  # polling alone would take five


async def test_another_workspace_hears_nothing_of_it(server: Server, workspace: Workspace) -> None:
    _, secret = await workspace.make_key()
    async with server.database() as db, make_workspace(db) as stranger:
        _, foreign = await stranger.make_key()
        async with listening(server.client(foreign)) as heard, listening(server.client(secret)) as own:
            async with server.client(secret) as client:
                assert (await client.post("/api/agents", json={"slug": "a", "name": "A"})).status_code == 201
            await own.said("change", "agents")
            async with server.client(
                foreign
            ) as client:  # what they hear next is past what they might have heard
                assert (await client.patch("/api/workspace", json={"name": "New name"})).status_code == 200
            await heard.said("change", "workspace")
            assert "agents" not in heard.topics()


async def test_a_viewer_does_not_hear_of_keys_but_of_what_they_may_read(
    server: Server, workspace: Workspace
) -> None:
    _, viewer = await workspace.make_key(Role.VIEWER)
    _, owner = await workspace.make_key()
    async with listening(server.client(viewer)) as heard, listening(server.client(owner)) as all_ears:
        await make_key_over_http(server, owner)
        async with server.client(owner) as client:
            assert (await client.post("/api/agents", json={"slug": "a", "name": "A"})).status_code == 201
        await all_ears.said("change", "keys")
        await heard.said("change", "agents")
    assert "keys" not in heard.topics()


async def test_the_stream_of_a_revoked_key_ends(server: Server, workspace: Workspace) -> None:
    key, secret = await workspace.make_key()
    _, owner = await workspace.make_key()
    async with listening(server.client(secret)) as heard, listening(server.client(owner)) as other:
        async with server.client(owner) as client:
            assert (await client.post(f"/api/keys/{key.id}/revoke")).status_code == 200
        await eventually(lambda: _has_ended(heard), 10.0)  # its next heartbeat would be later
        assert not other.ended


async def test_the_stream_of_who_left_ends_and_does_not_move_to_their_other_workspace(
    server: Server, workspace: Workspace
) -> None:
    async with server.database() as db, make_workspace(db) as other:
        person = await workspace.make_person()
        invitation = await other.invite(email=person.email)
        async with server.client() as client:
            assert (await sign_in(client, person.email)).status_code == 201
            accepted = await client.post("/api/session/accept", json={"token": invitation.token})
            assert [w["slug"] for w in accepted.json()["workspaces"]] == [workspace.slug, other.slug]
        async with listening(server.client(cookies=client.cookies)) as heard:
            _, owner = await workspace.make_key()
            async with server.client(owner) as admin:
                assert (await admin.delete(f"/api/members/{person.id}")).status_code == 204
            await eventually(lambda: _has_ended(heard))


async def _has_ended(heard: Heard) -> bool:
    return heard.ended


async def test_a_burst_of_changes_is_few_messages(server: Server, workspace: Workspace) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        before = len(heard.events)
        await asyncio.gather(*(make_key_over_http(server, secret, f"n{n}") for n in range(20)))
        await heard.said("change", "keys", after=before)
        await asyncio.sleep(0.5)
        assert len(heard.events) - before < 15


async def test_where_nobody_looks_no_notification_is_sent(server: Server, workspace: Workspace) -> None:
    _, secret = await workspace.make_key()
    notified: list[str] = []
    connection = await connect(server.database_url)
    await connection.add_listener("goldloop_live", lambda _c, _p, _ch, payload: notified.append(payload))
    try:
        await make_key_over_http(server, secret)
        await asyncio.sleep(0.5)
        assert not [payload for payload in notified if payload.startswith(str(workspace.id))]

        async with listening(server.client(secret)):
            await make_key_over_http(server, secret)
            await eventually(lambda: _contains(notified, f"{workspace.id} keys"))
    finally:
        await connection.close()


async def _contains(values: list[str], value: str) -> bool:
    return value in values


async def test_a_stream_lives_through_a_killed_database_and_is_told_to_read_again(
    server: Server, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        before = len(heard.events)
        server.kill_postgres()
        told = await heard.said("refetch", after=before, seconds=30)
        assert not heard.ended

        async def made() -> bool:
            async with server.client(secret) as client:
                answer = await client.post("/api/keys", json={"name": "after", "role": "viewer"})
            return answer.status_code == 201

        await eventually(made, 20)
        await heard.said("change", "keys", after=told, seconds=6)
