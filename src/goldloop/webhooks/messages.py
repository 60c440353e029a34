"""The single source of what is sent of an event: `{type, timestamp, data}`. Pure.

`data` is the payload of the event, with ids beside it: the event, the workspace, the subject, and who did it. The same event is
the same bytes at every attempt and for every receiver.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

IDS = ("event_id", "workspace_id", "subject_id", "actor_kind", "actor_id")  # which no payload may name


class LoggedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event as the log has it."""

    id: UUID
    tenant_id: UUID
    name: str
    subject_id: str
    payload: dict[str, Any]
    actor_kind: str
    actor_id: UUID | None
    created_at: datetime


def body_of(event: LoggedEvent) -> bytes:
    ids = (event.id, event.tenant_id, event.subject_id, event.actor_kind, event.actor_id)
    message = {
        "type": event.name,
        "timestamp": event.created_at,
        "data": {**event.payload, **dict(zip(IDS, ids, strict=True))},
    }
    return msgspec.json.encode(message)


def data_schema(payload: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON schema of `data` for events with this payload."""
    schema = msgspec.json.schema(payload)
    definitions = schema.get("$defs", {})
    own = definitions.pop(schema["$ref"].rsplit("/", 1)[-1]) if "$ref" in schema else schema
    identified = {
        "event_id": {"type": "string", "format": "uuid"},
        "workspace_id": {"type": "string", "format": "uuid"},
        "subject_id": {"type": "string"},
        "actor_kind": {"enum": ["agent", "system", "user"]},
        "actor_id": {"anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}]},
    }
    made: dict[str, Any] = {
        "type": "object",
        "properties": {**own.get("properties", {}), **identified},
        "required": [*own.get("required", []), *IDS],
    }
    return {**made, "$defs": definitions} if definitions else made


def origin_of(url: str) -> str:
    """An address without what may be a secret of its receiver: only its scheme, host and port."""
    scheme, _, rest = url.partition("://")
    for end in "/?#\\":
        rest = rest.partition(end)[0]
    return f"{scheme}://{rest.rpartition('@')[2]}"
