"""Routes of sign-in: `/api/session`."""

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody

from goldloop.kit.errors import (
    Forbidden,
    InvalidInput,
    MalformedRequest,
    RequestTooLarge,
    Unauthenticated,
    Unavailable,
    UnsupportedMediaType,
)
from goldloop.kit.http import Db, Ports, Wire, problem_specs, problems
from goldloop.kit.outside import Outside
from goldloop.kit.wire_types import Email, Name
from goldloop.tenants.auth.api import CSRF_COOKIE, PUBLIC, SESSION_COOKIE, SESSION_ONLY, Auth, Person
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.model import (
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    NoPassword,
    PasswordsOff,
    ResetNotFound,
    Role,
    SecondFactorNeeded,
    TooManyAttempts,
)
from goldloop.tenants.sign_in import service
from goldloop.tenants.sign_in.model import PASSWORDS, Visit

Password = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Code = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]

BODY_PROBLEMS = (MalformedRequest, InvalidInput, RequestTooLarge, UnsupportedMediaType, Unavailable)
_NOT_YET = (SecondFactorNeeded, PasswordsOff)


class Credentials(Wire, frozen=True):
    """`code` is that of the second factor, where the account has one, or a recovery code."""

    email: Email
    password: Password
    code: Code | None = None


class Joining(Wire, frozen=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    name: Name
    password: Password
    code: Code | None = None


class NewPassword(Wire, frozen=True):
    """By a link to a new password, `/reset#token=…`."""

    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    password: Password
    code: Code | None = None


class Acceptance(Wire, frozen=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class PasswordChange(Wire, frozen=True):
    current_password: Password
    new_password: Password


class SessionUser(msgspec.Struct, frozen=True, kw_only=True):
    """The account: who somebody is in a workspace, its `user_id` says."""

    id: UUID
    email: str
    name: str


class SessionWorkspace(msgspec.Struct, frozen=True, kw_only=True):
    slug: str
    name: str
    role: Role
    user_id: UUID


class SignInSession(msgspec.Struct, frozen=True, kw_only=True):
    """`joined` is the slug of the workspace that an invitation was just used for."""

    user: SessionUser
    csrf_token: str
    workspaces: list[SessionWorkspace]
    joined: str | None = None


class CrossSite(Forbidden):
    code, title = "cross_site", "A sign-in from another site is refused"


@get("/", opt=SESSION_ONLY, responses=problems(), summary="Who is signed in")
async def show_signed_in(request: Request[Any, Any, Any], signed_in: Person, auth: Auth) -> SignInSession:
    return _session(auth, request.cookies[SESSION_COOKIE], signed_in)


@post(
    "/",
    opt=PUBLIC,
    responses=problem_specs(*BODY_PROBLEMS, InvalidCredentials, *_NOT_YET, CrossSite, TooManyAttempts),
    summary="Sign in with a password",
)
async def sign_in(
    request: Request[Any, Any, Any], data: JSONBody[Credentials], db: Db, auth: Auth, outside: Ports
) -> Response[SignInSession]:
    check_same_site(request)
    check_passwords(outside)
    session = await service.sign_in(
        db, outside.sealer, data.email, data.password, data.code, visit_of(request)
    )
    return await _signed_in(request, auth, session)


@post(
    "/join",
    opt=PUBLIC,
    responses=problem_specs(*BODY_PROBLEMS, InviteNotFound, *_NOT_YET, CrossSite, TooManyAttempts),
    summary="Join by invitation",
)
async def join(
    request: Request[Any, Any, Any], data: JSONBody[Joining], db: Db, auth: Auth, outside: Ports
) -> Response[SignInSession]:
    check_same_site(request)
    check_passwords(outside)
    session, slug = await service.join(
        db, outside.sealer, data.token, data.name, data.password, data.code, visit_of(request)
    )
    return await _signed_in(request, auth, session, slug)


@post(
    "/accept",
    opt=SESSION_ONLY,
    responses=problems(InviteNotFound, InviteForAnother, body=True),
    summary="Use an invitation as the person who is signed in",
)
async def accept_invite(
    request: Request[Any, Any, Any], data: JSONBody[Acceptance], signed_in: Person, db: Db, auth: Auth
) -> SignInSession:
    session = request.cookies[SESSION_COOKIE]
    slug = await service.accept_invite(db, data.token, session)
    auth.forget()
    person = await auth.signed_in(session, None)
    if person is None:
        raise Unauthenticated
    return _session(auth, session, person, slug)


@post(
    "/reset",
    opt=PUBLIC,
    responses=problem_specs(*BODY_PROBLEMS, ResetNotFound, *_NOT_YET, CrossSite, TooManyAttempts),
    summary="Set a new password by a link",
)
async def use_reset(
    request: Request[Any, Any, Any], data: JSONBody[NewPassword], db: Db, auth: Auth, outside: Ports
) -> Response[SignInSession]:
    check_same_site(request)
    session = await service.use_reset(
        db,
        outside.sealer,
        data.token,
        data.password,
        data.code,
        visit_of(request),
        passwords=outside[PASSWORDS],
    )
    auth.forget()
    return await _signed_in(request, auth, session)


@post(
    "/password",
    opt=SESSION_ONLY,
    responses=problems(TooManyAttempts, NoPassword, PasswordsOff, body=True),
    summary="Change one's password",
    status_code=204,
)
async def change_password(
    request: Request[Any, Any, Any],
    data: JSONBody[PasswordChange],
    signed_in: Person,
    db: Db,
    auth: Auth,
    outside: Ports,
) -> None:
    check_passwords(outside)
    await service.change_password(
        db,
        request.cookies[SESSION_COOKIE],
        signed_in,
        data.current_password,
        data.new_password,
        visit_of(request).client,
    )
    auth.forget()


def check_passwords(outside: Outside) -> None:
    if not outside[PASSWORDS]:
        raise PasswordsOff


def check_same_site(request: Request[Any, Any, Any]) -> None:
    """A form on another site must not be able to sign a person in as somebody else."""
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise CrossSite


def visit_of(request: Request[Any, Any, Any]) -> Visit:
    return Visit(
        client=request.client.host if request.client else "",
        device="".join(c for c in request.headers.get("user-agent", "") if c.isprintable()),
    )


async def _signed_in(
    request: Request[Any, Any, Any], auth: Authenticator, session: str, joined: str | None = None
) -> Response[SignInSession]:
    body = await session_body(auth, session, joined)
    return Response(body, status_code=201, cookies=session_cookies(request, session, body.csrf_token))


async def session_body(auth: Authenticator, session: str, joined: str | None = None) -> SignInSession:
    """What a browser is told of a session that was just opened."""
    person = await auth.signed_in(session, None)
    if person is None:
        raise Unauthenticated
    return _session(auth, session, person, joined)


def session_cookies(request: Request[Any, Any, Any], session: str, csrf_token: str) -> list[Cookie]:
    return [
        _cookie(request, SESSION_COOKIE, session, httponly=True, samesite="lax"),
        _cookie(request, CSRF_COOKIE, csrf_token, httponly=False, samesite="strict"),
    ]


def _cookie(
    request: Request[Any, Any, Any],
    key: str,
    value: str,
    *,
    httponly: bool,
    samesite: Literal["lax", "strict"],
) -> Cookie:
    return Cookie(
        key=key,
        value=value,
        httponly=httponly,
        samesite=samesite,
        secure=request.scope["scheme"] == "https",
        max_age=int(service.SESSION_LIFETIME.total_seconds()),
        path="/",
    )


def _session(auth: Authenticator, session: str, person: SignedIn, joined: str | None = None) -> SignInSession:
    return SignInSession(
        user=SessionUser(id=person.account_id, email=person.email, name=person.name),
        csrf_token=auth.csrf_token(session),
        workspaces=msgspec.convert(person.workspaces, list[SessionWorkspace]),
        joined=joined,
    )


# Signing out may go on at a provider, so the router is made where providers are known.
HANDLERS = [show_signed_in, sign_in, join, accept_invite, use_reset, change_password]
