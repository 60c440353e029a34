"""What may be done with archives, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

ARCHIVES_MANAGE = roles.declare(
    "archives.team.manage", since=Role.ADMIN, scope="Export everything that the workspace owns"
)
