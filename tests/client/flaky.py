"""A small HTTP server that answers as it is told, for what a real one does only in trouble."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

HANG_UP = 0  # in place of a status: the connection ends without an answer


class Answer(NamedTuple):
    status: int
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012


class Asked(NamedTuple):
    method: str
    path: str
    body: Any
    headers: dict[str, str]


@dataclass
class Flaky:
    """Gives `answers` in turn, then what `decide` says, then `last` for ever; keeps what it was asked."""

    url: str
    answers: deque[Answer] = field(default_factory=deque)
    last: Answer = field(default_factory=lambda: Answer(200, {}))
    asked: list[Asked] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)
    decide: Callable[[Asked], Answer] | None = None


@contextmanager
def flaky_server(*answers: Answer, last: Answer | None = None) -> Iterator[Flaky]:
    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            flaky.gate.wait(30)
            sent = self.rfile.read(int(self.headers.get("content-length", 0)))
            body = json.loads(sent) if sent else None
            headers = {name.lower(): value for name, value in self.headers.items()}
            flaky.asked.append(Asked(self.command, self.path, body, headers))
            if flaky.answers:
                answer = flaky.answers.popleft()
            else:
                answer = flaky.decide(flaky.asked[-1]) if flaky.decide else flaky.last
            if answer.status == HANG_UP:
                self.close_connection = True
                return
            content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"content-length": str(len(content)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    flaky = Flaky(url=f"http://127.0.0.1:{server.server_port}", answers=deque(answers))
    flaky.gate.set()
    if last is not None:
        flaky.last = last
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield flaky
    finally:
        flaky.gate.set()
        server.shutdown()
        thread.join()
        server.server_close()
