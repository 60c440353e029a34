"""The unprivileged account under which PostgreSQL runs when Goldloop runs as root.

PostgreSQL refuses to run as root. An ordinary user needs no other account: everywhere `None` stands
for "as we are".
"""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError

CANDIDATES = ("goldloop", "postgres", "nobody")


@dataclass(frozen=True, kw_only=True)
class Account:
    name: str
    uid: int
    gid: int


def service_account(cluster: Path, data_dir: Path) -> Account | None:
    """Whoever owns what is there already, else the first existing candidate.

    An existing cluster runs only as its owner, so a candidate that appears later changes nothing; and
    root in a person's own folder must leave behind what that person can use.
    """
    if os.geteuid() != 0:
        return None
    cluster_owner = _owner(cluster)
    if cluster_owner:
        found = _find_account(cluster_owner)
        if found is None:
            raise EmbeddedPostgresError(f"{cluster} belongs to user id {cluster_owner}, which has no name.")
        return found
    for key in (_owner(data_dir), *CANDIDATES):
        if key and (found := _find_account(key)):
            return found
    raise EmbeddedPostgresError(
        "PostgreSQL does not run as root and there is no unprivileged user for it: "
        f"create one of {', '.join(CANDIDATES)}."
    )


def check_owner(cluster: Path, account: Account | None) -> None:
    """A cluster serves only the user who made it; say so before PostgreSQL does it less clearly."""
    owner = _owner(cluster)
    expected = account.uid if account else os.geteuid()
    if owner is not None and owner != expected:
        known = _find_account(owner)
        raise EmbeddedPostgresError(
            f"The database in {cluster} belongs to {known.name if known else f'user id {owner}'}; "
            "run goldloop as that user or as root."
        )


def chown_to(path: Path, account: Account | None) -> None:
    if account is not None:
        os.chown(path, account.uid, account.gid, follow_symlinks=False)


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def _find_account(key: int | str) -> Account | None:
    try:
        entry = pwd.getpwuid(key) if isinstance(key, int) else pwd.getpwnam(key)
    except KeyError:
        return None
    if entry.pw_uid == 0:
        return None
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid)
