"""Events of agents."""

from goldloop.kit.events import NoPayload, Payload, declare, topic
from goldloop.tenants.permissions import AGENTS_READ

AGENTS = topic("agents", read_by=AGENTS_READ)


class AgentCreated(Payload, frozen=True, kw_only=True):
    slug: str


CREATED = declare(
    "agent.created", topic=AGENTS, subject="agent", payload=AgentCreated, when="An agent was registered"
)
CHANGED = declare(
    "agent.changed",
    topic=AGENTS,
    subject="agent",
    payload=NoPayload,
    when="An agent got another name or description, or was switched on or off",
)
