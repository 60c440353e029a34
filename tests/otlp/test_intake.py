"""What exporters are answered, in every corner of the protocol."""

import asyncio
import base64
import gzip
import json
import zlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import httpx
import pytest
from google.rpc.status_pb2 import Status
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from goldloop.app import build_app
from goldloop.kit.db import Database
from goldloop.kit.errors import RequestTooLarge
from goldloop.kit.outside import Outside
from goldloop.live.feed import Feed
from goldloop.otlp import decoding, group_writer
from goldloop.otlp.group_writer import GroupWriter
from goldloop.otlp.intake import RETRY_SECONDS, OtlpIntake
from goldloop.otlp.model import Encoding
from goldloop.tenants.auth.authenticator import Authenticator
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.otlp.ground import PROTOBUF, Emitter
from tests.otlp.wire import as_json, pairs, request, span

JSON = {"Content-Type": "application/json"}


def chat(**more: Any) -> ExportTraceServiceRequest:
    return request(
        span(
            1,
            name="chat",
            gen_ai__operation__name="chat",
            session__id="s",
            gen_ai__request__model="m",
            **more,
        )
    )


def partial(answer: httpx.Response) -> Any:
    return ExportTraceServiceResponse.FromString(answer.content).partial_success


async def test_an_accepted_request_is_answered_by_an_empty_message_of_its_own_kind(emitter: Emitter) -> None:
    in_protobuf = await emitter.send(chat())
    assert (in_protobuf.status_code, in_protobuf.content) == (200, b"")
    assert in_protobuf.headers["content-type"] == "application/x-protobuf"
    in_json = await emitter.client.post("/v1/traces", content=json.dumps(as_json(chat())), headers=JSON)
    assert (in_json.status_code, in_json.content) == (200, b"{}")
    assert in_json.headers["content-type"] == "application/json"


async def test_json_may_have_ids_in_capitals_numbers_as_texts_and_keys_that_nobody_knows(
    emitter: Emitter,
) -> None:
    body = as_json(
        request(
            span(0xABCDEF, session__id="s", gen_ai__operation__name="chat", gen_ai__usage__input_tokens=7)
        )
    )
    sent = body["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    sent |= {
        "traceId": sent["traceId"].upper(),
        "spanId": sent["spanId"].upper(),
        "newer": {"than": "us"},
        "flags": "256",
    }
    assert (await emitter.client.post("/v1/traces", json=body)).status_code == 200
    await emitter.work()
    session = await emitter.session()
    assert session["input_tokens"] == 7
    (told,) = await emitter.told(session, "model.request")
    assert told["span_id"] == "0000000000abcdef"


async def test_nothing_in_a_request_is_success(emitter: Emitter) -> None:
    for body in (b"", ExportTraceServiceRequest().SerializeToString()):
        answer = await emitter.client.post("/v1/traces", content=body, headers=PROTOBUF)
        assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("how", ["gzip", "deflate", "identity"])
async def test_a_body_that_is_sent_again_is_the_same_batch(emitter: Emitter, how: str) -> None:
    """Also where the exporter compresses it anew, with another time in its head."""
    body = chat().SerializeToString()
    for again in range(2):
        packed = {"gzip": gzip.compress(body, mtime=again), "deflate": zlib.compress(body), "identity": body}
        headers = {**PROTOBUF, "Content-Encoding": how}
        assert (
            await emitter.client.post("/v1/traces", content=packed[how], headers=headers)
        ).status_code == 200
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM otel_batches") == 1
    await emitter.work()
    assert (await emitter.session())["requests"] == 1


async def test_a_body_without_a_length_is_counted_while_it_comes(emitter: Emitter) -> None:
    whole = chat().SerializeToString()

    async def parts() -> AsyncIterator[bytes]:
        for at in range(0, len(whole), 7):
            yield whole[at : at + 7]

    answer = await emitter.client.post("/v1/traces", content=parts(), headers=PROTOBUF)
    assert "content-length" not in answer.request.headers
    assert answer.status_code == 200

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b"\x00" * 1_000_000

    refused = await emitter.client.post("/v1/traces", content=endless(), headers=PROTOBUF)
    assert refused.status_code == 413
    assert "20,971,520 bytes" in Status.FromString(refused.content).message


