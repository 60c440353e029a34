"""Goldens as pytest gives them to tests that are marked `goldloop`: from a file, or from the server."""

import hashlib
import os
import tempfile
from pathlib import Path

import pytest

from goldloop.cli.exported_goldens import fetch_goldens
from goldloop.client import Client, GoldloopError
from goldloop.evals.golden_files import FileGolden, GoldenFile, GoldensNotRead, read_goldens, write_goldens
from goldloop.evals.replay.local import Function, Replayed, replay_locally
from goldloop.evals.stats.counting import NoiseFloor, ReplayOutcome

DEFAULT_FILE = "goldloop.json"
MOST_SHOWN = 3  # divergences of a message
_LOADED = pytest.StashKey[dict[tuple[str, str], list["TestedGolden"]]]()


class Attempt:
    """A replay of a golden. Its text is what a failed assertion shows."""

    def __init__(self, replayed: Replayed) -> None:
        self.replayed = replayed
        self.outcome, self.comparison = replayed.outcome, replayed.comparison
        self.error, self.session = replayed.error, replayed.session

    @property
    def passed(self) -> bool:
        return self.outcome is ReplayOutcome.PASSED

    @property
    def message(self) -> str:
        found = [each.message for each in self.comparison.divergences[:MOST_SHOWN]] if self.comparison else []
        return "; ".join([*found, *([self.error] if self.error else [])]) or str(self.outcome)

    def __repr__(self) -> str:
        return f"<{self.outcome}: {self.message}>"


class TestedGolden:
    """What a test is given as `golden`."""

    __test__ = False  # its name is no sign to pytest

    def __init__(self, golden: FileGolden) -> None:
        self.id, self.note, self.session = golden.id, golden.note, golden.session
        self._golden = golden

    def __repr__(self) -> str:
        return f"<golden {self.id}>"

    def replay(self, function: Function) -> Attempt:
        """`function` is one that also runs on a server; its calls are answered from recordings alone."""
        return Attempt(replay_locally(self.session, function, siblings=self._golden.siblings))

    def check(self, function: Function) -> Attempt:
        """Fails the test where a replay does not pass, and skips it where that says nothing about the agent."""
        __tracebackhide__ = True
        if self._golden.floor is NoiseFloor.BROKEN:
            pytest.skip("no unchanged replay of this golden passes")
        attempt = self.replay(function)
        if attempt.outcome is ReplayOutcome.INCONCLUSIVE:
            pytest.skip(f"inconclusive: {attempt.message}")
        if attempt.outcome is ReplayOutcome.ERROR:
            raise RuntimeError(f"the infrastructure failed: {attempt.message}")
        if not attempt.passed:
            pytest.fail(attempt.message, pytrace=False)
        return attempt


def load_goldens(
    config: pytest.Config, set: str | None = None, file: str | None = None
) -> list[TestedGolden]:
    """By their ids, each set once in a run. Raises UsageError."""
    loaded = config.stash.setdefault(_LOADED, {})
    key = (set or "", file or "")
    if key not in loaded:
        try:
            found = _read(config, set, file)
        except (GoldensNotRead, GoldloopError) as error:
            raise pytest.UsageError(f"goldloop: {error}") from error
        loaded[key] = [TestedGolden(golden) for golden in sorted(found.goldens, key=lambda each: each.id)]
    return loaded[key]


def _read(config: pytest.Config, set: str | None, file: str | None) -> GoldenFile:
    named = file or config.getoption("--goldloop-file")
    path = Path(config.rootpath, named or DEFAULT_FILE)
    if named or path.exists():
        found = read_goldens(path)
        if set is not None and found.set != set:
            raise GoldensNotRead(f"{path} has the set {found.set}, and {set} is asked for")
        return found
    if set is None:
        raise GoldensNotRead("say which set is meant: @pytest.mark.goldloop(set=…)")
    return _fetch_once(config, set)


def _fetch_once(config: pytest.Config, set: str) -> GoldenFile:
    """Workers of xdist must collect the same tests: what the first one fetches counts for all."""
    folder = getattr(config, "workerinput", {}).get("goldloop_folder")
    if folder is None:
        return _fetch(set)
    shared = Path(folder, hashlib.sha256(set.encode()).hexdigest() + ".json")
    if not shared.exists():
        handle, own = tempfile.mkstemp(dir=folder)
        os.close(handle)
        write_goldens(_fetch(set), Path(own))
        try:
            os.link(own, shared)
        except FileExistsError:
            pass  # another worker was first
        finally:
            os.unlink(own)
    return read_goldens(shared)


def _fetch(set: str) -> GoldenFile:
    with Client() as client:
        return fetch_goldens(client, set)
