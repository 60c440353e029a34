"""A server, the workspace that attacks it and a bystander; and what must hold of every answer."""

import re
import time
from collections.abc import AsyncIterable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from goldloop.kit.ids import new_id
from tests.hostile.fields import as_json
from tests.hostile.probe import HELD_FACTOR, HELD_FLOOR, Probe, peak_memory, processor_seconds
from tests.hostile.wire import JSON, Answer, Call, Header, Wire
from tests.routes import DOCUMENT, SESSION_ONLY, Target, queries_of_everything
from tests.servers import Program

MAX_ANSWER = 5 * 1024 * 1024
MAX_PROBLEM = 64 * 1024
MAX_GROWTH = 400 * 1024 * 1024  # bytes; chosen, not derived. Of this process: not of those that it starts
_CODE = re.compile(r"[a-z0-9_]{1,60}")
_WRITTEN = (
    "{row}.ctid::text || {row}.xmin::text"  # another after every write; large rows need not be read for it
)
_NOTED = {
    "jobs",
    "idempotency_keys",
    "request_counts",
}  # that a key was used, what was answered before, how often it was asked


@dataclass(kw_only=True)
class Arena:
    program: Program
    port: int
    attacker: Target
    bystander: Target
    key: str  # of the attacker's owner
    session: tuple[Header, ...]
    bystander_key: str
    superuser: Any
    probe: Probe
    bound: float = HELD_FLOOR
    memory: int = 0  # bytes at most, after harmless requests
    fresh: int = 0
    digests: str = ""
    wire: Wire = field(init=False)

    def __post_init__(self) -> None:
        self.wire = Wire(self.port)

    def headers(self, method: str, path: str) -> tuple[Header, ...]:
        if (method, path) in SESSION_ONLY:
            return self.session
        return ((b"Authorization", f"Bearer {self.key}".encode()),)

    def call(self, method: str, path: str, **more: Any) -> Call:
        """A call of the attacker's that would work, but for what `more` says."""
        return Call(
            **{
                "name": "harmless",
                "method": method,
                "path": path,
                "target": self.attacker.path(path),
                "headers": (*self.headers(method, path), JSON),
                **more,
            }
        )

    async def good_body(self, method: str, path: str) -> Any:
        """A body that is accepted: it makes something new, or knows the version."""
        body = self.attacker.body(method, path)
        if body is None or isinstance(body, list):
            return body
        made = {key: value for key, value in body.items() if key != "id"}
        return {**made, **await self.renewed(method, path, made)}

    async def body_sent(self, method: str, path: str) -> bytes | None:
        """For tables that are about the rest of a request. Without passwords: hashing them is slow on purpose."""
        body = await self.good_body(method, path)
        if body is None:
            return None
        if isinstance(body, list):
            return as_json(body)
        return as_json({name: value for name, value in body.items() if "password" not in name})

    async def renewed(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """What has to be another each time for a body to be accepted again."""
        self.fresh += 1
        named = {"slug", "turn_id"} if method == "POST" and not path.endswith("/settle") else set()
        made: dict[str, Any] = dict.fromkeys(named & body.keys(), f"h{self.fresh}")
        if "version" in body:
            shown = (await self.wire.ask(self.call("GET", path))).body
            made["version"] = int((re.findall(rb'"version":(\d+)', shown) or [1])[-1])
        return made

    async def ask(self, call: Call) -> tuple[Answer, float]:
        """The answer, and how long the loop was held for it."""
        pid = self.program.process.pid
        start, before = time.monotonic(), processor_seconds(pid)
        answer = await self.wire.ask(call)
        if answer.status == 0:
            self.check_alive(call)
        worked = processor_seconds(pid) - before
        if worked <= self.bound:  # it cannot have held the loop for longer than it worked
            return answer, worked
        return answer, min(worked, await self.probe.held(start, time.monotonic()))

    def check_alive(self, call: Call) -> None:
        """Nothing that is asked of a dead or stuck server says anything; the last that was asked does."""
        lines = self.program.log.read_text().splitlines()
        log = "\n".join([line for line in lines if "goldloop.access" not in line][-10:])
        code = self.program.process.poll()
        assert code is None, f"{call}: the server ended with {code}\n{log}"
        assert self.probe.failure is None, f"{call}: the server is stuck ({self.probe.failure!r})\n{log}"

    async def faults(
        self, calls: AsyncIterable[Call], look: Callable[[Call, Answer], None] = lambda *_: None
    ) -> list[str]:
        """Everything that is wrong with how the server took the calls. Those of one route come together."""
        found: list[str] = []
        rows = await self.rows()
        last: Call | None = None
        accepted = False
        async for call in calls:
            if last and (call.method, call.path) != (last.method, last.path):
                rows, fault = await self.rows_after(rows, last, accepted)
                found += fault
                accepted = False
            answer, held = await self.ask(call)
            found += [f"{call}: {fault}" for fault in self.faults_of(answer, held)]
            look(call, answer)
            last, accepted = call, accepted or answer.status < 400
        if last:
            found += (await self.rows_after(rows, last, accepted))[1]
        return found + await self.bystander_faults()

    def faults_of(self, answer: Answer, held: float) -> list[str]:
        found = list(faults_of(answer))
        if held > self.bound:
            found.append(f"held the loop for {held:.2f} s (bound {self.bound:.2f} s)")
        return found

    async def rows(self, target: Target | None = None) -> dict[str, str]:
        """By table: a digest of which writes a workspace's rows (the attacker's) come from."""
        if not self.digests:
            self.digests = _digests(await queries_of_everything(self.superuser, _WRITTEN))
        workspace = (target or self.attacker).workspace
        return dict(await self.superuser.fetch(self.digests, workspace.id))

    async def rows_after(
        self, before: dict[str, str], last: Call, accepted: bool
    ) -> tuple[dict[str, str], list[str]]:
        """What is there now; a fault if it changed although the route has refused every call."""
        after = await self.rows()
        changed = [table for table in after if after[table] != before[table]]
        if accepted or not changed:
            return after, []
        return after, [f"{last.method} {last.path}: refused everything, and yet {changed} changed"]

    async def bystander_faults(self) -> list[str]:
        """What the other workspace notices: nothing. It reads and writes as ever, and there is room for it."""
        found = []
        name, path = "bystander", "/api/entities"
        headers = ((b"Authorization", f"Bearer {self.bystander_key}".encode()), JSON)
        new = {"type": self.bystander.ids["slug"], "title": "Ordinary"}
        read = Call(name=name, method="GET", path=path, target=path, headers=headers)
        write = replace(read, method="POST", body=as_json({**new, "id": str(new_id())}))
        for call, expected in ((read, 200), (write, 201)):
            answer, held = await self.ask(call)
            if answer.status != expected or held > self.bound:
                found.append(f"{call}: {answer.status} {answer.body[:200]!r}, held {held:.2f} s")
        grown = peak_memory(self.program.process.pid) - self.memory
        if grown > MAX_GROWTH:
            found.append(f"the server has taken {grown / 2**20:.0f} MiB more than at the start")
        return found

    async def make_large_record(self) -> str:
        """A good one, nearly as large as a request may be."""
        body = await self.good_body("POST", "/api/entities")
        sent = as_json({**body, "metadata": {"note": "x" * 900_000}})
        answer = await self.wire.ask(self.call("POST", "/api/entities", body=sent))
        assert answer.status == 201, answer.body
        return str(answer.json["id"])

    async def remove_record(self, record: str) -> None:
        path = "/api/entities/{entity_id}"
        answer = await self.wire.ask(self.call("DELETE", path, target=f"/api/entities/{record}"))
        assert answer.status == 204, answer.body

    def set_bound(self, harmless: float) -> None:
        """From how long harmless requests of the same size hold the loop, here and now."""
        self.bound = max(HELD_FLOOR, HELD_FACTOR * harmless)
        self.memory = peak_memory(self.program.process.pid)


def _digests(queries: dict[str, str]) -> str:
    """One statement, as it runs between any two routes."""
    of_each = (
        f"SELECT '{table}' AS name, md5(coalesce(string_agg(md5(t), ''), '')) AS digest FROM ({sql}) AS rows(t)"
        for table, sql in queries.items()
        if table not in _NOTED
    )
    return " UNION ALL ".join(of_each)


def faults_of(answer: Answer) -> Iterable[str]:
    """What no answer may be, whatever was asked."""
    if answer.status == 0:
        yield "no answer"
    elif answer.status >= 500:
        yield f"{answer.status} {answer.body[:200]!r}"
    elif answer.status >= 400:
        yield from problem_faults(answer)
    elif len(answer.body) > MAX_ANSWER:
        yield f"{answer.status} with {len(answer.body)} bytes"


def problem_faults(answer: Answer) -> Iterable[str]:
    if len(answer.body) > MAX_PROBLEM:
        yield f"{answer.status} with {len(answer.body)} bytes"
    if not answer.headers.get("content-type", "").startswith("application/problem+json"):
        yield f"{answer.status} is no problem+json: {answer.body[:80]!r}"
        return
    problem = answer.json
    if not _CODE.fullmatch(problem["code"]) or problem["status"] != answer.status:
        yield f"{answer.status} is a strange problem: {answer.body[:200]!r}"
    places = problem.get("errors", [])
    if answer.status == 422 and not places:
        yield f"422 {problem['code']} names no place: {problem['detail'][:80]!r}"
    if any(place["path"] and not place["path"].startswith("/") for place in places):
        yield f"{answer.status} names a place that is no pointer: {places[0]['path'][:80]!r}"


def operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][path][method.lower()]
    return found
