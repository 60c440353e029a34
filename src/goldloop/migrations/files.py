"""The single source of which migrations and SQL functions there are. Reads files, no database."""

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from goldloop.migrations.compatibility import needs_of

PACKAGE = Path(str(resources.files("goldloop")))
FOLDER = PACKAGE / "migrations"

_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.up\.sql")
_INCLUDE = re.compile(r"^-- include (\w+):(\S+) sha256:([0-9a-f]{64})$", re.MULTILINE)


class BadMigration(Exception):
    """A migration file that cannot be run as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    version: int
    name: str
    up: str
    down: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.up.encode()).hexdigest()

    @property
    def needs(self) -> int:
        return needs_of(self.up)


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlFunction:
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    found = [_read(path) for path in sorted(FOLDER.glob("*.up.sql"))]
    if [m.version for m in found] != list(range(1, len(found) + 1)):
        raise BadMigration("Migrations are numbered 0001, 0002, … without a gap")
    return tuple(found)


@cache
def functions() -> tuple[SqlFunction, ...]:
    paths = (p for p in sorted(PACKAGE.rglob("*.sql")) if p.parent not in (FOLDER, PACKAGE))
    return tuple(SqlFunction(name=path.stem, sql=path.read_text()) for path in paths)


def functions_sha256() -> str:
    return hashlib.sha256("\n".join(f.sql for f in functions()).encode()).hexdigest()


def _read(up: Path) -> Migration:
    match = _NAME.fullmatch(up.name)
    down = up.with_name(up.name.replace(".up.sql", ".down.sql"))
    if not match or not down.exists():
        raise BadMigration(f"{up.name} needs a name like 0001_words.up.sql and a .down.sql beside it")
    return Migration(
        version=int(match[1]), name=match[2], up=_INCLUDE.sub(_include, up.read_text()), down=down.read_text()
    )


def _include(match: re.Match[str]) -> str:
    """The text of another package's SQL file, only if it is the one that the migration was written for."""
    package, path, expected = match.groups()
    text = (resources.files(package) / path).read_text()
    if hashlib.sha256(text.encode()).hexdigest() != expected:
        raise BadMigration(f"{package}:{path} is not the version that this migration was written for")
    return text
