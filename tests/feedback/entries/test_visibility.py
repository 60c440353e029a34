"""Who sees which feedback: people their own, agents what they said, whoever reviews all of it. PostgreSQL itself sees to it."""

import httpx
import pytest

from goldloop.kit.db import APP_ROLE, Actor
from goldloop.kit.permissions import Permissions
from goldloop.tenants.auth.actors import system_actor
from goldloop.tenants.model import Role
from goldloop.tenants.roles import GRANTS
from tests.feedback.signals import Signals
from tests.loops import some
from tests.records import code, ok

ALL = {"by the administrator", "by the viewer", "by the contributor", "by the agent", "by an end user"}


async def everybody(signals: Signals) -> dict[str, httpx.AsyncClient]:
    workspace = signals.desk.workspace
    clients = {
        "administrator": signals.admin,
        "viewer": (await signals.desk.person(Role.VIEWER))[1],
        "contributor": (await signals.desk.person(Role.CONTRIBUTOR))[1],
        "agent": await signals.desk.agent(),
    }
    for name, client in clients.items():
        await signals.give(client, comment=f"by the {name}")
    turn = await signals.chats.say("c", user_id="ada")
    await signals.chats.react("c", turn, "not_ok", text="by an end user")
    clients["owner"] = await workspace.client(Role.OWNER)
    clients["reviewer"] = (await signals.desk.person(Role.REVIEWER))[1]
    return clients


async def test_people_see_their_own_and_administrators_all(signals: Signals) -> None:
    clients = await everybody(signals)
    seen = {
        name: {row["comment"] for row in await signals.listed(by=client)} for name, client in clients.items()
    }
    assert seen == {
        "administrator": ALL,
        "owner": ALL,
        "viewer": {"by the viewer"},
        "contributor": {"by the contributor"},
        "agent": {"by the agent"},
        "reviewer": set(),
    }


async def test_what_others_gave_is_as_absent_as_what_is_not_there(signals: Signals) -> None:
    clients = await everybody(signals)
    rows = {row["comment"]: row["id"] for row in await signals.listed()}
    for name in some(["viewer", "contributor", "agent", "reviewer"]):
        for comment, row_id in some(rows.items()):
            own = comment == f"by the {name}"
            answer = await clients[name].get(f"/api/feedback/{row_id}")
            assert answer.status_code == (200 if own else 404), (name, comment)
            if not own:
                assert code(answer) == (404, "feedback_not_found")
                assert (await clients[name].delete(f"/api/feedback/{row_id}")).status_code == 404
        body = {"status": "dismissed"}
        assert (
            await clients[name].patch(f"/api/feedback/{rows['by the agent']}", json=body)
        ).status_code == 403
        assert (await clients[name].get("/api/feedback/groups")).status_code == 403


async def test_the_database_hides_the_rest_whatever_is_asked(signals: Signals) -> None:
    viewer_id, viewer = await signals.desk.person(Role.VIEWER)
    await signals.give(viewer, comment="mine")
    await signals.give(comment="not mine")
    db = signals.desk.workspace.db.in_role(APP_ROLE)
    actor = Actor(
        tenant_id=signals.desk.workspace.id,
        kind=system_actor(signals.desk.workspace.id).kind.USER,
        id=viewer_id,
        name="viewer",
        permissions=Permissions(grants=GRANTS[Role.VIEWER]),
    )
    async with db.tx(actor) as tx:
        assert [row["comment"] for row in await tx.fetch("SELECT comment FROM feedback")] == ["mine"]
        assert await tx.execute("UPDATE feedback SET comment = 'changed'") == 1
        assert await tx.fetchval("SELECT count(*) FROM feedback_groups") == 0


@pytest.mark.parametrize("scope", ["feedback.team.review", "*.team.review", "feedback.*.*"])
async def test_a_key_that_is_narrowed_to_reviewing_sees_all(signals: Signals, scope: str) -> None:
    await signals.give(comment="something")
    key = await signals.desk.workspace.client(Role.ADMIN, scopes=[scope, "feedback.own.read"])
    assert len(await signals.listed(by=key)) == 1


async def test_an_administrators_key_without_that_scope_sees_its_own_alone(signals: Signals) -> None:
    _, contributor = await signals.desk.person(Role.CONTRIBUTOR)
    await signals.give(contributor, comment="something")
    key = await signals.desk.workspace.client(Role.ADMIN, scopes=["feedback.own.read"])
    assert await signals.listed(by=key) == []


async def test_counts_are_of_what_one_may_see(signals: Signals) -> None:
    clients = await everybody(signals)
    counted = {
        name: sum(row["count"] for row in ok(await client.get("/api/feedback/counts"))["data"])
        for name, client in clients.items()
    }
    assert counted == {
        "administrator": 5, "owner": 5, "viewer": 1, "contributor": 1, "agent": 1, "reviewer": 0
    }  # fmt: skip
