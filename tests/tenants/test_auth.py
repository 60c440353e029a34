"""What is cached about keys and sessions, and when it is not."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from goldloop.kit.db import Database
from goldloop.kit.errors import Unauthenticated
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.keys import service as keys
from goldloop.tenants.model import Role
from tests.factories import Workspace


class _RevokesMeanwhile(Database):
    """Lends connections, and lets something happen just after each transaction of an authentication."""

    async def happens(self) -> None: ...

    @asynccontextmanager
    async def anonymous(self) -> AsyncIterator[Any]:
        async with super().anonymous() as connection:
            yield connection
        await self.happens()


async def test_a_key_revoked_while_it_is_looked_up_is_not_kept(workspace: Workspace, db: Database) -> None:
    key, secret = await workspace.make_key(Role.VIEWER)
    auth = Authenticator(db=db, secret=b"x", listening=True)

    class Slow(_RevokesMeanwhile):
        async def happens(self) -> None:
            async with workspace.db.tx(workspace.system) as tx:
                await keys.revoke(tx, key.id)
            auth.forget()  # as the notification does

    auth.db = Slow(pool=db.pool, role=db.role)
    await auth.key_holder(secret)  # was read before it was revoked
    auth.db = db
    with pytest.raises(Unauthenticated):
        await auth.key_holder(secret)


async def test_a_key_is_looked_up_once_while_nothing_changes(workspace: Workspace, db: Database) -> None:
    _, secret = await workspace.make_key(Role.VIEWER)
    looked_up = 0

    class Counting(_RevokesMeanwhile):
        async def happens(self) -> None:
            nonlocal looked_up
            looked_up += 1

    auth = Authenticator(db=Counting(pool=db.pool, role=db.role), secret=b"x", listening=True)
    for _ in range(5):
        await auth.key_holder(secret)
    assert looked_up == 1
