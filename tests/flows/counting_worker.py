"""`goldloop worker`, which also writes down when it begins and ends to count a claim: `counting_worker.py FILE`."""

import dataclasses
import os
import sys
import time
from typing import Any

import goldloop.concepts  # noqa: F401
from goldloop.cli.main import main
from goldloop.kit.queue import MARKS

FILE = os.open(sys.argv[1], os.O_APPEND | os.O_CREAT | os.O_WRONLY)


def write(what: str, key: str) -> None:
    os.write(FILE, f"{what} {key} {os.getpid()} {time.monotonic_ns()}\n".encode())


async def counted(tx: Any, key: str) -> None:
    write("begin", key)
    try:
        await real.run(tx, key)
    finally:
        write("end", key)


real = MARKS["claims.aggregate"]
MARKS["claims.aggregate"] = dataclasses.replace(real, run=counted)

if __name__ == "__main__":
    sys.exit(main(["worker", "--json"]))
