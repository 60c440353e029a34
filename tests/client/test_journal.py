"""A queue on disk: what a process did not send is sent by the next, whatever ended it."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from goldloop.client import AsyncClient, Client, clients, delivery, journal
from tests.client.flaky import Answer, Flaky, flaky_server
from tests.client.test_queue import queued
from tests.loops import some
from tests.servers import environment, free_port

ENTITY = "0199b5a0-0000-7000-8000-000000000000"
WORKSPACE = Answer(200, {"slug": "acme"})
NOBODY = f"http://127.0.0.1:{free_port()}"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(clients, "CLOSING_SECONDS", 0.2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "queue"


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def arrived(flaky: Flaky) -> list[Any]:
    """The turns and reactions in their order."""
    found: list[Any] = []
    for asked in flaky.asked:
        if asked.method == "POST":
            bodies = asked.body if isinstance(asked.body, list) else [asked.body]
            found += [body.get("turn_id") or body.get("reaction") or body["values"]["n"] for body in bodies]
    return found


def leave(folder: Path, url: str, *turns: str) -> None:
    """As a process does that ends while the server is away."""
    with Client(url, "gl_x", spill=folder, transport=nobody()) as client:
        for turn in some(turns):
            assert client.background.add_turn("Support", "c", turn, user="hi")


def nobody() -> httpx.MockTransport:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody is there")

    return httpx.MockTransport(fail)


def test_what_was_not_sent_is_sent_at_the_next_start(folder: Path) -> None:
    with flaky_server(WORKSPACE) as flaky:
        leave(folder, flaky.url, "t1", "t2")
        assert len(files(folder)) == 1
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
            assert arrived(flaky) == ["t1", "t2"]
            assert client.background.stats.sent == 2
        assert files(folder) == [], "nothing is left of what was sent"


KILLED = """
import os, signal, time, goldloop
client = goldloop.Client(spill=os.environ["FOLDER"])
for n in range(3):
    client.background.add_turn("Support", "c", f"t{n}", user="hi")
client.background.react("Support", "c", "t1", "ok")
client.background.submit("0199b5a0-0000-7000-8000-000000000000", {"n": 7})
while client.background.stats.saved < 5:
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""


def run(program: str, folder: Path, url: str) -> int:
    extra = {"GOLDLOOP_URL": url, "GOLDLOOP_KEY": "gl_x", "FOLDER": str(folder)}
    return subprocess.run([sys.executable, "-c", program], env=environment(extra), timeout=60).returncode


def test_a_process_that_was_killed_loses_nothing(folder: Path) -> None:
    with flaky_server(*[Answer(503)] * 10_000) as flaky:
        assert run(KILLED, folder, flaky.url) == -signal.SIGKILL
        flaky.answers.clear()
        flaky.asked.clear()
        flaky.answers.append(WORKSPACE)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            client.background.add_turn("Support", "c", "t9", user="later")
            assert client.flush(30)
        assert arrived(flaky) == ["t0", "t1", "t2", "ok", 7, "t9"]
        assert files(folder) == []


def test_what_was_sent_is_not_sent_again(folder: Path) -> None:
    program = """
import os, signal, time, goldloop
client = goldloop.Client(spill=os.environ["FOLDER"])
client.background.react("Support", "c", "t1", "ok")
assert client.flush(30)
client.background.react("Support", "c", "t1", "not_ok")
while client.background.stats.saved < 1:
    time.sleep(0.01)
os.kill(os.getpid(), signal.SIGKILL)
"""
    with flaky_server(WORKSPACE, Answer(200), *[Answer(503)] * 10_000) as flaky:
        assert run(program, folder, flaky.url) == -signal.SIGKILL
        flaky.answers.clear()
        flaky.asked.clear()
        flaky.answers.append(WORKSPACE)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
        assert arrived(flaky) == ["not_ok"]


def test_a_file_of_a_process_that_lives_is_left_alone(folder: Path) -> None:
    with (
        flaky_server(WORKSPACE, WORKSPACE) as flaky,
        Client(flaky.url, "gl_x", spill=folder, transport=nobody()) as living,
    ):
        living.background.add_turn("Support", "c", "mine", user="hi")
        wait_until(living, saved=1)
        with Client(flaky.url, "gl_x", spill=folder) as other:
            other.background.add_turn("Support", "c", "other", user="hi")
            assert other.flush(30)
        assert arrived(flaky) == ["other"]


