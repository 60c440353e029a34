"""Writes what a model is told by an agent of a recipe, for those whose packages the tests do not install.

python -m tests.knowledge.capture_recipe LangChain /path/to/another/environment/bin/python
"""

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from tests.knowledge.recipes import ASKED, CAPTURES, RECIPES, file_of, fingerprint, instructions_of
from tests.otlp import model_server
from tests.served import served

PROMPT = "<shared_context>\nWhat was learnt\n</shared_context>"
ANSWER = {
    "prompt": PROMPT,
    "manifest": "0" * 64,
    "tokens": 10,
    "rows": [],
    "left_out": {"by_rank": 0, "by_budget": 0, "by_scope": 0, "shadow": 0, "lowest_included_rank": {}},
}


async def goldloop(scope: Any, receive: Any, send: Any) -> None:
    """Answers as the route of the prompt does."""
    assert scope["path"] == "/api/shared-context/prompt", scope["path"]
    assert scope["query_string"] == b"agent=support-bot"
    content = json.dumps(ANSWER).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


class Model:
    """The model of the tests, with what it was asked."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""

        async def read() -> Any:
            nonlocal body
            message = await receive()
            body += message.get("body", b"")
            return message

        await model_server.app(scope, read, send)
        self.requests.append(json.loads(body))


async def run(recipe: str, program: str, url: str, key: str) -> list[str]:
    """What the model was told by a program of a recipe's lines."""
    model = Model()
    async with served(model) as address:
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "my_agent.py"
            saved.write_text(f"{RECIPES[recipe]}\n{ASKED[recipe]}\n")
            process = await asyncio.create_subprocess_exec(
                *[program, saved.name],
                cwd=folder,
                env={
                    **os.environ,
                    "GOLDLOOP_URL": url,
                    "GOLDLOOP_KEY": key,
                    "OPENAI_BASE_URL": f"{address}/v1",
                    "OPENAI_API_KEY": "x",
                    "OPENAI_AGENTS_DISABLE_TRACING": "1",
                    "PYTHONPATH": str(CAPTURES.parents[2] / "src"),
                },
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return [instructions_of(request) for request in model.requests]


async def capture(recipe: str, program: str) -> None:
    async with served(goldloop) as url:
        (told,) = await run(recipe, program, url, "gl_captured")
    CAPTURES.mkdir(parents=True, exist_ok=True)
    kept = {"sha256": fingerprint(recipe), "instructions": told}
    file_of(recipe).write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipe", choices=ASKED)
    parser.add_argument("program", help="the Python that runs the lines")
    asked = parser.parse_args()
    asyncio.run(capture(asked.recipe, asked.program))
