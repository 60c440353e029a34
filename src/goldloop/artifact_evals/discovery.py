"""Where suites come from: those that ship, those of installed packages (an entry point), those in a folder."""

import hashlib
import importlib
import sys
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType

from goldloop.artifact_evals.suite import KnowledgeEvalSuite
from goldloop.artifact_evals.values import printable

GROUP = "goldloop.artifact_evals"  # each entry point is a suite, or a list or tuple of suites


class SuitesNotLoaded(Exception):
    """A suite that was asked for is not there or cannot be imported; the message says which and why."""


def select_suites(names: Iterable[str] = (), folders: Iterable[Path] = ()) -> tuple[KnowledgeEvalSuite, ...]:
    """The suites by name; without names those in the folders; without either all that are installed."""
    in_folders = [suite for folder in folders for suite in load_folder(folder)]
    wanted = list(dict.fromkeys(names))
    if not wanted and in_folders:
        return _check_names(in_folders)
    known = {suite.name: suite for suite in _check_names([*installed_suites(), *in_folders])}
    if unknown := [name for name in wanted if name not in known]:
        raise SuitesNotLoaded(f"there is no suite {', '.join(unknown)}; there are {', '.join(known)}")
    return tuple(known[name] for name in wanted or known)


def installed_suites() -> list[KnowledgeEvalSuite]:
    suites, problems = find_installed()
    if problems:
        raise SuitesNotLoaded(problems[0])
    return suites


def find_installed() -> tuple[list[KnowledgeEvalSuite], list[str]]:
    """The suites that ship and those of entry points, with a sentence for each entry point that cannot be loaded."""
    from goldloop.artifact_evals.suites import SUITES

    suites, problems = list(SUITES), []
    for point in metadata.entry_points(group=GROUP):
        try:
            suites += _load_point(point)
        except SuitesNotLoaded as error:
            problems.append(str(error))
    return suites, problems


def _load_point(point: metadata.EntryPoint) -> list[KnowledgeEvalSuite]:
    try:
        loaded = point.load()
    except (Exception, SystemExit) as error:
        raise SuitesNotLoaded(
            f"the entry point {point.name} = {point.value} cannot be loaded: {_message(error)}"
        ) from error
    found = list(loaded) if isinstance(loaded, list | tuple) else [loaded]
    if not all(isinstance(suite, KnowledgeEvalSuite) for suite in found):
        raise SuitesNotLoaded(f"the entry point {point.name} = {point.value} is no KnowledgeEvalSuite")
    return found


def load_folder(folder: Path) -> list[KnowledgeEvalSuite]:
    """Every suite in the modules of a folder, which may import each other as `from .adapter import …`.

    Files whose names begin with `_` or `test_`, and conftest.py, are left alone."""
    if not folder.is_dir():
        raise SuitesNotLoaded(f"{folder} is not a folder")
    package = _open_package(folder.resolve())
    suites: dict[int, KnowledgeEvalSuite] = {}
    for file in sorted(folder.glob("*.py")):
        if not file.name.startswith(("_", "test_")) and file.name != "conftest.py":
            suites |= {id(suite): suite for suite in _suites_in(_import(package, file))}
    if not suites:
        raise SuitesNotLoaded(f"no module in {folder} has a KnowledgeEvalSuite")
    return list(suites.values())


def _open_package(folder: Path) -> str:
    """A package of a name that nothing else has, so that `evals/` of two teams do not meet."""
    name = f"goldloop_suites_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
    for loaded in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
        del sys.modules[loaded]
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    importlib.invalidate_caches()
    return name


def _import(package: str, file: Path) -> ModuleType:
    try:
        return importlib.import_module(f"{package}.{file.stem}")
    except (Exception, SystemExit) as error:
        raise SuitesNotLoaded(f"{file} cannot be imported: {_message(error)}") from error


def _message(error: BaseException) -> str:
    try:
        return printable(f"{type(error).__name__}: {error}")
    except Exception:
        return type(error).__name__


def _suites_in(module: ModuleType) -> Iterator[KnowledgeEvalSuite]:
    return (value for value in vars(module).values() if isinstance(value, KnowledgeEvalSuite))


def _check_names(suites: list[KnowledgeEvalSuite]) -> tuple[KnowledgeEvalSuite, ...]:
    names = [suite.name for suite in suites]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SuitesNotLoaded(f"two suites are called {', '.join(twice)}: give one of them another name")
    return tuple(suites)
