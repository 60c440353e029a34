"""Use cases: where a row was in a prompt and cited, what was written there, what a change of it does to prompts, and which rows
none holds."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.events import Event
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import set_marks
from goldloop.knowledge.lifecycle import state_of
from goldloop.knowledge.model import Flag, KnowledgeState, KnowledgeType, SharedContext, WrittenKnowledge
from goldloop.knowledge.permissions import KNOWLEDGE_MANAGE
from goldloop.knowledge.printing import PrintedRow, name_of, names_in, print_block
from goldloop.knowledge.prompts import citation_store, store, use_store
from goldloop.knowledge.ranking import rank_of
from goldloop.knowledge.rows import service as rows
from goldloop.knowledge.rows import store as row_store
from goldloop.knowledge.rows import support_store
from goldloop.knowledge.rows.derived_service import RANKS, carried_by
from goldloop.knowledge.selection import PER_TYPE, Candidate, Scope, diff, select
from goldloop.sessions.beginning import REPLAY
from goldloop.sessions.model import SessionStatus

MOST_SCOPES = 50  # whose prompts a change is shown for, beside those of the row itself
MOST_FIELDS = 1000  # that sessions of one page wrote
MOST_ANSWERS = 200  # of a session that are searched for names, the newest
MOST_UNUSED = 200  # rows that are flagged in one transaction
UNUSED_AFTER = timedelta(days=90)
WEEK = timedelta(days=7)
CITATIONS = "knowledge.citations"  # the mark of a session that ended well


class FieldOfSession(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a record whose value was promoted from what a session submitted; `current` is whether it has it still."""

    entity_id: UUID
    field: str
    response_id: UUID
    current: bool


class SessionWithRow(msgspec.Struct, frozen=True, kw_only=True):
    """A session that had a row in its prompt, whether it named the row in what it said, and what it wrote into records."""

    id: UUID
    agent: str | None
    status: SessionStatus
    entity_id: UUID | None
    manifest: str
    cited: bool
    created_at: datetime
    fields: list[FieldOfSession]


