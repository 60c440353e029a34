"""What may be done with webhooks, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

WEBHOOKS_MANAGE = roles.declare(
    "webhooks.team.manage",
    since=Role.ADMIN,
    scope="Say where events are sent, and see what was sent",
)
