"""Who may read the audit log."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

AUDIT_READ = roles.declare(
    "audit.team.review", since=Role.ADMIN, scope="Read who did what, with which key and from where"
)
