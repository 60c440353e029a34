"""Routes of where results of evaluations are sent: `/api/exports/otlp`."""

import msgspec
from litestar import Router, get, put
from litestar.params import JSONBody

from goldloop.exports import service
from goldloop.exports.model import ExportUrl, Headers, OtlpExport
from goldloop.kit.http import Db, Ports, Wire, problems
from goldloop.tenants.auth.api import Who, needs
from goldloop.tenants.permissions import WORKSPACE_MANAGE


class NewOtlpExport(Wire, frozen=True):
    url: ExportUrl | None = None
    headers: Headers | None = None


@get(
    "",
    opt=needs(WORKSPACE_MANAGE),
    responses=problems(),
    summary="Where results of evaluations are sent",
)
async def show_otlp_export(db: Db, actor: Who) -> OtlpExport:
    """Values of headers are never shown."""
    async with db.tx(actor) as tx:
        return await service.show(tx)


@put(
    "",
    opt=needs(WORKSPACE_MANAGE),
    responses=problems(body=True),
    summary="Say where results of evaluations are sent",
)
async def change_otlp_export(data: JSONBody[NewOtlpExport], db: Db, outside: Ports, actor: Who) -> OtlpExport:
    """`url` is an OTLP endpoint, with or without `/v1/logs`; null sends nothing. Without `headers` those that are set stay, as
    long as the address does."""
    service.check_headers(data.headers or {})
    names = list(data.headers) if data.headers is not None else None
    written = msgspec.json.encode(data.headers or {}).decode()
    sealed = outside.sealer.seal(written, service.place_of(actor.tenant_id))
    async with db.tx(actor) as tx:
        return await service.change(tx, data.url, names, sealed)


router = Router("/api/exports/otlp", route_handlers=[show_otlp_export, change_otlp_export], tags=["exports"])
