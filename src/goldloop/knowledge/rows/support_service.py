"""Use cases of what rows rest on: add signals, and count anew, in the same transaction, where one is dismissed, restored, rated
anew or erased."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.feedback.entries import events as feedback
from goldloop.feedback.model import FeedbackSource, FeedbackStatus
from goldloop.kit.at_first_use import np
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden
from goldloop.kit.events import Event
from goldloop.kit.queue import set_marks
from goldloop.knowledge.checks import is_echo, particulars
from goldloop.knowledge.model import ERASED_WORDS, Change, KnowledgeState, SharedContext
from goldloop.knowledge.prompts import store as prompts
from goldloop.knowledge.rows import compare_store, derived_service, history_store, store, support_store
from goldloop.knowledge.rows.compare_store import Compared
from goldloop.knowledge.rows.derived_service import Why
from goldloop.knowledge.rows.support_store import Fact, NewSupport


async def add(
    tx: Tx,
    row: SharedContext,
    facts: Sequence[Fact],
    medoid: UUID | None = None,
    group_id: UUID | None = None,
) -> None:
    """Let a row rest on feedback, that of a group where it names one. Words that come from knowledge which was in the prompt of
    what they speak of are kept and shown, and count for nothing."""
    named = particulars(row.content)
    echoes = await find_echoes(tx, facts)
    new = [
        NewSupport(
            fact,
            group_id,
            fact.id in echoes,
            fact.id == medoid,
            sorted(named & particulars(fact.comment or "")),
        )
        for fact in facts
    ]
    at = await tx.moment()
    await support_store.insert(tx, row.id, new, at)
    for fact in facts:
        if fact.withdrawn:
            await support_store.recount(tx, fact.id, at, row.id)


async def is_echo_of_prompt(tx: Tx, fact: Fact) -> bool:
    return bool(await find_echoes(tx, [fact]))


async def find_echoes(tx: Tx, facts: Sequence[Fact]) -> set[UUID]:
    """Feedback whose words come from knowledge that was in the prompt of what it speaks of."""
    spoken = [fact for fact in facts if fact.comment and fact.session_id is not None]
    manifests = await prompts.find_of_sessions(tx, [fact.session_id for fact in spoken if fact.session_id])
    ids = {row_id for manifest in manifests.values() for row_id in manifest.row_ids}
    known = {row.id: row for row in await compare_store.find_to_compare(tx, list(ids))} if ids else {}
    echoes = set()
    for fact in spoken:
        manifest = manifests.get(fact.session_id) if fact.session_id else None
        if manifest is not None and manifest.row_ids:
            lines = [line.partition("] ")[2] for line in manifest.body.splitlines() if line.startswith("- [")]
            held_rows = [known[row_id] for row_id in manifest.row_ids if row_id in known]
            if is_echo(fact.comment or "", lines, _highest_cosine(fact, held_rows)):
                echoes.add(fact.id)
    return echoes


def _highest_cosine(fact: Fact, rows: Sequence[Compared]) -> float | None:
    if fact.vector is None:
        return None
    vectors = [row.vector for row in rows if row.vector is not None and row.model == fact.model]
    return max((float(np.dot(vector, fact.vector)) for vector in vectors), default=None)


async def renew_holds(tx: Tx, row: SharedContext) -> None:
    """After a row was put otherwise: which of its numbers and names each signal has, as far as whoever put it so may see."""
    named = particulars(row.content)
    signals = await support_store.list_signals(tx, row.id)
    facts = await support_store.list_facts(tx, [signal.feedback_id for signal in signals])
    holds = [(fact.id, sorted(named & particulars(fact.comment or ""))) for fact in facts]
    await support_store.set_holds(tx, row.id, holds)


async def heed_review(tx: Tx, event: Event) -> None:
    """Feedback was reviewed: what was dismissed supports nothing."""
    dismissed = event.payload["status"] == FeedbackStatus.DISMISSED
    await _recount(tx, event, "Feedback that it rests on was dismissed" if dismissed else _RESTORED)


async def heed_reopening(tx: Tx, event: Event) -> None:
    await _recount(tx, event, _RESTORED)


_RESTORED = "Feedback that it rests on was restored"


async def heed_change(tx: Tx, event: Event) -> None:
    """A reaction took the place of another in its row."""
    await _recount(tx, event, "Feedback that it rests on was rated anew")


async def heed_new(tx: Tx, event: Event) -> None:
    """Feedback in place of what was reviewed or taken back: what somebody thought then they think no more, or again."""
    if event.payload["source_type"] in _GIVEN_AGAIN:
        await _recount(tx, event, "Whoever gave feedback that it rests on rated anew")


_GIVEN_AGAIN = (FeedbackSource.CHAT, FeedbackSource.RESPONSE, FeedbackSource.EXTRACTION)


async def heed_withdrawal(tx: Tx, event: Event) -> None:
    """A reaction or a rejection that was reviewed is taken back."""
    await _recount(tx, event, "Whoever gave feedback that it rests on took it back")


async def _recount(tx: Tx, event: Event, reason: str, gone: bool = False) -> None:
    feedback_id = UUID(event.subject_id)
    rows = await support_store.recount(tx, feedback_id, await tx.moment(), gone=gone)
    await _count_anew(tx, rows, reason, [feedback_id], _is_of_agent(tx, event))


def _is_of_agent(tx: Tx, event: Event) -> bool:
    """Whether an agent is who takes support away. What an end user reacts by its key is the user's doing, and a session that goes
    on is no decision."""
    if tx.actor.kind is not ActorKind.AGENT:
        return False
    by_itself = event.name in _OF_REACTIONS or event.payload.get("cause_ended", False)
    return not (by_itself and event.payload["source_type"] in (FeedbackSource.CHAT, FeedbackSource.SESSION))


_OF_REACTIONS = (feedback.CREATED.name, feedback.CHANGED.name, feedback.WITHDRAWN.name)


async def heed_erasure(tx: Tx, event: Event) -> None:
    """Nothing rests any more on feedback that goes. A proposal in its very words goes with it, and the others of its group
    propose theirs; one that was rejected stays so without them. What a person has approved or put into words is for one to
    read again. No history has its words, but where a person has approved them."""
    feedback_id = UUID(event.subject_id)
    by_agent = _is_of_agent(tx, event)
    await _recount(tx, event, "What its author said since was erased", gone=True)
    for row_id, medoid in await support_store.list_supported(tx, feedback_id):
        row = await store.lock(tx, row_id)
        assert row is not None, "support goes with its row"
        if by_agent and _is_of_person(row):
            raise _only_people(row)
        if medoid and row.decided is KnowledgeState.PROPOSED and not row.wording:
            await derived_service.remove(tx, row)
            await set_marks(tx, derived_service.PROPOSE, [str(row.group_id)] if row.group_id else [])
            continue
        await support_store.delete(tx, row_id, feedback_id)
        await store.set_erased(tx, row_id, await tx.moment())
        if medoid:
            await _erase_words(tx, row)
        await _count_anew(tx, [row_id], "Feedback that it rested on was erased", [feedback_id])


async def _erase_words(tx: Tx, row: SharedContext) -> None:
    if row.decided is KnowledgeState.REJECTED and not row.wording:
        written = msgspec.structs.replace(row.written, content=ERASED_WORDS)
        why = Why(Change.SUPPORT, "Feedback whose words it had was erased")
        row, _ = await derived_service.apply(tx, row, written, why)
    await history_store.erase_words(tx, row.id, row.content)


async def heed_groups(tx: Tx, row_id: UUID, groups: Sequence[UUID], drawn: bool) -> None:
    """Groups that a row rests on have other members by now. With `drawn` what only their wording has drawn out of them supports
    it still."""
    changed = await support_store.set_moved(tx, row_id, groups, drawn, await tx.moment())
    await _count_anew(
        tx, [row_id] if changed else [], "The groups that it rests on have other members", changed
    )


async def _count_anew(
    tx: Tx, rows: Sequence[UUID], reason: str, feedback_ids: Sequence[UUID], by_agent: bool = False
) -> None:
    """The newest first, as rows that contradict older ones come to these, and all held before any is written, so that two at
    once do not wait for each other."""
    evidence = {"feedback_ids": [str(each) for each in feedback_ids]}
    concerned = [await store.lock(tx, row_id) for row_id in sorted(set(rows), reverse=True)]
    for row in concerned:
        after = await derived_service.refresh(tx, row.id, reason, evidence) if row else None
        if by_agent and row is not None and after is not None:
            _check_kept(row, after)


def _check_kept(row: SharedContext, after: SharedContext) -> None:
    """Raises where a row that a person has decided about lost support: an agent un-learns nothing of theirs."""
    if _is_of_person(row) and (after.origins < row.origins or (row.active and not after.active)):
        raise _only_people(row)


def _is_of_person(row: SharedContext) -> bool:
    """Whether a person has decided that it is in prompts, or tried out."""
    return row.decided in derived_service.COUNTED and row.read_at is not None


def _only_people(row: SharedContext) -> Forbidden:
    return Forbidden(f"A person approved knowledge that rests on it ({row.id}): only people take that back")


async def sessions_with(tx: Tx, row_id: UUID, session_ids: Sequence[UUID]) -> set[UUID]:
    """Those of some sessions that had a row in their prompts."""
    return await prompts.sessions_with(tx, row_id, session_ids)
