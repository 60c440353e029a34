"""What a workspace wants of a suite: to see it, to leave dimensions out with a reason, and whose word a review gate takes."""

from typing import Any

import pytest

from goldloop.artifact_evals.model import KnowledgeDimension
from goldloop.artifact_evals.suites import SUITES
from goldloop.artifact_runs.model import LONGEST_SECTION, section_of
from goldloop.tenants.model import Role
from tests.artifact_runs.library import BAD, GOOD, SUITE, Library
from tests.factories import Workspace
from tests.loops import some
from tests.records import code, ok, places

pytestmark = pytest.mark.usefixtures("registry")
PATH = "/api/artifact-evals/suites/{}/settings"
WHY = "Articles are read in the help centre"


async def slugs(library: Library, **params: Any) -> list[str]:
    found = ok(await library.desk.reviewer.get("/api/artifact-evals/suites", params=params))
    return [suite["slug"] for suite in found["data"]]


async def test_a_suite_is_shown_where_its_type_is_or_where_it_was_added(library: Library) -> None:
    assert await slugs(library) == ["pf_knowledge"]
    shown = await library.set_suite("pf_idea", added=True)
    assert (shown["shown"], shown["added"], shown["entity_type_exists"]) == (True, True, False)
    assert await slugs(library) == ["pf_idea", "pf_knowledge"]
    assert await slugs(library, hidden=True) == ["evidence-claim", "therapy-plan"]
    await library.set_suite("pf_idea", added=False)
    assert await slugs(library) == ["pf_knowledge"]
    assert await library.desk.events("artifact_eval_suite.changed")
    # One whose type the workspace has is shown whatever it says.
    assert (await library.set_suite(added=False))["shown"]


async def test_what_is_left_out_does_not_count_and_says_why_in_every_answer(library: Library) -> None:
    await library.add(GOOD[0], BAD[KnowledgeDimension.WORKSPACE_RENDERABILITY])
    before = await library.score()
    suite = await library.set_suite(left_out={"workspace_renderability": WHY})
    assert suite["left_out"] == [
        {"dimension": "workspace_renderability", "reason": WHY, "declared_by": "workspace"}
    ]
    run = await library.score()
    assert (before["passed"], run["passed"], run["mean"]) == (1, 2, 1.0)
    summary = {each["dimension"]: each for each in run["dimensions"]}
    assert summary["workspace_renderability"] == {
        "dimension": "workspace_renderability",
        "passed": 0,
        "failed": 0,
        "mean": None,
        "left_out": WHY,
    }
    assert [each["left_out"] for each in run["dimensions"]].count(None) == len(KnowledgeDimension) - 1
    for result in some(await library.results(run)):
        assert "workspace_renderability" not in result["scores"]
    # A run keeps what it was begun without, also once the workspace has thought better of it.
    await library.set_suite()
    assert (await library.show(run))["dimensions"] == run["dimensions"]
    assert (await library.score())["passed"] == 1


async def test_people_are_not_asked_about_what_is_left_out(library: Library) -> None:
    await library.set_suite(left_out={"actionability": "Articles only explain"})
    made = ok(await library.desk.admin.post("/api/artifact-evals/suites/pf_knowledge/criteria-set"))
    keys = [dimension["key"] for dimension in made["dimensions"]]
    assert (len(keys), "actionability_score" in keys) == (len(KnowledgeDimension) - 1, False)


@pytest.mark.parametrize(
    ("left_out", "place", "fault"),
    [
        ([{"dimension": "actionability", "reason": " "}], "/left_out/0/reason", "empty"),
        (
            [{"dimension": dimension.value, "reason": "x"} for dimension in KnowledgeDimension],
            "/left_out",
            "nothing_left",
        ),
    ],
)
async def test_leaving_out_without_a_reason_or_altogether_is_refused(
    library: Library, left_out: Any, place: str, fault: str
) -> None:
    body = {"added": False, "left_out": left_out}
    answer = await library.desk.admin.put(PATH.format(SUITE.name), json=body)
    assert places(answer) == [(place, fault)]


async def test_a_dimension_that_is_none_and_a_suite_that_is_none_are_refused(library: Library) -> None:
    named = [{"dimension": "usefulness", "reason": "x"}]
    answer = await library.desk.admin.put(PATH.format(SUITE.name), json={"added": True, "left_out": named})
    assert answer.status_code == 422
    ghost = await library.desk.admin.put(PATH.format("ghost"), json={"added": True, "left_out": []})
    assert code(ghost) == (404, "artifact_eval_suite_not_found")


async def test_only_who_runs_suites_may_set_them(workspace: Workspace) -> None:
    reviewer = await workspace.client(Role.REVIEWER)
    answer = await reviewer.put(PATH.format(SUITE.name), json={"added": True, "left_out": []})
    assert answer.status_code == 403


async def test_history_says_who_let_a_record_through_where_no_text_does(library: Library) -> None:
    desk = library.desk
    (record,) = await library.add(GOOD[0], reviewed_by="", status="draft")
    response = await desk.submit(record, {"status": "published"})
    (edited,) = await library.add(
        GOOD[0], reviewed_by="", status="published"
    )  # by a person, but not reviewed
    await desk.promote(response, "status")
    run = await library.score()
    verdicts = {result["entity_id"]: result for result in await library.results(run)}
    assert verdicts[record["id"]]["passed"]
    assert [gap["fields"] for gap in verdicts[edited["id"]]["gaps"]] == [["reviewed_by"]]
    loop = ok(await desk.reviewer.get("/api/artifact-evals/suites/pf_knowledge/loop"))
    review = next(step for step in loop["steps"] if step["step"] == "review")
    assert review["reason"] == "no person reviewed 1 finalized `pf_knowledge` records"
    # Taken back, it is a draft again, and nothing is due.
    await desk.undo(record, "status")
    again = {result["entity_id"]: result for result in await library.results(await library.score())}
    assert again[record["id"]]["passed"]


def test_every_suite_has_a_section_of_its_own_that_fits() -> None:
    names = [
        section_of(name).name
        for name in [*(suite.name for suite in SUITES), "x" * 199 + "a", "x" * 199 + "b"]
    ]
    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= LONGEST_SECTION
