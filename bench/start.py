"""How soon a server that has run before answers, how much memory it holds, what it computes while nobody asks, and how large
its installation is. One `goldloop serve` on a folder of its own.

Durations are those of the machine at that moment, so the processor's time stands beside them and they decide nothing; memory,
the share of a core at rest and the size of the installation do.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.spans import tree_cpu
from tools.installed import bytes_of, bytes_of_goldloop, light, locked

START = {"start": "A second start, a command beside it, memory at rest and after huge bodies, idle CPU, size"}
HEAD = f"{'start':<52}{'is':>10}{'at most':>10}"
AGAIN = 5  # starts and commands, of which the median is told
SETTLE_SECONDS = 3.0  # until what a start left behind is done
LARGE = 1_000_000  # bytes of a body, a little less than is taken
IMPORT = 9_000_000  # characters of a file of feedback, of 10 million that are taken
ROUNDS = 3
AT_ONCE = 4
MEGA = 1_000_000
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`bound` None: told and not judged. `decides` is False for what depends on how busy the machine is."""

    name: str
    value: float
    bound: float | None
    decides: bool = True

    @property
    def held(self) -> bool:
        return self.bound is None or not self.decides or self.value <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"held": self.held}


def line(figure: Figure) -> str:
    bound = "" if figure.bound is None else f"{figure.bound:g}"
    return f"{figure.name:<52}{figure.value:>10.3g}{bound:>10}{'' if figure.held else '  over'}"


def measure_start(seconds: int) -> Iterator[Figure]:
    folder = Path(tempfile.mkdtemp(prefix="goldloop-bench-start-"))
    folder.chmod(0o755)  # for the account that an embedded PostgreSQL runs as
    try:
        with _served(folder):
            pass  # the first start: the cluster, the schema and the first workspace are made
        with _served(folder):
            pass  # and what Python compiles of the modules
        yield from _starts(folder)
        with _served(folder) as server:
            yield from _commands(folder)
            yield from _at_rest(server, seconds)
            yield from _after_work(server)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    yield from _installed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    folder: Path
    url: str
    pid: int
    seconds: float  # to the first answer of /readyz
    cpu: float

    def memory(self) -> tuple[float, float]:
        """Rss and Pss of the process in MB; the second shares what is mapped by several processes among them."""
        text = Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        sizes = {row.split(":")[0]: row.split()[1] for row in text.splitlines() if row.endswith("kB")}
        return int(sizes["Rss"]) * 1024 / MEGA, int(sizes["Pss"]) * 1024 / MEGA

    def settled(self) -> tuple[float, float]:
        """Once it does not change any more: jobs of what was sent are done."""
        before = -1.0
        for _ in range(60):
            time.sleep(1)
            rss, pss = self.memory()
            cpu = _cpu(self.pid)
            time.sleep(1)
            if abs(rss - before) < 1 and _cpu(self.pid) - cpu < 0.05:
                return rss, pss
            before = rss
        return self.memory()


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _environment() -> dict[str, str]:
    kept = ("GOLDLOOP_", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if not name.startswith(kept)}


def _goldloop(folder: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "goldloop.cli.main", *arguments, "--data-dir", str(folder / "data")]


