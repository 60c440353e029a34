"""Use cases of exports: which goldens of a set come next, and what their file says of all of them."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from goldloop.goldens.cases import store as cases
from goldloop.goldens.cases.store import UsualAgent
from goldloop.goldens.model import Golden, GoldenSet, GoldenSetNotFound
from goldloop.goldens.permissions import EVALS_READ
from goldloop.kit.db import Tx
from goldloop.kit.pagination import FIRST_ID, FIRST_TIME, decode_pair

MOST_GOLDENS = 20  # of one page; whole sessions may be large, and then it ends earlier


class Exportable(NamedTuple):
    """`goldens` are one more than a page has, where there are more. `baseline` is whose unchanged replays are compared with."""

    set: GoldenSet
    baseline: UsualAgent | None
    goldens: list[Golden]


async def next_goldens(tx: Tx, set_id: UUID, cursor: str | None) -> Exportable:
    tx.actor.check(EVALS_READ)
    found = await cases.find_set(tx, set_id)
    if found is None:
        raise GoldenSetNotFound
    after = decode_pair(cursor, datetime) or (FIRST_TIME, FIRST_ID)
    return Exportable(
        found,
        await cases.find_usual_agent(tx, set_id),
        await cases.list_oldest_first(tx, set_id, after, MOST_GOLDENS + 1),
    )
