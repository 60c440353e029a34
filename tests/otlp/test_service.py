"""What becomes of traces: sessions, their ends, their turns, and what sources are told they lack."""

from datetime import timedelta
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from goldloop.kit.clock import now
from goldloop.otlp import service, store
from goldloop.otlp.jobs import prune, watch
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.otlp.ground import Emitter
from tests.otlp.turns import CHAT, turn
from tests.otlp.wire import BEGAN, MILLISECOND, pairs, request, span
from tests.records import ok
from tests.sessions.recordings import begin


async def test_traces_of_one_conversation_are_one_session_that_each_reopens(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    first = await emitter.session()
    assert (first["status"], first["output"], first["input_tokens"]) == ("completed", "Hi.", 10)
    await emitter.send(request(*turn(2, "Bye", "Goodbye.", "Hello", "Hi.")))
    await emitter.work("otlp.spread", "otlp.derive")
    assert (await emitter.session())["status"] == "running"
    await emitter.work()
    session = await emitter.session()
    assert (session["id"], session["status"], session["output"]) == (first["id"], "completed", "Goodbye.")
    kinds = [event["type"] for event in await emitter.events(session) if event["type"].startswith("session.")]
    assert kinds == ["session.created", "session.completed", "session.reopened", "session.completed"]
    assert [each["text"] for each in await emitter.told(session, "user.message")] == ["Hello", "Bye"]


@pytest.mark.parametrize("history", [("yes", "And now?"), ()], ids=["with history", "without"])
async def test_the_same_words_said_twice_are_two_messages(emitter: Emitter, history: tuple[str, ...]) -> None:
    await emitter.send(request(*turn(1, "yes", "And now?")))
    await emitter.send(request(*turn(2, "yes", "Done.", *history)))
    await emitter.work()
    assert [each["text"] for each in await emitter.told(await emitter.session(), "user.message")] == [
        "yes",
        "yes",
    ]


async def test_what_comes_late_is_added_to_a_session_that_is_over_and_stays_so(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    await emitter.send(
        request(
            span(3, 1, trace=1, start=1100, end=1900, name="execute_tool late", gen_ai__tool__name="late")
        )
    )
    await emitter.work()
    session = await emitter.session()
    assert (session["status"], session["tool_calls"]) == ("completed", 1)
    kinds = [event["type"] for event in await emitter.events(session)]
    assert "session.reopened" not in kinds


async def test_a_root_that_fails_later_corrects_how_a_session_ended(emitter: Emitter) -> None:
    ask, root = turn(1, "Hello", "Hi.")
    ask.parent_span_id = b""  # as far as one can see it is the root
    ask.attributes.extend(pairs({"session.id": "conv"}))
    await emitter.send(request(ask))
    await emitter.work()
    assert (await emitter.session())["status"] == "completed"
    ask.parent_span_id = root.span_id
    root.status.code = 2  # type: ignore[assignment]
    root.status.message = "it broke"
    ask.end_time_unix_nano += 1
    await emitter.send(request(ask, root))
    await emitter.work()
    session = await emitter.session()
    assert (session["status"], session["error"]["message"]) == ("failed", "it broke")


async def test_a_golden_session_is_not_changed_another_goes_on_for_it(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    golden = await emitter.session()
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        await tx.execute("UPDATE sessions SET metadata = metadata || '{\"golden\": true}'")
    await emitter.send(request(*turn(2, "Bye", "Goodbye.", "Hello", "Hi.")))
    await emitter.send(request(*turn(3, "Still there?", "Yes.", "Hello", "Hi.", "Bye", "Goodbye.")))
    await emitter.work()
    kept, after = await emitter.sessions()
    assert (kept["id"], kept["events"], kept["status"]) == (golden["id"], golden["events"], "completed")
    assert after["metadata"]["continues"] == golden["id"]
    assert [each["text"] for each in await emitter.told(after, "user.message")] == ["Bye", "Still there?"]


async def test_a_trace_without_session_or_root_is_waited_for_and_then_shown_as_running(
    emitter: Emitter,
) -> None:
    ask, _ = turn(1, "Hello", "Hi.")
    await emitter.send(request(ask))
    await emitter.work_once("otlp.spread", "otlp.derive")
    assert await emitter.sessions() == []
    await emitter.work()
    session = await emitter.session()
    assert (session["status"], session["external_id"]) == ("running", f"trace:{1:032x}")


async def test_a_provisional_session_is_merged_into_the_one_that_its_root_names(emitter: Emitter) -> None:
    ask, root = turn(1, "Hello", "Hi.")
    await emitter.send(request(ask))
    await emitter.work()
    provisional = await emitter.session()
    await emitter.send(request(root))
    await emitter.work()
    session = await emitter.session()
    assert (session["external_id"], session["requests"], session["input_tokens"]) == ("conv", 1, 10)
    moved = ok(await emitter.client.get(f"/api/sessions/{provisional['id']}"))
    assert (moved["metadata"]["merged_into"], moved["requests"], moved["status"]) == (
        session["id"],
        0,
        "cancelled",
    )
    assert [each["text"] for each in await emitter.told(session, "agent.message")] == ["Hi."]


async def test_a_provisional_session_that_is_referred_to_is_linked_instead(emitter: Emitter) -> None:
    ask, root = turn(1, "Hello", "Hi.")
    await emitter.send(request(ask))
    await emitter.work()
    await begin(emitter.client, parent_session_id=(await emitter.session())["id"])
    await emitter.send(request(root))
    await emitter.work()
    kept = next(each for each in await emitter.sessions() if each["external_id"].startswith("trace:"))
    other = next(each for each in await emitter.sessions() if each["external_id"] == "conv")
    assert kept["metadata"]["belongs_to"] == other["id"]


async def test_a_session_whose_root_never_comes_stalls_and_is_no_failure(emitter: Emitter) -> None:
    ask, _ = turn(1, "Hello", "Hi.")
    ask.attributes.extend(pairs({"session.id": "conv"}))
    await emitter.send(request(ask))
    await emitter.work()
    session = await emitter.session()
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        await watch(tx, session["id"])
    assert (await emitter.session())["status"] == "running"
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        await tx.execute("UPDATE otel_traces SET last_at = last_at - interval '20 minutes'")
        await watch(tx, session["id"])
    assert (await emitter.session())["status"] == "stalled"
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    assert (await emitter.session())["status"] == "completed"


async def test_spans_without_an_agent_make_no_session(emitter: Emitter) -> None:
    await emitter.send(
        request(
            span(1, name="GET /", http__method="GET", session__id="s"),
            span(2, 1, name="SELECT", db__system="x"),
        )
    )
    await emitter.work()
    assert await emitter.sessions() == []
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM otel_batches") == 1


async def test_a_turn_becomes_a_turn_of_a_conversation_once(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.", user__id="ann")))
    await emitter.work()
    await emitter.send(
        request(*turn(1, "Hello", "Hi.", user__id="ann"), span(9, 1, trace=1, start=1100, name="late"))
    )
    await emitter.work()
    owner = await emitter.workspace.client()
    found = ok(await owner.get("/api/conversations/weather-bot/conv"))
    assert [each["turn_id"] for each in found["turns"]] == [f"{1:032x}"]
    shown = ok(await emitter.client.get(f"/api/sessions/{(await emitter.session())['id']}"))
    assert shown["conversation"] == {"project": "weather-bot", "id": "conv"}
    assert [each["turn_id"] for each in shown["turns"]] == [f"{1:032x}"]
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        marks = await tx.fetch(
            "SELECT key FROM marks WHERE kind = 'conversations.gate' AND tenant_id = $1", emitter.workspace.id
        )
    assert [row["key"] for row in marks] == [f"weather-bot/conv/{1:032x}"]


async def test_turns_go_to_the_project_that_the_workspace_chose(emitter: Emitter) -> None:
    owner = await emitter.workspace.client()
    assert ok(await owner.get("/api/otlp/settings")) == {"project": None, "keep_days": 90}
    ok(await owner.put("/api/otlp/settings", json={"project": "Support"}))
    await emitter.send(request(*turn(1, "Hello", "Hi.", session="a/b")))
    await emitter.work()
    session = await emitter.session()
    assert session["conversation"] == {"project": "Support", "id": session["id"]}, (
        "an id with a slash is no address"
    )
    refused = await emitter.client.put("/api/otlp/settings", json={"project": "Mine"})
    assert refused.status_code == 403


async def test_an_agent_is_found_in_the_registry_by_its_name(emitter: Emitter) -> None:
    agent = await emitter.workspace.make_agent("weather-bot")
    root = span(1, gen_ai__operation__name="invoke_agent", gen_ai__agent__name="Weather Bot", session__id="s")
    await emitter.send(request(root))
    await emitter.work()
    session = await emitter.session()
    assert (session["agent"], session["agent_id"]) == ("weather-bot", str(agent.id))


async def test_spans_join_a_session_that_a_client_records(emitter: Emitter) -> None:
    recorded = await begin(emitter.client, external_id="conv")
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.work()
    session = await emitter.session()
    assert (session["id"], session["source"], session["status"]) == (recorded["id"], "client", "running")
    assert [each["text"] for each in await emitter.told(session, "agent.message")] == ["Hi."]


async def test_only_spans_make_sessions_of_spans(emitter: Emitter) -> None:
    answer = await emitter.client.post("/api/sessions", json={"source": "otlp", "agent": "x"})
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "reserved")


async def test_large_payloads_go_to_the_blob_store(emitter: Emitter) -> None:
    text = "x" * 1_000_000
    await emitter.send(request(*turn(1, text, "That is long.")))
    await emitter.work()
    session = await emitter.session()
    (event,) = [each for each in await emitter.events(session) if each["type"] == "user.message"]
    assert (event["whole"], len(event["payload"]["text"]) < 3000) == (False, True)
    path = f"/api/sessions/{session['id']}/events/{event['seq']}/payload"
    assert ok(await emitter.client.get(path))["text"] == text


async def test_a_large_trace_waits_for_what_would_tell_it_better(emitter: Emitter) -> None:
    """A tool that nobody asked for yet: the request that did may come."""
    ask, root = turn(1, "x" * 1_000_000, "That is long.")
    tool = span(
        3, 9, trace=1, start=1100, gen_ai__operation__name="execute_tool", gen_ai__tool__name="w"
    )  # its parent has not come
    await emitter.send(request(ask, root, tool))
    await emitter.work("otlp.spread", "otlp.derive", "otlp.derive_large")
    session = await emitter.session()
    assert len(await emitter.told(session, "user.message")) == 1
    assert await emitter.told(session, "tool.call") == []
    await emitter.work("otlp.derive_later", "otlp.derive_large_later")
    assert [each["name"] for each in await emitter.told(session, "tool.call")] == ["w"]


async def test_broken_values_cost_nothing_but_themselves(emitter: Emitter) -> None:
    """U+0000, clocks that are a day or a century off, values of wrong kinds, nesting without end."""
    deep: Any = "x"
    for _ in range(20):
        deep = {"k": deep}
    bad = span(
        1,
        trace=1,
        session__id="s\x00",
        name="a\x00b",
        gen_ai__operation__name="chat",
        gen_ai__request__model=3,
        gen_ai__input__messages='[{"role":"user","content":"nul \\u0000 here"}]',
        gen_ai__usage__input_tokens="many",
        gen_ai__usage__output_tokens=-5,
        deep=deep,
        user__id=b"\x00\xff",
    )
    ahead = span(1, trace=2, session__id="s", **CHAT)
    ahead.start_time_unix_nano = (1 << 64) - 1
    ahead.end_time_unix_nano = 0
    behind = span(1, trace=3, start=-86_400_000, session__id="s", **CHAT)
    nested = span(1, trace=4, session__id="s", gen_ai__input__messages="[" * 5000 + "]" * 5000, **CHAT)
    itself = span(5, 5, trace=5, session__id="s", **CHAT)
    circle = [span(6, 7, trace=6, session__id="s", **CHAT), span(7, 6, trace=6, **CHAT)]
    answer = await emitter.send(request(bad, ahead, behind, nested, itself, *circle))
    assert (answer.status_code, answer.content) == (200, b"")
    await emitter.work()
    (session,) = await emitter.sessions()
    assert session["external_id"] == "s"
    assert session["requests"] == 6, "of two spans that are each other's parents one is a report of the other"
    assert session["first_message"] == "nul \ufffd here"
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert (
            await tx.fetchval(
                "SELECT count(*) FROM marks WHERE attempts > 0 AND tenant_id = $1", emitter.workspace.id
            )
            == 0
        )


def evaluation(attributes: dict[str, Any], trace: int = 1, span_id: int = 2) -> ExportLogsServiceRequest:
    logs = ExportLogsServiceRequest()
    logs.resource_logs.add().scope_logs.add().log_records.add(
        trace_id=trace.to_bytes(16, "big"),
        span_id=span_id.to_bytes(8, "big") if span_id else b"",
        event_name="gen_ai.evaluation.result",
        time_unix_nano=BEGAN + 5000 * MILLISECOND,
        attributes=pairs(attributes),
    )
    return logs


async def test_an_evaluation_result_is_kept_on_its_session_as_a_record_and_as_a_spans_event(
    emitter: Emitter,
) -> None:
    result = {
        "gen_ai.evaluation.name": "relevance",
        "gen_ai.evaluation.score.value": 0.25,
        "gen_ai.evaluation.score.label": "poor",
        "gen_ai.evaluation.explanation": "It misses the point.",
        "gen_ai.response.id": "resp-1",
    }
    ask, root = turn(1, "Hello", "Hi.")
    ask.events.add(
        name="gen_ai.evaluation.result",
        time_unix_nano=BEGAN,
        attributes=pairs({**result, "gen_ai.evaluation.name": "safety"}),
    )
    await emitter.send(request(ask, root))
    await emitter.send(evaluation(result), "/v1/logs")
    await emitter.work()
    await emitter.send(evaluation({**result, "again": 1}, span_id=0), "/v1/logs")
    await emitter.send(evaluation(result), "/v1/logs")
    await emitter.work()
    session = await emitter.session()
    found = await emitter.told(session, "evaluation.result")
    assert sorted(each["name"] for each in found) == ["relevance", "relevance", "safety"]
    for each in some(found):
        assert (each["score"], each["label"], each["explanation"]) == (0.25, "poor", "It misses the point.")
        assert each["response_id"] == "resp-1"
    assert session["status"] == "completed"
    await emitter.work("feedback.evaluations")
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await service.mark_anew(tx, (1).to_bytes(16, "big"))
    await emitter.work()
    await emitter.work("feedback.evaluations")
    admin = await emitter.workspace.client(Role.ADMIN)
    rows = ok(await admin.get("/api/feedback", params={"session_id": session["id"]}))["data"]
    assert sorted(row["context"]["evaluation"]["name"] for row in rows) == [
        "relevance",
        "relevance",
        "safety",
    ]
    for row in some(rows):
        assert (row["source_type"], row["rating"], row["comment"]) == (
            "session",
            "negative",
            "It misses the point.",
        )


async def test_an_evaluation_in_a_trace_of_its_own_finds_its_session_by_name(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    logs = evaluation({"gen_ai.evaluation.name": "later", "gen_ai.conversation.id": "conv"}, trace=77)
    await emitter.send(logs, "/v1/logs")
    await emitter.work()
    session = await emitter.session()
    assert [each["name"] for each in await emitter.told(session, "evaluation.result")] == ["later"]


async def test_sources_say_what_was_counted_and_which_setting_turns_the_rest_on(emitter: Emitter) -> None:
    without = [span(1, trace=1, **CHAT), span(1, trace=2, **CHAT)]
    for each in (
        request(*without, scope="openinference.instrumentation.openai"),
        request(*turn(3, "Hello", "Hi.", user__id="ann"), scope="langfuse-sdk"),
    ):
        await emitter.send(each)
        await emitter.work()
        each.resource_spans[0].scope_spans[0].spans[0].events.add(name="again")
        await emitter.send(each)
        await emitter.work()
    found = ok(await emitter.client.get("/api/otlp/sources", params={"limit": 1}))
    assert found["data"][0]["scope"] == "langfuse-sdk"
    assert found["data"][0]["missing"] == []
    rest = ok(await emitter.client.get("/api/otlp/sources", params={"cursor": found["next_cursor"]}))["data"]
    (source,) = rest
    assert (source["emitter"], source["service"]) == ("OpenInference", "weather-bot")
    assert [source[key] for key in ("spans", "requests", "with_content", "with_session", "with_user")] == [
        2,
        2,
        0,
        0,
        0,
    ]
    how = {each["what"]: each["how"] for each in source["missing"]}
    assert set(how) == {"content", "session", "user"}
    assert "OPENINFERENCE_HIDE_INPUTS" in how["content"]
    assert "using_attributes(session_id=" in how["session"]


async def test_deriving_again_adds_nothing(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.send(request(*turn(2, "Bye", "Goodbye.", "Hello", "Hi.")))
    await emitter.work()
    before = await emitter.events(await emitter.session())
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await service.mark_all_anew(tx, b"") == (2, None)
        assert await service.mark_anew(tx, (1).to_bytes(16, "big"))
        assert not await service.mark_anew(tx, b"\x07" * 16)
    await emitter.work()
    assert await emitter.events(await emitter.session()) == before


async def test_bodies_are_forgotten_in_time_and_sessions_stay(emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await emitter.send(request(*turn(2, "Bye", "Goodbye.", "Hello", "Hi.")))
    await emitter.work()
    async with emitter.workspace.db.tx(emitter.workspace.system) as tx:
        assert await service.forget(tx, 100) == 0
        assert await store.prune(tx, now() + timedelta(minutes=1), 1) == 1
        assert await store.prune(tx, now() + timedelta(minutes=1), 100) == 1
        assert await tx.fetchval("SELECT count(*) FROM otel_trace_batches") == 0
        assert await service.mark_all_anew(tx, b"") == (0, None)
    await emitter.work()
    assert (await emitter.session())["requests"] == 2


@pytest.mark.parametrize("role", [Role.VIEWER, Role.CONTRIBUTOR])
async def test_every_member_sees_who_sends_spans(workspace: Workspace, role: Role) -> None:
    assert ok(await (await workspace.client(role)).get("/api/otlp/sources"))["data"] == []


async def test_pruning_goes_over_all_workspaces(workspace: Workspace, emitter: Emitter) -> None:
    await emitter.send(request(*turn(1, "Hello", "Hi.")))
    await prune(workspace.db)
    async with workspace.db.tx(workspace.system) as tx:
        assert await tx.fetchval("SELECT count(*) FROM otel_batches") == 1
