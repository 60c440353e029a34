"""Routes of one's own account, `/api/account`, and of how members sign in: `/api/members/{user_id}/…`."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.params import FromPath, JSONBody

from goldloop.kit.http import Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import Page
from goldloop.tenants.accounts import service
from goldloop.tenants.auth.api import SESSION_COOKIE, SESSION_ONLY, Auth, Person, Who, needs
from goldloop.tenants.identities import service as identities
from goldloop.tenants.identities.api import BROWSER_COOKIE, ProviderAddress, sent_away
from goldloop.tenants.identities.providers import PROVIDERS
from goldloop.tenants.model import (
    IdentityNotFound,
    LastWayIn,
    MemberNotFound,
    NoPassword,
    NoSecondFactor,
    NotJoined,
    PasswordsOff,
    ProviderNotFound,
    ProviderUnavailable,
    RoleTooHigh,
    SecondFactorExists,
    SessionNotFound,
    TooManyAttempts,
)
from goldloop.tenants.permissions import MEMBERS_MANAGE
from goldloop.tenants.sign_in import service as sign_in
from goldloop.tenants.sign_in.api import Code, Password, check_passwords, visit_of
from goldloop.tenants.sign_in.model import SignIn

ACCOUNT_PAGE = "/settings/account"


class LinkedIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """Who the person is at a provider. `label` is its name for people; the plain one where the settings do not have it any
    more."""

    id: UUID
    provider: str
    label: str
    email: str
    linked_at: datetime
    last_used_at: datetime


class AccountView(msgspec.Struct, frozen=True, kw_only=True):
    """How the person who is signed in can do so."""

    id: UUID
    email: str
    name: str
    has_password: bool
    second_factor_since: datetime | None
    recovery_codes_left: int
    identities: list[LinkedIdentity]


class NewSecondFactor(Wire, frozen=True):
    current_password: Password


class EnrolmentView(msgspec.Struct, frozen=True, kw_only=True):
    """The secret for an authenticator app, as text, as its address and as the rows of a QR code (`1` is dark): shown here
    and never again."""

    secret: str
    uri: str
    qr: list[str]


class GivenCode(Wire, frozen=True):
    code: Code


class SecondFactorRemoval(Wire, frozen=True):
    current_password: Password
    code: Code


class RecoveryCodes(msgspec.Struct, frozen=True, kw_only=True):
    """Each is good once in place of a code; shown here and never again."""

    recovery_codes: list[str]


class EndedSessions(msgspec.Struct, frozen=True, kw_only=True):
    ended: int


@get("/", opt=SESSION_ONLY, responses=problems(), summary="Show one's account")
async def show_account(
    request: Request[Any, Any, Any], signed_in: Person, db: Db, outside: Ports
) -> AccountView:
    found = await service.show(db, request.cookies[SESSION_COOKIE])
    clients = outside[PROVIDERS].by_name
    return AccountView(
        id=signed_in.account_id,
        email=signed_in.email,
        name=signed_in.name,
        has_password=found["has_password"],
        second_factor_since=found["second_factor_since"],
        recovery_codes_left=found["recovery_codes_left"],
        identities=[
            msgspec.convert({**each, "label": _label(clients, each["provider"])}, LinkedIdentity)
            for each in found["identities"]
        ],
    )


@get("/sessions", opt=SESSION_ONLY, responses=problems(), summary="Where one is signed in")
async def list_sign_ins(request: Request[Any, Any, Any], signed_in: Person, db: Db) -> Page[SignIn]:
    """The newest 200 at most, so there is no second page."""
    found = await sign_in.list_own(db, request.cookies[SESSION_COOKIE])
    return Page(data=found, next_cursor=None)


@delete(
    "/sessions/{session_id:uuid}",
    opt=SESSION_ONLY,
    responses=problems(SessionNotFound),
    summary="Sign out elsewhere",
    status_code=204,
)
async def end_sign_in(
    request: Request[Any, Any, Any], session_id: PathId, signed_in: Person, db: Db, auth: Auth
) -> None:
    await sign_in.end_own(db, request.cookies[SESSION_COOKIE], session_id)
    auth.forget()


@delete(
    "/sessions",
    opt=SESSION_ONLY,
    responses=problems(),
    summary="Sign out everywhere else",
    status_code=200,
)
async def end_other_sign_ins(
    request: Request[Any, Any, Any], signed_in: Person, db: Db, auth: Auth
) -> EndedSessions:
    ended = await sign_in.end_others(db, request.cookies[SESSION_COOKIE])
    auth.forget()
    return EndedSessions(ended=ended)


@post(
    "/second-factor",
    opt=SESSION_ONLY,
    responses=problems(SecondFactorExists, NoPassword, TooManyAttempts, body=True),
    summary="Begin a second factor",
)
async def begin_second_factor(
    request: Request[Any, Any, Any],
    data: JSONBody[NewSecondFactor],
    signed_in: Person,
    db: Db,
    outside: Ports,
) -> EnrolmentView:
    begun = await service.begin_second_factor(
        db,
        outside.sealer,
        request.cookies[SESSION_COOKIE],
        signed_in,
        data.current_password,
        visit_of(request).client,
    )
    return EnrolmentView(secret=begun.secret, uri=begun.uri, qr=begun.qr)


@post(
    "/second-factor/confirm",
    opt=SESSION_ONLY,
    responses=problems(SecondFactorExists, NoSecondFactor, TooManyAttempts, body=True),
    summary="Confirm a second factor by a first code",
)
async def confirm_second_factor(
    request: Request[Any, Any, Any], data: JSONBody[GivenCode], signed_in: Person, db: Db, outside: Ports
) -> RecoveryCodes:
    session, client = request.cookies[SESSION_COOKIE], visit_of(request).client
    codes = await service.confirm_second_factor(db, outside.sealer, session, signed_in, data.code, client)
    return RecoveryCodes(recovery_codes=codes)


@post(
    "/second-factor/recovery-codes",
    opt=SESSION_ONLY,
    responses=problems(NoSecondFactor, TooManyAttempts, body=True),
    summary="Make new recovery codes",
)
async def renew_recovery_codes(
    request: Request[Any, Any, Any], data: JSONBody[GivenCode], signed_in: Person, db: Db, outside: Ports
) -> RecoveryCodes:
    client = visit_of(request).client
    return RecoveryCodes(
        recovery_codes=await service.renew_recovery_codes(db, outside.sealer, signed_in, data.code, client)
    )


@post(
    "/second-factor/remove",
    opt=SESSION_ONLY,
    responses=problems(NoSecondFactor, NoPassword, TooManyAttempts, body=True),
    summary="Take one's second factor away",
    status_code=204,
)
async def remove_second_factor(
    request: Request[Any, Any, Any],
    data: JSONBody[SecondFactorRemoval],
    signed_in: Person,
    db: Db,
    outside: Ports,
) -> None:
    await service.remove_second_factor(
        db,
        outside.sealer,
        request.cookies[SESSION_COOKIE],
        signed_in,
        data.current_password,
        data.code,
        visit_of(request).client,
    )


@post(
    "/identities/{provider:str}",
    opt=SESSION_ONLY,
    responses=problems(ProviderNotFound, ProviderUnavailable, TooManyAttempts),
    summary="Begin to link an identity at a provider",
)
async def begin_link(
    request: Request[Any, Any, Any],
    provider: FromPath[Annotated[str, msgspec.Meta(max_length=30)]],
    signed_in: Person,
    db: Db,
    outside: Ports,
) -> Response[ProviderAddress]:
    begun = await identities.begin(
        db,
        outside.sealer,
        outside[PROVIDERS].access(provider),
        purpose="link",
        browser=request.cookies.get(BROWSER_COOKIE),
        visit=visit_of(request),
        next_page=ACCOUNT_PAGE,
        account_id=signed_in.account_id,
    )
    return sent_away(request, begun)


@delete(
    "/identities/{identity_id:uuid}",
    opt=SESSION_ONLY,
    responses=problems(IdentityNotFound, LastWayIn),
    summary="Unlink an identity",
    status_code=204,
)
async def unlink_identity(
    request: Request[Any, Any, Any], identity_id: PathId, signed_in: Person, db: Db
) -> None:
    await identities.unlink(db, request.cookies[SESSION_COOKIE], identity_id)


class NewReset(Wire, frozen=True):
    """`second_factor` says whether it goes as well."""

    second_factor: bool = False


class ResetView(msgspec.Struct, frozen=True, kw_only=True):
    """The secret of the link `/reset#token=…`: shown here and never again."""

    reset_token: str
    reset_expires_at: datetime


@post(
    "/{user_id:uuid}/reset",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberNotFound, NotJoined, RoleTooHigh, PasswordsOff, body=True),
    summary="Make a link to a new password",
)
async def reset_member(
    user_id: PathId, data: JSONBody[NewReset], db: Db, actor: Who, outside: Ports
) -> ResetView:
    check_passwords(outside)
    async with db.tx(actor) as tx:
        link = await sign_in.open_reset(tx, user_id, second_factor=data.second_factor)
    return ResetView(reset_token=link.token, reset_expires_at=link.expires_at)


@delete(
    "/{user_id:uuid}/sessions",
    opt=needs(MEMBERS_MANAGE),
    responses=problems(MemberNotFound, NotJoined, RoleTooHigh),
    summary="Sign a member out everywhere",
    status_code=204,
)
async def end_member_sessions(user_id: PathId, db: Db, actor: Who, auth: Auth) -> None:
    async with db.tx(actor) as tx:
        tx.after_commit.append(auth.forget)
        await sign_in.end_member_sessions(tx, user_id)


def _label(clients: Any, provider: str) -> str:
    return clients[provider].provider.label if provider in clients else provider


router = Router(
    "/api/account",
    route_handlers=[
        show_account,
        list_sign_ins,
        end_sign_in,
        end_other_sign_ins,
        begin_second_factor,
        confirm_second_factor,
        renew_recovery_codes,
        remove_second_factor,
        begin_link,
        unlink_identity,
    ],
    tags=["account"],
)
members_router = Router("/api/members", route_handlers=[reset_member, end_member_sessions], tags=["members"])
