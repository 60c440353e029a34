"""Decides which process runs the embedded PostgreSQL: whether this one supervises or attaches, restarting the server
as supervisor, and taking over when the supervisor goes away."""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from goldloop.kit.embedded_postgres.account import Account, check_owner, service_account
from goldloop.kit.embedded_postgres.binaries import server_bin_dir
from goldloop.kit.embedded_postgres.children import wait_until
from goldloop.kit.embedded_postgres.cluster import ensure_cluster
from goldloop.kit.embedded_postgres.layout import Layout, ensure_layout, ensure_sockets, find_layout
from goldloop.kit.embedded_postgres.locks import FileLock, find_holder
from goldloop.kit.embedded_postgres.model import (
    DATABASE,
    OWNER,
    DataFolderInUse,
    EmbeddedPostgresError,
    HolderKind,
)
from goldloop.kit.embedded_postgres.postmaster import Postmaster, start_postmaster
from goldloop.kit.embedded_postgres.stale import clear_stale_processes, find_postmaster
from goldloop.kit.embedded_postgres.status import connection_url

log = logging.getLogger("goldloop.postgres")

_ATTACH_SECONDS = 120.0  # for a supervisor that is starting, perhaps for the first time
_COMMAND_SECONDS = 60.0  # how long a server waits for a command to finish before it attaches
_GUESTS_SECONDS = 60.0  # how long a command that supervises waits for commands that attached to it
_TRY_EVERY_SECONDS = 0.05
_STANDBY_SECONDS = 0.5
_WATCH_SECONDS = 0.2
_BACKOFF_SECONDS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)  # then the last again
_STEADY_SECONDS = 60.0  # a run that lasted this long starts the backoff afresh


@asynccontextmanager
async def embedded_postgres(
    data_dir: Path, holder: HolderKind, pid: int | None = None
) -> AsyncIterator["EmbeddedPostgres"]:
    """The database of a data folder, running for as long as the block is open. `pid` is the process that others are told of
    as its holder, where that is not this one."""
    postgres = _prepare(data_dir, holder, pid)
    try:
        await postgres._open()
        yield postgres
    except OSError as error:
        if postgres._opened:
            raise
        raise _folder_error(data_dir, error) from error
    finally:
        await postgres._close()


