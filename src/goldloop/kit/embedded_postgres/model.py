"""Types and errors of the embedded PostgreSQL: its holders, its failures, its status."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

SUPERUSER = "postgres"
OWNER = "goldloop_owner"
DATABASE = "goldloop"
PORT = 5432  # only part of the socket's name: nothing listens on the network


class HolderKind(StrEnum):
    """The kinds of process that use a data folder."""

    SERVE = "serve"
    API = "api"
    WORKER = "worker"
    COMMAND = "command"

    @property
    def stands_by(self) -> bool:
        """Whether it takes over when the supervisor goes away; a command only borrows."""
        return self is not HolderKind.COMMAND


@dataclass(frozen=True, kw_only=True)
class Holder:
    kind: HolderKind
    pid: int


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot be used; the message is fit to print."""


class DataFolderInUse(EmbeddedPostgresError):
    """A second server was started on a data folder that has one."""

    def __init__(self, data_dir: Path, holder: Holder | None) -> None:
        who = f"goldloop {holder.kind} (pid {holder.pid})" if holder else "another goldloop server"
        super().__init__(f"The data folder {data_dir} is in use by {who}.")
        self.data_dir = data_dir
        self.holder = holder


@dataclass(frozen=True, kw_only=True)
class PostgresStatus:
    """The status as any process can read it. `holder` is the supervisor, `server` the one `goldloop serve`."""

    running: bool
    pid: int | None
    holder: Holder | None
    server: Holder | None
    cluster: Path
    cluster_version: str | None  # the major version that made the cluster; None before the first start
    binaries_version: str | None  # of the installed binaries; None if they do not run
    log: Path
