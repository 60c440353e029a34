"""Scoring records through the API: suites, runs, what to fix first, the loop, and who may."""

from typing import Any

import pytest

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suites import SUITES
from goldloop.tenants.model import Role
from tests.artifact_runs.library import BAD, GOOD, Library
from tests.factories import Workspace
from tests.loops import some
from tests.records import code, ok, some_id

NEW_RUN = "/api/artifact-evals/suites/pf_knowledge/runs"


async def test_the_suites_of_the_server_are_listed_with_what_the_workspace_has(library: Library) -> None:
    await library.add(*GOOD[:2])
    run = await library.score()
    found = ok(await library.desk.reviewer.get("/api/artifact-evals/suites"))
    assert (found["next_cursor"], found["problems"]) == (None, [])
    by_slug = {suite["slug"]: suite for suite in found["data"]}
    assert list(by_slug) == ["pf_knowledge"]  # of whose type the workspace has records
    others = ok(await library.desk.reviewer.get("/api/artifact-evals/suites", params={"hidden": True}))
    hidden = {suite["slug"]: suite for suite in others["data"]}
    assert sorted([*by_slug, *hidden]) == sorted(suite.name for suite in SUITES)
    knowledge, idea = by_slug["pf_knowledge"], hidden["pf_idea"]
    assert (knowledge["shown"], idea["shown"], idea["added"]) == (True, False, False)
    assert (knowledge["entity_type_exists"], knowledge["records"]) == (True, 2)
    assert (knowledge["loop"], knowledge["newest_run"]) == ("Product knowledge", run)
    assert (idea["entity_type_exists"], idea["records"], idea["newest_run"]) == (False, 0, None)
    assert idea["loop"] is None
    assert await library.suite() == knowledge
    assert code(await library.desk.admin.get("/api/artifact-evals/suites/ghost")) == (
        404,
        "artifact_eval_suite_not_found",
    )


async def test_a_run_waits_for_its_job_and_then_has_a_verdict_on_every_record(library: Library) -> None:
    await library.add(*GOOD, BAD[KnowledgeDimension.SOURCE_GROUNDING], BAD[KnowledgeDimension.ACTIONABILITY])
    waiting = await library.start()
    assert (waiting["status"], waiting["total"], waiting["done"]) == ("queued", len(GOOD) + 2, 0)
    assert waiting["created_by"]["kind"] == "user"
    await library.work(waiting)
    run = await library.show(waiting)
    assert (run["status"], run["total"], run["done"], run["passed"]) == (
        "done",
        len(GOOD) + 2,
        len(GOOD) + 2,
        len(GOOD),
    )
    assert run["started_at"]
    assert run["finished_at"]
    summary = {each["dimension"]: each for each in run["dimensions"]}
    assert list(summary) == [dimension.value for dimension in KnowledgeDimension]
    assert (summary["source_grounding"]["passed"], summary["source_grounding"]["failed"]) == (
        len(GOOD) + 1,
        1,
    )
    assert summary["tenant_isolation"] == {
        "dimension": "tenant_isolation",
        "passed": len(GOOD) + 2,
        "failed": 0,
        "mean": 1.0,
        "left_out": None,
    }
    assert [event["subject_id"] for event in await library.desk.events("artifact_eval_run.done")] == [
        run["id"]
    ]


async def test_a_workspace_without_records_has_a_run_of_nothing(library: Library) -> None:
    run = await library.score()
    assert (run["status"], run["total"], run["mean"]) == ("done", 0, None)
    assert await library.results(run) == []


async def test_what_to_fix_first_comes_first_with_its_field_and_reason(library: Library) -> None:
    await library.add(GOOD[0])
    (weak,) = await library.add(BAD[KnowledgeDimension.ACTIONABILITY])
    (leak,) = await library.add(BAD[KnowledgeDimension.TENANT_ISOLATION])
    run = await library.score()
    first, second, last = await library.results(run)
    assert (first["entity_id"], second["entity_id"], last["passed"]) == (leak["id"], weak["id"], True)
    (gap,) = first["gaps"]
    assert (gap["dimension"], gap["importance"], gap["fields"]) == ("tenant_isolation", 0.25, ["sources"])
    assert "workspace" in gap["reason"]
    assert (first["title"], first["passed"]) == (leak["title"], False)
    assert first["scores"]["tenant_isolation"] == 0
    assert last["gaps"] == []


