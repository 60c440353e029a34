"""Use case: feedback with what it is about, as far as the reader may see that."""

from typing import Any
from uuid import UUID

import msgspec

from goldloop.conversations.permissions import CONVERSATIONS_READ
from goldloop.conversations.turns import store as turns
from goldloop.entities.permissions import ENTITIES_READ
from goldloop.entities.records import store as records
from goldloop.feedback.entries import service
from goldloop.feedback.model import Feedback
from goldloop.kit.db import Tx
from goldloop.responses import store as responses
from goldloop.responses.permissions import RESPONSES_READ
from goldloop.sessions import store as sessions
from goldloop.sessions.permissions import SESSIONS_READ


class TurnAbout(msgspec.Struct, frozen=True, kw_only=True):
    """The beginnings of what was asked and answered."""

    project: str
    conversation_id: str
    turn_id: str
    user: str | None
    assistant: str | None


class RecordAbout(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    type: str
    title: str


class ResponseAbout(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    status: str
    values: dict[str, Any]
    review_notes: str | None


class SessionAbout(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    status: str
    agent: str | None
    first_message: str
    error_code: str | None
    error_message: str | None


class FeedbackAbout(msgspec.Struct, frozen=True, kw_only=True):
    """Null where it is about no such thing, where that is gone, or where the reader may not see it."""

    turn: TurnAbout | None
    record: RecordAbout | None
    response: ResponseAbout | None
    session: SessionAbout | None


class FeedbackDetail(Feedback, frozen=True, kw_only=True):
    about: FeedbackAbout


async def show(tx: Tx, feedback_id: UUID) -> FeedbackDetail:
    feedback = await service.access(tx, feedback_id)
    about = FeedbackAbout(
        turn=await _turn(tx, feedback),
        record=await _record(tx, feedback),
        response=await _response(tx, feedback),
        session=await _session(tx, feedback),
    )
    return FeedbackDetail(**msgspec.structs.asdict(feedback), about=about)


async def _turn(tx: Tx, feedback: Feedback) -> TurnAbout | None:
    named = [feedback.context.get(name) for name in ("project", "conversation_id", "turn_id")]
    if not tx.actor.may(CONVERSATIONS_READ) or not all(isinstance(name, str) for name in named):
        return None
    place = (str(named[0]), str(named[1]), str(named[2]))
    found = (await turns.turns_at(tx, [place])).get(place)
    if found is None:
        return None
    return TurnAbout(
        project=place[0],
        conversation_id=place[1],
        turn_id=place[2],
        user=found.user,
        assistant=found.assistant,
    )


async def _record(tx: Tx, feedback: Feedback) -> RecordAbout | None:
    if feedback.entity_id is None or not tx.actor.may(ENTITIES_READ):
        return None
    found = await records.find(tx, feedback.entity_id)
    return RecordAbout(id=found.id, type=found.type, title=found.title) if found else None


async def _response(tx: Tx, feedback: Feedback) -> ResponseAbout | None:
    named = feedback.context.get("response_id")
    if feedback.entity_id is None or not isinstance(named, str) or not tx.actor.may(RESPONSES_READ):
        return None
    try:
        found = await responses.find(tx, feedback.entity_id, UUID(named))
    except ValueError:
        return None
    if found is None:
        return None
    return ResponseAbout(
        id=found.id, status=found.status, values=found.values, review_notes=found.review_notes
    )


async def _session(tx: Tx, feedback: Feedback) -> SessionAbout | None:
    if feedback.session_id is None or not tx.actor.may(SESSIONS_READ):
        return None
    found = await sessions.find(tx, feedback.session_id)
    if found is None:
        return None
    return SessionAbout(
        id=found.id,
        status=found.status,
        agent=found.agent,
        first_message=found.first_message,
        error_code=found.error.code if found.error else None,
        error_message=found.error.message if found.error else None,
    )
