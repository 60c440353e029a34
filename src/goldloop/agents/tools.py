"""Tools by which an agent reads what others run with, and tunes it within limits."""

from typing import Annotated, Any
from uuid import UUID

import msgspec

from goldloop.agents import service
from goldloop.agents.model import AgentConfig, Instructions, VersionNotFound
from goldloop.agents.permissions import AGENTS_TUNE
from goldloop.kit.db import Tx
from goldloop.kit.http import Wire
from goldloop.kit.tools import plain, tool
from goldloop.kit.wire_types import Version


class GetAgentConfig(Wire, frozen=True, rename="camel"):
    agent_id: UUID


class AgentConfigRead(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    agent_id: UUID
    version: int
    config: AgentConfig


class UpdateAgentConfig(Wire, frozen=True, rename="camel"):
    agent_id: UUID
    version: Version
    instructions: Instructions
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


@tool(
    "getAgentConfig",
    group="agents-admin",
    permission=AGENTS_TUNE,
    arguments=GetAgentConfig,
    result=AgentConfigRead,
    writes=False,
)
async def get_agent_config(tx: Tx, call: GetAgentConfig) -> dict[str, Any]:
    """Read what an agent runs with: its instructions, tool groups and limits, and the number of its version."""
    found = await service.find_current(tx, call.agent_id)
    if found is None:
        raise VersionNotFound
    return plain(AgentConfigRead(agent_id=call.agent_id, version=found.version, config=found.config))


@tool(
    "updateAgentConfig",
    group="agents-admin",
    permission=AGENTS_TUNE,
    arguments=UpdateAgentConfig,
    result=AgentConfigRead,
    writes=True,
)
async def update_agent_config(tx: Tx, call: UpdateAgentConfig) -> dict[str, Any]:
    """Give an agent other instructions, as a new version that a person can take back. `version` is the one you read, `note` says
    why. Most of what was there stays: at most 2,000 characters come or go, and at least half of the lines are kept."""
    made = await service.tune(tx, call.agent_id, call.instructions, call.note, call.version)
    return plain(AgentConfigRead(agent_id=call.agent_id, version=made.version, config=made.config))
