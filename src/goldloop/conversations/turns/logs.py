"""Where a turn's log is in the blob store. Pure."""

import hashlib
from uuid import UUID

_FOLDER = "turn-logs"


def told_address(uri: str | None) -> str | None:
    """A folder's address was stored with the path on the server's disk once; that is nobody's matter."""
    if uri is None or not uri.startswith("file:"):
        return uri
    _, _, name = uri.rpartition(f"/{_FOLDER}/")
    return f"blob:{_FOLDER}/{name}"


def log_key(tenant_id: UUID, project: str, conversation_id: str, turn_id: str) -> str:
    """Of any ids the same short name; none of them holds a slash, so no two turns share one."""
    name = hashlib.sha256(f"{project}/{conversation_id}/{turn_id}".encode()).hexdigest()
    return f"{_FOLDER}/{tenant_id}/{name[:2]}/{name}.json"
