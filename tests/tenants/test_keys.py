"""API keys through HTTP: made once, shown once, listed, revoked."""

from goldloop.kit.ids import new_id
from goldloop.tenants.model import Role
from tests.factories import Workspace


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
