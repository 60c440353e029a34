"""Shortcuts through the API for sessions that run elsewhere."""

from typing import Any

import httpx

from goldloop.kit.ids import new_id
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
