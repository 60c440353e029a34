"""What the server really sends: one request with every statement logged, compared to what a workload claims.

The limit is then measured with the recorded statements, so it cannot drift from the code.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.ground import Ground
from bench.load import run_load
from bench.model import Statement, Target, Workload

RELOAD_SECONDS = 0.5  # until every backend has heard of changed settings

_LINE = re.compile(r"^\S+ \S+ UTC \[(?P<pid>\d+)\] (?P<kind>[A-Z]+):  (?P<text>.*)", re.DOTALL)
_STATEMENT = re.compile(r"(?:statement|execute [^:]+): (?P<sql>.*)", re.DOTALL)
_PARAMETER = re.compile(r"\$(?P<number>\d+) = (?:NULL|'(?P<value>(?:[^']|'')*)')")


@dataclass(slots=True)
class Sent:
    """One message to PostgreSQL: its SQL and its parameters as text, by number."""

    sql: str
    parameters: dict[int, str | None] = field(default_factory=dict)


class NotAsClaimed(Exception):
    """The server sends other statements than the workload says: change the workload."""


async def record(ground: Ground, workload: Workload, target: Target) -> list[Sent]:
    """The messages of one request, from BEGIN to COMMIT."""
    await run_load(ground.port, target.requests[:1], 1, 0)  # looks the key up, so that the next need not
    async with ground.superuser() as connection:
        await connection.execute("ALTER SYSTEM SET log_statement = 'all'")
        await connection.execute("SELECT pg_reload_conf()")
        await asyncio.sleep(RELOAD_SECONDS)
        begin = ground.log.stat().st_size
        await run_load(ground.port, target.requests[-1:], 1, 0)
        await connection.execute("ALTER SYSTEM RESET log_statement")
        await connection.execute("SELECT pg_reload_conf()")
        await asyncio.sleep(RELOAD_SECONDS)
    with ground.log.open() as log:
        log.seek(begin)
        found = list(transactions(log.read(), str(target.tenant_id)))
    if len(found) != 1:
        raise NotAsClaimed(f"{workload.name}: one request opened {len(found)} transactions")
    check_claim(workload, found[0])
    return found[0]


def check_claim(workload: Workload, sent: list[Sent]) -> None:
    claimed = [Statement(holds="; SET LOCAL ROLE"), *workload.statements, Statement(holds="COMMIT")]
    if len(claimed) != len(sent) or not all(
        c.holds in flat(s.sql) for c, s in zip(claimed, sent, strict=True)
    ):
        raise NotAsClaimed(
            f"{workload.name} claims\n  "
            + "\n  ".join(c.holds for c in claimed)
            + "\nthe server sends\n  "
            + "\n  ".join(flat(s.sql) for s in sent)
        )


def transactions(log: str, tenant: str) -> Iterator[list[Sent]]:
    """The transactions of one tenant in a log, each as its messages."""
    open_by_pid: dict[str, list[Sent]] = {}
    for pid, kind, text in _entries(log):
        if kind == "LOG" and (statement := _STATEMENT.fullmatch(text)):
            sql = statement["sql"]
            if sql.startswith("BEGIN"):
                open_by_pid[pid] = []
            if pid in open_by_pid:
                open_by_pid[pid].append(Sent(sql))
            if sql == "COMMIT" and tenant in (sent := open_by_pid.pop(pid, [Sent("")]))[0].sql:
                yield sent
        elif kind == "DETAIL" and pid in open_by_pid:
            open_by_pid[pid][-1].parameters.update(parameters(text))


def parameters(text: str) -> dict[int, str | None]:
    """`Parameters: $1 = 'a', $2 = NULL` as a mapping."""
    return {
        int(found["number"]): None if found["value"] is None else found["value"].replace("''", "'")
        for found in _PARAMETER.finditer(text)
    }


def _entries(log: str) -> Iterator[tuple[str, str, str]]:
    """The log's entries; a line that begins with a tab goes on with the one before."""
    for entry in re.split(r"\n(?!\t)", log):
        if line := _LINE.match(entry.replace("\n\t", "\n")):
            yield line["pid"], line["kind"], line["text"].rstrip("\n")


def flat(sql: str) -> str:
    return " ".join(sql.split())
