"""Use cases of memories: keep, list and delete one's own, and what of them a prompt has."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from goldloop.kit.db import ActorKind, Tx
from goldloop.kit.errors import Forbidden, InvalidInput
from goldloop.kit.ids import new_id
from goldloop.kit.pagination import LAST_ID, LAST_TIME, Page, decode_pair, page
from goldloop.knowledge.checks import suspicious
from goldloop.knowledge.memories import store
from goldloop.knowledge.memories.model import Memory
from goldloop.knowledge.memories.store import NewMemory
from goldloop.knowledge.model import MemoryNotFound
from goldloop.knowledge.permissions import MEMORIES_OWN
from goldloop.knowledge.ranking import tokens_of
from goldloop.sessions import service as sessions
from goldloop.sessions.model import Session

MOST_IN_PROMPT = 20  # of a person, the newest
BUDGET = 600  # tokens of all of them, beside that of what was learnt: the longest has room in it


def _own(tx: Tx) -> UUID:
    tx.actor.check(MEMORIES_OWN)
    if tx.actor.kind is not ActorKind.USER or tx.actor.id is None:
        raise Forbidden("Memories are a person's own")
    return tx.actor.id


async def save(tx: Tx, content: str, session_id: UUID | None = None) -> UUID:
    """A person's own; an agent keeps it for whoever began the session that it names, which is its own."""
    if tx.actor.kind is ActorKind.USER:
        user_id = _own(tx)
    else:
        user_id = await _begun_by(tx, session_id)
    if not content.strip():
        raise InvalidInput.at("/content", "empty", "It has to say something")
    if orders := suspicious(content):
        raise InvalidInput.at("/content", "suspicious", f"It reads like an order to a model: {orders[0]}")
    memory_id = new_id()
    await store.insert(tx, NewMemory(memory_id, user_id, content, await tx.moment()))
    return memory_id


async def _begun_by(tx: Tx, session_id: UUID | None) -> UUID:
    tx.actor.check(MEMORIES_OWN)
    if session_id is None:
        raise InvalidInput.at("/sessionId", "required", "An agent says in which session it learnt this")
    session = await sessions.access(tx, session_id)
    owner = owner_of(session)
    if session.agent_id != tx.actor.id or owner is None:
        raise Forbidden("An agent keeps memories for whoever began its own session, if that is a person")
    return owner


def owner_of(session: Session) -> UUID | None:
    """The person whose memories are in a session's prompt."""
    return session.created_by.id if session.created_by.kind == "user" else None


async def list_own(tx: Tx, cursor: str | None, limit: int) -> Page[Memory]:
    user_id = _own(tx)
    before = decode_pair(cursor, datetime) or (LAST_TIME, LAST_ID)
    rows = await store.list_newest_first(tx, user_id, before, limit + 1)
    return page(rows, limit, lambda memory: (memory.created_at, memory.id))


async def remove(tx: Tx, memory_id: UUID) -> None:
    if not await store.delete(tx, _own(tx), memory_id):
        raise MemoryNotFound


async def access(tx: Tx, memory_id: UUID) -> Memory:
    found = await store.find(tx, _own(tx), memory_id)
    if found is None:
        raise MemoryNotFound
    return found


async def list_for_prompt(tx: Tx, user_id: UUID) -> Sequence[tuple[UUID, str]]:
    """The newest that the budget has room for, the oldest of them first."""
    kept: list[tuple[UUID, str]] = []
    left = BUDGET
    for memory_id, text in reversed(await store.list_for_prompt(tx, user_id, MOST_IN_PROMPT)):
        left -= tokens_of(text)
        if left < 0:
            break
        kept.append((memory_id, text))
    return kept[::-1]
