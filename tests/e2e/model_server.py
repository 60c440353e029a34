"""A language model on loopback that speaks like OpenAI and answers by a script."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def hands_in(result: dict[str, Any]) -> dict[str, Any]:
    """An answer that has a schema."""
    function = {"name": "final_result", "arguments": json.dumps(result)}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
    }


def is_asked_for_values(request: dict[str, Any]) -> bool:
    return any(tool["function"]["name"] == "final_result" for tool in request.get("tools", []))


@contextmanager
def model_server(answer: Answer) -> Iterator[str]:
    """The address that an agent is configured with."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            choice = {"index": 0, "message": answer(asked), "finish_reason": "stop"}
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            body = json.dumps(
                {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 1,
                    "model": asked["model"],
                    "choices": [choice],
                    "usage": usage,
                }
            ).encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # whoever asked was cancelled meanwhile
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
