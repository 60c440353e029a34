"""The HTTP application: its routes and their dependencies. A composition root."""

from collections.abc import Callable, Collection
from typing import Any, Literal

import msgspec
from litestar import Litestar, MediaType, Request, Response, Router, get
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler, HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.params import SkipValidation
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin

from goldloop import __version__, concepts
from goldloop.gauges import Gauges
from goldloop.kit import metrics, web
from goldloop.kit.asgi import RequestMiddleware
from goldloop.kit.db import Database
from goldloop.kit.dispatcher import Dispatcher
from goldloop.kit.errors import Unavailable
from goldloop.kit.http import Db, JsonRequest, check_address, problem_specs, render_error
from goldloop.kit.openapi import MetaSchemaPlugin, openapi_document
from goldloop.kit.outside import Outside
from goldloop.limits.api import limit
from goldloop.limits.limiter import Limiter
from goldloop.live.feed import Feed
from goldloop.mcp.endpoint import McpEndpoint
from goldloop.migrations import runner as migrations
from goldloop.otlp.group_writer import GroupWriter
from goldloop.otlp.intake import OtlpIntake
from goldloop.tenants.auth.api import PUBLIC, check_permission, guard, provide_actor, provide_signed_in
from goldloop.tenants.auth.authenticator import Authenticator

ROUTERS = [
    value for api in concepts.modules("api") for value in vars(api).values() if isinstance(value, Router)
]


class Health(msgspec.Struct, frozen=True, kw_only=True):
    status: str
    version: str


class Readiness(Health, frozen=True, kw_only=True):
    """`schema` is newer while a rolling upgrade has brought it on and this process is still of the release before."""

    schema: Literal["current", "newer"]


@get("/healthz", opt=PUBLIC, tags=["health"], summary="The process runs")
async def healthz() -> Health:
    return Health(status="ok", version=__version__)


@get(
    "/readyz",
    opt=PUBLIC,
    tags=["health"],
    responses=problem_specs(Unavailable),
    summary="The database answers and its schema is that of this version or of the next",
)
async def readyz(db: Db) -> Readiness:
    return await check_ready(db)


async def check_ready(db: Database) -> Readiness:
    async with db.as_login() as connection:
        state = await migrations.status(connection)
    if not state.usable:
        raise Unavailable(
            f"The database schema is newer than this version can work on: {state.refused}"
            if state.refused
            else "The database schema is not that of this version: run `goldloop migrate up`"
        )
    return Readiness(status="ok", version=__version__, schema="current" if state.current else "newer")


@get("/metrics", opt=PUBLIC, include_in_schema=False)
async def show_metrics(gauges: NamedDependency[SkipValidation[Gauges]]) -> Response[bytes]:
    return Response(await gauges.exposition(), headers={"Content-Type": metrics.CONTENT_TYPE})


@get("/openapi.json", opt=PUBLIC, include_in_schema=False, media_type=MediaType.JSON)
async def openapi(request: Request[Any, Any, Any]) -> dict[str, Any]:
    return openapi_document(request.app)


def _lent(db: Database | None, handler: HTTPRouteHandler, method: str) -> Database | None:
    """A GET reads: whoever asks for a page changes nothing by it, and PostgreSQL sees to that. One that keeps what it has
    computed for whoever asks next says so, and one whose use is a fact of the log."""
    writes = handler.opt.get("keeps_computed", False) or handler.opt.get("leaves_event", False)
    return db.reading() if db and method == "GET" and not writes else db


def _lend(db: Database | None) -> Callable[[Request[Any, Any, Any]], Database | None]:
    """The same where Litestar calls a handler itself."""

    def lend(request: Request[Any, Any, Any]) -> Database | None:
        return _lent(db, request.route_handler, request.method)

    return lend


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


