"""What may be done with knowledge, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

KNOWLEDGE_READ = roles.declare("knowledge.team.read")
KNOWLEDGE_CREATE = roles.declare(
    "knowledge.team.create",
    since=Role.CONTRIBUTOR,
    scope="Write down corrections, lessons and insights for a person to approve",
)
KNOWLEDGE_MANAGE = roles.declare(
    "knowledge.team.manage",
    since=Role.ADMIN,
    scope="Write, approve, change and retire knowledge, and say whether the review agent works",
)
MEMORIES_OWN = roles.declare(
    "memories.own.manage", since=Role.VIEWER, scope="Keep what agents are to remember about oneself"
)
