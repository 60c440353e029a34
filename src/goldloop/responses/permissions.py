"""What may be done with responses, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

RESPONSES_READ = roles.declare("responses.team.read")
RESPONSES_CREATE = roles.declare("responses.team.create", since=Role.CONTRIBUTOR, scope="Submit responses")
RESPONSES_REVIEW = roles.declare(
    "responses.team.review", since=Role.REVIEWER, scope="Reject and reopen responses"
)
