"""Use cases of the job that erases: what is done with each thing that was found. Each step may be done again."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.archives import service as archives
from goldloop.archives.model import ArchiveNotFound
from goldloop.conversations.turns.logs import log_key
from goldloop.entities.model import EntityNotFound
from goldloop.entities.records import service as records
from goldloop.erasures import row_store, service, store
from goldloop.erasures.model import ERASED, ErasureKind, Kept, added, with_kept
from goldloop.erasures.quoting import quotes
from goldloop.erasures.store import Stored
from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.entries import store as feedback_store
from goldloop.feedback.groups import decision_store
from goldloop.feedback.groups import derived_service as groups
from goldloop.goldens.cases import service as goldens
from goldloop.goldens.model import GoldenNotFound
from goldloop.jobs import run_service as runs
from goldloop.jobs import run_store
from goldloop.kit.db import Tx
from goldloop.knowledge.model import Change, KnowledgeState, SharedContext
from goldloop.knowledge.printing import on_one_line
from goldloop.knowledge.rows import derived_service as knowledge
from goldloop.knowledge.rows import service as knowledge_rows
from goldloop.knowledge.rows import store as knowledge_store
from goldloop.knowledge.rows import support_store
from goldloop.knowledge.rows.derived_service import Why
from goldloop.sessions import store as sessions

READ_WHY = "A person has put them into words of their own; they are flagged to be read again"


class Outcome(NamedTuple):
    """How many rows went, and what stays."""

    gone: dict[str, int]
    kept: tuple[Kept, ...] = ()


Step = Callable[[Tx, UUID, list[str]], Awaitable[Outcome]]


async def erase_some(tx: Tx, erasure_id: UUID, kind: str) -> int:
    """The next few things of a kind; how many they were."""
    erasure = await access(tx, erasure_id)
    step, at_once = STEPS[kind]
    places = await store.next_items(tx, erasure_id, kind, at_once)
    gone, kept = erasure.gone, erasure.kept
    for place in places:
        outcome = await step(tx, erasure_id, place)
        await store.set_done(tx, erasure_id, kind, place)
        gone = added(gone, outcome.gone)
        for each in outcome.kept:
            kept = with_kept(kept, each)
    if places:
        await store.save(tx, erasure_id, gone, kept)
        await tell_progress(tx, erasure_id)
    return len(places)


async def access(tx: Tx, erasure_id: UUID) -> Stored:
    """One that is not over, held, in a transaction that acts for it from now on."""
    await store.within(tx, erasure_id)
    erasure = await store.lock(tx, erasure_id)
    if erasure is None:
        raise ErasureOver
    return erasure


class ErasureOver(Exception):
    """Another worker has ended it meanwhile."""


async def add_gone(tx: Tx, erasure_id: UUID, more: dict[str, int]) -> None:
    if any(more.values()):
        erasure = await access(tx, erasure_id)
        await store.save(tx, erasure_id, added(erasure.gone, more), erasure.kept)


async def tell_progress(tx: Tx, erasure_id: UUID) -> None:
    counts = (await store.count_items(tx, erasure_id)).values()
    run = await run_store.find(tx, erasure_id)
    if run is not None:
        total, done = sum(found for found, _ in counts), sum(done for _, done in counts)
        await runs.advance(tx, run, done=done, resume_point=None, total=total)


async def _golden(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    """A golden is revoked for whoever's right it is to be forgotten."""
    try:
        await goldens.revoke(tx, UUID(place[0]))
    except GoldenNotFound:
        return Outcome({})
    figures = Kept(what=service.FIGURES, count=1, why=service.FIGURES_WHY, ids=[place[0]])
    return Outcome({"goldens": 1}, (figures,))


