"""`Idempotency-Key`: a request sent twice under one key runs once and gets the same response.

For routes whose client cannot choose the id of what is made. The key is taken in the transaction of the
act itself, so either both are there or neither; a second request at the same moment waits for the first.
"""

import hashlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.errors import Conflict

T = TypeVar("T")


class IdempotencyKeyReused(Conflict):
    code, title = "idempotency_key_reused", "This Idempotency-Key was used for another request"


async def once(
    tx: Tx, key: str | None, request: object, answer: type[T], act: Callable[[], Awaitable[T]]
) -> T:
    """Run `act`, or return what it answered the first time under this key."""
    if key is None:
        return await act()
    actor = f"{tx.actor.kind}:{tx.actor.id or ''}"
    fingerprint = hashlib.sha256(msgspec.json.encode(request, order="deterministic")).digest()
    taken = await tx.execute(
        """
        INSERT INTO idempotency_keys (tenant_id, actor, key, request_hash) VALUES ($1, $2, $3, $4)
        ON CONFLICT DO NOTHING
        """,
        tx.actor.tenant_id,
        actor,
        key,
        fingerprint,
    )
    if taken:
        result = await act()
        await tx.execute(
            "UPDATE idempotency_keys SET response = $4 WHERE tenant_id = $1 AND actor = $2 AND key = $3",
            tx.actor.tenant_id,
            actor,
            key,
            msgspec.to_builtins(result),
        )
        return result
    before = await tx.fetchrow(
        "SELECT request_hash, response FROM idempotency_keys WHERE tenant_id = $1 AND actor = $2 AND key = $3",
        tx.actor.tenant_id,
        actor,
        key,
    )
    if before is None or before["request_hash"] != fingerprint:
        raise IdempotencyKeyReused
    return msgspec.convert(before["response"], answer)


async def forget_old(tx: Tx, kept: timedelta) -> None:
    await tx.execute(
        "DELETE FROM idempotency_keys WHERE tenant_id = $1 AND created_at < now() - $2::interval",
        tx.actor.tenant_id,
        kept,
    )
