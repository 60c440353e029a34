"""API keys through HTTP: made once, shown once, listed, limited, revoked."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import httpx
import pytest

from goldloop.jobs import service as jobs
from goldloop.kit.clock import now
from goldloop.kit.db import Database, connect
from goldloop.kit.errors import Unauthenticated
from goldloop.kit.ids import new_id, secret_hash
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.keys.jobs import record_key_use
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import make_namesakes


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def faults(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.text
    return [(fault["path"], fault["code"]) for fault in answer.json()["errors"]]


async def test_a_made_key_works_and_its_secret_is_never_shown_again(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    made = await admin.post("/api/keys", json={"name": "ci", "role": "viewer"})
    assert made.status_code == 201
    secret = made.json()["key"]
    assert secret.startswith("gl_")

    holder = await workspace.client_with(secret)
    assert (await holder.get("/api/workspace")).json()["role"] == "viewer"

    listed = await admin.get("/api/keys")
    assert secret not in listed.text
    assert made.json()["id"] in [key["id"] for key in listed.json()["data"]]
    shown = await admin.get(f"/api/keys/{made.json()['id']}")
    assert shown.json() | {"key": secret} == made.json()


async def test_a_key_is_stored_as_its_hash_alone(workspace: Workspace, database_url: str) -> None:
    key, secret = await workspace.make_key()
    owner = await connect(database_url, statement_cache=0)
    row = await owner.fetchrow(
        "SELECT hash, h::text AS whole FROM api_key_hashes h WHERE key_id = $1", key.id
    )
    await owner.close()
    assert row["hash"] == secret_hash(secret)
    async with workspace.db.tx(workspace.system) as tx:
        kept = await tx.fetchval("SELECT k::text FROM api_keys k WHERE id = $1", key.id)
    assert secret not in row["whole"] + kept
    assert secret.startswith(key.prefix)
    assert len(key.prefix) == 10


async def test_a_revoked_key_stops_working(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    key, secret = await workspace.make_key(Role.VIEWER)
    holder = await workspace.client_with(secret)
    assert (await holder.get("/api/workspace")).status_code == 200

    revoked = await admin.post(f"/api/keys/{key.id}/revoke")
    assert revoked.json()["status"] == "revoked"
    answer = await holder.get("/api/workspace")
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthenticated"


async def test_revoking_again_changes_nothing(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    key, _ = await workspace.make_key(Role.VIEWER)
    first = await admin.post(f"/api/keys/{key.id}/revoke")
    again = await admin.post(f"/api/keys/{key.id}/revoke")
    assert (again.status_code, again.json()) == (200, first.json())


async def test_a_key_revoked_in_another_process_stops_within_a_second(
    workspace: Workspace, db: Database
) -> None:
    key, secret = await workspace.make_key(Role.VIEWER)
    elsewhere = Authenticator(db=db, secret=b"")  # does not hear what this process does
    await elsewhere.key_holder(secret)
    admin = await workspace.client(Role.ADMIN)
    await admin.post(f"/api/keys/{key.id}/revoke")
    await asyncio.sleep(0.9)
    with pytest.raises(Unauthenticated):
        await elsewhere.key_holder(secret)


async def test_the_same_create_twice_makes_one_key(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(new_id()), "name": "ci", "role": "viewer"}
    first = await admin.post("/api/keys", json=new)
    again = await admin.post("/api/keys", json=new)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json() | {"key": None}

    other = await admin.post("/api/keys", json=new | {"name": "other"})
    assert other.status_code == 409
    assert other.json()["code"] == "key_exists"
    holder = await workspace.client_with(first.json()["key"])
    assert (await holder.get("/api/workspace")).status_code == 200


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic abc", "gl_abc", "Bearer gl_unknown", "Bearer \xff", "bearer\tgl_x"],
)
async def test_what_is_no_key_is_refused(workspace: Workspace, header: str) -> None:
    client = await workspace.browser()
    answer = await client.get("/api/workspace", headers=[(b"authorization", header.encode("latin-1"))])
    assert code(answer) == (401, "unauthenticated")


async def test_an_expired_key_stops_by_itself(workspace: Workspace) -> None:
    for seconds in (0.5, 5, 30):  # a busy machine may take longer to ask than a short one lasts
        soon = now() + timedelta(seconds=seconds)
        key, secret = await workspace.make_key(Role.VIEWER, expires_at=soon)
        holder = await workspace.client_with(secret)
        status = (await holder.get("/api/workspace")).status_code
        if now() < soon:
            break
    assert status == 200
    await asyncio.sleep((soon - now()).total_seconds() + 0.01)
    assert code(await holder.get("/api/workspace")) == (401, "unauthenticated")
    admin = await workspace.client(Role.ADMIN)
    assert (await admin.get(f"/api/keys/{key.id}")).json()["status"] == "expired"


@pytest.mark.parametrize(
    ("expires_at", "fault"),
    [
        ("2020-01-01T00:00:00Z", "in_the_past"),
        ("0001-01-01T00:00:00+14:00", "in_the_past"),
        ("9999-12-31T23:59:59-14:00", "too_late"),
        ("2999-01-01T00:00:00", "invalid_value"),  # which hour that is depends on where
        ("tomorrow", "invalid_value"),
        (4102444800, "invalid_value"),
    ],
)
async def test_a_key_expires_at_a_moment_in_the_future(
    workspace: Workspace, expires_at: object, fault: str
) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post("/api/keys", json={"name": "k", "role": "viewer", "expires_at": expires_at})
    assert faults(answer) == [("/expires_at", fault)]


async def test_an_expiry_in_another_time_zone_is_the_same_moment(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(new_id()), "name": "k", "role": "viewer", "expires_at": "2999-01-01T02:00:00.5+02:00"}
    made = await admin.post("/api/keys", json=new)
    assert datetime.fromisoformat(made.json()["expires_at"]) == datetime(2999, 1, 1, 0, 0, 0, 500_000, UTC)
    assert made.json()["expires_at"].endswith("Z")
    assert (await admin.post("/api/keys", json=new)).status_code == 201  # the same create again


async def test_a_key_of_an_agent_is_not_that_of_a_member_with_its_id(
    workspace: Workspace,
) -> None:
    shared = await make_namesakes(workspace, Role.ADMIN)
    member = await workspace.client(Role.ADMIN, user_id=shared)
    new = {"id": str(new_id()), "name": "k", "role": "viewer"}
    assert (await member.post("/api/keys", json=new | {"agent_id": str(shared)})).status_code == 201
    assert code(await member.post("/api/keys", json=new)) == (409, "key_exists")


@pytest.mark.parametrize(("own", "new"), [(Role.ADMIN, Role.OWNER)])
async def test_nobody_makes_or_revokes_a_key_above_their_own_role(
    workspace: Workspace, own: Role, new: Role
) -> None:
    client = await workspace.client(own)
    made = await client.post("/api/keys", json={"name": "k", "role": new})
    assert code(made) == (403, "role_too_high")
    higher, secret = await workspace.make_key(new)
    assert code(await client.post(f"/api/keys/{higher.id}/revoke")) == (403, "role_too_high")
    assert (await (await workspace.client_with(secret)).get("/api/workspace")).status_code == 200


async def test_every_unknown_scope_is_named_by_its_place(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"name": "k", "role": "viewer", "scopes": ["*.team.read", "agent.team.read.", "x"]}
    assert faults(await admin.post("/api/keys", json=new)) == [("/scopes/1", "invalid_value")]
    new["scopes"] = ["agents.team.mange", "*.team.read", "keys.own.manage"]
    assert faults(await admin.post("/api/keys", json=new)) == [
        ("/scopes/0", "unknown_scope"),
        ("/scopes/2", "unknown_scope"),
    ]
    new["scopes"] = []
    assert faults(await admin.post("/api/keys", json=new)) == [("/scopes", "invalid_value")]


async def test_a_scoped_key_makes_only_keys_within_its_scopes(workspace: Workspace) -> None:
    client = await workspace.client(Role.ADMIN, scopes=["keys.team.manage", "*.team.read"])
    new = {"name": "k", "role": "admin"}
    assert (await client.post("/api/keys", json=new)).status_code == 403
    assert (await client.post("/api/keys", json=new | {"scopes": ["agents.team.manage"]})).status_code == 403
    made = await client.post("/api/keys", json=new | {"scopes": ["agents.team.read"]})
    assert made.status_code == 201
    holder = await workspace.client_with(made.json()["key"])
    assert (await holder.get("/api/agents")).status_code == 200
    assert (await holder.get("/api/keys")).status_code == 403


async def test_a_key_of_an_agent_acts_as_the_agent(workspace: Workspace) -> None:
    agent = await workspace.make_agent()
    admin = await workspace.client(Role.ADMIN)
    made = await admin.post("/api/keys", json={"name": "k", "role": "admin", "agent_id": str(agent.id)})
    assert made.json()["holder"] == {"kind": "agent", "id": str(agent.id), "name": agent.name}
    assert made.json()["created_by"]["id"] == str(workspace.owner_id)
    client = await workspace.client_with(made.json()["key"])
    by_agent = await client.post("/api/agents", json={"slug": "made-by-agent", "name": "A"})
    assert by_agent.json()["created_by"] == {"kind": "agent", "id": str(agent.id), "name": agent.name}
    for_itself = await client.post("/api/keys", json={"name": "k", "role": "viewer"})
    assert faults(for_itself) == [("/agent_id", "missing")]


async def test_a_key_for_an_agent_that_is_not_here_is_refused(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    foreign = await other_workspace.make_agent()
    admin = await workspace.client(Role.ADMIN)
    for agent_id in (foreign.id, new_id()):
        answer = await admin.post(
            "/api/keys", json={"name": "k", "role": "viewer", "agent_id": str(agent_id)}
        )
        assert faults(answer) == [("/agent_id", "agent_not_found")]


async def test_a_key_ends_with_its_holders_membership(workspace: Workspace) -> None:
    person = await workspace.make_member(Role.CONTRIBUTOR)
    key, secret = await workspace.make_key(Role.CONTRIBUTOR, user_id=person)
    holder = await workspace.client_with(secret)
    assert (await holder.get("/api/workspace")).status_code == 200
    owner = await workspace.client()
    assert (await owner.delete(f"/api/members/{person}")).status_code == 204
    assert code(await holder.get("/api/workspace")) == (401, "unauthenticated")
    shown = (await owner.get(f"/api/keys/{key.id}")).json()
    assert (shown["holder"]["kind"], shown["holder"]["id"]) == ("user", str(person))


async def test_absent_and_foreign_keys_answer_the_same_404(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    foreign, secret = await other_workspace.make_key()
    admin = await workspace.client(Role.ADMIN)
    answers = [await admin.get(f"/api/keys/{key_id}") for key_id in (foreign.id, new_id())]
    answers += [await admin.post(f"/api/keys/{key_id}/revoke") for key_id in (foreign.id, new_id())]
    assert [code(answer) for answer in answers] == [(404, "key_not_found")] * 4
    assert len({answer.text for answer in answers}) == 1
    assert (await (await other_workspace.client_with(secret)).get("/api/workspace")).status_code == 200


async def test_pages_show_every_key_once_while_others_are_made(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    before = {str((await workspace.make_key(name=f"k{n}"))[0].id) for n in range(6)}
    before |= {key["id"] for key in (await admin.get("/api/keys")).json()["data"]}
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = (
            await admin.get("/api/keys", params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        ).json()
        assert len(page["data"]) <= 2
        seen += [key["id"] for key in page["data"]]
        await workspace.make_key(name="made meanwhile")
        if (cursor := page["next_cursor"]) is None:
            break
    assert sorted(seen) == sorted(before)
    assert seen == sorted(seen, reverse=True)  # newest first


@pytest.mark.parametrize("key_id", [UUID(int=0), UUID(int=2**128 - 2)])
async def test_no_key_hides_from_the_list_behind_an_odd_id(workspace: Workspace, key_id: UUID) -> None:
    admin = await workspace.client(Role.ADMIN)
    made = await admin.post("/api/keys", json={"id": str(key_id), "name": "k", "role": "viewer"})
    assert made.status_code == 201
    pages = [await admin.get("/api/keys?limit=1")]
    while cursor := pages[-1].json()["next_cursor"]:
        pages.append(await admin.get("/api/keys", params={"limit": 1, "cursor": cursor}))
    assert str(key_id) in [key["id"] for page in pages for key in page.json()["data"]]


async def test_the_id_that_lists_begin_at_is_taken_by_no_key(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    new = {"id": str(UUID(int=2**128 - 1)), "name": "k", "role": "viewer"}
    assert faults(await admin.post("/api/keys", json=new)) == [("/id", "reserved_id")]


@pytest.mark.parametrize("cursor", ["x", "", "WyJub3QgYSB1dWlkIl0", "W10", "%00", "a" * 2000])
async def test_a_cursor_that_is_none_answers_422(workspace: Workspace, cursor: str) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.get(f"/api/keys?cursor={cursor}")
    assert [path for path, _ in faults(answer)] == ["/cursor"]


async def uses(workspace: Workspace, key_id: UUID) -> list[dict[str, str]]:
    """The payloads of the jobs that record the use of a key, oldest first."""
    async with workspace.db.tx(workspace.system) as tx:
        queued = (await jobs.list_jobs(tx, None, None, 200)).data
    mine = [job.args for job in queued if job.name == "tenants.record_key_use"]
    return [args for args in reversed(mine) if args["key_id"] == str(key_id)]


async def settled(auth: Authenticator) -> None:
    """Until what a request left running in the background is done."""
    while auth._background:
        await asyncio.gather(*auth._background)


async def test_the_last_use_of_a_key_is_recorded_by_one_job_a_minute(
    workspace: Workspace, auth: Authenticator, db: Database
) -> None:
    key, secret = await workspace.make_key(Role.ADMIN)
    assert key.last_used_at is None
    holder = await workspace.client_with(secret)
    for _ in range(3):
        await holder.get("/api/workspace")
    await settled(auth)
    (payload,) = await uses(workspace, key.id)

    async with workspace.db.tx(workspace.system) as tx:
        await record_key_use(tx, **payload)
    used_at = (await holder.get(f"/api/keys/{key.id}")).json()["last_used_at"]
    assert datetime.fromisoformat(used_at) == datetime.fromisoformat(payload["at"])

    another_process = Authenticator(db=db, secret=b"")
    await another_process.key_holder(secret)  # less than a minute later
    await settled(another_process)
    assert len(await uses(workspace, key.id)) == 1

    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            "UPDATE api_keys SET last_used_at = $2 WHERE id = $1", key.id, now() - timedelta(minutes=2)
        )
    another_process.forget()
    await another_process.key_holder(secret)
    await settled(another_process)
    assert len(await uses(workspace, key.id)) == 2


async def test_a_use_that_is_recorded_late_does_not_turn_time_back(workspace: Workspace) -> None:
    key, _ = await workspace.make_key()
    late, early = "2026-01-01T00:01:00+00:00", "2026-01-01T00:00:00+00:00"
    for at in (late, late, early):  # jobs run twice, late and in another order
        async with workspace.db.tx(workspace.system) as tx:
            await record_key_use(tx, key_id=str(key.id), at=at)
    async with workspace.db.tx(workspace.system) as tx:
        stored = await tx.fetchval("SELECT last_used_at FROM api_keys WHERE id = $1", key.id)
    assert stored == datetime.fromisoformat(late)


async def test_keys_are_filtered_by_their_status_over_the_whole_list(workspace: Workspace) -> None:
    """Not among the rows of one page: an active key behind many revoked ones is found."""
    old, _ = await workspace.make_key(Role.VIEWER, name="old and active")
    client = await workspace.client(Role.ADMIN)
    for _ in range(3):
        key, _secret = await workspace.make_key(Role.VIEWER)
        assert (await client.post(f"/api/keys/{key.id}/revoke")).status_code == 200
    active = (await client.get("/api/keys?status=active&limit=2")).json()
    assert {k["status"] for k in active["data"]} == {"active"}
    assert str(old.id) in [k["id"] for k in active["data"]]
    assert len((await client.get("/api/keys?status=revoked")).json()["data"]) == 3
    assert (await client.get("/api/keys?status=expired")).json()["data"] == []
    assert (await client.get("/api/keys?status=none")).status_code == 422
