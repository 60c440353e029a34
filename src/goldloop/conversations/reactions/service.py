"""Use cases of reactions: reacting to a turn, tokens for browsers, what the gate read, and settling what it left open."""

from datetime import datetime, timedelta
from uuid import UUID

from goldloop.conversations.gate.model import Detection
from goldloop.conversations.ids import check_ids
from goldloop.conversations.model import (
    COMMENT_CHARACTERS,
    Reaction,
    ReactionNotFound,
    ReactionNotSettled,
    ReactionRow,
    ReactionSettled,
    TooManyReactions,
    TurnNotFound,
)
from goldloop.conversations.permissions import (
    CONVERSATIONS_CREATE,
    CONVERSATIONS_READ,
    REACTIONS_CREATE,
    REACTIONS_SETTLE,
)
from goldloop.conversations.reactions import store
from goldloop.conversations.reactions.model import (
    MessageContext,
    ReactionResult,
    ReactionToken,
    Reactor,
    TurnPlace,
    UnsettledReaction,
)
from goldloop.conversations.reactions.payloads import (
    gate_reasons,
    plain,
    printable,
    reaction_payload,
    reopened,
    resource_name,
    settled,
)
from goldloop.conversations.reactions.targeting import WINDOW, Candidate, Target
from goldloop.conversations.reactions.tokens import REACTION_TOKEN, Grant
from goldloop.conversations.reactions.unsettled import candidates_of, with_candidates
from goldloop.conversations.times import check_moment
from goldloop.conversations.turns import store as turns
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import InvalidInput, Unauthenticated
from goldloop.kit.events import dispatch
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.kit.times import in_utc

MOST_CANDIDATES = 200  # the newest turns of a conversation, and of a user's others


async def react(
    tx: Tx, place: TurnPlace, who: Reactor, reaction: Reaction | None, text: str | None, ts: datetime | None
) -> ReactionResult:
    """One active reaction for each end user or member and turn: a new one replaces it, None clears it."""
    tx.actor.check(REACTIONS_CREATE)
    at, reaction_id = now(), new_id()
    check_ids([("/user_id", who.id)])
    check_moment("/ts", ts, at)
    said_at = in_utc(ts) if ts else at
    payload = None
    if reaction is not None:
        payload = reaction_payload(
            rn=resource_name(tx.actor.tenant_id, *place, reaction_id, at),
            conversation_id=place.conversation_id,
            turn_id=place.turn_id,
            reaction=reaction,
            text=text,
            ts=said_at,
        )
    done = await store.react(
        tx,
        project=place.project,
        conversation_id=place.conversation_id,
        turn_id=place.turn_id,
        end_user=who.id,
        by_member=who.is_member,
        reaction_id=reaction_id,
        event_id=new_id(),
        reaction=reaction,
        comment=text,
        ts=said_at,
        ts_said=ts is not None,
        text=printable(payload.reaction) if payload else None,
        payload=payload,
        most=who.most,
    )
    if done.outcome == "absent":
        raise TurnNotFound
    if done.outcome == "too_many":
        raise TooManyReactions
    for event in done.events:
        await dispatch(tx, event)
    return ReactionResult(
        outcome=done.outcome,
        artifact=done.payload,
        plain=plain(done.payload) if done.payload else None,
        replaced_rn=done.replaced,
    )


async def issue_token(
    tx: Tx, tenant: str, place: TurnPlace, user_id: str | None, seconds: int, secret: bytes
) -> ReactionToken:
    """A token for one turn and one end user: who is asked for, else the turn's or the conversation's user."""
    tx.actor.check(CONVERSATIONS_CREATE)
    check_ids([("/user_id", user_id)])
    owner = await turns.find_turn_user(tx, *place)
    if owner is None:
        raise TurnNotFound
    end_user = user_id if user_id is not None else owner
    expires = (now() + timedelta(seconds=seconds)).replace(microsecond=0)
    grant = Grant(
        tenant_id=tx.actor.tenant_id,
        tenant=tenant,
        project=place.project,
        conversation_id=place.conversation_id,
        turn_id=place.turn_id,
        end_user=end_user,
        expires=int(expires.timestamp()),
        issuer_kind=tx.actor.kind,
        issuer_id=tx.actor.id,
    )
    return ReactionToken(
        token=REACTION_TOKEN.sign(grant, secret), expires_at=expires, user_id=end_user or None
    )


def check_grant(grant: Grant | None, tenant: str, place: TurnPlace) -> Grant:
    if grant is None:
        raise Unauthenticated("This feedback token is not valid, or has expired")
    if not grant.is_for(tenant, *place):
        raise Unauthenticated("This feedback token is for another turn")
    return grant


async def find_message(tx: Tx, project: str, conversation_id: str, turn_id: str) -> MessageContext | None:
    """None where there is nothing to read."""
    row = await store.find_message(tx, project, conversation_id, turn_id)
    return (
        MessageContext(project, conversation_id, turn_id, **row) if row and row["message"].strip() else None
    )


