"""Shortcuts through the API for sessions that run elsewhere."""

from typing import Any
from uuid import UUID

import httpx

from goldloop.kit.clock import now
from goldloop.kit.ids import new_id
from goldloop.sessions.service import SILENCE
from tests.factories import Workspace
from tests.records import ok


def event(kind: str, **payload: Any) -> dict[str, Any]:
    return {"id": str(new_id()), "type": kind, "payload": payload}


STORY: list[tuple[str, dict[str, Any]]] = [
    ("user.message", {"text": "How long is the notice of the Papaya contract?"}),
    ("model.request", {"model": "m", "input_tokens": 120, "output_tokens": 8, "cost": 0.25}),
    ("tool.call", {"id": "c1", "name": "searchEntities", "arguments": {"query": "papaya"}}),
    ("tool.result", {"id": "c1", "result": {"entities": []}}),
    ("model.request", {"model": "m", "input_tokens": 150, "output_tokens": 20}),
    ("agent.message", {"text": "Ninety days."}),
]


def story() -> list[dict[str, Any]]:
    return [event(kind, **payload) for kind, payload in STORY]


async def begin(client: httpx.AsyncClient, **session: Any) -> dict[str, Any]:
    new = {"source": "client", "agent": "outsider", **session}
    made: dict[str, Any] = ok(await client.post("/api/sessions", json=new))
    return made


async def send(client: httpx.AsyncClient, session: dict[str, Any], events: list[Any]) -> httpx.Response:
    return await client.post(f"/api/sessions/{session['id']}/events", json=events)


async def read(client: httpx.AsyncClient, session: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ok(
        await client.get(f"/api/sessions/{session['id']}/events", params={"limit": 200})
    )["data"]
    return found


async def fall_silent(workspace: Workspace, session: dict[str, Any]) -> None:
    """As if nothing had come from it for a while."""
    async with workspace.db.tx(workspace.system) as tx:
        await tx.execute(
            "UPDATE sessions SET heard_at = $3 WHERE tenant_id = $1 AND id = $2",
            tx.actor.tenant_id,
            UUID(session["id"]),
            now() - 2 * SILENCE,
        )
