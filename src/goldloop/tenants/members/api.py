"""Routes of a workspace's members: `/api/members`."""

from datetime import datetime

import msgspec
from litestar import Router, delete, get, patch, post
from litestar.params import JSONBody

from goldloop.kit.http import Db, PathId, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.kit.wire_types import Email, Name
from goldloop.tenants.auth.api import Auth, Who, needs
from goldloop.tenants.members import service
from goldloop.tenants.model import (
    AlreadyJoined,
    LastOwner,
    Member,
    MemberExists,
    MemberNotFound,
    Role,
    RoleTooHigh,
)
from goldloop.tenants.permissions import MEMBERS_MANAGE, MEMBERS_READ


class NewMember(Wire, frozen=True):
    email: Email
    role: Role
    name: Name | None = None


class MemberChange(Wire, frozen=True):
    role: Role


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """The member, and the secret of the link `/join#token=…`: shown here and never again."""

    member: Member
    invite_token: str
    invite_expires_at: datetime


@get("/", opt=needs(MEMBERS_READ), responses=problems(), summary="List members")
async def list_members(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[Member]:
    async with db.tx(actor) as tx:
        return await service.list_members(tx, cursor, limit)


@post(
    "/",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberExists, RoleTooHigh, body=True),
    summary="Invite a person",
)
async def invite_member(data: JSONBody[NewMember], db: Db, actor: Who) -> Invited:
    async with db.tx(actor) as tx:
        return _invited(await service.invite(tx, data.email, data.name, data.role))


@post(
    "/{user_id:uuid}/invite",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberNotFound, AlreadyJoined, RoleTooHigh),
    summary="Make a new invitation link",
)
async def invite_member_again(user_id: PathId, db: Db, actor: Who) -> Invited:
    async with db.tx(actor) as tx:
        return _invited(await service.invite_again(tx, user_id))


@patch(
    "/{user_id:uuid}",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberNotFound, LastOwner, RoleTooHigh, body=True),
    summary="Change a member's role",
)
async def change_member(
    user_id: PathId, data: JSONBody[MemberChange], db: Db, actor: Who, auth: Auth
) -> Member:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        return await service.change_role(tx, user_id, data.role)


@delete(
    "/{user_id:uuid}",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberNotFound, LastOwner, RoleTooHigh),
    summary="Remove a member",
)
async def remove_member(user_id: PathId, db: Db, actor: Who, auth: Auth) -> None:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        await service.remove(tx, user_id)


def _invited(invitation: service.Invitation) -> Invited:
    return Invited(
        member=invitation.member,
        invite_token=invitation.token,
        invite_expires_at=invitation.expires_at,
    )


router = Router(
    "/api/members",
    route_handlers=[list_members, invite_member, invite_member_again, change_member, remove_member],
    tags=["members"],
)
