"""What may be done with a workspace, its members, agents and keys, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

WORKSPACE_READ = roles.declare("workspace.team.read")
WORKSPACE_MANAGE = roles.declare("workspace.team.manage", since=Role.ADMIN, scope="Rename the workspace")
WORKSPACE_OWN = roles.declare("workspace.team.own", since=Role.OWNER)
MEMBERS_READ = roles.declare("members.team.read")
MEMBERS_MANAGE = roles.declare(
    "members.team.manage", since=Role.ADMIN, scope="Invite, change and remove members"
)
AGENTS_READ = roles.declare("agents.team.read")
AGENTS_MANAGE = roles.declare("agents.team.manage", since=Role.ADMIN, scope="Register and change agents")
KEYS_MANAGE = roles.declare("keys.team.manage", since=Role.ADMIN, scope="Make and revoke API keys")
ADMIN_MANAGE = roles.declare("admin.team.manage", since=Role.ADMIN, scope="Everything under /api/admin")
