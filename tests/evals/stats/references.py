"""The values of scipy and statsmodels that `write_references.py` wrote."""

import json
from pathlib import Path
from typing import Any

REFERENCES: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "evals_statistics.json").read_text()
)
