"""Taking turns in."""

from collections.abc import Sequence

import msgspec

from goldloop.conversations.ids import check_ids
from goldloop.conversations.model import TurnExists
from goldloop.conversations.turns import store
from goldloop.conversations.turns.content import NewTurn, as_row, check_turns
from goldloop.kit.clock import now
from goldloop.kit.db import Tx
from goldloop.kit.events import Event, dispatch
from goldloop.kit.ids import new_id
from goldloop.kit.queue import set_marks
from goldloop.tenants import roles


class Intake(msgspec.Struct, frozen=True, kw_only=True):
    """`existing` were there already, with the same content."""

    project: str
    conversation_id: str
    added: list[str]
    existing: list[str]


async def add(tx: Tx, project: str, conversation_id: str, turns: Sequence[NewTurn], *, gate: bool) -> Intake:
    """All of them or none. The same turn again changes nothing; another one under its id is refused. With `gate` what
    users say in them is read, also where it was there already: a message reacts once, however often it is read."""
    tx.actor.check(roles.CONVERSATIONS_CREATE)
    at = now()
    check_ids([("/project", project), ("/conversation_id", conversation_id)])
    check_turns(turns, at)
    added, clashing = await store.add(tx, project, conversation_id, [as_row(t) for t in turns], at, new_id())
    if clashing:
        raise TurnExists(conflict={"turn_ids": clashing})
    if added:
        place = {"project": project, "conversation_id": conversation_id}
        payload = {**place, "turn_id": added[-1], "turn_ids": added}
        event = Event(
            name="conversation.turn_added", topic="conversations", subject_id=conversation_id, payload=payload
        )
        await dispatch(tx, event)
    if gate:
        said = [t.turn_id for t in turns if t.user is not None and t.user.text.strip()]
        await set_marks(tx, "conversations.gate", [f"{project}/{conversation_id}/{each}" for each in said])
    known = set(added)
    existing = [turn.turn_id for turn in turns if turn.turn_id not in known]
    return Intake(project=project, conversation_id=conversation_id, added=added, existing=existing)
