"""SQL of turns. The only writer of `conversations`, `conv_turns` and their messages beside the named SQL functions."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from goldloop.kit.db import Tx

GATHER = timedelta(seconds=2)  # turns of one conversation that come within it are indexed together


class Written(NamedTuple):
    added: list[str]
    clashing: list[str]


async def add(
    tx: Tx, project: str, conversation_id: str, turns: list[dict[str, Any]], at: datetime, event_id: UUID
) -> Written:
    row = await tx.fetchrow(
        "SELECT added, clashing FROM add_turns($1, $2, $3, $4, $5, $6)",
        project,
        conversation_id,
        turns,
        at,
        event_id,
        GATHER,
    )
    assert row is not None
    return Written(row["added"], row["clashing"])
