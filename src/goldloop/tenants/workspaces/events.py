"""Events of workspaces."""

from goldloop.kit.events import Payload, declare, topic
from goldloop.tenants.permissions import WORKSPACE_READ

WORKSPACE = topic("workspace", read_by=WORKSPACE_READ)


class WorkspaceCreated(Payload, frozen=True, kw_only=True):
    slug: str


class WorkspaceRenamed(Payload, frozen=True, kw_only=True):
    name: str
    name_before: str


CREATED = declare(
    "workspace.created",
    topic=WORKSPACE,
    subject="workspace",
    payload=WorkspaceCreated,
    when="An operator made a workspace",
)
RENAMED = declare(
    "workspace.renamed",
    topic=WORKSPACE,
    subject="workspace",
    payload=WorkspaceRenamed,
    when="A workspace got another name",
)
