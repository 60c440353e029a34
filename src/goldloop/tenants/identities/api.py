"""Routes of signing in at a provider, `/api/sign-in`, and of signing out, which may go on there."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody

from goldloop.kit.http import Db, Ports, Wire, problem_specs, problems
from goldloop.kit.text import full_match
from goldloop.tenants.auth.api import CSRF_COOKIE, PUBLIC, SESSION_COOKIE, SESSION_ONLY, Auth, Person
from goldloop.tenants.identities import service
from goldloop.tenants.identities.model import Answer
from goldloop.tenants.identities.providers import PROVIDERS
from goldloop.tenants.model import (
    AccountExists,
    EmailNotVerified,
    IdentityTaken,
    InviteForAnother,
    InviteNotFound,
    NoAccess,
    ProviderNotFound,
    ProviderUnavailable,
    SignInExpired,
    SignInRefused,
    TooManyAttempts,
)
from goldloop.tenants.sign_in.api import (
    BODY_PROBLEMS,
    HANDLERS,
    CrossSite,
    SignInSession,
    check_same_site,
    session_body,
    session_cookies,
    visit_of,
)
from goldloop.tenants.sign_in.model import PASSWORDS

BROWSER_COOKIE = "goldloop_sign_in"
NextPage = Annotated[str, msgspec.Meta(max_length=2000, pattern=full_match(r"/(?![/\\])[^\x00-\x1f]*"))]
Token = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Text = Annotated[str, msgspec.Meta(max_length=4000)]


class ProviderView(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    label: str


class SignInOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How one can sign in to this installation."""

    passwords: bool
    providers: list[ProviderView]


class ProviderVisit(Wire, frozen=True):
    """`next` is the page to come back to; `invite_token` is that of an invitation to use."""

    next: NextPage = "/"
    invite_token: Token | None = None


class ProviderAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Where to send the browser."""

    url: str


class ProviderAnswer(Wire, frozen=True):
    """What the provider sent back with the browser, as it stands in the address."""

    state: Text
    code: Text | None = None
    error: Text | None = None
    iss: Text | None = None


class ProviderSignIn(msgspec.Struct, frozen=True, kw_only=True):
    """`session` is null where an identity was linked to the account that is signed in."""

    next: str
    session: SignInSession | None


class SignedOutView(msgspec.Struct, frozen=True, kw_only=True):
    """`continue_at` is where the provider signs the person out as well; null where there is nothing to do."""

    continue_at: str | None


@get("/", opt=PUBLIC, responses=problem_specs(), summary="How one can sign in here")
async def show_sign_in_options(outside: Ports) -> SignInOptions:
    clients = outside[PROVIDERS].by_name.values()
    return SignInOptions(
        passwords=outside[PASSWORDS],
        providers=[ProviderView(name=c.provider.name, label=c.provider.label) for c in clients],
    )


@post(
    "/{provider:str}",
    opt=PUBLIC,
    responses=problem_specs(
        *BODY_PROBLEMS, ProviderNotFound, ProviderUnavailable, CrossSite, TooManyAttempts
    ),
    summary="Begin to sign in at a provider",
)
async def begin_sign_in(
    request: Request[Any, Any, Any],
    provider: FromPath[str],
    data: JSONBody[ProviderVisit],
    db: Db,
    outside: Ports,
) -> Response[ProviderAddress]:
    check_same_site(request)
    begun = await service.begin(
        db,
        outside.sealer,
        outside[PROVIDERS].access(provider),
        purpose="join" if data.invite_token else "sign_in",
        browser=request.cookies.get(BROWSER_COOKIE),
        visit=visit_of(request),
        next_page=data.next,
        invite=data.invite_token,
    )
    return sent_away(request, begun)


@post(
    "/{provider:str}/finish",
    opt=PUBLIC,
    responses=problem_specs(
        *BODY_PROBLEMS,
        ProviderNotFound,
        ProviderUnavailable,
        SignInExpired,
        SignInRefused,
        EmailNotVerified,
        NoAccess,
        AccountExists,
        IdentityTaken,
        InviteNotFound,
        InviteForAnother,
        CrossSite,
        TooManyAttempts,
    ),
    summary="Come back from a provider",
)
async def finish_sign_in(
    request: Request[Any, Any, Any],
    provider: FromPath[str],
    data: JSONBody[ProviderAnswer],
    db: Db,
    outside: Ports,
    auth: Auth,
) -> Response[ProviderSignIn]:
    check_same_site(request)
    current = request.cookies.get(SESSION_COOKIE)
    finished = await service.finish(
        db,
        outside.sealer,
        outside[PROVIDERS].access(provider),
        Answer(data.state, data.code, data.error, data.iss),
        browser=request.cookies.get(BROWSER_COOKIE),
        person=await auth.signed_in(current, None) if current else None,
        visit=visit_of(request),
    )
    auth.forget()
    if finished.session is None:
        return Response(ProviderSignIn(next=finished.next, session=None), status_code=201)
    body = await session_body(auth, finished.session, finished.joined)
    return Response(
        ProviderSignIn(next=finished.next, session=body),
        status_code=201,
        cookies=session_cookies(request, finished.session, body.csrf_token),
    )


@delete("/", opt=SESSION_ONLY, responses=problems(), summary="Sign out", status_code=200)
async def sign_out(
    request: Request[Any, Any, Any], signed_in: Person, db: Db, outside: Ports, auth: Auth
) -> Response[SignedOutView]:
    continue_at = await service.sign_out(
        db, outside.sealer, outside[PROVIDERS], request.cookies[SESSION_COOKIE]
    )
    auth.forget()
    response = Response(SignedOutView(continue_at=continue_at), status_code=200)
    response.delete_cookie(SESSION_COOKIE)
    response.delete_cookie(CSRF_COOKIE)
    return response


def sent_away(request: Request[Any, Any, Any], begun: service.Begun) -> Response[ProviderAddress]:
    """The browser keeps a secret by which it is known again when it comes back."""
    kept = Cookie(
        key=BROWSER_COOKIE,
        value=begun.browser,
        httponly=True,
        samesite="lax",
        secure=request.scope["scheme"] == "https",
        max_age=int(service.REQUEST_LIFETIME.total_seconds()),
        path="/api",
    )
    return Response(ProviderAddress(url=begun.url), status_code=201, cookies=[kept])


router = Router(
    "/api/sign-in", route_handlers=[show_sign_in_options, begin_sign_in, finish_sign_in], tags=["session"]
)
session_router = Router("/api/session", route_handlers=[*HANDLERS, sign_out], tags=["session"])
