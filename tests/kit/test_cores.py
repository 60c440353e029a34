"""How many cores a process has: those of its container's share, where that is less."""

import os
import sys
from pathlib import Path

import pytest

from goldloop.kit import cores


@pytest.mark.parametrize(
    ("share", "found"),
    [
        (None, 8),
        ("max 100000\n", 8),
        ("100000 100000\n", 1),
        ("150000 100000\n", 2),
        ("1600000 100000\n", 8),
        ("1000 100000\n", 1),
        ("0 0\n", 8),
        ("words\n", 8),
    ],
)
def test_a_share_of_the_machine_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: str | None, found: int
) -> None:
    file = tmp_path / "cpu.max"
    if share is not None:
        file.write_text(share)
    monkeypatch.setattr(cores, "CGROUP_SHARE", file)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert cores.usable_cores() == found
