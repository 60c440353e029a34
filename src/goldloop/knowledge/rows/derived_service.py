"""Use case: what follows from a row and its support, written anew with the entry of why: its state, flags, rank and tokens.

Every change of a row ends here, a decision as well as feedback that was taken back, so that a row is what a fresh computation
makes of it.
"""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from goldloop.feedback.groups.origins import count_origins
from goldloop.kit.db import Tx
from goldloop.kit.events import emit
from goldloop.kit.ids import new_id
from goldloop.kit.queue import set_marks
from goldloop.knowledge.lifecycle import LEAST_ORIGINS, Held, flags_of, state_of
from goldloop.knowledge.model import Change, KnowledgeState, SharedContext, WrittenKnowledge
from goldloop.knowledge.printing import PrintedRow, cost_of, hash_of
from goldloop.knowledge.ranking import rank_of
from goldloop.knowledge.rows import events, history_store, likeness_service, store, support_store
from goldloop.knowledge.rows.history_store import NewEntry
from goldloop.knowledge.rows.store import Derived
from goldloop.knowledge.rows.support_store import Signal
from goldloop.knowledge.valuing import PROPOSING, as_of, holding, value_z_of

RANKS = "knowledge.ranks"  # the mark of a workspace with rows that were confirmed since they got their rank
PROPOSE = "knowledge.propose"  # the mark of a group of feedback that may propose something
COMPARE = "knowledge.compare"  # the mark of a workspace with rows that have no vector yet
COUNTED = (KnowledgeState.ACTIVE, KnowledgeState.SHADOW)  # prompts hold these, or say how many they leave out


class Why(NamedTuple):
    """What changed a row, for its history."""

    change: Change
    reason: str | None = None
    evidence: dict[str, Any] | None = None
    takes_back: UUID | None = None


def origins_of(signals: list[Signal]) -> int:
    return count_origins([signal.origin for signal in signals if signal.counts])


def carried_by(signals: list[Signal]) -> int:
    """The origins that a state follows from: what an administrator has flagged is enough by itself."""
    flagged = any(signal.flagged and signal.counts for signal in signals)
    return max(origins_of(signals), LEAST_ORIGINS if flagged else 0)


async def apply(
    tx: Tx, row: SharedContext, written: WrittenKnowledge, why: Why
) -> tuple[SharedContext, UUID]:
    """Change what people decide about a row that the caller holds. The answer has the id of the entry in its history."""
    at = await tx.moment()
    if written != row.written:
        await store.write(tx, row.id, written, at)
    signals = await support_store.list_signals(tx, row.id)
    derived = await _derive(tx, row, written, signals)
    await store.set_derived(tx, row.id, derived)
    compared = await _compare(tx, row.id, derived, row.active and _text(row.written) == _text(written))
    lapsed = [str(flag) for flag in PROPOSING if flag in row.flags and flag not in derived.flags]
    entry = NewEntry(
        new_id(), row.id, why.change, row.state, derived.state, row.written, written, why.reason,
        (why.evidence or {}) | ({"flags": lapsed} if lapsed else {}) | {"origins": derived.origins} | compared, why.takes_back, at,
    )  # fmt: skip
    await history_store.insert(tx, entry)
    if (row.content, row.context) != (written.content, written.context):
        await store.set_words(tx, row.id, written)
        await set_marks(tx, COMPARE, ["workspace"])
    after = await _announce(tx, row, derived, why.change)
    if _text(row.written) != _text(written):
        await emit(tx, events.CHANGED.of(row.id, about(after)))
    return after, entry.id


def _text(written: WrittenKnowledge) -> tuple[object, ...]:
    return (
        written.type,
        written.content,
        written.context,
        written.agent_id,
        written.entity_type_id,
        written.pinned,
    )


async def begin(tx: Tx, row_id: UUID, why: Why) -> SharedContext:
    """What follows for a row that was just written."""
    row = await _locked(tx, row_id)
    signals = await support_store.list_signals(tx, row_id)
    derived = await _derive(tx, row, row.written, signals)
    await store.set_derived(tx, row_id, derived)
    compared = await _compare(tx, row_id, derived, False)
    entry = NewEntry(
        new_id(), row_id, why.change, None, derived.state, None, row.written, why.reason,
        (why.evidence or {}) | {"origins": derived.origins} | compared, None, row.created_at,
    )  # fmt: skip
    await history_store.insert(tx, entry)
    await store.set_words(tx, row_id, row.written)
    await set_marks(tx, COMPARE, ["workspace"])
    if derived.state in COUNTED:
        await store.advance_version(tx)
    made = await _locked(tx, row_id)
    await emit(tx, events.CREATED.of(row_id, about(made)))
    return made


