"""Who may delete for good."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

ERASURES_MANAGE = roles.declare(
    "erasures.team.manage",
    since=Role.ADMIN,
    scope="Delete conversations, sessions, records, responses and end users for good, and say how long things are kept",
)
