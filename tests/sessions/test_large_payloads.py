"""A row that names a blob of another workspace, however it came to do so, neither shows nor deletes it."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.kit.outside import Outside
from goldloop.sessions.payloads import LARGE
from tests.erasures.planted import Ground, make_ground
from tests.factories import Workspace
from tests.records import Desk, code, ok
from tests.sessions.recordings import begin, event, send

FOREIGN = ["{0}/events/aa.json", "turn-logs/{0}/aa/aa.json"]


async def name_blob(ground: Ground, key: str) -> dict[str, Any]:
    """A session whose one large event names it."""
    session = await begin(ground.admin)
    ok(await send(ground.admin, session, [event("user.message", text="z" * LARGE)]))
    async with ground.desk.workspace.db.tx(ground.desk.workspace.system) as tx:
        await tx.execute("SET LOCAL ROLE NONE")
        await tx.execute(
            "UPDATE session_events SET blob = $3 WHERE tenant_id = $1 AND session_id = $2 AND blob IS NOT NULL",
            tx.actor.tenant_id,
            UUID(session["id"]),
            key,
        )
    return session


@pytest.mark.parametrize("key", FOREIGN)
async def test_a_blob_of_another_workspace_is_neither_shown_nor_deleted(
    desk: Desk, outside: Outside, other_workspace: Workspace, key: str
) -> None:
    ground = await make_ground(desk, outside)
    theirs = key.format(other_workspace.id)
    await outside.blobs.put(theirs, b'{"text": "theirs"}')
    session = await name_blob(ground, theirs)
    path = f"/api/sessions/{session['id']}/events/2/payload"
    assert code(await ground.admin.get(path)) == (404, "session_event_not_found")
    await ground.erase(kind="session", session_id=session["id"])
    assert await outside.blobs.get(theirs) == b'{"text": "theirs"}'