async def _alternative(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    try:
        await goldens.accept_no_more(tx, UUID(place[0]), UUID(place[1]))
    except GoldenNotFound:
        return Outcome({})
    return Outcome({"golden_alternatives": 1})


async def _feedback(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    """With all that knowledge has of its words; support is counted anew in the same transaction."""
    feedback_id = UUID(place[0])
    feedback = await feedback_store.find(tx, feedback_id)
    if feedback is None:
        return Outcome({})
    rows = [
        row
        for row_id, _ in await support_store.list_supported(tx, feedback_id)
        if (row := await knowledge_store.find(tx, row_id)) is not None
    ]
    await reviews.erase(tx, feedback_id)
    gone = {"feedback": 1}
    kept: list[Kept] = []
    for row in rows:
        outcome = await _knowledge(tx, row, feedback.comment)
        gone = added(gone, outcome.gone)
        kept += outcome.kept
    if feedback.group_id is not None:
        if await row_store.erase_group(tx, feedback.group_id):
            gone = added(gone, {"feedback_groups": 1})
        else:
            await groups.refresh(tx, feedback.group_id, await decision_store.lock(tx))
    return Outcome(gone, tuple(kept))


async def _knowledge(tx: Tx, before: SharedContext, comment: str | None) -> Outcome:
    """A row that rested on feedback which is gone. What has its words loses them, and is no knowledge any more."""
    there = await knowledge_store.find(tx, before.id)
    row = await knowledge_rows.hold(tx, before.id) if there is not None else None
    is_quote = not before.wording or quotes(before.content, comment) or quotes(before.context, comment)
    if row is None:
        gone = {"shared_context": 1}
    elif is_quote and (not row.wording or quotes(row.content, comment) or quotes(row.context, comment)):
        if await support_store.list_signals(tx, row.id) and not quotes(row.content, comment):
            return Outcome({})  # the words of another, who stays
        written = msgspec.structs.replace(
            row.written, content=ERASED, context=None, decided=KnowledgeState.RETIRED, pinned=False
        )
        why = Why(Change.RETIRED, "The words were those of somebody who was deleted")
        await knowledge.apply(tx, row, written, why)
        await row_store.erase_knowledge_words(tx, row.id)
        gone = {"shared_context (text)": 1}
    else:
        return Outcome({}, (Kept(what="shared_context", count=1, why=READ_WHY, ids=[str(row.id)]),))
    for words in (before.content, on_one_line(before.content), before.context):
        if words and words != ERASED:
            gone = added(gone, await row_store.erase_quotes(tx, before.id, words))
    return Outcome(gone)


async def _response(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    gone, stays = await row_store.erase_response(tx, UUID(place[0]))
    kept = Kept(what=service.PROMOTED, count=1, why=service.PROMOTED_WHY, ids=[place[0]])
    return Outcome(gone, (kept,) if stays else ())


async def _record(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    responses = await store.list_responses(tx, UUID(place[0]))
    try:
        await records.remove(tx, UUID(place[0]))
    except EntityNotFound:
        return Outcome({})
    return Outcome({"entities": 1, "entity_responses": len(responses)})


async def _session(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    session = await sessions.find(tx, UUID(place[0]))
    if session is None:
        return Outcome(await row_store.erase_session(tx, erasure_id, UUID(place[0])))
    names = [session.external_id] if session.external_id else []
    gone = await row_store.erase_session(tx, erasure_id, session.id)
    kept: tuple[Kept, ...] = ()
    erasure = await access(tx, erasure_id)
    if erasure.subject.kind is ErasureKind.SESSION:
        named = await store.list_turns_elsewhere(tx, session.id, names)
        kept = (
            (Kept(what=service.NAMED, count=len(named), why=service.NAMED_WHY, ids=named),) if named else ()
        )
    return Outcome(gone, kept)


async def _turn(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    await _note_logs(tx, erasure_id, place[0], place[1], place[2])
    return Outcome(await row_store.erase_turn(tx, place[0], place[1], place[2]))


async def _reaction(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    return Outcome(await row_store.erase_reaction(tx, UUID(place[0])))


async def _conversation(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    await _note_logs(tx, erasure_id, place[0], place[1], None)
    return Outcome(await row_store.erase_conversation(tx, place[0], place[1]))


async def _note_logs(
    tx: Tx, erasure_id: UUID, project: str, conversation_id: str, turn_id: str | None
) -> None:
    """What the blob store has of turns, for whoever deletes it there when their rows are gone."""
    turns = await row_store.list_logged_turns(tx, project, conversation_id, turn_id)
    keys = [[log_key(tx.actor.tenant_id, project, conversation_id, each)] for each in turns]
    await store.add_items(tx, erasure_id, "blob", keys)


async def _archive(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    """One that is being written is stopped. Its parts go by a job, and by whoever erases before that."""
    try:
        await archives.remove(tx, UUID(place[0]))
    except ArchiveNotFound:
        return Outcome({})
    return Outcome({"archives": 1})


async def _nothing(tx: Tx, erasure_id: UUID, place: list[str]) -> Outcome:
    """An end user has no row of their own."""
    return Outcome({})


# In this order: what holds others comes before them. With how many are done in one transaction.
STEPS: dict[str, tuple[Step, int]] = {
    "end_user": (_nothing, 10),
    "archive": (_archive, 10),
    "alternative": (_alternative, 10),
    "golden": (_golden, 10),
    "feedback": (_feedback, 5),
    "record": (_record, 5),
    "response": (_response, 20),
    "session": (_session, 5),
    "turn": (_turn, 20),
    "reaction": (_reaction, 50),
    "conversation": (_conversation, 2),
}


async def finish(tx: Tx, erasure_id: UUID) -> bool:
    """End it, unless more has come to light: then False, and there is more to do."""
    erasure = await access(tx, erasure_id)
    narrow = erasure.subject.kind is ErasureKind.RETENTION
    if await service.gather(tx, erasure_id, narrow=narrow):
        return False
    if erasure.gone:
        facts = Kept(what=service.FACTS, count=erasure.gone.get("events (text)", 0), why=service.FACTS_WHY)
        await store.save(tx, erasure_id, erasure.gone, with_kept(erasure.kept, facts))
    fingerprint = await store.find_fingerprint(tx, erasure_id)
    assert fingerprint is not None
    await tell_progress(tx, erasure_id)
    await runs.finish(tx, erasure_id)
    await store.end(tx, erasure_id, fingerprint, await tx.moment())
    return True
