"""The single source of which concepts there are and in which order data flows through them: a concept imports from those
before it. A new one is a folder and a line here.

What a concept has to offer stands in files of known names, in its folder or in those of its sub-concepts, and is taken from
there: `permissions.py`, `events.py`, `jobs.py`, `tools.py`, `surfaces.py`, `inbox.py` and `tasks.py` register what they declare when this module is
imported; the routers of `api.py` are served by `app.py`, and the parts of `demo.py` loaded by `demo.py` beside this file.
"""

import os
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

LIBRARIES = ("artifact_evals", "evals", "kit", "migrations")  # what concepts stand on
CONCEPTS = (
    "tenants",
    "jobs",
    "live",
    "limits",
    "entities",
    "criteria",
    "responses",
    "edges",
    "promotion",
    "claims",
    "conversations",
    "agents",
    "sessions",
    "runtimes",
    "otlp",
    "exports",
    "tasks",
    "population",
    "feedback",
    "knowledge",
    "goldens",
    "chain",
    "artifact_runs",
    "views",
    "webhooks",
    "archives",
    "tools",
    "mcp",
    "inbox",
    "audit",
    "erasures",
    "retention",
    "storage",
)
OUTSIDE = ("cli",)  # what stands on concepts; none of them imports another
ORDER = (*LIBRARIES, *CONCEPTS, *OUTSIDE)

_PACKAGE = Path(__file__).parent
_REGISTERING = ("permissions", "events", "jobs", "tools", "surfaces", "inbox", "tasks")


def modules(name: str) -> list[ModuleType]:
    """The files called `name` of all concepts, in flow order."""
    return [
        import_module(".".join(("goldloop", *path.relative_to(_PACKAGE).with_suffix("").parts)))
        for path in _files().get(f"{name}.py", ())
    ]


@cache
def _files() -> dict[str, list[Path]]:
    """All files of concepts by their names. The folders are walked once: each walk takes as long as many imports."""
    found = defaultdict(list)
    for concept in CONCEPTS:
        paths = (Path(folder, name) for folder, _, names in os.walk(_PACKAGE / concept) for name in names)
        for path in sorted(paths, key=lambda path: (len(path.parts), path)):
            found[path.name].append(path)
    return found


for _name in _REGISTERING:
    modules(_name)
