"""What may be done with sessions, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

SESSIONS_READ = roles.declare("sessions.team.read")
SESSIONS_CREATE = roles.declare(
    "sessions.team.create", since=Role.CONTRIBUTOR, scope="Start, record and cancel sessions"
)
