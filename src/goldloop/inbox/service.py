"""Use case: what waits for a person."""

from goldloop.inbox.model import Inbox, InboxCount
from goldloop.kit.db import Tx
from goldloop.kit.inbox import KINDS, MOST_COUNTED, InboxKind


async def read(tx: Tx) -> Inbox:
    """Kinds that the actor may not work on are left out: they wait for somebody else."""
    kinds = [kind for kind in KINDS.values() if all(map(tx.actor.may, kind.permissions))]
    return Inbox(data=[await _count(tx, kind) for kind in kinds])


async def _count(tx: Tx, kind: InboxKind) -> InboxCount:
    waiting = await kind.count(tx)
    return InboxCount(
        kind=kind.key,
        label=kind.label,
        count=min(waiting.count, MOST_COUNTED),
        more=waiting.count > MOST_COUNTED,
        mine=None if waiting.mine is None else min(waiting.mine, MOST_COUNTED),
        path=kind.path,
        topic=kind.topic,
    )
