"""Routes about what is received: `/api/otlp/sources`, `/api/otlp/settings`. Exporters send to those of `intake.py`."""

from litestar import Router, get, put
from litestar.params import JSONBody

from goldloop.kit.http import Db, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.otlp import service
from goldloop.otlp.model import KeepDays, OtlpSettings, OtlpSource, Project
from goldloop.sessions.permissions import SESSIONS_READ
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.permissions import WORKSPACE_MANAGE


class NewOtlpSettings(Wire, frozen=True):
    project: Project | None = None
    keep_days: KeepDays = 90


@get(
    "/sources",
    opt=needs(SESSIONS_READ),
    responses=problems(),
    summary="List who sends spans, and what each of them leaves out",
)
async def list_otlp_sources(
    db: Db, actor: Who, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> Page[OtlpSource]:
    """By program and instrumentation. `missing` says which setting of the emitter turns on what it leaves out."""
    async with db.tx(actor) as tx:
        return await service.list_sources(tx, cursor, limit)


@get(
    "/settings",
    opt=needs(SESSIONS_READ),
    responses=problems(),
    summary="Where turns of spans go, and how long spans are kept",
)
async def show_otlp_settings(db: Db, actor: Who) -> OtlpSettings:
    async with db.tx(actor) as tx:
        return await service.read_settings(tx)


@put(
    "/settings",
    opt=needs(WORKSPACE_MANAGE),
    responses=problems(body=True),
    summary="Say where turns of spans go, and how long spans are kept",
)
async def change_otlp_settings(data: JSONBody[NewOtlpSettings], db: Db, actor: Who) -> OtlpSettings:
    """Without a `project` each program has its own, by its `service.name`. Sessions stay when the spans that
    they were derived from are forgotten."""
    async with db.tx(actor) as tx:
        return await service.change_settings(tx, OtlpSettings(project=data.project, keep_days=data.keep_days))


router = Router(
    "/api/otlp",
    route_handlers=[list_otlp_sources, show_otlp_settings, change_otlp_settings],
    tags=["otlp"],
)
