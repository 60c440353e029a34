"""Puts the built web UI into the wheel."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebUi(BuildHookInterface[Any]):  # type: ignore[misc, unused-ignore]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / "PKG-INFO").exists():  # an sdist has it built
            _build(root)
        build_data["force_include"][str(root / "web" / "dist")] = "goldloop/web_dist"


def _build(root: Path) -> None:
    sys.path.insert(0, str(root / "tools"))
    from build_web import build

    if not build(root / "web", required=True):
        raise RuntimeError("The wheel needs the web UI, and it could not be built")
