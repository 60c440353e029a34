"""Reactions go out as results of evaluations to an OTLP endpoint, and nobody who reacts waits for that."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import pytest_asyncio
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from goldloop.exports import sending
from goldloop.exports.model import Evaluation, ExportSettings
from goldloop.exports.records import address
from goldloop.exports.sending import ExportFailed, send
from goldloop.kit.clock import now
from goldloop.kit.egress import Egress
from goldloop.kit.outside import Outside
from goldloop.kit.queue import JOBS
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.records import make_desk, ok
from tests.served import served

EXPORT = "/api/exports/otlp"
JOB = "exports.evaluation"


@dataclass
class Collector:
    """Takes log records as a collector does, and answers as it is told to."""

    statuses: list[int] = field(default_factory=list)
    requests: list[tuple[str, dict[str, str], ExportLogsServiceRequest]] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        status = self.statuses.pop(0) if self.statuses else 200
        if status == 200:
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            self.requests.append((scope["path"], headers, ExportLogsServiceRequest.FromString(body)))
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    def records(self) -> list[Any]:
        return [
            record
            for _, _, taken in self.requests
            for resource in taken.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]


@dataclass
class Exporting:
    """A workspace with a turn that came as spans, and an endpoint that results go to."""

    emitter: Emitter
    admin: Any
    url: str
    collector: Collector
    outside: Outside

    @property
    def workspace(self) -> Workspace:
        return self.emitter.workspace

    async def react(self, reaction: str | None, **more: Any) -> Any:
        path = f"/conversations/{self.workspace.slug}/weather-bot/conv/turns/{1:032x}/feedback"
        return ok(await self.emitter.client.post(path, json={"reaction": reaction, **more}))

    async def queued(self) -> list[Any]:
        jobs = ok(await self.admin.get("/api/jobs", params={"limit": 200}))["data"]
        return [job["args"] for job in reversed(jobs) if job["name"] == JOB]

    async def send(self, args: dict[str, Any], outside: Outside | None = None) -> None:
        await JOBS[JOB].run(self.workspace.db, self.workspace.system, outside=outside or self.outside, **args)


@pytest_asyncio.fixture
async def exporting(emitter: Emitter, outside: Outside) -> AsyncIterator[Exporting]:
    ok(await emitter.send(request(*turn(1, "Hello", "Hi."))))
    await emitter.work()
    admin = await emitter.workspace.client(Role.ADMIN)
    collector = Collector()
    async with served(collector) as url:
        yield Exporting(emitter, admin, url, collector, replace(outside, egress=Egress(["127.0.0.1"])))


def attributes(record: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in record.attributes}


class Endless:
    """Answers a refusal that ends when whoever asked goes away: with words, or with none at all."""

    def __init__(self, words: bytes) -> None:
        self.words = words

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def left() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        leaving = asyncio.create_task(left())
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 400, "headers": headers})
        while not leaving.done():
            await send({"type": "http.response.body", "body": self.words, "more_body": True})
            await asyncio.sleep(0)


async def test_an_endpoint_that_never_ends_its_answer_holds_nobody(
    outside: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = replace(outside, egress=Egress(["127.0.0.1"]))
    evaluation = Evaluation(name="reaction", at=now())
    async with served(Endless(b"x" * 8192)) as url:
        with pytest.raises(ExportFailed, match="answered 400 xxx"):
            await send(near, ExportSettings(url=url), "", evaluation)
    monkeypatch.setattr(sending, "SECONDS", 0.2)
    async with served(Endless(b"")) as url:
        with pytest.raises(ExportFailed, match=r"within 0\.2 seconds"):
            await send(near, ExportSettings(url=url), "", evaluation)


async def test_a_reaction_is_the_result_of_an_evaluation_of_the_span_that_answered(
    exporting: Exporting,
) -> None:
    ok(await exporting.admin.put(EXPORT, json={"url": exporting.url, "headers": {"X-Key": "very secret"}}))
    reacted = await exporting.react("not_ok", text="It rains", user_id="ada")
    (args,) = await exporting.queued()
    await exporting.send(args)
    ((path, headers, _),) = exporting.collector.requests
    assert (path, headers["x-key"], headers["content-type"]) == (
        "/v1/logs",
        "very secret",
        "application/x-protobuf",
    )
    (record,) = exporting.collector.records()
    assert record.event_name == "gen_ai.evaluation.result"
    assert (record.trace_id, record.span_id) == ((1).to_bytes(16, "big"), (2).to_bytes(8, "big"))
    assert attributes(record) == {
        "gen_ai.evaluation.name": "reaction",
        "gen_ai.evaluation.score.value": 0.0,
        "gen_ai.evaluation.score.label": "not_ok",
        "gen_ai.evaluation.explanation": "It rains",
        "gen_ai.conversation.id": "conv",
        "goldloop.reaction.rn": reacted["artifact"]["meta"]["rn"],
        "goldloop.reaction.origin": "user",
        "goldloop.reaction.confidence": 1.0,
        "goldloop.project": "weather-bot",
        "goldloop.turn.id": f"{1:032x}",
        "user.id": "ada",
    }


async def test_a_score_by_criteria_is_told_of_the_session_that_made_what_is_scored(
    exporting: Exporting,
) -> None:
    ok(await exporting.admin.put(EXPORT, json={"url": exporting.url}))
    desk = await make_desk(exporting.workspace)
    await desk.make_type()
    criteria = await desk.make_set()
    record = await desk.make_record()
    scored: dict[str, Any] = {
        "values": {"team": 8, "market": 6},
        "criteria_set_slug": "rubric",
        "notes": "Solid",
    }
    await desk.submit(record, **scored)
    assert await exporting.queued() == [], "no session has to do with it"
    session = await exporting.emitter.session()
    meta = {key: {"session_id": session["id"]} for key in scored["values"]}
    given = await desk.submit(record, **scored, field_meta=meta)
    ok(await desk.contributor.delete(f"/api/entities/{record['id']}/responses/{given['id']}"))
    for args in some(await exporting.queued()):
        await exporting.send(args)
    told, taken_back = exporting.collector.records()
    for each in (told, taken_back):
        assert (each.trace_id, each.span_id) == ((1).to_bytes(16, "big"), (2).to_bytes(8, "big"))
        assert attributes(each)["goldloop.response.id"] == given["id"]
    assert attributes(told) == {
        "gen_ai.evaluation.name": "Rubric",
        "gen_ai.evaluation.score.value": given["normalized_score"],
        "gen_ai.evaluation.explanation": "Solid",
        "gen_ai.conversation.id": "conv",
        "goldloop.response.id": given["id"],
        "goldloop.response.source": given["source"],
        "goldloop.entity.id": record["id"],
        "goldloop.criteria_set.id": criteria["id"],
        "goldloop.session.id": session["id"],
        "goldloop.score.weighted": given["weighted_score"],
    }
    assert attributes(taken_back)["gen_ai.evaluation.score.label"] == "withdrawn"
    assert "gen_ai.evaluation.score.value" not in attributes(taken_back)


async def test_a_reaction_that_is_changed_or_taken_back_is_told_too(exporting: Exporting) -> None:
    ok(await exporting.admin.put(EXPORT, json={"url": f"{exporting.url}/v1/logs"}))
    first = await exporting.react("ok")
    await exporting.react("neutral")
    await exporting.react(None)
    for args in some(await exporting.queued()):
        await exporting.send(args)
    told = [attributes(record) for record in exporting.collector.records()]
    label, score = "gen_ai.evaluation.score.label", "gen_ai.evaluation.score.value"
    assert [(each[label], each.get(score)) for each in told] == [
        ("ok", 1.0),
        ("neutral", 0.5),
        ("cleared", None),
    ]
    assert told[1]["goldloop.reaction.replaced_rn"] == first["artifact"]["meta"]["rn"]
    assert {path for path, _, _ in exporting.collector.requests} == {"/v1/logs"}


async def test_an_endpoint_that_takes_nothing_is_asked_again_and_the_reaction_stays(
    exporting: Exporting,
) -> None:
    ok(await exporting.admin.put(EXPORT, json={"url": exporting.url}))
    exporting.collector.statuses = [503, 400]
    assert (await exporting.react("ok"))["outcome"] == "added"
    (args,) = await exporting.queued()
    for status in ("503", "400"):
        with pytest.raises(ExportFailed, match=status):
            await exporting.send(args)
    await exporting.send(args)
    assert len(exporting.collector.records()) == 1
    assert JOBS[JOB].max_attempts > 1


async def test_a_private_network_is_closed_unless_the_installation_opens_it(
    exporting: Exporting, outside: Outside
) -> None:
    ok(await exporting.admin.put(EXPORT, json={"url": exporting.url}))
    await exporting.react("ok")
    (args,) = await exporting.queued()
    with pytest.raises(ExportFailed, match="GOLDLOOP_ALLOWED_HOSTS"):
        await exporting.send(args, outside)
    assert exporting.collector.requests == []


async def test_without_an_endpoint_nothing_is_queued_and_what_is_queued_goes_nowhere(
    exporting: Exporting,
) -> None:
    await exporting.react("ok")
    assert await exporting.queued() == []
    ok(await exporting.admin.put(EXPORT, json={"url": exporting.url}))
    await exporting.react("not_ok")
    (args,) = await exporting.queued()
    ok(await exporting.admin.put(EXPORT, json={"url": None}))
    await exporting.send(args)
    assert exporting.collector.requests == []


async def test_headers_are_never_shown_and_stay_as_long_as_the_address_does(exporting: Exporting) -> None:
    first = {"url": "https://one.test", "headers": {"Authorization": "Bearer abc"}}
    assert ok(await exporting.admin.put(EXPORT, json=first)) == {
        "url": "https://one.test",
        "headers": ["Authorization"],
    }
    kept = ok(await exporting.admin.put(EXPORT, json={"url": "https://one.test"}))
    assert kept["headers"] == ["Authorization"]
    assert ok(await exporting.admin.get(EXPORT)) == kept
    moved = ok(await exporting.admin.put(EXPORT, json={"url": "https://two.test"}))
    assert moved["headers"] == []
    async with exporting.workspace.db.tx(exporting.workspace.system) as tx:
        assert "abc" not in await tx.fetchval("SELECT string_agg(value::text, '') FROM workspace_settings")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"url": "ftp://one.test"}, "/url"),
        ({"url": "https://one.test", "headers": {"bad name": "x"}}, "/headers"),
        ({"url": "https://one.test", "headers": {"X": "two\nlines"}}, "/headers"),
        ({"url": "https://one.test", "headers": {"X": "x", "Host": "two.test"}}, "/headers/Host"),
        ({"url": "https://one.test", "headers": {"content-length": "0"}}, "/headers/content-length"),
    ],
)
async def test_what_cannot_be_an_endpoint_is_refused_with_its_place(
    exporting: Exporting, body: dict[str, Any], path: str
) -> None:
    answer = await exporting.admin.put(EXPORT, json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["errors"][0]["path"].startswith(path), answer.text


async def test_what_one_workspace_exports_another_keeps_on_its_session(
    exporting: Exporting, other_workspace: Workspace, app: Any, outside: Outside
) -> None:
    there = Emitter(other_workspace, await other_workspace.client(Role.CONTRIBUTOR), outside)
    ok(await there.send(request(*turn(1, "Hello", "Hi."))))
    await there.work()
    _, secret = await other_workspace.make_key(Role.CONTRIBUTOR)
    async with served(app) as url:
        ok(await exporting.admin.put(EXPORT, json={"url": url, "headers": {"x-api-key": secret}}))
        await exporting.react("ok", text="Just so")
        (args,) = await exporting.queued()
        await exporting.send(args)
    await there.work()
    (kept,) = await there.told(await there.session(), "evaluation.result")
    assert (kept["name"], kept["score"], kept["label"], kept["explanation"]) == (
        "reaction",
        1,
        "ok",
        "Just so",
    )


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://a.test", "https://a.test/v1/logs"),
        ("https://a.test/", "https://a.test/v1/logs"),
        ("https://a.test/otlp", "https://a.test/otlp/v1/logs"),
        ("https://a.test/otlp/v1/logs", "https://a.test/otlp/v1/logs"),
    ],
)
def test_log_records_go_below_the_endpoint(url: str, wanted: str) -> None:
    assert address(url) == wanted


def test_an_evaluation_needs_no_more_than_a_name() -> None:
    assert Evaluation(name="x", at=now()).attributes == {}
