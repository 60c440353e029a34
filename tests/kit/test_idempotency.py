"""`Idempotency-Key`: the same request under one key acts once and answers the same."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
import pytest

from goldloop.kit.db import Actor, ActorKind, Database, Tx
from goldloop.kit.idempotency import IdempotencyKeyReused, once
from goldloop.kit.ids import new_id
from goldloop.kit.queue import enqueue
from goldloop.tenants import roles
from goldloop.tenants.agents import service as agents
from goldloop.tenants.model import Role
from tests.factories import Workspace


class Made(msgspec.Struct, frozen=True):
    id: UUID
    number: int


class Acts:
    """Counts how often it was run; each run makes an agent, so that a rollback would show."""

    def __init__(self, slug: str = "made") -> None:
        self.slug = slug
        self.runs = 0

    async def run(self, tx: Tx, key: str | None, request: object = "request", wait: float = 0) -> Made:
        async def act() -> Made:
            self.runs += 1
            await asyncio.sleep(wait)
            agent = await agents.create(tx, None, f"{self.slug}-{self.runs}", "made", "")
            return Made(agent.id, self.runs)

        return await once(tx, key, request, Made, act)


def person(workspace: Workspace, user_id: UUID | None = None) -> Actor:
    return Actor(
        tenant_id=workspace.id,
        kind=ActorKind.USER,
        id=user_id or workspace.owner_id,
        name="",
        permissions=roles.permissions(Role.OWNER),
        role=Role.OWNER,
    )


async def in_tx(db: Database, actor: Actor, acts: Acts, key: str | None, **more: Any) -> Made:
    async with db.tx(actor) as tx:
        return await acts.run(tx, key, **more)


async def test_the_same_request_under_one_key_acts_once_and_answers_the_same(
    db: Database, workspace: Workspace
) -> None:
    acts = Acts()
    first = await in_tx(db, person(workspace), acts, "k")
    again = await in_tx(db, person(workspace), acts, "k")
    assert (again, acts.runs) == (first, 1)


async def test_without_a_key_every_request_acts(db: Database, workspace: Workspace) -> None:
    acts = Acts()
    await in_tx(db, person(workspace), acts, None)
    await in_tx(db, person(workspace), acts, None)
    assert acts.runs == 2


async def test_two_at_the_same_time_act_once(db: Database, workspace: Workspace) -> None:
    acts = Acts()
    answers = await asyncio.gather(
        *(in_tx(db, person(workspace), acts, "k", wait=0.05) for _ in range(5)),
    )
    assert acts.runs == 1
    assert len(set(answers)) == 1


async def test_another_request_under_the_same_key_is_refused(db: Database, workspace: Workspace) -> None:
    acts = Acts()
    await in_tx(db, person(workspace), acts, "k", request=["retry", "1"])
    with pytest.raises(IdempotencyKeyReused):
        await in_tx(db, person(workspace), acts, "k", request=["retry", "2"])
    assert acts.runs == 1


async def test_a_key_of_a_request_that_failed_can_be_used_again(db: Database, workspace: Workspace) -> None:
    acts = Acts()

    async def fails() -> None:
        async with db.tx(person(workspace)) as tx:
            await acts.run(tx, "k")
            raise RuntimeError("after the act, before the commit")

    with pytest.raises(RuntimeError):
        await fails()
    await in_tx(db, person(workspace), acts, "k")
    assert acts.runs == 2


async def test_when_the_first_of_two_fails_the_second_acts(db: Database, workspace: Workspace) -> None:
    acts = Acts()

    acted = asyncio.Event()

    async def fails() -> None:
        async with db.tx(person(workspace)) as tx:
            await acts.run(tx, "k")
            acted.set()
            await asyncio.sleep(0.05)  # the second waits for this one by now
            raise RuntimeError("the first request broke")

    first = asyncio.create_task(fails())
    await acted.wait()
    second = await in_tx(db, person(workspace), acts, "k")
    assert (second.number, acts.runs) == (2, 2)
    with pytest.raises(RuntimeError):
        await first


async def test_keys_of_other_people_and_other_workspaces_are_other_keys(
    db: Database, workspace: Workspace, other_workspace: Workspace
) -> None:
    acts = Acts()
    await in_tx(db, person(workspace), acts, "k")
    await in_tx(db, person(workspace, await workspace.make_member(Role.OWNER)), acts, "k", request="another")
    await in_tx(db, person(other_workspace), acts, "k", request="another")
    assert acts.runs == 3


async def test_a_job_is_cancelled_once_under_one_key(workspace: Workspace) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        job = await enqueue(tx, "tenants.record_key_use", {"key_id": str(new_id()), "at": "2026-01-01"})
        other = await enqueue(tx, "tenants.record_key_use", {"key_id": str(new_id()), "at": "2026-01-01"})
    admin = await workspace.client(Role.ADMIN)
    headers = {"Idempotency-Key": "cancel-it"}

    first = await admin.post(f"/api/jobs/{job}/cancel", headers=headers)
    again = await admin.post(f"/api/jobs/{job}/cancel", headers=headers)
    assert (first.status_code, first.json()["status"]) == (200, "cancelled")
    assert (again.status_code, again.json()) == (200, first.json())

    without = await admin.post(f"/api/jobs/{job}/cancel")
    assert (without.status_code, without.json()["code"]) == (409, "job_not_cancellable")
    reused = await admin.post(f"/api/jobs/{other}/cancel", headers=headers)
    assert (reused.status_code, reused.json()["code"]) == (409, "idempotency_key_reused")
    retried = await admin.post(f"/api/jobs/{job}/retry", headers=headers)
    assert (retried.status_code, retried.json()["code"]) == (409, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "a" * 201])
async def test_a_key_is_up_to_200_visible_characters(workspace: Workspace, key: str) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post(
        f"/api/jobs/{new_id()}/retry", headers=[(b"idempotency-key", key.encode("latin-1"))]
    )
    assert answer.status_code == 422, answer.text
