"""Types of what is frozen of a session when it is promoted. They are kept in its metadata, in camelCase."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.goldens.model import Golden
from goldloop.runtimes.model import Spoken

FORMAT = 1  # of snapshots


class SnapshotAgent(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`slug` is as the session has it. One that does not run here has no `version` and no `config`."""

    id: UUID | None
    slug: str | None
    version: int | None
    config: dict[str, Any] | None


class SnapshotBrief(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the agent is asked, as the session's purpose says it."""

    message: str
    instructions: str = ""
    output_schema: dict[str, Any] | None = None
    context: dict[str, Any] = {}


class SnapshotEntity(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The record that the session is about: as the session read it where that is `recorded`, else as it was at promotion."""

    id: UUID
    type: str
    title: str
    content: dict[str, Any]
    recorded: bool = False


class SnapshotTool(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`parameters` is a JSON Schema; of a `foreign` tool, which is not ours, it is what its definition says or what its calls
    had."""

    description: str
    parameters: dict[str, Any]
    writes: bool
    foreign: bool


class SnapshotType(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    slug: str
    schema: dict[str, Any]


class SnapshotKnowledge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What was in its prompt, without what is remembered about a person."""

    manifest: str
    text: str


class SnapshotCriteria(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The criteria set that replays are compared by, as it was when the golden was given it."""

    id: UUID
    version: int
    dimensions: list[dict[str, Any]]


class GoldenSnapshot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a golden began with. `messages` is what was said in its conversation before; `guessed` are tools of which nobody
    says whether they write."""

    format: int = FORMAT
    agent: SnapshotAgent
    message: str
    messages: list[Spoken]
    brief: SnapshotBrief
    purpose: str
    type: str
    entity: SnapshotEntity | None
    view_context: Any
    tool_groups: list[str]
    tools: dict[str, SnapshotTool]
    entity_types: list[SnapshotType]
    knowledge: SnapshotKnowledge | None
    guessed: list[str]
    criteria: SnapshotCriteria | None


class GoldenDetail(Golden, frozen=True, kw_only=True, rename="camel"):
    """`proposedFacts` are what a good answer might have to say, for a person to choose from."""

    snapshot: GoldenSnapshot
    proposed_facts: list[str]


class ProposedFacts(msgspec.Struct, frozen=True, kw_only=True):
    data: list[str]
