"""The lines that connect an agent, as `cases/snippets` has them and the page and the documentation show them."""

import asyncio
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "cases" / "snippets"
CAPTURES = ROOT / "tests" / "data" / "snippets"
ADDRESS, KEY = "http://127.0.0.1:8400", "gl_…"  # what is replaced by those of an installation

SNIPPETS: dict[str, dict[str, Any]] = {
    each["id"]: each for each in json.loads((FOLDER / "index.json").read_text())
}


def files_of(snippet: str) -> list[str]:
    return [block["file"] for block in SNIPPETS[snippet]["blocks"]]


def text_of(file: str) -> str:
    return (FOLDER / file).read_text()


def lines_for(file: str, url: str, key: str) -> str:
    return text_of(file).replace(ADDRESS, url).replace(KEY, key)


def fingerprint(snippet: str) -> str:
    """Of all lines of a snippet: a capture of others than these is out of date."""
    return hashlib.sha256("\0".join(text_of(file) for file in files_of(snippet)).encode()).hexdigest()


async def run(
    snippet: str,
    url: str,
    key: str,
    model: str,
    folder: Path,
    with_program: Sequence[str] = (sys.executable,),
) -> str:
    """Sets the environment and runs the program, as a person would who copies one after the other."""
    sourced = [f for f in files_of(snippet) if f.endswith(".sh") and "export " in text_of(f)]
    (program,) = [f for f in files_of(snippet) if f not in sourced and not f.endswith("-install.sh")]
    environment = "".join(lines_for(file, url, key) for file in sourced)
    return await run_program(program, url, key, model, folder, with_program, environment)


async def run_program(
    program: str,
    url: str,
    key: str,
    model: str,
    folder: Path,
    with_program: Sequence[str] = (sys.executable,),
    environment: str = "",
) -> str:
    saved = (
        folder / f"my_agent{Path(program).suffix}"
    )  # under its own name it would hide the package that it imports
    saved.write_text(lines_for(program, url, key))
    command = ["bash", saved.name] if saved.suffix == ".sh" else [*with_program, saved.name]
    theirs = ("OTEL_", "LANGFUSE_", "LANGSMITH_", "GOLDLOOP_", "OPENAI_")
    process = await asyncio.create_subprocess_exec(
        *["bash", "-euc", environment + 'exec "$@"', "bash", *command],
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if not name.startswith(theirs)},
            "OPENAI_BASE_URL": f"{model}/v1",
            "OPENAI_API_KEY": "x",
            "PYTHONPATH": str(ROOT / "src"),
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()
