"""What may be done with tasks, and from which role on."""

from goldloop.tenants import roles
from goldloop.tenants.model import Role

TASKS_READ = roles.declare("tasks.team.read")
TASKS_RUN = roles.declare("tasks.team.run", since=Role.CONTRIBUTOR, scope="Run tasks now")
TASKS_MANAGE = roles.declare(
    "tasks.team.manage", since=Role.ADMIN, scope="Make, schedule, change and delete tasks"
)
