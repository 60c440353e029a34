"""What a client says about a turn: what must hold, and what tells a repeated turn from another. Pure."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from goldloop.conversations.ids import check_ids
from goldloop.conversations.model import EndUserId, Label, MessageText, Moment, TextId
from goldloop.conversations.times import check_moment
from goldloop.kit.errors import Fault, InvalidInput
from goldloop.kit.times import in_utc
from goldloop.kit.wire_types import Object


class NewMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    text: MessageText


class NewTurn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One exchange. At least one of `user` and `assistant` said something; `ts` is now unless told."""

    turn_id: TextId
    user: NewMessage | None = None
    assistant: NewMessage | None = None
    user_id: EndUserId | None = None
    agent: Label | None = None
    session_id: Label | None = None
    ts: Moment | None = None
    bundle_id: Label | None = None
    track_id: Label | None = None
    turn_log: Object | None = None


def check_turns(turns: Sequence[NewTurn], now: datetime) -> None:
    at = "/{}" if len(turns) > 1 else ""
    faults: list[Fault] = []
    seen: set[str] = set()
    for place, turn in enumerate(turns):
        path = at.format(place)
        check_ids([(f"{path}/turn_id", turn.turn_id), (f"{path}/user_id", turn.user_id)])
        check_moment(f"{path}/ts", turn.ts, now)
        if turn.user is None and turn.assistant is None:
            faults.append(
                Fault(
                    path=path, code="empty_turn", message="In a turn the user or the assistant says something"
                )
            )
        if turn.turn_id in seen:
            faults.append(
                Fault(path=f"{path}/turn_id", code="repeated", message=f"{turn.turn_id} is in the list twice")
            )
        seen.add(turn.turn_id)
    if faults:
        raise InvalidInput(errors=faults)


def digest(turn: NewTurn) -> str:
    """Of all that was said, however it was written down, and whenever it is said to have been: who sends a turn again
    may not know the time that it was given."""
    timeless = turn if turn.ts is None else msgspec.structs.replace(turn, ts=None)
    return hashlib.sha256(msgspec.json.encode(timeless, order="sorted")).hexdigest()


def as_row(turn: NewTurn) -> dict[str, Any]:
    """As `add_turns` takes it."""
    return {
        "turn_id": turn.turn_id,
        "ts": in_utc(turn.ts) if turn.ts else None,
        "user_text": turn.user.text if turn.user else None,
        "assistant_text": turn.assistant.text if turn.assistant else None,
        "user_id": turn.user_id,
        "agent": turn.agent,
        "session_id": turn.session_id,
        "bundle_id": turn.bundle_id,
        "track_id": turn.track_id,
        "turn_log": turn.turn_log,
        "digest": digest(turn),
    }
