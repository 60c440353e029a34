"""Use cases of proposals without a model: a group of feedback becomes a row that waits for a person, or strengthens one that is
there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.model import EntityNotFound
from goldloop.entities.records import store as records
from goldloop.entities.types import store as types
from goldloop.feedback.groups import service as groups
from goldloop.feedback.groups.origins import Origin, count_origins
from goldloop.feedback.model import FeedbackGroup, FeedbackSource, GroupState, Rating
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
    NothingProposed,
    NotInThisState,
    ParticularsDiffer,
    SharedContext,
    Standing,
)
from goldloop.knowledge.permissions import KNOWLEDGE_CREATE
from goldloop.knowledge.proposals import store as group_store
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


class Outcome(NamedTuple):
    """`why` says why nothing is proposed, `covered_by` which row speaks for the group already."""

    row: SharedContext | None = None
    why: NothingProposed | None = None
    covered_by: UUID | None = None


async def propose(tx: Tx, group_id: UUID) -> Outcome:
    """A group of complaints of distinct origin as a proposal, or why there is none to make. Where one waits already, it rests
    on what came since as well."""
    tx.actor.check(KNOWLEDGE_CREATE)
    tx.actor.check(FEEDBACK_REVIEW)
    await groups.hold_all(tx)
    group = await groups.access(tx, group_id)
    if (unfit := _unfit(group)) is not None:
        return Outcome(why=unfit)
    await group_store.lock_feedback(tx, [group_id], MOST_MEMBERS)
    facts = await support_store.list_facts_of_group(tx, group_id, MOST_MEMBERS)
    made = await store.find_of_group(tx, group_id)
    standing = [row for row in made if row.state not in OVER]
    counting = [fact for fact in facts if not await support_service.is_echo_of_prompt(tx, fact)]
    if standing and not (len(standing) == 1 and await lost_its_words(tx, standing[0])):
        for row in standing:
            await strengthen_with(tx, row, facts, group_id)
        return Outcome(await service.access_any(tx, first_of(standing).id))
    if not standing and is_settled(group, made):
        return Outcome(why=NothingProposed.SETTLED)
    flagged = any(fact.flagged for fact in counting)
    if not flagged and count_origins([fact.origin for fact in counting]) < LEAST_ORIGINS:
        return Outcome(why=NothingProposed.TOO_FEW)  # the group counts echoes as well
    if not standing and (covering := await find_covering(tx, counting, made)) is not None:
        return Outcome(why=NothingProposed.COVERED, covered_by=covering)
    if not standing and await find_settling(tx, counting, made) is not None:
        return Outcome(why=NothingProposed.SETTLED)
    return await _propose(tx, group_id, facts, counting, standing)


def _unfit(group: FeedbackGroup) -> NothingProposed | None:
    if group.rating is not Rating.NEGATIVE:
        return NothingProposed.NO_COMPLAINT
    if group.state in (GroupState.MERGED, GroupState.DISMISSED):
        return NothingProposed.DECIDED
    return None if group.proposed else NothingProposed.TOO_FEW


OVER = (KnowledgeState.RETIRED, KnowledgeState.REJECTED)
STANDING = (KnowledgeState.PROPOSED, KnowledgeState.SHADOW, KnowledgeState.ACTIVE)


def is_decided(row: SharedContext) -> bool:
    """Whether somebody has decided about a row since it was made, or has put it into words: what grouping does by itself takes
    nothing from it."""
    if row.decided in (KnowledgeState.ACTIVE, KnowledgeState.SHADOW, KnowledgeState.RETIRED):
        return True
    return row.read_at is not None and row.read_at > row.created_at


def is_settled(group: FeedbackGroup, made: Sequence[SharedContext]) -> bool:
    """Whether what was made of a group was decided about, and too few came since to propose it again."""
    return bool(made) and group.origins < max(row.origins for row in made) + ESCALATION


def first_of(standing: Sequence[SharedContext]) -> SharedContext:
    """The one that speaks for a group: what people approved, then what they or an agent worded, then the oldest."""

    def precedence(row: SharedContext) -> tuple[bool, bool, bool]:
        is_extract = row.metadata.get("method") == EXTRACTIVE
        return row.decided is not KnowledgeState.PROPOSED, row.wording, not is_extract

    return max(reversed(standing), key=precedence)


async def lost_its_words(tx: Tx, row: SharedContext) -> bool:
    """Whether a proposal is in the words of feedback that supports it no more."""
    if row.decided not in (KnowledgeState.PROPOSED, KnowledgeState.REJECTED) or row.wording:
        return False
    return any(signal.medoid and not signal.counts for signal in await support_store.list_signals(tx, row.id))


async def find_covering(tx: Tx, facts: Sequence[Fact], made: Sequence[SharedContext]) -> UUID | None:
    """A row that stands and rests on each of these signals: one story is not proposed twice, however many groups it is in."""
    known = _signals(facts)
    for row_id in await group_store.list_sharing(tx, known, [row.id for row in made], STANDING):
        if not await _count_missing(tx, known, row_id):
            return row_id
    return None


async def find_settling(tx: Tx, facts: Sequence[Fact], made: Sequence[SharedContext]) -> UUID | None:
    """A row that a person rejected or retired, by itself or with its group, and that had each of these signals that was there by
    then: the story is settled in whichever group it is, until enough more tell it."""
    for row_id in await group_store.list_sharing(tx, _signals(facts), [row.id for row in made], OVER):
        row = await service.access_any(tx, row_id)
        if (ended_at := await _ended_at(tx, row)) is None:
            continue
        before = [fact for fact in facts if fact.created_at <= ended_at]
        more = count_origins([f.origin for f in facts]) - count_origins([f.origin for f in before])
        signals = _signals(before)
        if signals and more < ESCALATION and not await group_store.count_unheard(tx, signals, row_id):
            return row_id
    return None


async def _ended_at(tx: Tx, row: SharedContext) -> datetime | None:
    """When a person ended it, None where none did."""
    if is_decided(row):
        return row.read_at
    return row.updated_at if await group_store.all_dismissed(tx, row.id) else None


async def is_told(tx: Tx, facts: Sequence[Fact], made: Sequence[SharedContext]) -> bool:
    """Whether another group's row tells the story of these signals, or has told it until a person ended that."""
    found = await find_covering(tx, facts, made) or await find_settling(tx, facts, made)
    return found is not None


