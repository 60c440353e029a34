"""Tells a transaction when what it does happened, so that the demo has a past: rows, history and events agree on it.

History and events are only ever added to, so their times cannot be put right afterwards."""

from datetime import datetime, timedelta

from goldloop.kit.db import Tx


async def set_to(tx: Tx, at: datetime | None) -> None:
    """None: from now on by the clock again."""
    await tx.execute("SELECT set_config('app.moment', $1, true)", at.isoformat() if at else "")


async def advance(tx: Tx, by: timedelta) -> None:
    """Never beyond the present. Does nothing where the clock is followed."""
    await tx.execute("SELECT advance_moment($1)", by)
