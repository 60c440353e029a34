"""Whatever order of approving, dismissing, restoring, erasing, editing, undoing, reacting, flagging, grouping, and deciding about
groups: support, state and prompt are those of a fresh computation."""

import asyncio
import hashlib
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import httpx
import pytest

from goldloop.feedback.groups.origins import Origin, count_origins
from goldloop.knowledge.lifecycle import LEAST_ORIGINS, state_of
from goldloop.knowledge.model import KnowledgeState, KnowledgeType, Standing
from goldloop.knowledge.printing import PrintedRow, print_block
from goldloop.tenants.model import Role
from tests.feedback.signals import COMPLAINTS
from tests.knowledge.lessons import ROWS, Lessons
from tests.records import ok

STEPS = 25
ROUNDS = 12
PEOPLE = 4
WORDS = [None, "It should be in French"]  # of reactions


class Reaction(NamedTuple):
    """Somebody who reacts to a turn, again and again."""

    by: httpx.AsyncClient
    turn: str


class World(NamedTuple):
    """`feedback` are the ids of what was given, the last of which is erased first, `decisions` those about groups."""

    lessons: Lessons
    random: Random
    rows: list[Any]
    feedback: list[str]
    reactions: list[Reaction]
    decisions: list[str]


async def _given(lessons: Lessons) -> list[str]:
    """As many people's feedback, and what an administrator flagged."""
    found = []
    record = await lessons.signals.desk.make_record()
    flag = {"source_type": "observation", "comment": "This is wrong", "entity_id": record["id"]}
    found.append((await lessons.signals.give(lessons.admin, **flag))["id"])
    for number in range(PEOPLE):
        _, person = await lessons.signals.desk.person(Role.VIEWER)
        found.append(
            (await lessons.signals.give(person, comment=f"Complaint number {number} of somebody"))["id"]
        )
    return found


async def _reactions(lessons: Lessons) -> list[Reaction]:
    made = []
    for number in range(2):
        _, person = await lessons.signals.desk.person()
        turn = await lessons.signals.chats.say(f"c{number}")
        made.append(Reaction(person, turn))
        await _react(lessons, made[-1], number, "not_ok", WORDS[number])
    return made


async def _react(lessons: Lessons, who: Reaction, place: int, reaction: str | None, text: str | None) -> None:
    more: dict[str, Any] = {"text": text} if text and reaction else {}
    await lessons.signals.chats.react(f"c{place}", who.turn, reaction, by=who.by, **more)


async def _learn(lessons: Lessons, content: str, ids: list[str]) -> Any:
    agent = await lessons.signals.desk.agent(Role.ADMIN)
    body = {"content": content, "sourceFeedbackIds": ids}
    return (await agent.post("/api/tools/addLesson", json=body)).json()


class Given(NamedTuple):
    """What somebody gave, as it was when a row came to rest on it."""

    rating: str
    comment: str | None


Seen = dict[tuple[UUID, UUID], Given]  # by row and feedback


async def _fresh(lessons: Lessons, seen: Seen) -> tuple[dict[UUID, tuple[int, str]], str]:
    """Origins and states of all rows, and the prompt of the workspace, from feedback, reactions and groups alone: of what a row
    rests on only which feedback, by which group and whether it is an echo."""
    workspace = lessons.signals.desk.workspace
    async with workspace.db.tx(workspace.system) as tx:
        rows = await tx.fetch(
            "SELECT id, type, content, context, decided, standing, group_id FROM shared_context"
        )
        support = await tx.fetch("SELECT row_id, feedback_id, group_id, echo FROM shared_context_support")
        feedback = {row["id"]: row for row in await tx.fetch("SELECT * FROM feedback")}
        reactions = {
            (row["conversation_id"], row["turn_id"]): row
            for row in await tx.fetch(
                "SELECT conversation_id, turn_id, reaction, payload FROM conv_messages WHERE state = 'active'"
            )
        }
        linked = await tx.fetch("SELECT row_id, group_id FROM shared_context_groups")
        merged = {row["id"]: row["merged_into"] for row in await tx.fetch("SELECT * FROM feedback_groups")}
    by_key = {row["source_key"]: row for row in feedback.values()}
    found, active = {}, []
    for row in rows:
        named = [row["group_id"], *(each["group_id"] for each in linked if each["row_id"] == row["id"])]
        groups = {into for group_id in named for into in _with_merged(group_id, merged)}
        signals = []
        for each in support:
            if each["row_id"] != row["id"] or each["echo"]:
                continue
            own = feedback[each["feedback_id"]]
            given = seen.setdefault((row["id"], own["id"]), Given(own["rating"], own["comment"]))
            is_member = each["group_id"] is None or own["group_id"] in groups
            if is_member and _says_so_still(own, given, reactions, by_key):
                signals.append(own)
        origins = count_origins([_origin(each) for each in signals])
        flagged = any(each["source_type"] == "observation" and each["created_by"] for each in signals)
        carried = max(origins, LEAST_ORIGINS if flagged else 0)
        state = state_of(KnowledgeState(row["decided"]), Standing(row["standing"]), carried)
        found[row["id"]] = (origins, str(state))
        if state is KnowledgeState.ACTIVE:
            active.append(PrintedRow(row["id"], KnowledgeType(row["type"]), row["content"], row["context"]))
    return found, print_block(active)


