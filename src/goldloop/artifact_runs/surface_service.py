"""Who lists the surfaces of a workspace: a concept to the right registers its own kind here, and is not imported."""

from collections.abc import Awaitable, Callable, Iterable

from goldloop.artifact_runs.surfaces import KnownSurfaces
from goldloop.entities.types import store as types
from goldloop.kit.db import Tx

ListKeys = Callable[[Tx], Awaitable[Iterable[str]]]
SOURCES: dict[str, ListKeys] = {"entity-list": types.slugs}


def register_surfaces(kind: str, list_keys: ListKeys) -> None:
    SOURCES[kind] = list_keys


async def known_surfaces(tx: Tx) -> KnownSurfaces:
    return {kind: frozenset(await list_keys(tx)) for kind, list_keys in SOURCES.items()}
