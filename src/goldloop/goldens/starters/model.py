"""Types and errors of starter sets: what one is made of, and how far it is loaded."""

from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from goldloop.kit.errors import NotFound


class StarterNotFound(NotFound):
    code, title = "starter_not_found", "There is no starter set of this name"


class StarterType(NamedTuple):
    slug: str
    name: str
    schema: dict[str, Any]
    fields: dict[str, Any]


class StarterRecord(NamedTuple):
    type: str
    title: str
    content: dict[str, Any]


class Request(NamedTuple):
    """What the persona asks its agent. The session becomes a golden with this note, and a good answer says these facts."""

    key: str
    message: str
    note: str
    facts: tuple[str, ...] = ()


class Trial(NamedTuple):
    """Another version of the agent, and a run of the set with it. Without `instructions` it is the first version again."""

    name: str
    note: str
    repeats: int
    instructions: str | None = None


class Lessons(NamedTuple):
    """A second agent with shorter instructions, lessons that are in shadow, and an experiment on the set that shows what each of them
    is worth to it."""

    agent: str
    title: str
    description: str
    instructions: str
    lessons: tuple[str, ...]
    name: str
    replays: int
    pairs: int


class Starter(NamedTuple):
    """`name` is that of the set, of the agent and of its script."""

    name: str
    title: str
    description: str
    agent: str
    instructions: str
    types: tuple[StarterType, ...]
    records: tuple[StarterRecord, ...]
    requests: tuple[Request, ...]
    trials: tuple[Trial, ...]
    lessons: Lessons | None = None


class StarterState(StrEnum):
    """While it is `loading` its sessions still run."""

    ABSENT = "absent"
    LOADING = "loading"
    LOADED = "loaded"


class StarterSet(msgspec.Struct, frozen=True, kw_only=True):
    """A set that can be loaded. `goldens` is how many it has, `promoted` how many of them are golden in this workspace."""

    name: str
    title: str
    description: str
    goldens: int
    promoted: int
    state: StarterState


class StarterSets(msgspec.Struct, frozen=True, kw_only=True):
    data: list[StarterSet]