async def test_a_body_that_is_too_large_is_refused_also_when_only_decompressing_shows_it(
    emitter: Emitter,
) -> None:
    bomb = gzip.compress(b"\x00" * 200_000_000)
    assert len(bomb) < 300_000
    headers = {**PROTOBUF, "Content-Encoding": "gzip"}
    answer = await emitter.client.post("/v1/traces", content=bomb, headers=headers)
    assert answer.status_code == 413
    assert "decompressed" in Status.FromString(answer.content).message


def test_a_bomb_is_not_unpacked_further_than_the_limit() -> None:
    twice = gzip.compress(b"\x00" * decoding.MOST_BYTES) + gzip.compress(b"\x00")
    with pytest.raises(RequestTooLarge):
        decoding.unpack(twice)
    assert decoding.unpack(gzip.compress(b"ab") + gzip.compress(b"c")) == b"abc"


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"\xff\xff\xff", PROTOBUF, 400),
        (b"{", JSON, 400),
        (b"[]", JSON, 400),
        (b'{"resourceSpans": 3', JSON, 400),
        (b"not gzip", {**PROTOBUF, "Content-Encoding": "gzip"}, 400),
        (gzip.compress(b"x" * 1000, mtime=0)[:-20], {**PROTOBUF, "Content-Encoding": "gzip"}, 400),
        (b"x", {**PROTOBUF, "Content-Encoding": "br"}, 415),
        (b"x", {"Content-Type": "text/plain"}, 415),
    ],
)
async def test_what_cannot_be_read_is_refused_with_a_status_in_the_requests_own_kind(
    emitter: Emitter, content: bytes, headers: dict[str, str], status: int
) -> None:
    answer = await emitter.client.post("/v1/traces", content=content, headers=headers)
    assert answer.status_code == status
    if headers is JSON:
        told = answer.json()
        assert answer.headers["content-type"] == "application/json"
        assert (told["code"], bool(told["message"])) == (3, True)
    else:
        read = Status.FromString(answer.content)
        assert answer.headers["content-type"] == "application/x-protobuf"
        assert (read.code, bool(read.message)) == (3, True)


async def test_spans_without_ids_are_rejected_one_by_one_and_said_so(emitter: Emitter) -> None:
    good, short, zero, long = (span(n, session__id="s", gen_ai__operation__name="chat") for n in range(1, 5))
    short.span_id = b"\x01\x02"
    zero.trace_id = bytes(16)
    long.trace_id = bytes(range(17))
    answer = await emitter.send(request(good, short, zero, long))
    assert answer.status_code == 200
    assert partial(answer).rejected_spans == 3
    assert (
        "3 of the spans have no trace id of 16 bytes or no span id of 8 bytes"
        in partial(answer).error_message
    )
    await emitter.work()
    assert (await emitter.session())["requests"] == 1
    written = as_json(request(good, short))
    told = (await emitter.client.post("/v1/traces", json=written)).json()["partialSuccess"]
    assert told["rejectedSpans"] == "1"


async def test_log_records_that_were_sent_to_traces_are_told_where_they_belong(emitter: Emitter) -> None:
    logs = ExportLogsServiceRequest()
    record = logs.resource_logs.add().scope_logs.add().log_records.add()
    record.severity_text = "INFO"
    record.body.string_value = "hello"
    answer = await emitter.send(logs)
    assert answer.status_code == 200
    assert "/v1/logs" in partial(answer).error_message


async def test_text_that_is_no_text_costs_a_character_and_not_the_batch(emitter: Emitter) -> None:
    bad = span(
        1,
        session__id="s",
        gen_ai__operation__name="chat",
        gen_ai__input__messages='[{"role":"user","content":"caXXX"}]',
    )
    good = span(2, trace=2, session__id="s", gen_ai__operation__name="chat")
    body = request(bad, good).SerializeToString().replace(b"caXXX", b"ca\xff\xfe\xe9")
    assert (await emitter.client.post("/v1/traces", content=body, headers=PROTOBUF)).content == b""
    await emitter.work()
    session = await emitter.session()
    assert session["requests"] == 2
    assert session["first_message"] == "ca\ufffd\ufffd\ufffd"


