"""Dumps the schema that migrations and functions produce, as text."""

import asyncio
import re

from goldloop.kit.embedded_postgres import bin_dir

_NOISE = re.compile(r"(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*|)")


async def dump_schema(url: str) -> str:
    """Our own schema only, without procrastinate's tables."""
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
