"""Pages of somebody else: another origin, with a content security policy that forbids what most do."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLICY = (
    "default-src 'none'; script-src 'self' {server}; connect-src {server}; style-src 'none'; "
    "require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'"
)


@dataclass
class HostPages:
    """What is at each path: HTML, or a script where the path says so. `server` is the Goldloop that its policy allows."""

    url: str
    server: str = ""
    pages: dict[str, str] = field(default_factory=dict)


@contextmanager
def host_pages() -> Iterator[HostPages]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = hosted.pages.get(self.path)
            content = (page or "").encode()
            kind = "text/javascript" if self.path.endswith(".js") else "text/html"
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Content-Security-Policy", POLICY.format(server=hosted.server))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        hosted = HostPages(url=f"http://localhost:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield hosted
        finally:
            server.shutdown()
            thread.join()
