"""Conversations: sending turns and reactions, reading reports, settling what is unclear.

`@tenant` in an address is the key's workspace; the client asks for its slug once.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from goldloop.client.calls import Call, Kind, Page, Resource, listing, operation
from goldloop.client.conversation_types import (
    Conversation,
    ConversationsInPeriod,
    Intake,
    ReactionResult,
    ReactionRow,
    ReactionToken,
    SatisfactionReport,
    Transcript,
    TurnLog,
    TurnsWithReactions,
    UnsettledReaction,
)
from goldloop.client.ids import Id
from goldloop.client.workspace import given

CONVERSATION = "/conversations/@tenant/{project}/{conversation_id}"


class _NameList(msgspec.Struct, frozen=True):
    data: list[str]


class _Count(msgspec.Struct, frozen=True):
    count: int


def turn_body(
    turn_id: str,
    user: str | None = None,
    assistant: str | None = None,
    *,
    user_id: str | None = None,
    agent: str | None = None,
    session_id: str | None = None,
    ts: datetime | None = None,
    bundle_id: str | None = None,
    track_id: str | None = None,
    turn_log: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A turn as the API takes it."""
    optional = {
        "user": {"text": user} if user is not None else None,
        "assistant": {"text": assistant} if assistant is not None else None,
        "user_id": user_id,
        "agent": agent,
        "session_id": session_id,
        "ts": ts,
        "bundle_id": bundle_id,
        "track_id": track_id,
        "turn_log": turn_log,
    }
    return {"turn_id": turn_id} | given(optional)


