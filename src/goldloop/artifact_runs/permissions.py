"""What may be done with artifact evals, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

ARTIFACT_EVALS_READ = roles.declare("artifact_evals.team.read")
ARTIFACT_EVALS_MANAGE = roles.declare(
    "artifact_evals.team.manage", since=Role.ADMIN, scope="Score records with artifact eval suites"
)
