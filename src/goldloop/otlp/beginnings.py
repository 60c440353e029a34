"""What traces tell of the session that they belong to: whose it is, when it began, and where its turns go. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from goldloop.otlp import places
from goldloop.otlp.mapper import TraceStory
from goldloop.sessions.beginning import NewSession, first_state
from goldloop.sessions.model import ConversationRef, Session, SessionSource
from goldloop.sessions.store import NewEvent
from goldloop.tenants.model import Agent, Party

LONGEST_FIRST_MESSAGE = 300


class Origin(NamedTuple):
    """What one trace tells. `first_message` is that of `started_at`; `conversation` is where its turn goes."""

    agent: str | None
    agent_id: UUID | None
    metadata: Mapping[str, str]
    started_at: datetime
    first_message: str
    conversation: ConversationRef | None


def origin_of(
    story: TraceStory,
    events: Sequence[NewEvent],
    agent: Agent | None,
    received: datetime,
    conversation: ConversationRef | None,
) -> Origin:
    known = {
        "user_id": story.user,
        "service": story.service,
        "session_id_from": story.session.key if story.session else None,
    }
    first_message = next((str(event.payload["text"]) for event in events if event.type == "user.message"), "")
    return Origin(
        agent=agent.slug if agent else story.agent,
        agent_id=agent.id if agent else None,
        metadata={key: value.replace("\x00", "\ufffd") for key, value in known.items() if value},
        started_at=min(places.moment(story.started_at, received), received),
        first_message=first_message[:LONGEST_FIRST_MESSAGE],
        conversation=conversation,
    )


def begun(
    story: TraceStory, origin: Origin, external_id: str, metadata: Mapping[str, str], own_id: UUID, by: Party
) -> Session:
    """A session as its first trace tells it."""
    new = NewSession(
        agent=origin.agent,
        input={},
        type=story.type,
        external_id=external_id,
        metadata={**origin.metadata, **metadata},
        conversation=origin.conversation,
        at=origin.started_at,
    )
    session = first_state(new, SessionSource.OTLP, None, None, own_id, origin.started_at, by)
    return msgspec.structs.replace(session, agent_id=origin.agent_id)


def learned(session: Session, origin: Origin) -> Session:
    """A session with what one more trace tells of it: the earliest beginning decides whose it is and what was said first; of
    the rest what is known stays."""
    is_first = session.started_at is None or origin.started_at <= session.started_at
    decides = session.source is SessionSource.OTLP and is_first
    names_agent = origin.agent is not None and (decides or session.agent is None)
    return msgspec.structs.replace(
        session,
        agent=origin.agent if names_agent else session.agent,
        agent_id=origin.agent_id if names_agent else session.agent_id,
        metadata={**origin.metadata, **session.metadata},
        started_at=origin.started_at if is_first else session.started_at,
        first_message=origin.first_message if decides and origin.first_message else session.first_message,
        conversation=session.conversation or origin.conversation,
    )
