"""A server on loopback that speaks like OpenAI and says what a test tells it to."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Call:
    tool: str
    id: str
    arguments: dict[str, Any]


Messages = list[dict[str, Any]]
Step = str | Sequence[Call]


@dataclass
class Asked:
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class ScriptedModel:
    """What it says depends on the messages alone, as with any model: `says` is given them, and how many answers of the model
    are among them."""

    says: Callable[[Messages, int], Step]
    asked: list[Asked] = field(default_factory=list)
    held: threading.Event | None = None  # while it is set, whoever asks waits
    left: threading.Event = field(default_factory=threading.Event)  # somebody who waited has gone
    url: str = ""

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        messages: Messages = body["messages"]
        step = self.says(messages, sum(message["role"] == "assistant" for message in messages))
        message: dict[str, Any] = {"role": "assistant", "content": step if isinstance(step, str) else None}
        if not isinstance(step, str):
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.tool, "arguments": json.dumps(call.arguments)},
                }
                for call in step
            ]
        reason = "stop" if isinstance(step, str) else "tool_calls"
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        }


@contextmanager
def speaking_like_openai(
    says: Callable[[Messages, int], Step], *, holds: bool = False
) -> Iterator[ScriptedModel]:
    model = ScriptedModel(says, held=threading.Event() if holds else None)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.asked.append(Asked(dict(self.headers.items()), body))
            if model.held is not None:
                model.held.set()
                self.connection.settimeout(60)
                if self.connection.recv(1) == b"":
                    model.left.set()
                self.close_connection = True
                return
            raw = json.dumps(model.answer(body)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass  # whoever asked was killed

    server = Server(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
