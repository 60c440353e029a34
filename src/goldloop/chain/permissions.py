"""What may be done with what was retracted, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

CHAIN_READ = roles.declare("chain.team.read")
CHAIN_RETRACT = roles.declare(
    "chain.team.retract",
    since=Role.REVIEWER,
    scope="Say that a source is not to be relied on, and settle what rests on it",
)
