"""The probe itself: it sees a loop that is held, and does not mistake a busy machine for one."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.hostile.probe import HELD_FLOOR, Probe
from tests.hostile.wire import Call, Wire
from tests.servers import free_port

# Answers all but `/never`; `/held` after half a second of work on the loop, `/beside` after as much in steps. It ends
# the connection after `/closes`, as servers do after a long silence.
SERVER = """
import asyncio, sys, time

def work(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass

async def answer(reader, writer):
    while line := await reader.readline():
        while (await reader.readline()).strip():
            pass
        if b"/held" in line:
            work(0.5)
        if b"/beside" in line:
            for _ in range(50):
                work(0.01)
                await asyncio.sleep(0)
        if b"/never" in line:
            return writer.close()
        writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")
        if b"/closes" in line:
            return writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", int(sys.argv[1]))
    print("ready", flush=True)
    await server.serve_forever()

asyncio.run(main())
"""
BUSY = "while True: pass"


@contextmanager
def running(*argv: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", *argv], stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def probed() -> Iterator[Probe]:
    port = free_port()
    with running(SERVER, str(port)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        with Probe(port, process.pid).running() as probe:
            yield probe


async def held_by(probe: Probe, target: str) -> float:
    start = time.monotonic()
    wire = Wire(probe.port)
    answer = await wire.ask(Call(name=target, method="GET", path=target, target=target))
    wire.close()
    assert answer.body == b"ok"
    return await probe.held(start, time.monotonic())


async def test_a_loop_that_is_held_is_seen() -> None:
    with probed() as probe:
        assert await held_by(probe, "/held") > HELD_FLOOR


@pytest.mark.skipif(sys.platform != "linux", reason="the work of another process cannot be told from time")
async def test_a_busy_machine_is_not_a_loop_that_is_held() -> None:
    with running(BUSY), running(BUSY), probed() as probe:
        start = time.monotonic()
        await asyncio.sleep(0.3)
        assert await probe.held(start, time.monotonic()) < HELD_FLOOR
        assert await held_by(probe, "/beside") < HELD_FLOOR
        assert await held_by(probe, "/held") > HELD_FLOOR


async def test_a_connection_that_ended_in_silence_is_opened_again_and_a_refusal_to_answer_is_seen() -> None:
    with probed() as probe:
        wire = Wire(probe.port)
        statuses = []
        for target in ("/closes", "/closes", "/x", "/never", "/x"):
            await asyncio.sleep(0.05)  # until the end of the connection has arrived
            answer = await wire.ask(Call(name=target, method="GET", path=target, target=target))
            statuses.append(answer.status)
        wire.close()
    assert statuses == [200, 200, 200, 0, 200]