async def test_results_are_filtered_and_paged_without_loss_in_the_same_order(library: Library) -> None:
    await library.add(*GOOD[:4], *BAD.values(), *BAD.values())
    run = await library.score()
    every = await library.results(run)
    assert await library.results(run, limit=1) == every
    failed = await library.results(run, limit=3, result="failed")
    passed = await library.results(run, limit=3, result="passed")
    assert failed + passed == every
    assert (len(failed), len(passed)) == (2 * len(BAD), 4)
    for dimension in KnowledgeDimension:
        shown = await library.results(run, limit=1, dimension=dimension.value)
        assert shown == [r for r in every if dimension in {gap["dimension"] for gap in r["gaps"]}]
        assert shown
        assert await library.results(run, dimension=dimension.value, result="passed") == []
    bad: list[dict[str, Any]] = [{"cursor": "x"}, {"result": "x"}, {"dimension": "x"}, {"limit": 0}]
    for params in bad:
        answer = await library.desk.admin.get(f"/api/artifact-evals/runs/{run['id']}/results", params=params)
        assert answer.status_code == 422, params


async def test_surfaces_are_those_that_are_really_there(library: Library) -> None:
    """The list of known surfaces in the rubric does not help a view that nobody laid out."""
    made = await library.add(GOOD[0], surface="view:product-knowledge")
    made += await library.add(GOOD[0], surface="entity-list:pf_knowledge")
    assert (await library.score())["passed"] == 2
    (view,) = ok(await library.desk.admin.get("/api/views"))["data"]
    ok(await library.desk.admin.delete(f"/api/views/{view['id']}"))
    run = await library.score()
    (lost,) = await library.results(run, result="failed")
    assert lost["entity_id"] == made[0]["id"]
    assert [(gap["dimension"], gap["fields"]) for gap in lost["gaps"]] == [
        ("workspace_renderability", ["surface"])
    ]


async def test_one_run_of_a_suite_at_a_time_and_the_same_start_is_the_same_run(library: Library) -> None:
    run_id = some_id()
    first = await library.start(id=run_id)
    assert await library.start(id=run_id) == first
    answer = await library.desk.admin.post(NEW_RUN, json={})
    assert code(answer) == (409, "artifact_eval_run_open")
    assert answer.json()["conflict"]["id"] == run_id
    await library.make_type(SUITES[2], view=None)
    other = await library.start("pf_idea")
    answer = await library.desk.admin.post("/api/artifact-evals/suites/pf_idea/runs", json={"id": run_id})
    assert code(answer) == (409, "artifact_eval_run_exists")
    await library.work(first)
    again = await library.start()
    listed = ok(await library.desk.admin.get(NEW_RUN, params={"limit": 1}))
    older = ok(await library.desk.admin.get(NEW_RUN, params={"limit": 1, "cursor": listed["next_cursor"]}))
    assert [run["id"] for run in [*listed["data"], *older["data"]]] == [again["id"], run_id]
    assert older["next_cursor"] is None
    assert other["suite"] == "pf_idea"


async def test_a_run_needs_the_entity_type(workspace: Workspace) -> None:
    admin = await workspace.client(Role.ADMIN)
    answer = await admin.post(NEW_RUN, json={})
    assert code(answer) == (409, "artifact_eval_type_missing")
    assert answer.json()["conflict"] == {"entity_type": "pf_knowledge"}


async def test_a_waiting_run_is_cancelled_for_good_and_a_finished_one_is_not(library: Library) -> None:
    await library.add(GOOD[0])
    run = await library.start()
    path = f"/api/artifact-evals/runs/{run['id']}/cancel"
    cancelled = ok(await library.desk.admin.post(path))
    assert (cancelled["status"], cancelled["done"]) == ("cancelled", 0)
    assert ok(await library.desk.admin.post(path)) == cancelled
    await library.work(run)
    assert await library.show(run) == cancelled
    (job,) = [
        job for job in ok(await library.desk.admin.get("/api/jobs"))["data"] if job["name"].endswith("score")
    ]
    assert job["status"] == "cancelled"
    done = await library.score()
    assert code(await library.desk.admin.post(f"/api/artifact-evals/runs/{done['id']}/cancel")) == (
        409,
        "artifact_eval_run_over",
    )


