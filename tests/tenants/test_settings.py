"""Settings of a workspace: typed, its own, and remembered by version."""

import asyncio

import msgspec
import pytest

from goldloop.kit.db import APP_ROLE, WORKER_ROLE, Tx, open_database
from goldloop.live.feed import Feed
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.settings import service, store
from goldloop.tenants.settings.model import Section
from tests.factories import Workspace, make_workspace
from tests.servers import eventually


class Tea(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "green"
    minutes: int = 3


TEA = Section("tea", Tea)
BLACK = Tea(kind="black", minutes=4)


async def set_tea(workspace: Workspace, tea: Tea) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        await service.write(tx, TEA, tea)


async def test_what_was_never_set_has_its_defaults(workspace: Workspace, other_workspace: Workspace) -> None:
    await set_tea(workspace, BLACK)
    async with workspace.db.tx(workspace.system) as tx:
        assert (await service.read(tx, TEA), await service.read_cached(tx, TEA)) == (BLACK, BLACK)
    async with other_workspace.db.tx(other_workspace.system) as tx:
        assert (await service.read(tx, TEA), await service.read_cached(tx, TEA)) == (Tea(), Tea())


async def test_a_field_that_is_newer_than_the_row_has_its_default(workspace: Workspace) -> None:
    async with workspace.db.tx(workspace.system) as tx:
        await store.write(tx, "tea", {"kind": "black", "sugar": True})
        assert await service.read(tx, TEA) == Tea(kind="black")


async def test_every_write_is_a_version(workspace: Workspace) -> None:
    for tea in (BLACK, Tea()):
        await set_tea(workspace, tea)
    async with workspace.db.tx(workspace.system) as tx:
        found = await store.find(tx, "tea")
    assert found is not None
    assert (found.version, found.value) == (2, msgspec.to_builtins(Tea()))


async def test_what_is_remembered_is_read_again_only_in_another_version(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SECONDS_KNOWN", -1)
    await set_tea(workspace, BLACK)
    async with workspace.db.tx(workspace.system) as tx:
        first = await service.read_cached(tx, TEA)
        assert await service.read_cached(tx, TEA) is first, "its version is still the one that is there"
        await store.write(tx, "tea", {"kind": "white"})
        assert await service.read_cached(tx, TEA) == Tea(kind="white")


async def test_the_process_that_sets_it_goes_by_it_at_once(workspace: Workspace) -> None:
    async def cached() -> Tea:
        async with workspace.db.tx(workspace.system) as tx:
            return await service.read_cached(tx, TEA)

    assert await cached() == Tea()
    await set_tea(workspace, BLACK)
    assert await cached() == BLACK


async def test_a_version_that_was_rolled_back_is_not_taken_for_the_one_after(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SECONDS_KNOWN", -1)

    async def write_and_fail(tx: Tx) -> None:
        await service.write(tx, TEA, BLACK)
        assert await service.read_cached(tx, TEA) == BLACK
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        async with workspace.db.tx(workspace.system) as tx:
            await write_and_fail(tx)
    await store_directly(workspace, {"kind": "white"})
    async with workspace.db.tx(workspace.system) as tx:
        assert await service.read_cached(tx, TEA) == Tea(kind="white")


async def store_directly(workspace: Workspace, value: dict[str, str]) -> None:
    """As another process does."""
    async with workspace.db.tx(workspace.system) as tx:
        await store.write(tx, "tea", value)


async def test_what_another_process_sets_is_known_as_soon_as_it_is_told(
    fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "SECONDS_KNOWN", 86400)
    async with (
        open_database(fresh_database_url, role=WORKER_ROLE, size=4) as db,
        make_workspace(db) as workspace,
    ):

        async def cached() -> Tea:
            async with db.tx(workspace.system) as tx:
                return await service.read_cached(tx, TEA)

        async def is_white() -> bool:
            return await cached() == Tea(kind="white")

        own = db.in_role(APP_ROLE)
        auth = Authenticator(db=own, secret=b"secret")
        running = asyncio.create_task(Feed(db=own, url=fresh_database_url, auth=auth).run())
        try:
            await eventually(lambda: _is_listening(auth))
            assert await cached() == Tea()
            await store_directly(workspace, {"kind": "white"})
            await eventually(is_white)
        finally:
            running.cancel()
            await asyncio.wait([running])


async def _is_listening(auth: Authenticator) -> bool:
    return auth.listening


async def test_what_was_read_while_somebody_set_it_is_not_kept(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = store.find

    async def find_as_it_changes(tx: Tx, *known: object) -> object:
        found = await find(tx, *known)  # type: ignore[arg-type]
        service.forget()  # told just after the row was read
        return found

    async def cached() -> Tea:
        async with workspace.db.tx(workspace.system) as tx:
            return await service.read_cached(tx, TEA)

    with monkeypatch.context() as patched:
        patched.setattr(store, "find", find_as_it_changes)
        assert await cached() == Tea()
    await store_directly(workspace, {"kind": "white"})
    assert await cached() == Tea(kind="white")
