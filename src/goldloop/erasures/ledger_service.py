"""Use cases of the list of what was deleted, which an operator keeps outside: a database that is restored from an older backup
knows nothing of it, and by this list it is deleted anew. It names nobody, only fingerprints: whose they are is found by trying
all there are.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.erasures import store
from goldloop.erasures.model import ErasureKind, Subject
from goldloop.kit.db import Tx

_NAMED = (ErasureKind.END_USER, ErasureKind.CONVERSATION, ErasureKind.SESSION, ErasureKind.RECORD)


class Deleted(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the list. `id` is null for a workspace, which is gone with its erasures."""

    id: UUID | None
    workspace_id: UUID
    kind: ErasureKind
    fingerprint: str
    requested_at: datetime


def of_workspace(workspace_id: UUID, requested_at: datetime) -> Deleted:
    subject = Subject(kind=ErasureKind.WORKSPACE, name=())
    return Deleted(
        id=None,
        workspace_id=workspace_id,
        kind=subject.kind,
        fingerprint=subject.fingerprint(workspace_id),
        requested_at=requested_at,
    )


def write_lines(deleted: Iterable[Deleted]) -> bytes:
    return b"".join(msgspec.json.encode(each) + b"\n" for each in deleted)


def read_lines(content: bytes) -> list[Deleted]:
    """Raises msgspec.DecodeError."""
    return [msgspec.json.decode(line, type=Deleted) for line in content.splitlines() if line.strip()]


async def list_deleted(tx: Tx) -> list[Deleted]:
    """Of the transaction's workspace, the oldest first."""
    return [
        Deleted(workspace_id=tx.actor.tenant_id, **_kept(each))
        for each in await store.list_asked_for(tx)
        if each.ended_at is not None
    ]


def _kept(each: Any) -> dict[str, Any]:
    return {
        "id": each.id,
        "kind": each.kind,
        "fingerprint": each.fingerprint,
        "requested_at": each.requested_at,
    }


async def find_there_again(tx: Tx, listed: Sequence[Deleted]) -> list[Subject]:
    """What of the list is in the transaction's workspace and was not deleted there: as that knows nothing of the erasure."""
    known = {each.id for each in await store.list_asked_for(tx) if each.ended_at is not None}
    wanted = {
        (each.kind, each.fingerprint)
        for each in listed
        if each.workspace_id == tx.actor.tenant_id and each.id not in known
    }
    if not wanted:
        return []
    subjects = [Subject(kind=ErasureKind.WORKSPACE, name=())]
    for kind in _NAMED:
        names = await store.list_names(tx, kind)
        subjects += [Subject(kind=kind, name=name) for name in names]
        if kind is ErasureKind.RECORD:
            subjects += [Subject(kind=ErasureKind.RESPONSES, name=name) for name in names]
    return [each for each in subjects if (each.kind, each.fingerprint(tx.actor.tenant_id)) in wanted]
