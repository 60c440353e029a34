"""Limits at the routes: every request of somebody who was recognised is counted, and one too many refused, before anything
else of it is looked at. What is left goes into the answer's headers, also those of errors.
"""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from goldloop.kit.db import Actor
from goldloop.limits.limiter import Limiter

NEVER_REFUSED: dict[str, Any] = {"never_refused": True}  # of routes by which limits are changed


async def limit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every route, after authentication."""
    actor = connection.scope["state"].get("actor")
    if actor is not None:
        await count_request(connection, actor, always=bool(handler.opt.get("never_refused")))


async def count_request(
    connection: ASGIConnection[Any, Any, Any, Any], actor: Actor, *, always: bool = False
) -> None:
    """Raises TooManyRequests."""
    limiter: Limiter | None = connection.app.state.limiter
    if limiter is None:
        return
    admitted = await limiter.admit(actor, always=always)
    connection.scope["state"]["answer_headers"] = admitted.headers
    if admitted.refusal is not None:
        raise admitted.refusal
