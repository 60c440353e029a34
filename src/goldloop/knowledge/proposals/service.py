"""Use cases of proposals without a model: a group of feedback becomes a row that waits for a person, or strengthens one that is
there."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.entities.model import EntityNotFound
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.feedback.groups import service as groups
from goldloop.feedback.groups.origins import count_origins
from goldloop.feedback.model import FeedbackSource, GroupState, Rating
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.queue import set_marks
from goldloop.kit.tools import TOOLS
from goldloop.knowledge.checks import named_otherwise
from goldloop.knowledge.lifecycle import LEAST_ORIGINS
from goldloop.knowledge.model import (
    Flag,
    KnowledgeState,
    KnowledgeType,
    NotInThisState,
    ParticularsDiffer,
    SharedContext,
    Standing,
)
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE, KNOWLEDGE_MANAGE
from goldloop.knowledge.proposals.extract import Member, extract
from goldloop.knowledge.rows import (
    derived_service,
    learning_service,
    service,
    store,
    support_service,
    support_store,
)
from goldloop.knowledge.rows.service import EXTRACTIVE, NewKnowledge
from goldloop.knowledge.rows.support_store import Fact
from goldloop.tenants.agents import service as agents
from goldloop.tenants.members import service as people

MOST_MEMBERS = 200  # of a group that a row rests on, the newest
ESCALATION = 2  # origins more, from which on what was rejected or retired is proposed again
MOST_NAMES = 200  # of people and agents that are looked for in a note


async def propose(tx: Tx, group_id: UUID) -> SharedContext | None:
    """A group of complaints of distinct origin as a proposal; None where there is none to make. Where one waits already, it
    rests on what came since as well."""
    tx.actor.check(KNOWLEDGE_CREATE)
    tx.actor.check(FEEDBACK_REVIEW)
    group = await groups.access(tx, group_id)
    if group.rating is not Rating.NEGATIVE or not group.proposed or group.state is GroupState.MERGED:
        return None
    facts = await support_store.list_facts_of_group(tx, group_id, MOST_MEMBERS)
    before = await store.find_of_group(tx, group_id)
    if standing := next((row for row in before if row.state not in _OVER), None):
        return await strengthen_with(tx, standing, facts)
    if before and group.origins < before[0].origins + ESCALATION:
        return None
    return await _propose(tx, group_id, facts)


_OVER = (KnowledgeState.RETIRED, KnowledgeState.REJECTED)


async def _propose(tx: Tx, group_id: UUID, facts: list[Fact]) -> SharedContext | None:
    counting = [fact for fact in facts if not await support_service.is_echo_of_prompt(tx, fact)]
    if count_origins([fact.origin for fact in counting]) < LEAST_ORIGINS:
        return None  # the group counts echoes as well, and its counts follow its members in a moment
    found = extract(
        [await _member(tx, fact) for fact in counting], await _names_of_people(tx), await _names_of_others(tx)
    )
    if found is None:
        return None
    entity_type = await types.find(tx, found.entity_type) if found.entity_type else None
    texts = learning_service.texts_of(found.content, found.context)
    new = NewKnowledge(
        type=found.type,
        content=found.content,
        context=found.context,
        agent_id=found.agent_id,
        entity_type_id=entity_type.id if entity_type else None,
        decided=KnowledgeState.PROPOSED,
        standing=Standing.SUPPORT,
        wording=False,
        facts=facts,
        medoid=found.medoid,
        group_id=group_id,
        metadata={"method": EXTRACTIVE, "evidence": _sets(facts)},
        flags=[Flag.SUSPICIOUS] if learning_service.is_suspicious(texts, facts) else [],
        reason="Signals of distinct origin are about one matter",
    )
    return await service.add(tx, new)


def _sets(facts: list[Fact]) -> dict[str, Any]:
    """What it would be measured on: the sessions that it comes from, and those in whose scope it would be."""
    sessions = sorted({str(fact.session_id) for fact in facts if fact.session_id})
    goldens = sorted({name for fact in facts if isinstance(name := fact.context.get("golden_id"), str)})
    return {
        "targeted": {"sessions": sessions, "goldens": goldens},
        "guard": "goldens in its scope",
        "measured": False,
    }


async def _member(tx: Tx, fact: Fact) -> Member:
    context = fact.context
    field = context.get("field_name") if context.get("named") is not False else None
    field = field.rpartition(".")[2] if isinstance(field, str) else None
    rejected = context.get("rejected_value")
    return Member(
        id=fact.id,
        source=FeedbackSource(fact.source_type),
        comment=fact.comment,
        vector=fact.vector,
        agent_id=fact.agent_id,
        entity_type=fact.entity_type,
        field=field,
        tool=_text(context.get("tool_slug")),
        reason=_text(context.get("failure_reason")),
        rejected=_shown(rejected) if rejected is not None else None,
        accepted=await _accepted(tx, fact, field, rejected),
    )


async def _accepted(tx: Tx, fact: Fact, field: str | None, rejected: Any) -> str | None:
    """What the record has now, where that is something else."""
    if field is None or fact.entity_id is None or rejected is None:
        return None
    try:
        entity = await records.find(tx, fact.entity_id)
    except EntityNotFound:
        return None
    value = entity.content.get(field) if entity else None
    return None if value is None or value == rejected else _shown(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


async def _names_of_people(tx: Tx) -> list[str]:
    return [member.name for member in (await people.list_members(tx, None, MOST_NAMES)).data]


async def _names_of_others(tx: Tx) -> set[str]:
    return {agent.slug for agent in (await agents.list_agents(tx, None, MOST_NAMES)).data} | TOOLS.keys()


async def strengthen(tx: Tx, row_id: UUID, group_id: UUID, anyway: bool = False) -> SharedContext:
    """Let a row rest on what a group says, in place of a proposal of its own. A correction and notes that read alike and name
    other numbers or names are brought together only by somebody who knows (`anyway`)."""
    tx.actor.check(KNOWLEDGE_MANAGE)
    tx.actor.check(FEEDBACK_REVIEW)
    await groups.access(tx, group_id)
    row = await service.hold(tx, row_id)
    if row.state in _OVER:
        raise NotInThisState(conflict={"id": str(row_id), "state": row.state})
    facts = await support_store.list_facts_of_group(tx, group_id, MOST_MEMBERS)
    if row.type is KnowledgeType.CORRECTION and not anyway:
        differing = named_otherwise(row.content, [fact.comment or "" for fact in facts])
        if differing:
            raise ParticularsDiffer(conflict={"id": str(row_id), "named": differing})
    after = await strengthen_with(tx, row, facts)
    for waiting in await store.find_of_group(tx, group_id):
        if waiting.id != row_id and waiting.state is KnowledgeState.PROPOSED:
            await service.reject(tx, waiting.id, f"It strengthens {row_id}")
    return after


async def strengthen_with(tx: Tx, row: SharedContext, facts: list[Fact]) -> SharedContext:
    known = {signal.feedback_id for signal in await support_store.list_signals(tx, row.id)}
    new = [fact for fact in facts if fact.id not in known]
    if not new:
        return row
    await support_service.add(tx, row, new)
    after = await derived_service.refresh(
        tx, row.id, "More feedback is about the same matter", {"feedback_ids": [str(fact.id) for fact in new]}
    )
    if after is not None and after.active and after.origins > row.origins:
        await store.set_confirmed(tx, row.id, max(fact.created_at for fact in new))
        await set_marks(tx, derived_service.RANKS, ["workspace"])
        if await _recurs(tx, row, new):
            await service.flag(tx, after, Flag.RECURS)
    return await service.access_any(tx, row.id)


async def _recurs(tx: Tx, row: SharedContext, new: list[Fact]) -> bool:
    """Whether enough of those who complain had the row in their prompts: it does not help."""
    sessions = [fact.session_id for fact in new if fact.session_id]
    return len(await support_service.sessions_with(tx, row.id, sessions)) >= LEAST_ORIGINS
