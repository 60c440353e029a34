"""Which recordings answer a replay, and that what happened since changes none of them."""

from typing import Any
from uuid import UUID

import asyncpg
import pytest
from pydantic_ai.messages import ToolCallPart

from goldloop.kit.db import APP_ROLE, WORKER_ROLE
from tests.goldens.replays.played import (
    asks_model,
    begin,
    golden_of,
    play,
    reads_stock,
    replays_of,
    results_of,
)
from tests.goldens.test_runs import clerk, make_goldens
from tests.goldens.tried import CAREFUL, EVALS, Tried
from tests.loops import some
from tests.records import code, ok
from tests.runtimes.scripted import Script, call
from tests.sessions.recordings import event


def curious(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
    """Reads what the golden did not read, and then does as it did."""
    entity, employees = message.split()[-2:]
    steps = [
        call("getEntity", "a", entityId=entity),
        call("listEntityTypes", "b"),
        call("submitResponse", "c", entityId=entity, values={"employees": int(employees)}),
    ]
    return steps[len(results)] if len(results) < 3 else f"It has {employees} employees."


def gives_up(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
    steps = [call("getEntity", "a", entityId=message.split()[-2]), call("listEntityTypes", "b")]
    return steps[len(results)] if len(results) < 2 else "I cannot."


async def only_replay(evals: Tried, golden: Any, say: Any, **more: Any) -> Any:
    body = {"goldenSessionId": golden["sessionId"], "baseline": "none", **more}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
    await evals.go_on(say)
    (replay,) = await replays_of(evals, run)
    return replay


async def sources(evals: Tried, replay: Any) -> list[str]:
    return [result["answered_by"] for result in await results_of(evals, replay)]


async def test_what_one_replay_missed_is_no_answer_for_the_next(evals: Tried) -> None:
    record = await evals.desk.make_record()
    session = await evals.run(clerk, f"Set the employees of {record['id']} 10")
    golden = await evals.promote(session, floor=False)
    before = await only_replay(evals, golden, gives_up, mode="frozen")
    passed = await only_replay(evals, golden, curious, mode="frozen")
    assert (passed["outcome"], await sources(evals, passed)) == ("passed", ["tape", "miss", "tape"])
    after = await only_replay(evals, golden, gives_up, mode="frozen")
    assert (before["outcome"], before["fidelity"]) == (after["outcome"], after["fidelity"])
    live = await only_replay(evals, golden, curious)
    assert await sources(evals, live) == ["tape", "live", "tape"]
    known = await only_replay(evals, golden, curious, mode="frozen")
    assert await sources(evals, known) == ["tape", "sibling", "tape"]


async def test_all_replays_of_a_run_have_the_recordings_that_there_were_when_it_began(
    evals: Tried, superuser: Any
) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    early = ok(
        await evals.admin.post(f"{EVALS}/runs", json={"goldenSessionId": golden["sessionId"], "repeats": 6})
    )
    await evals.go_on(clerk)
    late = ok(
        await evals.admin.post(f"{EVALS}/runs", json={"goldenSessionId": golden["sessionId"], "repeats": 2})
    )
    query = "SELECT run_id, id, siblings FROM eval_replays WHERE tenant_id = $1 ORDER BY id"
    rows = await superuser.fetch(query, evals.desk.workspace.id)
    floor = [row["id"] for row in rows if not row["siblings"]]
    assert len(floor) == 5, "the noise floor is answered by the golden alone"
    for run in (early, late):
        found = [row["siblings"] for row in rows if row["run_id"] == UUID(run["id"])]
        assert {tuple(sorted(each)) for each in some(found)} == {tuple(floor)}


async def test_recordings_of_another_revision_answer_nothing(evals: Tried, superuser: Any) -> None:
    (golden,) = await make_goldens(evals, 1)
    await evals.go_on(clerk)
    ok(await evals.admin.patch(f"{EVALS}/golden/{golden['sessionId']}", json={"facts": ["4711"]}))
    body = {"goldenSessionId": golden["sessionId"], "baseline": "none"}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
    rows = await superuser.fetch("SELECT siblings FROM eval_replays WHERE run_id = $1", UUID(run["id"]))
    assert [row["siblings"] for row in rows] == [[]]


async def test_a_tool_of_others_that_nobody_here_can_run_is_missed_also_live(evals: Tried) -> None:
    golden = await golden_of(evals, *reads_stock("a", 5), event("agent.message", text="5"), floor=False)
    run = await begin(evals, golden, mode="live")
    await play(evals, Script([call("getStock", "a"), call("getStock", "b", shelf=4), "5"]))
    (replay,) = await replays_of(evals, run)
    assert (replay["error"], await sources(evals, replay)) == (None, ["tape", "miss"])


async def test_a_golden_about_a_record_that_is_gone_is_replayed(evals: Tried) -> None:
    record = await evals.desk.make_record()
    message = f"Set the employees of {record['id']} 10"
    session = await evals.run(clerk, message, entity_id=record["id"])
    golden = await evals.promote(session, floor=False)
    ok(await evals.admin.delete(f"/api/entities/{record['id']}"))
    replay = await only_replay(evals, golden, clerk)
    assert (replay["outcome"], replay["error"]) == ("passed", None)


async def test_a_replay_is_not_run_again_by_itself(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    replay = await only_replay(evals, golden, clerk)
    answer = await evals.admin.post(f"/api/sessions/{replay['id']}/run-again", json={})
    assert code(answer) == (409, "session_is_replay")


async def test_arguments_that_are_no_json_are_a_text(evals: Tried) -> None:
    deep = '{"a": ' * 300 + "1" + "}" * 300
    for text in ('{"a": NaN}', '{"a": 1e999}', deep):
        golden = await golden_of(
            evals,
            event("tool.call", id="1", name="getA", arguments=text),
            event("tool.result", id="1", result=1),
            event("agent.message", text="done"),
            floor=False,
        )
        run = await begin(evals, golden)
        await play(evals, Script([call("getA", "a", a=1), "done"]))
        (replay,) = await replays_of(evals, run)
        assert (replay["outcome"], replay["error"]) == ("passed", None), text


def asks_first(instructions: str, message: str, results: list[Any]) -> str | ToolCallPart:
    return (
        call("askPerson", "0", question="May I?")
        if not results
        else clerk(instructions, message, results[1:])
    )


async def test_a_tool_of_ours_that_the_golden_had_not_is_what_it_is(evals: Tried) -> None:
    (golden,) = await make_goldens(evals, 1)
    groups = ["entities-read", "responses", "people"]
    await evals.configure(instructions=CAREFUL, tool_groups=groups)
    replay = await only_replay(evals, golden, asks_first)
    whole = ok(await evals.admin.get(f"{EVALS}/replays/{replay['id']}"))
    assert "unexpected_write" not in [each["kind"] for each in whole["comparison"]["divergences"]]
    assert replay["outcome"] == "passed"


@pytest.mark.parametrize("role", [APP_ROLE, WORKER_ROLE])
async def test_nothing_comes_to_the_events_of_a_golden(evals: Tried, role: str) -> None:
    golden = await golden_of(evals, *asks_model(), *reads_stock("a", 5), floor=False)
    workspace = evals.desk.workspace
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with workspace.db.in_role(role).tx(workspace.system) as tx:
            await tx.execute(
                """
                INSERT INTO session_events (tenant_id, session_id, seq, id, type, at, payload)
                SELECT tenant_id, session_id, 9999, gen_random_uuid(), type, at, payload FROM session_events
                WHERE tenant_id = $1 AND session_id = $2 LIMIT 1
                """,
                workspace.id,
                UUID(golden["sessionId"]),
            )


async def test_a_workspace_goes_with_its_goldens(evals: Tried, superuser: Any) -> None:
    (golden,) = await make_goldens(evals, 1)
    session = await evals.run(clerk, f"Set the employees of {(await evals.desk.make_record())['id']} 10")
    ok(await evals.admin.put(f"{EVALS}/golden/{golden['sessionId']}/alternatives/{session['id']}"))
    with pytest.raises(asyncpg.ForeignKeyViolationError):  # a golden by itself does not
        await superuser.execute("DELETE FROM sessions WHERE id = $1", UUID(golden["sessionId"]))
    tenant_id = evals.desk.workspace.id
    await superuser.execute("DELETE FROM tenants WHERE id = $1", tenant_id)
    assert await superuser.fetchval("SELECT count(*) FROM goldens WHERE tenant_id = $1", tenant_id) == 0
