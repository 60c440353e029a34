"""Reads the status of an embedded PostgreSQL without starting, locking or writing anything."""

from pathlib import Path
from urllib.parse import quote

from goldloop.kit.embedded_postgres.binaries import binaries_version
from goldloop.kit.embedded_postgres.cluster import read_password
from goldloop.kit.embedded_postgres.layout import Layout, find_layout
from goldloop.kit.embedded_postgres.locks import find_holder
from goldloop.kit.embedded_postgres.model import (
    DATABASE,
    PORT,
    SUPERUSER,
    EmbeddedPostgresError,
    Holder,
    PostgresStatus,
)
from goldloop.kit.embedded_postgres.processes import find_process
from goldloop.kit.embedded_postgres.stale import find_postmaster


def status(data_dir: Path) -> PostgresStatus:
    """For `goldloop doctor`."""
    try:
        layout = find_layout(data_dir)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data folder {data_dir} cannot be read: {error.strerror}."
        ) from error
    postmaster = find_postmaster(layout)
    return PostgresStatus(
        running=postmaster is not None and postmaster.ready,
        pid=postmaster.pid if postmaster else None,
        holder=_find_live_holder(layout.supervisor_lock),
        server=_find_live_holder(layout.server_lock),
        cluster=layout.cluster,
        cluster_version=_find_cluster_version(layout.cluster),
        binaries_version=binaries_version(),
        log=layout.log,
    )


def superuser_url(data_dir: Path, database: str = DATABASE) -> str:
    """For what the owner may not do, such as creating databases for tests; the server must have run."""
    return connection_url(find_layout(data_dir), SUPERUSER, database)


def connection_url(layout: Layout, role: str, database: str) -> str:
    sockets = layout.find_sockets()
    if sockets is None:
        raise EmbeddedPostgresError(f"PostgreSQL has not been started in {layout.home} yet.")
    password = quote(read_password(layout, role), safe="")
    return f"postgresql://{role}:{password}@/{database}?host={quote(str(sockets))}&port={PORT}"


def _find_live_holder(lock: Path) -> Holder | None:
    holder = find_holder(lock)
    return holder if holder and find_process(holder.pid) else None


def _find_cluster_version(cluster: Path) -> str | None:
    try:
        return (cluster / "PG_VERSION").read_text().strip()
    except OSError:
        return None
