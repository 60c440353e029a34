"""What agents do when something happens: a new workspace gets those that come with Goldloop."""

from goldloop.agents.service import add_system_agents
from goldloop.kit.events import Listener, listen
from goldloop.tenants.workspaces.events import CREATED

listen(CREATED.name, Listener(act=add_system_agents))
