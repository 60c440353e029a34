"""Routes of the workspace and of what its roles may do: `/api/workspace`, `/api/permissions`."""

from datetime import datetime
from uuid import UUID

import msgspec
from litestar import Router, get, patch
from litestar.params import JSONBody

from goldloop.kit.db import Actor
from goldloop.kit.http import Db, Wire, problems
from goldloop.kit.wire_types import Name
from goldloop.tenants import roles
from goldloop.tenants.auth.api import ANY_MEMBER, Auth, Who, needs
from goldloop.tenants.model import Role, Workspace
from goldloop.tenants.permissions import WORKSPACE_MANAGE
from goldloop.tenants.workspaces import service


class WorkspaceView(msgspec.Struct, frozen=True, kw_only=True):
    """The workspace, with what the caller may do in it."""

    id: UUID
    slug: str
    name: str
    created_at: datetime
    role: Role
    permissions: list[str]


class WorkspaceChange(Wire, frozen=True):
    name: Name


class RoleView(msgspec.Struct, frozen=True, kw_only=True):
    role: Role
    grants: list[str]


class ScopeView(msgspec.Struct, frozen=True, kw_only=True):
    scope: str
    description: str


class PermissionsView(msgspec.Struct, frozen=True, kw_only=True):
    roles: list[RoleView]
    scopes: list[ScopeView]


@get("/workspace", opt=ANY_MEMBER, responses=problems(), summary="Show the workspace")
async def show_workspace(db: Db, actor: Who) -> WorkspaceView:
    async with db.tx(actor) as tx:
        return _view(actor, await service.access(tx))


@patch(
    "/workspace",
    opt=needs(WORKSPACE_MANAGE),
    responses=problems(body=True),
    summary="Rename the workspace",
)
async def rename_workspace(data: JSONBody[WorkspaceChange], db: Db, actor: Who, auth: Auth) -> WorkspaceView:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return _view(actor, await service.rename(tx, data.name))


@get("/permissions", opt=ANY_MEMBER, responses=problems(), summary="What roles may do and scopes allow")
async def show_permissions() -> PermissionsView:
    return PermissionsView(
        roles=[RoleView(role=role, grants=sorted(grants)) for role, grants in roles.GRANTS.items()],
        scopes=[ScopeView(scope=scope, description=text) for scope, text in roles.SCOPES.items()],
    )


def _view(actor: Actor, workspace: Workspace) -> WorkspaceView:
    return WorkspaceView(
        id=workspace.id,
        slug=workspace.slug,
        name=workspace.name,
        created_at=workspace.created_at,
        role=Role(actor.role),
        permissions=actor.permissions.listed(),
    )


router = Router(
    "/api", route_handlers=[show_workspace, rename_workspace, show_permissions], tags=["workspace"]
)