class ConversationMethods(Resource[Kind]):
    @operation("POST", f"{CONVERSATION}/turns", safe=True)
    def add_turns(
        self,
        project: str,
        conversation_id: str,
        turns: Sequence[Mapping[str, Any]] | Mapping[str, Any],
        *,
        gate: bool | None = None,
    ) -> Call[Intake]:
        """One turn or a list of them (`turn_body` makes them). Sent again, they change nothing."""
        query = {"gate": None if gate is None else str(gate).lower()}
        body = dict(turns) if isinstance(turns, Mapping) else [dict(turn) for turn in turns]
        return Call(Intake, (project, conversation_id), query=query, body=body)

    @operation("POST", f"{CONVERSATION}/turns/{{turn_id}}/feedback", safe=True)
    def react(
        self,
        project: str,
        conversation_id: str,
        turn_id: str,
        reaction: str | None,
        *,
        text: str | None = None,
        ts: datetime | None = None,
        user_id: str | None = None,
    ) -> Call[ReactionResult]:
        """`ok`, `not_ok` or `neutral`; None clears."""
        body = {"reaction": reaction} | given({"text": text, "ts": ts, "user_id": user_id})
        return Call(ReactionResult, (project, conversation_id, turn_id), body=body)

    @operation("POST", f"{CONVERSATION}/turns/{{turn_id}}/feedback-token", safe=True)
    def feedback_token(
        self,
        project: str,
        conversation_id: str,
        turn_id: str,
        *,
        user_id: str | None = None,
        expires_in: int | None = None,
    ) -> Call[ReactionToken]:
        """For a browser that has no key: it may react to this one turn."""
        body = given({"user_id": user_id, "expires_in": expires_in})
        return Call(ReactionToken, (project, conversation_id, turn_id), body=body)

    @operation("POST", f"{CONVERSATION}/turns-with-feedbacks", safe=True)
    def turns_with_feedbacks(
        self,
        project: str,
        conversation_id: str,
        *,
        turn_ids: Sequence[str] | None = None,
        days: int | None = None,
        include_logs: bool | None = None,
        user_type: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Call[TurnsWithReactions]:
        """One page; pass its `next_cursor` for the next. `user_type`: only reactions of a `member`, or of an `end_user`."""
        body = given(
            {
                "turn_ids": turn_ids,
                "days": days,
                "include_logs": include_logs,
                "user_type": user_type,
                "limit": limit,
                "cursor": cursor,
            }
        )
        return Call(TurnsWithReactions, (project, conversation_id), body=body)

    @operation("POST", "/conversations/@tenant/{project}/feedback/conversations-in-period", safe=True)
    def in_period(
        self,
        project: str,
        start: datetime,
        end: datetime,
        *,
        include_turns: bool | None = None,
        user_type: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Call[ConversationsInPeriod]:
        """One page; pass its `next_cursor` for the next. `user_type`: only reactions of a `member`, or of an `end_user`."""
        optional = {
            "include_turns": include_turns,
            "user_type": user_type,
            "limit": limit,
            "cursor": cursor,
        }
        return Call(ConversationsInPeriod, (project,), body={"start": start, "end": end} | given(optional))

    @listing("/api/conversations")
    def list(
        self,
        *,
        q: str | None = None,
        project: str | None = None,
        agent: str | None = None,
        user_id: str | None = None,
        reaction: str | None = None,
        origin: str | None = None,
        user_type: str | None = None,
        reacted_start: datetime | None = None,
        reacted_end: datetime | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
    ) -> Call[Page[Conversation]]:
        """Those with the newest turns first. `start` and `end` are about the last turn; `reacted_start` and `reacted_end`
        about a reaction, as `reaction`, `origin` and `user_type` (`member` or `end_user`) are."""
        query = {
            "q": q, "project": project, "agent": agent, "user_id": user_id, "reaction": reaction,
            "origin": origin, "user_type": user_type, "reacted_start": _text(reacted_start),
            "reacted_end": _text(reacted_end), "start": _text(start), "end": _text(end),
        }  # fmt: skip
        return Call(Page[Conversation], query=query)

    @operation("GET", "/api/conversations/projects")
    def projects(self) -> "Call[_Names]":
        return Call(_NameList, read=lambda answer: answer.data)

    @operation("GET", "/api/conversation-agents")
    def agents(self) -> "Call[_Names]":
        """Of the newest conversations, by name."""
        return Call(_NameList, read=lambda answer: answer.data)

    @operation("GET", "/api/conversations/{project}/{conversation_id}")
    def show(
        self,
        project: str,
        conversation_id: str,
        *,
        turn_id: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Call[Transcript]:
        """Oldest turn first; one page of them: the first, that after `cursor` or up to `before` (cursors of another
        page), or that with `turn_id`."""
        query = {"turn_id": turn_id, "before": before, "limit": limit, "cursor": cursor}
        return Call(Transcript, (project, conversation_id), query=query)

    @operation("GET", "/api/conversations/{project}/{conversation_id}/turns/{turn_id}/log")
    def turn_log(self, project: str, conversation_id: str, turn_id: str) -> Call[TurnLog]:
        return Call(TurnLog, (project, conversation_id, turn_id))

    @operation("GET", "/api/conversations/satisfaction")
    def satisfaction(
        self,
        *,
        bucket: str | None = None,
        by: str | None = None,
        project: str | None = None,
        agent: str | None = None,
        origin: str | None = None,
        user_type: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
    ) -> Call[SatisfactionReport]:
        """`bucket` is day, week or month; `by` is project, agent or origin; `user_type` is end_user (unless told), member
        or all."""
        query = {
            "bucket": bucket, "by": by, "project": project, "agent": agent, "origin": origin,
            "user_type": user_type, "start": _text(start), "end": _text(end),
        }  # fmt: skip
        return Call(SatisfactionReport, query=query)

    @listing("/api/reactions/unsettled")
    def unsettled(self, *, project: str | None = None) -> Call[Page[UnsettledReaction]]:
        """Machine reactions of which a person has to say which turn they mean."""
        return Call(Page[UnsettledReaction], query={"project": project})

    @operation("GET", "/api/reactions/unsettled/count")
    def count_unsettled(self, *, project: str | None = None) -> Call[int]:
        """How many of them there are; 1000 is that many or more."""
        return Call(_Count, query={"project": project}, read=lambda answer: answer.count)

    @operation("POST", "/api/reactions/{reaction_id}/settle", safe=True)
    def settle(
        self, reaction_id: Id, turn_id: str | None, *, conversation_id: str | None = None
    ) -> Call[ReactionRow]:
        """The turn that was meant; None: none was."""
        body = {"turn_id": turn_id} | given({"conversation_id": conversation_id})
        return Call(ReactionRow, (reaction_id,), body=body)

    @operation("POST", "/api/reactions/{reaction_id}/settle/undo", safe=True)
    def undo_settling(self, reaction_id: Id, rn: str) -> Call[ReactionRow]:
        """Takes back what `settle` said; `rn` is `payload.meta.rn` of its answer, so that what somebody else said since
        stays."""
        return Call(ReactionRow, (reaction_id,), body={"rn": rn})


_Names = list[str]  # `list` is the name of a method above


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
