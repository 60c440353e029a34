"""The schema as text, to read and to compare: what the migrations and functions make of an empty database."""

import asyncio
import re

from goldloop.kit.embedded_postgres import bin_dir

_NOISE = re.compile(r"(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*|)")


async def dump_schema(url: str) -> str:
    """Our own schema only: procrastinate's tables are its own business."""
    process = await asyncio.create_subprocess_exec(
        bin_dir() / "pg_dump",
        "--schema-only",
        "--no-owner",
        "--schema=public",
        url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"pg_dump failed: {err.decode()}")
    lines = [line.rstrip() for line in out.decode().splitlines()]
    return "\n".join(line for line in lines if not _NOISE.fullmatch(line)) + "\n"
