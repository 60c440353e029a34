"""Taking turns in, and reading their logs from the blob store."""

import asyncio
import logging
from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.conversations.ids import check_ids
from goldloop.conversations.model import TurnExists
from goldloop.conversations.permissions import CONVERSATIONS_CREATE
from goldloop.conversations.turns import events, store
from goldloop.conversations.turns.content import NewTurn, as_row, check_turns
from goldloop.conversations.turns.logs import Logs, first_beyond, log_key
from goldloop.kit.blobs import BlobStore, BlobStoreFailed
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, dispatch, leaves_work
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import PAGE_BYTES
from goldloop.kit.queue import set_marks

log = logging.getLogger("goldloop.conversations")

LOGS_AT_ONCE = 8
LOGS_SECONDS = 8.0  # for all logs of one answer


class Intake(msgspec.Struct, frozen=True, kw_only=True):
    """`existing` were there already, with the same content."""

    project: str
    conversation_id: str
    added: list[str]
    existing: list[str]


async def add(
    tx: Tx,
    project: str,
    conversation_id: str,
    turns: Sequence[NewTurn],
    *,
    gate: bool,
    alone: bool = False,
) -> Intake:
    """All of them or none. The same turn again changes nothing; another one under its id is refused. With `gate` what
    users say in them is read, also where it was there already: a message reacts once, however often it is read. `alone`
    is an intake that is all that its transaction does."""
    tx.actor.check(CONVERSATIONS_CREATE)
    at = now()
    check_ids([("/project", project), ("/conversation_id", conversation_id)])
    check_turns(turns, at)
    alone = alone and not gate and not await leaves_work(tx, _event(project, conversation_id, turns))
    added, clashing, event = await store.add(
        tx, project, conversation_id, [as_row(t) for t in turns], at, new_id(), alone=alone
    )
    if clashing:
        raise TurnExists(conflict={"turn_ids": clashing})
    if event:
        await dispatch(tx, event)
    if gate:
        await _mark_to_read(tx, [(project, conversation_id, turn) for turn in turns])
    known = set(added)
    existing = [turn.turn_id for turn in turns if turn.turn_id not in known]
    return Intake(project=project, conversation_id=conversation_id, added=added, existing=existing)


class PlacedTurn(NamedTuple):
    """A turn and the conversation that it goes into."""

    project: str
    conversation_id: str
    turn: NewTurn


async def add_each(tx: Tx, placed: Sequence[PlacedTurn]) -> list[bool]:
    """Turns of several conversations, to be read by the gate; each by itself: False for one that is there already with other
    content, which stays."""
    tx.actor.check(CONVERSATIONS_CREATE)
    if not placed:
        return []
    at = now()
    for each in placed:
        check_ids([("/project", each.project), ("/conversation_id", each.conversation_id)])
        check_turns([each.turn], at)
    rows = [
        store.NewTurnRow(each.project, each.conversation_id, as_row(each.turn), new_id()) for each in placed
    ]
    written = await store.add_each(tx, rows, at)
    for done in written:
        if done.event:
            await dispatch(tx, done.event)
    is_there = [not done.clashing for done in written]
    await _mark_to_read(tx, list(compress(placed, is_there)))
    return is_there


def _event(project: str, conversation_id: str, turns: Sequence[NewTurn]) -> Event:
    """What an intake will be told as, or more: turns that were there already are not told."""
    turn_ids = [turn.turn_id for turn in turns]
    added = events.TurnAdded(
        project=project, conversation_id=conversation_id, turn_id=turn_ids[-1], turn_ids=turn_ids
    )
    return events.TURN_ADDED.of(conversation_id, added)


async def _mark_to_read(tx: Tx, placed: Sequence[tuple[str, str, NewTurn]]) -> None:
    """What users say in turns is read by the gate."""
    to_read = [
        f"{project}/{conversation_id}/{turn.turn_id}"
        for project, conversation_id, turn in placed
        if turn.user is not None and turn.user.text.strip()
    ]
    await set_marks(tx, "conversations.gate", to_read)


async def read_log(
    blobs: BlobStore, tenant_id: UUID, project: str, conversation_id: str, turn_id: str
) -> msgspec.Raw | None:
    """As it was written, for it goes into an answer as it is. None where it is not in the store. Raises
    BlobStoreFailed, also for what is not a log."""
    content = await blobs.get(log_key(tenant_id, project, conversation_id, turn_id))
    if content is None:
        return None
    try:
        msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        return msgspec.Raw(content)
    except msgspec.MsgspecError as error:
        raise BlobStoreFailed(
            f"What the blob store has of the log of {turn_id} is not one: {error}"
        ) from error


async def read_logs(
    blobs: BlobStore, tenant_id: UUID, project: str, conversation_id: str, turn_ids: Sequence[str]
) -> Logs:
    """Those that could be read in time, a few at once and in their order, until a page is full."""
    found: dict[str, msgspec.Raw | None] = {}

    async def read(turn_id: str) -> None:
        try:
            found[turn_id] = await read_log(blobs, tenant_id, project, conversation_id, turn_id)
        except BlobStoreFailed as error:
            log.warning("a turn's log is left out of an answer: %s", error)

    try:
        async with asyncio.timeout(LOGS_SECONDS):
            for start in range(0, len(turn_ids), LOGS_AT_ONCE):
                batch = turn_ids[start : start + LOGS_AT_ONCE]
                async with asyncio.TaskGroup() as group:
                    for turn_id in batch:
                        group.create_task(read(turn_id))
                if (full := first_beyond(found, turn_ids[: start + LOGS_AT_ONCE], PAGE_BYTES)) is not None:
                    return Logs(found, full)
    except TimeoutError:
        log.warning(
            "turn logs are left out of an answer: the blob store takes longer than %s seconds", LOGS_SECONDS
        )
    return Logs(found, None)
