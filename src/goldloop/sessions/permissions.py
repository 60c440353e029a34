"""What may be done with sessions, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

SESSIONS_READ = roles.declare("sessions.team.read")
SESSIONS_CREATE = roles.declare(
    "sessions.team.create", since=Role.CONTRIBUTOR, scope="Start, record and cancel sessions"
)
JUDGINGS_READ = roles.declare(
    "judgings.team.review",
    since=Role.ADMIN,
    scope="Read what came of replays, and sessions in which they are judged",
)
