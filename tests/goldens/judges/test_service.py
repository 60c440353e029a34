"""Judges, samples, labels, licences and corrected rates, on a real database."""

import asyncio
from typing import Any
from uuid import UUID

import pytest_asyncio
from litestar.handlers import HTTPRouteHandler

from goldloop.goldens.cases.api import list_goldens
from goldloop.goldens.judges import service
from goldloop.goldens.runs import service as runs
from goldloop.goldens.runs.api import list_eval_runs
from goldloop.goldens.runs.replay_store import ReplayFilter
from goldloop.kit.db import Database
from goldloop.kit.outside import Outside
from goldloop.sessions.api import list_sessions
from goldloop.tenants.model import Role
from tests.factories import Workspace
from tests.goldens.judges.bench import JUDGES, QUEUE, SECRET, Bench, make_bench
from tests.goldens.judging.test_service import clerk, configure_judge, judging, make_rubric
from tests.goldens.judging.test_service import judge as have_judged
from tests.goldens.tried import EVALS, tried
from tests.loops import some
from tests.records import Desk, ok
from tests.runtimes.openai_server import speaking_like_openai
from tests.wire import of_declared_type

HALF = [True, False] * 30


@pytest_asyncio.fixture
async def bench(workspace: Workspace) -> Bench:
    return await make_bench(workspace)


async def licensed(bench: Bench) -> Any:
    """A judge whose sixty verdicts people share, with a licence."""
    await bench.judge(HALF, goldens=10)
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge, size=60))
    ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/licences"))
    return await bench.show(judge)


async def test_where_nobody_judged_there_is_no_judge(bench: Bench) -> None:
    assert await bench.judges() == []
    assert ok(await bench.admin.get(QUEUE))["data"] == []


async def test_a_judge_is_its_rubric_its_model_and_its_prompt(bench: Bench) -> None:
    await bench.judge([True, False])
    await bench.judge([True])
    judge = await bench.only_judge()
    assert (judge["judged"], judge["passed"], judge["model"], judge["current"]) == (3, 2, "m", True)
    assert (judge["rubric"]["name"], [rating["key"] for rating in judge["ratings"]]) == (
        "Answers",
        ["clear", "kind"],
    )
    assert judge["licence"]["status"] == "none"
    assert [reason["code"] for reason in judge["licence"]["reasons"]] == ["no_labels"]
    await bench.judge([True], model="other")
    assert [(each["model"], each["current"]) for each in await bench.judges()] == [
        ("other", True),
        ("m", False),
    ]
    assert [each["model"] for each in await bench.judges(current=True, set="answers")] == ["other"]
    assert await bench.judges(set="elsewhere") == []


async def test_labels_license_a_judge_and_disagreements_are_there_to_read(bench: Bench) -> None:
    run = await bench.judge(HALF, goldens=10)
    judge = await bench.only_judge()
    assert judge["wanted"] == {"labels": 50, "passed": 15, "failed": 15, "goldens": 10, "draw": 50}
    sample = await bench.draw(judge, size=60)
    assert (sample["size"], sample["population"], sample["state"]) == (60, 60, "open")
    person = await bench.person()
    (queued,) = ok(await person.get(QUEUE))["data"]
    assert (queued["rubric"], queued["left"], queued["mine"]) == ("Answers", 60, 0)
    first = await bench.next(person, sample)
    answer = await bench.label(person, sample, first, not bench.passes[first], note="Read the end")
    assert (answer["left"], answer["ended"]) == (59, False)
    assert (await bench.show(judge))["evidence"]["labelled"] == 0, (
        "nobody is told before the sample has ended"
    )
    assert ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/labels"))["data"] == []
    assert len(await bench.label_all(person, sample)) == 59

    judge = await bench.show(judge)
    evidence = judge["evidence"]
    assert (evidence["labelled"], evidence["kappa"] > 0.9, evidence["low"] > 0.5) == (60, True, True)
    assert (judge["licence"]["status"], judge["licence"]["canBeIssued"]) == ("advisory", True)
    (found,) = ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/disagreements"))["data"]
    assert (found["replayId"], found["judgePassed"], found["peoplePassed"]) == (
        first,
        bench.passes[first],
        not bench.passes[first],
    )
    assert {verdict["rationale"] for verdict in found["verdicts"]} == {SECRET}
    assert [label["note"] for label in found["labels"]] == ["Read the end"]

    licence = ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/licences"))
    assert (licence["labelled"], licence["kappa"], len(licence["people"])) == (60, evidence["kappa"], 1)
    assert (licence["goldens"], evidence["goldens"], evidence["largest"]) == (10, 10, 0.1)
    judge = await bench.show(judge)
    assert (judge["licence"]["status"], judge["licence"]["reasons"]) == ("licensed", [])
    assert judge["currentLicence"]["id"] == licence["id"]
    (rate,) = ok(await bench.admin.get(f"{EVALS}/runs/{run['id']}"))["judging"]["rates"]
    assert (rate["rate"], rate["corrected"]["method"], rate["gates"]) == (0.5, "people", True)


