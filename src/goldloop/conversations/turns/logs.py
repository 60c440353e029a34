"""Where a turn's log is in the blob store. Pure."""

import hashlib
from uuid import UUID


def log_key(tenant_id: UUID, project: str, conversation_id: str, turn_id: str) -> str:
    """Of any ids the same short name; none of them holds a slash, so no two turns share one."""
    name = hashlib.sha256(f"{project}/{conversation_id}/{turn_id}".encode()).hexdigest()
    return f"turn-logs/{tenant_id}/{name[:2]}/{name}.json"