async def list_sessions(tx: Tx, row_id: UUID, cursor: str | None, limit: int) -> Page[SessionWithRow]:
    """The newest first."""
    await rows.access(tx, row_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    ran = await use_store.list_sessions(tx, row_id, before, limit + 1)
    written = await use_store.list_fields(tx, [each.id for each in ran], MOST_FIELDS)
    found = [
        SessionWithRow(
            **each._asdict(),
            fields=[
                FieldOfSession(
                    entity_id=field.entity_id,
                    field=field.field,
                    response_id=field.response_id,
                    current=field.current,
                )
                for field in written
                if field.session_id == each.id
            ],
        )
        for each in ran
    ]
    return page(found, limit, lambda session: (session.created_at, session.id))


async def note_citations(tx: Tx, event: Event) -> None:
    """What a session that ended well has named of its prompt is looked for after the fact."""
    if event.payload.get("manifest") and event.payload["purpose"] != REPLAY:
        await set_marks(tx, CITATIONS, [event.subject_id])


async def take_in_citations(tx: Tx, session_id: UUID) -> None:
    """A row that a session named helped there: it is confirmed, once a session."""
    manifest = await store.find_of_session(tx, session_id)
    if manifest is None:
        return
    answers = await citation_store.list_answers(tx, session_id, MOST_ANSWERS)
    cited = {name for answer in answers for name in names_in(answer)}
    named = [row_id for row_id in manifest.row_ids if name_of(row_id) in cited]
    at = await tx.moment()
    confirmed = await citation_store.insert(tx, session_id, named, at)
    for row_id in confirmed:
        await row_store.set_confirmed(tx, row_id, at)
    if confirmed:
        await set_marks(tx, RANKS, ["workspace"])


async def flag_unused(tx: Tx, at: datetime) -> int:
    """Propose to retire what no prompt has held for long. How many were found."""
    found = await use_store.list_unused(tx, at - UNUSED_AFTER, MOST_UNUSED)
    for row_id in found:
        await rows.flag(tx, await rows.hold(tx, row_id), Flag.UNUSED)
    return len(found)


class KnowledgeUse(msgspec.Struct, frozen=True, kw_only=True):
    """How many sessions had a row in their prompts."""

    id: UUID
    sessions: int


class KnowledgeUses(msgspec.Struct, frozen=True, kw_only=True):
    data: list[KnowledgeUse]


async def count_uses(tx: Tx, ids: Sequence[UUID]) -> KnowledgeUses:
    """Within the last week."""
    tx.actor.check(KNOWLEDGE_MANAGE)
    since = await tx.moment() - WEEK
    counted = await use_store.count_sessions(tx, list(dict.fromkeys(ids)), since)
    return KnowledgeUses(data=[KnowledgeUse(id=row_id, sessions=count) for row_id, count in counted])


class ScopeDiff(msgspec.Struct, frozen=True, kw_only=True):
    """What a change does to the prompts of a scope. From `first_changed_line` on, what models have cached is made anew; null
    where nothing changes."""

    agent_id: UUID | None
    entity_type_id: UUID | None
    added: list[str]
    removed: list[str]
    first_changed_line: int | None
    tokens_before: int
    tokens_after: int


class PromptChange(msgspec.Struct, frozen=True, kw_only=True):
    """For each scope that prompts were made for and where the row holds, before or after; `truncated` is whether there are more
    of them than are shown."""

    state: KnowledgeState
    scopes: list[ScopeDiff]
    truncated: bool


async def preview(
    tx: Tx, row_id: UUID, decided: KnowledgeState | None, changes: dict[str, Any]
) -> PromptChange:
    """What prompts would be with a row in another state, or with other words. Nothing is changed."""
    row = await rows.access(tx, row_id)
    fields = changes | ({"decided": decided} if decided else {})
    await rows.check_scope(tx, changes.get("agent_id"), changes.get("entity_type_id"))
    written: WrittenKnowledge = msgspec.structs.replace(row.written, **fields)
    signals = await support_store.list_signals(tx, row_id)
    state = state_of(written.decided, written.standing, carried_by(signals))
    if decided is KnowledgeState.ACTIVE:
        state = decided  # whoever approves what too little supports stands for it
    wanted = {(row.agent_id, row.entity_type_id), (written.agent_id, written.entity_type_id)}
    own = {Scope(*where) for where in wanted}
    others = {each for where in wanted for each in await store.list_scopes(tx, *where, MOST_SCOPES + 1)}
    listed = sorted(others - own, key=lambda scope: scope.key)
    shown = sorted({*own, *listed[:MOST_SCOPES]}, key=lambda scope: scope.key)
    found = [await _diff(tx, scope, row, written, state) for scope in shown]
    return PromptChange(state=state, scopes=found, truncated=len(listed) > MOST_SCOPES)


async def _diff(
    tx: Tx, scope: Scope, row: SharedContext, written: WrittenKnowledge, state: KnowledgeState
) -> ScopeDiff:
    offered = await store.list_candidates(tx, scope, PER_TYPE + 1)  # one may go
    before = [candidate.row for candidate in select(offered).included]
    after = [candidate for candidate in offered if candidate.row.id != row.id]
    if state is KnowledgeState.ACTIVE and scope.covers(written.agent_id, written.entity_type_id):
        after.append(_candidate(row, written))
    chosen = [candidate.row for candidate in select(after).included]
    changed = diff(print_block(before), print_block(chosen))
    return ScopeDiff(agent_id=scope.agent_id, entity_type_id=scope.entity_type_id, **changed._asdict())


def _candidate(row: SharedContext, written: WrittenKnowledge) -> Candidate:
    rank = rank_of(
        KnowledgeType(written.type),
        origins=row.origins,
        confirmations=written.confirmations,
        last_confirmed_at=written.last_confirmed_at,
        pinned=written.pinned,
    )
    narrowness = (written.agent_id is not None) + (written.entity_type_id is not None)
    return Candidate(PrintedRow(row.id, written.type, written.content, written.context), rank, narrowness)
