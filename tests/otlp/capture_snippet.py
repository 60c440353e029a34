"""Writes what the lines of a snippet send, for those whose packages the tests do not install.

    python -m tests.otlp.capture_snippet vercel-ai node
    python -m tests.otlp.capture_snippet langchain /path/to/another/environment/bin/python

The packages that the snippet installs must be where the program looks for them: `--in` names the folder that it runs in.
"""

import argparse
import asyncio
import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests import snippets
from tests.otlp import model_server
from tests.served import served

KEY = "gl_captured"


class Sink:
    """Takes what an exporter sends, and answers as Goldloop does."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        assert headers["x-api-key"] == KEY, headers
        assert headers["content-type"] == "application/x-protobuf", headers
        if scope["path"] == "/v1/traces":
            self.bodies.append(gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body)
        answer = [(b"content-type", b"application/x-protobuf"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 200, "headers": answer})
        await send({"type": "http.response.body", "body": b""})


def without_machine(body: bytes) -> bytes:
    """What a resource says about where the program ran is nobody's business."""
    request = ExportTraceServiceRequest.FromString(body)
    for each in request.resource_spans:
        kept = [pair for pair in each.resource.attributes if not pair.key.startswith(("host.", "process."))]
        del each.resource.attributes[:]
        each.resource.attributes.extend(kept)
    return request.SerializeToString()


async def capture(snippet: str, program: list[str], folder: Path) -> int:
    sink = Sink()
    async with served(sink) as goldloop, served(model_server.app) as model:
        print(await snippets.run(snippet, goldloop, KEY, model, folder, program))
    kept = snippets.CAPTURES / snippet
    kept.mkdir(parents=True, exist_ok=True)
    for old in kept.iterdir():
        old.unlink()
    for number, body in enumerate(sink.bodies, 1):
        (kept / f"{number:03d}-traces.pb").write_bytes(without_machine(body))
    (kept / "lines.json").write_text(json.dumps({"sha256": snippets.fingerprint(snippet)}) + "\n")
    return len(sink.bodies)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("snippet", choices=snippets.SNIPPETS)
    parser.add_argument("program", nargs="+", help="what runs the lines")
    parser.add_argument("--in", dest="folder", type=Path, default=None)
    asked = parser.parse_args()
    print(
        asyncio.run(capture(asked.snippet, asked.program, asked.folder or Path(tempfile.mkdtemp()))),
        "requests",
    )
