"""What is withheld of sessions while people label replays. The use cases."""

from collections.abc import Sequence
from uuid import UUID

from goldloop.kit.db import Tx
from goldloop.sessions import labelled_store
from goldloop.sessions.model import Session
from goldloop.sessions.permissions import JUDGINGS_READ
from goldloop.sessions.shown import replay_of, shown


async def show_own(tx: Tx, session: Session) -> Session:
    """To who did something with it."""
    return shown(session, tx.actor, await list_labelled(tx, [session]))


async def list_labelled(tx: Tx, found: Sequence[Session]) -> set[UUID]:
    """The replays of sessions that people label now. Who may not read what came of them is not told anyway."""
    replay_ids = [replay_id for session in found if (replay_id := replay_of(session)) is not None]
    return (
        await labelled_store.list_labelled(tx, replay_ids)
        if replay_ids and tx.actor.may(JUDGINGS_READ)
        else set()
    )