async def test_a_licence_is_refused_with_every_reason(bench: Bench) -> None:
    await bench.judge([True] * 20 + [False] * 5)
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge))
    refused = await bench.admin.post(f"{JUDGES}/{judge['id']}/licences")
    assert (refused.status_code, refused.json()["code"]) == (409, "licence_refused")
    codes = [reason["code"] for reason in refused.json()["conflict"]["reasons"]]
    assert codes == ["too_few_labels", "too_few_failed", "too_few_goldens", "tnr_low"]
    assert (await bench.show(judge))["licence"]["status"] == "advisory"


async def test_a_licence_expires_by_the_clock_and_old_labels_do_not_renew_it(bench: Bench) -> None:
    judge = await licensed(bench)
    async with bench.workspace.db.tx(bench.workspace.system) as tx:
        for sql in (
            "UPDATE eval_judge_licences SET issued_at = issued_at - interval '91 days', expires_at = expires_at - interval '91 days'",
            "UPDATE eval_judge_samples SET ended_at = ended_at - interval '91 days'",
        ):
            await tx.execute(f"{sql} WHERE tenant_id = $1", bench.workspace.id)
    judge = await bench.show(judge)
    assert judge["licence"]["status"] == "expired"
    assert [reason["code"] for reason in judge["licence"]["reasons"]] == ["expired", "no_labels"]
    assert (await bench.admin.post(f"{JUDGES}/{judge['id']}/licences")).status_code == 409
    (before,) = ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/licences"))["data"]
    assert before["labelled"] == 60


async def test_another_rubric_model_or_prompt_voids_a_licence(bench: Bench) -> None:
    judge = await licensed(bench)
    path = f"/api/criteria-sets/{bench.criteria['id']}"
    dimensions = bench.criteria["dimensions"]
    otherwise = [{**dimensions[0], "description": "Is it easy to follow?"}, *dimensions[1:]]
    ok(await bench.admin.patch(path, json={"dimensions": otherwise}))
    assert await changed(bench, judge) == ("void", ["rubric"])
    ok(await bench.admin.patch(path, json={"dimensions": dimensions}))
    assert await changed(bench, judge) == ("licensed", []), "the licence is of the rubric as it is again"

    agents = ok(await bench.admin.get("/api/agents", params={"limit": 200}))["data"]
    (agent,) = [row for row in agents if row["slug"] == "eval-judge"]
    config = f"/api/agents/{agent['id']}/config"
    limits = {"requests": 5, "tool_calls": 0, "tokens": 100_000, "seconds": 120}
    ok(await bench.admin.put(config, json={"limits": limits, "instructions": "Be strict."}))
    assert await changed(bench, judge) == ("void", ["prompt"])
    ok(await bench.admin.put(config, json={"limits": limits}))
    await bench.judge([True], model="newer")
    assert await changed(bench, judge) == ("void", ["model"])
    assert (await bench.admin.post(f"{JUDGES}/{judge['id']}/licences")).status_code == 409


