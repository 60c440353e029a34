"""Which suites a server has, and what becomes of those that cannot be loaded."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldloop.artifact_runs import registry
from tests.artifact_evals.folders import SUITE, write_package

WORKED = ["evidence-claim", "therapy-plan", "pf_idea", "pf_knowledge"]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    registry.installed.cache_clear()
    yield
    registry.installed.cache_clear()


@pytest.mark.parametrize(
    ("name", "more", "problem"),
    [
        ("acme", ["acme"], None),
        ("pf_idea", [], "two suites are called pf_idea"),
        ("a/b", [], "'a/b' cannot be part of an address"),
    ],
)
def test_suites_of_packages_are_offered_when_their_names_can_be(
    name: str, more: list[str], problem: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = SUITE.format(name=name, fixtures="*WORKED.fixtures,")
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", "acme_suites:SUITE", module))
    monkeypatch.delitem(sys.modules, "acme_suites", raising=False)
    found = registry.installed()
    assert list(found.suites) == WORKED + more
    assert [said[: len(problem or "")] for said in found.problems] == ([problem] if problem else [])


def test_a_package_that_cannot_be_loaded_takes_no_other_suite_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(write_package(tmp_path / "site", "acme_gone:SUITE"))
    found = registry.installed()
    assert list(found.suites) == WORKED
    assert len(found.problems) == 1
    assert "acme_gone:SUITE cannot be loaded" in found.problems[0]


@pytest.mark.parametrize(
    ("suite", "slug"),
    [
        ("pf_idea", "knowledge-pf_idea"),
        ("My Suite!", "knowledge-my-suite-"),
        ("x" * 200, "knowledge-" + "x" * 110),
    ],
)
def test_a_criteria_set_has_a_slug_that_it_may_have(suite: str, slug: str) -> None:
    assert registry.criteria_set_slug(suite) == slug
