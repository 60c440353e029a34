"""What a chain is made of, and what was retracted."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from goldloop.kit.errors import Conflict, Forbidden, NotFound
from goldloop.tenants.model import Party


class NodeKind(StrEnum):
    FIELD = "field"
    RECORD = "record"
    CLAIM = "claim"
    RESPONSE = "response"
    SOURCE = "source"
    SESSION = "session"
    MANIFEST = "manifest"
    KNOWLEDGE = "knowledge"
    FEEDBACK = "feedback"
    AGENT = "agent"
    GOLDEN = "golden"
    USER = "user"


class ChainRelation(StrEnum):
    """How the first of two rests on the second: a field is promoted from a response, a response cites a source."""

    PROMOTED_FROM = "promoted_from"
    COUNTED_FROM = "counted_from"
    EDITED_BY = "edited_by"
    HAS = "has"
    SUPPORTED_BY = "supported_by"
    CITES = "cites"
    FOUND_IN = "found_in"
    SUBMITTED_BY = "submitted_by"
    CORRECTED_BY = "corrected_by"
    RAN_WITH = "ran_with"
    RUN_BY = "run_by"
    HELD = "held"
    LEARNT_FROM = "learnt_from"
    WRITTEN_BY = "written_by"
    ABOUT = "about"
    SAID_BY = "said_by"
    CONFIGURED_BY = "configured_by"
    FROZEN_FROM = "frozen_from"
    ACCEPTS = "accepts"


class ChainDirection(StrEnum):
    BACK = "back"
    FORWARD = "forward"


class ItemVerdict(StrEnum):
    KEPT = "kept"
    CHANGED = "changed"
    REMOVED = "removed"


class ItemChange(StrEnum):
    """What became of something since it was listed: its value was written anew, it was decided or retired, it is gone."""

    REWRITTEN = "rewritten"
    DECIDED = "decided"
    GONE = "gone"


class NodeSeen(StrEnum):
    """`hidden` is what the caller may not read; `gone` what is named and not there (any more)."""

    SHOWN = "shown"
    HIDDEN = "hidden"
    GONE = "gone"


# What somebody may say is not to be relied on any more, and what of all that rests on it a person can look at again.
RETRACTABLE = frozenset(
    {
        NodeKind.SOURCE,
        NodeKind.RECORD,
        NodeKind.FIELD,
        NodeKind.FEEDBACK,
        NodeKind.KNOWLEDGE,
        NodeKind.AGENT,
        NodeKind.SESSION,
    }
)
LOOKED_AT = (NodeKind.FIELD, NodeKind.CLAIM, NodeKind.RESPONSE, NodeKind.KNOWLEDGE, NodeKind.GOLDEN)


class NodeNotFound(NotFound):
    code, title = "node_not_found", "There is nothing of this name in the workspace"


class RetractionNotFound(NotFound):
    code, title = "retraction_not_found", "There is no such retraction"


class ItemNotFound(NotFound):
    code, title = "chain_item_not_found", "There is nothing of this id to look at again"


class PeopleRetract(Forbidden):
    code, title = (
        "people_retract",
        "An agent does not say what is to be relied on: a person retracts and settles",
    )


class RetractionUndone(Conflict):
    code, title = "retraction_undone", "The retraction was undone: nothing has to be looked at again for it"


class ChainNode(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """`depth` is how many steps it is away from what was asked for. `title` and what follows are null where it is `hidden` or
    `gone`. `detail` is its value, its record or its set. `href` is its page. `retraction_id` is of the retraction of it that
    is in force. `more`: it leads to more than is shown. `unused_sessions` is how many sessions of a prompt or an agent nothing
    rests on, beside those that are nodes."""

    ref: str
    kind: NodeKind
    depth: int
    seen: NodeSeen
    title: str | None
    detail: str | None
    state: str | None
    at: datetime | None
    by: Party | None
    href: str | None
    retraction_id: UUID | None
    more: bool
    unused_sessions: int


class ChainEdge(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """`source` rests on `target`; both are refs of nodes, in either direction of the question."""

    source: str
    target: str
    relation: ChainRelation


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes by depth. `truncated` where a bound was reached; nodes with `more` say where. `hidden` counts those that the
    caller may not read; `unused_sessions` sums those of the nodes, which are no part of what was cut."""

    start: str
    direction: ChainDirection
    nodes: list[ChainNode]
    edges: list[ChainEdge]
    truncated: bool
    hidden: int
    unused_sessions: int


class Retraction(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody said that something is not to be relied on. `items` is how much was found that rests on it and a person can
    look at again, `open_items` what of it waits. `truncated`: more rests on it than was followed. `title` is null where the
    caller may not read what was retracted."""

    id: UUID
    ref: str
    kind: NodeKind
    title: str | None
    reason: str
    truncated: bool
    items: int
    open_items: int
    created_at: datetime
    created_by: Party
    undone_at: datetime | None
    undone_by: Party | None


class ItemReason(msgspec.Struct, frozen=True, kw_only=True):
    """Another retraction for which the same waits. `retracted_title` is null where the caller may not read it."""

    retraction_id: UUID
    retracted: str
    retracted_title: str | None
    reason: str


class ChainItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something to look at again, because it rests on what was retracted. `waits` until it is settled or the retraction is
    undone. `depth` is how many steps away it is. `also_for` are other retractions for which the same waits: it is settled for
    all of them at once. `changed` is what became of it since it was listed, if anything did."""

    id: UUID
    retraction_id: UUID
    retracted: str
    retracted_title: str | None
    reason: str
    ref: str
    kind: NodeKind
    title: str | None
    href: str | None
    depth: int
    waits: bool
    verdict: ItemVerdict | None
    note: str | None
    created_at: datetime
    settled_at: datetime | None
    settled_by: Party | None
    also_for: list[ItemReason]
    changed: ItemChange | None