async def changed(bench: Bench, judge: Any) -> tuple[str, list[str]]:
    licence = (await bench.show(judge))["licence"]
    return licence["status"], licence["changed"]


async def test_a_licence_is_withdrawn_and_may_be_issued_again(bench: Bench) -> None:
    judge = await licensed(bench)
    path = f"{JUDGES}/{judge['id']}/licences/{judge['currentLicence']['id']}/withdraw"
    assert ok(await bench.admin.post(path)) == ok(await bench.admin.post(path)), "again: no change"
    judge = await bench.show(judge)
    assert (judge["licence"]["status"], judge["licence"]["reasons"][0]["code"]) == ("advisory", "withdrawn")
    ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/licences"))
    assert (await bench.show(judge))["licence"]["status"] == "licensed"
    assert len(ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/licences"))["data"]) == 2
    absent = f"{JUDGES}/{judge['id']}/licences/{judge['id']}/withdraw"
    assert (await bench.admin.post(absent)).json()["code"] == "judge_licence_not_found"


async def test_labels_on_a_random_part_of_a_run_correct_its_rate_and_those_of_others_theirs(
    bench: Bench,
) -> None:
    run = await bench.judge([True] * 50 + [False] * 50)
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=60, runId=run["id"])
    await bench.label_all(await bench.person(), sample, wrong=6)
    (rate,) = await rates(bench, run)
    assert (rate["rate"], rate["corrected"]["method"], rate["corrected"]["labels"]) == (0.5, "ppi", 60)
    assert rate["corrected"]["low"] < rate["corrected"]["rate"] < rate["corrected"]["high"]

    later = await bench.judge([True] * 9 + [False])
    (rate,) = await rates(bench, later)
    assert (rate["rate"], rate["corrected"]["method"], rate["corrected"]["labels"]) == (
        0.9,
        "rogan_gladen",
        60,
    )
    assert rate["gates"] is False, "nobody has issued a licence"


async def rates(bench: Bench, run: Any) -> list[Any]:
    return list(ok(await bench.admin.get(f"{EVALS}/runs/{run['id']}"))["judging"]["rates"])


async def test_no_rate_is_corrected_by_a_judge_that_is_too_weak_or_unknown(bench: Bench) -> None:
    run = await bench.judge([True, False] * 25)
    later = await bench.judge([True] * 5)
    (rate,) = await rates(bench, later)
    assert (rate["corrected"], rate["refused"]["code"]) == (None, "too_few_labels")
    judge = await bench.only_judge()
    person = await bench.person()
    sample = await bench.draw(judge, size=50, runId=run["id"])
    seen = {True: 0, False: 0}

    def coin(_: int, replay: str) -> bool:
        """Passes and fails as many of what the judge passes as of what it fails."""
        seen[bench.passes[replay]] += 1
        return seen[bench.passes[replay]] % 2 == 0

    await bench.label_all(person, sample, coin)
    (rate,) = await rates(bench, later)
    assert (rate["corrected"], rate["refused"]["code"]) == (None, "judge_too_weak")


async def test_a_run_that_contradicts_what_is_known_of_its_judge_says_so(bench: Bench) -> None:
    """It passes and fails three of four rightly, and then it passes all of sixty: no true rate comes to that."""
    await bench.judge([True, False] * 50)
    judge = await bench.only_judge()
    sample, person = await bench.draw(judge, size=100), await bench.person()
    seen = {True: 0, False: 0}

    def three_of_four(_: int, replay: str) -> bool:
        word = bench.passes[replay]
        seen[word] += 1
        return word is (seen[word] % 4 != 0)

    await bench.label_all(person, sample, three_of_four)
    run = await bench.judge([True] * 60)
    (rate,) = await rates(bench, run)
    assert (rate["rate"], rate["corrected"], rate["refused"]["code"]) == (1.0, None, "contradicted")
    assert rate["gates"] is False
    ok(await bench.admin.get(f"{EVALS}/runs/{run['id']}/replays"))
    ok(await bench.admin.post(f"{EVALS}/runs/{run['id']}/cancel"))


