"""Reacting to a turn, and the token with which a browser may."""

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec

from goldloop.conversations.ids import check_ids
from goldloop.conversations.model import Artifact, Reaction, TooManyReactions, TurnNotFound
from goldloop.conversations.reactions import store
from goldloop.conversations.reactions.artifacts import artifact, printable, resource_name
from goldloop.conversations.reactions.tokens import Grant, sign
from goldloop.conversations.times import check_moment, in_utc
from goldloop.conversations.turns import store as turns
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.errors import Unauthenticated
from goldloop.kit.events import dispatch
from goldloop.kit.ids import new_id
from goldloop.tenants import roles


class TurnPlace(NamedTuple):
    project: str
    conversation_id: str
    turn_id: str


class Reactor(NamedTuple):
    """Who reacts: an end user, or a member of the workspace, whose ids are not told apart by themselves. `id` is None
    for the user of the conversation; `most` is how often at most to one turn."""

    id: str | None
    is_member: bool = False
    most: int | None = None


class FeedbackTaken(msgspec.Struct, frozen=True, kw_only=True):
    """`outcome` is added, replaced, cleared or unchanged; `artifact` is the reaction that is active now, None without
    one; `replaced_rn` the one that it took the place of, or that was cleared."""

    outcome: str
    artifact: Artifact | None
    replaced_rn: str | None


class FeedbackToken(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    expires_at: datetime
    user_id: str | None


async def react(
    tx: Tx, place: TurnPlace, who: Reactor, reaction: Reaction | None, text: str | None, ts: datetime | None
) -> FeedbackTaken:
    """One active reaction for each end user or member and turn: a new one replaces it, None clears it."""
    tx.actor.check(roles.REACTIONS_CREATE)
    at, reaction_id = now(), new_id()
    check_ids([("/user_id", who.id)])
    check_moment("/ts", ts, at)
    said_at = in_utc(ts) if ts else at
    payload = None
    if reaction is not None:
        payload = artifact(
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
    if done.event:
        await dispatch(tx, done.event)
    return FeedbackTaken(outcome=done.outcome, artifact=done.artifact, replaced_rn=done.replaced)


async def issue_token(
    tx: Tx, tenant: str, place: TurnPlace, user_id: str | None, seconds: int, secret: bytes
) -> FeedbackToken:
    """A token for one turn and one end user: who is asked for, else the turn's or the conversation's user."""
    tx.actor.check(roles.CONVERSATIONS_CREATE)
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
    return FeedbackToken(token=sign(grant, secret), expires_at=expires, user_id=end_user or None)


def check_grant(grant: Grant | None, tenant: str, place: TurnPlace) -> Grant:
    if grant is None:
        raise Unauthenticated("This feedback token is not valid, or has expired")
    if not grant.is_for(tenant, *place):
        raise Unauthenticated("This feedback token is for another turn")
    return grant
