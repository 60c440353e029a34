"""Tools by which agents write down what they learnt, and administrators' agents tend it. What an agent writes waits for a person,
unless the workspace lets what passes every check become active."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.http import Wire
from goldloop.kit.tools import plain, tool
from goldloop.knowledge.checks import Likeness
from goldloop.knowledge.model import (
    CONTENT_CHARACTERS,
    CONTEXT_CHARACTERS,
    REASON_CHARACTERS,
    KnowledgeState,
    KnowledgeType,
    SharedContext,
)
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE
from goldloop.knowledge.rows import learning_service
from goldloop.knowledge.rows.learning_service import Learnt

Content = Annotated[str, msgspec.Meta(min_length=1, max_length=CONTENT_CHARACTERS)]
Context = Annotated[str, msgspec.Meta(max_length=CONTEXT_CHARACTERS)]
Feedback = Annotated[list[UUID], msgspec.Meta(max_length=50)]
Rows = Annotated[list[UUID], msgspec.Meta(max_length=20)]


class AddKnowledge(Wire, frozen=True, rename="camel"):
    content: Content
    context: Context | None = None
    agent_id: UUID | None = None
    entity_type_id: UUID | None = None
    source_feedback_ids: Feedback = msgspec.field(default_factory=list)
    conflicts_with: Rows = msgspec.field(default_factory=list)


class NearKnowledge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A row that says the same, or contradicts what was written down."""

    id: UUID
    likeness: Likeness
    state: KnowledgeState
    content: str


class KnowledgeAdded(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`waits_for` says what a person has to look at before it is in prompts, `near` is what is there already."""

    id: UUID
    state: KnowledgeState
    active: bool
    waits_for: list[str]
    near: list[NearKnowledge]


class UpdateSharedContext(Wire, frozen=True, rename="camel"):
    id: UUID
    active: bool | None = None
    content: Content | None = None
    context: Context | None = None


class DeactivateSharedContext(Wire, frozen=True, rename="camel"):
    id: UUID
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=REASON_CHARACTERS)]


class SharedContextRead(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: UUID
    type: KnowledgeType
    state: KnowledgeState
    active: bool
    content: str
    context: str | None


async def _add(tx: Tx, kind: KnowledgeType, call: AddKnowledge) -> dict[str, Any]:
    learnt = Learnt(
        kind,
        call.content,
        call.context,
        call.agent_id,
        call.entity_type_id,
        call.source_feedback_ids,
        conflicts_with=call.conflicts_with,
    )
    row, faults, near = await learning_service.learn(tx, learnt)
    known = [
        NearKnowledge(id=each.id, likeness=each.likeness, state=each.state, content=each.content)
        for each in near
    ]
    return plain(KnowledgeAdded(id=row.id, state=row.state, active=row.active, waits_for=faults, near=known))


@tool(
    "addCorrection",
    group="context",
    permission=KNOWLEDGE_CREATE,
    arguments=AddKnowledge,
    result=KnowledgeAdded,
    writes=True,
)
async def add_correction(tx: Tx, call: AddKnowledge) -> dict[str, Any]:
    """Write down what was wrong and how it is right, as a short instruction. `context` says when it applies. It holds for the
    whole workspace unless you name `agentId` or `entityTypeId`. Name the feedback that it rests on in `sourceFeedbackIds`, and
    rows that it contradicts in `conflictsWith`. A person approves it. `near` has rows that say the same already."""
    return await _add(tx, KnowledgeType.CORRECTION, call)


@tool(
    "addLesson",
    group="context",
    permission=KNOWLEDGE_CREATE,
    arguments=AddKnowledge,
    result=KnowledgeAdded,
    writes=True,
)
async def add_lesson(tx: Tx, call: AddKnowledge) -> dict[str, Any]:
    """Write down how something is done better from now on, as a short instruction. Arguments as of addCorrection."""
    return await _add(tx, KnowledgeType.LESSON, call)


@tool(
    "addInsight",
    group="context",
    permission=KNOWLEDGE_CREATE,
    arguments=AddKnowledge,
    result=KnowledgeAdded,
    writes=True,
)
async def add_insight(tx: Tx, call: AddKnowledge) -> dict[str, Any]:
    """Write down a lasting pattern that you observed and that is neither a correction nor a lesson. Arguments as of
    addCorrection."""
    return await _add(tx, KnowledgeType.INSIGHT, call)


@tool(
    "updateSharedContext",
    group="context",
    permission=KNOWLEDGE_CREATE,
    arguments=UpdateSharedContext,
    result=SharedContextRead,
    writes=True,
    idempotent=True,
)
async def update_shared_context(tx: Tx, call: UpdateSharedContext) -> dict[str, Any]:
    """Put knowledge that you wrote down and that waits for a person into other words. What is in prompts only an administrator changes, and only they
    make something active."""
    changes = {
        name: value for name in ("active", "content", "context") if (value := getattr(call, name)) is not None
    }
    return _read(await learning_service.change(tx, call.id, None, changes, None))


@tool(
    "deactivateSharedContext",
    group="context",
    permission=KNOWLEDGE_CREATE,
    arguments=DeactivateSharedContext,
    result=SharedContextRead,
    writes=True,
    idempotent=True,
)
async def deactivate_shared_context(tx: Tx, call: DeactivateSharedContext) -> dict[str, Any]:
    """Take knowledge out of prompts, with the reason. An administrator's call does; an agent's proposes it, and a person
    decides."""
    return _read(await learning_service.deactivate(tx, call.id, call.reason))


def _read(row: SharedContext) -> dict[str, Any]:
    return plain(
        SharedContextRead(**{name: getattr(row, name) for name in SharedContextRead.__struct_fields__})
    )