async def test_a_sample_that_was_drawn_before_all_was_judged_is_no_random_part(bench: Bench) -> None:
    run = await bench.judge([True, False] * 40)
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge, size=40))
    assert (await rates(bench, run))[0]["corrected"]["method"] == "ppi"
    async with bench.workspace.db.tx(bench.workspace.system) as tx:
        await tx.execute(
            """
            UPDATE eval_replays SET judged_at = clock_timestamp() WHERE tenant_id = $1 AND id = (
                SELECT max(p.id::text)::uuid FROM eval_replays p WHERE p.tenant_id = $1 AND p.judge_id IS NOT NULL)
            """,
            bench.workspace.id,
        )
    (rate,) = await rates(bench, run)
    assert (rate["corrected"], rate["refused"]["code"]) == (None, "too_few_labels")


async def test_nobody_chooses_what_to_label(bench: Bench) -> None:
    """Neither the replay, nor by the seed what is drawn."""
    await bench.judge([True, False] * 3)
    judge, person, other = await bench.only_judge(), await bench.person(), await bench.person()
    chosen = await bench.admin.post(f"{JUDGES}/{judge['id']}/samples", json={"size": 6, "seed": 7})
    assert (chosen.status_code, chosen.json()["errors"][0]["path"]) == (422, "/seed")
    sample = await bench.draw(judge, size=6)
    waits = await bench.next(person, sample)
    for replay in some(each for each in await bench.sampled(sample) if each != waits):
        refused = await bench.try_label(person, sample, replay, True)
        assert (refused.status_code, refused.json()["code"]) == (409, "not_handed_out")
        assert refused.json()["conflict"] == {"next": waits}
    await bench.label(person, sample, waits, None)
    await bench.label(person, sample, waits, True)
    assert await bench.next(person, sample) != waits
    faster = await bench.label_all(other, sample, lambda *_: True, most=4)
    last = await bench.next(person, sample)
    assert last not in faster
    ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/samples/{sample['id']}/stop"))


async def test_who_cannot_tell_of_what_the_judge_fails_makes_no_rate(bench: Bench) -> None:
    run = await bench.judge([True, False] * 45)
    sample = await bench.draw(await bench.only_judge(), size=80)
    await bench.label_all(await bench.person(), sample, lambda _, replay: bench.passes[replay] or None)
    (rate,) = await rates(bench, run)
    assert (rate["rate"], rate["corrected"], rate["refused"]["code"]) == (0.5, None, "not_random")


async def test_one_golden_licenses_no_judge(bench: Bench) -> None:
    await bench.judge(HALF)
    judge = await bench.only_judge()
    await bench.label_all(await bench.person(), await bench.draw(judge, size=60))
    refused = await bench.admin.post(f"{JUDGES}/{judge['id']}/licences")
    assert [reason["code"] for reason in refused.json()["conflict"]["reasons"]] == ["too_few_goldens"]
    assert (await bench.show(judge))["wanted"]["goldens"] == 9


async def test_a_list_of_judges_is_read_by_as_many_statements_as_one_of_few(bench: Bench) -> None:
    async def statements(**wanted: Any) -> list[str]:
        asked: list[str] = []
        async with bench.workspace.db.tx(bench.workspace.system) as tx:
            with tx.connection.query_logger(lambda query: asked.append(query.query)):
                await service.list_judges(tx, wanted.get("status"), wanted.get("current"), None, None, 50)
        return asked

    await bench.judge([True])
    before = await statements()
    for model in "abc":
        await bench.judge([True], model=model)
    assert len(await statements()) == len(before)
    assert len(await statements(current=True)) == len(await statements(status="none")) == len(before)


