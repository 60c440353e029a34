"""What may be done with feedback, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

FEEDBACK_READ = roles.declare("feedback.own.read", since=Role.VIEWER, scope="Read one's own feedback")
FEEDBACK_CREATE = roles.declare("feedback.own.create", since=Role.VIEWER, scope="Give feedback")
FEEDBACK_REVIEW = roles.declare(
    "feedback.team.review",
    since=Role.ADMIN,
    scope="Read everybody's feedback, review and group it, flag things, import feedback",
)
FEEDBACK_ERASE = roles.declare("feedback.team.erase", since=Role.ADMIN, scope="Erase feedback for good")