async def test_a_loop_closes_by_what_is_true_of_the_workspace(library: Library) -> None:
    async def steps() -> dict[str, Any]:
        report = ok(await library.desk.reviewer.get("/api/artifact-evals/suites/pf_knowledge/loop"))
        assert report["closed"] == all(step["passed"] for step in report["steps"])
        return {step["step"]: step for step in report["steps"]}

    young = await steps()
    assert {name for name, step in young.items() if not step["passed"]} == {"lifecycle"}
    await library.add(GOOD[0])
    assert all(step["passed"] for step in some((await steps()).values()))
    await library.add(GOOD[0], reviewer_kind="agent")
    unreviewed = (await steps())["review"]
    assert (unreviewed["passed"], unreviewed["reason"]) == (
        False,
        "no person reviewed 1 finalized `pf_knowledge` records",
    )
    assert code(await library.desk.admin.get("/api/artifact-evals/suites/pf_idea/loop")) == (
        404,
        "artifact_eval_loop_not_found",
    )


async def test_the_criteria_set_of_a_suite_is_made_once(library: Library) -> None:
    path = "/api/artifact-evals/suites/pf_knowledge/criteria-set"
    made = ok(await library.desk.admin.post(path))
    assert (made["slug"], made["entity_type_slugs"]) == ("knowledge-pf_knowledge", ["pf_knowledge"])
    assert [d["key"] for d in made["dimensions"]] == [f"{each.value}_score" for each in KnowledgeDimension]
    assert ok(await library.desk.admin.post(path))["id"] == made["id"]
    assert (await library.suite())["criteria_set_id"] == made["id"]
    answer = await library.desk.admin.post("/api/artifact-evals/suites/pf_idea/criteria-set")
    assert code(answer) == (409, "artifact_eval_type_missing")


async def test_everybody_reads_and_only_admins_run(library: Library) -> None:
    run = await library.score()
    viewer = await library.desk.workspace.client(Role.VIEWER)
    for path in (
        "artifact-evals/suites",
        f"artifact-evals/runs/{run['id']}",
        f"artifact-evals/runs/{run['id']}/results",
    ):
        ok(await viewer.get(f"/api/{path}"))
    narrow = await library.desk.workspace.client(Role.ADMIN, scopes=["artifact_evals.team.manage"])
    assert (await narrow.get("/api/artifact-evals/suites")).status_code == 403
    for client in (viewer, library.desk.reviewer):
        assert (await client.post(NEW_RUN, json={})).status_code == 403
        assert (await client.post(f"/api/artifact-evals/runs/{run['id']}/cancel")).status_code == 403
        assert (await client.post("/api/artifact-evals/suites/pf_knowledge/criteria-set")).status_code == 403


@pytest.mark.parametrize("rest", ["", "/results"])
async def test_another_workspace_sees_no_run(library: Library, other_workspace: Workspace, rest: str) -> None:
    run = await library.score()
    stranger = await other_workspace.client(Role.OWNER)
    missing = (404, "artifact_eval_run_not_found")
    assert code(await stranger.get(f"/api/artifact-evals/runs/{run['id']}{rest}")) == missing
    assert code(await stranger.post(f"/api/artifact-evals/runs/{run['id']}/cancel")) == missing
    suites = ok(await stranger.get("/api/artifact-evals/suites", params={"hidden": True}))["data"]
    assert {suite["newest_run"] for suite in suites} == {None}
    assert ok(await stranger.get(NEW_RUN))["data"] == []


async def test_a_record_that_is_deleted_takes_its_results_along(library: Library) -> None:
    made = await library.add(*GOOD[:2])
    run = await library.score()
    ok(await library.desk.reviewer.delete(f"/api/entities/{made[0]['id']}"))
    assert [found["entity_id"] for found in await library.results(run)] == [made[1]["id"]]
