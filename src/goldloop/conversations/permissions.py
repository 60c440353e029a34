"""What may be done with conversations and reactions, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

CONVERSATIONS_READ = roles.declare("conversations.team.read")
CONVERSATIONS_CREATE = roles.declare(
    "conversations.team.create", since=Role.CONTRIBUTOR, scope="Send conversations and turns"
)
REACTIONS_CREATE = roles.declare("reactions.own.create", since=Role.CONTRIBUTOR, scope="React to turns")
REACTIONS_SETTLE = roles.declare(
    "reactions.team.settle", since=Role.REVIEWER, scope="Settle unclear reactions"
)
