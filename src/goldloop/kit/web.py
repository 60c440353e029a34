"""Serves the built web UI, or a page that says how to build it; and the scripts that pages of others load."""

import hashlib
import mimetypes
from pathlib import Path
from typing import Any

from litestar import Request, Response, get

from goldloop.kit.errors import NotFound

_PACKAGE = Path(__file__).resolve().parents[1]
_CANDIDATES = (_PACKAGE / "web_dist", _PACKAGE.parents[1] / "web" / "dist")
_NOT_PAGES = ("api/", "conversations/", "v1/", "mcp", ".well-known/", "openapi.json")
# Their names stay: kept for a while, asked for again by what they hold, and loaded by pages that isolate themselves too.
_SCRIPT_HEADERS = {
    "Cache-Control": "public, max-age=600, stale-while-revalidate=86400",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_FOREVER = "public, max-age=31536000, immutable"  # names under assets/ carry a hash of their content

_MISSING = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Goldloop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1rem;color:#1c1917;
background:#fff}code{background:#f5f5f4;padding:.1em .35em;border-radius:4px}
@media(prefers-color-scheme:dark){body{background:#171412;color:#e7e5e4}code{background:#292524}}</style></head>
<body><main><h1>The API is running; the web UI is not built</h1>
<p>The pages need Node.js 20.19 or newer to be built, and it was not found when this server was started.</p>
<p>Install it, then stop the server and run <code>make up</code> again. Meanwhile the API works: its
description is at <a href="/openapi.json"><code>/openapi.json</code></a>, and
<code>goldloop key create</code> makes a key for it.</p></main></body></html>"""


def dist() -> Path | None:
    return next((folder for folder in _CANDIDATES if (folder / "index.html").is_file()), None)


@get(["/client.js", "/widget.js"], opt={"public": True, "any_origin": True}, include_in_schema=False)
async def web_script(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The JavaScript client and the feedback element, for pages of any origin."""
    folder: Path | None = request.app.state.web_dist
    file = _inside(folder, request.scope["path"].strip("/")) if folder else None
    if file is None:
        raise NotFound("The scripts for other pages are built with the web UI, and it is not built")
    content = file.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    is_known = tag in request.headers.get("if-none-match", "")
    return Response(
        b"" if is_known else content,
        status_code=304 if is_known else 200,
        media_type="text/javascript",
        headers={**_SCRIPT_HEADERS, "ETag": tag},
    )


@get(["/", "/{_path:path}"], opt={"public": True}, include_in_schema=False)
async def web_ui(request: Request[Any, Any, Any]) -> Response[bytes | str]:
    """A built file by its name; every other address is a page of the UI, which knows its own 404."""
    wanted = request.scope["path"].lstrip("/")
    if wanted.startswith(_NOT_PAGES):
        raise NotFound("There is nothing at this address")
    folder: Path | None = request.app.state.web_dist
    if folder is None:
        return Response(_MISSING, status_code=503, media_type="text/html")
    file = _inside(folder, wanted)
    if file is None and wanted.startswith("assets/"):
        raise NotFound("There is no such file")
    shown = file or folder / "index.html"
    return Response(
        shown.read_bytes(),
        media_type=mimetypes.guess_type(shown.name)[0] or "application/octet-stream",
        headers={"Cache-Control": _FOREVER if wanted.startswith("assets/") else "no-cache"},
    )


def _inside(folder: Path, wanted: str) -> Path | None:
    if not wanted or "\x00" in wanted:
        return None
    file = (folder / wanted).resolve()
    try:
        return file if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except OSError:  # a name longer than any file's
        return None
