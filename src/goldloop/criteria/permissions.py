"""What may be done with criteria sets, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

CRITERIA_SETS_READ = roles.declare("criteria_sets.team.read")
CRITERIA_SETS_MANAGE = roles.declare(
    "criteria_sets.team.manage", since=Role.ADMIN, scope="Define criteria sets"
)
