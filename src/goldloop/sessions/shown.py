"""The single source of what of a session is shown to whom. Pure.

What is said of replays, by a comparison or a judge, is not for those who are to say it themselves: people label replays without
knowing it.
"""

import msgspec

from goldloop.kit.db import Actor
from goldloop.sessions.beginning import JUDGING
from goldloop.sessions.model import EVAL_RESULT, Session, SessionEvent
from goldloop.sessions.payloads import is_large, keep
from goldloop.sessions.permissions import JUDGINGS_READ


def is_hidden(session: Session, actor: Actor) -> bool:
    return session.purpose == JUDGING and not actor.may(JUDGINGS_READ)


def shown(session: Session, actor: Actor) -> Session:
    """Without what came of a replay, for who may not read that."""
    if EVAL_RESULT not in session.metadata or actor.may(JUDGINGS_READ):
        return session
    kept = {key: value for key, value in session.metadata.items() if key != EVAL_RESULT}
    return msgspec.structs.replace(session, metadata=kept)


def without_large(event: SessionEvent) -> SessionEvent:
    """Large ones that are in their row are a preview in a list as well."""
    if not event.whole or not is_large(event.payload):
        return event
    return msgspec.structs.replace(event, payload=keep(event.payload).payload, whole=False)
