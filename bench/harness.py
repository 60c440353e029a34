"""Measures a workload: the server, pgbench and the driver in turns of a few seconds each."""

import asyncio
import os
import subprocess
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bench.driver import run_driver
from bench.ground import Ground, free_port
from bench.load import request, run_load
from bench.model import Bare, Measured, Slice, Target, Workload
from bench.pgbench import run_pgbench
from bench.record import Sent, Transaction, record
from goldloop.kit.db import APP_ROLE

SLICE_SECONDS = 2  # short enough that a disturbance falls on all, long enough that starting does not count
WARM_UP_SECONDS = 1
TURN_SECONDS = 1  # of workloads that are compared with each other
CEILING_SECONDS = 2


async def measure(ground: Ground, workload: Workload, connections: int, seconds: int) -> Measured:
    target = await workload.prepare(ground)
    sent = await record(ground, workload, target)
    statements = sent.messages
    if bare := workload.bare:
        sent = _bare(bare, sent, target)
        workload = replace(workload, statements=(workload.statements[bare.place],))
    turns: dict[str, list[Slice]] = {"server": [], "pgbench": [], "driver": []}

    contestants: deque[tuple[str, Callable[[int], Awaitable[Slice]]]] = deque(
        [
            ("server", lambda length: _server_turn(ground, target.requests, connections, length)),
            (
                "pgbench",
                lambda length: run_pgbench(
                    ground.url, ground.folder, workload, sent, target, connections, length
                ),
            ),
            ("driver", lambda length: run_driver(ground.url, workload, sent, target, connections, length)),
        ]
    )

    async def turn(length: int) -> None:
        for name, contend in contestants:
            turns[name].append(await contend(length))
        contestants.rotate()  # whoever writes a page first after a checkpoint writes all of it to the log

    await turn(WARM_UP_SECONDS)
    for slices in turns.values():
        slices.clear()
    length = min(SLICE_SECONDS, seconds)
    for _ in range(max(1, seconds // length)):
        await turn(length)
    return Measured(
        name=workload.name,
        about=workload.about,
        round_trips=len(statements),
        statements=statements,
        **turns,
    )


def _bare(bare: Bare, sent: Transaction, target: Target) -> Transaction:
    """The plainest SQL in as many messages as the server's, under row-level security as well."""
    plain = Sent(bare.sql, sent.statements[bare.place].parameters)
    begin = sent.begin or f"BEGIN; SET LOCAL ROLE {APP_ROLE}; SET LOCAL app.tenant='{target.tenant_id}'"
    return Transaction([plain], begin, one_message=not sent.begin)


async def measure_in_turns(
    ground: Ground, workloads: Sequence[Workload], connections: int, seconds: int
) -> list[list[Slice]]:
    """The server alone, with one workload after the other in turns: what disturbs one falls on all. The slices of each."""
    targets = [await workload.prepare(ground) for workload in workloads]
    turns: list[list[Slice]] = [[] for _ in workloads]
    for length in [WARM_UP_SECONDS, *[TURN_SECONDS] * max(1, seconds // TURN_SECONDS)]:
        for target, slices in zip(targets, turns, strict=True):
            slices.append(await _server_turn(ground, target.requests, connections, length))
    return [slices[1:] for slices in turns]


async def _server_turn(ground: Ground, requests: Sequence[bytes], connections: int, seconds: int) -> Slice:
    before = cpu_seconds(ground.server_pid)
    slice_ = await run_load(ground.port, requests, connections, seconds)
    after = cpu_seconds(ground.server_pid)
    return replace(slice_, server_cpu=None if before is None or after is None else after - before)


def cpu_seconds(pid: int) -> float | None:
    """How long a process has computed; None where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure_ceiling(ground: Ground, connections: int) -> tuple[Slice, Slice]:
    """What the load generator reaches against a canned answer, and against the server's smallest route."""
    with _canned_server() as port:
        await _wait_for(port)
        most = await run_load(port, [request("GET", "/")], connections, CEILING_SECONDS)
    health = await _server_turn(ground, [request("GET", "/healthz")], connections, CEILING_SECONDS)
    return most, health


@contextmanager
def _canned_server() -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "bench.canned", str(port)])
    try:
        yield port
    finally:
        process.terminate()
        process.wait()


async def _wait_for(port: int) -> None:
    for _ in range(100):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise RuntimeError("the canned server did not start")
