"""The registry of kinds of tasks. A concept brings its own in its `tasks.py`; the same registry checks a configuration and
starts a run."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec

from goldloop.kit.db import Tx
from goldloop.kit.errors import Fault, Faults, InvalidInput
from goldloop.kit.http import read_as
from goldloop.sessions.model import Session
from goldloop.tasks.model import Task


async def _nothing_wrong(tx: Tx, config: Any) -> Faults:
    return Faults()


async def _always(tx: Tx, config: Any) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskKind:
    """`config` is the type of a task's configuration, and `check` says what else is wrong with one, at places within it.
    `start` begins a session, under the given id if there is one; `default_agent` does it where no other is named. `has_work`
    says whether there is anything to do: where there is not, a time that the schedule has is skipped. Tasks of a kind that is
    `managed` are made and ended by a setting of the workspace, and nobody else makes or changes one."""

    name: str
    config: type[msgspec.Struct]
    start: Callable[[Tx, Task, Any, UUID | None], Awaitable[Session]]
    check: Callable[[Tx, Any], Awaitable[Faults]] = _nothing_wrong
    default_agent: str | None = None
    has_work: Callable[[Tx, Any], Awaitable[bool]] = _always
    managed: bool = False


KINDS: dict[str, TaskKind] = {}


def register(kind: TaskKind) -> TaskKind:
    KINDS[kind.name] = kind
    return kind


def access_kind(name: str) -> TaskKind:
    if name not in KINDS:
        offered = ", ".join(sorted(name for name, kind in KINDS.items() if not kind.managed))
        raise InvalidInput.at("/kind", "unknown_task_kind", f"The kinds of tasks are {offered}")
    return KINDS[name]


async def read_config(tx: Tx, kind: TaskKind, config: dict[str, Any]) -> Any:
    """A configuration as its kind has it; raises with what is wrong, under `/config`."""
    try:
        typed = read_as(config, kind.config)
        faults = await kind.check(tx, typed)
    except InvalidInput as error:
        faults = error.errors
    if faults:
        raise InvalidInput(errors=[_under_config(fault) for fault in faults])
    return typed


def _under_config(fault: Fault) -> Fault:
    return Fault(path=f"/config{fault.path}", code=fault.code, message=fault.message)
