"""Sessions that wait for a person: those that ask, stall or fail, and how each leaves the inbox."""

from typing import Any
from uuid import UUID

import pytest

from goldloop.kit.clock import now
from goldloop.kit.queue import MARKS
from goldloop.sessions import run_service, service
from goldloop.sessions.model import ClaimLost, Question, SessionStatus
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.records import Desk, code, ok
from tests.runtimes.scripted import configured, kinds, start
from tests.sessions.recordings import begin, event, fall_silent, read, send


async def waiting(client: Any, kind: str) -> int:
    counts: dict[str, int] = {row["kind"]: row["count"] for row in ok(await client.get("/api/inbox"))["data"]}
    return counts[kind]


async def watch(desk: Desk, session: dict[str, Any]) -> str:
    """What the mark of a session does when it is due; the status that it has then."""
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        await MARKS[service.WATCH].run(tx, session["id"])
    status: str = ok(await desk.contributor.get(f"/api/sessions/{session['id']}"))["status"]
    return status


async def silent(desk: Desk) -> dict[str, Any]:
    session = await begin(desk.contributor, at=(now() - 2 * service.SILENCE).isoformat())
    await fall_silent(desk.workspace, session)
    return session


async def test_a_session_elsewhere_that_falls_silent_is_stalled_until_it_is_heard_again(desk: Desk) -> None:
    fresh, old = await begin(desk.contributor), await silent(desk)
    assert await watch(desk, fresh) == "running"
    assert await watch(desk, old) == "stalled"
    assert await waiting(desk.contributor, "failed_sessions") == 1
    listed = ok(await desk.contributor.get("/api/sessions", params={"waits_for": "look"}))["data"]
    assert [session["id"] for session in listed] == [old["id"]]
    ok(await send(desk.contributor, old, [event("agent.message", text="Here again.")]))
    assert ok(await desk.contributor.get(f"/api/sessions/{old['id']}"))["status"] == "running"
    assert await waiting(desk.contributor, "failed_sessions") == 0
    assert kinds(await read(desk.contributor, old)) == ["session.created", "session.stalled", "agent.message"]


async def test_what_is_told_now_of_long_ago_is_not_silent(desk: Desk) -> None:
    session = await begin(desk.contributor, at=(now() - 100 * service.SILENCE).isoformat())
    assert await watch(desk, session) == "running"


async def test_one_that_went_on_after_it_was_dismissed_waits_again_when_it_fails(desk: Desk) -> None:
    session = await silent(desk)
    await watch(desk, session)
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/dismiss"))
    ok(await send(desk.contributor, session, [event("agent.message", text="Here again.")]))
    ok(await desk.contributor.post(f"/api/sessions/{session['id']}/end", json={"status": "failed"}))
    assert await waiting(desk.contributor, "failed_sessions") == 1


async def test_a_session_that_ended_is_not_stalled(desk: Desk) -> None:
    old = await silent(desk)
    ok(await desk.contributor.post(f"/api/sessions/{old['id']}/end", json={"status": "completed"}))
    assert await watch(desk, old) == "completed"


async def test_a_dismissed_session_leaves_the_inbox_once(desk: Desk) -> None:
    old = await silent(desk)
    await watch(desk, old)
    path = f"/api/sessions/{old['id']}/dismiss"
    first, again = ok(await desk.contributor.post(path)), ok(await desk.contributor.post(path))
    assert first["dismissed_at"] == again["dismissed_at"] is not None
    assert await waiting(desk.contributor, "failed_sessions") == 0
    open_one = await begin(desk.contributor)
    refused = await desk.contributor.post(f"/api/sessions/{open_one['id']}/dismiss")
    assert code(refused) == (409, "session_needs_nobody")


async def test_who_may_not_create_sessions_may_not_answer_dismiss_or_run_again(desk: Desk) -> None:
    session = await silent(desk)
    viewer = await desk.workspace.client(Role.VIEWER)
    for act, body in (("dismiss", None), ("answer", {"text": "x"}), ("run-again", {}), ("cancel", None)):
        refused = await viewer.post(f"/api/sessions/{session['id']}/{act}", json=body)
        assert code(refused) == (403, "forbidden"), act


