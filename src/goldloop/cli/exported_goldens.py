"""Fetches a set of goldens of a server as what its file holds. Infrastructure; needs the client only."""

import msgspec

from goldloop.client import Client, GoldloopError, NotFound
from goldloop.client.eval_run_types import ExportedGolden, GoldenExport
from goldloop.client.ids import Id
from goldloop.evals.golden_files import Baseline, FileGolden, GoldenFile
from goldloop.evals.stats.counting import NoiseFloor

ATTEMPTS = 3  # at a set that is changed while it is read


class SetChanged(GoldloopError):
    """Somebody changes the set faster than it is read."""


def fetch_goldens(client: Client, set_name: str) -> GoldenFile:
    """Of one version of the set. Raises GoldloopError."""
    found = next((each for each in client.evals.sets() if each.name == set_name), None)
    if found is None:
        raise NotFound(
            f"There is no set {set_name} in this workspace", status=404, code="golden_set_not_found"
        )
    for _ in range(ATTEMPTS):
        pages = _pages(client, found.id)
        if len({(page.set, page.version) for page in pages}) == 1:
            first = pages[0]
            goldens = [as_file_golden(golden) for page in pages for golden in page.goldens]
            return GoldenFile(set=first.set, version=first.version, baseline=first.baseline, goldens=goldens)
    raise SetChanged(f"{set_name} was changed while it was read", code="golden_set_changed")


def _pages(client: Client, set_id: Id) -> list[GoldenExport]:
    pages = [client.evals.export(set_id)]
    while pages[-1].next_cursor is not None:
        pages.append(client.evals.export(set_id, cursor=pages[-1].next_cursor))
    return pages


def as_file_golden(golden: ExportedGolden) -> FileGolden:
    before = golden.baseline
    return FileGolden(
        id=str(golden.id),
        session=msgspec.to_builtins(golden.session),
        note=golden.note or None,
        siblings=[msgspec.to_builtins(each) for each in golden.siblings],
        baseline=Baseline(passes=before.passes, runs=before.runs) if before else None,
        floor=NoiseFloor(golden.floor) if golden.floor else None,
        min_pass=golden.min_pass,
    )
