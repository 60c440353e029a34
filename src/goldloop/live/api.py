"""Route of live updates: `/api/events`, server-sent events."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from litestar import Request, Router, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter, SkipValidation
from litestar.response import Stream as StreamResponse

from goldloop.kit.db import Actor
from goldloop.kit.errors import GoldloopError
from goldloop.kit.http import problems
from goldloop.live.changes import Changes
from goldloop.live.feed import REFETCH, Feed
from goldloop.live.service import readable_topics
from goldloop.tenants.auth.api import EVENT_STREAM, Who, authenticate

HEARTBEAT_SECONDS = 15.0  # below the idle limits of common proxies; also how fast a closed right is noticed


@get(
    "/events",
    opt=EVENT_STREAM,
    media_type="text/event-stream",
    responses=problems(),
    summary="What changes, as server-sent events",
)
async def stream_events(
    request: Request[Any, Any, Any],
    actor: Who,
    feed: NamedDependency[SkipValidation[Feed]],
    tenant: Annotated[
        str | None,
        QueryParameter(
            max_length=63, description="The workspace's slug, for a browser that cannot send a header"
        ),
    ] = None,
) -> StreamResponse:
    """`hello` at each connection and `refetch` after a gap: read everything again. `change` names a topic
    and the ids of what changed under it, or null for everything."""
    return StreamResponse(
        _messages(request, actor, feed),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _messages(request: Request[Any, Any, Any], actor: Actor, feed: Feed) -> AsyncIterator[bytes]:
    async with feed.open(actor) as stream:
        yield b"retry: 1000\nevent: hello\ndata: {}\n\n"
        while not feed.closing.is_set():
            changes = await stream.next(HEARTBEAT_SECONDS)
            try:  # a session, key or membership that ended ends its stream
                current = await authenticate(request, request.app.state.auth)
            except GoldloopError:
                return
            if current.tenant_id != actor.tenant_id:
                return
            if message := _message(changes, current):
                yield message


def _message(changes: Changes | None, actor: Actor) -> bytes:
    if changes is None:
        return b": still here\n\n"
    if REFETCH in changes:
        return b"event: refetch\ndata: {}\n\n"
    return b"".join(
        _change(topic, changes[topic]) for topic in readable_topics(changes.keys(), actor.permissions)
    )


def _change(topic: str, subjects: frozenset[str] | None) -> bytes:
    data = {"topic": topic, "subjects": None if subjects is None else sorted(subjects)}
    return b"event: change\ndata: " + msgspec.json.encode(data) + b"\n\n"


router = Router("/api", route_handlers=[stream_events], tags=["live"])
