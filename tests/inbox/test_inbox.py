"""What waits for a person, by kind: who sees which, and how it is counted."""

from typing import Any

import httpx
import pytest

from goldloop.inbox import service
from goldloop.kit import inbox
from goldloop.kit.db import Tx
from goldloop.kit.inbox import KINDS, Waiting
from goldloop.kit.outside import Outside
from goldloop.kit.queue import enqueue
from goldloop.tenants.model import Role
from tests.conversations.chats import make_chats
from tests.conversations.reactions.test_machine import unclear
from tests.factories import Workspace
from tests.jobs.test_api import end_job
from tests.records import Desk, ok

SESSIONS = ["failed_sessions", "waiting_sessions"]


async def counts(client: httpx.AsyncClient) -> dict[str, int]:
    return {row["kind"]: row["count"] for row in ok(await client.get("/api/inbox"))["data"]}


async def test_each_kind_is_counted_where_it_waits(
    workspace: Workspace, outside: Outside, desk: Desk
) -> None:
    nothing = {
        "responses": 0,
        "reactions": 0,
        "jobs": 0,
        "failed_sessions": 0,
        "waiting_sessions": 0,
        "tasks": 0,
        "feedback_groups": 0,
        "knowledge": 0,
        "regressions": 0,
        "webhooks": 0,
        "chain": 0,
        "labels": 0,
        "limits": 0,
    }
    assert await counts(desk.admin) == nothing
    record = await desk.make_record()
    first, _ = [await desk.submit(record, {"name": "Acme"}) for _ in range(2)]
    await unclear(await make_chats(workspace, outside))
    async with workspace.db.tx(workspace.system) as tx:
        job_id = await enqueue(tx, "criteria.sync_default", {"slug": "company"})
    await end_job(workspace, job_id, "failed", "reason")
    assert await counts(desk.admin) == nothing | {"responses": 2, "reactions": 1, "jobs": 1}
    await desk.promote(first, "name")
    assert (await counts(desk.admin))["responses"] == 1


@pytest.mark.parametrize(
    ("role", "kinds"),
    [
        (Role.VIEWER, []),
        (Role.CONTRIBUTOR, SESSIONS),
        (Role.REVIEWER, [*SESSIONS, "chain", "labels", "reactions", "responses"]),
        (
            Role.ADMIN,
            [
                *SESSIONS,
                *[
                    "chain",
                    "feedback_groups",
                    "jobs",
                    "knowledge",
                    "labels",
                    "limits",
                    "reactions",
                    "regressions",
                    "responses",
                    "tasks",
                    "webhooks",
                ],
            ],
        ),
    ],
)
async def test_nobody_is_shown_what_waits_for_others(
    workspace: Workspace, role: Role, kinds: list[str]
) -> None:
    assert sorted(await counts(await workspace.client(role))) == sorted(kinds)


async def test_what_is_assigned_to_somebody_is_counted_as_theirs(desk: Desk) -> None:
    user_id, colleague = await desk.person(Role.REVIEWER)
    made = [await desk.submit(await desk.make_record(), {"name": "Acme"}) for _ in range(2)]
    body = {"ids": [made[0]["id"]], "user_id": str(user_id)}
    ok(await desk.reviewer.post("/api/responses/assign", json=body))
    agent = await desk.agent(Role.REVIEWER)
    for client, mine in ((colleague, 1), (desk.reviewer, 0), (agent, None)):
        row: Any = next(
            row for row in ok(await client.get("/api/inbox"))["data"] if row["kind"] == "responses"
        )
        assert (row["count"], row["more"], row["mine"]) == (2, False, mine)


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        (Waiting(0), (0, False, None)),
        (Waiting(inbox.MOST_COUNTED, 3), (1000, False, 3)),
        (Waiting(inbox.MOST_COUNTED + 1, inbox.MOST_COUNTED + 1), (1000, True, 1000)),
    ],
)
async def test_a_count_says_where_it_stopped(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, waiting: Waiting, expected: tuple[Any, ...]
) -> None:
    async def count(_: Tx) -> Waiting:
        return waiting

    monkeypatch.setitem(
        KINDS,
        "other",
        inbox.InboxKind(key="other", label="Other", permissions=(), topic="entities", path="/x", count=count),
    )
    async with workspace.db.tx(workspace.system) as tx:
        found = next(row for row in (await service.read(tx)).data if row.kind == "other")
    assert (found.count, found.more, found.mine) == expected
