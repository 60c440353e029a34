"""What may be done with what runs later, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

JOBS_READ = roles.declare("jobs.team.read")
JOBS_MANAGE = roles.declare("jobs.team.manage", since=Role.ADMIN, scope="Retry and cancel jobs")
