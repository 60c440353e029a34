"""The tables of cases that pytest and vitest share."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "cases"


def load(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


def ids(case: object) -> str | None:
    return str(case.get("case")) if isinstance(case, dict) and "case" in case else None
