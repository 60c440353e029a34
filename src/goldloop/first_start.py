"""The first start: creates a workspace and its owner with a generated password."""

import os
from dataclasses import dataclass
from pathlib import Path

from goldloop.kit.db import Database
from goldloop.kit.ids import new_secret
from goldloop.tenants.sign_in.service import is_password
from goldloop.tenants.workspaces import service, store

SLUG = "main"
NAME = "My workspace"
OWNER = "owner@goldloop.local"
PASSWORD_FILE = "first-password.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """`password` is set on the first start only; the file keeps it until the owner removes it."""

    email: str | None
    password: str | None
    password_file: Path | None

    def lines(self) -> list[str]:
        if self.email is None:
            return ["Sign in with your address and password."]
        if self.password:
            return [
                f"Sign in as {self.email} with the password {self.password}",
                f"(kept in {self.password_file}; change it under Settings, Account)",
            ]
        if self.password_file:
            return [f"Sign in as {self.email}; the first password is in {self.password_file}"]
        return ["Sign in with your address and password."]


async def first_start(db: Database, data_dir: Path) -> Welcome:
    """Make the workspace if there is none at all. Runs with the worker's role."""
    file = data_dir / PASSWORD_FILE
    if await store.ids(db, None, 1):
        kept = await _is_current(db, file)
        return Welcome(email=OWNER if kept else None, password=None, password_file=file if kept else None)
    password = new_secret()[:20]
    _write_private(file, password + "\n")  # before the owner exists: a password that is lost cannot be used
    try:
        await service.create(db, SLUG, NAME, OWNER, password, "Owner")
    except service.SlugTaken:  # another process on this database was first
        file.unlink()
        return Welcome(email=None, password=None, password_file=None)
    return Welcome(email=OWNER, password=password, password_file=file)


async def _is_current(db: Database, file: Path) -> bool:
    """Whether the password in the file is still valid; it is not after the owner changed it."""
    if not file.exists():
        return False
    right = await is_password(db, OWNER, file.read_text().strip())
    if not right:
        file.unlink()
    return right


def _write_private(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as opened:
        opened.write(text)
