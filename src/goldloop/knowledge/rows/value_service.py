"""Use cases of what rows are worth: keep what was measured, propose what follows from it, say when it holds no more.

Nothing is activated or retired here: a flag proposes it, and a person decides.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from uuid import UUID

import msgspec

from goldloop.evals.stats.row_evidence import RowLabel, RowProposal
from goldloop.kit.db import Tx
from goldloop.kit.events import emit, notify
from goldloop.kit.pagination import FIRST_ID, LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.queue import set_marks
from goldloop.knowledge.model import Flag, KnowledgeState, MeasuredValue, SharedContext, Staleness
from goldloop.knowledge.printing import PrintedRow, hash_of
from goldloop.knowledge.rows import events, service, store, value_store
from goldloop.knowledge.rows.derived_service import RANKS
from goldloop.knowledge.valuing import PROPOSING, as_of, with_reasons

AT_ONCE = 200  # rows that are looked at together
_NOT_IN_PROMPTS = (KnowledgeState.PROPOSED, KnowledgeState.SHADOW)
_STANDING = (KnowledgeState.ACTIVE, *_NOT_IN_PROMPTS)


def flag_for(proposal: RowProposal | None, state: KnowledgeState) -> Flag | None:
    """What a person is asked: to approve what helps and is in no prompt, to retire or reject what harms."""
    if proposal is RowProposal.ACTIVATE and state in _NOT_IN_PROMPTS:
        return Flag.HELPS
    if proposal is RowProposal.RETIRE and state in _STANDING:
        return Flag.HARMS
    return None


async def keep(
    tx: Tx, row_id: UUID, value: MeasuredValue, value_z: float | None, proposal: RowProposal | None
) -> SharedContext | None:
    """What an experiment found about a row, for use cases that have asked who may; None where the row is gone."""
    row = await store.lock(tx, row_id)
    if row is None:
        return None
    await value_store.insert(tx, row_id, value)
    if value.label is RowLabel.UNMEASURED and row.value is not None:
        return row  # what could not be measured this time stays what it was
    await value_store.set_value(tx, row_id, value, value_z)
    await set_marks(tx, RANKS, ["workspace"])
    about = events.KnowledgeMeasured(
        type=row.type, label=value.label, experiment_id=value.experiment_id, confirmed=value.confirmed
    )
    await emit(tx, events.MEASURED.of(row_id, about))
    wanted = flag_for(proposal, row.state) if value.row_hash == _hash(row) else None
    for flag in PROPOSING:
        if flag in row.flags and flag is not wanted:
            await store.drop_flag(tx, row_id, flag)
    return await service.flag(tx, row, wanted) if wanted else await service.access_any(tx, row_id)


def _hash(row: SharedContext) -> str:
    return hash_of(PrintedRow(row.id, row.type, row.content, row.context))


async def list_agents(tx: Tx) -> list[UUID]:
    """Those that values were measured with."""
    return await value_store.list_agents(tx)


async def recheck(
    tx: Tx, after: UUID, reasons: Callable[[MeasuredValue], Collection[Staleness]]
) -> UUID | None:
    """Grey what holds no more, and what does again is as it was. `reasons` says why a value is of something else. Where to go
    on; None where all were looked at."""
    found = await value_store.list_measured(tx, after, AT_ONCE)
    changed = [
        (each.row_id, value)
        for each in found
        if (value := with_reasons(each.value, reasons(each.value))) is not each.value
    ]
    for row_id, value in changed:
        await store.lock(tx, row_id)
        await value_store.set_reasons(tx, row_id, value)
        await notify(tx, events.KNOWLEDGE, str(row_id))
    if changed:
        await set_marks(tx, RANKS, ["workspace"])
    return found[-1].row_id if len(found) == AT_ONCE else None


async def list_values(tx: Tx, row_id: UUID, cursor: str | None, limit: int) -> Page[MeasuredValue]:
    """What a row was measured to change each time, the newest first."""
    row = await service.access(tx, row_id)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await value_store.list_newest_first(tx, row_id, before, limit + 1)
    found = page(rows, limit, lambda value: (value.measured_at, value.experiment_id))
    return msgspec.structs.replace(found, data=[as_of(value, _hash(row)) for value in found.data])


FIRST = FIRST_ID  # where a recheck begins
