"""Experiments: each replay has a random half of what applies, and what rows are worth stands on them with the evidence."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest_asyncio

from goldloop.evals.replay.tape import Mode
from goldloop.goldens.experiments import store
from goldloop.goldens.experiments.store import Way
from goldloop.goldens.runs.model import RunAgent
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.knowledge.rows import derived_service
from goldloop.tenants.model import Role
from tests.factories import make_workspace
from tests.goldens.experiments.lab import (
    EXPERIMENTS,
    HARMS,
    HELPS,
    KNOWLEDGE,
    TOOLS,
    USELESS,
    Lab,
    make_lab,
    play,
)
from tests.goldens.tried import EVALS, Tried, tried
from tests.loops import some
from tests.records import Desk, code, ok


@pytest_asyncio.fixture
async def evals(desk: Desk, worker_db: Database, outside: Outside) -> Tried:
    return await tried(desk, worker_db, outside)


@pytest_asyncio.fixture
async def lab(evals: Tried) -> Lab:
    return await make_lab(evals, 4)


async def test_a_row_that_helps_is_found_confirmed_and_proposed_and_a_person_approves_it(lab: Lab) -> None:
    row = await lab.write(HELPS, active=False)
    asked = {"replays": 48, "pairs": 8}
    foreseen = await lab.foresee(**asked)
    assert (foreseen["goldens"], foreseen["rows"], foreseen["made"], foreseen["reused"]) == (4, 4, 48, 0)
    assert (foreseen["confirmationReplaysPerRow"], foreseen["tokens"]) == (16, 48 * 240)
    assert (foreseen["confirmationTokensPerRow"], foreseen["confirmationCostPerRow"]) == (16 * 240, None)
    assert [each["effect"] for each in foreseen["power"]] == [0.1, 0.2]
    assert all(each["replaysNeeded"] > 48 for each in some(foreseen["power"]))
    begun = await lab.begin(**asked)
    assert (begun["status"], begun["replays"], begun["agent"]["version"]) == ("screening", 48, 2)
    assert await lab.go_on() == 48 + 16

    ended = await lab.show(begun)
    assert (ended["status"], ended["done"], ended["stale"]) == ("completed", 64, False)
    used = sum(
        [each["tokens"] for run in (begun["id"], ended["confirmationId"]) for each in await lab.replays(run)]
    )
    assert (ended["tokens"], ended["estimatedTokens"]) == (used, 64 * 240)
    assert ended["findings"] == {
        "measured": 1,
        "harmful": 0,
        "flagged": 0,
        "noEffectFound": 3,
        "unmeasured": 0,
    }
    found = await lab.found(begun)
    helps = found[HELPS]
    assert (helps["label"], helps["flagged"], helps["confirmed"], helps["basis"]) == (
        "measured",
        True,
        True,
        "pairs",
    )
    assert (helps["present"], helps["absent"], helps["delta"]) == (24, 24, 1)
    assert (helps["guard"]["wins"], helps["guard"]["losses"], helps["targeted"]) == (8, 0, None)
    assert helps["guard"]["eHelps"] >= 20 > helps["guard"]["eHarms"]
    for words in USELESS:
        assert (found[words]["label"], found[words]["n"]) == ("no effect found", 48)
        assert found[words]["low"] < 0 < found[words]["high"]

    shown = await lab.row(HELPS)
    assert (shown["state"], shown["flags"]) == ("shadow", ["helps"]), "a machine activates nothing"
    value = shown["value"]
    assert (value["label"], value["n"], value["agent_version"], value["set"]) == ("measured", 8, 2, "clerk")
    assert (value["stale"], value["experiment_id"], value["tokens"]) == (False, begun["id"], row["tokens"])
    assert value["adjusted_p"] < 0.05
    waiting = ok(await lab.admin.get(KNOWLEDGE, params={"waits": True}))["data"]
    assert [each["id"] for each in waiting] == [row["id"]]
    approved = ok(await lab.admin.post(f"{KNOWLEDGE}/{row['id']}/approve", json={"reason": "It helps"}))
    assert (approved["state"], approved["flags"]) == ("active", [])
    entry, *_ = (await lab.row(HELPS))["history"]
    assert (entry["evidence"]["value"]["delta"], entry["evidence"]["flags"]) == (1, ["helps"])
    values = ok(await lab.admin.get(f"{KNOWLEDGE}/{row['id']}/value"))["data"]
    assert values == [value]


async def test_a_row_that_is_flagged_and_not_confirmed_has_no_effect_found(
    lab: Lab, worker_db: Database
) -> None:
    row = await lab.write(HELPS)
    begun = await lab.begin(replays=48, pairs=8)
    workspace = lab.evals.desk.workspace
    await play(workspace, row["id"], until="confirming")
    assert (await lab.found(begun))[HELPS]["label"] == "flagged", "pairs are still to come"
    assert (await lab.show(begun))["findings"]["flagged"] == 1
    await play(workspace, None)
    ended = await lab.show(begun)
    assert ended["findings"] == {
        "measured": 0,
        "harmful": 0,
        "flagged": 0,
        "noEffectFound": 4,
        "unmeasured": 0,
    }
    found = (await lab.found(begun))[HELPS]
    assert (found["label"], found["flagged"], found["confirmed"]) == ("no effect found", True, False)
    assert (found["basis"], found["n"], found["delta"]) == ("pairs", 8, 0)
    assert (await lab.row(HELPS))["value"]["label"] == "no effect found"


async def test_a_row_that_says_something_else_by_then_or_was_put_away_is_not_confirmed(lab: Lab) -> None:
    row = await lab.write(HELPS)
    changes: list[tuple[str, str, dict[str, str]]] = [
        ("patch", row["id"], {"content": f"{HELPS} Always."}),
        ("post", f"{row['id']}/retire", {}),
    ]
    for method, path, body in changes:
        begun = await lab.begin(replays=48, pairs=8)
        await lab.evals.drain("goldens.advance")
        ok(await getattr(lab.admin, method)(f"{KNOWLEDGE}/{path}", json=body))
        await play(lab.evals.desk.workspace, row["id"])
        ended = await lab.show(begun)
        others = [each for each in ended["results"] if each["flagged"] and each["rowId"] != row["id"]]
        assert (ended["status"], ended["done"]) == ("completed", 48 + 16 * len(others))
        assert bool(ended["confirmationId"]) == bool(others), (
            "a useless one is flagged by chance now and then"
        )
        found = next(each for each in ended["results"] if each["rowId"] == row["id"])
        assert (found["label"], found["flagged"], found["confirmed"]) == ("flagged", True, False)


async def test_what_was_measured_of_other_words_is_proposed_no_more(lab: Lab) -> None:
    row = await lab.write(HELPS, active=False)
    await lab.begin(rowIds=[row["id"]], design="pairs", pairs=8)
    await lab.go_on()
    assert (await lab.row(HELPS))["flags"] == ["helps"]
    ok(await lab.admin.patch(f"{KNOWLEDGE}/{row['id']}", json={"pinned": True}))
    assert (await lab.row(HELPS))["flags"] == ["helps"], "it says the same"
    ok(await lab.admin.patch(f"{KNOWLEDGE}/{row['id']}", json={"content": "Say nothing of companies."}))
    edited = await lab.row(HELPS)
    assert (edited["flags"], edited["value"]["stale_because"]) == ([], ["content"])
    assert ok(await lab.admin.get(KNOWLEDGE, params={"waits": True}))["data"] == []
    assert edited["history"][0]["evidence"]["flags"] == ["helps"]
    ok(await lab.admin.post(f"{KNOWLEDGE}/{row['id']}/undo", json={}))
    assert (await lab.row(HELPS))["flags"] == ["helps"], "it says again what was measured"


async def test_replays_that_decide_nothing_are_counted_and_too_many_give_no_figure(lab: Lab) -> None:
    row = await lab.write(HELPS)
    begun = await lab.begin(replays=48)
    await play(lab.evals.desk.workspace, None, loses=row["id"])
    found = (await lab.found(begun))[HELPS]
    assert (found["label"], found["reason"], found["delta"]) == ("unmeasured", "lost", None)
    assert (found["present"], found["lostPresent"], found["absent"], found["lostAbsent"]) == (0, 24, 24, 0)
    assert (await lab.foresee(replays=48))["reused"] == 24, "what decided nothing is not there"


async def test_each_replay_names_the_prompt_it_had_and_no_other_figure_counts_it(lab: Lab) -> None:
    row = await lab.write(HELPS)
    before = ok(await lab.admin.get("/api/feedback"))["data"]
    begun = await lab.begin(replays=16, confirms=False)
    await lab.go_on()
    ids = {each["id"]: words for words, each in lab.rows.items()}
    replays = await lab.replays(begun["id"])
    assert len(replays) == 16
    for replay in replays:
        session = ok(await lab.admin.get(f"/api/sessions/{replay['id']}"))
        held = ok(await lab.admin.get(f"/api/shared-context/manifests/{replay['manifest']}"))
        assert session["manifest"] == replay["manifest"]
        assert {each["id"] for each in held["rows"]} == set(replay["rowsPresent"])
        assert set(replay["rowsApplicable"]) == set(ids)
        assert (replay["outcome"] == "passed") == (row["id"] in replay["rowsPresent"])
        assert (replay["context"], replay["measures"]) == ("drawn", None)
    for row_id in some(ids):
        assert sum(row_id in replay["rowsPresent"] for replay in replays) == 8
    assert ok(await lab.admin.get("/api/feedback"))["data"] == before, "nobody learns from what was drawn"
    trend = ok(await lab.admin.get(f"{EVALS}/trend", params={"set": "clerk"}))["data"]
    matrix = ok(await lab.admin.get(f"{EVALS}/matrix", params={"set": "clerk"}))
    golden = ok(await lab.admin.get(f"{EVALS}/golden/{lab.goldens[0]['sessionId']}"))
    assert (trend, matrix["agents"], golden["floor"]) == ([], [], None)
    foreseen = ok(
        await lab.admin.post(
            f"{EVALS}/runs/set", json={"setName": "clerk", "baseline": {"agent": "clerk"}, "dryRun": True}
        )
    )
    assert (foreseen["baseline"]["version"], foreseen["compared"]) == (2, 0), "they are no baseline"
    used = ok(await lab.admin.get(f"{KNOWLEDGE}/{row['id']}/sessions"))["data"]
    assert used == []


async def test_a_row_that_harms_is_proposed_to_be_retired_and_stays_until_a_person_does(lab: Lab) -> None:
    await lab.write(HELPS)
    row = await lab.write(HARMS)
    begun = await lab.begin(rowIds=[row["id"]], design="pairs", pairs=9)
    assert (begun["status"], begun["replays"]) == ("confirming", 18)
    await lab.go_on()
    harms = (await lab.found(begun))[HARMS]
    assert (harms["label"], harms["delta"], harms["guard"]["losses"]) == ("harmful", -1, 9)
    shown = await lab.row(HARMS)
    assert (shown["state"], shown["flags"], shown["value"]["label"]) == ("active", ["harms"], "harmful")
    ok(await lab.admin.post(f"{KNOWLEDGE}/{row['id']}/retire", json={"reason": "It harms"}))
    entry, *_ = (await lab.row(HARMS))["history"]
    assert (entry["change"], entry["evidence"]["value"]["label"]) == ("retired", "harmful")


async def test_replays_that_are_there_are_reused_while_they_are_of_the_same(lab: Lab) -> None:
    await lab.write(HELPS)
    await lab.begin(replays=16, confirms=False)
    await lab.go_on()
    foreseen = await lab.foresee(replays=24)
    assert (foreseen["replays"], foreseen["reused"], foreseen["made"]) == (24, 16, 8)
    second = await lab.begin(replays=24, confirms=False)
    assert await lab.go_on() == 8
    found = await lab.found(second)
    assert ((await lab.show(second))["reused"], found[HELPS]["n"], found[HELPS]["label"]) == (
        16,
        24,
        "flagged",
    )
    ok(await lab.admin.patch(f"{KNOWLEDGE}/{lab.rows[USELESS[0]]['id']}", json={"content": "Greet warmly."}))
    foreseen = await lab.foresee(replays=24)
    assert (foreseen["reused"], foreseen["made"], foreseen["fewest"]) == (24, 24, 24)
    third = await lab.begin(replays=24, confirms=False)
    assert third["replays"] == 24, "nobody has drawn what it says now"
    await lab.go_on()
    after = await lab.found(third)
    assert (after["Greet warmly."]["label"], after["Greet warmly."]["n"]) == ("no effect found", 24)
    assert after[HELPS]["n"] == 48
    await lab.evals.configure(instructions="Answer at once, and be brief.", tool_groups=TOOLS)
    assert (await lab.foresee(replays=24))["reused"] == 0, "it is another version"


async def test_what_was_made_by_a_model_that_nobody_knows_is_reused_for_some_days(
    lab: Lab, worker_db: Database
) -> None:
    begun = await lab.begin(replays=16, confirms=False)
    await play(lab.evals.desk.workspace, None)
    goldens = [UUID(each["sessionId"]) for each in lab.goldens]
    agent = RunAgent(id=UUID(begun["agent"]["id"]), slug="clerk", version=begun["agent"]["version"])
    for model, days, reused in (("a", 8, 16), (None, 6, 16), (None, 8, 0)):
        async with worker_db.tx(lab.evals.desk.workspace.system) as tx:
            await tx.execute("UPDATE eval_experiments SET model = $2 WHERE id = $1", UUID(begun["id"]), model)
            at = datetime.fromisoformat(begun["createdAt"]) + timedelta(days=days)
            assert len(await store.list_compared(tx, goldens, Way(agent, Mode.HYBRID, model), at)) == reused


async def test_a_row_that_is_new_is_measured_beside_those_that_were(lab: Lab) -> None:
    await lab.begin(replays=24, confirms=False)
    await lab.go_on()
    old = await lab.foresee(replays=24)
    assert (old["made"], old["reused"], old["fewest"]) == (0, 24, 24)
    await lab.write(HELPS)
    foreseen = await lab.foresee(replays=24)
    assert (foreseen["made"], foreseen["reused"], foreseen["fewest"]) == (24, 24, 24)
    begun = await lab.begin(replays=24, confirms=False)
    await lab.go_on()
    found = await lab.found(begun)
    assert (found[HELPS]["n"], found[HELPS]["flagged"]) == (24, True)
    assert found[USELESS[0]]["n"] == 48


async def test_a_value_is_greyed_when_what_it_was_measured_on_changes(lab: Lab) -> None:
    await lab.write(HELPS)
    begun = await lab.begin(replays=16, confirms=False)
    await lab.go_on()
    assert (await lab.row(HELPS))["value"]["stale"] is False
    ok(await lab.admin.patch(f"{KNOWLEDGE}/{lab.rows[HELPS]['id']}", json={"content": f"{HELPS} Always."}))
    value = (await lab.row(HELPS))["value"]
    assert (value["stale"], value["stale_because"]) == (True, ["content"])
    ok(await lab.admin.post(f"{KNOWLEDGE}/{lab.rows[HELPS]['id']}/undo", json={}))
    assert (await lab.row(HELPS))["value"]["stale"] is False
    ok(await lab.admin.delete(f"{EVALS}/golden/{lab.goldens[0]['sessionId']}"))
    await lab.go_on()
    assert (await lab.row(HELPS))["value"]["stale_because"] == ["goldens"]
    await lab.evals.configure(instructions="Answer at once, and be brief.", tool_groups=TOOLS)
    await lab.go_on()
    assert (await lab.row(HELPS))["value"]["stale_because"] == ["agent", "goldens"]
    assert (await lab.show(begun))["staleBecause"] == ["agent", "goldens"]


async def test_a_measured_value_moves_the_rank_until_it_is_stale(lab: Lab, worker_db: Database) -> None:
    await lab.write(HELPS)
    before = (await lab.row(HELPS))["rank"]
    await lab.begin(replays=32, confirms=False)
    await lab.go_on()

    async def rerank() -> float:
        async with worker_db.tx(lab.evals.desk.workspace.system) as tx:
            await derived_service.rerank(tx, UUID(lab.rows[HELPS]["id"]))
        return float((await lab.row(HELPS))["rank"])

    assert 0 < await rerank() - before <= 2
    await lab.evals.configure(instructions="Answer at once, and be brief.", tool_groups=TOOLS)
    await lab.go_on()
    assert await rerank() == before


async def test_the_same_begin_again_is_one_experiment_and_another_by_its_id_is_refused(lab: Lab) -> None:
    asked = {"id": str(uuid4()), "replays": 8}
    first = await lab.begin(**asked)
    assert await lab.begin(**asked) == first
    assert code(await lab.try_begin(**asked | {"replays": 10})) == (409, "experiment_exists")
    run = await lab.evals.run_set("clerk", repeats=1)
    assert code(await lab.try_begin(id=run["id"])) == (409, "experiment_exists")
    assert len(ok(await lab.admin.get(EXPERIMENTS))["data"]) == 1


async def test_one_that_is_cancelled_stops_and_gives_no_row_a_value(lab: Lab) -> None:
    begun = await lab.begin(replays=16)
    await lab.evals.drain("goldens.advance")
    stopped = ok(await lab.admin.post(f"{EXPERIMENTS}/{begun['id']}/cancel"))
    assert (stopped["status"], stopped["stopped"], stopped["findings"]) == ("cancelled", "cancelled", None)
    assert ok(await lab.admin.post(f"{EXPERIMENTS}/{begun['id']}/cancel")) == stopped
    assert await lab.go_on() == 0
    assert {each["state"] for each in some(await lab.replays(begun["id"]))} == {"cancelled"}
    assert (await lab.row(USELESS[0]))["value"] is None
    by_run = await lab.begin(replays=8)
    ok(await lab.admin.post(f"{EVALS}/runs/{by_run['id']}/cancel"))
    await lab.go_on()
    assert (await lab.show(by_run))["status"] == "cancelled", "whoever stops its run stops it"
    ended = await lab.begin(replays=8, confirms=False)
    await lab.go_on()
    assert code(await lab.admin.post(f"{EXPERIMENTS}/{ended['id']}/cancel")) == (409, "experiment_ended")


async def test_rows_apply_where_they_hold_and_those_that_hold_nowhere_are_refused(lab: Lab) -> None:
    elsewhere = await lab.evals.desk.workspace.make_agent("other")
    foreign = await lab.write("Only for others.", agent_id=str(elsewhere.id))
    assert (await lab.foresee(replays=8))["rows"] == 3
    assert code(await lab.try_begin(rowIds=[foreign["id"]])) == (422, "no_rows")
    for words in USELESS:
        ok(await lab.admin.post(f"{KNOWLEDGE}/{lab.rows[words]['id']}/retire", json={}))
    assert code(await lab.try_begin()) == (422, "no_rows")
    retired = await lab.try_begin(rowIds=[lab.rows[USELESS[0]]["id"]])
    assert code(retired) == (422, "row_not_applicable")
    assert retired.json()["errors"][0]["path"] == "/rowIds/0"


async def test_what_is_not_there_is_named(lab: Lab) -> None:
    asked: list[tuple[dict[str, Any], int, str]] = [
        ({"setName": "nothing"}, 404, "golden_set_not_found"),
        ({"goldenIds": [str(uuid4())]}, 404, "golden_not_found"),
        ({"rowIds": [str(uuid4())]}, 404, "shared_context_not_found"),
        ({"agent": "nobody"}, 404, "agent_not_found"),
        ({"version": 9}, 404, "agent_version_not_found"),
        ({"design": "pairs"}, 422, "invalid_input"),
        ({"replays": 1}, 422, "invalid_input"),
        ({"maxCost": 1}, 422, "cost_unknown"),
    ]
    for body, status, expected in asked:
        answer = await lab.try_begin(**body)
        assert code(answer) == (status, expected), (body, answer.text)


async def test_others_see_nothing_and_who_may_not_is_refused(lab: Lab, worker_db: Database, app: Any) -> None:
    begun = await lab.begin(replays=8)
    reviewer = await lab.evals.desk.workspace.client(Role.REVIEWER)
    assert (await reviewer.get(EXPERIMENTS)).status_code == 403
    assert (await reviewer.post(EXPERIMENTS, json={"setName": "clerk"})).status_code == 403
    async with make_workspace(worker_db, app) as other:
        stranger = await other.client()
        assert (await stranger.get(f"{EXPERIMENTS}/{begun['id']}")).status_code == 404
        assert (await stranger.post(f"{EXPERIMENTS}/{begun['id']}/cancel")).status_code == 404
        assert ok(await stranger.get(EXPERIMENTS))["data"] == []


async def test_goldens_that_a_row_was_learnt_from_are_targeted_and_the_others_guard(lab: Lab) -> None:
    await lab.evals.run_set("clerk", repeats=1, baseline="none")
    await lab.go_on()
    told = ok(await lab.admin.get("/api/feedback", params={"limit": 200}))["data"]
    learnt_from = lab.goldens[0]["sessionId"]
    (own,) = [each for each in told if each["context"].get("golden_id") == learnt_from]
    body = {"content": HELPS, "sourceFeedbackIds": [own["id"]]}
    row = ok(await lab.admin.post("/api/tools/addLesson", json=body))
    begun = await lab.begin(rowIds=[row["id"]], design="pairs", pairs=8)
    await lab.go_on()
    found = (await lab.found(begun))[HELPS]
    assert (found["targeted"]["goldens"], found["targeted"]["pairs"], found["targeted"]["wins"]) == (1, 4, 4)
    assert (found["guard"]["goldens"], found["guard"]["pairs"], found["guard"]["wins"]) == (3, 4, 4)
    assert (found["label"], found["delta"]) == ("no effect found", 1), "four of four are not enough"