@contextmanager
def _served(folder: Path) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with (folder / "log").open("ab") as log:
        began = time.monotonic()
        process = subprocess.Popen(
            _goldloop(folder, "serve", "--port", str(port)), env=_environment(), stdout=log, stderr=log
        )
        try:
            while not _is_ready(url):
                if process.poll() is not None:
                    raise RuntimeError((folder / "log").read_text()[-2000:])
                time.sleep(0.01)
            took = time.monotonic() - began
            yield Server(folder=folder, url=url, pid=process.pid, seconds=took, cpu=_cpu(process.pid))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def _is_ready(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _starts(folder: Path) -> Iterator[Figure]:
    starts = []
    for _ in range(AGAIN):
        with _served(folder) as server:
            starts.append((server.seconds, server.cpu))
    yield Figure(name="second start, s to ready", value=median(s for s, _ in starts), bound=2, decides=False)
    yield Figure(name="second start, CPU s of the server", value=median(c for _, c in starts), bound=None)


def _commands(folder: Path) -> Iterator[Figure]:
    ran = []
    for _ in range(AGAIN):
        before, began = os.times(), time.monotonic()
        subprocess.run(
            _goldloop(folder, "key", "list", "--tenant", "main"),
            env=_environment(),
            check=True,
            capture_output=True,
        )
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        ran.append((time.monotonic() - began, cpu))
    yield Figure(name="goldloop key list, s", value=median(s for s, _ in ran), bound=0.5, decides=False)
    yield Figure(name="goldloop key list, CPU s", value=median(c for _, c in ran), bound=None)


def _at_rest(server: Server, seconds: int) -> Iterator[Figure]:
    time.sleep(SETTLE_SECONDS)
    rss, pss = server.memory()
    yield Figure(name="memory at rest before the encoder, MB (Rss)", value=rss, bound=130)
    yield Figure(name="memory at rest before the encoder, MB (Pss)", value=pss, bound=None)
    postmaster = _postmaster(server.folder)
    began, own, postgres = time.monotonic(), _cpu(server.pid), tree_cpu(postmaster)
    time.sleep(max(20, seconds))
    took = time.monotonic() - began
    yield Figure(name="idle, of a core (server)", value=(_cpu(server.pid) - own) / took, bound=0.01)
    yield Figure(
        name="idle, of a core (PostgreSQL)", value=(tree_cpu(postmaster) - postgres) / took, bound=None
    )


def _postmaster(folder: Path) -> int:
    (file,) = (folder / "data").rglob("postmaster.pid")
    return int(file.read_text().split()[0])


def _after_work(server: Server) -> Iterator[Figure]:
    made = subprocess.run(
        _goldloop(
            server.folder, "key", "create", "--tenant", "main", "--name", "bench", "--role", "owner", "--json"
        ),
        env=_environment(),
        check=True,
        capture_output=True,
    )
    key = json.loads(made.stdout)["key"]
    _send(server, key, "/conversations/main/Support/first/turns", _turns(2_000))
    _wait_for_encoder(server)
    rss, pss = server.settled()
    yield Figure(name="memory at rest with the encoder, MB (Rss)", value=rss, bound=200)
    yield Figure(name="memory at rest with the encoder, MB (Pss)", value=pss, bound=None)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for number in range(ROUNDS):
            list(threads.map(lambda job: _send(server, key, *job), _huge(number)))
        _send(server, key, "/api/entity-types", json.dumps({"slug": "x" * LARGE}).encode(), refused=True)
    after, _ = server.settled()
    yield Figure(name="memory after huge bodies, MB (Rss)", value=after, bound=None)
    yield Figure(name="memory after huge bodies, times that before", value=after / rss, bound=1.3)


def _wait_for_encoder(server: Server) -> None:
    """It is loaded where its table is mapped."""
    for _ in range(600):
        if ".table" in Path(f"/proc/{server.pid}/maps").read_text():
            return
        time.sleep(0.2)
    raise RuntimeError("the encoder was not loaded")


def _huge(number: int) -> Iterator[tuple[str, bytes]]:
    """Bodies near what is taken at most: turns in bulk, spans, an import."""
    for place in range(AT_ONCE):
        yield f"/conversations/main/Support/huge-{number}-{place}/turns", _turns(LARGE)
        yield "/v1/traces", _spans(LARGE, number * AT_ONCE + place)
    yield "/api/feedback/import", _import(IMPORT)


def _turns(size: int) -> bytes:
    text = "Where is the order, and when will it be here? "
    each = {"user": {"text": text * 40}, "assistant": {"text": text * 40}, "user_id": "u", "agent": "a"}
    count = max(1, size // len(json.dumps(each)) - 2)
    turns = [
        {
            **each,
            "turn_id": f"turn-{n}",
            "ts": f"2026-01-01T{n // 3600 % 24:02}:{n // 60 % 60:02}:{n % 60:02}Z",
        }
        for n in range(count)
    ]
    return json.dumps(turns).encode()


def _spans(size: int, number: int) -> bytes:
    attribute = {"key": "gen_ai.prompt", "value": {"stringValue": "what is asked of a model " * 80}}
    spans = [
        {
            "traceId": f"{number + 1:032x}",
            "spanId": f"{n + 1:016x}",
            "name": "chat",
            "kind": 3,
            "startTimeUnixNano": str(1_770_000_000_000_000_000 + n),
            "endTimeUnixNano": str(1_770_000_000_001_000_000 + n),
            "attributes": [attribute],
        }
        for n in range(size // 2300)
    ]
    return json.dumps(
        {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": spans}]}]}
    ).encode()


def _import(size: int) -> bytes:
    row = {"id": "x", "name": "helpful", "value": 1, "comment": "it was right, and soon enough " * 30}
    text = "\n".join(json.dumps({**row, "id": f"row-{n}"}) for n in range(size // len(json.dumps(row))))
    return json.dumps({"kind": "langfuse", "text": text[:size], "rules": ["helpful=positive"]}).encode()


def _send(server: Server, key: str, path: str, body: bytes, *, refused: bool = False) -> None:
    """Fails where a body is not taken that should be, or is that should not: it would measure something else."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{server.url}{path}", data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(asked, timeout=300) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    if (status >= 400) is not refused or status >= 500:
        raise RuntimeError(f"{path} answered {status}: {text[:300]!r}")


def _installed() -> Iterator[Figure]:
    server, alone = locked(), light()
    goldloop = bytes_of_goldloop()
    yield Figure(name="server install, distributions", value=len(server), bound=70)
    yield Figure(name="server install, MB", value=(bytes_of(server) + goldloop) / MEGA, bound=None)
    yield Figure(name="light install, distributions", value=len(alone), bound=None)
    yield Figure(name="light install, MB", value=(bytes_of(alone) + goldloop) / MEGA, bound=15)
