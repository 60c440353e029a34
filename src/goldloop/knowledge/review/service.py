"""Use cases of the review agent: what it is asked, what becomes of its answer, and whether it works here at all.

It decides in the transaction that ends its session, so that one which is killed has decided nothing, and none decides twice.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec

from goldloop.entities.types import store as types
from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.groups import service as groups
from goldloop.feedback.model import FeedbackGroup, FeedbackStatus, GroupNotFound, GroupState
from goldloop.feedback.permissions import FEEDBACK_REVIEW
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import notify
from goldloop.knowledge.model import KnowledgeState, KnowledgeType, SharedContext
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.prompts import service as prompts
from goldloop.knowledge.proposals import service as proposals
from goldloop.knowledge.proposals import store as group_store
from goldloop.knowledge.review import store as review_store
from goldloop.knowledge.review.decisions import (
    INSTRUCTIONS,
    MOST_NOTES,
    OUTPUT_SCHEMA,
    Decision,
    Decisions,
    Group,
    Note,
    find_faults,
    read,
    write_message,
)
from goldloop.knowledge.review.store import GroupReview
from goldloop.knowledge.rows import learning_service, store, support_store
from goldloop.knowledge.rows import service as rows
from goldloop.knowledge.rows.events import KNOWLEDGE
from goldloop.knowledge.rows.learning_service import BY_AGENT, Learnt
from goldloop.knowledge.rows.model import SETTINGS, KnowledgeSettings
from goldloop.knowledge.rows.support_store import Fact
from goldloop.knowledge.selection import Scope
from goldloop.runtimes.model import Brief
from goldloop.sessions import service as sessions
from goldloop.sessions.beginning import NewSession
from goldloop.sessions.model import Session
from goldloop.tasks import service as tasks
from goldloop.tasks import store as task_store
from goldloop.tasks.model import Schedule, Task, TaskSwitchedOff
from goldloop.tenants.settings import service as workspace_settings

REVIEW = "feedback_review"  # the purpose, and the kind of its task
REVIEWER = "feedback-review-agent"
HOURLY = Schedule(cron="7 * * * *", timezone="UTC")
MOST_GROUPS = 10  # that are worked on at once


async def read_settings(tx: Tx) -> KnowledgeSettings:
    tx.actor.check(KNOWLEDGE_MANAGE)
    return await workspace_settings.read(tx, SETTINGS)


async def change_settings(tx: Tx, settings: KnowledgeSettings) -> KnowledgeSettings:
    """Where the review agent works there is a task that starts it every hour; where it does not there is none."""
    rows.check_decides(tx)
    await workspace_settings.write(tx, SETTINGS, settings)
    task_id = uuid5(tx.actor.tenant_id, REVIEW)
    there = await task_store.find(tx, task_id)
    if settings.review and there is None:
        new = tasks.NewTask("Feedback review", REVIEW, REVIEWER, {}, HOURLY, enabled=True, id=task_id)
        await tasks.create(tx, new, by_setting=True)
    elif not settings.review and there is not None:
        await tasks.remove(tx, task_id)
    await notify(tx, KNOWLEDGE)
    return settings


async def start(tx: Tx, task: Task, config: Any, session_id: UUID | None) -> Session:
    """Its input has the feedback that it is asked about, by group: it decides about nothing else."""
    if not await _works(tx):
        raise TaskSwitchedOff(conflict={"id": str(task.id), "kind": task.kind})
    work = await _find_work(tx)
    groups_asked = {str(each.group.id): [str(fact.id) for fact in each.facts] for each in work}
    asked = {"message": "Review the feedback that waits", "groups": groups_asked}
    new = NewSession(agent=str(task.agent_id), input=asked, purpose=REVIEW, id=session_id, task_id=task.id)
    return await sessions.start(tx, new)


async def has_work(tx: Tx, config: Any) -> bool:
    return await _works(tx) and bool(await _find_work(tx))


async def _works(tx: Tx) -> bool:
    """Whether the settings have switched the agent on, whatever tasks there are."""
    return (await workspace_settings.read(tx, SETTINGS)).review


class Work(NamedTuple):
    group: FeedbackGroup
    facts: list[Fact]
    extract: SharedContext | None


async def _find_work(tx: Tx) -> list[Work]:
    """Groups that wait and about which no agent was asked yet, as their members are now."""
    tx.actor.check(FEEDBACK_REVIEW)
    found: list[Work] = []
    left = MOST_NOTES
    for group_id in await review_store.list_to_ask(tx, MOST_GROUPS, proposals.ESCALATION):
        work = await _work_of(tx, await groups.access(tx, group_id), left)
        if work is not None:
            found.append(work)
            left -= len(work.facts)
        if left <= 0:
            break
    return found


async def _work_of(tx: Tx, group: FeedbackGroup, most: int) -> Work | None:
    if group.pending == 0:
        return None
    made = await store.find_of_group(tx, group.id)
    standing = [row for row in made if row.state not in proposals.OVER]
    settled = not standing and proposals.is_settled(group, made)
    if settled or not all(_is_extract(row) for row in standing):
        return None
    facts = await support_store.list_facts_of_group(tx, group.id, most)
    if not facts or (not standing and await proposals.is_told(tx, facts, made)):
        return None
    return Work(group, facts, next(iter(standing), None))


async def _asked_work(tx: Tx, session: Session) -> list[Work]:
    """What a session was asked about, as far as it still waits."""
    found: list[Work] = []
    for group_id, ids in session.input.get("groups", {}).items():
        try:
            group = await groups.access(tx, UUID(group_id))
        except GroupNotFound:
            continue
        if group.state is not GroupState.OPEN:
            continue
        work = await _work_of(tx, group, proposals.MOST_MEMBERS)
        facts = [fact for fact in work.facts if str(fact.id) in ids] if work else []
        if work is not None and facts:
            found.append(work._replace(facts=facts))
    return found


def _is_extract(row: SharedContext) -> bool:
    """Whether a row still waits in the words of feedback: what a person has decided about or worded is theirs."""
    unworded = not row.wording and row.metadata.get("method") != BY_AGENT
    return row.decided is KnowledgeState.PROPOSED and unworded


async def write(tx: Tx, session: Session) -> Brief:
    """What the agent of a session is asked."""
    tx.actor.check(FEEDBACK_REVIEW)
    work = await _asked_work(tx, session)
    block = await prompts.load_shared_context_prompt(tx, Scope())
    message = write_message([_asked(each) for each in work], block.prompt)
    return Brief(message=message, instructions=INSTRUCTIONS, output_schema=OUTPUT_SCHEMA)


def _asked(work: Work) -> Group:
    group = work.group
    about = ", ".join(
        filter(None, (group.title, group.entity_type and f"records of type {group.entity_type}", group.key))
    )
    return Group(
        group.id, about, [Note(fact.id, _text(fact), fact.origin, fact.flagged) for fact in work.facts]
    )


def _text(fact: Fact) -> str:
    reason = fact.context.get("failure_reason")
    return fact.comment or (reason if isinstance(reason, str) else "")


async def check(tx: Tx, session: Session, output: Any) -> str | None:
    """What is wrong with an answer, for the agent to mend."""
    try:
        answer = read(output)
    except msgspec.ValidationError as error:
        return str(error)
    known = {each.group.id: _asked(each) for each in await _asked_work(tx, session)}
    return "\n".join(find_faults(answer, known)) or None


async def finish(tx: Tx, session: Session, output: Any) -> None:
    """Do what was decided. What somebody else has settled meanwhile stays settled, and what came meanwhile waits. A group that
    was left as it is, since its members contradict each other, is asked about again once these are others."""
    try:
        answer = read(output)
    except msgspec.ValidationError as error:
        raise InvalidInput(str(error)) from error
    await groups.hold_all(tx)
    asked = [UUID(each) for each in session.input.get("groups", {})]
    await group_store.lock_feedback(tx, sorted({*asked, *answer.propose}), proposals.MOST_MEMBERS)
    work = {each.group.id: each for each in await _asked_work(tx, session)}
    await _remember(tx, session, answer, list(work.values()))
    for decision in answer.decisions:
        if (each := work.get(decision.group_id)) is not None:
            await _apply(tx, decision, each)
    for group_id in answer.propose:
        await proposals.propose(tx, group_id)


async def _remember(tx: Tx, session: Session, answer: Decisions, work: Sequence[Work]) -> None:
    """What a model was asked about; where there was none, a later one is."""
    decided = {decision.group_id: decision for decision in answer.decisions}
    asked = [each.group.id for each in work if each.group.id not in answer.propose]
    made = [
        GroupReview(
            group_id,
            decided[group_id].verdict if group_id in decided else None,
            decided[group_id].reason if group_id in decided else None,
            [UUID(each) for each in session.input["groups"][str(group_id)]],
            session.id,
        )
        for group_id in asked
    ]
    await review_store.keep(tx, made, await tx.moment())


async def _apply(tx: Tx, decision: Decision, work: Work) -> None:
    extract = await rows.hold(tx, work.extract.id) if work.extract is not None else None
    if extract is not None and not _is_extract(extract):
        return
    if decision.verdict == "pattern":
        await _learn(tx, decision, work, extract)
    elif decision.verdict in ("one_off", "not_actionable"):
        if extract is not None:
            await rows.give_way(tx, extract, f"{decision.verdict}: {decision.reason}")
        pending = [fact.id for fact in work.facts if fact.status == FeedbackStatus.PENDING]
        note = f"{decision.verdict.replace('_', ' ')}: {decision.reason}"
        await reviews.review_many(tx, pending, FeedbackStatus.DISMISSED, note[:4000])


async def _learn(tx: Tx, decision: Decision, work: Work, extract: SharedContext | None) -> None:
    """In the agent's words, in place of the extract that waits."""
    entity_type = await types.find(tx, work.group.entity_type) if work.group.entity_type else None
    new = Learnt(
        KnowledgeType(decision.type or "lesson"),
        decision.content or "",
        decision.context,
        work.group.agent_id if decision.agent else None,
        entity_type.id if entity_type and decision.entity_type else None,
        decision.supports,
        work.group.id,
        conflicts_with=sorted(await store.list_there(tx, decision.conflicts_with)),
    )
    if extract is not None:
        await rows.give_way(tx, extract, "The review agent put it into words")
    await learning_service.learn(tx, new)


async def without_model(tx: Tx) -> dict[str, Any]:
    """What is done where there is no model: the words of the groups themselves are proposed."""
    waiting: Sequence[Work] = await _find_work(tx)
    return msgspec.to_builtins(Decisions(propose=[each.group.id for each in waiting]))  # type: ignore[no-any-return]
