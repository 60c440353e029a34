"""Where a turn's log is in the blob store, and how many of them an answer holds. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec

_FOLDER = "turn-logs"


class Logs(NamedTuple):
    """Logs by turn, and the first turn whose log is not on the page."""

    found: Mapping[str, msgspec.Raw | None]
    beyond: str | None


def public_address(uri: str | None) -> str | None:
    """An address without the path on the server's disk, with which older versions stored that of a folder."""
    if uri is None or not uri.startswith("file:"):
        return uri
    _, _, name = uri.rpartition(f"/{_FOLDER}/")
    return f"blob:{_FOLDER}/{name}"


def log_folder(tenant_id: UUID) -> str:
    """All logs of a workspace are in it."""
    return f"{_FOLDER}/{tenant_id}/"


def log_key(tenant_id: UUID, project: str, conversation_id: str, turn_id: str) -> str:
    """Of any ids the same short name; none of them holds a slash, so no two turns share one."""
    name = hashlib.sha256(f"{project}/{conversation_id}/{turn_id}".encode()).hexdigest()
    return f"{log_folder(tenant_id)}{name[:2]}/{name}.json"


def first_beyond(logs: Mapping[str, msgspec.Raw | None], turn_ids: Sequence[str], most: int) -> str | None:
    """The first turn with whose log there are more than `most` bytes, but never the first that has one."""
    total = 0
    for turn_id in turn_ids:
        size = len(logs.get(turn_id) or b"")
        if total and total + size > most:
            return turn_id
        total += size
    return None
