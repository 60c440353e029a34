"""A server of several processes, over real HTTP: which of them answers makes no difference, and none of them is needed."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

from goldloop.cli.doctor import examine
from goldloop.cli.output import Exit
from goldloop.kit.cores import count_processes
from goldloop.kit.embedded_postgres import status
from goldloop.kit.embedded_postgres.processes import find_process, list_children
from goldloop.kit.settings import load_settings
from goldloop.kit.supervision import ChildFailed
from goldloop.processes import OF_COMMANDS, OF_JOBS, count_connections, open_listeners
from tests.loops import some
from tests.servers import (
    GOLDLOOP,
    Program,
    Server,
    eventually,
    free_port,
    goldloop_with,
    listening,
    open_folder,
    running_server,
    start_server,
)

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="names of processes are Linux's, as is spreading connections"
)

APIS = {"api-1", "api-2"}

# Caches that last, no polling, counts that are told at once: so that only a notification explains what is known everywhere.
EXACT = goldloop_with(
    "from goldloop.tenants.auth import authenticator",
    "from goldloop.tenants.settings import service as settings",
    "from goldloop.live import feed",
    "from goldloop.limits import limiter",
    "authenticator.CACHE_SECONDS = settings.SECONDS_KNOWN = feed.POLL_SECONDS = 86400",
    "limiter.SETTLE_SECONDS = 0.05",
)


@pytest.mark.parametrize(
    ("cores", "given", "count"),
    [(1, None, 1), (2, None, 1), (3, None, 2), (5, None, 4), (64, None, 4), (1, "3", 3), (64, "1", 1)],
)
def test_there_is_one_for_each_core_but_the_first_unless_somebody_says_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cores: int, given: str | None, count: int
) -> None:
    monkeypatch.setattr("goldloop.kit.cores.usable_cores", lambda: cores)
    settings = load_settings({"GOLDLOOP_PROCESSES": given}, environment={}, folder=tmp_path)
    assert count_processes(settings) == count


def test_every_process_has_a_pool_and_a_connection_that_listens(tmp_path: Path) -> None:
    settings = load_settings({"GOLDLOOP_POOL_SIZE": "10"}, environment={}, folder=tmp_path)
    beside = OF_COMMANDS
    assert count_connections(settings, 3, worker=False) == 33 + beside
    assert count_connections(settings, 3, worker=True) == 33 + 11 + OF_JOBS + beside


def connect_often(listeners: list[list[socket.socket]], times: int) -> list[int]:
    """How many connections each process could accept."""
    address = listeners[0][0].getsockname()
    made = [socket.create_connection(address) for _ in range(times)]
    accepted = [0] * len(listeners)
    for place, (listener,) in enumerate(listeners):
        with contextlib.suppress(BlockingIOError):
            while True:
                listener.accept()[0].close()
                accepted[place] += 1
    for each in made:
        each.close()
    return accepted


def test_each_process_gets_some_of_the_connections() -> None:
    listeners = open_listeners("127.0.0.1", 0, 3)
    accepted = connect_often(listeners, 100)
    assert sum(accepted) == 100
    assert min(accepted) > 0
    for listener in some(each for some_ in listeners for each in some_):
        listener.close()


def test_where_the_system_does_not_spread_connections_all_accept_from_one_socket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    listeners = open_listeners("127.0.0.1", 0, 3)
    assert len({id(listener) for some_ in listeners for listener in some_}) == 1
    assert sum(connect_often(listeners, 10)) == 10
    listeners[0][0].close()


def test_a_port_that_is_taken_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ChildFailed, match=f"cannot listen on 127.0.0.1 port {port}: "):
            open_listeners("127.0.0.1", port, 2)


@dataclass
class Processes:
    """A server, and what its log says about who did what."""

    server: Server
    secret: str = ""
    _read: int = 0
    _answered: dict[str, str] = field(default_factory=dict)  # by the id of a request

    def children(self) -> dict[str, int]:
        """Pids by name."""
        found = list_children(self.server.program.process.pid)
        return {child.command.removeprefix("goldloop "): child.pid for child in found}

    async def answered_by(self, answer: httpx.Response) -> str:
        """The process that an answer is of. Its line is written when the answer is, and read soon after."""
        asked = answer.headers["x-request-id"]

        async def found() -> str | None:
            with self.server.program.log.open("rb") as log:
                log.seek(self._read)
                lines = log.read().splitlines(keepends=True)
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                self._read += len(line)
                told = json.loads(line)
                if told["logger"] == "goldloop.access":
                    self._answered[told["request_id"]] = told["process"]
            return self._answered.get(asked)

        answered: str = await eventually(found)
        return answered

    async def ask(
        self, method: str, path: str, secret: str | None = None, **options: Any
    ) -> tuple[str, httpx.Response]:
        """Over a connection of its own, which the kernel gives to one of them."""
        async with self.server.client(secret or self.secret) as client:
            answer = await client.request(method, path, **options)
        return await self.answered_by(answer), answer

    async def ask_each(self, path: str, secret: str | None = None) -> dict[str, httpx.Response]:
        """What each API process answers."""
        answers: dict[str, httpx.Response] = {}

        async def all_answered() -> bool:
            name, answer = await self.ask("GET", path, secret)
            answers[name] = answer
            return answers.keys() == APIS

        await eventually(all_answered, every=0)
        return answers

    async def each_answers(self, status_code: int, path: str, secret: str) -> None:
        async def all_do() -> bool:
            answers = await self.ask_each(path, secret)
            return {answer.status_code for answer in answers.values()} == {status_code}

        await eventually(all_do)

    async def replaced(self, name: str, before: int) -> int:
        async def found() -> int | None:
            pid = self.children().get(name, before)
            return pid if pid != before else None

        pid: int = await eventually(found)
        return pid

    async def make_key(self, role: str = "owner") -> dict[str, Any]:
        _, made = await self.ask("POST", "/api/keys", json={"name": "made", "role": role})
        assert made.status_code == 201, made.text
        return dict(made.json())

    async def metrics(self) -> dict[tuple[str, str], float]:
        """Samples without labels but `process`, by name and process."""
        _, answer = await self.ask("GET", "/metrics")
        return {
            (sample.name, sample.labels["process"]): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
            if sample.labels.keys() == {"process"}
        }


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def processes() -> AsyncIterator[Processes]:
    async with running_server("--processes", "2", command=EXACT) as server:
        found = Processes(server)
        async with server.client() as browser:
            signed_in = await browser.post(
                "/api/session", json={"email": server.hello["email"], "password": server.hello["password"]}
            )
            browser.headers["X-Goldloop-CSRF"] = signed_in.json()["csrf_token"]
            made = await browser.post("/api/keys", json={"name": "tests", "role": "owner"})
            found.secret = made.json()["key"]
        yield found


async def test_requests_are_answered_by_all_of_them(processes: Processes) -> None:
    assert processes.server.hello["processes"] == 2
    answers = await processes.ask_each("/api/workspace")
    assert {answer.json()["slug"] for answer in answers.values()} == {"main"}
    pids = processes.children()
    assert pids.keys() == {*APIS, "worker", "db"}
    assert len({*pids.values()}) == 4


async def test_a_key_that_is_revoked_by_one_is_refused_by_all(processes: Processes) -> None:
    made = await processes.make_key("viewer")
    await processes.each_answers(200, "/api/workspace", made["key"])
    _, revoked = await processes.ask("POST", f"/api/keys/{made['id']}/revoke")
    assert revoked.is_success, revoked.text
    await processes.each_answers(401, "/api/workspace", made["key"])


async def test_a_page_hears_of_what_another_process_did(processes: Processes) -> None:
    def has_stream(metrics: dict[tuple[str, str], float]) -> set[str]:
        return {name for name in APIS if metrics["goldloop_live_streams", name]}

    async with listening(processes.server.client(processes.secret)) as heard:
        (streaming,) = has_stream(await processes.metrics())

        async def made_by_another() -> str | None:
            name, made = await processes.ask("POST", "/api/keys", json={"name": "heard", "role": "viewer"})
            return str(made.json()["id"]) if name != streaming else None

        made: str = await eventually(made_by_another, every=0)

        async def told() -> bool:
            return any(subjects is None or made in subjects for subjects in heard.subjects("keys"))

        await eventually(told)


async def test_a_limit_of_requests_is_one_for_all_of_them(processes: Processes) -> None:
    key, most = await processes.make_key(), 30
    path = f"/api/limits/keys/{key['id']}"
    _, changed = await processes.ask("PUT", path, json={"requests_per_minute": most})
    assert changed.status_code == 200, changed.text
    admitted: Counter[str] = Counter()
    refused: set[str] = set()
    left = 60

    async def all_refuse() -> bool:
        """Counts are of one minute: the next begins anew."""
        nonlocal left
        name, answer = await processes.ask("GET", "/api/workspace", key["key"])
        in_window = int(re.findall(r"t=(\d+)", answer.headers["ratelimit"])[0])
        if in_window > left:
            admitted.clear()
            refused.clear()
        left = in_window
        if answer.status_code == 429:
            refused.add(name)
        else:
            admitted[name] += 1
        return refused == APIS

    await eventually(all_refuse, seconds=180, every=0)
    assert admitted.total() >= most
    assert max(admitted.values()) < most, "each would let in all of them, if none heard of the others"


async def test_settings_that_one_changes_are_known_to_all(processes: Processes) -> None:
    """Those of limits, which every process remembers."""
    before = await processes.ask_each("/api/limits")
    limits = {**next(iter(before.values())).json()["limits"], "key_requests_per_minute": 900_000}
    _, changed = await processes.ask("PUT", "/api/limits", json=limits)
    assert changed.status_code == 200, changed.text

    async def all_tell() -> bool:
        answers = await processes.ask_each("/api/workspace")
        return all("q=900000;" in answer.headers["ratelimit-policy"] for answer in answers.values())

    await eventually(all_tell)
    await processes.ask("PUT", "/api/limits", json={**limits, "key_requests_per_minute": None})


async def test_whichever_is_asked_tells_the_metrics_of_all(processes: Processes) -> None:
    answers = await processes.ask_each("/metrics")
    for answer in some(answers.values()):
        families = {family.name: family for family in text_string_to_metric_families(answer.text)}
        described = re.findall(r"^# TYPE (\S+)", answer.text, re.MULTILINE)
        assert len(set(described)) == len(described), "each metric is described once"
        listening_ = families["goldloop_listening"].samples
        assert {each.labels["process"]: each.value for each in listening_} == dict.fromkeys(
            {*APIS, "worker"}, 1.0
        )
        assert [each.labels for each in families["goldloop_database_up"].samples] == [{}]
        of_requests = {each.labels["process"] for each in families["goldloop_http_requests"].samples}
        assert of_requests >= APIS


async def test_counts_of_requests_only_grow_whoever_is_asked(processes: Processes) -> None:
    def counted(text: str) -> dict[str, float]:
        return {
            each.labels["process"]: each.value
            for family in text_string_to_metric_families(text)
            for each in family.samples
            if each.name == "goldloop_http_requests_total" and each.labels["route"] == "/healthz"
        }

    await processes.ask_each("/healthz")
    first = counted((await processes.ask("GET", "/metrics"))[1].text)
    for answer in some((await processes.ask_each("/metrics")).values()):
        later = counted(answer.text)
        assert first.keys() == later.keys() == APIS
        assert all(later[name] >= value for name, value in first.items())


async def test_doctor_names_them(processes: Processes) -> None:
    report = await examine(
        load_settings({"GOLDLOOP_DATA_DIR": str(processes.server.data_dir)}, environment={}, folder=Path("/"))
    )
    check = next(check for check in report.checks if check.name == "processes")
    assert f"pid {processes.server.program.process.pid} runs with " in check.detail
    for name, pid in some(processes.children().items()):
        assert f"{name} {pid}" in check.detail


async def test_a_second_server_on_the_folder_is_told_whom_to_stop(processes: Processes) -> None:
    argv = [*GOLDLOOP, "serve", "--json", "--port", str(free_port()), "--processes", "2"]
    second = Program([*argv, "--data-dir", str(processes.server.data_dir)], processes.server.data_dir.parent)
    error = (await second.line())["error"]
    assert error["code"] == "data_folder_in_use"
    assert f"pid {processes.server.program.process.pid}" in error["message"]
    assert await second.ended() == Exit.CONFLICT
    second.close()


@dataclass
class Asking:
    """Clients that ask all the time, each one thing at a time over a connection of its own."""

    processes: Processes
    answers: list[Counter[Any]] = field(default_factory=lambda: [Counter() for _ in range(4)])
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def __aenter__(self) -> "Asking":
        self.tasks = [asyncio.create_task(self._ask(answers)) for answers in self.answers]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _ask(self, answers: Counter[Any]) -> None:
        while True:
            try:
                async with self.processes.server.client(self.processes.secret) as client:
                    answers[(await client.get("/api/workspace")).status_code] += 1
            except httpx.HTTPError as error:
                answers[type(error).__name__] += 1

    async def answered(self, number: int) -> None:
        """Each of them so many times more."""
        wanted = [answers[200] + number for answers in self.answers]

        async def all_were() -> bool:
            return all(answers[200] >= count for answers, count in zip(self.answers, wanted, strict=True))

        await eventually(all_were)

    def failures(self) -> list[int]:
        """Of each client."""
        return [answers.total() - answers[200] for answers in self.answers]


async def test_an_api_process_that_is_killed_is_replaced_and_takes_only_its_own_requests_along(
    processes: Processes,
) -> None:
    async with Asking(processes) as asking:
        await asking.answered(3)
        before = processes.children()
        os.kill(before["api-1"], signal.SIGKILL)
        await processes.replaced("api-1", before["api-1"])
        await asking.answered(10)
        assert max(asking.failures()) <= 1, "what waits to be accepted is there for the one that comes after"
    await processes.each_answers(200, "/api/workspace", processes.secret)
    after = processes.children()
    assert {name for name in before if before[name] != after[name]} == {"api-1"}


async def test_a_worker_that_is_killed_is_replaced_and_goes_on(processes: Processes) -> None:
    before = processes.children()["worker"]
    os.kill(before, signal.SIGKILL)
    key = await processes.make_key("viewer")
    assert (await processes.ask("GET", "/api/workspace", key["key"]))[1].status_code == 200

    async def use_is_recorded() -> bool:  # which a job does
        _, found = await processes.ask("GET", f"/api/keys/{key['id']}")
        return found.json()["last_used_at"] is not None

    await eventually(use_is_recorded)
    assert processes.children()["worker"] != before


async def test_the_holder_of_the_database_is_replaced_and_the_database_with_it(processes: Processes) -> None:
    before, of_others = processes.children()["db"], processes.children()
    postgres = status(processes.server.data_dir).pid
    os.kill(before, signal.SIGKILL)
    await processes.replaced("db", before)

    async def works_again() -> bool:
        again = status(processes.server.data_dir)
        if not again.running or again.pid == postgres:
            return False
        async with processes.server.client(processes.secret) as client:
            return (await client.get("/api/workspace")).status_code == 200

    await eventually(works_again)
    await processes.each_answers(200, "/api/workspace", processes.secret)
    assert processes.children().items() >= {(name, of_others[name]) for name in (*APIS, "worker")}


async def test_nothing_is_left_when_the_first_process_is_killed() -> None:
    with open_folder() as folder:
        extra = {"TMPDIR": str(folder)}  # where the sockets of metrics are left
        server = await start_server(folder, None, "--processes", "2", extra=extra)
        children = Processes(server).children()
        assert children.keys() == {*APIS, "worker", "db"}
        server.program.kill()
        postgres = status(server.data_dir).pid
        await all_gone([*children.values(), *([postgres] if postgres else [])])
        assert status(server.data_dir).pid is None
        server.program.close()


async def all_gone(pids: Iterable[int]) -> None:
    async def none_there() -> bool:
        return not [pid for pid in pids if find_process(pid)]

    await eventually(none_there)


async def test_a_stop_is_clean(fresh_database_url: str) -> None:
    """On a database of one's own, which nobody has to hold, and with a page open."""
    with open_folder() as folder:
        extra = {"GOLDLOOP_DATABASE_URL": fresh_database_url, "GOLDLOOP_PROCESSES": "2"}
        server = await start_server(folder, None, extra=extra)
        children = Processes(server).children()
        assert children.keys() == {*APIS, "worker"}
        async with server.client() as browser:
            hello = server.hello
            sign_in = {"email": hello["email"], "password": hello["password"]}
            assert (await browser.post("/api/session", json=sign_in)).status_code == 201
            async with listening(server.client(cookies=browser.cookies)) as heard:
                server.program.process.send_signal(signal.SIGTERM)
                assert await server.program.ended() == 0
                await eventually(lambda: has_ended(heard))
        await all_gone(children.values())
        ends = [line for line in told(server.program.log) if line["message"] == "process ended"]
        assert {line["child"]: line["how"] for line in ends} == dict.fromkeys(
            ("start", *APIS, "worker"), "exit code 0"
        )
        server.program.close()


