"""Candidates: which feedback makes one, that two queries read them all, and what settles them."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from goldloop.goldens.candidates import service
from goldloop.goldens.candidates.model import Resolution
from goldloop.kit.ids import new_id
from tests.goldens.shelf import EVALS, GOLDEN, Shelf
from tests.records import ok, places
from tests.sessions.recordings import event

CANDIDATES = f"{EVALS}/candidates"


async def complain(shelf: Shelf, session: Any, **feedback: Any) -> Any:
    body = {
        "source_type": "response",
        "rating": "negative",
        "comment": f"no {new_id()}",
        "session_id": session["id"],
        **feedback,
    }
    return ok(await shelf.admin.post("/api/feedback", json=body))


async def listed(shelf: Shelf, **query: Any) -> list[Any]:
    found: list[Any] = ok(await shelf.admin.get(CANDIDATES, params=query))["data"]
    return found


async def resolve(shelf: Shelf, ids: list[str], action: str) -> int:
    answer = await shelf.admin.patch(CANDIDATES, json={"feedbackIds": ids, "action": action})
    updated: int = ok(answer)["updated"]
    return updated


async def test_the_same_prompt_to_the_same_agent_is_one_candidate(shelf: Shelf) -> None:
    agent = await shelf.workspace.make_agent("scout")
    first = await shelf.ask("How long  is the notice?", agent="scout")
    second = await shelf.ask(" how long is the NOTICE? ", agent="scout")
    one = await complain(shelf, first)
    two = await complain(shelf, second)
    (candidate,) = await listed(shelf)
    assert candidate["feedbackIds"] == [two["id"], one["id"]]
    assert (candidate["occurrenceCount"], candidate["representativeSessionId"]) == (2, second["id"])
    assert (candidate["agentId"], candidate["agentSlug"]) == (str(agent.id), "scout")
    assert (candidate["prompt"], candidate["comment"]) == ("how long is the NOTICE?", two["comment"])


async def test_a_session_that_failed_is_a_candidate(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    failed = await shelf.ask("What broke?", end="failed", agent="scout")
    (candidate,) = await listed(shelf)
    assert (candidate["prompt"], candidate["representativeSessionId"]) == ("What broke?", failed["id"])


async def test_only_feedback_that_qualifies_makes_a_candidate(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello", agent="scout")
    for other in (
        {"rating": "positive"},
        {"rating": "neutral"},
        {"source_type": "tool"},
        {"source_type": "chat"},
        {"source_type": "observation"},
    ):
        await complain(shelf, session, **other)
    await complain(shelf, await shelf.ask("Hello"))  # of an agent that nobody knows
    machine = await shelf.record(event("agent.message", text="Hi."), agent="scout")
    await complain(shelf, machine)
    await complain(shelf, await shelf.ask("  ", agent="scout"))
    assert await listed(shelf) == []
    await complain(shelf, session)
    assert len(await listed(shelf)) == 1


async def test_only_the_first_message_of_a_session_counts(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    texts = [event("user.message", text=text) for text in ("First", "Second")]
    await complain(shelf, await shelf.record(*texts, agent="scout"))
    assert [each["prompt"] for each in await listed(shelf)] == ["First"]


async def test_a_replay_is_never_a_candidate(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    await complain(shelf, await shelf.ask("Hello", agent="scout"))
    assert len(await listed(shelf)) == 1
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        await tx.execute("UPDATE sessions SET purpose = 'replay' WHERE tenant_id = $1", shelf.workspace.id)
    assert await listed(shelf) == []


@pytest.mark.parametrize(("limit", "count"), [(None, 20), (0, 1), (-7, 1), (1, 1), (3, 3), (1000, 22)])
async def test_how_many_are_listed(shelf: Shelf, limit: int | None, count: int) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello 0", agent="scout")
    await complain(shelf, session)
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        await _copy(tx, shelf, session["id"], 21)
    assert len(await listed(shelf, **({} if limit is None else {"limit": limit}))) == count


@contextmanager
def counted(tx: Any) -> Iterator[list[str]]:
    """The statements that a transaction sends."""
    statements: list[str] = []
    with tx.connection.query_logger(lambda record: statements.append(record.query)):
        yield statements


async def _copy(tx: Any, shelf: Shelf, session_id: str, count: int) -> None:
    """As many sessions more, each with a prompt of its own and feedback."""
    ids = [new_id() for _ in range(count)]
    await tx.execute(
        """
        INSERT INTO sessions (tenant_id, id, type, status, source, agent, agent_id, created_at, last_at, created_by_kind, purpose)
        SELECT s.tenant_id, n, s.type, s.status, s.source, s.agent, s.agent_id, s.created_at, s.last_at, 'system', s.purpose
        FROM sessions s, unnest($3::uuid[]) n WHERE s.tenant_id = $1 AND s.id = $2
        """,
        shelf.workspace.id,
        session_id,
        ids,
    )
    await tx.execute(
        """
        INSERT INTO session_events (tenant_id, session_id, seq, id, type, at, payload)
        SELECT $1, n, 1, n, 'user.message', now(), jsonb_build_object('text', n) FROM unnest($2::uuid[]) n
        """,
        shelf.workspace.id,
        ids,
    )
    await tx.execute(
        """
        INSERT INTO feedback (tenant_id, id, source_type, rating, session_id, agent_id, source_key, origin_artefact,
            created_by_kind, created_at, updated_at)
        SELECT $1, n, 'response', 'negative', n, s.agent_id, n::text, n::text, 'system', now(), now()
        FROM unnest($2::uuid[]) n, sessions s WHERE s.tenant_id = $1 AND s.id = n
        """,
        shelf.workspace.id,
        ids,
    )


async def test_two_queries_read_them_however_many_they_are(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello", agent="scout")
    await complain(shelf, session)
    counts = []
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        for count in (0, 30):
            await _copy(tx, shelf, session["id"], count)
            with counted(tx) as statements:
                found = await service.list_candidate_goldens(tx, 100)
                await asyncio.sleep(0)  # what is logged is told in the next round of the loop
            assert len(found) == count + 1
            counts.append(len(statements))
    assert counts == [2, 2]


@pytest.mark.parametrize("action", ["applied", "dismissed"])
async def test_what_is_resolved_is_reviewed_and_listed_no_more(shelf: Shelf, action: str) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello", agent="scout")
    ids = [(await complain(shelf, session))["id"] for _ in range(2)]
    assert await resolve(shelf, ids, action) == 2
    assert await listed(shelf) == []
    row = ok(await shelf.admin.get(f"/api/feedback/{ids[0]}"))
    assert (row["status"], row["reviewer"]["kind"]) == (action, "user")
    assert row["reviewed_by_user_id"] == str(shelf.workspace.owner_id)


async def test_nobody_elses_review_is_overwritten(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello", agent="scout")
    one, two = [(await complain(shelf, session))["id"] for _ in range(2)]
    ok(await shelf.admin.patch(f"/api/feedback/{one}", json={"status": "reviewed"}))
    assert await resolve(shelf, [one, two, str(new_id())], "dismissed") == 1
    assert ok(await shelf.admin.get(f"/api/feedback/{one}"))["status"] == "reviewed"
    assert await resolve(shelf, [one, two], "applied") == 0


async def test_of_two_who_resolve_at_the_same_time_one_does(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    session = await shelf.ask("Hello", agent="scout")
    ids = [(await complain(shelf, session))["id"] for _ in range(5)]
    answers = await asyncio.gather(*(resolve(shelf, ids, action) for action in ["applied", "dismissed"] * 3))
    assert sorted(answers) == [0] * 5 + [5]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"feedbackIds": [], "action": "applied"}, "/feedbackIds"),
        ({"feedbackIds": [str(new_id())] * 201, "action": "applied"}, "/feedbackIds"),
        ({"feedbackIds": ["x"], "action": "applied"}, "/feedbackIds/0"),
        ({"feedbackIds": [str(new_id())], "action": "reviewed"}, "/action"),
    ],
)
async def test_bad_input_is_told_where(shelf: Shelf, body: dict[str, Any], place: str) -> None:
    refused = await shelf.admin.patch(CANDIDATES, json=body)
    assert (refused.status_code, [path for path, _ in places(refused)]) == (422, [place])


async def test_large_prompts_that_only_begin_alike_are_candidates_of_their_own(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    long = "word " * 20_000
    for end in ("first?", "another question?", "another question?"):
        await complain(shelf, await shelf.ask(long + end, agent="scout"))
    assert [each["occurrenceCount"] for each in await listed(shelf)] == [2, 1]


async def test_no_feedback_is_resolved_without_a_query(shelf: Shelf) -> None:
    async with shelf.workspace.db.tx(shelf.workspace.system) as tx:
        with counted(tx) as statements:
            assert await service.resolve_candidate_group(tx, [], Resolution.APPLIED) == 0
            await asyncio.sleep(0)
    assert statements == []


async def test_what_other_workspaces_say_is_neither_listed_nor_resolved(
    shelf: Shelf, other_workspace: Any
) -> None:
    stranger = Shelf(other_workspace, await other_workspace.client())
    await other_workspace.make_agent("scout")
    theirs = await complain(stranger, await stranger.ask("Hello", agent="scout"))
    assert await listed(shelf) == []
    assert await resolve(shelf, [theirs["id"]], "dismissed") == 0
    assert len(await listed(stranger)) == 1


async def test_a_candidate_is_promoted_by_its_session(shelf: Shelf) -> None:
    await shelf.workspace.make_agent("scout")
    await complain(shelf, await shelf.ask("Hello", agent="scout"))
    (candidate,) = await listed(shelf)
    golden = {"sessionId": candidate["representativeSessionId"], "set": "next week"}
    ok(await shelf.admin.post(GOLDEN, json=golden))
    assert await resolve(shelf, candidate["feedbackIds"], "applied") == candidate["occurrenceCount"]
    assert await listed(shelf) == []
