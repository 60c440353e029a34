"""The embedded PostgreSQL: a private cluster in the data folder, run as a child of one Goldloop process.

One process supervises it (the one that holds the lock beside the cluster); others attach, and the
long-lived ones among them take over when the supervisor goes away. It listens on a unix socket only,
asks for a password, and stops when its supervisor does, even if that was killed.

In comes a data folder; out comes a URL that stays valid for as long as the block is open.
"""

from goldloop.kit.embedded_postgres.binaries import bin_dir
from goldloop.kit.embedded_postgres.connections import most_connections
from goldloop.kit.embedded_postgres.model import (
    DataFolderInUse,
    EmbeddedPostgresError,
    Holder,
    HolderKind,
    PostgresStatus,
)
from goldloop.kit.embedded_postgres.status import status, superuser_url
from goldloop.kit.embedded_postgres.supervisor import EmbeddedPostgres, embedded_postgres

__all__ = [
    "DataFolderInUse",
    "EmbeddedPostgres",
    "EmbeddedPostgresError",
    "Holder",
    "HolderKind",
    "PostgresStatus",
    "bin_dir",
    "embedded_postgres",
    "most_connections",
    "status",
    "superuser_url",
]
