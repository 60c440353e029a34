"""Routes of sign-in: `/api/session`."""

from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

import msgspec
from litestar import Request, Response, Router, delete, get, post
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
from goldloop.kit.http import Db, Wire, problem_specs, problems
from goldloop.kit.wire_types import Email, Name
from goldloop.tenants.auth.api import CSRF_COOKIE, PUBLIC, SESSION_COOKIE, SESSION_ONLY, Auth, Person
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.auth.model import SignedIn
from goldloop.tenants.model import (
    InvalidCredentials,
    InviteForAnother,
    InviteNotFound,
    Role,
    TooManyAttempts,
)
from goldloop.tenants.sign_in import service

Password = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]

_BODY = (MalformedRequest, InvalidInput, RequestTooLarge, UnsupportedMediaType, Unavailable)


class Credentials(Wire, frozen=True):
    email: Email
    password: Password


class Joining(Wire, frozen=True):
    token: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    name: Name
    password: Password


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
    responses=problem_specs(*_BODY, InvalidCredentials, CrossSite, TooManyAttempts),
    summary="Sign in with a password",
)
async def sign_in(
    request: Request[Any, Any, Any], data: JSONBody[Credentials], db: Db, auth: Auth
) -> Response[SignInSession]:
    _check_same_site(request)
    session = await service.sign_in(db, data.email, data.password, _client(request))
    return await _signed_in(request, auth, session)


@post(
    "/join",
    opt=PUBLIC,
    responses=problem_specs(*_BODY, InviteNotFound, CrossSite, TooManyAttempts),
    summary="Join by invitation",
)
async def join(
    request: Request[Any, Any, Any], data: JSONBody[Joining], db: Db, auth: Auth
) -> Response[SignInSession]:
    _check_same_site(request)
    session, slug = await service.join(db, data.token, data.name, data.password, _client(request))
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


@delete("/", opt=SESSION_ONLY, responses=problems(), summary="Sign out", status_code=204)
async def sign_out(request: Request[Any, Any, Any], signed_in: Person, db: Db, auth: Auth) -> Response[None]:
    await service.sign_out(db, request.cookies[SESSION_COOKIE])
    auth.forget()
    response: Response[None] = Response(None, status_code=204)
    response.delete_cookie(SESSION_COOKIE)
    response.delete_cookie(CSRF_COOKIE)
    return response


@post(
    "/password",
    opt=SESSION_ONLY,
    responses=problems(TooManyAttempts, body=True),
    summary="Change one's password",
    status_code=204,
)
async def change_password(
    request: Request[Any, Any, Any],
    data: JSONBody[PasswordChange],
    signed_in: Person,
    db: Db,
    auth: Auth,
) -> None:
    await service.change_password(
        db,
        request.cookies[SESSION_COOKIE],
        signed_in,
        data.current_password,
        data.new_password,
        _client(request),
    )
    auth.forget()


def _check_same_site(request: Request[Any, Any, Any]) -> None:
    """A form on another site must not be able to sign a person in as somebody else."""
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if foreign or request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise CrossSite


def _client(request: Request[Any, Any, Any]) -> str:
    return request.client.host if request.client else ""


async def _signed_in(
    request: Request[Any, Any, Any], auth: Authenticator, session: str, joined: str | None = None
) -> Response[SignInSession]:
    person = await auth.signed_in(session, None)
    if person is None:
        raise Unauthenticated
    body = _session(auth, session, person, joined)
    return Response(
        body,
        status_code=201,
        cookies=[
            _cookie(request, SESSION_COOKIE, session, httponly=True, samesite="lax"),
            _cookie(request, CSRF_COOKIE, body.csrf_token, httponly=False, samesite="strict"),
        ],
    )


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


router = Router(
    "/api/session",
    route_handlers=[show_signed_in, sign_in, join, accept_invite, sign_out, change_password],
    tags=["session"],
)
