"""Types and errors of erasures."""

import hashlib
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, GoldloopError, NotFound
from goldloop.tenants.model import Party

ERASED = "(erased)"  # in the place of text that is gone
MOST_NAMED = 100  # things of one sort that a report names


class ErasureNotFound(NotFound):
    code, title = "erasure_not_found", "There is no such erasure in this workspace"


class NothingToErase(NotFound):
    code, title = "nothing_to_erase", "There is no such thing in this workspace"


class ErasureExists(Conflict):
    code, title = "erasure_exists", "There is an erasure with this id that was asked for something else"


class NotConfirmed(GoldloopError):
    status, code, title = 422, "not_confirmed", "Deleting a workspace is confirmed by its slug"


class OnlyPeopleErase(GoldloopError):
    status, code, title = 403, "only_people_erase", "Deleting for good is for people to decide"


class ErasureKind(StrEnum):
    """What an erasure is about. `responses` are those of a record, which stays; `retention` is what its time was over for."""

    CONVERSATION = "conversation"
    SESSION = "session"
    RECORD = "record"
    RESPONSES = "responses"
    END_USER = "end_user"
    WORKSPACE = "workspace"
    RETENTION = "retention"


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be erased: its kind, and its name as one or two texts."""

    kind: ErasureKind
    name: tuple[str, ...]

    def fingerprint(self, tenant_id: UUID) -> str:
        """What is left of the name when it is gone: whoever knows it can ask what became of it."""
        text = "\x00".join((str(tenant_id), self.kind, *self.name))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What stays, and why. `ids` are the first of them."""

    what: str
    count: int
    why: str
    ids: list[str] = []


class ErasurePreview(msgspec.Struct, frozen=True, kw_only=True):
    """What an erasure would find at this moment, by kind, and what would stay."""

    kind: ErasureKind
    goes: dict[str, int]
    kept: list[Kept]


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """`status` is `queued`, `running`, `done`, `failed` or `cancelled`; `done` of `total` things are dealt with. `subject` is null when it
    is over: what is left is its `fingerprint`. `gone` counts rows by table, where `(text)` means that a row stays without its
    text."""

    id: UUID
    kind: ErasureKind
    status: str
    subject: list[str] | None
    fingerprint: str
    done: int
    total: int
    gone: dict[str, int]
    kept: list[Kept]
    error: str | None
    requested_at: datetime
    requested_by: Party
    ended_at: datetime | None


class ErasedWorkspace(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a whole workspace."""

    workspace_id: UUID
    slug: str
    gone: dict[str, int]
    requested_at: datetime
    ended_at: datetime


def added(gone: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Both together, without what is none."""
    both = {name: gone.get(name, 0) + more.get(name, 0) for name in gone | more}
    return {name: count for name, count in sorted(both.items()) if count}


def with_kept(kept: list[Kept], more: Kept) -> list[Kept]:
    """Another thing that stays, beside those of its sort. Told twice it is one."""
    before = next((each for each in kept if each.what == more.what), None)
    if before is None:
        return [*kept, more]
    new = [each for each in more.ids if each not in before.ids]
    if more.ids and not new:
        return kept
    joined = msgspec.structs.replace(
        before, count=before.count + (len(new) or more.count), ids=[*before.ids, *new][:MOST_NAMED]
    )
    return [joined if each is before else each for each in kept]
