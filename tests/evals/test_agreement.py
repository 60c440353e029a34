"""The shipped defaults beside the true outcomes of real agents' runs, and what chance alone is called."""

import os
import random
from pathlib import Path

import evals_figures
import pytest

from goldloop.evals.stats import Verdict
from goldloop.migrations.files import PACKAGE

FOLDER = Path(os.environ.get("GOLDLOOP_TEST_RUNS") or PACKAGE.parents[2] / "shared" / "data" / "tau")
PARTS = ["tau1_airline", "tau1_retail", "tau2_airline"]

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the runs are not part of the repository")


@pytest.fixture(scope="module")
def parts() -> dict[str, evals_figures.Part]:
    loaded = [evals_figures.load(path) for path in sorted(FOLDER.glob("*.json"))]
    return {part.name: part for part in loaded}


@pytest.mark.parametrize("name", PARTS)
def test_the_defaults_agree_with_the_true_outcome(parts: dict[str, evals_figures.Part], name: str) -> None:
    found = evals_figures.agreement(parts[name], random.Random(1), draws=5)
    assert found.compared > 100
    assert found.defaults >= 0.95
    assert found.with_facts >= 0.97
    assert found.defaults > found.majority


@pytest.mark.parametrize(("name", "agent"), [("tau1_airline", "gpt-4o"), ("tau1_retail", "gemini-2.0-flash")])
def test_two_halves_of_one_agent_are_hardly_ever_a_regression(
    parts: dict[str, evals_figures.Part], name: str, agent: str
) -> None:
    found = evals_figures.false_alarms(parts[name], agent, random.Random(1), 500)
    assert found[Verdict.REGRESSION] / 500 <= 0.05
    assert found.total() == 500
