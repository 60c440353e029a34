"""Pages of the database that requests touch, found in its memory or read from a disk, as `pg_stat_statements` counts them: each
top statement with all that its functions, triggers and foreign keys ask, and its planning.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from bench.ground import Ground
from bench.growing.client import Client

PRELOADED = {
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track_planning": "on",
    "autovacuum": "off",  # whatever is measured is vacuumed and analysed before, and nothing runs beside it
}
WARM = 6  # requests of a kind before it is counted: PostgreSQL plans five times before it keeps a plan
COUNTED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """Of one request, on average. `shown` are the rows of a list; `statements` are those that touched most, for whoever looks for a
    cause."""

    pages: float
    shown: int
    statements: tuple[tuple[float, str], ...]


async def prepare(ground: Ground) -> None:
    async with ground.superuser() as connection:
        await connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")


async def settle(ground: Ground) -> None:
    """After filling: no dead rows, no hints to set, and statistics of what is there."""
    async with ground.superuser() as connection:
        await connection.execute("VACUUM ANALYZE")
        await connection.execute("CHECKPOINT")


async def count_pages(ground: Ground, client: Client, requests: Sequence[bytes]) -> Counted:
    """The first `WARM` of the requests are sent before; one that is sent once alone is sent over and over."""
    sent = list(requests) if len(requests) > 1 else list(requests) * (WARM + COUNTED)
    shown = 1
    for request in sent[:WARM]:
        shown = _shown(await client.send(request))
    async with ground.superuser() as connection:
        await connection.execute("SELECT pg_stat_statements_reset()")
        for request in sent[WARM:]:
            await client.send(request)
        rows = await connection.fetch(
            """
            SELECT s.query, sum(s.shared_blks_hit + s.shared_blks_read)::float8 AS pages FROM pg_stat_statements s
            JOIN pg_roles r ON r.oid = s.userid
            WHERE s.dbid = (SELECT d.oid FROM pg_database d WHERE d.datname = 'goldloop') AND r.rolname LIKE 'goldloop%'
            GROUP BY s.query ORDER BY 2 DESC
            """
        )
    times = len(sent) - WARM
    found = tuple((row["pages"] / times, " ".join(row["query"].split())) for row in rows)
    return Counted(pages=sum(pages for pages, _ in found), shown=shown, statements=found[:5])


def _shown(answer: bytes) -> int:
    content = answer.partition(b"\r\n\r\n")[2]
    said = msgspec.json.decode(content) if content else None
    rows = said.get("data") if isinstance(said, dict) else None
    return max(1, len(rows)) if isinstance(rows, list) else 1