async def test_a_page_of_replays_reads_no_labels(bench: Bench) -> None:
    run = await bench.judge([True, False])
    asked: list[str] = []
    async with bench.workspace.db.tx(bench.workspace.system) as tx:
        with tx.connection.query_logger(lambda query: asked.append(query.query)):
            listed = await runs.list_replays(tx, UUID(run["id"]), ReplayFilter(), None, 50)
    assert (len(listed.data), len(asked)) == (2, 2)


async def test_a_small_run_tells_no_figures_while_people_label_it(bench: Bench) -> None:
    small = await bench.judge([True, False, True])
    large = await bench.judge([True] * 8 + [False] * 4)
    alike = await bench.judge([True] * 12)
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=27)

    async def told(run: Any) -> Any:
        return ok(await bench.admin.get(f"{EVALS}/runs/{run['id']}"))["judging"]

    for run in (small, alike):
        hidden = await told(run)
        assert (hidden["withheld"], hidden["passed"], hidden["rates"]) == (True, None, [])
        assert (hidden["agreement"]["kappa"], hidden["judged"] > 0) == (None, True)
    shown = await told(large)
    assert (shown["withheld"], shown["passed"], len(shown["rates"])) == (False, 8, 1)
    ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/samples/{sample['id']}/stop"))
    shown = await told(small)
    assert (shown["withheld"], shown["passed"], len(shown["rates"])) == (False, 2, 1)


async def test_a_sample_is_random_and_can_be_drawn_again_by_its_seed(bench: Bench) -> None:
    await bench.judge([True] * 30)
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=10)
    drawn = await bench.sampled(sample)
    async with bench.workspace.db.tx(bench.workspace.system) as tx:
        rows = await tx.fetch(
            "SELECT p.id FROM unnest($1::uuid[]) p (id) ORDER BY md5($2 || ':' || p.id) LIMIT 10",
            [UUID(id) for id in bench.passes],
            str(sample["seed"]),
        )
    assert drawn == [str(row["id"]) for row in rows]
    refused = await bench.admin.post(f"{JUDGES}/{judge['id']}/samples", json={})
    assert (refused.json()["code"], refused.json()["conflict"]) == ("judge_sample_open", {"id": sample["id"]})
    stopped = ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/samples/{sample['id']}/stop"))
    assert (stopped["state"], stopped["done"]) == ("stopped", 0)
    assert stopped == ok(await bench.admin.post(f"{JUDGES}/{judge['id']}/samples/{sample['id']}/stop"))
    again = await bench.draw(judge, size=100)
    assert (again["size"], again["population"]) == (20, 20), "who was in a sample is in no other"
    assert not set(drawn) & set(await bench.sampled(again))
    await bench.admin.post(f"{JUDGES}/{judge['id']}/samples/{again['id']}/stop")
    nothing = await bench.admin.post(f"{JUDGES}/{judge['id']}/samples", json={})
    assert (nothing.status_code, nothing.json()["code"]) == (409, "nothing_to_sample")
    listed = ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/samples", params={"limit": 1}))
    assert ([each["id"] for each in listed["data"]], listed["next_cursor"] is None) == ([again["id"]], False)


async def test_the_same_sample_is_drawn_once(bench: Bench) -> None:
    await bench.judge([True] * 5)
    judge = await bench.only_judge()
    chosen = {"id": "01920000-0000-7000-8000-000000000001", "size": 3}
    assert await bench.draw(judge, **chosen) == await bench.draw(judge, **chosen)
    other = await bench.admin.post(f"{JUDGES}/{judge['id']}/samples", json=chosen | {"size": 2})
    assert (other.status_code, other.json()["code"]) == (409, "judge_sample_exists")