async def test_a_span_that_cannot_be_read_at_all_is_left_out_alone(emitter: Emitter) -> None:
    made = request(span(1, session__id="s", gen_ai__operation__name="chat"))
    broken = made.resource_spans[0].scope_spans[0]
    body = made.SerializeToString()
    # A span whose status is cut off within its length: field 15, three bytes announced, one there.
    garbage = b"\x12\x03" + b"\x7a\x03\x08"
    inner = broken.SerializeToString() + garbage
    resource = made.resource_spans[0].resource.SerializeToString()
    rebuilt = _field(1, _field(1, resource) + _field(2, inner))
    assert ExportTraceServiceRequest.FromString(body).resource_spans
    answer = await emitter.client.post("/v1/traces", content=rebuilt, headers=PROTOBUF)
    assert answer.status_code == 200
    assert (partial(answer).rejected_spans, "could not be read" in partial(answer).error_message) == (1, True)
    await emitter.work()
    assert (await emitter.session())["requests"] == 1
    as_text = as_json(made)
    as_text["resourceSpans"][0]["scopeSpans"][0]["spans"].append({"traceId": 7, "attributes": "none"})
    told = (await emitter.client.post("/v1/traces", json=as_text)).json()["partialSuccess"]
    assert told["rejectedSpans"] == "1"


def _field(number: int, content: bytes) -> bytes:
    size, parts = len(content), bytearray([number << 3 | 2])
    while size > 0x7F:
        parts.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes(parts) + bytes([size]) + content


async def test_metrics_are_taken_and_not_kept(emitter: Emitter) -> None:
    answer = await emitter.client.post("/v1/metrics", content=b"anything", headers=PROTOBUF)
    assert (answer.status_code, answer.content) == (200, b"")
    written = await emitter.client.post("/v1/metrics", content=b"{}", headers=JSON)
    assert (written.status_code, written.content) == (200, b"{}")


async def test_log_records_are_kept_when_they_say_something_of_agents(emitter: Emitter) -> None:
    logs = ExportLogsServiceRequest()
    scope = logs.resource_logs.add().scope_logs.add()
    plain = scope.log_records.add(trace_id=bytes([1] * 16), event_name="http.request")
    plain.body.string_value = "GET /"
    answer = await emitter.send(logs, "/v1/logs")
    assert (answer.status_code, answer.content) == (200, b"")
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM otel_batches") == 0
    scope.log_records.add(
        event_name="gen_ai.evaluation.result", attributes=pairs({"gen_ai.evaluation.name": "x"})
    )
    told = ExportLogsServiceResponse.FromString(
        (await emitter.send(logs, "/v1/logs")).content
    ).partial_success
    assert told.rejected_log_records == 1
    assert "name no trace" in told.error_message


def basic(name: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


async def test_a_key_is_taken_as_bearer_as_x_api_key_and_as_password(
    anonymous: httpx.AsyncClient, workspace: Workspace
) -> None:
    _, secret = await workspace.make_key(Role.CONTRIBUTOR)
    body = chat().SerializeToString()
    for headers in (
        {"Authorization": f"Bearer {secret}"},
        {"authorization": f"bearer {secret}"},
        {"X-Api-Key": secret},
        {"Authorization": basic("pk-lf-anything", secret)},
    ):
        answer = await anonymous.post("/v1/traces", content=body, headers={**PROTOBUF, **headers})
        assert answer.status_code == 200, headers
    alias = {**PROTOBUF, "Authorization": basic("pk", secret)}
    assert (
        await anonymous.post("/api/public/otel/v1/traces", content=body, headers=alias)
    ).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer gl_wrong"},
        {"Authorization": "Basic !!!"},
        {"Authorization": basic("a", "gl_wrong")},
        {"Authorization": "Digest x"},
        {"x-api-key": "gl_wrong"},
    ],
)
async def test_without_a_key_that_is_known_nothing_is_taken(
    anonymous: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    answer = await anonymous.post("/v1/traces", content=b"{}", headers={**JSON, **headers})
    assert (answer.status_code, answer.json()["code"]) == (401, 16)


async def test_a_key_that_may_not_record_sessions_may_not_send_spans(workspace: Workspace) -> None:
    viewer = await workspace.client(Role.VIEWER)
    answer = await viewer.post("/v1/traces", content=b"{}", headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (403, 7)
    assert "sessions.team.create" in answer.json()["message"]
    other = {**JSON, "X-Goldloop-Tenant": "somebody-elses"}
    contributor = await workspace.client(Role.CONTRIBUTOR)
    assert (await contributor.post("/v1/traces", content=b"{}", headers=other)).status_code == 404


async def test_only_post_is_taken(emitter: Emitter) -> None:
    for path in ("/v1/traces", "/v1/logs", "/v1/metrics", "/api/public/otel/v1/traces"):
        answer = await emitter.client.get(path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


class Away(GroupWriter):
    """A writer whose database is away, or does something that nobody expected."""

    error: Exception

    async def write(self, tenant_id: Any, batch: Any) -> None:
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.CannotConnectNowError("starting"),
        OSError("refused"),
        TimeoutError(),
        group_writer.Busy(),
        KeyError("?"),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_is_to_be_sent_again_is_503_and_nothing_else(
    workspace: Workspace, db: Database, auth: Authenticator, error: Exception
) -> None:
    writer = Away(db)
    writer.error = error
    _, secret = await workspace.make_key(Role.CONTRIBUTOR)
    transport = httpx.ASGITransport(OtlpIntake(None, auth, writer))
    async with httpx.AsyncClient(transport=transport, base_url="http://goldloop.test") as client:
        headers = {**PROTOBUF, "X-Api-Key": secret}
        answer = await client.post("/v1/traces", content=chat().SerializeToString(), headers=headers)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, str(RETRY_SECONDS))
    assert Status.FromString(answer.content).code == 14


async def test_pages_of_allowed_origins_may_send_and_no_others(
    db: Database, auth: Authenticator, database_url: str, outside: Outside
) -> None:
    page = "https://desk.example.com"
    feed = Feed(db=db, url=database_url, auth=auth)
    app = build_app(db, auth, feed, outside, allowed_origins=[page])
    asks = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type, x-api-key",
    }
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://goldloop.test"
    ) as client:
        for origin, allowed in ((page, page), ("https://evil.example.com", None)):
            before = await client.options("/v1/traces", headers={"Origin": origin, **asks})
            answer = await client.post("/v1/traces", headers={"Origin": origin, **PROTOBUF})
            for each in (before, answer):
                assert each.headers.get("access-control-allow-origin") == allowed
                assert "access-control-allow-credentials" not in each.headers
            assert ("x-api-key" in before.headers.get("access-control-allow-headers", "")) is bool(allowed)
            assert answer.status_code == 401, "a key is needed all the same"


