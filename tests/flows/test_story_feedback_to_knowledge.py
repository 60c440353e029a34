"""From two rejections to every later prompt and back, over HTTP and without a model: one group, a proposed correction with both
quotes, approved with its diff, in the next run's prompt; one rejection is dismissed, and it is out again."""

from typing import Any

from goldloop.kit.outside import Outside
from goldloop.tenants.model import Role
from tests.conversations.chats import make_chats
from tests.factories import Workspace
from tests.feedback.signals import make_signals
from tests.knowledge.lessons import NOTES, ROWS, RULE, Lessons, instructions_of
from tests.records import make_desk, ok
from tests.runtimes.scripted import Script, configured, start


async def test_from_two_rejections_to_the_next_prompt_and_back(
    workspace: Workspace, outside: Outside
) -> None:
    desk = await make_desk(workspace)
    await desk.make_type()
    signals = await make_signals(desk, await make_chats(workspace, outside))
    admin = signals.admin
    lessons = Lessons(signals, admin)
    slug = await configured(workspace, "reader", instructions="Read the record.")
    (agent,) = [row for row in ok(await admin.get("/api/agents"))["data"] if row["slug"] == slug]
    lessons.agent = await workspace.client(Role.CONTRIBUTOR, agent_id=agent["id"])

    # Two people reject the same field of two records with like notes.
    for note in NOTES[:2]:
        await lessons.reject(note)
    await lessons.work()
    (group,) = await signals.groups()
    assert (group["key"], group["origins"]) == ("employees", 2)

    # A correction is proposed, with both quotes; nobody's prompt has it.
    (proposal,) = ok(await admin.get(ROWS, params={"waits": True}))["data"]
    assert (proposal["type"], proposal["group_id"], proposal["state"]) == (
        "correction",
        group["id"],
        "proposed",
    )
    detail = await lessons.show(proposal)
    assert {each["comment"] for each in detail["support"]} == set(NOTES[:2])
    scope: dict[str, Any] = {"agent": slug, "entity_type": "company"}
    assert (await lessons.prompt(**scope))["prompt"] == ""
    waiting = ok(await admin.get("/api/inbox"))["data"]
    assert {kind["kind"]: kind["count"] for kind in waiting}["knowledge"] == 1

    # It is approved after a look at what that does to prompts.
    shown = await lessons.step(proposal, "diff", state="active", content=RULE)
    assert any(RULE in line for each in shown["scopes"] for line in each["added"])
    approved = await lessons.step(proposal, "approve", content=RULE, reason="Both are right")
    assert (approved["state"], approved["value"]) == ("active", None)
    held = await lessons.prompt(**scope)
    assert RULE in held["prompt"]

    # The next run has it, and its session names the manifest.
    record = await desk.make_record()
    script = Script(["Read"])
    session = await lessons.run(await start(admin, slug, entity_id=record["id"]), script)
    assert session["manifest"] == held["manifest"]
    assert RULE in instructions_of(script)
    (used,) = ok(await admin.get(f"{ROWS}/{proposal['id']}/sessions"))["data"]
    assert used["id"] == session["id"]

    # One of the two turns out to be a mistake.
    mistaken = detail["support"][0]["feedback_id"]  # with the other row of the same rejection
    await lessons.dismiss(mistaken)
    row = await lessons.show(proposal)
    assert (row["state"], row["active"], row["origins"]) == ("shadow", False, 1)
    assert (await lessons.prompt(**scope))["prompt"] == ""

    # Taking that back brings it back, to the very same prompt.
    await lessons.review(mistaken, "pending")
    assert (await lessons.show(proposal))["state"] == "active"
    assert (await lessons.prompt(**scope))["manifest"] == held["manifest"]
