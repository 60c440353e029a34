"""Use cases of knowledge: write it down, change it, approve, reject, try out, retire, delete, and read it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.entities.model import EntityTypeNotFound, check_version
from goldloop.entities.records.words import terms
from goldloop.entities.types import store as types
from goldloop.feedback.entries import review_service as reviews
from goldloop.feedback.model import NOTE_CHARACTERS, FeedbackStatus
from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden, InvalidInput
from goldloop.kit.events import notify
from goldloop.kit.ids import new_id
from goldloop.kit.json_equality import same_json
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.knowledge.lifecycle import FROM, TO, standing_after_approval
from goldloop.knowledge.model import (
    ERASED_WORDS,
    Change,
    Flag,
    KnowledgeEntry,
    KnowledgeState,
    KnowledgeSupport,
    KnowledgeType,
    NeedsWording,
    NotInThisState,
    SharedContext,
    SharedContextExists,
    SharedContextNotFound,
    Standing,
    WrittenKnowledge,
)
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.rows import (
    count_store,
    derived_service,
    events,
    history_store,
    store,
    support_service,
    support_store,
)
from goldloop.knowledge.rows.derived_service import Why
from goldloop.knowledge.rows.metadata import of_client
from goldloop.knowledge.rows.store import NewRow, Wanted
from goldloop.knowledge.rows.support_store import Fact
from goldloop.tenants.agents import store as agents
from goldloop.tenants.model import AgentNotFound

MOST_ENTRIES = 200  # of a row's history that are shown, the newest
EXTRACTIVE = "extractive"  # the method of a row whose words were copied out of feedback


class NewKnowledge(NamedTuple):
    """`facts` are what it rests on, `standing` says whether a person stands for it. What is `decided` is that of the person who
    writes it; for anybody but an administrator, and for every agent, it is proposed."""

    type: KnowledgeType
    content: str
    context: str | None = None
    agent_id: UUID | None = None
    entity_type_id: UUID | None = None
    decided: KnowledgeState = KnowledgeState.ACTIVE
    standing: Standing = Standing.PERSON
    wording: bool = True
    facts: Sequence[Fact] = ()
    medoid: UUID | None = None
    group_id: UUID | None = None
    conflicts_with: Sequence[UUID] = ()
    metadata: dict[str, Any] | None = None
    flags: Sequence[Flag] = ()
    reason: str | None = None
    id: UUID | None = None
    at: datetime | None = None


def check_decides(tx: Tx) -> None:
    """People decide about knowledge, whatever the key of an agent permits."""
    tx.actor.check(KNOWLEDGE_MANAGE)
    if tx.actor.kind is ActorKind.AGENT:
        raise Forbidden("A person decides about knowledge; an agent proposes")


async def create(tx: Tx, new: NewKnowledge) -> SharedContext:
    """Write knowledge down, as an administrator. The same create again answers with what is there."""
    check_decides(tx)
    await check_scope(tx, new.agent_id, new.entity_type_id)
    return await add(tx, new)


async def add(tx: Tx, new: NewKnowledge) -> SharedContext:
    """For use cases that have asked who may."""
    at = new.at or await tx.moment()
    row_id = new.id or new_id()
    written = WrittenKnowledge(
        type=new.type,
        content=checked_text(new.content, "/content"),
        context=_unless_blank(new.context),
        agent_id=new.agent_id,
        entity_type_id=new.entity_type_id,
        decided=new.decided,
        standing=new.standing,
        pinned=False,
        wording=new.wording,
        read_at=at if tx.actor.kind is ActorKind.USER else None,
        confirmations=0,
        last_confirmed_at=at,
    )
    source = new.medoid or next((fact.id for fact in new.facts), None)
    named = sorted(set(new.conflicts_with))
    row = NewRow(row_id, written, source, new.group_id, named, new.metadata or {}, new.flags, at)
    if not await store.insert(tx, row):
        return await _created_before(tx, row)
    made = await access_any(tx, row_id)
    await support_service.add(tx, made, new.facts, new.medoid, new.group_id)
    evidence = {"feedback_ids": [str(fact.id) for fact in new.facts]} if new.facts else {}
    return await derived_service.begin(tx, row_id, Why(Change.CREATED, new.reason, evidence))


async def _created_before(tx: Tx, new: NewRow) -> SharedContext:
    found = await store.find(tx, new.id)
    named = ("type", "content", "context", "agent_id", "entity_type_id")
    if (
        found is None
        or any(getattr(found, name) != getattr(new.written, name) for name in named)
        or not same_json(of_client(found.metadata), of_client(new.metadata))
    ):
        raise SharedContextExists(conflict={"id": str(new.id)})
    return found


def checked_text(text: str, place: str) -> str:
    if not text.strip():
        raise InvalidInput.at(place, "empty", "It has to say something")
    return text


def _unless_blank(text: str | None) -> str | None:
    return text if text and text.strip() else None


async def check_scope(tx: Tx, agent_id: UUID | None, entity_type_id: UUID | None) -> None:
    if agent_id is not None and await agents.find(tx, agent_id) is None:
        raise AgentNotFound.in_field("/agent_id")
    if entity_type_id is not None and await types.find_by_id(tx, entity_type_id) is None:
        raise EntityTypeNotFound.in_field("/entity_type_id")


async def access(tx: Tx, row_id: UUID) -> SharedContext:
    tx.actor.check(KNOWLEDGE_MANAGE)
    return await access_any(tx, row_id)


async def access_any(tx: Tx, row_id: UUID) -> SharedContext:
    """For use cases that have asked who may."""
    found = await store.find(tx, row_id)
    if found is None:
        raise SharedContextNotFound
    return found


async def hold_with_feedback(tx: Tx, row_id: UUID) -> SharedContext:
    """For use cases that review what a row rests on."""
    await support_store.lock_feedback(tx, row_id)
    return await hold(tx, row_id)


async def hold(tx: Tx, row_id: UUID) -> SharedContext:
    found = await store.lock(tx, row_id)
    if found is None:
        raise SharedContextNotFound
    return found


class SharedContextDetail(SharedContext, frozen=True, kw_only=True):
    """With what it rests on and what happened to it, the newest first."""

    support: list[KnowledgeSupport]
    history: list[KnowledgeEntry]


async def show(tx: Tx, row_id: UUID) -> SharedContextDetail:
    row = await access(tx, row_id)
    return SharedContextDetail(
        **msgspec.structs.asdict(row),
        support=await support_store.list_shown(tx, row_id),
        history=await history_store.list_newest_first(tx, row_id, MOST_ENTRIES),
    )


async def list_rows(
    tx: Tx, wanted: Wanted, words: str | None, cursor: str | None, limit: int
) -> Page[SharedContext]:
    tx.actor.check(KNOWLEDGE_MANAGE)
    wanted = wanted._replace(terms=tuple(terms(words or "")))
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, wanted, before, limit + 1)
    return page(rows, limit, lambda row: (row.created_at, row.id))


class KnowledgeCount(msgspec.Struct, frozen=True, kw_only=True):
    """`waits` are how many of them a person should look at."""

    type: KnowledgeType
    state: KnowledgeState
    count: int
    waits: int


class KnowledgeCounts(msgspec.Struct, frozen=True, kw_only=True):
    data: list[KnowledgeCount]


async def count(tx: Tx) -> KnowledgeCounts:
    tx.actor.check(KNOWLEDGE_MANAGE)
    return KnowledgeCounts(
        data=[
            KnowledgeCount(type=kind, state=state, count=total, waits=waits)
            for kind, state, total, waits in await count_store.count(tx)
        ]
    )


async def change(
    tx: Tx, row_id: UUID, version: int | None, changes: dict[str, Any], reason: str | None
) -> SharedContext:
    """What it says, its type, where it holds, or whether it is pinned. What is there already makes no new version. `active`
    retires and approves."""
    check_decides(tx)
    if (active := changes.pop("active", None)) is not None:
        row = await hold_with_feedback(tx, row_id)
        check_version("shared_context", version, row.version)
        version = None
        if active != row.active:
            await (approve(tx, row_id, reason) if active else retire(tx, row_id, reason))
    row = await hold(tx, row_id)
    written = await _changed(tx, row, changes)
    if written == row.written:
        return row
    check_version("shared_context", version, row.version)
    return await _edit(tx, row, written, reason)


async def _edit(tx: Tx, row: SharedContext, written: WrittenKnowledge, reason: str | None) -> SharedContext:
    if written.content != row.content:
        await support_service.renew_holds(tx, msgspec.structs.replace(row, content=written.content))
    after, _ = await derived_service.apply(tx, row, written, Why(Change.EDITED, reason))
    return after


async def _changed(tx: Tx, row: SharedContext, changes: dict[str, Any]) -> WrittenKnowledge:
    if "content" in changes:
        changes["content"] = checked_text(changes["content"], "/content")
    if "context" in changes:
        changes["context"] = _unless_blank(changes["context"])
    await check_scope(tx, changes.get("agent_id"), changes.get("entity_type_id"))
    written: WrittenKnowledge = msgspec.structs.replace(row.written, **changes)
    if written.content == row.content or tx.actor.kind is not ActorKind.USER:
        return written
    return msgspec.structs.replace(written, wording=True, read_at=await tx.moment())


async def reword(tx: Tx, row: SharedContext, changes: dict[str, Any]) -> SharedContext:
    """For use cases that have asked who may, of a row that they hold."""
    written = await _changed(tx, row, changes)
    return row if written == row.written else await _edit(tx, row, written, None)


async def flag(tx: Tx, row: SharedContext, flag: Flag) -> SharedContext:
    """Have a person look at a row that the caller holds."""
    if flag not in row.flags:
        await store.add_flag(tx, row.id, flag)
        await notify(tx, events.KNOWLEDGE, str(row.id))
    return await access_any(tx, row.id)


async def approve(
    tx: Tx,
    row_id: UUID,
    reason: str | None,
    content: str | None = None,
    context: str | None = None,
    version: int | None = None,
) -> SharedContext:
    """Into prompts, from now on. Feedback that waits and that it rests on is applied. Whoever approves what was approved before,
    or what fewer than two signals support, stands for it."""
    check_decides(tx)
    worded = {"content": content, "context": context}
    row = await hold_with_feedback(tx, row_id)
    check_version("shared_context", version, row.version)
    written = await _changed(tx, row, {name: text for name, text in worded.items() if text is not None})
    if written.content != row.content or written.context != row.context:
        row = await _edit(tx, row, written, reason)
    _check(row, Change.APPROVED)
    if (row.type is KnowledgeType.CORRECTION and not row.wording) or row.content == ERASED_WORDS:
        raise NeedsWording.in_field("/content")
    at = await tx.moment()
    again = row.decided is KnowledgeState.ACTIVE
    carried = derived_service.carried_by(await support_store.list_signals(tx, row_id))
    approved = msgspec.structs.replace(
        row.written,
        decided=KnowledgeState.ACTIVE,
        standing=standing_after_approval(row.standing, row.decided, carried),
        read_at=at,
        confirmations=row.confirmations + (1 if again else 0),
        last_confirmed_at=at if again else row.last_confirmed_at,
    )
    return await _into_prompts(tx, await _unflagged(tx, row), approved, reason, _flags(row))


async def activate(tx: Tx, row: SharedContext, reason: str) -> SharedContext:
    """Without a person, for use cases that have checked it, of a row that they hold. It stands on its support."""
    decided = msgspec.structs.replace(row.written, decided=KnowledgeState.ACTIVE)
    return await _into_prompts(tx, row, decided, reason, {})


async def _into_prompts(
    tx: Tx, row: SharedContext, written: WrittenKnowledge, reason: str | None, evidence: dict[str, Any]
) -> SharedContext:
    """Feedback that waits and that it rests on is applied."""
    why = Why(Change.APPROVED, reason, _measured(row) | evidence)
    after, entry = await derived_service.apply(tx, row, written, why)
    signals = [signal.feedback_id for signal in await support_store.list_signals(tx, row.id)]
    note = f"It became knowledge: {row.content}"[:NOTE_CHARACTERS]
    await reviews.review_many(tx, signals, FeedbackStatus.APPLIED, note, entry)
    return after


def _measured(row: SharedContext) -> dict[str, Any]:
    """What a decision knew of a row's value."""
    return {"value": "unmeasured" if row.value is None else msgspec.to_builtins(row.value)}


