"""Whether a workspace may use what a new session will."""

from goldloop.kit.db import Tx
from goldloop.kit.errors import TooManyRequests
from goldloop.limits import service as limits
from goldloop.sessions import store
from goldloop.sessions.model import Session, SessionSource


async def check_limits(tx: Tx, session: Session) -> None:
    """That it may begin. What was created before is answered, whatever has been used since."""
    try:
        await (limits.check_run if session.source is SessionSource.RUN else limits.check_room)(tx)
    except TooManyRequests:
        known = await store.find(tx, session.id)
        if known is None and session.external_id is not None:
            known = await store.find_external(tx, session.external_id)
        if known is None:
            raise
