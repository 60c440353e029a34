"""What an inbox says."""

import msgspec


class InboxCount(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of what waits. `count` and `mine` stop at 1000; `more` says that more wait than were counted. `mine` are
    those of them that are assigned to the caller, null where nothing of the kind is assigned to anybody. `path` is the
    page to work through them, `topic` what `GET /api/events` calls a change of them."""

    kind: str
    label: str
    count: int
    more: bool
    mine: int | None
    path: str
    topic: str


class Inbox(msgspec.Struct, frozen=True, kw_only=True):
    """What the caller may work on, also where nothing of it waits."""

    data: list[InboxCount]
