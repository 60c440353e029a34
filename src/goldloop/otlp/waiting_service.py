"""Use cases: whose the traces are that came in and are not derived yet, for whoever may not wait for that."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from goldloop.kit.db import Tx
from goldloop.otlp import derive_service, places, store
from goldloop.otlp.identity import TRACE_PREFIX
from goldloop.otlp.model import SETTINGS
from goldloop.otlp.reading import read_story
from goldloop.otlp.service import DERIVE_LARGE, DERIVE_LARGE_LATER, DERIVE_LATER
from goldloop.tenants.settings import service as settings

KINDS = (store.DERIVE, DERIVE_LATER, DERIVE_LARGE, DERIVE_LARGE_LATER)


class WaitingTrace(NamedTuple):
    """A trace of which something waits, and what it would become part of: a session by its external id, the conversation of
    that, and the end user whom its spans name."""

    trace_id: str
    session: str
    project: str
    conversation_id: str | None
    user: str | None


async def list_waiting(
    tx: Tx, before: datetime, after: str, limit: int
) -> tuple[list[WaitingTrace], str | None]:
    """Of traces of which something came before a moment, in the order of their ids; and where to go on, None at the end."""
    keys = await store.list_waiting(tx, KINDS, after, limit)
    project = (await settings.read(tx, SETTINGS)).project
    waiting: list[WaitingTrace] = []
    rest = [bytes.fromhex(key) for key in keys]
    while rest:
        found, rest = await derive_service.read_parts(tx, rest)
        for trace_id, parts in found.items():
            if parts.first_at > before:
                continue
            story = await read_story(tx.actor.tenant_id, trace_id, parts)
            named = story.session
            session = places.external_id(named.value) if named else f"{TRACE_PREFIX}{trace_id.hex()}"
            where = project or places.path_id(story.service) or places.NO_PROJECT
            waiting.append(
                WaitingTrace(
                    trace_id.hex(), session, where, places.path_id(session), places.label(story.user)
                )
            )
    return waiting, keys[-1] if len(keys) == limit else None


def those_of(
    waiting: Iterable[WaitingTrace], users: set[str], sessions: set[str], conversations: set[tuple[str, str]]
) -> list[str]:
    """The ids of those that belong to one of these, or to the session of one that does. Pure."""
    named, left, found = set(sessions), list(waiting), list[str]()
    while True:
        more = [
            each
            for each in left
            if each.user in users
            or each.session in named
            or (each.project, each.conversation_id) in conversations
        ]
        if not more:
            return sorted(found)
        found += [each.trace_id for each in more]
        named |= {each.session for each in more}
        left = [each for each in left if each not in more]
