"""Goldens in a file."""

import json
from pathlib import Path
from typing import Any

import pytest

from goldloop.evals.golden_files import (
    Baseline,
    FileGolden,
    GoldenFile,
    GoldensNotRead,
    read_goldens,
    write_goldens,
)

SESSION = {"type": "chat", "status": "completed", "events": []}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    golden = FileGolden(
        id="a", session={**SESSION, "facts": ["7"]}, siblings=[SESSION], baseline=Baseline(passes=4, runs=5)
    )
    file = GoldenFile(set="smoke", version=3, baseline="support v2", goldens=[golden])
    write_goldens(file, tmp_path / "goldens.json")
    assert read_goldens(tmp_path / "goldens.json") == file
    assert json.loads((tmp_path / "goldens.json").read_text())["format"] == "goldloop-goldens-1"


def content(**more: Any) -> dict[str, Any]:
    golden = {"id": "a", "session": SESSION, **more}
    return {"format": "goldloop-goldens-1", "set": "s", "goldens": [golden]}


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("{", "goldens.json"),
        (json.dumps({**content(), "format": "other"}), "$.format"),
        (json.dumps(content(extra=1)), "extra"),
        (json.dumps(content(session={})), "goldens[0].session.type"),
        (json.dumps(content(siblings=[{**SESSION, "events": None}])), "goldens[0].siblings[0].events"),
        (json.dumps(content(baseline={"passes": 6, "runs": 5})), "goldens[0].baseline"),
        (json.dumps({**content(), "goldens": [content()["goldens"][0]] * 2}), "goldens[1].id"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_its_place(tmp_path: Path, written: str, place: str) -> None:
    path = tmp_path / "goldens.json"
    path.write_text(written)
    with pytest.raises(GoldensNotRead) as refused:
        read_goldens(path)
    assert place in str(refused.value)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(GoldensNotRead, match="No such file"):
        read_goldens(tmp_path / "none.json")