async def refresh(tx: Tx, row_id: UUID, reason: str, evidence: dict[str, Any]) -> SharedContext | None:
    """Count the support of a row anew. An entry is written where that moves it."""
    row = await store.lock(tx, row_id)
    if row is None:
        return None
    signals = await support_store.list_signals(tx, row_id)
    derived = await _derive(tx, row, row.written, signals)
    if derived == _present(row):
        return row
    await store.set_derived(tx, row_id, derived)
    if derived.state is not row.state:
        evidence = evidence | {"origins": derived.origins, "origins_before": row.origins}
        evidence |= await _compare(tx, row_id, derived, False)
        entry = NewEntry(
            new_id(), row_id, Change.SUPPORT, row.state, derived.state, row.written, row.written, reason,
            evidence, None, await tx.moment(),
        )  # fmt: skip
        await history_store.insert(tx, entry)
    return await _announce(tx, row, derived, Change.SUPPORT)


async def remove(tx: Tx, row: SharedContext) -> None:
    """Delete a row that the caller holds, with its history. Prompts that held it keep their words."""
    await store.delete(tx, row.id)
    if row.state in COUNTED:
        await store.advance_version(tx)
    await emit(tx, events.REMOVED.of(row.id, events.KnowledgeRemoved(type=row.type)))


async def rerank(tx: Tx, row_id: UUID) -> None:
    """What was confirmed since gets its rank."""
    row = await store.lock(tx, row_id)
    if row is not None:
        signals = await support_store.list_signals(tx, row_id)
        await store.set_derived(tx, row_id, await _derive(tx, row, row.written, signals))
        if row.active:
            await store.advance_version(tx)


async def _compare(tx: Tx, row_id: UUID, derived: Derived, known: bool) -> dict[str, Any]:
    """What comes into prompts, or says something else there, is compared with what they have: of two that contradict each other
    a person hears, and the history has which. What was there with these words is `known`."""
    if derived.state is not KnowledgeState.ACTIVE or known:
        return {}
    conflicts = await likeness_service.find_conflicts(tx, row_id)
    await likeness_service.flag_older(tx, row_id, conflicts)
    return {"conflicts_with": [str(each.id) for each in conflicts]} if conflicts else {}


async def _derive(tx: Tx, row: SharedContext, written: WrittenKnowledge, signals: list[Signal]) -> Derived:
    origins = origins_of(signals)
    signals_held = [Held(signal.lost_at, signal.medoid, signal.holds) for signal in signals]
    if (erased_at := await store.find_erased_at(tx, row.id)) is not None:
        signals_held.append(Held(erased_at, True, ()))  # whose words the row had nobody can tell any more
    printed = PrintedRow(row.id, written.type, written.content, written.context)
    value = as_of(row.value, hash_of(printed)) if row.value else None
    rank = rank_of(
        written.type,
        origins=origins,
        confirmations=written.confirmations,
        last_confirmed_at=written.last_confirmed_at,
        value_z=value_z_of(value, await store.find_value_z(tx, row.id)) if value else None,
        pinned=written.pinned,
    )
    return Derived(
        state_of(written.decided, written.standing, carried_by(signals)),
        flags_of(written.decided, signals_held, written.read_at, holding(row.flags, value)),
        origins,
        rank,
        cost_of(printed),
    )


def _present(row: SharedContext) -> Derived:
    return Derived(row.state, row.flags, row.origins, row.rank, row.tokens)


async def _announce(tx: Tx, row: SharedContext, derived: Derived, change: Change) -> SharedContext:
    """Whoever looks is told, and prompts that hold it or will are made anew."""
    if row.state in COUNTED or derived.state in COUNTED:
        await store.advance_version(tx)
    if derived.state is not row.state:
        payload = events.KnowledgeMoved(
            type=row.type,
            change=change,
            state_before=row.state,
            state=derived.state,
            origins=derived.origins,
        )
        await emit(tx, events.MOVED.of(row.id, payload))
    return await _locked(tx, row.id)


async def _locked(tx: Tx, row_id: UUID) -> SharedContext:
    found = await store.lock(tx, row_id)
    assert found is not None, "whoever calls this holds the row"
    return found


def about(row: SharedContext) -> events.OfKnowledge:
    return events.OfKnowledge(
        type=row.type,
        state=row.state,
        agent_id=row.agent_id or msgspec.UNSET,
        entity_type_id=row.entity_type_id or msgspec.UNSET,
        group_id=row.group_id or msgspec.UNSET,
    )
