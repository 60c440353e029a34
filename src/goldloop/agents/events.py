"""Events of agents' configurations."""

import msgspec

from goldloop.agents.model import SecretName
from goldloop.kit.events import Payload, declare
from goldloop.tenants.agents.events import AGENTS


class AgentConfigured(Payload, frozen=True, kw_only=True):
    version: int
    changed: list[str]
    restored_from: int | msgspec.UnsetType = msgspec.UNSET


class OfSecret(Payload, frozen=True, kw_only=True):
    name: SecretName


CONFIGURED = declare(
    "agent.configured",
    topic=AGENTS,
    subject="agent",
    payload=AgentConfigured,
    when="An agent got a new version of its configuration, or an old one again",
)
SECRET_SET = declare(
    "agent.secret_set",
    topic=AGENTS,
    subject="agent",
    payload=OfSecret,
    when="A secret that an agent runs with was set; the event does not tell it",
)
SECRET_REMOVED = declare(
    "agent.secret_removed",
    topic=AGENTS,
    subject="agent",
    payload=OfSecret,
    when="A secret that an agent ran with was removed",
)