async def asking(desk: Desk) -> dict[str, Any]:
    session = await start(desk.contributor, await configured(desk.workspace))
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        claim = await run_service.claim(tx, UUID(session["id"]), {})
        assert claim is not None
        await run_service.ask(tx, claim, Question(call_id="c1", text="Which year?"))
    return session


async def test_an_answer_is_the_result_of_the_call_and_is_given_once(desk: Desk) -> None:
    session = await asking(desk)
    assert await waiting(desk.contributor, "waiting_sessions") == 1
    for waits_for, found in (("answer", [session["id"]]), ("look", [])):
        listed = ok(await desk.contributor.get("/api/sessions", params={"waits_for": waits_for}))["data"]
        assert [one["id"] for one in listed] == found, "what is counted is what is listed"
    path = f"/api/sessions/{session['id']}/answer"
    for body in ({"text": ""}, {}, {"text": "x" * 20_001}):
        assert (await desk.contributor.post(path, json=body)).status_code == 422
    nul = await desk.contributor.post(path, json={"text": "20\x0025"})
    assert (nul.status_code, nul.json()["errors"][0]["path"]) == (422, "/text")
    assert ok(await desk.contributor.post(path, json={"text": "2025"}))["status"] == "queued"
    assert code(await desk.contributor.post(path, json={"text": "2026"})) == (409, "session_not_waiting")
    events = await read(desk.contributor, session)
    assert kinds(events)[-3:] == ["session.waiting", "session.answered", "tool.result"]
    assert events[-1]["payload"] == {"id": "c1", "result": {"answer": "2025"}}
    assert await waiting(desk.contributor, "waiting_sessions") == 0


async def test_whoever_asked_can_write_nothing_more_until_the_session_is_claimed_anew(desk: Desk) -> None:
    session = await start(desk.contributor, await configured(desk.workspace))
    async with desk.workspace.db.tx(desk.workspace.system) as tx:
        claim = await run_service.claim(tx, UUID(session["id"]), {})
        assert claim is not None
        await run_service.ask(tx, claim, Question(call_id="c1", text="?"))
        assert await run_service.claim(tx, UUID(session["id"]), {}) is None, "it waits"
        with pytest.raises(ClaimLost):
            await run_service.access(tx, claim)
        with pytest.raises(ClaimLost):
            await run_service.finish(tx, claim, SessionStatus.COMPLETED, "too late")


async def test_a_waiting_session_can_be_cancelled_and_not_be_answered_then(desk: Desk) -> None:
    session = await asking(desk)
    ended = ok(await desk.contributor.post(f"/api/sessions/{session['id']}/cancel"))
    assert (ended["status"], ended["question"]) == ("cancelled", None)
    late = await desk.contributor.post(f"/api/sessions/{session['id']}/answer", json={"text": "2025"})
    assert code(late) == (409, "session_not_waiting")


async def test_a_run_is_not_recorded_or_ended_from_elsewhere(desk: Desk) -> None:
    session = await start(desk.contributor, await configured(desk.workspace))
    sent = await send(desk.contributor, session, [event("agent.message", text="Me too.")])
    assert code(sent) == (409, "session_runs_here")
    ended = await desk.contributor.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"})
    assert code(ended) == (409, "session_runs_here")


async def test_a_session_that_ran_elsewhere_is_not_run_again_here(desk: Desk) -> None:
    session = await begin(desk.contributor)
    again = await desk.contributor.post(f"/api/sessions/{session['id']}/run-again", json={})
    assert code(again) == (409, "session_ran_elsewhere")


async def test_another_workspace_sees_and_answers_nothing(desk: Desk, other_workspace: Workspace) -> None:
    session = await asking(desk)
    stranger = await other_workspace.client()
    for act, body in (("answer", {"text": "x"}), ("dismiss", None), ("run-again", {}), ("cancel", None)):
        refused = await stranger.post(f"/api/sessions/{session['id']}/{act}", json=body)
        assert code(refused) == (404, "session_not_found"), act
