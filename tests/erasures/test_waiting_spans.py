"""Spans that came before a deletion was asked for and were not derived yet: they are nobody's sessions afterwards."""

from pathlib import Path
from typing import Any

import pytest

from goldloop.kit.ids import new_id
from goldloop.otlp.waiting_service import WaitingTrace, those_of
from tests.erasures.planted import Ground, tables_with
from tests.otlp.ground import Emitter
from tests.otlp.turns import turn
from tests.otlp.wire import request
from tests.records import ok


@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize("kind", ["end_user", "session", "conversation"])
async def test_spans_that_wait_to_be_derived_go_with_what_they_are_of(
    ground: Ground, data_dir: Path, database_url: str, kind: str, spread: bool
) -> None:
    emitter = Emitter(ground.desk.workspace, await ground.desk.workspace.client(), ground.outside)
    number = int(new_id().hex[-8:], 16) % 1_000_000
    name = f"otel-{number}"
    ok(await emitter.send(request(*turn(number, "Hello", "Hi", session=name, user__id=ground.user))))
    await emitter.work()
    session = await emitter.session()
    word = ground.word
    more = turn(number + 1, f"I said {word}", f"You said {word}", session=name, user__id=ground.user)
    others = turn(number + 2, "Something else", "Fine", session=f"else-{number}", user__id="somebody")
    ok(await emitter.send(request(*more, *others)))
    if spread:
        await emitter.work_once("otlp.spread")
    where = session["conversation"]
    subject: dict[str, Any] = {
        "end_user": {"user_id": ground.user},
        "session": {"session_id": session["id"]},
        "conversation": {"project": where["project"], "conversation_id": where["id"]},
    }[kind]
    asked = await ground.ask(kind=kind, **subject)
    late = turn(number + 3, "I am back", "Welcome", session=f"new-{number}", user__id=ground.user)
    ok(await emitter.send(request(*late)))
    assert (await ground.work(asked))["status"] == "done"
    await emitter.work()
    assert await tables_with(data_dir, database_url, word) == {}
    left = {each["external_id"] for each in await emitter.sessions()}
    assert left == {f"else-{number}", f"new-{number}"}, "others stay, and what comes later is new"


A = WaitingTrace("a", "s1", "P", "s1", "u1")
B = WaitingTrace("b", "s1", "P", "s1", None)
C = WaitingTrace("c", "s2", "P", "s2", "u2")


@pytest.mark.parametrize(
    ("waiting", "users", "sessions", "conversations", "found"),
    [
        ([], {"u1"}, {"s1"}, {("P", "s1")}, []),
        ([A, B, C], set(), set(), set(), []),
        ([C, B, A], {"u1"}, set(), set(), ["a", "b"]),
        ([A, B, C], set(), {"s2"}, set(), ["c"]),
        ([A, B, C], set(), set(), {("P", "s1")}, ["a", "b"]),
        ([A, B, C], set(), set(), {("Q", "s1")}, []),
    ],
)
def test_a_trace_is_theirs_by_its_user_its_session_or_its_conversation(
    waiting: list[WaitingTrace],
    users: set[str],
    sessions: set[str],
    conversations: set[tuple[str, str]],
    found: list[str],
) -> None:
    assert those_of(waiting, users, sessions, conversations) == found
