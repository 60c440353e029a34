"""The pytest plugin: the suites of `goldloop scorecard` as tests, one for each fixture and one for the contracts; and tests that
are marked `goldloop`, one for each golden of a set.

It does nothing, and imports nothing of Goldloop, in a run that does not ask for it.
"""

from __future__ import annotations

import shutil
import tempfile
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from goldloop.artifact_evals.suite import FixtureReport, KnowledgeEvalSuite, SuiteReport

_ADDED = pytest.StashKey[str]()
_SHARED = pytest.StashKey["str | None"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("goldloop", "Goldloop: goldens and artifact evals")
    group.addoption(
        "--goldloop-file",
        metavar="FILE",
        help="goldens of tests that are marked goldloop (default: goldloop.json, else the server at $GOLDLOOP_URL)",
    )
    group.addoption("--artifact-evals", action="store_true", help="run every installed suite as tests")
    group.addoption(
        "--artifact-evals-suite", action="append", default=[], metavar="NAME", help="run this suite as tests"
    )
    group.addoption(
        "--artifact-evals-folder",
        action="append",
        default=[],
        metavar="DIR",
        help="run the suites in this folder",
    )
    group.addoption(
        "--artifact-evals-timeout",
        type=float,
        default=10.0,
        metavar="SECONDS",
        help="how long one fixture may take (default 10; 0 is for ever)",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "goldloop(set): run the test with each golden of a set, as `golden`")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """A worker of xdist is told where all of them find the goldens that the first one fetches."""
    folder = node.config.stash.setdefault(_SHARED, None) or tempfile.mkdtemp(prefix="goldloop-")
    node.config.stash[_SHARED] = folder
    node.workerinput["goldloop_folder"] = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    if folder := config.stash.get(_SHARED, None):
        shutil.rmtree(folder, ignore_errors=True)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("goldloop")
    if marker is None:
        return
    from goldloop.pytest_goldens import load_goldens

    if "golden" not in metafunc.fixturenames:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} is marked goldloop and does not take golden")
    goldens = load_goldens(metafunc.config, *marker.args, **marker.kwargs)
    metafunc.parametrize("golden", goldens, ids=[golden.id for golden in goldens])


@pytest.hookimpl(tryfirst=True)  # before -k and -m choose among the items
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    names, folders = config.getoption("--artifact-evals-suite"), config.getoption("--artifact-evals-folder")
    if not (names or folders or config.getoption("--artifact-evals")):
        return
    from goldloop.artifact_evals.discovery import SuitesNotLoaded, installed_suites, select_suites

    try:
        if config.getoption("--artifact-evals"):
            names = [*(suite.name for suite in installed_suites()), *names]
        suites = select_suites(names, [config.invocation_params.dir / folder for folder in folders])
    except SuitesNotLoaded as error:
        raise pytest.UsageError(str(error)) from error
    found = [item for suite in suites for item in SuiteCollector.of(session, suite).collect()]
    items.extend(found)
    config.stash[_ADDED] = f"goldloop: {len(found)} items of {', '.join(suite.name for suite in suites)}"


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Beside "collected 3 items", which pytest counts before these are added."""
    return [config.stash[_ADDED]] if _ADDED in config.stash else []


class ArtifactEvalFailed(Exception):
    """What does not hold, in the words of the scorecard."""


class SuiteCollector(pytest.Collector):
    suite: KnowledgeEvalSuite

    @classmethod
    def of(cls, session: pytest.Session, suite: KnowledgeEvalSuite) -> SuiteCollector:
        name = f"artifact-evals:{suite.name}"
        made: SuiteCollector = cls.from_parent(session, name=name, nodeid=name)
        made.suite = suite
        return made

    @cached_property
    def report(self) -> SuiteReport:
        from goldloop.artifact_evals.suite import run_knowledge_eval_suite
        from goldloop.artifact_evals.time_limit import limit_of

        return run_knowledge_eval_suite(
            self.suite, limit_of(self.config.getoption("--artifact-evals-timeout"))
        )

    def collect(self) -> Iterator[pytest.Item]:
        for fixture in self.suite.fixtures:
            yield FixtureItem.from_parent(self, name=fixture.name)
        yield ContractsItem.from_parent(self, name="contracts")


class _Item(pytest.Item):
    def reportinfo(self) -> tuple[Any, int | None, str]:
        return self.path, None, self.nodeid

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ArtifactEvalFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    @property
    def report(self) -> SuiteReport:
        assert isinstance(self.parent, SuiteCollector)
        return self.parent.report


class FixtureItem(_Item):
    """One fixture behaves as it is labelled."""

    def runtest(self) -> None:
        fixture = next(found for found in self.report.fixtures if found.name == self.name)
        if not fixture.held:
            raise ArtifactEvalFailed("\n".join(_lines(fixture)))


class ContractsItem(_Item):
    """Every dimension can fail, and nothing names a field that the schema does not have."""

    def runtest(self) -> None:
        if self.report.problems:
            raise ArtifactEvalFailed("\n".join(self.report.problems))


def _lines(fixture: FixtureReport) -> Iterator[str]:
    yield f"{fixture.name}: {fixture.why}"
    for found in fixture.result.dimensions if fixture.result else ():
        if not found.passed:
            yield f"  {found.dimension}: {found.reason}"
