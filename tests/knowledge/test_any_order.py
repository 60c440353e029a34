"""Whatever order of approving, dismissing, restoring, erasing, editing and undoing: support, state and prompt are those of a fresh
computation."""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from goldloop.feedback.groups.origins import Origin, count_origins
from goldloop.knowledge.lifecycle import state_of
from goldloop.knowledge.model import KnowledgeState, KnowledgeType, Standing
from goldloop.knowledge.printing import PrintedRow, print_block
from goldloop.tenants.model import Role
from tests.knowledge.lessons import ROWS, Lessons
from tests.records import ok

STEPS = 25
PEOPLE = 4


async def _given(lessons: Lessons) -> list[str]:
    """As many people's feedback."""
    found = []
    for number in range(PEOPLE):
        _, person = await lessons.signals.desk.person(Role.VIEWER)
        found.append(
            (await lessons.signals.give(person, comment=f"Complaint number {number} of somebody"))["id"]
        )
    return found


async def _learn(lessons: Lessons, content: str, ids: list[str]) -> Any:
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    body = {"content": content, "sourceFeedbackIds": ids}
    return (await agent.post("/api/tools/addLesson", json=body)).json()


async def _fresh(lessons: Lessons) -> tuple[dict[UUID, tuple[int, str]], str]:
    """Origins and states of all rows, and the prompt of the workspace, from the tables alone."""
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        rows = await tx.fetch("SELECT id, type, content, context, decided, standing FROM shared_context")
        support = await tx.fetch(
            """
            SELECT s.row_id, f.origin_actor, f.origin_artefact, f.source_type, f.masked FROM shared_context_support s
            JOIN feedback f ON f.tenant_id = s.tenant_id AND f.id = s.feedback_id
            WHERE f.status <> 'dismissed' AND f.rating = s.rating AND NOT s.echo
            """
        )
    found, active = {}, []
    for row in rows:
        origins = count_origins(
            [
                Origin(
                    each["origin_actor"],
                    each["origin_artefact"],
                    each["source_type"] == "chat",
                    each["masked"] or "",
                )
                for each in support
                if each["row_id"] == row["id"]
            ]
        )
        state = state_of(KnowledgeState(row["decided"]), Standing(row["standing"]), origins)
        found[row["id"]] = (origins, str(state))
        if state is KnowledgeState.ACTIVE:
            active.append(PrintedRow(row["id"], KnowledgeType(row["type"]), row["content"], row["context"]))
    return found, print_block(active)


async def _step(lessons: Lessons, random: Random, rows: list[Any], feedback: list[str]) -> None:
    row = random.choice(rows)
    act = random.choice(
        [
            *("approve", "approve", "shadow", "retire", "reject", "undo", "edit"),
            *("dismiss", "restore", "restore", "erase"),
        ]
    )
    if act in ("approve", "shadow", "retire", "reject", "undo"):
        step = "dismiss" if act == "reject" else act
        await lessons.admin.post(f"{ROWS}/{row['id']}/{step}", json={})  # refused where it does not follow
    elif act == "edit":
        await lessons.change(row, content=f"Rule {random.randrange(100)}")
    elif feedback and act in ("dismiss", "restore"):
        status = "dismissed" if act == "dismiss" else "pending"
        chosen = random.choice(feedback)
        if status == "dismissed":
            await lessons.admin.patch(f"/api/feedback/{chosen}", json={"status": "pending"})
        await lessons.admin.patch(f"/api/feedback/{chosen}", json={"status": status})
    elif len(feedback) > 2 and act == "erase":
        chosen = feedback.pop()
        ok(await lessons.admin.post(f"/api/feedback/{chosen}/erase"))


@pytest.mark.parametrize("seed", range(6))
async def test_rows_are_what_a_fresh_computation_makes_of_them(lessons: Lessons, seed: int) -> None:
    random = Random(seed)
    feedback = await _given(lessons)
    rows = [
        await _learn(lessons, "First rule", feedback[:2]),
        await _learn(lessons, "Second rule", feedback[1:]),
        await lessons.write("A person's rule"),
    ]
    for _ in range(STEPS):
        await _step(lessons, random, rows, feedback)
        fresh, prompt = await _fresh(lessons)
        stored = {UUID(row["id"]): (row["origins"], row["state"]) for row in await lessons.listed()}
        assert stored == fresh
        assert (await lessons.prompt())["prompt"] == prompt
