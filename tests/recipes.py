"""The files that docs/recipes.md consists of."""

import re
from pathlib import Path

RECIPES = (Path(__file__).resolve().parents[1] / "docs" / "recipes.md").read_text()


def written(name: str) -> str:
    """The block below the name of its file."""
    found = re.search(rf"^`{re.escape(name)}`\n\n```\w+\n(.*?)^```$", RECIPES, re.DOTALL | re.MULTILINE)
    assert found, f"docs/recipes.md has no {name}"
    return found[1]
