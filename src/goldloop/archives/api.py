"""Routes of archives: `/api/archives`. There is none that imports one: that is an act of the operator (`goldloop import`)."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Request, Router, delete, get, post
from litestar.params import JSONBody, QueryParameter
from litestar.response import Stream

from goldloop.archives import parts, service
from goldloop.archives.model import (
    Archive,
    ArchiveDuringErasure,
    ArchiveExists,
    ArchiveNotFound,
    ArchiveNotReady,
    ArchiveOpen,
    ArchiveOver,
    RangeNotThere,
)
from goldloop.archives.permissions import ARCHIVES_MANAGE
from goldloop.archives.ranges import Span, asked_span
from goldloop.kit.http import LEAVES_EVENT, Db, PathId, Ports, Wire, problems
from goldloop.kit.pagination import DEFAULT_LIMIT, Page
from goldloop.kit.parameters import Cursor, Limit
from goldloop.tenants.auth.api import Who, needs

ZIP = "application/zip"


class NewArchive(Wire, frozen=True):
    id: UUID | None = None


@get(
    "/",
    opt=needs(ARCHIVES_MANAGE),
    responses=problems(),
    summary="List archives of the workspace, newest first",
)
async def list_archives(
    db: Db, actor: Who, cursor: Cursor = None, limit: Limit = DEFAULT_LIMIT
) -> Page[Archive]:
    async with db.tx(actor) as tx:
        return await service.list_archives(tx, cursor, limit)


@post(
    "/",
    opt=needs(ARCHIVES_MANAGE),
    responses=problems(ArchiveOpen, ArchiveExists, ArchiveDuringErasure, body=True),
    summary="Export everything that the workspace owns into one archive, in the background",
)
async def start_archive(data: JSONBody[NewArchive], db: Db, actor: Who) -> Archive:
    async with db.tx(actor) as tx:
        return await service.start(tx, data.id)


@get(
    "/{archive_id:uuid}",
    opt=needs(ARCHIVES_MANAGE),
    responses=problems(ArchiveNotFound),
    summary="Show an archive and how far it is",
)
async def show_archive(archive_id: PathId, db: Db, actor: Who) -> Archive:
    async with db.tx(actor) as tx:
        return await service.access(tx, archive_id)


@post(
    "/{archive_id:uuid}/cancel",
    status_code=200,
    opt=needs(ARCHIVES_MANAGE),
    responses=problems(ArchiveNotFound, ArchiveOver),
    summary="Stop writing an archive",
)
async def cancel_archive(archive_id: PathId, db: Db, actor: Who) -> Archive:
    async with db.tx(actor) as tx:
        return await service.cancel(tx, archive_id)


@delete(
    "/{archive_id:uuid}",
    opt=needs(ARCHIVES_MANAGE),
    responses=problems(ArchiveNotFound),
    summary="Delete an archive",
)
async def delete_archive(archive_id: PathId, db: Db, actor: Who) -> None:
    async with db.tx(actor) as tx:
        await service.remove(tx, archive_id)


@get(
    "/{archive_id:uuid}/file",
    opt=needs(ARCHIVES_MANAGE) | {"tenant_in_query": True} | LEAVES_EVENT,  # a link sends no headers
    responses=problems(ArchiveNotFound, ArchiveNotReady, RangeNotThere),
    summary="Download an archive, or the bytes of it that a Range header names",
    media_type=ZIP,
)
async def download_archive(
    archive_id: PathId,
    db: Db,
    outside: Ports,
    actor: Who,
    request: Request[Any, Any, Any],
    tenant: Annotated[
        str | None,
        QueryParameter(
            max_length=63, description="The workspace's slug, for a browser that cannot send a header"
        ),
    ] = None,
) -> Stream:
    async with db.tx(actor) as tx:
        found = await service.access_download(tx, archive_id)
        try:
            asked = asked_span(request.headers.get("range"), found.size)
        except ValueError as error:
            raise RangeNotThere(str(error), headers={"Content-Range": f"bytes */{found.size}"}) from error
        span = asked or Span(0, found.size)
        await service.note_download(tx, archive_id, span)
    headers = {
        "Accept-Ranges": "bytes",
        "Content-Length": str(span.end - span.start),
        "Content-Disposition": f'attachment; filename="goldloop-{found.made_at:%Y%m%d-%H%M%S}.zip"',
        "ETag": f'"{found.place.attempt}"',
    }
    if asked:
        headers["Content-Range"] = f"bytes {span.start}-{span.end - 1}/{found.size}"
    return Stream(
        parts.read(outside.blobs, found.place, span.start, span.end),
        status_code=206 if asked else 200,
        media_type=ZIP,
        headers=headers,
    )


router = Router(
    "/api/archives",
    route_handlers=[
        list_archives,
        start_archive,
        show_archive,
        cancel_archive,
        delete_archive,
        download_archive,
    ],
    tags=["archives"],
)