async def test_a_second_label_of_a_person_replaces_the_first_which_is_kept(bench: Bench) -> None:
    await bench.judge([True, True])
    judge = await bench.only_judge()
    sample, person = await bench.draw(judge, size=2), await bench.person()
    first = await bench.next(person, sample)
    values = {"clear": 4, "kind": 5}
    before = await bench.label(person, sample, first, True, values=values)
    assert before == await bench.label(person, sample, first, True, values=values), (
        "the same again changes nothing"
    )
    await bench.label(person, sample, first, False, values={"clear": 2})
    (own,) = ok(await person.get(f"{QUEUE}/{sample['id']}/labels"))["data"]
    assert (own["replayId"], own["passed"], own["values"]) == (first, False, {"clear": 2})
    second = await bench.next(person, sample)
    await bench.label(person, sample, second, None, note="Nobody can tell")
    late = await bench.try_label(person, sample, first, True)
    assert (late.status_code, late.json()["code"]) == (409, "judge_sample_ended")
    labels = ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/labels"))["data"]
    assert [(each["version"], each["passed"], each["replaced"], each["score"]) for each in labels] == [
        (1, None, False, None),
        (2, False, False, 0.25),
        (1, True, True, 0.8125),
    ]
    evidence = (await bench.show(judge))["evidence"]
    assert (evidence["labelled"], evidence["undecided"]) == (1, 1)


async def test_two_people_label_the_same_and_their_agreement_is_shown(bench: Bench) -> None:
    await bench.judge([True, False, True, False])
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=4, labelsEach=2)
    ada, bob = await bench.person(), await bench.person()
    await bench.label_all(ada, sample)
    assert (await bench.show(judge))["openSampleId"] == sample["id"], "each wants two"
    await bench.label_all(bob, sample, wrong=1)
    evidence = (await bench.show(judge))["evidence"]
    assert (evidence["twice"], evidence["undecided"], evidence["labelled"]) == (4, 1, 3)
    assert 0 < evidence["alpha"] < 1
    assert len(evidence["people"]) == 2


async def test_of_two_who_label_the_last_one_at_once_the_sample_ends_once(bench: Bench) -> None:
    await bench.judge([True])
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=1)
    (replay,) = await bench.sampled(sample)
    people = [await bench.person() for _ in range(4)]
    answers = await asyncio.gather(*(bench.try_label(who, sample, replay, True) for who in people))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    (ended,) = ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/samples"))["data"]
    assert (ended["state"], ended["done"]) == ("ended", 1)
    assert len(ok(await bench.admin.get(f"{JUDGES}/{judge['id']}/labels"))["data"]) == 1


async def test_a_label_is_held_to_the_rubric(bench: Bench) -> None:
    await bench.judge([True, True])
    sample, person = await bench.draw(await bench.only_judge(), size=2), await bench.person()
    replay = await bench.next(person, sample)
    for body, path, code in (
        ({"passed": True, "values": {"clear": 9}}, "/values/clear", "out_of_scale"),
        ({"passed": True, "values": {"nice": 3}}, "/values/nice", "unknown_dimension"),
        ({"passed": True, "values": {"clear": 2}}, "/passed", "label_contradicts"),
        ({"passed": False, "values": {"clear": 4, "kind": 5}}, "/passed", "label_contradicts"),
    ):
        answer = await person.put(f"{QUEUE}/{sample['id']}/replays/{replay}", json=body)
        (fault,) = answer.json()["errors"]
        assert (answer.status_code, fault["path"]) == (422, path)
        assert fault["code"] == code or code == "out_of_scale"
    absent = await person.put(f"{QUEUE}/{sample['id']}/replays/{sample['id']}", json={"passed": True})
    assert (absent.status_code, absent.json()["code"]) == (404, "not_in_sample")


