"""The driver alone: the same statements through asyncpg in one Python process, without HTTP around them."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from random import randint
from typing import Any
from uuid import UUID

import msgspec

from bench.model import Slice, Target, Workload
from bench.pgbench import first_serial
from bench.record import Transaction
from goldloop.kit.db import APP_ROLE, connect

# How a parameter in PostgreSQL's log becomes what the driver takes, by the parameter's type.
_FROM_TEXT: dict[str, Callable[[str], object]] = {
    "text": str,
    "uuid": UUID,
    "int4": int,
    "int8": int,
    "bool": lambda text: text == "t",
    "bytea": lambda text: bytes.fromhex(text.removeprefix(r"\x")),
    "jsonb": msgspec.json.decode,
    "float8": float,
    "interval": lambda text: timedelta(minutes=int(text.split(":")[1])),
    "timestamptz": datetime.fromisoformat,
    "text[]": lambda text: _items(text),
    "uuid[]": lambda text: [UUID(item) for item in _items(text)],
    "int4[]": lambda text: [int(item) for item in _items(text)],
}


def _items(text: str) -> list[str]:
    return [item for item in text.strip("{}").split(",") if item]


Draw = Callable[[int, int], object]


async def run_driver(
    url: str, workload: Workload, sent: Transaction, target: Target, connections: int, seconds: float
) -> Slice:
    opened = [await connect(url) for _ in range(connections)]
    try:
        for connection in opened:
            await connection.execute(f"SET ROLE {APP_ROLE}")  # as the server's are
        messages = await _messages(opened[0], workload, sent)
        serials = count(first_serial())
        begin = time.perf_counter()
        latencies: list[float] = []

        async def transact(connection: Any) -> None:
            while (started := time.perf_counter()) < begin + seconds:
                serial, pick = next(serials), randint(1, target.rows)
                if sent.begin:
                    await connection.execute(sent.begin)
                for sql, draws in messages:
                    await connection.fetch(sql, *[draw(serial, pick) for draw in draws])
                if sent.begin:
                    await connection.execute("COMMIT")
                latencies.append(time.perf_counter() - started)

        await asyncio.gather(*(transact(connection) for connection in opened))
        return Slice(done=len(latencies), seconds=time.perf_counter() - begin, latencies=latencies)
    finally:
        for connection in opened:
            await connection.close()


async def _messages(connection: Any, workload: Workload, sent: Transaction) -> list[tuple[str, list[Draw]]]:
    """Each statement with one function per parameter."""
    made = []
    for message, claimed in zip(sent.statements, workload.statements, strict=True):
        types = (await connection.prepare(message.sql)).get_parameters()
        draws = []
        for number, kind in enumerate(types, start=1):
            varying = claimed.varying.get(number)
            recorded = message.parameters[number]
            draws.append(varying.python if varying else _constant(recorded, kind.name))
        made.append((message.sql, draws))
    return made


def _constant(recorded: str | None, kind: str) -> Draw:
    value = None if recorded is None else _FROM_TEXT[kind](recorded)
    return lambda _serial, _pick: value
