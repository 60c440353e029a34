"""Use case: read what a snapshot of a session is made of, in the transaction that promotes it."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.agents import service as configurations
from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.criteria import service as criteria
from goldloop.entities.model import EntityNotFound
from goldloop.entities.permissions import ENTITIES_READ, ENTITY_TYPES_READ
from goldloop.entities.records import service as records
from goldloop.goldens.cases import store
from goldloop.goldens.cases.model import (
    GoldenSnapshot,
    SnapshotBrief,
    SnapshotCriteria,
    SnapshotEntity,
    SnapshotKnowledge,
)
from goldloop.goldens.cases.snapshot import (
    MOST_TYPES,
    SnapshotSource,
    first_message,
    make_snapshot,
    named_by,
    recorded_entity,
)
from goldloop.kit.db import Tx
from goldloop.kit.errors import GoldloopError
from goldloop.kit.tools import TOOLS
from goldloop.knowledge.permissions import KNOWLEDGE_READ
from goldloop.knowledge.printing import memories_in, without_memories
from goldloop.knowledge.prompts import store as prompts
from goldloop.runtimes import service as runs
from goldloop.runtimes.http_agent import shown_url
from goldloop.runtimes.purpose_service import PURPOSES
from goldloop.sessions.model import Session, SessionEvent
from goldloop.tenants.permissions import AGENTS_READ

READS = (
    AGENTS_READ,
    ENTITIES_READ,
    ENTITY_TYPES_READ,
    CONVERSATIONS_READ,
    KNOWLEDGE_READ,
)  # all that goes into one


class Frozen(NamedTuple):
    """`private` is what only a replay reads: the knowledge of the prompt whole, where a person's memories are in it."""

    snapshot: GoldenSnapshot
    private: dict[str, Any]


async def freeze(
    tx: Tx, session: Session, events: Sequence[SessionEvent], criteria_set_id: UUID | None
) -> Frozen:
    """`events` are all of the session."""
    for permission in READS:
        tx.actor.check(permission)
    entity = recorded_entity(session, events) or await _entity_now(tx, session)
    named = named_by(events)
    knowledge, private = await _knowledge(tx, session)
    source = SnapshotSource(
        session=session,
        events=events,
        config=await _config(tx, session),
        registry=TOOLS,
        brief=await _brief(tx, session, events),
        spoken=await runs.spoken_before(tx, session),
        entity=entity,
        types=await store.list_types(tx, entity.type if entity else None, *named, MOST_TYPES),
        knowledge=knowledge,
        criteria=await freeze_criteria(tx, criteria_set_id),
    )
    return Frozen(make_snapshot(source), private)


async def freeze_criteria(tx: Tx, set_id: UUID | None) -> SnapshotCriteria | None:
    """A criteria set as it is now: whoever changes or deletes it changes no golden."""
    if set_id is None:
        return None
    found = await criteria.access(tx, set_id)
    return SnapshotCriteria(
        id=found.id, version=found.version, dimensions=msgspec.to_builtins(found.dimensions)
    )


async def _config(tx: Tx, session: Session) -> dict[str, Any] | None:
    """Addresses without what may be secret in them."""
    if session.agent_id is None or session.agent_version is None:
        return None
    found = await configurations.access(tx, session.agent_id, session.agent_version)
    config: dict[str, Any] = msgspec.to_builtins(found.config)
    return config | {key: shown_url(config[key]) for key in ("url", "base_url") if config[key]}


async def _entity_now(tx: Tx, session: Session) -> SnapshotEntity | None:
    if session.entity_id is None:
        return None
    try:
        entity = await records.access(tx, session.entity_id)
    except EntityNotFound:
        return None
    return SnapshotEntity(id=entity.id, type=entity.type, title=entity.title, content=entity.content)


async def _brief(tx: Tx, session: Session, events: Sequence[SessionEvent]) -> SnapshotBrief:
    """As its purpose says it now; where that says nothing any more, the message alone."""
    message = first_message(session, events)
    if (purpose := PURPOSES.get(session.purpose)) is None:
        return SnapshotBrief(message=message)
    try:
        brief = await purpose.brief(tx, session)
    except GoldloopError:
        return SnapshotBrief(message=message)
    return SnapshotBrief(
        message=brief.message or message,
        instructions=brief.instructions,
        output_schema=brief.output_schema,
        context=msgspec.to_builtins(brief.context),
    )


async def _knowledge(tx: Tx, session: Session) -> tuple[SnapshotKnowledge | None, dict[str, Any]]:
    found = await prompts.find_manifest(tx, session.manifest) if session.manifest else None
    if found is None:
        return None, {}
    memories = memories_in(found.body)
    knowledge = SnapshotKnowledge(manifest=found.hash, text=without_memories(found.body))
    return knowledge, {"text": found.body, "memories": memories} if memories else {}
