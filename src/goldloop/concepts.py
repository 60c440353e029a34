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
    return [import_module(found) for found in _modules().get(name, ())]


@cache
def _modules() -> dict[str, list[str]]:
    """All modules of concepts by their last names, those of a folder before those of folders in it. The folders are walked
    once: a walk takes as long as many imports."""
    found: dict[str, list[str]] = defaultdict(list)
    for concept in CONCEPTS:
        for folder, folders, files in os.walk(_PACKAGE / concept):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            package = ".".join(("goldloop", *os.path.relpath(folder, _PACKAGE).split(os.sep)))
            for name in sorted(files):
                if name.endswith(".py"):
                    found[name[:-3]].append(f"{package}.{name[:-3]}")
    return {name: sorted(places, key=_flow) for name, places in found.items()}


def _flow(module: str) -> tuple[int, int, str]:
    parts = module.split(".")
    return CONCEPTS.index(parts[1]), len(parts), module


for _name in _REGISTERING:
    modules(_name)
