"""`goldloop worker`, which also writes down when it begins and ends to count a claim: `counting_worker.py FILE`."""

import asyncio
import dataclasses
import os
import sys
import time
from typing import Any

import goldloop.concepts  # noqa: F401
from goldloop.cli.main import main
from goldloop.kit.queue import MARKS

SLOW = float(os.environ.get("COUNTING_SECONDS", "0"))
FILE = os.open(sys.argv[1], os.O_APPEND | os.O_CREAT | os.O_WRONLY)


def write(what: str, key: str) -> None:
    os.write(FILE, f"{what} {key} {os.getpid()} {time.monotonic_ns()}\n".encode())


async def counted(tx: Any, key: str) -> None:
    write("begin", key)
    try:
        await real.run(tx, key)
        await asyncio.sleep(
            SLOW
        )  # long enough that a second worker would be seen, and a killed one was counting
    finally:
        write("end", key)


real = MARKS["claims.aggregate"]
MARKS["claims.aggregate"] = dataclasses.replace(real, run=counted)

if __name__ == "__main__":
    sys.exit(main(["worker", "--json"]))