def _with_merged(group_id: UUID | None, merged: dict[UUID, UUID | None]) -> list[UUID]:
    """A group and those that it went into."""
    found = []
    while group_id is not None:
        found.append(group_id)
        group_id = merged.get(group_id)
    return found


RATINGS = {"ok": "positive", "not_ok": "negative", "neutral": "neutral"}


def _says_so_still(own: Any, given: Given, reactions: dict[Any, Any], by_key: dict[str, Any]) -> bool:
    """Of a reaction the one that its author has left at the turn decides, of other feedback itself."""
    if own["source_type"] != "chat":
        return bool(own["status"] != "dismissed")
    present = reactions.get((own["conversation_id"], own["turn_id"]))
    if present is None:
        return False
    name = hashlib.sha256(present["payload"]["meta"]["rn"].encode()).hexdigest()
    statuses = (own["status"], by_key[f"reaction:{name}"]["status"])
    words = present["payload"]["reaction"]["text"]
    same = RATINGS[present["reaction"]] == given.rating and given.comment in (None, words)
    return same and "dismissed" not in statuses


def _origin(signal: Any) -> Origin:
    return Origin(
        signal["origin_actor"],
        signal["origin_artefact"],
        signal["source_type"] == "chat",
        signal["masked"] or "",
    )


async def _decide(world: World, act: str) -> None:
    step = "dismiss" if act == "reject" else act
    row = world.random.choice(world.rows)
    await world.lessons.admin.post(f"{ROWS}/{row['id']}/{step}", json={})  # refused where it does not follow


async def _edit(world: World, _: str) -> None:
    row = world.random.choice(world.rows)
    await world.lessons.change(row, content=f"Rule {world.random.randrange(100)}")


async def _review(world: World, act: str) -> None:
    """Dismiss or restore feedback, or what somebody reacted: also what was reviewed before."""
    admin = world.lessons.admin
    chats = await world.lessons.signals.listed(source_type="chat")
    chosen = world.random.choice([*world.feedback, *(each["id"] for each in chats)])
    if act == "dismiss":
        await admin.patch(f"/api/feedback/{chosen}", json={"status": "pending"})
    status = "dismissed" if act == "dismiss" else "pending"
    await admin.patch(f"/api/feedback/{chosen}", json={"status": status})


async def _erase(world: World, _: str) -> None:
    if len(world.feedback) > 2:
        ok(await world.lessons.admin.post(f"/api/feedback/{world.feedback.pop()}/erase"))


async def _rate(world: World, _: str) -> None:
    place = world.random.randrange(len(world.reactions))
    reaction = world.random.choice(["ok", "not_ok", "not_ok", None])
    await _react(world.lessons, world.reactions[place], place, reaction, world.random.choice(WORDS))


async def _flag(world: World, _: str) -> None:
    """An administrator flags something, and an agent writes down what follows from it."""
    if len(world.rows) < 6:
        record = await world.lessons.signals.desk.make_record()
        flag = {"source_type": "observation", "comment": "Wrong", "entity_id": record["id"]}
        given = await world.lessons.signals.give(world.lessons.admin, **flag)
        made = await _learn(world.lessons, f"Rule of a flag {len(world.rows)}", [given["id"]])
        world.rows.append(made)
        world.feedback.insert(0, given["id"])


async def _group(world: World, _: str) -> None:
    """Somebody complains, and what is alike becomes a group, which proposes a row or strengthens its own."""
    place, tool = world.random.randrange(len(COMPLAINTS)), world.random.choice(["lookup", "search"])
    given = await world.lessons.complain(place, tool)
    world.feedback.insert(0, given["id"])
    await world.lessons.work()
    known = {row["id"] for row in world.rows}
    world.rows.extend(row for row in await world.lessons.listed() if row["id"] not in known)


