"""Events of knowledge."""

from uuid import UUID

from msgspec import UNSET, UnsetType

from goldloop.evals.stats.row_evidence import RowLabel
from goldloop.kit.events import Payload, declare, topic
from goldloop.knowledge.model import Change, KnowledgeState, KnowledgeType
from goldloop.knowledge.permissions import KNOWLEDGE_READ

KNOWLEDGE = topic("knowledge", read_by=KNOWLEDGE_READ)


class OfKnowledge(Payload, frozen=True, kw_only=True):
    type: KnowledgeType
    state: KnowledgeState
    agent_id: UUID | UnsetType = UNSET
    entity_type_id: UUID | UnsetType = UNSET
    group_id: UUID | UnsetType = UNSET


class KnowledgeMoved(Payload, frozen=True, kw_only=True):
    """`change` says what moved it: a decision, or its support."""

    type: KnowledgeType
    change: Change
    state_before: KnowledgeState
    state: KnowledgeState
    origins: int


class KnowledgeRemoved(Payload, frozen=True, kw_only=True):
    type: KnowledgeType


class KnowledgeMeasured(Payload, frozen=True, kw_only=True):
    type: KnowledgeType
    label: RowLabel
    confirmed: bool
    experiment_id: UUID


CREATED = declare(
    "shared_context.created",
    topic=KNOWLEDGE,
    subject="shared_context",
    payload=OfKnowledge,
    when="Knowledge was written down or proposed",
)
CHANGED = declare(
    "shared_context.changed",
    topic=KNOWLEDGE,
    subject="shared_context",
    payload=OfKnowledge,
    when="Somebody changed what knowledge says, its type or where it holds",
)
MOVED = declare(
    "shared_context.moved",
    topic=KNOWLEDGE,
    subject="shared_context",
    payload=KnowledgeMoved,
    when="Knowledge is in another state: somebody decided so, or feedback that it rests on was taken back or restored",
)
MEASURED = declare(
    "shared_context.measured",
    topic=KNOWLEDGE,
    subject="shared_context",
    payload=KnowledgeMeasured,
    when="An experiment has measured what knowledge changes",
)
REMOVED = declare(
    "shared_context.removed",
    topic=KNOWLEDGE,
    subject="shared_context",
    payload=KnowledgeRemoved,
    when="Somebody deleted knowledge",
)