class Slow(GroupWriter):
    """A database that takes its time for the first request."""

    go_on: asyncio.Event
    began: asyncio.Event

    async def write(self, tenant_id: Any, batch: Any) -> None:
        if not self.began.is_set():
            self.began.set()
            await self.go_on.wait()


async def test_what_is_not_answered_yet_counts_as_held_and_more_is_503(
    workspace: Workspace, db: Database, auth: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after it was read: a request takes memory until it is written."""
    writer = Slow(db)
    writer.go_on, writer.began = asyncio.Event(), asyncio.Event()
    _, secret = await workspace.make_key(Role.CONTRIBUTOR)
    body = chat().SerializeToString()
    monkeypatch.setattr("goldloop.otlp.intake.MOST_READING_BYTES", len(body) * 3 // 2)
    transport = httpx.ASGITransport(OtlpIntake(None, auth, writer))
    async with httpx.AsyncClient(transport=transport, base_url="http://goldloop.test") as client:
        headers = {**PROTOBUF, "X-Api-Key": secret}

        async def send() -> int:
            return (await client.post("/v1/traces", content=body, headers=headers)).status_code

        first = asyncio.create_task(send())
        await writer.began.wait()
        assert await send() == 503
        writer.go_on.set()
        assert await first == 200
        assert await send() == 200, "what was answered is held no more"


async def test_a_process_holds_only_so_much_that_is_not_written_yet(
    workspace: Workspace, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_writer, "MOST_WAITING_BYTES", 100)
    taken = decoding.take_traces(b"", chat(note="x" * 500).SerializeToString(), Encoding.PROTOBUF)
    assert taken.batch is not None
    with pytest.raises(group_writer.Busy):
        await GroupWriter(db).write(workspace.id, taken.batch._replace(body=b"x" * 101))


async def test_requests_that_arrive_together_share_a_transaction(
    workspace: Workspace, emitter: Emitter
) -> None:
    bodies = [chat(nonce=number) for number in range(60)]
    answers = await asyncio.gather(*(emitter.send(body) for body in bodies))
    assert {answer.status_code for answer in answers} == {200}
    async with workspace.db.tx(workspace.system) as tx:
        batches, transactions = await tx.fetchrow(
            "SELECT count(*), count(DISTINCT xmin::text) FROM otel_batches"
        ) or (0, 0)
    assert batches == 60
    assert transactions < 30
