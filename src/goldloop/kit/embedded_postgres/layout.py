"""The paths of everything that belongs to one data folder.

Normally in the data folder itself. Two things can lie elsewhere, each with a record of where: all of it,
when root's data folder is closed to the account that runs PostgreSQL; and the sockets, when the path is
too long or too odd for a socket address.
"""

import hashlib
import json
import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path

from goldloop.kit.embedded_postgres.account import Account, chown_to
from goldloop.kit.embedded_postgres.children import succeeds
from goldloop.kit.embedded_postgres.model import EmbeddedPostgresError

SYSTEM_HOME = Path("/var/lib/goldloop")  # root's place for what must not lie under a private folder
_LONGEST_SOCKET_PATH = 100  # bytes; the kernel's limit is 104 to 108
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+=-]+")  # a comma or a quote would need escaping in each client


@dataclass(frozen=True, kw_only=True)
class Layout:
    home: Path

    @property
    def cluster(self) -> Path:
        return self.home / "postgres"

    @property
    def log(self) -> Path:
        return self.home / "postgres.log"

    @property
    def supervisor_lock(self) -> Path:
        return self.home / "supervisor.lock"

    @property
    def server_lock(self) -> Path:
        return self.home / "server.lock"

    @property
    def guests_lock(self) -> Path:
        return self.home / "guests.lock"

    @property
    def cluster_name(self) -> str:
        """Shown in the title of each of its processes, so that they can be told from any other's."""
        return f"goldloop-{_short_hash(self.cluster)}"

    def password_file(self, role: str) -> Path:
        return self.home / f"{role}.password"

    def find_sockets(self) -> Path | None:
        """The recorded folder, unless the record came along when the data folder was copied or moved."""
        try:
            record = json.loads((self.home / "sockets.json").read_text())
            return Path(record["sockets"]) if record["home"] == str(self.home) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def find_layout(data_dir: Path) -> Layout:
    """Reads the layout without creating anything; for an unused folder, the layout that it would get."""
    data_dir = data_dir.resolve()
    try:
        return Layout(home=Path((data_dir / "postgres.home").read_text().strip()))
    except (FileNotFoundError, NotADirectoryError):
        return Layout(home=data_dir)


def ensure_layout(data_dir: Path, account: Account | None) -> Layout:
    data_dir = data_dir.resolve()
    found = find_layout(data_dir)
    if found.home != data_dir or account is None or _reaches(account, data_dir):
        _check_reached(found.home, account)
        return found
    if found.cluster.exists():
        _check_reached(data_dir, account)
    home = _new_system_home(data_dir)
    try:
        write_private(data_dir / "postgres.home", f"{home}\n", exclusive=True)
    except FileExistsError:  # another process was first
        return find_layout(data_dir)
    return Layout(home=home)


def ensure_sockets(layout: Layout, account: Account | None) -> Path:
    """The same folder as before where possible, so that addresses handed out stay valid."""
    recorded = layout.find_sockets()
    if recorded is not None and _restore_sockets(recorded, layout.home, account):
        return recorded
    sockets = _new_sockets(layout.home, account)
    record = json.dumps({"home": str(layout.home), "sockets": str(sockets)})
    write_private(layout.home / "sockets.json", record)
    return sockets


def write_private(path: Path, text: str, *, exclusive: bool = False) -> None:
    """All or nothing, 0600 from the first byte, owned like its folder."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            own_like_folder(file.fileno(), path.parent)
        if exclusive:
            os.link(name, path)
        else:
            os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)


def own_like_folder(handle: int, folder: Path) -> None:
    """What root leaves in a person's folder, that person must be able to use."""
    if os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(handle, owner.st_uid, owner.st_gid)


def ensure_system_home() -> Path:
    if not SYSTEM_HOME.is_dir():
        SYSTEM_HOME.mkdir(parents=True, exist_ok=True)
        SYSTEM_HOME.chmod(0o755)
    return SYSTEM_HOME


def _new_system_home(data_dir: Path) -> Path:
    """A folder that holds nothing yet: an older one may be the database of a folder that was moved."""
    name = _short_hash(data_dir)
    for attempt in range(1, 1000):
        home = ensure_system_home() / (name if attempt == 1 else f"{name}-{attempt}")
        home.mkdir(mode=0o711, exist_ok=True)
        if not any(home.iterdir()):
            home.chmod(0o711)
            return home
    raise EmbeddedPostgresError(f"{SYSTEM_HOME} holds too many databases that once belonged to {data_dir}.")


def _restore_sockets(sockets: Path, home: Path, account: Account | None) -> bool:
    """False if a folder of that name outside the data folder is no longer ours."""
    if _is_private(sockets, account):
        return True
    if sockets.parent != home and (os.path.lexists(sockets) or not sockets.parent.is_dir()):
        return False
    _make_private(sockets, account)
    return True


def _new_sockets(home: Path, account: Account | None) -> Path:
    if _fits(home / "run"):
        _make_private(home / "run", account)
        return home / "run"
    for folder in (tempfile.gettempdir(), "/tmp", "/var/tmp"):
        candidate = Path(folder)
        if _fits(candidate / "goldloop-12345678") and (account is None or _reaches(account, candidate)):
            sockets = Path(tempfile.mkdtemp(prefix="goldloop-", dir=candidate))
            chown_to(sockets, account)
            return sockets
    raise EmbeddedPostgresError(f"No temporary folder is fit for the sockets of {home}.")


def _make_private(folder: Path, account: Account | None) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    chown_to(folder, account)


def _fits(sockets: Path) -> bool:
    path = str(sockets / ".s.PGSQL.5432")
    return len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH and _PLAIN_PATH.fullmatch(path) is not None


def _is_private(folder: Path, account: Account | None) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    owner = account.uid if account else os.geteuid()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner and stat.S_IMODE(found.st_mode) == 0o700


def _reaches(account: Account, folder: Path) -> bool:
    """Asked of the system rather than computed: permissions are not all in the mode bits."""
    return succeeds(["/bin/sh", "-c", 'cd -- "$1"', "sh", str(folder)], account)


def _check_reached(home: Path, account: Account | None) -> None:
    if account is not None and not _reaches(account, home):
        raise EmbeddedPostgresError(f"PostgreSQL runs as {account.name}, who may not enter {home}.")


def _short_hash(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
