"""What may be done with agents' configurations beside managing them."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

AGENTS_TUNE = roles.declare(
    "agents.team.tune", since=Role.ADMIN, scope="Change agents' instructions within limits, as a new version"
)
