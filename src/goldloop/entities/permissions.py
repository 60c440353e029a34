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