class EmbeddedPostgres:
    """A handle on the running database. The URL stays valid across restarts and changes of supervisor."""

    def __init__(
        self, data_dir: Path, holder: HolderKind, pid: int | None, layout: Layout, account: Account | None
    ) -> None:
        self._data_dir = data_dir
        self._holder = holder
        self._layout = layout
        self._account = account
        self._supervisor_lock = FileLock(layout.supervisor_lock, pid)
        self._server_lock = FileLock(layout.server_lock, pid)
        self._guests_lock = FileLock(layout.guests_lock, pid)
        self._postmaster: Postmaster | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._opened = False
        self.url = ""

    def __repr__(self) -> str:
        return f"<EmbeddedPostgres {self._layout.cluster} supervising={self.supervising}>"

    @property
    def supervising(self) -> bool:
        """Whether this process is the parent of the server."""
        return self._supervisor_lock.is_held

    async def _open(self) -> None:
        if self._holder is HolderKind.SERVE:
            await self._take_server_lock()
        if await self._supervise_or_attach():
            await self._start()
        self.url = connection_url(self._layout, OWNER, DATABASE)
        if self.supervising or self._holder.stands_by:
            self._keeper = asyncio.create_task(self._keep(), name="embedded-postgres")
        self._opened = True

    async def _close(self) -> None:
        try:
            if self._keeper is not None:
                self._keeper.cancel()
                await asyncio.gather(self._keeper, return_exceptions=True)
            if self._postmaster is not None:
                await self._wait_for_guests()
        finally:
            try:
                if self._postmaster is not None:
                    await self._postmaster.stop()
            finally:
                self._guests_lock.release()
                self._supervisor_lock.release_exclusive()
                self._server_lock.release_exclusive()

    async def _take_server_lock(self) -> None:
        if not self._server_lock.try_exclusive(self._holder):
            path = self._layout.server_lock
            await wait_until(lambda: find_holder(path) is not None, 0.5)  # it may be just writing its name
            raise DataFolderInUse(self._data_dir, find_holder(path))

    async def _supervise_or_attach(self) -> bool:
        """True with the supervisor's lock in hand, False once somebody else's server can be used."""
        begin = time.monotonic()
        while not self._supervisor_lock.try_exclusive(self._holder):
            waited = time.monotonic() - begin
            if not self._should_wait_for_command(waited) and self._try_attach():
                return False
            if waited > _ATTACH_SECONDS:
                by = find_holder(self._layout.supervisor_lock)
                who = f"goldloop {by.kind} (pid {by.pid})" if by else "another process"
                raise EmbeddedPostgresError(f"PostgreSQL on {self._data_dir}, run by {who}, is not ready.")
            await asyncio.sleep(_TRY_EVERY_SECONDS)
        return True

    def _should_wait_for_command(self, waited: float) -> bool:
        """A server waits rather than see the database stop when the command is done."""
        if self._holder is not HolderKind.SERVE or waited > _COMMAND_SECONDS:
            return False
        by = find_holder(self._layout.supervisor_lock)
        return by is not None and by.kind is HolderKind.COMMAND

    def _try_attach(self) -> bool:
        """A command is a guest: a supervisor that is itself a command waits for it before it stops."""
        if (
            not self._holder.stands_by
            and not self._guests_lock.is_held
            and not self._guests_lock.try_shared()
        ):
            return False
        postmaster = find_postmaster(self._layout)
        if postmaster is not None and postmaster.ready and self._layout.find_sockets() is not None:
            return True
        self._guests_lock.release()
        return False

    async def _wait_for_guests(self) -> None:
        if not self._holder.stands_by:
            await wait_until(
                lambda: self._guests_lock.try_exclusive(self._holder),
                _GUESTS_SECONDS,
                every=_TRY_EVERY_SECONDS,
            )

    async def _start(self) -> None:
        check_owner(self._layout.cluster, self._account)
        programs = server_bin_dir(self._account)
        await clear_stale_processes(self._layout)
        await ensure_cluster(self._layout, programs, self._account)
        sockets = ensure_sockets(self._layout, self._account)
        self._postmaster = await start_postmaster(self._layout, sockets, programs, self._account)

    async def _keep(self) -> None:
        """Waits until this process is the supervisor, then keeps the server running."""
        while not self._supervisor_lock.is_held:
            await asyncio.sleep(_STANDBY_SECONDS)
            if self._supervisor_lock.try_exclusive(self._holder):
                log.warning("the process that supervised PostgreSQL is gone: taking over")
        failures, begin = 0, time.monotonic()
        while True:
            if self._postmaster is None or self._postmaster.find_exit_code() is not None:
                failures = 0 if time.monotonic() - begin > _STEADY_SECONDS else failures
                await asyncio.sleep(_BACKOFF_SECONDS[min(failures, len(_BACKOFF_SECONDS) - 1)])
                await self._restart()
                failures, begin = failures + 1, time.monotonic()
            await asyncio.sleep(_WATCH_SECONDS)

    async def _restart(self) -> None:
        if self._postmaster is not None:
            log.error("PostgreSQL ended unexpectedly (%s): starting it", self._postmaster.find_exit_code())
            await self._postmaster.stop()
            self._postmaster = None
        try:
            await self._start()
        except Exception:  # whatever it is, the next attempt may fare better, and nobody else would try
            log.exception("PostgreSQL could not be started; trying again")


def _prepare(data_dir: Path, holder: HolderKind, pid: int | None) -> EmbeddedPostgres:
    data_dir = data_dir.resolve()
    try:
        _ensure_folder(data_dir)
        account = service_account(find_layout(data_dir).cluster, data_dir)
        layout = ensure_layout(data_dir, account)
    except OSError as error:
        raise _folder_error(data_dir, error) from error
    return EmbeddedPostgres(data_dir, holder, pid, layout, account)


def _ensure_folder(data_dir: Path) -> None:
    """Creates the folder, private to its owner; for root, the account that runs PostgreSQL may still traverse it."""
    try:
        data_dir.mkdir(parents=True)
    except FileExistsError:
        if not data_dir.is_dir():
            raise
    else:
        data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)


def _folder_error(data_dir: Path, error: OSError) -> EmbeddedPostgresError:
    what = f" ({error.filename})" if error.filename and str(error.filename) != str(data_dir) else ""
    return EmbeddedPostgresError(f"The data folder {data_dir} cannot be used: {error.strerror}{what}.")