async def test_agents_never_label_draw_or_license(bench: Bench) -> None:
    await bench.judge([True])
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=1)
    (replay,) = await bench.sampled(sample)
    agent = await bench.workspace.make_agent()
    machine = await bench.workspace.client(Role.ADMIN, agent_id=agent.id)
    path = f"{JUDGES}/{judge['id']}"
    answers = [
        await bench.try_label(machine, sample, replay, True),
        await machine.get(QUEUE),
        await machine.get(f"{QUEUE}/{sample['id']}/next"),
        await machine.post(f"{path}/samples", json={}),
        await machine.post(f"{path}/samples/{sample['id']}/stop"),
        await machine.post(f"{path}/licences"),
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "people_only")}
    kinds = {each["kind"]: each["count"] for each in ok(await machine.get("/api/inbox"))["data"]}
    assert kinds["labels"] == 0


async def test_reviewers_label_and_contributors_do_not(bench: Bench) -> None:
    await bench.judge([True])
    judge = await bench.only_judge()
    await bench.draw(judge, size=1)
    reviewer, contributor = await bench.person(), await bench.person(Role.CONTRIBUTOR)
    assert len(ok(await reviewer.get(QUEUE))["data"]) == 1
    waiting = {each["kind"]: each["count"] for each in ok(await reviewer.get("/api/inbox"))["data"]}
    assert waiting["labels"] == 1
    assert (await contributor.get(QUEUE)).status_code == 403
    for path in ("", f"/{judge['id']}", f"/{judge['id']}/disagreements", f"/{judge['id']}/labels"):
        assert (await reviewer.get(f"{JUDGES}{path}")).status_code == 403, path


async def test_another_workspace_has_no_such_judge(bench: Bench, other_workspace: Workspace) -> None:
    await bench.judge([True])
    judge = await bench.only_judge()
    sample = await bench.draw(judge, size=1)
    (replay,) = await bench.sampled(sample)
    stranger = await other_workspace.client()
    assert ok(await stranger.get(JUDGES))["data"] == ok(await stranger.get(QUEUE))["data"] == []
    answers = [
        await stranger.get(f"{JUDGES}/{judge['id']}"),
        await stranger.post(f"{JUDGES}/{judge['id']}/samples", json={}),
        await stranger.post(f"{JUDGES}/{judge['id']}/licences"),
        await stranger.get(f"{QUEUE}/{sample['id']}/next"),
        await bench.try_label(stranger, sample, replay, True),
    ]
    assert [answer.status_code for answer in answers] == [404] * 5


