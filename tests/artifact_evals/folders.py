"""Folders with a suite in them, for whatever finds, runs and shows suites."""

from pathlib import Path

SUITE = """
from goldloop.artifact_evals import KnowledgeEvalSuite, vary, good
from goldloop.artifact_evals.suites.pf_idea import SUITE as WORKED

SUITE = KnowledgeEvalSuite(
    name="{name}",
    title="Ours",
    adapter=WORKED.adapter,
    rubric=WORKED.rubric,
    fixtures=({fixtures}),
    entity_type=WORKED.entity_type,
)
del WORKED
"""
UNSIGNED = "*WORKED.fixtures, good('not decided', vary(WORKED.fixtures[0].record, 'decided_by')),"


def write_suite(folder: Path, name: str = "ours", *, holds: bool = True) -> Path:
    """A folder whose suite holds, or has one fixture that does not."""
    folder.mkdir(exist_ok=True)
    fixtures = "*WORKED.fixtures," if holds else UNSIGNED
    (folder / "suite.py").write_text(SUITE.format(name=name, fixtures=fixtures))
    return folder


def write_package(folder: Path, value: str, module: str = "") -> Path:
    """An installed package with an entry point, as a packager leaves it."""
    folder.mkdir(exist_ok=True)
    (folder / "acme_suites.py").write_text(module)
    info = folder / "acme_suites-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-suites\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[goldloop.artifact_evals]\nacme = {value}\n")
    return folder