def test_what_is_for_another_key_or_server_is_not_sent(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with flaky_server(WORKSPACE) as flaky:
        leave(folder, flaky.url, "t1")
        for url, key in ((flaky.url, "gl_y"), (NOBODY, "gl_x")):
            with Client(url, key, spill=folder, transport=nobody()) as client:
                client.background.add_turn("Support", "c", "t2", user="hi")
                wait_until(client, saved=1)
                assert client.background.stats.queued == 1
        assert "another address or key" in caplog.text
        assert flaky.asked == []


@pytest.mark.parametrize("damage", [b"", b"0000", b'0000abcd {"queued"', b"\xff\xfe\n\n rubbish\n"])
def test_a_damaged_tail_costs_nothing_else(
    folder: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with flaky_server(WORKSPACE) as flaky:
        leave(folder, flaky.url, "t1", "t2")
        (file,) = files(folder)
        with file.open("ab") as tail:
            tail.write(damage)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
        assert arrived(flaky) == ["t1", "t2"]
        assert ("damaged and are left out" in caplog.text) is bool(damage)
        assert files(folder) == []


@pytest.mark.parametrize("cut", [2, 50, 300])
def test_what_was_cut_off_costs_what_was_cut(folder: Path, cut: int) -> None:
    with flaky_server(WORKSPACE) as flaky:
        leave(folder, flaky.url, "t1", "t2")
        (file,) = files(folder)
        os.truncate(file, file.stat().st_size - cut)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
        assert arrived(flaky) == (["t1"] if cut < 300 else [])


def test_it_is_bounded_and_the_oldest_makes_room(folder: Path) -> None:
    with flaky_server(WORKSPACE) as flaky:
        with Client(flaky.url, "gl_x", spill=folder, spill_bytes=20_000, transport=nobody()) as client:
            for n in range(100):
                client.background.add_turn("Support", "c", f"t{n}", user="x" * 1000)
            assert not client.background.add_turn("Support", "c", "huge", user="x" * 30_000)
            stats = client.background.stats
            assert (stats.queued, stats.dropped) == (18, 83)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
        assert arrived(flaky) == [f"t{n}" for n in range(82, 100)]


def test_a_file_does_not_grow_with_what_was_sent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "SMALL", 2000)
    kept = journal.Journal(folder, "http://x", "k")
    assert kept.open() == []
    for n in range(200):
        kept.append([queued(n, f"c.{n}")], [n - 2] if n > 1 else [])
        if kept.is_wasteful(2, 30):
            kept.rewrite([queued(n - 1, f"c.{n - 1}"), queued(n, f"c.{n}")])
    (file,) = files(folder)
    assert file.stat().st_size < 4000
    kept.forget()
    again = journal.Journal(folder, "http://x", "k")
    assert [(each.number, each.item_id) for each in again.open()] == [(-1, "198"), (-2, "199")]
    again.close(is_empty=True)
    assert files(folder) == []


def test_a_disk_that_cannot_be_used_costs_the_insurance_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    with flaky_server(WORKSPACE) as flaky, Client(flaky.url, "gl_x", spill=tmp_path / "file") as client:
        assert client.background.add_turn("Support", "c", "t1", user="hi")
        assert client.flush(30)
        assert arrived(flaky) == ["t1"]
        assert "in memory alone" in caplog.text


def test_a_full_disk_does_not_stop_what_can_be_sent(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = threading.Event()

    def full(*args: object) -> int:
        failed.set()
        raise OSError(28, "No space left on device")

    with flaky_server(WORKSPACE) as flaky:
        flaky.gate.clear()
        with Client(flaky.url, "gl_x", spill=folder) as client:
            monkeypatch.setattr(journal.Journal, "_write", full)
            client.background.add_turn("Support", "c", "t1", user="hi")
            assert failed.wait(30)
            flaky.gate.set()
            assert client.flush(30)
        assert arrived(flaky) == ["t1"]
        assert "No space left" in caplog.text


def test_a_process_that_was_forked_has_a_file_of_its_own(folder: Path) -> None:
    program = """
import os, time, goldloop
client = goldloop.Client(spill=os.environ["FOLDER"])
client.background.add_turn("Support", "c", "parent", user="hi")
while client.background.stats.saved < 1:
    time.sleep(0.01)
child = os.fork()
if not child:
    client.background.add_turn("Support", "c", "child", user="hi")
    while client.background.stats.saved < 1:
        time.sleep(0.01)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""
    with flaky_server(*[Answer(503)] * 10_000) as flaky:
        assert run(program, folder, flaky.url) == 0
        assert len(files(folder)) == 2
        flaky.answers.clear()
        flaky.asked.clear()
        flaky.answers.append(WORKSPACE)
        with Client(flaky.url, "gl_x", spill=folder) as client:
            assert client.flush(30)
        assert sorted(arrived(flaky)) == ["child", "parent"]


async def test_the_asynchronous_client_has_it_too(folder: Path) -> None:
    with flaky_server(WORKSPACE) as flaky:
        leave(folder, flaky.url, "t1")
        async with AsyncClient(flaky.url, "gl_x", spill=folder) as client:
            assert await client.flush(30)
        assert arrived(flaky) == ["t1"]


def test_only_its_owner_may_read_it(folder: Path) -> None:
    leave(folder, NOBODY, "t1")
    (file,) = files(folder)
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert b"gl_x" not in file.read_bytes()


def wait_until(client: Client, *, saved: int) -> None:
    while client.background.stats.saved < saved:
        threading.Event().wait(0.01)
