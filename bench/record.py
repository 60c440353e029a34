"""What the server really sends: one request with every statement logged, compared to what a workload claims.

The limit is then measured with the recorded statements, so it cannot drift from the code.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.ground import Ground
from bench.load import run_load
from bench.model import Target, Workload

RELOAD_SECONDS = 0.5  # until every backend has heard of changed settings

_LINE = re.compile(r"^\S+ \S+ UTC \[(?P<pid>\d+)\] (?P<kind>[A-Z]+):  (?P<text>.*)", re.DOTALL)
_STATEMENT = re.compile(r"(?:statement|execute [^:]+): (?P<sql>.*)", re.DOTALL)
_PARAMETER = re.compile(r"\$(?P<number>\d+) = (?:NULL|'(?P<value>(?:[^']|'')*)')")


@dataclass(slots=True)
class Sent:
    """One message to PostgreSQL: its SQL and its parameters as text, by number."""

    sql: str
    parameters: dict[int, str | None] = field(default_factory=dict)


@dataclass(slots=True)
class Transaction:
    """The messages of one request. A call that commits by itself has neither BEGIN nor COMMIT, nor have queries that each make
    their settings themselves."""

    statements: list[Sent]
    begin: str = ""
    one_message: bool = False  # for pgbench, which can send BEGIN, statements and COMMIT together

    @property
    def messages(self) -> list[str]:
        inner = [flat(sent.sql) for sent in self.statements]
        return [flat(self.begin), *inner, "COMMIT"] if self.begin else inner


class NotAsClaimed(Exception):
    """The server sends other statements than the workload says: change the workload."""


async def record(ground: Ground, workload: Workload, target: Target) -> Transaction:
    """What one request sends."""
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
        sent = "\n  ".join(message for each in found for message in each.messages)
        raise NotAsClaimed(f"{workload.name}: one request opened {len(found)} transactions\n  {sent}")
    check_claim(workload, found[0])
    return found[0]


def check_claim(workload: Workload, sent: Transaction) -> None:
    claimed = [statement.holds for statement in workload.statements]
    if len(claimed) != len(sent.statements) or not all(
        holds in flat(message.sql) for holds, message in zip(claimed, sent.statements, strict=True)
    ):
        raise NotAsClaimed(
            f"{workload.name} claims\n  "
            + "\n  ".join(claimed)
            + "\nthe server sends\n  "
            + "\n  ".join(sent.messages)
        )


def transactions(log: str, tenant: str) -> Iterator[Transaction]:
    """The transactions of one tenant in a log; what makes its settings itself counts as one with the others that do."""
    by_themselves = Transaction([])
    open_by_pid: dict[str, Transaction] = {}
    alone_by_pid: dict[str, Sent] = {}
    for pid, kind, text in _entries(log):
        if kind == "LOG" and (statement := _STATEMENT.fullmatch(text)):
            sql = statement["sql"]
            if sql.startswith("BEGIN"):
                open_by_pid[pid] = Transaction([], begin=sql)
            elif sql == "COMMIT":
                if tenant in (sent := open_by_pid.pop(pid, Transaction([]))).begin:
                    yield sent
            elif pid in open_by_pid:
                open_by_pid[pid].statements.append(Sent(sql))
            elif "set_config('app.tenant'" in sql:
                alone_by_pid[pid] = Sent(sql)
        elif kind == "DETAIL" and pid in open_by_pid and open_by_pid[pid].statements:
            open_by_pid[pid].statements[-1].parameters.update(parameters(text))
        elif kind == "DETAIL" and (alone := alone_by_pid.pop(pid, None)):
            alone.parameters.update(parameters(text))
            if tenant in alone.parameters.values():
                by_themselves.statements.append(alone)
    if by_themselves.statements:
        yield by_themselves


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
