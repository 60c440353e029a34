"""Writes what is generated from the code and kept in the repository: the OpenAPI document, the Python client's types, what of
the JavaScript client is generated, and schema.sql."""

import asyncio
import json
import sys
from pathlib import Path

import write_client_types
import write_js_client

ROOT = Path(__file__).resolve().parents[1]


def openapi_text() -> str:
    from goldloop.app import build_litestar
    from goldloop.kit.openapi import openapi_document

    return json.dumps(openapi_document(build_litestar()), indent=1, sort_keys=True) + "\n"


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
    (ROOT / "web" / "openapi.json").write_text(openapi_text())
    write_client_types.main()
    write_js_client.main()
    if "--openapi-only" not in sys.argv:
        (ROOT / "src" / "goldloop" / "schema.sql").write_text(asyncio.run(schema_text()))


if __name__ == "__main__":
    main()
