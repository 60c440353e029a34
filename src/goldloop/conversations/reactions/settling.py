"""Machine reactions that could mean several turns: the queue of them, and a person's answer."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.model import (
    Reaction,
    ReactionNotFound,
    ReactionRow,
    ReactionSettled,
    TurnNotFound,
)
from goldloop.conversations.reactions import store
from goldloop.conversations.reactions.artifacts import printable, resource_name
from goldloop.conversations.turns import store as turns
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput
from goldloop.kit.events import dispatch
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.tenants import roles


class CandidateTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that may be meant, with what was said in it and how it scored."""

    conversation_id: str
    turn_id: str
    similarity: float
    recency: float
    score: float
    ts: datetime | None
    user: str | None
    assistant: str | None


class UnsettledReaction(msgspec.Struct, frozen=True, kw_only=True):
    """`turn_id` is that of the message that it was read from."""

    id: UUID
    project: str
    conversation_id: str
    turn_id: str | None
    message: str | None
    ts: datetime
    user_id: str | None
    reaction: Reaction
    confidence: float
    evidence: str
    detector: str
    candidates: list[CandidateTurn]


async def list_unsettled(
    tx: Tx, project: str | None, cursor: str | None, limit: int
) -> Page[UnsettledReaction]:
    tx.actor.check(roles.CONVERSATIONS_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_unsettled(tx, project, before, limit + 1)
    shown = page(rows, limit, lambda row: (row[2].ts, row[2].id))
    said = await turns.turns_at(
        tx,
        [
            (place, scored["conversation_id"], scored["turn_id"])
            for place, _, row in shown.data
            for scored in _scored(row)
        ],
    )
    return Page(
        data=[_with_texts(place, where, row, said) for place, where, row in shown.data],
        next_cursor=shown.next_cursor,
    )


async def count_unsettled(tx: Tx, project: str | None) -> int:
    tx.actor.check(roles.CONVERSATIONS_READ)
    return await store.count_unsettled(tx, project)


async def settle(tx: Tx, reaction_id: UUID, conversation_id: str | None, turn_id: str | None) -> ReactionRow:
    """The turn that was meant, or None: no turn was. Said twice it is the same; said otherwise it is refused."""
    tx.actor.check(roles.REACTIONS_SETTLE)
    found = await store.find(tx, reaction_id)
    if found is None or found[2].payload.reaction.origin != "machine":
        raise ReactionNotFound
    project, here, before = found
    where = (conversation_id if turn_id is not None else None) or before.source_conversation_id or here
    said, meta = before.payload.reaction, before.payload.meta
    gate = {**(before.payload.gate or {}), "settled_by": f"{tx.actor.kind}:{tx.actor.id or ''}"}
    payload = msgspec.structs.replace(
        before.payload,
        reaction=msgspec.structs.replace(said, turn_id=turn_id),
        meta=msgspec.structs.replace(
            meta,
            turn_id=turn_id,
            rn=resource_name(tx.actor.tenant_id, project, where, turn_id, reaction_id, now()),
        ),
        conversation_id=where,
        gate=gate,
    )
    outcome, event = await store.settle(tx, reaction_id, where, turn_id, payload, printable(payload.reaction))
    if outcome == "no_turn":
        raise TurnNotFound
    if outcome == "own_turn":
        raise InvalidInput.at(
            "/turn_id", "own_turn", "This is the turn of the message itself; it means an earlier one"
        )
    if outcome == "not_theirs":
        raise InvalidInput.at(
            "/turn_id", "not_theirs", "It means a turn of its own conversation, or one of the same end user's"
        )
    if event:
        await dispatch(tx, event)
    after = await store.find(tx, reaction_id)
    if after is None:
        raise ReactionNotFound
    _, meant, now_settled = after
    if outcome == "already" and (now_settled.turn_id != turn_id or (turn_id is not None and meant != where)):
        raise ReactionSettled(conflict={"id": str(reaction_id), "turn_id": now_settled.turn_id})
    return now_settled


def _scored(row: ReactionRow) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (row.payload.gate or {}).get("candidates", [])
    return found


def _with_texts(
    project: str, here: str, row: ReactionRow, said: Mapping[tuple[str, str, str], turns.SaidInTurn]
) -> UnsettledReaction:
    gate: dict[str, Any] = row.payload.gate or {}
    return UnsettledReaction(
        id=row.id,
        project=project,
        conversation_id=row.source_conversation_id or here,
        turn_id=row.source_turn_id,
        message=row.payload.reaction.text,
        ts=row.ts,
        user_id=row.user_id,
        reaction=row.payload.reaction.reaction,
        confidence=row.payload.reaction.confidence,
        evidence=gate.get("evidence") or "",
        detector=gate.get("detector") or "",
        candidates=[
            _candidate(c, said.get((project, c["conversation_id"], c["turn_id"]))) for c in _scored(row)
        ],
    )


def _candidate(scored: dict[str, Any], turn: turns.SaidInTurn | None) -> CandidateTurn:
    return CandidateTurn(
        conversation_id=scored["conversation_id"],
        turn_id=scored["turn_id"],
        similarity=scored["similarity"],
        recency=scored["recency"],
        score=scored["score"],
        ts=turn.ts if turn else None,
        user=turn.user if turn else None,
        assistant=turn.assistant if turn else None,
    )
