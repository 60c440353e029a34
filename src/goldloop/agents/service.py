"""Use cases: configure agents, look at and restore their versions, keep their secrets."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from goldloop.agents import events, store
from goldloop.agents.configuration import changed_keys, find_faults
from goldloop.agents.model import (
    AgentConfig,
    AgentSecret,
    AgentVersion,
    ConfigChanged,
    RunsWith,
    SecretName,
    SecretNotFound,
    VersionNotFound,
)
from goldloop.agents.permissions import AGENTS_TUNE
from goldloop.agents.tuning import find_fault as find_tuning_fault
from goldloop.kit.db import Tx
from goldloop.kit.errors import Forbidden, InvalidInput
from goldloop.kit.events import emit
from goldloop.kit.pagination import Page, decode_cursor, page
from goldloop.kit.tools import group_names
from goldloop.tenants.agents import service as registry
from goldloop.tenants.permissions import AGENTS_MANAGE, AGENTS_READ

AFTER_ALL = 2**31 - 1


async def configure(
    tx: Tx, agent_id: UUID, config: AgentConfig, note: str, expected: int | None
) -> AgentVersion:
    """Make the next version. What is already the newest stays as it is: the same with the same note is no version."""
    tx.actor.check(AGENTS_MANAGE)
    await registry.access(tx, agent_id)
    if faults := find_faults(config, group_names()):
        raise InvalidInput(errors=faults)
    return await _append(tx, agent_id, config, note, expected, None)


async def tune(tx: Tx, agent_id: UUID, instructions: str, note: str, expected: int) -> AgentVersion:
    """Other instructions, within limits, as a new version; nothing else changes. Agents that every workspace has are not tuned."""
    tx.actor.check(AGENTS_TUNE)
    agent = await registry.access(tx, agent_id)
    newest = await store.find_newest(tx, agent_id)
    if newest is None or agent.is_system:
        raise Forbidden("Only agents that run here and that the workspace made are tuned")
    if fault := find_tuning_fault(newest.config.instructions, instructions):
        raise InvalidInput.at("/instructions", "too_much", fault)
    config = msgspec.structs.replace(newest.config, instructions=instructions)
    return await _append(tx, agent_id, config, note, expected, None)


async def restore(tx: Tx, agent_id: UUID, version: int) -> AgentVersion:
    """An old configuration as a new version. Tool groups that are gone since are left out of it."""
    tx.actor.check(AGENTS_MANAGE)
    old = await access(tx, agent_id, version)
    groups = [name for name in old.config.tool_groups if name in group_names()]
    config = msgspec.structs.replace(old.config, tool_groups=groups)
    return await _append(tx, agent_id, config, old.note, None, version)


async def _append(
    tx: Tx, agent_id: UUID, config: AgentConfig, note: str, expected: int | None, restored_from: int | None
) -> AgentVersion:
    newest = await store.find_newest(tx, agent_id)
    number = newest.version if newest else 0
    if expected is not None and expected != number:
        raise _changed(number)
    if newest and newest.config == config and (restored_from is not None or newest.note == note):
        return newest
    if not await store.insert(tx, agent_id, number + 1, config, note, restored_from):
        raise _changed(number + 1)
    payload = events.AgentConfigured(
        version=number + 1,
        changed=changed_keys(newest.config if newest else None, config),
        restored_from=msgspec.UNSET if restored_from is None else restored_from,
    )
    await emit(tx, events.CONFIGURED.of(agent_id, payload))
    return await access(tx, agent_id, number + 1)


def _changed(number: int) -> ConfigChanged:
    return ConfigChanged(conflict={"version": number})


async def find_current(tx: Tx, agent_id: UUID) -> AgentVersion | None:
    """None for an agent that only runs elsewhere."""
    await registry.access(tx, agent_id)
    return await store.find_newest(tx, agent_id)


async def access_current(tx: Tx, agent_id: UUID) -> AgentVersion:
    found = await find_current(tx, agent_id)
    if found is None:
        raise VersionNotFound("This agent has no configuration: it runs elsewhere")
    return found


async def access(tx: Tx, agent_id: UUID, version: int) -> AgentVersion:
    await registry.access(tx, agent_id)
    found = await store.find(tx, agent_id, version) if 0 < version < AFTER_ALL else None
    if found is None:
        raise VersionNotFound
    return found


async def list_current(tx: Tx, agent_ids: Sequence[UUID]) -> dict[UUID, RunsWith]:
    tx.actor.check(AGENTS_READ)
    return await store.list_current(tx, agent_ids)


async def list_versions(tx: Tx, agent_id: UUID, cursor: str | None, limit: int) -> Page[AgentVersion]:
    await registry.access(tx, agent_id)
    before = decode_cursor(cursor, int) or AFTER_ALL
    rows = await store.list_newest_first(tx, agent_id, before, limit + 1)
    return page(rows, limit, lambda found: found.version)


def place_of(tenant_id: UUID, agent_id: UUID, name: SecretName) -> str:
    """What a secret is sealed for."""
    return f"agent_secrets/{tenant_id}/{agent_id}/{name}"


async def list_secrets(tx: Tx, agent_id: UUID) -> list[AgentSecret]:
    tx.actor.check(AGENTS_MANAGE)
    await registry.access(tx, agent_id)
    return await store.list_secrets(tx, agent_id)


async def set_secret(tx: Tx, agent_id: UUID, name: SecretName, sealed: bytes) -> None:
    tx.actor.check(AGENTS_MANAGE)
    await registry.access(tx, agent_id)
    await store.set_secret(tx, agent_id, name, sealed)
    await emit(tx, events.SECRET_SET.of(agent_id, events.OfSecret(name=name)))


async def remove_secret(tx: Tx, agent_id: UUID, name: SecretName) -> None:
    tx.actor.check(AGENTS_MANAGE)
    await registry.access(tx, agent_id)
    if not await store.remove_secret(tx, agent_id, name):
        raise SecretNotFound
    await emit(tx, events.SECRET_REMOVED.of(agent_id, events.OfSecret(name=name)))
