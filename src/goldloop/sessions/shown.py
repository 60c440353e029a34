"""The single source of what of a session is shown to whom. Pure.

What is said of replays, by a comparison or a judge, is not for those who are to say it themselves: people label replays without
knowing it. While they do, nobody is told: whoever may read it may label too.
"""

from collections.abc import Collection
from uuid import UUID

import msgspec

from goldloop.kit.db import Actor
from goldloop.kit.pagination import RawPage
from goldloop.sessions.beginning import JUDGING, REPLAY
from goldloop.sessions.model import EVAL_RESULT, Session, SessionEvent
from goldloop.sessions.payloads import is_large, keep
from goldloop.sessions.permissions import JUDGINGS_READ


def replay_of(session: Session) -> UUID | None:
    """The replay that a session is, or that is judged in it."""
    if session.purpose == REPLAY:
        return session.id
    return UUID(session.input["replay_id"]) if session.purpose == JUDGING else None


def is_hidden(session: Session, actor: Actor, labelled: Collection[UUID] = ()) -> bool:
    """`labelled` are replays that people label now."""
    return session.purpose == JUDGING and not _may_read(session, actor, labelled)


def shown(session: Session, actor: Actor, labelled: Collection[UUID] = ()) -> Session:
    """Without what came of a replay, for who may not read that."""
    if EVAL_RESULT not in session.metadata or _may_read(session, actor, labelled):
        return session
    kept = {key: value for key, value in session.metadata.items() if key != EVAL_RESULT}
    return msgspec.structs.replace(session, metadata=kept)


def _may_read(session: Session, actor: Actor, labelled: Collection[UUID]) -> bool:
    return actor.may(JUDGINGS_READ) and replay_of(session) not in labelled


def previewed(page: RawPage[SessionEvent]) -> RawPage[SessionEvent]:
    """A page in which an event may be large."""
    shown_events = [_without_large(event) for event in page.read(SessionEvent).data]
    return RawPage(data=msgspec.Raw(msgspec.json.encode(shown_events)), next_cursor=page.next_cursor)


def _without_large(event: SessionEvent) -> SessionEvent:
    """Large ones that are in their row are a preview in a list as well."""
    if not event.whole or not is_large(event.payload):
        return event
    return msgspec.structs.replace(event, payload=keep(event.payload).payload, whole=False)