async def find_candidates(
    tx: Tx, context: MessageContext, model: str, vector: list[float]
) -> list[Candidate]:
    """Answered turns before the message: of its conversation, and of its author's others."""
    rows = await store.similarities(tx, context, context.ts - WINDOW, model, vector, MOST_CANDIDATES)
    return [
        Candidate(
            turn_id=row["turn_id"],
            conversation_id=row["conversation_id"],
            similarity=row["similarity"],
            ts=row["ts"],
            order=row["seq"],
            text=row["said"],
        )
        for row in rows
    ]


async def add_machine_reaction(tx: Tx, context: MessageContext, found: Detection, target: Target) -> bool:
    """One reaction for a message, however often it is read. False where nothing is written."""
    if not found.fires or found.reaction is None or target.decision is None:
        return False
    reaction_id, at = new_id(), now()
    conversation_id = target.conversation_id or context.conversation_id
    payload = reaction_payload(
        rn=resource_name(
            tx.actor.tenant_id, context.project, conversation_id, target.turn_id, reaction_id, at
        ),
        conversation_id=conversation_id,
        turn_id=target.turn_id,
        reaction=found.reaction,
        text=context.message[:COMMENT_CHARACTERS],
        ts=context.ts,
        origin="machine",
        confidence=found.confidence,
        gate=gate_reasons(context, found, target),
    )
    events = await store.add_machine(
        tx, context, conversation_id, reaction_id, payload, printable(payload.reaction)
    )
    for event in events:
        await dispatch(tx, event)
    return bool(events)


async def list_unsettled(
    tx: Tx, project: str | None, cursor: str | None, limit: int
) -> Page[UnsettledReaction]:
    tx.actor.check(CONVERSATIONS_READ)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_unsettled(tx, project, before, limit + 1)
    shown = page(rows, limit, lambda row: (row[2].ts, row[2].id))
    excerpts = await turns.turns_at(
        tx,
        [
            (place, scored["conversation_id"], scored["turn_id"])
            for place, _, row in shown.data
            for scored in candidates_of(row)
        ],
    )
    return Page(
        data=[with_candidates(place, where, row, excerpts) for place, where, row in shown.data],
        next_cursor=shown.next_cursor,
    )


async def count_unsettled(tx: Tx, project: str | None) -> int:
    tx.actor.check(CONVERSATIONS_READ)
    return await store.count_unsettled(tx, project)


async def settle(tx: Tx, reaction_id: UUID, conversation_id: str | None, turn_id: str | None) -> ReactionRow:
    """The turn that was meant, or None: no turn was. Said twice it is the same; said otherwise it is refused."""
    tx.actor.check(REACTIONS_SETTLE)
    found = await store.find(tx, reaction_id)
    if found is None or found[2].payload.reaction.origin != "machine":
        raise ReactionNotFound
    project, here, before = found
    where = (conversation_id if turn_id is not None else None) or before.source_conversation_id or here
    payload = settled(
        before.payload,
        rn=resource_name(tx.actor.tenant_id, project, where, turn_id, reaction_id, now()),
        conversation_id=where,
        turn_id=turn_id,
        settled_by=f"{tx.actor.kind}:{tx.actor.id or ''}",
    )
    outcome, events = await store.settle(
        tx, reaction_id, where, turn_id, payload, printable(payload.reaction)
    )
    _check_settled(outcome)
    for event in events:
        await dispatch(tx, event)
    after = await store.find(tx, reaction_id)
    if after is None:
        raise ReactionNotFound
    _, meant, now_settled = after
    if outcome == "already" and (now_settled.turn_id != turn_id or (turn_id is not None and meant != where)):
        raise ReactionSettled(conflict={"id": str(reaction_id), "turn_id": now_settled.turn_id})
    return now_settled


async def unsettle(tx: Tx, reaction_id: UUID, rn: str) -> ReactionRow:
    """Takes back what a person said, if it is still what they said (`rn`): it waits again, as before. Said twice it is the
    same; what was settled otherwise meanwhile stays."""
    tx.actor.check(REACTIONS_SETTLE)
    found = await store.find(tx, reaction_id)
    if found is None or found[2].payload.reaction.origin != "machine":
        raise ReactionNotFound
    project, here, before = found
    where = before.source_conversation_id or here
    payload = reopened(
        before.payload,
        rn=resource_name(tx.actor.tenant_id, project, where, None, reaction_id, now()),
        conversation_id=where,
    )
    outcome, events = await store.unsettle(tx, reaction_id, rn, payload, printable(payload.reaction))
    for event in events:
        await dispatch(tx, event)
    after = await store.find(tx, reaction_id)
    if after is None or outcome == "absent":
        raise ReactionNotFound
    _, meant, row = after
    if outcome == "never":
        raise ReactionNotSettled
    if outcome == "otherwise":
        raise ReactionSettled(
            "It was settled otherwise meanwhile",
            conflict={
                "id": str(reaction_id),
                "rn": row.payload.meta.rn,
                "conversation_id": meant,
                "turn_id": row.turn_id,
            },
        )
    return row


def _check_settled(outcome: str) -> None:
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