async def reject(tx: Tx, row_id: UUID, reason: str | None, version: int | None = None) -> SharedContext:
    """A proposal that is not taken up."""
    return await _move(tx, row_id, Change.REJECTED, reason, version)


async def give_way(tx: Tx, row: SharedContext, reason: str, evidence: dict[str, Any] | None = None) -> None:
    """A proposal that another takes the place of, or that its group goes with, for use cases that have asked who may and hold
    it. What was decided about otherwise stays."""
    if row.decided is not KnowledgeState.PROPOSED:
        return
    rejected = msgspec.structs.replace(row.written, decided=KnowledgeState.REJECTED)
    await derived_service.apply(tx, row, rejected, Why(Change.REJECTED, reason, evidence))


async def shadow(tx: Tx, row_id: UUID, reason: str | None, version: int | None = None) -> SharedContext:
    """Out of prompts, to be tried out."""
    return await _move(tx, row_id, Change.SHADOWED, reason, version)


async def retire(tx: Tx, row_id: UUID, reason: str | None, version: int | None = None) -> SharedContext:
    return await _move(tx, row_id, Change.RETIRED, reason, version)


async def _move(tx: Tx, row_id: UUID, step: Change, reason: str | None, version: int | None) -> SharedContext:
    check_decides(tx)
    row = await hold(tx, row_id)
    check_version("shared_context", version, row.version)
    _check(row, step)
    moved = msgspec.structs.replace(row.written, decided=TO[step], read_at=await tx.moment())
    after, _ = await derived_service.apply(
        tx,
        await _unflagged(tx, row),
        moved,
        Why(step, reason, _flags(row) | (_measured(row) if row.value else {})),
    )
    return after


async def _unflagged(tx: Tx, row: SharedContext) -> SharedContext:
    """Whoever decides has looked at it."""
    if row.flags:
        await store.clear_flags(tx, row.id)
    return msgspec.structs.replace(row, flags=[])


def _flags(row: SharedContext) -> dict[str, Any]:
    """Those that a decision clears, for its evidence: an undo brings them back."""
    return {"flags": [str(flag) for flag in row.flags]} if row.flags else {}


def _check(row: SharedContext, step: Change) -> None:
    if row.state not in FROM[step]:
        raise NotInThisState(conflict={"id": str(row.id), "state": row.state})


async def remove(tx: Tx, row_id: UUID) -> None:
    check_decides(tx)
    await derived_service.remove(tx, await hold(tx, row_id))
