"""What may be done with views, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

VIEWS_READ = roles.declare("views.team.read")
VIEWS_MANAGE = roles.declare("views.team.manage", since=Role.ADMIN, scope="Lay out views")