async def _decide_group(world: World, act: str) -> None:
    """What people decide about one of the groups, refused where it does not follow."""
    groups = [
        group
        for state in ("open", "dismissed", "merged")
        for group in await world.lessons.signals.groups(state=state)
    ]
    if not groups:
        return
    group = world.random.choice(groups)
    other = world.random.choice([each for each in groups if each is not group] or groups)
    members = [each["id"] for each in await world.lessons.signals.listed(group_id=group["id"])]
    body: dict[str, Any] = {
        "dismiss group": {"reason": "noise"},
        "merge": {"into": other["id"]},
        "split": {"ids": members[: world.random.randint(1, max(1, len(members) - 1))]},
        "add": {"ids": [world.random.choice(world.feedback)]},
    }.get(act, {})
    path = f"/api/feedback/groups/{group['id']}/{act.partition(' ')[0]}"
    if act == "split" and not members:
        return
    answer = await world.lessons.admin.post(path, json=body)
    assert answer.status_code in (200, 201, 404, 409, 422), answer.text
    if answer.status_code < 300 and (decision := answer.json().get("decision_id")):
        world.decisions.append(decision)


async def _undo_group(world: World, _: str) -> None:
    if world.decisions:
        path = f"/api/feedback/decisions/{world.random.choice(world.decisions)}/undo"
        answer = await world.lessons.admin.post(path)
        assert answer.status_code in (200, 201, 404, 409), answer.text


async def _strengthen(world: World, _: str) -> None:
    row = world.random.choice(world.rows)
    for group in (await world.lessons.signals.groups())[:1]:
        body = {"group_id": group["id"], "anyway": True}
        await world.lessons.admin.post(f"{ROWS}/{row['id']}/strengthen", json=body)


ACTS = {
    "approve": _decide,
    "shadow": _decide,
    "retire": _decide,
    "reject": _decide,
    "undo": _decide,
    "edit": _edit,
    "dismiss": _review,
    "restore": _review,
    "erase": _erase,
    "rate": _rate,
    "flag": _flag,
    "group": _group,
    "dismiss group": _decide_group,
    "reopen group": _decide_group,
    "merge": _decide_group,
    "split": _decide_group,
    "add": _decide_group,
    "undo of a group": _undo_group,
    "strengthen": _strengthen,
}
OFTEN = [
    "approve",
    "approve",
    "restore",
    "rate",
    "rate",
    "group",
    "group",
]  # so that there is something to lose


async def _check(lessons: Lessons, seen: Seen, after: str) -> None:
    fresh, prompt = await _fresh(lessons, seen)
    stored = {UUID(row["id"]): (row["origins"], row["state"]) for row in await lessons.listed()}
    assert stored == fresh, after
    assert (await lessons.prompt())["prompt"] == prompt, after


@pytest.mark.parametrize("seed", range(8))
async def test_rows_are_what_a_fresh_computation_makes_of_them(lessons: Lessons, seed: int) -> None:
    random = Random(seed)
    feedback = await _given(lessons)
    reactions = await _reactions(lessons)
    chats = [each["id"] for each in await lessons.signals.listed(source_type="chat")]
    rows = [
        await _learn(lessons, "First rule", feedback[1:3]),
        await _learn(lessons, "Second rule", feedback[2:]),
        await _learn(lessons, "A flagged rule", feedback[:1]),
        await _learn(lessons, "A rule of reactions", chats),
        await lessons.write("A person's rule"),
    ]
    world = World(lessons, random, rows, feedback, reactions, [])
    seen: Seen = {}
    await _check(lessons, seen, "nothing")
    for step in range(STEPS):
        act = random.choice([*ACTS, *OFTEN])
        await ACTS[act](world, act)
        await lessons.work()
        await _check(lessons, seen, f"{step}: {act}")


async def test_an_approval_and_a_dismissal_at_once_end_as_if_one_came_after_the_other(
    lessons: Lessons,
) -> None:
    """Whichever is first: neither waits for the other in a circle, and both are done."""
    feedback = await _given(lessons)
    made = await _learn(lessons, "A rule of two", feedback[1:3])
    seen: Seen = {}
    for _ in range(ROUNDS):
        answers = await asyncio.gather(
            lessons.try_step(made, "approve"),
            lessons.admin.post(
                f"{ROWS}/{made['id']}/support", json={"feedback_ids": [feedback[1]], "dismissed": True}
            ),
            lessons.admin.patch(f"/api/feedback/{feedback[2]}", json={"status": "dismissed"}),
        )
        assert {answer.status_code for answer in answers} <= {200, 409}, [each.text for each in answers]
        await _check(lessons, seen, "at once")
        row = await lessons.show(made)
        lost = {each["feedback_id"]: each["lost"] for each in row["support"]}
        assert (row["decided"], lost[feedback[1]]) == ("active", "dismissed")
        back = await asyncio.gather(
            lessons.try_step(made, "undo"),
            *(
                lessons.admin.patch(f"/api/feedback/{each}", json={"status": "pending"})
                for each in feedback[1:3]
            ),
        )
        assert {answer.status_code for answer in back} <= {200, 409}, [each.text for each in back]
        await _check(lessons, seen, "back at once")