async def has_ended(heard: Any) -> bool:
    return bool(heard.ended)


def told(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


async def test_api_processes_share_a_port_without_a_worker(fresh_database_url: str) -> None:
    with open_folder() as folder:
        argv = [*GOLDLOOP, "api", "--json", "--port", str(free_port()), "--processes", "2"]
        program = Program(argv, folder, {"GOLDLOOP_DATABASE_URL": fresh_database_url})
        try:
            assert (await program.line())["processes"] == 2
            found = {child.command for child in list_children(program.process.pid)}
            assert found == {"goldloop api-1", "goldloop api-2"}
            program.process.send_signal(signal.SIGINT)
            assert await program.ended() == 0
        finally:
            program.close()


async def test_one_that_cannot_start_ends_all_with_its_reason(fresh_database_url: str) -> None:
    broken = goldloop_with(
        "from goldloop import server",
        "server.JobRunner.__init__ = lambda *_: (_ for _ in ()).throw(RuntimeError('no jobs today'))",
    )
    with open_folder() as folder:
        argv = [*broken, "serve", "--json", "--port", str(free_port()), "--processes", "2"]
        program = Program(argv, folder, {"GOLDLOOP_DATABASE_URL": fresh_database_url})
        try:
            error = (await program.line())["error"]
            assert error["code"] == "process_failed"
            assert error["message"].startswith("the process worker could not start (exit code 1)")
            assert await program.ended() == Exit.FAILED
            assert "no jobs today" in program.log.read_text()
        finally:
            program.close()


async def test_more_connections_than_the_embedded_database_takes_are_refused() -> None:
    with open_folder() as folder:
        argv = [*GOLDLOOP, "serve", "--json", "--port", str(free_port()), "--processes", "4"]
        program = Program([*argv, "--data-dir", str(folder / "data")], folder, {"GOLDLOOP_POOL_SIZE": "100"})
        try:
            error = (await program.line())["error"]
            assert error["code"] == "bad_setting"
            assert "GOLDLOOP_POOL_SIZE=100" in error["message"]
            assert await program.ended() == Exit.USAGE
            assert status(folder / "data").pid is None
        finally:
            program.close()
