"""Writes what is generated from the code and kept in the repository: the OpenAPI document, the types of the Python
client and schema.sql."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from client_types import client_types

ROOT = Path(__file__).resolve().parents[1]


def openapi_text() -> str:
    from goldloop.app import build_litestar
    from goldloop.kit.openapi import openapi_document

    return json.dumps(openapi_document(build_litestar()), indent=1, sort_keys=True) + "\n"


def client_types_text(document: str) -> str:
    """As ruff formats it, which `make test` checks."""
    format_it = [sys.executable, "-m", "ruff", "format", "--stdin-filename", "types.py", "-"]
    text = client_types(json.loads(document))
    return subprocess.run(format_it, input=text, text=True, capture_output=True, check=True, cwd=ROOT).stdout


async def schema_text() -> str:
    import tempfile

    from goldloop.kit.db import connect
    from goldloop.kit.embedded_postgres import HolderKind, embedded_postgres
    from goldloop.migrations import runner
    from goldloop.migrations.dump import dump_schema

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        async with embedded_postgres(Path(folder) / "data", HolderKind.COMMAND) as postgres:
            connection = await connect(postgres.url)
            await runner.up(connection)
            await connection.close()
            return await dump_schema(postgres.url)


def main() -> None:
    document = openapi_text()
    (ROOT / "web" / "openapi.json").write_text(document)
    (ROOT / "src" / "goldloop" / "client" / "types.py").write_text(client_types_text(document))
    if "--openapi-only" not in sys.argv:
        (ROOT / "src" / "goldloop" / "schema.sql").write_text(asyncio.run(schema_text()))


if __name__ == "__main__":
    main()
