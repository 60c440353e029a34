"""What happens with agents when a workspace is made."""

from goldloop.agents import system_service
from goldloop.kit.events import Listener, listen
from goldloop.tenants.workspaces.events import CREATED

listen(CREATED.name, Listener(act=system_service.make_all))
