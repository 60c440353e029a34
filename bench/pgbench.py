"""pgbench, written in C, running the statements that the server sends.

Everything is prepared, as the driver does. The first message, which the server sends as one text of
several statements, is a pipeline here: one round trip as well.

Plans are kept always. Left to choose, PostgreSQL plans a create anew each time here, where it keeps the
driver's plan: the expressions in place of parameters look cheaper that way, and halve the rate. Where it plans
the driver's statement anew as well (`key_list`), that loss is the server's and shows in the ratio.
"""

import asyncio
import os
import re
import time
from pathlib import Path

from bench.model import Slice, Target, Workload
from bench.record import Transaction, flat
from goldloop.kit.db import APP_ROLE
from goldloop.kit.embedded_postgres import bin_dir

LONGEST_VALUE = 100_000  # characters of a variable that stands in the command line; a longer one is read by the first query
SHOWN = 5000  # characters of a script that failed
CLIENTS = 1000  # pgbench numbers its clients from 0; each has every thousandth serial

_RATE = re.compile(r"^tps = (?P<rate>[\d.]+)", re.MULTILINE)
_DONE = re.compile(r"^number of transactions actually processed: (?P<done>\d+)", re.MULTILINE)
_FAILED = re.compile(r"^number of failed transactions: (?P<failed>\d+)", re.MULTILINE)


class PgbenchFailed(Exception):
    """What pgbench said."""


def first_serial() -> int:
    """Above every serial drawn before: time goes on faster than transactions are done."""
    return time.time_ns() // 10_000 * CLIENTS


def script(workload: Workload, sent: Transaction, rows: int) -> tuple[str, dict[str, str]]:
    """A pgbench script, and the values of its variables."""
    variables: dict[str, str] = {"n": "0", "base": str(first_serial() // CLIENTS)}
    lines = [
        r"\set n :n + 1",
        rf"\set serial (:base + :n) * {CLIENTS} + :client_id",
        rf"\set pick random(1, {rows})",
    ]
    begin = [f"{_without_colons(part)};" for part in flat(sent.begin).split("; ") if part]
    statements: list[str] = []
    for place, (message, claimed) in enumerate(zip(sent.statements, workload.statements, strict=True)):
        values: dict[int, str] = {}
        for number, recorded in message.parameters.items():
            if number in claimed.varying:
                values[number] = claimed.varying[number].sql
            elif recorded is None:
                values[number] = "NULL"
            else:
                name = f"s{place}p{number}"
                values[number] = f":{name}"
                if len(recorded) < LONGEST_VALUE:
                    variables[name] = recorded
                else:
                    variables[name] = "-"
                    lines += [r"\if :n = 1", rf"SELECT {_literal(recorded)} AS {name} \gset", r"\endif"]
        statements.append(_filled(flat(message.sql), values) + ";")
    if sent.one_message:
        lines += _pipeline([*begin, *statements, "COMMIT;"])
    elif begin:
        lines += [*_pipeline(begin), *statements, "COMMIT;"]
    else:
        lines += statements
    return "\n".join([*lines, ""]), variables


def _pipeline(statements: list[str]) -> list[str]:
    return [r"\startpipeline", *statements, r"\endpipeline"]


def _without_colons(sql: str) -> str:
    r"""Inside a quoted text pgbench would take `:word` for a variable; U&'\003A' is the same text."""
    return re.sub(r"'([^']*:[^']*)'", lambda m: "U&'" + m[1].replace(":", r"\003A") + "'", sql)


def _literal(value: str) -> str:
    """A text in which pgbench finds no variable."""
    escaped = value.replace("\\", "\\\\").replace("'", "''").replace(":", "\\003A")
    return f"U&'{escaped}'"


def _filled(sql: str, values: dict[int, str]) -> str:
    return re.sub(r"\$(\d+)", lambda m: values[int(m[1])], sql)


async def run_pgbench(
    url: str,
    folder: Path,
    workload: Workload,
    sent: Transaction,
    target: Target,
    connections: int,
    seconds: int,
) -> Slice:
    text, variables = script(workload, sent, target.rows)
    file = folder / f"{workload.name}.pgbench"
    file.write_text(text)
    process = await asyncio.create_subprocess_exec(
        *(str(bin_dir() / "pgbench"), "--no-vacuum", "--protocol=prepared", f"--file={file}"),
        *(f"--client={connections}", f"--time={seconds}"),
        *(f"--define={name}={value}" for name, value in variables.items()),
        url,
        env={**os.environ, "PGOPTIONS": f"-c plan_cache_mode=force_generic_plan -c role={APP_ROLE}"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = (stream.decode() for stream in await process.communicate())
    rate, done, failed = _RATE.search(output), _DONE.search(output), _FAILED.search(output)
    if process.returncode or rate is None or done is None or (failed and failed["failed"] != "0"):
        raise PgbenchFailed(f"{output}\n{errors}\n{text[:SHOWN]}")
    return Slice(done=int(done["done"]), seconds=int(done["done"]) / float(rate["rate"]))
