"""Receivers are named, changed, given other secrets and removed by people who run the workspace."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from goldloop.app import build_app
from goldloop.kit.clock import now
from goldloop.kit.db import Database
from goldloop.kit.egress import Egress
from goldloop.kit.events import EVENTS
from goldloop.kit.outside import Outside
from goldloop.kit.queue import JOBS
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from goldloop.webhooks import delivery_service
from goldloop.webhooks.messages import IDS
from goldloop.webhooks.model import MOST_ENDPOINTS
from tests.factories import Workspace
from tests.loops import some
from tests.records import code, ok, places
from tests.webhooks.receivers import PATH, Hooks, is_signed, receiving

URL = "https://receiver.example/hook"


async def test_a_secret_is_shown_once_and_kept_sealed(hooks: Hooks) -> None:
    made = await hooks.make(URL, "response.submitted", description="CRM")
    assert made["secret"].startswith("whsec_")
    assert (made["url"], made["events"], made["description"]) == (URL, ["response.submitted"], "CRM")
    shown = await hooks.show(made)
    assert {**shown, "secret": made["secret"]} == made
    async with hooks.workspace.db.tx(hooks.workspace.system) as tx:
        row = await tx.fetchrow("SELECT w::text AS text FROM webhook_endpoints w")
    assert row is not None
    assert made["secret"].removeprefix("whsec_") not in row["text"]


async def test_a_webhook_is_changed_and_removed(hooks: Hooks) -> None:
    made = await hooks.make(URL)
    changed = await hooks.change(made, enabled=False, events=["entity.created"], version=made["version"])
    assert (changed["enabled"], changed["events"], changed["url"]) == (False, ["entity.created"], URL)
    stale = await hooks.admin.patch(f"{PATH}/{made['id']}", json={"enabled": True, "version": 1})
    assert code(stale) == (409, "version_conflict")
    assert (await hooks.admin.delete(f"{PATH}/{made['id']}")).status_code == 204
    assert code(await hooks.admin.get(f"{PATH}/{made['id']}")) == (404, "webhook_not_found")
    assert ok(await hooks.admin.get(PATH)) == {"data": [], "next_cursor": None}


async def test_the_same_id_again_is_a_conflict_since_its_secret_was_shown(hooks: Hooks) -> None:
    made = await hooks.make(URL)
    again = await hooks.admin.post(PATH, json={"id": made["id"], "url": URL, "events": ["*"]})
    assert code(again) == (409, "webhook_exists")


async def test_a_list_goes_on_by_its_cursor(hooks: Hooks) -> None:
    made = [await hooks.make(URL) for _ in range(3)]
    first = ok(await hooks.admin.get(PATH, params={"limit": 2}))
    rest = ok(await hooks.admin.get(PATH, params={"limit": 2, "cursor": first["next_cursor"]}))
    assert [each["id"] for each in first["data"] + rest["data"]] == [each["id"] for each in reversed(made)]
    assert rest["next_cursor"] is None


@pytest.mark.parametrize(
    ("body", "place", "fault"),
    [
        ({"events": ["no.such"]}, "/events/0", "unknown_event"),
        ({"events": ["*", "webhook.pinged"]}, "/events/1", "unknown_event"),
        ({"url": "http://10.0.0.1/x"}, "/url", "host_not_allowed"),
        ({"url": "http://169.254.169.254/latest"}, "/url", "host_not_allowed"),
        ({"url": "http://localhost:8400/"}, "/url", "host_not_allowed"),
        ({"url": "http://[::1]/"}, "/url", "host_not_allowed"),
        ({"url": "http://0x7f000002/"}, "/url", "host_not_allowed"),
        ({"url": "https://ada:secret@receiver.example/"}, "/url", "not_a_url"),
        ({"url": "https://receiver.example:0/"}, "/url", "not_a_url"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_place(
    hooks: Hooks, body: dict[str, Any], place: str, fault: str
) -> None:
    answer = await hooks.admin.post(PATH, json={"url": URL, "events": ["*"], **body})
    assert (answer.status_code, places(answer)) == (422, [(place, fault)])
    made = await hooks.make(URL)
    changed = await hooks.admin.patch(f"{PATH}/{made['id']}", json=body)
    assert (changed.status_code, places(changed)) == (422, [(place, fault)])


async def test_private_networks_are_closed_unless_the_installation_allows_them(
    hooks: Hooks, db: Database, auth: Authenticator, database_url: str, outside: Outside
) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url)
        closed = build_app(db, auth, Feed(db=db, url=database_url, auth=auth), outside)
        headers = dict(hooks.admin.headers)
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(closed), base_url="http://goldloop.test", headers=headers
        ) as client:
            answer = await client.post(PATH, json={"url": url, "events": ["*"]})
        assert places(answer) == [("/url", "host_not_allowed")]
        await hooks.happen()
        await replace(hooks, outside=replace(hooks.outside, egress=Egress())).send(hook)
        assert receiver.requests == []
    (delivery,) = await hooks.deliveries(hook, event="agent.created")
    assert "private network" in delivery["last_error"]


async def test_a_workspace_has_so_many_at_most(hooks: Hooks) -> None:
    for _ in range(MOST_ENDPOINTS):
        await hooks.make(URL, enabled=False)
    answer = await hooks.admin.post(PATH, json={"url": URL, "events": ["*"]})
    assert code(answer) == (409, "too_many_webhooks")


async def test_requests_at_once_make_no_more_webhooks_than_there_may_be(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("goldloop.webhooks.service.MOST_ENDPOINTS", 2)
    body = {"url": URL, "events": ["*"]}
    answers = await asyncio.gather(*(hooks.admin.post(PATH, json=body) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] * 2 + [409] * 6


@pytest.mark.parametrize("role", [Role.VIEWER, Role.CONTRIBUTOR, Role.REVIEWER])
async def test_whoever_does_not_run_the_workspace_sees_nothing(
    hooks: Hooks, workspace: Workspace, role: Role
) -> None:
    hook = await hooks.make(URL)
    client = await workspace.client(role)
    for answer in some(await _try_everything(client, hook)):
        assert code(answer) == (403, "forbidden")


async def test_an_agent_does_not_say_where_events_go_whatever_its_role(
    hooks: Hooks, workspace: Workspace
) -> None:
    hook = await hooks.make(URL)
    agent = await workspace.client(Role.ADMIN, agent_id=(await workspace.make_agent()).id)
    for answer in some(await _try_everything(agent, hook)):
        assert code(answer) == (403, "forbidden")


async def test_another_workspace_finds_nothing(hooks: Hooks, other_workspace: Workspace) -> None:
    hook = await hooks.make(URL)
    stranger = await other_workspace.client(Role.OWNER)
    assert ok(await stranger.get(PATH))["data"] == []
    for answer in some((await _try_everything(stranger, hook))[2:]):
        assert code(answer) == (404, "webhook_not_found")
    assert await hooks.show(hook) == {key: value for key, value in hook.items() if key != "secret"}


async def _try_everything(client: httpx.AsyncClient, hook: Any) -> list[httpx.Response]:
    own, delivery = f"{PATH}/{hook['id']}", f"{PATH}/{hook['id']}/deliveries/{hook['id']}"
    return [
        await client.get(PATH),
        await client.post(PATH, json={"url": URL, "events": ["*"]}),
        await client.get(own),
        await client.patch(own, json={"enabled": False}),
        await client.delete(own),
        await client.post(f"{own}/rotate", json={}),
        await client.post(f"{own}/ping"),
        await client.post(f"{own}/recover", json={"since": now().isoformat()}),
        await client.get(f"{own}/deliveries"),
        await client.get(delivery),
        await client.post(f"{delivery}/resend"),
    ]


async def test_the_events_that_can_be_chosen_say_what_is_sent_of_them(hooks: Hooks) -> None:
    offered = {each["name"]: each for each in ok(await hooks.admin.get(f"{PATH}/events"))}
    assert offered.keys() == EVENTS.keys() - {"webhook.pinged"}
    data = offered["response.submitted"]["data"]
    assert {"entity_id", "response_id", "event_id", "workspace_id", "subject_id"} <= data["properties"].keys()
    await hooks.make(URL, *offered)  # all of them by name


async def test_during_a_rotation_both_secrets_are_valid_and_after_it_the_new_one(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        hook = await hooks.make(url, "agent.created")
        rotated = ok(await hooks.admin.post(f"{PATH}/{hook['id']}/rotate", json={"keep_hours": 2}))
        assert rotated["previous_secret_until"] is not None
        await hooks.happen()
        await hooks.send(hook)
        (during,) = receiver.requests
        assert is_signed(during, hook["secret"])
        assert is_signed(during, rotated["secret"])
        hooks.clock.at += timedelta(hours=3)
        await hooks.happen()
        await hooks.send(hook)
        after = receiver.requests[-1]
        assert not is_signed(after, hook["secret"])
        assert is_signed(after, rotated["secret"])
        leaked = ok(await hooks.admin.post(f"{PATH}/{hook['id']}/rotate", json={"keep_hours": 0}))
        await hooks.happen()
        await hooks.send(hook)
        assert not is_signed(receiver.requests[-1], rotated["secret"])
        assert is_signed(receiver.requests[-1], leaked["secret"])


async def test_a_test_goes_to_the_one_that_is_asked_alone(hooks: Hooks) -> None:
    async with receiving() as (one, url), receiving() as (other, other_url):
        hook, everything = await hooks.make(url, "entity.created"), await hooks.make(other_url)
        await hooks.send(everything)
        other.requests.clear()
        pinged = ok(await hooks.admin.post(f"{PATH}/{hook['id']}/ping"))
        assert (pinged["event"], pinged["status"]) == ("webhook.pinged", "waiting")
        for each in (hook, everything):
            await hooks.send(each)
        assert (one.types(), other.types()) == (["webhook.pinged"], [])
        await hooks.change(hook, enabled=False)
        assert code(await hooks.admin.post(f"{PATH}/{hook['id']}/ping")) == (409, "webhook_switched_off")


async def test_a_test_waits_for_no_other(hooks: Hooks) -> None:
    async with receiving(status=500) as (receiver, url):
        hook = await hooks.make(url, "agent.created")
        for _ in range(2):
            ok(await hooks.admin.post(f"{PATH}/{hook['id']}/ping"))
            await hooks.send(hook)
        assert len({each.id for each in receiver.requests}) == 2


async def test_what_was_missed_is_queued_on_demand_and_once(hooks: Hooks) -> None:
    async with receiving() as (receiver, url):
        since = now().isoformat()
        before = await hooks.happen()
        hook = await hooks.make(url, "agent.created")
        after = await hooks.happen()
        for _ in range(2):
            asked = ok(await hooks.admin.post(f"{PATH}/{hook['id']}/recover", json={"since": since}))
            job = ok(await hooks.admin.get(f"/api/jobs/{asked['job_id']}"))
            await _run(hooks, job)
        await hooks.send(hook)
        assert [each.message["data"]["subject_id"] for each in receiver.requests] == [before, after]
        early = {"since": (now() - timedelta(days=40)).isoformat()}
        answer = await hooks.admin.post(f"{PATH}/{hook['id']}/recover", json=early)
        assert places(answer) == [("/since", "out_of_range")]


async def test_a_worker_that_dies_while_it_queues_what_was_missed_is_followed_by_one_that_does_it_all(
    hooks: Hooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that were queued stay so, and no event is sent twice."""
    monkeypatch.setattr("goldloop.webhooks.jobs.BATCH", 2)
    spread_to, pages = delivery_service.spread_to, []

    async def die(tx: Any, endpoint_id: UUID, event_ids: Any, at: Any) -> None:
        pages.append(event_ids)
        await spread_to(tx, endpoint_id, event_ids, at)
        if len(pages) == 2:
            raise RuntimeError("the lights went out")

    async with receiving() as (receiver, url):
        since = now().isoformat()
        missed = [await hooks.happen() for _ in range(5)]
        hook = await hooks.make(url, "agent.created")
        asked = ok(await hooks.admin.post(f"{PATH}/{hook['id']}/recover", json={"since": since}))
        job = ok(await hooks.admin.get(f"/api/jobs/{asked['job_id']}"))
        with monkeypatch.context() as dying:
            dying.setattr(delivery_service, "spread_to", die)
            with pytest.raises(RuntimeError):
                await _run(hooks, job)
        assert len(await hooks.deliveries(hook)) == 2  # of the first page: the second came to nothing
        await hooks.send(hook)
        await _run(hooks, job)
        await hooks.send(hook)
        assert [each.message["data"]["subject_id"] for each in receiver.requests] == missed


async def _run(hooks: Hooks, job: Any) -> None:
    await JOBS[job["name"]].run(hooks.workspace.db, hooks.workspace.system, **job["args"])


def test_no_payload_names_what_is_sent_beside_it() -> None:
    for event in some(EVENTS.values()):
        assert not set(IDS) & set(event.payload.__struct_fields__), event.name
