"""Which surfaces are real: pages of the UI, views, types."""

import json
from pathlib import Path

import pytest

from goldloop.artifact_evals import make_surface_probe
from goldloop.artifact_runs.surfaces import PAGES, resolvers

CASES = Path(__file__).parents[2] / "cases" / "pages.json"
KNOWN = {"view": frozenset({"care-plans"}), "entity-list": frozenset({"pf_idea"})}


def test_the_pages_are_those_of_the_ui() -> None:
    """vitest holds the same file against the router."""
    assert sorted(PAGES) == json.loads(CASES.read_text())


@pytest.mark.parametrize(
    ("ref", "there"),
    [
        ("page:/records", True),
        ("page:/records?type=pf_idea", True),
        ("page:/nowhere", False),
        ("page:records", False),
        ("page:/records/0190a000-0000-7000-8000-000000000001", False),  # nobody can promise that it is there
        ("view:care-plans", True),
        ("view:idea-board", False),
        ("entity-list:pf_idea", True),
        ("entity-list:pf_knowledge", False),
        ("dashboard:x", False),
        ("", False),
    ],
)
def test_a_surface_is_there_or_not(ref: str, there: bool) -> None:
    assert make_surface_probe(resolvers(KNOWN))(ref) is there
