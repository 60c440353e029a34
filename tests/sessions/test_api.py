"""Sessions that run elsewhere: begun, told event by event, ended; read in order, and never changed."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest

from goldloop.kit.clock import now
from goldloop.kit.db import APP_ROLE, WORKER_ROLE
from goldloop.kit.ids import new_id
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.loops import some
from tests.records import code, ok, places
from tests.sessions.recordings import begin, event, read, send, story


async def test_a_recorded_session_is_read_back_as_it_happened(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    agent = await workspace.make_agent("scout")
    session = await begin(client, agent="scout", metadata={"run": 7})
    assert (session["status"], session["source"], session["agent_id"]) == ("running", "client", str(agent.id))
    sent = story()
    assert ok(await send(client, session, sent)) == {"added": 6, "events": 7}
    ended = ok(
        await client.post(
            f"/api/sessions/{session['id']}/end", json={"status": "completed", "output": "Ninety days."}
        )
    )
    assert (ended["status"], ended["output"], ended["events"]) == ("completed", "Ninety days.", 8)
    assert (ended["requests"], ended["tool_calls"]) == (2, 1)
    assert (ended["input_tokens"], ended["output_tokens"], ended["cost"]) == (270, 28, 0.25)
    assert ended["first_message"] == sent[0]["payload"]["text"]
    events = await read(client, session)
    assert [e["seq"] for e in events] == list(range(1, 9))
    assert [e["type"] for e in events] == [
        "session.created",
        *(e["type"] for e in sent),
        "session.completed",
    ]
    assert [e["payload"] for e in events[1:-1]] == [e["payload"] for e in sent]


async def test_sending_twice_is_sending_once(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    sent = story()
    ok(await send(client, session, sent[:4]))
    assert ok(await send(client, session, sent)) == {"added": 2, "events": 7}
    shown = ok(await client.get(f"/api/sessions/{session['id']}"))
    assert (shown["input_tokens"], shown["requests"]) == (270, 2)
    ok(await client.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"}))
    assert ok(await send(client, session, sent))["added"] == 0
    again = await client.post(f"/api/sessions/{session['id']}/end", json={"status": "completed"})
    assert ok(again)["events"] == 8


async def test_writers_at_the_same_moment_leave_no_gap(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    batches = [[event("user.message", text=f"{n}-{m}") for m in range(5)] for n in range(12)]
    answers = await asyncio.gather(*(send(client, session, batch) for batch in batches + batches))
    assert {answer.status_code for answer in answers} == {200}
    events = await read(client, session)
    assert [e["seq"] for e in events] == list(range(1, 62))
    texts = [e["payload"]["text"] for e in events[1:]]
    for batch in some(batches):
        first = texts.index(batch[0]["payload"]["text"])
        assert texts[first : first + 5] == [e["payload"]["text"] for e in batch]


async def test_an_ended_session_takes_no_more(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    path = f"/api/sessions/{session['id']}"
    failed = ok(await client.post(f"{path}/end", json={"status": "failed", "error": "It broke"}))
    assert failed["error"] == {"code": "failed", "message": "It broke"}
    assert code(await send(client, session, story())) == (409, "session_ended")
    assert code(await client.post(f"{path}/end", json={"status": "completed"})) == (409, "session_ended")
    assert code(await client.post(f"{path}/cancel")) == (409, "session_ended")
    again = {"status": "failed", "error": "It broke"}
    assert ok(await client.post(f"{path}/end", json=again)) == failed
    other = {"status": "failed", "error": "Something else"}
    assert code(await client.post(f"{path}/end", json=other)) == (409, "session_ended")
    assert code(await client.get(f"{path}/events/{2**40}/payload")) == (404, "session_event_not_found")


async def test_what_is_told_late_ended_when_it_did(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    began = now() - timedelta(days=4)
    for at, ended in (
        (began + timedelta(minutes=12), began + timedelta(minutes=12)),
        (began - timedelta(1), began),
    ):
        session = await begin(client, at=began.isoformat())
        done = {"status": "completed", "at": at.isoformat()}
        answer = ok(await client.post(f"/api/sessions/{session['id']}/end", json=done))
        assert datetime.fromisoformat(answer["ended_at"]) == ended
    future = {"status": "completed", "at": (now() + timedelta(days=2)).isoformat()}
    session = await begin(client)
    refused = await client.post(f"/api/sessions/{session['id']}/end", json=future)
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (422, "/at")


async def test_a_session_is_part_of_one_that_is_there_and_never_of_itself(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    parent = await begin(client)
    foreign = await begin(await other_workspace.client(Role.CONTRIBUTOR))
    own = str(new_id())
    child = {"source": "client", "agent": "outsider", "id": own}
    for parent_id in (own, str(new_id()), foreign["id"]):
        answer = await client.post("/api/sessions", json=child | {"parent_session_id": parent_id})
        assert places(answer) == [("/parent_session_id", "session_not_found")]
    made = ok(await client.post("/api/sessions", json=child | {"parent_session_id": parent["id"]}))
    assert ok(await client.post("/api/sessions", json=child | {"parent_session_id": parent["id"]})) == made
    assert code(await client.post("/api/sessions", json=child)) == (409, "session_exists")


async def test_only_what_failed_has_an_error(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    answer = await client.post(
        f"/api/sessions/{session['id']}/end", json={"status": "completed", "error": "It broke"}
    )
    assert places(answer) == [("/error", "not_failed")]
    assert ok(await client.get(f"/api/sessions/{session['id']}"))["status"] == "running"


@pytest.mark.parametrize(
    ("bad", "place"),
    [
        ({"type": "session.completed", "payload": {}}, "/1/type"),
        ({"type": "user.message", "payload": {}}, "/1/payload/text"),
        ({"type": "Nonsense!", "payload": {}}, "/1/type"),
        ({"type": "user.message", "payload": "text"}, "/1/payload"),
        ({"type": "user.message", "payload": {"text": "x"}, "at": "yesterday"}, "/1/at"),
    ],
)
async def test_a_bad_event_is_refused_with_its_place_and_nothing_is_written(
    workspace: Workspace, bad: dict[str, Any], place: str
) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    answer = await send(client, session, [event("user.message", text="good"), {"id": str(new_id()), **bad}])
    assert answer.status_code == 422
    assert [where for where, _ in places(answer)] == [place]
    assert len(await read(client, session)) == 1


async def test_an_id_twice_in_one_call_is_refused(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    one = event("user.message", text="x")
    assert places(await send(client, session, [one, one])) == [("/1/id", "duplicate")]


async def test_text_that_cannot_be_stored_costs_a_character_and_not_the_event(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    body = (
        b'[{"id": "%s", "type": "user.message", "payload": {"text": "a\\u0000b\\ud800c \xff", "\\u0000k": 1}}]'
        % str(new_id()).encode()
    )
    answer = await client.post(
        f"/api/sessions/{session['id']}/events", content=body, headers={"Content-Type": "application/json"}
    )
    assert ok(answer)["added"] == 1
    stored = (await read(client, session))[1]["payload"]
    assert stored == {"text": "a\ufffdb\ufffdc \ufffd", "\ufffdk": 1}


async def test_a_large_payload_is_a_preview_and_whole_by_its_own_address(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    payload = {"id": "c", "result": "y" * 100_000}
    ok(await send(client, session, [event("tool.result", **payload)]))
    shown = (await read(client, session))[1]
    assert (shown["whole"], shown["payload"]["id"], len(shown["payload"]["result"])) == (False, "c", 2001)
    path = f"/api/sessions/{session['id']}/events"
    assert ok(await client.get(f"{path}/2/payload")) == payload
    assert ok(await client.get(f"{path}/1/payload"))["agent"] == "outsider"
    ended = {"status": "completed", "output": "z" * 100_000}
    ok(await client.post(f"/api/sessions/{session['id']}/end", json=ended))
    shown = (await read(client, session))[2]
    assert (shown["whole"], len(shown["payload"]["output"])) == (False, 2001)
    assert ok(await client.get(f"{path}/3/payload"))["output"] == ended["output"]
    assert code(await client.get(f"{path}/4/payload")) == (404, "session_event_not_found")


async def test_the_same_create_again_answers_with_what_is_there(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    first = await begin(client, external_id="run-1", metadata={"a": 1})
    assert await begin(client, external_id="run-1", metadata={"a": 1}) == first
    other = {"source": "client", "agent": "outsider", "external_id": "run-1", "metadata": {"a": 2}}
    answer = await client.post("/api/sessions", json=other)
    assert code(answer) == (409, "session_exists")
    assert answer.json()["conflict"] == {"id": first["id"]}


async def test_a_list_is_narrowed_by_each_of_its_filters(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    agent = await workspace.make_agent("scout")
    long_ago = datetime.now(UTC) - timedelta(days=3)
    old = await begin(client, type="chat", at=long_ago.isoformat())
    scouted = await begin(client, agent="scout", parent_session_id=old["id"])
    ok(await send(client, old, [event("user.message", text="Where is the parcel?")]))
    ok(await client.post(f"/api/sessions/{scouted['id']}/end", json={"status": "failed", "error": "x"}))

    async def found(**wanted: Any) -> list[str]:
        return [s["id"] for s in ok(await client.get("/api/sessions", params=wanted))["data"]]

    both, first, second = [scouted["id"], old["id"]], [old["id"]], [scouted["id"]]
    day_ago = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    for wanted, ids in some(
        [
            ({}, both),
            ({"type": "chat"}, first),
            ({"status": "failed"}, second),
            ({"source": "client"}, both),
            ({"agent": "scout"}, second),
            ({"agent": str(agent.id)}, second),
            ({"agent": "nobody"}, []),
            ({"parent_session_id": old["id"]}, second),
            ({"golden": "false"}, both),
            ({"golden": "true"}, []),
            ({"since": day_ago}, second),
            ({"until": day_ago}, first),
            ({"q": "parc"}, first),
            ({"q": "parcel nowhere"}, []),
        ]
    ):
        assert await found(**wanted) == ids, wanted


async def test_pages_of_sessions_and_of_events_follow_on(workspace: Workspace) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    made = [(await begin(client))["id"] for _ in range(5)]
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = ok(await client.get("/api/sessions", params={"limit": 2, **cursor}))
        seen += [session["id"] for session in page["data"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == made[::-1]
    session = {"id": made[0]}
    ok(await send(client, session, [event("user.message", text=str(n)) for n in range(5)]))
    first = ok(await client.get(f"/api/sessions/{made[0]}/events", params={"limit": 4}))
    rest = ok(
        await client.get(
            f"/api/sessions/{made[0]}/events", params={"limit": 4, "cursor": first["next_cursor"]}
        )
    )
    assert [e["seq"] for e in first["data"] + rest["data"]] == [1, 2, 3, 4, 5, 6]
    followed = ok(await client.get(f"/api/sessions/{made[0]}/events", params={"after": 4}))
    assert [e["seq"] for e in followed["data"]] == [5, 6]


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE session_events SET type = 'user.message' WHERE session_id = $1",
        "DELETE FROM session_events WHERE session_id = $1",
        "DELETE FROM sessions WHERE id = $1",
    ],
)
async def test_the_database_refuses_to_change_what_happened(
    workspace: Workspace, role: str, change: str
) -> None:
    client = await workspace.client(Role.CONTRIBUTOR)
    session = await begin(client)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with workspace.db.in_role(role).tx(workspace.system) as tx:
            await tx.execute(change, session["id"])
    assert len(await read(client, session)) == 1


async def test_a_session_of_another_workspace_is_not_there(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    session = await begin(await workspace.client(Role.CONTRIBUTOR))
    stranger = await other_workspace.client(Role.ADMIN)
    path = f"/api/sessions/{session['id']}"
    for answer in some(
        [
            await stranger.get(path),
            await stranger.get(f"{path}/events"),
            await stranger.get(f"{path}/events/1/payload"),
            await send(stranger, session, story()),
            await stranger.post(f"{path}/end", json={"status": "completed"}),
            await stranger.post(f"{path}/cancel"),
        ]
    ):
        assert code(answer) == (404, "session_not_found")
    assert ok(await stranger.get("/api/sessions"))["data"] == []


async def test_a_viewer_reads_and_records_nothing(workspace: Workspace) -> None:
    session = await begin(await workspace.client(Role.CONTRIBUTOR))
    viewer = await workspace.client(Role.VIEWER)
    assert ok(await viewer.get(f"/api/sessions/{session['id']}"))["id"] == session["id"]
    assert code(await send(viewer, session, story())) == (403, "forbidden")
    assert code(await viewer.post("/api/sessions", json={"source": "client"})) == (403, "forbidden")


async def test_agents_are_listed_with_what_they_run_with_and_their_newest_session(
    workspace: Workspace,
) -> None:
    admin = await workspace.client(Role.ADMIN)
    here, elsewhere, idle = [await workspace.make_agent(slug) for slug in ("a-here", "b-elsewhere", "c-idle")]
    path = f"/api/agents/{here.id}/config"
    ok(await admin.put(path, json={"model": "openai:gpt-6"}))
    ok(await admin.put(path, json={"model": "openai:gpt-7"}))
    await begin(admin, agent=elsewhere.slug)
    newest = await begin(admin, agent=elsewhere.slug)
    first = ok(await admin.get("/api/agents/overview", params={"limit": 2}))
    rest = ok(await admin.get("/api/agents/overview", params={"limit": 2, "cursor": first["next_cursor"]}))
    rows = [row for row in first["data"] + rest["data"] if not row["is_system"]]
    assert [(row["id"], row["slug"]) for row in rows] == [
        (str(a.id), a.slug) for a in (here, elsewhere, idle)
    ]
    assert [row["runs_with"] for row in rows] == [
        {"version": 2, "runtime": "built_in", "model": "openai:gpt-7"},
        None,
        None,
    ]
    assert [row["last_session"] and row["last_session"]["id"] for row in rows] == [None, newest["id"], None]
    assert rows[1]["last_session"]["status"] == "running"


async def test_agents_of_another_workspace_are_not_listed(
    workspace: Workspace, other_workspace: Workspace
) -> None:
    await begin(await workspace.client(Role.CONTRIBUTOR), agent=(await workspace.make_agent()).slug)
    stranger = await other_workspace.client(Role.ADMIN)
    listed = ok(await stranger.get("/api/agents/overview"))["data"]
    assert [row["slug"] for row in listed if not row["is_system"]] == []
