"""Use cases of what agents write down: checked in code, kept with what it rests on, and for a person to approve."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.feedback.groups.origins import count_origins
from goldloop.feedback.model import FeedbackNotFound
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.tools import TOOLS
from goldloop.knowledge.checks import Origins, faults_of, suspicious
from goldloop.knowledge.lifecycle import LEAST_ORIGINS
from goldloop.knowledge.model import Flag, KnowledgeState, KnowledgeType, SharedContext, Standing
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE, KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import service, store, support_service, support_store
from goldloop.knowledge.rows.model import SETTINGS
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.knowledge.rows.support_store import Fact
from goldloop.tenants.settings import service as workspace_settings

BY_AGENT = "agent"  # the method of a row that an agent worded


class Learnt(NamedTuple):
    type: KnowledgeType
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type_id: UUID | None
    feedback_ids: Sequence[UUID] = ()
    group_id: UUID | None = None


async def learn(tx: Tx, new: Learnt) -> tuple[SharedContext, list[str]]:
    """What an administrator has written down is active. Anybody else's is proposed, with what speaks against it; what nothing
    does may become active where the workspace has said so."""
    tx.actor.check(KNOWLEDGE_CREATE)
    await service.check_scope(tx, new.agent_id, new.entity_type_id)
    facts = await _facts(tx, new.feedback_ids)
    if is_administrator(tx):
        return await service.add(tx, _by_person(new, facts)), []
    texts = texts_of(new.content, new.context)
    faults = await check(tx, texts, facts)
    settings = await workspace_settings.read(tx, SETTINGS)
    decided = KnowledgeState.ACTIVE if settings.activates and not faults else KnowledgeState.PROPOSED
    row = NewKnowledge(
        type=new.type,
        content=new.content,
        context=new.context,
        agent_id=new.agent_id,
        entity_type_id=new.entity_type_id,
        decided=decided,
        standing=Standing.SUPPORT,
        facts=facts,
        group_id=new.group_id,
        metadata={"method": BY_AGENT, "waits_for": faults},
        flags=[Flag.SUSPICIOUS] if is_suspicious(texts, facts) else [],
    )
    return await service.add(tx, row), faults


def is_administrator(tx: Tx) -> bool:
    return tx.actor.kind is ActorKind.USER and tx.actor.may(KNOWLEDGE_MANAGE)


def _by_person(new: Learnt, facts: Sequence[Fact]) -> NewKnowledge:
    return NewKnowledge(
        type=new.type,
        content=new.content,
        context=new.context,
        agent_id=new.agent_id,
        entity_type_id=new.entity_type_id,
        facts=facts,
        group_id=new.group_id,
    )


async def _facts(tx: Tx, ids: Sequence[UUID]) -> list[Fact]:
    """Raises where one is not there, or not the caller's to see."""
    facts = await support_store.list_facts(tx, ids, locked=True)
    if len(facts) < len(set(ids)):
        raise FeedbackNotFound
    return facts


def texts_of(content: str, context: str | None) -> list[str]:
    """All that prompts have of a row."""
    return [content, context] if context else [content]


async def check(tx: Tx, texts: Sequence[str], facts: Sequence[Fact]) -> list[str]:
    """What speaks against letting it into prompts without a person."""
    counting = [
        fact
        for fact in facts
        if fact.status != "dismissed" and not await support_service.is_echo_of_prompt(tx, fact)
    ]
    origins = Origins(
        count_origins([fact.origin for fact in counting]),
        len({fact.origin.actor for fact in counting if fact.origin.actor is not None}),
        any(fact.by_member for fact in counting),
    )
    return faults_of(texts, [fact.comment or "" for fact in facts], origins, TOOLS, LEAST_ORIGINS)


def is_suspicious(texts: Sequence[str], facts: Sequence[Fact]) -> bool:
    return any(suspicious(text) for text in (*texts, *(fact.comment or "" for fact in facts)))


async def update(tx: Tx, row_id: UUID, changes: dict[str, Any]) -> SharedContext:
    """An administrator may change everything, anybody else the words of what they wrote down themselves and what waits for a
    person. It is checked anew."""
    tx.actor.check(KNOWLEDGE_CREATE)
    if is_administrator(tx):
        return await service.change(tx, row_id, None, changes, None)
    row = await service.hold(tx, row_id)
    if row.decided is not KnowledgeState.PROPOSED or changes.get("active"):
        raise Forbidden("What is in prompts only an administrator changes")
    if (row.created_by.kind, row.created_by.id) != (tx.actor.kind, tx.actor.id):
        raise Forbidden("Only an administrator changes what somebody else wrote down")
    if changes.pop("active", None) is False and not changes:
        return row
    return await _check_anew(tx, await service.reword(tx, row, changes))


async def _check_anew(tx: Tx, row: SharedContext) -> SharedContext:
    signals = await support_store.list_signals(tx, row.id)
    facts = await support_store.list_facts(tx, [signal.feedback_id for signal in signals])
    texts = texts_of(row.content, row.context)
    faults = await check(tx, texts, facts)
    await store.set_metadata(tx, row.id, row.metadata | {"method": BY_AGENT, "waits_for": faults})
    if is_suspicious(texts, facts):
        return await service.flag(tx, row, Flag.SUSPICIOUS)
    await store.drop_flag(tx, row.id, Flag.SUSPICIOUS)
    return await service.access_any(tx, row.id)


async def deactivate(tx: Tx, row_id: UUID, reason: str) -> SharedContext:
    """By an administrator at once. Anybody else's word is kept for one: a machine retires nothing."""
    tx.actor.check(KNOWLEDGE_CREATE)
    if is_administrator(tx):
        row = await service.hold(tx, row_id)
        step = service.reject if row.state is KnowledgeState.PROPOSED else service.retire
        over = (KnowledgeState.RETIRED, KnowledgeState.REJECTED)
        return row if row.state in over else await step(tx, row_id, reason)
    row = await service.hold(tx, row_id)
    proposed = {"reason": reason, "by": str(tx.actor.id)}
    await store.set_metadata(tx, row_id, row.metadata | {"retirement": proposed})
    return await service.flag(tx, row, Flag.OUTDATED)
