"""What may be done with records and their types, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

ENTITIES_READ = roles.declare("entities.team.read")
ENTITIES_CREATE = roles.declare("entities.team.create", since=Role.CONTRIBUTOR, scope="Create records")
ENTITIES_UPDATE = roles.declare(
    "entities.team.update", since=Role.REVIEWER, scope="Edit records, promote and undo"
)
ENTITY_TYPES_READ = roles.declare("entity_types.team.read")
ENTITY_TYPES_MANAGE = roles.declare("entity_types.team.manage", since=Role.ADMIN, scope="Define entity types")
SAVED_LISTS_OWN = roles.declare(
    "saved_lists.own.manage", since=Role.VIEWER, scope="Keep saved lists and columns of their own"
)
SAVED_LISTS_SHARE = roles.declare(
    "saved_lists.team.share", since=Role.CONTRIBUTOR, scope="Share saved lists with the workspace"
)
SAVED_LISTS_MANAGE = roles.declare("saved_lists.team.manage", since=Role.ADMIN)