async def test_who_labels_is_told_nothing_of_what_anybody_says(
    desk: Desk, worker_db: Database, outside: Outside
) -> None:
    """A replay that a model judged: what the queue and whatever else a reviewer reads hold of it."""
    evals = await tried(desk, worker_db, outside)
    rubric = await make_rubric(evals, "clear", "kind")
    session = await evals.run(clerk, "How many employees has it?")
    golden = await evals.promote(session, criteriaSetId=rubric["id"], floor=False)
    body = {"goldenSessionId": golden["sessionId"], "baseline": "none"}
    run = ok(await evals.admin.post(f"{EVALS}/runs", json=body))
    await evals.go_on(clerk)
    with speaking_like_openai(lambda *_: judging(clear="mostly", kind="not_at_all")) as model:
        await configure_judge(evals, model="openai:judge", base_url=model.url)
        session = await have_judged(evals)
    assert session["status"] == "completed"
    (judge,) = ok(await evals.admin.get(JUDGES))["data"]
    assert (judge["model"], judge["judged"], judge["current"]) == ("judge", 1, True)
    (replay,) = ok(await evals.admin.get(f"{EVALS}/runs/{run['id']}/replays"))["data"]
    shown = ok(await evals.admin.get(f"{EVALS}/replays/{replay['id']}"))
    assert (shown["judging"]["withheld"], shown["rubric"]["passed"]) == (False, False)
    sample = ok(await evals.admin.post(f"{JUDGES}/{judge['id']}/samples", json={}))

    reviewer = desk.reviewer
    answer = await reviewer.get(f"{QUEUE}/{sample['id']}/next")
    item = ok(answer)["item"]
    assert item["replayId"] == replay["id"]
    assert [part["kind"] for part in item["parts"]][:2] == ["asked", "call"]
    assert item["parts"][0]["text"] == "How many employees has it?"
    assert "12 employees" in item["parts"][-1]["text"]
    assert [rating["key"] for rating in item["ratings"]] == ["clear", "kind"]
    secrets = ("By how clear", "mostly", "not_at_all", "rubric_passed", "eval_result", "accuracy", '"passed"')
    read = [
        answer.text,
        (await reviewer.get(QUEUE)).text,
        (await reviewer.get(f"{QUEUE}/{sample['id']}/replays/{replay['id']}")).text,
        (await reviewer.get(f"/api/sessions/{replay['id']}")).text,
        (await reviewer.get(f"/api/sessions/{replay['id']}/events", params={"limit": 200})).text,
        (await reviewer.get("/api/sessions", params={"purpose": "replay"})).text,
        (await reviewer.get("/api/sessions", params={"purpose": "judging"})).text,
    ]
    for text in some(read):
        assert [secret for secret in secrets if secret in text] == []
    for path in ("", "/events", "/events/3/payload"):
        assert (await reviewer.get(f"/api/sessions/{session['id']}{path}")).status_code == 404
    for path in (f"replays/{replay['id']}", f"runs/{run['id']}", f"judges/{judge['id']}"):
        assert (await reviewer.get(f"{EVALS}/{path}")).status_code == 403
    shown = ok(await evals.admin.get(f"{EVALS}/replays/{replay['id']}"))
    assert (shown["judging"]["withheld"], shown["rubric"]) == (True, None), "nor is who may read evals"
    read = [
        (await evals.admin.get(f"/api/sessions/{replay['id']}")).text,
        (await evals.admin.get("/api/sessions", params={"purpose": "replay"})).text,
        (await evals.admin.get("/api/sessions", params={"purpose": "judging"})).text,
    ]
    for text in some(read):
        assert [secret for secret in secrets if secret in text] == []
    for path in ("", "/events", "/events/3/payload"):
        assert (await evals.admin.get(f"/api/sessions/{session['id']}{path}")).status_code == 404

    ok(await reviewer.put(f"{QUEUE}/{sample['id']}/replays/{replay['id']}", json={"passed": False}))
    assert ok(await reviewer.get(f"{QUEUE}/{sample['id']}/next")) == {"item": None}
    shown = ok(await evals.admin.get(f"{EVALS}/replays/{replay['id']}"))
    assert (shown["judging"]["withheld"], shown["rubric"]["passed"]) == (False, False)
    assert "eval_result" in ok(await evals.admin.get(f"/api/sessions/{replay['id']}"))["metadata"]
    judgings = ok(await evals.admin.get("/api/sessions", params={"purpose": "judging"}))["data"]
    assert [each["id"] for each in judgings] == [session["id"]], "once it has ended, all is there to read"
    lists: list[tuple[HTTPRouteHandler, str, str]] = [
        (list_sessions, "/api/sessions?purpose=replay", "/api/sessions"),
        (list_sessions, "/api/sessions?purpose=judging", "/api/sessions"),
        (list_eval_runs, f"{EVALS}/runs", f"{EVALS}/runs"),
        (list_goldens, f"{EVALS}/golden", f"{EVALS}/golden"),
    ]
    for handler, path, of in lists:
        for row in some(of_declared_type(handler, await evals.admin.get(path))):
            alone = ok(await evals.admin.get(f"{of}/{row.get('id') or row['sessionId']}"))
            assert row == {key: alone[key] for key in row}
