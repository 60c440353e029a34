"""Events of sessions."""

from uuid import UUID

import msgspec

from goldloop.kit.events import Event, EventType, Payload, declare, topic
from goldloop.sessions.model import Session, SessionSource, SessionType
from goldloop.sessions.permissions import SESSIONS_READ

SESSIONS = topic("sessions", read_by=SESSIONS_READ)


class OfSession(Payload, frozen=True, kw_only=True):
    type: SessionType
    source: SessionSource
    purpose: str
    agent_id: UUID | msgspec.UnsetType = msgspec.UNSET
    entity_id: UUID | msgspec.UnsetType = msgspec.UNSET
    task_id: UUID | msgspec.UnsetType = msgspec.UNSET
    parent_session_id: UUID | msgspec.UnsetType = msgspec.UNSET
    manifest: str | msgspec.UnsetType = msgspec.UNSET


class SessionFailed(OfSession, frozen=True, kw_only=True):
    code: str
    message: str


CREATED = declare(
    "session.created",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session was queued here, or the recording of one began",
)
WAITING = declare(
    "session.waiting",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session asked a person, and goes on with the answer",
)
ANSWERED = declare(
    "session.answered",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A person answered a session that waited",
)
STALLED = declare(
    "session.stalled",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session that runs elsewhere was not heard of for a while",
)
REOPENED = declare(
    "session.reopened",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session that was over goes on, for more of it came",
)
MERGED = declare(
    "session.merged",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session turned out to be part of another, which has its events now",
)
DISMISSED = declare(
    "session.dismissed",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="Somebody has looked at a session that failed or stalled",
)
COMPLETED = declare(
    "session.completed",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="A session reached its end",
)
FAILED = declare(
    "session.failed",
    topic=SESSIONS,
    subject="session",
    payload=SessionFailed,
    when="A session ended with an error, which has a code",
)
CANCELLED = declare(
    "session.cancelled",
    topic=SESSIONS,
    subject="session",
    payload=OfSession,
    when="Somebody ended a session before its end",
)


def of(session: Session) -> OfSession:
    return OfSession(
        type=session.type,
        source=session.source,
        purpose=session.purpose,
        agent_id=session.agent_id or msgspec.UNSET,
        entity_id=session.entity_id or msgspec.UNSET,
        task_id=session.task_id or msgspec.UNSET,
        parent_session_id=session.parent_session_id or msgspec.UNSET,
        manifest=session.manifest or msgspec.UNSET,
    )


def event_of(happened: EventType[OfSession], session: Session) -> Event:
    return happened.of(session.id, of(session))
