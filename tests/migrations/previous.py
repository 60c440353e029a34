"""The server as it was before the newest migration, out of the history of this checkout."""

import io
import subprocess
import tarfile
from pathlib import Path

from goldloop.migrations import files

ROOT = Path(__file__).resolve().parents[2]
MIGRATIONS = "src/goldloop/migrations"
MOST_LOOKED_AT = 200  # commits that changed a migration


class NoHistory(Exception):
    """There is no older server to be had here; the message says why."""


def write_previous(folder: Path) -> Path:
    """Writes the newest source that lacks a migration, and whose own are those of now; the folder to import it from."""
    if not (ROOT / ".git").exists():
        raise NoHistory("this is no checkout of git")
    ours = _ours()
    for commit in _git(
        "rev-list", "--first-parent", f"--max-count={MOST_LOOKED_AT}", "HEAD", "--", MIGRATIONS
    ).split():
        theirs = _listed(f"{commit}^")
        if theirs and len(theirs) < len(ours) and theirs.items() <= ours.items():
            archive = subprocess.run(
                ["git", "archive", f"{commit}^", "src/goldloop"], cwd=ROOT, capture_output=True, check=True
            )
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as packed:
                packed.extractall(folder, filter="data")
            return folder / "src"
    raise NoHistory("the history of this checkout does not reach before the newest migration")


def _ours() -> dict[str, str]:
    paths = sorted(files.FOLDER.glob("*.up.sql"))
    hashes = _git("hash-object", *map(str, paths)).split()
    return {path.name: digest for path, digest in zip(paths, hashes, strict=True)}


def _listed(commit: str) -> dict[str, str]:
    """Migrations of a commit by name; none where it is not there."""
    listed = subprocess.run(
        ["git", "ls-tree", f"{commit}:{MIGRATIONS}"], cwd=ROOT, capture_output=True, text=True
    )
    found = [line.split() for line in listed.stdout.splitlines()]
    return {name: digest for _, _, digest, name in found if name.endswith(".up.sql")}


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        raise NoHistory(f"git does not answer: {error}") from error
    return done.stdout