async def admit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every route: who asks, whether they may ask now, and whether they may ask this."""
    check_address(connection)
    await guard(connection, handler)
    await limit(connection, handler)
    check_permission(connection, handler)


class _Application(Litestar):
    """Litestar with support for what routes here take and return, and not for models of pydantic, which it would load."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def _openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Goldloop",
        version=__version__,
        path="/internal-openapi",
        render_plugins=[JsonRenderPlugin()],  # an empty list would bring every viewer that Litestar has
        operation_id_creator=lambda handler, _method, _path: handler.handler_name.rsplit(".", 1)[-1],
        components=Components(
            security_schemes={
                "key": SecurityScheme(type="http", scheme="bearer", description="An API key"),
                "session": SecurityScheme(
                    type="apiKey", name="goldloop_session", security_scheme_in="cookie"
                ),
            }
        ),
        security=[{"key": []}, {"session": []}],
    )


def build_litestar(
    db: Database | None = None,
    auth: Authenticator | None = None,
    feed: Feed | None = None,
    outside: Outside | None = None,
    limiter: Limiter | None = None,
    *,
    gauges: Gauges | None = None,
    max_body_bytes: int = 1_048_576,
) -> Litestar:
    """The application; without what it stands on only its OpenAPI document can be used."""
    shared = {
        "auth": auth,
        "feed": feed,
        "outside": outside,
        "gauges": gauges or (Gauges(db, feed) if db and feed else None),
        "limiter": limiter,
    }
    return _Application(
        route_handlers=[*ROUTERS, healthz, readyz, show_metrics, openapi, web.web_script, web.web_ui],
        guards=[admit],
        request_class=JsonRequest,
        dependencies={
            "db": Provide(_lend(db), sync_to_thread=False),
            "actor": Provide(provide_actor, sync_to_thread=False),
            "signed_in": Provide(provide_signed_in, sync_to_thread=False),
            **{name: Provide(_constant(value), sync_to_thread=False) for name, value in shared.items()},
        },
        exception_handlers={Exception: render_error, HTTPException: render_error},
        request_max_body_size=max_body_bytes,
        plugins=[MetaSchemaPlugin()],
        openapi_config=_openapi_config(),
        state=State(
            {
                "auth": auth,
                "db": db,
                "outside": outside,
                "limiter": limiter,
                "mcp": McpEndpoint(),
                "shared": shared,
                "web_dist": web.dist(),
            }
        ),
        logging_config=None,
        pdb_on_exception=False,
    )


def build_app(
    db: Database,
    auth: Authenticator,
    feed: Feed,
    outside: Outside,
    *,
    limiter: Limiter | None = None,
    gauges: Gauges | None = None,
    max_body_bytes: int = 1_048_576,
    allowed_origins: Collection[str] = (),
) -> OtlpIntake:
    limiter = limiter or Limiter(db, auth)
    routes = build_litestar(db, auth, feed, outside, limiter, gauges=gauges, max_body_bytes=max_body_bytes)
    dispatcher = build_dispatcher(routes, db)
    return OtlpIntake(
        RequestMiddleware(dispatcher, allowed_origins), auth, GroupWriter(db), allowed_origins, limiter
    )


def build_dispatcher(routes: Litestar, db: Database) -> Dispatcher:
    shared = routes.state["shared"]
    return Dispatcher(routes, admit, lambda handler, method: shared | {"db": _lent(db, handler, method)})


def build_health(db: Database, feed: Feed) -> RequestMiddleware:
    """What a worker answers: whether it is well, and its metrics."""
    gauges = Gauges(db, feed)
    routes = _Application(
        route_handlers=[healthz, readyz, show_metrics],
        request_class=JsonRequest,
        dependencies={
            "db": Provide(lambda: db, sync_to_thread=False),
            "gauges": Provide(lambda: gauges, sync_to_thread=False),
        },
        exception_handlers={Exception: render_error, HTTPException: render_error},
        openapi_config=None,
        logging_config=None,
        pdb_on_exception=False,
    )
    return RequestMiddleware(routes)
