"""How large what is installed is: the packages of a lock file, and Goldloop with what it needs alone.

Counted are the files that the packages brought, without what Python compiled of them; of those that are here, for another
platform has others.
"""

import re
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER_LOCK = ROOT / "requirements" / "server.lock"
NOT_IN_A_WHEEL = {"__pycache__"}


def locked(lock: Path = SERVER_LOCK) -> set[str]:
    """The distributions that a lock file has for this platform, by their normal names."""
    names = re.findall(r"^([A-Za-z0-9._-]+)==", lock.read_text(), re.MULTILINE)
    return {normal(name) for name in names if is_here(name)}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def is_here(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def light() -> set[str]:
    """The distributions that Goldloop without extras brings."""
    found: set[str] = set()
    todo = ["goldloop"]
    while todo:
        for text in metadata.requires(todo.pop()) or ():
            name = normal(re.split(r"[ <>=!~;\[(]", text, maxsplit=1)[0])
            if "extra ==" not in text and name not in found and is_here(name):
                found.add(name)
                todo.append(name)
    return found


def bytes_of(names: Iterable[str]) -> int:
    return sum(_bytes_of(metadata.distribution(name)) for name in names)


def _bytes_of(distribution: metadata.Distribution) -> int:
    files = (Path(str(file.locate())) for file in distribution.files or () if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if file.is_file())


def bytes_of_goldloop() -> int:
    """The package itself, with the web UI where it is built."""
    folders = (ROOT / "src" / "goldloop", ROOT / "web" / "dist")
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return sum(file.stat().st_size for file in files if not NOT_IN_A_WHEEL & set(file.parts))
