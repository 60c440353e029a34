"""Live updates over real HTTP: who hears what, when, and what happens when the database goes away."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio

from goldloop.kit.db import connect
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.model import Role
from tests.factories import Workspace, make_workspace, sign_in
from tests.servers import Heard, Server, eventually, goldloop_with, listening, running_server


@pytest_asyncio.fixture(scope="module")
async def server() -> AsyncIterator[Server]:
    """Where it polls, it finds nothing: what is heard here is heard by notification."""
    never = goldloop_with("from goldloop.live import feed", "feed.POLLED_EVENTS = 0")
    async with running_server(command=never) as started:
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


async def test_a_key_that_another_client_makes_is_heard_of_without_polling(
    server: Server, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key()
    _, other = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        before = len(heard.events)
        await make_key_over_http(server, other)
        await heard.said("change", "keys", after=before)


async def test_a_change_names_what_changed(server: Server, workspace: Workspace) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        async with server.client(secret) as client:
            made = await client.post("/api/agents", json={"slug": "a", "name": "A"})
        await heard.said("change", "agents")
    assert heard.subjects("agents")[0] == [made.json()["id"]]


async def test_a_change_of_the_workspace_itself_names_no_subject(
    server: Server, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        async with server.client(secret) as client:
            assert (await client.patch("/api/workspace", json={"name": "New name"})).status_code == 200
        await heard.said("change", "workspace")
    assert heard.subjects("workspace")[0] is None


async def sent_by(server: Server, workspace: Workspace, *subjects: tuple[str, dict[str, Any]]) -> list[Any]:
    """What one transaction sends whose events have these subjects and payloads, to somebody who looks."""
    notified: list[str] = []
    connection = await connect(server.database_url)
    await connection.add_listener("goldloop_live", lambda _c, _p, _ch, payload: notified.append(payload))
    _, secret = await workspace.make_key()
    try:
        async with listening(server.client(secret)), server.database() as db:
            async with db.tx(system_actor(workspace.id)) as tx:
                for subject, payload in subjects:
                    await tx.execute("SELECT notify_change('entities', $1, $2)", subject, payload)
                await tx.execute("SELECT notify_change('marks')")
            await eventually(lambda: _any_begins(notified, f"{workspace.id} marks null"))
    finally:
        await connection.close()
    heads = [payload.split(" ", 2) for payload in notified if payload.startswith(str(workspace.id))]
    return [json.loads(subjects) for _, topic, subjects in heads if topic == "entities"]


async def test_a_message_names_the_subject_and_every_id_of_the_payload(
    server: Server, workspace: Workspace
) -> None:
    payload = {"entity_id": "e", "notes": "n", "parent_id": None, "fields": {"x_id": "inner"}}
    [subjects] = await sent_by(server, workspace, ("r", payload))
    assert sorted(subjects) == ["e", "r"]


async def test_a_transaction_tells_of_each_subject_once(server: Server, workspace: Workspace) -> None:
    sent = await sent_by(server, workspace, ("a", {}), ("b", {"entity_id": "a"}), ("a", {}))
    assert sent == [["a"], ["b"]]


async def test_a_transaction_with_many_subjects_says_everything_once(
    server: Server, workspace: Workspace
) -> None:
    sent = await sent_by(server, workspace, *((f"s{number}", {}) for number in range(100)))
    assert sent == [*([f"s{number}"] for number in range(20)), None]


async def test_a_subject_that_no_notification_holds_is_everything(
    server: Server, workspace: Workspace
) -> None:
    assert await sent_by(server, workspace, ("x" * 9000, {})) == [None]


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
            await eventually(lambda: _any_begins(notified, f"{workspace.id} keys "))
    finally:
        await connection.close()


async def _any_begins(values: list[str], beginning: str) -> bool:
    return any(value.startswith(beginning) for value in values)


async def test_a_stream_lives_through_a_killed_database_and_is_told_to_read_again(
    server: Server, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key()
    async with listening(server.client(secret)) as heard:
        before = len(heard.events)
        server.kill_postgres()
        seen = await heard.said("refetch", after=before)
        assert not heard.ended

        async def made() -> bool:
            async with server.client(secret) as client:
                answer = await client.post("/api/keys", json={"name": "after", "role": "viewer"})
            return answer.status_code == 201

        await eventually(made)
        await heard.said("change", "keys", after=seen)
