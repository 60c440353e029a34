"""Use cases of what agents write down, by whichever way: checked in code, kept with what it rests on, and for a person to
approve."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.entities.model import check_version
from goldloop.feedback.groups.origins import count_origins
from goldloop.feedback.model import FeedbackNotFound
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.ids import new_id
from goldloop.kit.tools import TOOLS
from goldloop.knowledge.checks import CONTRADICTS, Likeness, Origins, faults_of, suspicious
from goldloop.knowledge.lifecycle import LEAST_ORIGINS
from goldloop.knowledge.model import (
    Flag,
    KnowledgeState,
    KnowledgeType,
    SharedContext,
    SharedContextNotFound,
    Standing,
)
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE, KNOWLEDGE_MANAGE
from goldloop.knowledge.printing import name_of
from goldloop.knowledge.rows import likeness_service, service, store, support_service, support_store
from goldloop.knowledge.rows.compare_store import Compared
from goldloop.knowledge.rows.likeness_service import Neighbour
from goldloop.knowledge.rows.metadata import check_metadata
from goldloop.knowledge.rows.model import SETTINGS
from goldloop.knowledge.rows.service import NewKnowledge
from goldloop.knowledge.rows.support_store import Fact
from goldloop.tenants.settings import service as workspace_settings

BY_AGENT = "agent"  # the method of a row that an agent worded
UNCOMPARED = "it is compared with other knowledge first"


class Learnt(NamedTuple):
    type: KnowledgeType
    content: str
    context: str | None
    agent_id: UUID | None
    entity_type_id: UUID | None
    feedback_ids: Sequence[UUID] = ()
    group_id: UUID | None = None
    metadata: dict[str, Any] | None = None
    id: UUID | None = None
    conflicts_with: Sequence[UUID] = ()


class Learning(NamedTuple):
    """What became of it: `waits_for` is what speaks against letting it into prompts without a person, `near` are rows that say
    the same, or contradict it."""

    row: SharedContext
    waits_for: list[str]
    near: list[Neighbour]


async def write(tx: Tx, new: NewKnowledge) -> SharedContext:
    """An administrator's is what they make of it. That of an agent with the key of one is what every agent's is."""
    check_metadata(new.metadata or {})
    if tx.actor.kind is not ActorKind.AGENT:
        return await service.create(tx, new)
    tx.actor.check(KNOWLEDGE_MANAGE)
    learnt = Learnt(
        new.type, new.content, new.context, new.agent_id, new.entity_type_id, metadata=new.metadata, id=new.id
    )
    return (await learn(tx, learnt)).row


async def learn(tx: Tx, new: Learnt) -> Learning:
    """What an administrator has written down is active. Anybody else's is proposed, with what speaks against it; what nothing
    does may become active where the workspace has said so, once it is compared with what is there."""
    tx.actor.check(KNOWLEDGE_CREATE)
    await service.check_scope(tx, new.agent_id, new.entity_type_id)
    facts = await _facts(tx, new.feedback_ids)
    await _check_stated(tx, new)
    new = new._replace(id=new.id or new_id())
    near = _telling(await likeness_service.find_like(tx, _to_compare(new, await tx.moment())))
    if is_administrator(tx):
        return Learning(await service.add(tx, _by_person(new, facts)), [], near)
    texts = texts_of(new.content, new.context)
    faults = await check(tx, texts, facts, near)
    if not faults and (await workspace_settings.read(tx, SETTINGS)).activates:
        faults = [UNCOMPARED]
    row = NewKnowledge(
        type=new.type,
        content=new.content,
        context=new.context,
        agent_id=new.agent_id,
        entity_type_id=new.entity_type_id,
        decided=KnowledgeState.PROPOSED,
        standing=Standing.SUPPORT,
        facts=facts,
        group_id=new.group_id,
        conflicts_with=new.conflicts_with,
        metadata=(new.metadata or {}) | {"method": BY_AGENT, "waits_for": faults},
        flags=[Flag.SUSPICIOUS] if is_suspicious(texts, facts) else [],
        id=new.id,
    )
    return Learning(await service.add(tx, row), faults, near)


async def _check_stated(tx: Tx, new: Learnt) -> None:
    """The rows that it contradicts, as whoever wrote it says; raises where one is not there."""
    there = await store.list_there(tx, new.conflicts_with)
    if not there.issuperset(new.conflicts_with):
        raise SharedContextNotFound


def _to_compare(new: Learnt, at: datetime) -> Compared:
    assert new.id is not None
    state, named = KnowledgeState.PROPOSED, list(new.conflicts_with)
    scope = new.agent_id, new.entity_type_id
    return Compared(new.id, new.type, state, new.content, new.context, *scope, named, at, None, None)


def _telling(found: Sequence[Neighbour]) -> list[Neighbour]:
    """Those that say the same, or contradict it."""
    return [
        each
        for each in found
        if each.state is not KnowledgeState.RETIRED
        and not each.kept
        and (
            each.likeness is Likeness.DUPLICATE
            or (each.likeness is Likeness.CONFLICT and (each.stated or each.similarity >= CONTRADICTS))
        )
    ]


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
        conflicts_with=new.conflicts_with,
        metadata=new.metadata,
        id=new.id,
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


async def check(
    tx: Tx, texts: Sequence[str], facts: Sequence[Fact], near: Sequence[Neighbour] = ()
) -> list[str]:
    """What speaks against letting it into prompts without a person."""
    echoes = await support_service.find_echoes(tx, facts)
    counting = [fact for fact in facts if fact.stands and fact.id not in echoes]
    origins = Origins(
        count_origins([fact.origin for fact in counting]),
        len({fact.origin.actor for fact in counting if fact.origin.actor is not None}),
        any(fact.by_member for fact in counting),
        any(fact.flagged for fact in counting),
    )
    faults = faults_of(texts, [fact.comment or "" for fact in facts], origins, TOOLS, LEAST_ORIGINS)
    return faults + [_IN_WORDS[each.likeness].format(name_of(each.id)) for each in near]


_IN_WORDS = {
    Likeness.DUPLICATE: "it says the same as [{}]",
    Likeness.CONFLICT: "it contradicts [{}]",
}


def is_suspicious(texts: Sequence[str], facts: Sequence[Fact]) -> bool:
    return any(suspicious(text) for text in (*texts, *(fact.comment or "" for fact in facts)))


async def change(
    tx: Tx, row_id: UUID, version: int | None, changes: dict[str, Any], reason: str | None
) -> SharedContext:
    """An administrator may change everything, anybody else, and every agent, what they wrote down themselves and what waits for
    a person. It is checked anew."""
    tx.actor.check(KNOWLEDGE_CREATE)
    if is_administrator(tx):
        return await service.change(tx, row_id, version, changes, reason)
    row = await service.hold(tx, row_id)
    check_version("shared_context", version, row.version)
    if row.decided is not KnowledgeState.PROPOSED or changes.get("active") or changes.get("pinned"):
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
    near = _telling((await likeness_service.find(tx, row.id)).data)
    faults = await check(tx, texts, facts, near)
    await store.set_metadata(tx, row.id, row.metadata | {"method": BY_AGENT, "waits_for": faults})
    if is_suspicious(texts, facts):
        return await service.flag(tx, row, Flag.SUSPICIOUS)
    await store.drop_flag(tx, row.id, Flag.SUSPICIOUS)
    return await service.access_any(tx, row.id)


async def settle(tx: Tx, row_id: UUID) -> None:
    """After a row was read by the encoder: what an agent wrote and what waits is checked against what reads alike, and what
    waited for nothing else becomes active where the workspace still says so. What somebody has touched since waits for a
    person."""
    await support_store.lock_feedback(tx, row_id)
    row = await store.lock(tx, row_id)
    if row is None or row.decided is not KnowledgeState.PROPOSED or row.metadata.get("method") != BY_AGENT:
        return
    passed = row.metadata.get("waits_for") == [UNCOMPARED] and row.version == 1
    row = await _check_anew(tx, row)
    settings = await workspace_settings.read(tx, SETTINGS)
    if settings.activates and passed and not row.metadata["waits_for"]:
        await service.activate(tx, row, "It passes every check")


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