def _signals(facts: Sequence[Fact]) -> list[Origin]:
    distinct = {(fact.origin.actor, fact.origin.artefact): fact.origin for fact in facts}
    return [origin for origin in distinct.values() if origin.actor is not None]


async def _count_missing(tx: Tx, signals: Sequence[Origin], row_id: UUID) -> int:
    return await group_store.count_missing(tx, signals, row_id, await group_store.list_groups(tx, row_id))


async def _propose(
    tx: Tx,
    group_id: UUID,
    facts: list[Fact],
    counting: Sequence[Fact],
    replaced: Sequence[SharedContext],
) -> Outcome:
    found = extract(
        [await _member(tx, fact) for fact in counting], await _names_of_people(tx), await _names_of_others(tx)
    )
    if found is None:
        return Outcome(why=NothingProposed.NO_WORDS)
    entity_type = await types.find(tx, found.entity_type) if found.entity_type else None
    alike = await group_store.find_alike(tx, found, entity_type.id if entity_type else None)
    if alike is not None:
        return Outcome(why=NothingProposed.COVERED, covered_by=alike)
    for row in replaced:
        await service.give_way(
            tx, await service.hold(tx, row.id), "The feedback whose words it has supports it no more"
        )
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
    return Outcome(await service.add(tx, new))


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
    """Let a row rest on what a group says, from now on, in place of a proposal of its own. A correction and notes that read
    alike and name other numbers or names are brought together only by somebody who knows (`anyway`)."""
    service.check_decides(tx)
    tx.actor.check(FEEDBACK_REVIEW)
    group = await groups.hold_standing(tx, group_id)
    await group_store.lock_feedback(tx, [group.id], MOST_MEMBERS)
    facts = await support_store.list_facts_of_group(tx, group.id, MOST_MEMBERS)
    row = await service.hold(tx, row_id)
    if row.state in OVER:
        raise NotInThisState(conflict={"id": str(row_id), "state": row.state})
    if row.type is KnowledgeType.CORRECTION and not anyway:
        differing = named_otherwise(row.content, [fact.comment or "" for fact in facts])
        if differing:
            raise ParticularsDiffer(conflict={"id": str(row_id), "named": differing})
    if row.group_id != group.id:
        await group_store.link(tx, row_id, group.id, await tx.moment())
    after = await strengthen_with(tx, row, facts, group.id)
    for waiting in await store.find_of_group(tx, group.id):
        if waiting.id != row_id and waiting.state is KnowledgeState.PROPOSED:
            await service.reject(tx, waiting.id, f"It strengthens {row_id}")
    return after


async def strengthen_with(tx: Tx, row: SharedContext, facts: list[Fact], group_id: UUID) -> SharedContext:
    known = {signal.feedback_id for signal in await support_store.list_signals(tx, row.id)}
    new = [fact for fact in facts if fact.id not in known]
    if not new:
        return row
    await support_service.add(tx, row, new, group_id=group_id)
    after = await derived_service.refresh(
        tx, row.id, "More feedback is about the same matter", {"feedback_ids": [str(fact.id) for fact in new]}
    )
    if after is not None and after.active and after.origins > row.origins:
        await store.set_confirmed(tx, row.id, max(fact.created_at for fact in new))
        await set_marks(tx, derived_service.RANKS, ["workspace"])
    if after is not None and after.active and await _recurs(tx, after):
        await service.flag(tx, after, Flag.RECURS)
    return await service.access_any(tx, row.id)


async def _recurs(tx: Tx, row: SharedContext) -> bool:
    """Whether enough of those who complained since a person last decided about a row had it in their prompts: it does not
    help."""
    since = row.read_at or row.created_at
    signals = await support_store.list_signals(tx, row.id)
    facts = await support_store.list_facts(tx, [each.feedback_id for each in signals if each.lost_at is None])
    later = [fact for fact in facts if fact.created_at > since and fact.session_id is not None]
    had = await support_service.sessions_with(
        tx, row.id, [fact.session_id for fact in later if fact.session_id]
    )
    return count_origins([fact.origin for fact in later if fact.session_id in had]) >= LEAST_ORIGINS
