"""What may be done with limits, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

LIMITS_MANAGE = roles.declare(
    "limits.team.manage", since=Role.ADMIN, scope="Set limits, and see what is used and what is left"
)
