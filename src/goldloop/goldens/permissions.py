"""What may be done with goldens, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

EVALS_READ = roles.declare(
    "evals.team.review", since=Role.ADMIN, scope="Read goldens with what was frozen of them, and candidates"
)
EVALS_MANAGE = roles.declare(
    "evals.team.manage", since=Role.ADMIN, scope="Promote, change and revoke goldens, rename their sets"
)
EVALS_LABEL = roles.declare(
    "evals.team.label",
    since=Role.REVIEWER,
    scope="Label judged replays, without seeing what the judge says",
)
