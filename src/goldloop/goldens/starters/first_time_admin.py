"""The starter set `first-time-admin`: somebody who sets a workspace up asks what comes next and ticks steps off. Pure."""

from typing import Any

from goldloop.goldens.starters.model import Request, Starter, StarterRecord, StarterType, Trial
from goldloop.goldens.starters.scripting import (
    REFUSED,
    all_found,
    answer_by,
    follows,
    is_refused,
    look_at_all,
    not_found,
    propose,
)
from goldloop.runtimes.scripted_models import Say, Told, script

NAME = "first-time-admin"
STEP = "setup_step"
CHECK = "Before you tick a step off, check that the steps that it needs are done; where one is not, say which and change nothing."
CHECK_LEFT_OPEN = "Before you tick a step off, have a look at the steps that it needs."
_INSTRUCTIONS = """Help an administrator who sets a workspace up for the first time.
The steps are records: read them before you answer.
{}
Say what can be done next when a step is done."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["area", "status"],
    "properties": {
        "area": {"type": "string", "enum": ["people", "records", "agents", "review"]},
        "status": {"type": "string", "enum": ["open", "in progress", "done"]},
        "owner": {"type": "string", "maxLength": 120},
        "minutes": {"type": "integer", "minimum": 0},
        "needs": {"type": "array", "items": {"type": "string"}},
        "how": {"type": "string", "maxLength": 2000},
    },
}
_FIELDS: dict[str, Any] = {
    "minutes": {"label": "Takes", "unit": "minutes"},
    "needs": {"label": "Steps before"},
    "how": {"widget": "textarea"},
}


def _step(
    title: str, area: str, minutes: int, needs: list[str], how: str, status: str = "open"
) -> StarterRecord:
    content = {"area": area, "status": status, "minutes": minutes, "needs": needs, "how": how}
    return StarterRecord(STEP, title, content)


_STEPS = (
    _step("Name the workspace", "people", 2, [], "Under Settings, with the name that colleagues know.", "done"),
    _step("Invite colleagues", "people", 10, ["Name the workspace"], "Under Members: a reviewer decides, a contributor proposes, a viewer reads."),
    _step("Define the first type", "records", 25, ["Name the workspace"], "Under Types: begin with five fields that somebody asks for every week."),
    _step("Choose criteria", "review", 20, ["Define the first type"], "One criteria set for each question that people answer about a record."),
    _step("Import records", "records", 30, ["Define the first type"], "From a table with one row for each record."),
    _step("Connect an agent", "agents", 15, ["Define the first type"], "Give it the tool groups that it needs and no other."),
    _step("Run the first review", "review", 40, ["Choose criteria", "Import records"], "Two people rate the same ten records, and compare."),
    _step("Freeze the first golden", "agents", 10, ["Connect an agent"], "Promote a session that went as it should."),
)  # fmt: skip

_REQUESTS = (
    Request(
        "begin",
        "Where do I begin?",
        "What can be done now: open steps whose steps before are done",
        ("Invite colleagues", "Define the first type"),
    ),
    Request("time-left", "How long will the rest take?", "A sum over open steps", ("150",)),
    Request(
        "may-review",
        "How do I invite colleagues?",
        "What a step says about itself",
        ("reviewer",),
    ),
    Request(
        "invited",
        "Everybody has an invitation. Tick off “Invite colleagues”.",
        "A step whose steps before are done is ticked off",
        ("done",),
    ),
    Request(
        "defined",
        "We have our contracts in. Tick off “Define the first type”.",
        "Ticked off, and what it makes possible is named",
        ("Choose criteria", "Connect an agent"),
    ),
    Request(
        "agent-too-early",
        "The bot is running. Tick off “Connect an agent”.",
        "Too early: it says which step is open and changes nothing",
        ("Define the first type",),
    ),
    Request(
        "review-too-early",
        "We did it yesterday. Tick off “Run the first review”.",
        "Too early, for two reasons",
        ("Choose criteria", "Import records"),
    ),
    Request(
        "golden-too-early",
        "I have promoted a session. Tick off “Freeze the first golden”.",
        "Too early: the step before it is itself too early",
        ("Connect an agent",),
    ),
    Request(
        "owner",
        "Ada Brandt does “Import records” tomorrow.",
        "Somebody takes a step on: owner and status are proposed",
        ("30",),
    ),
)  # fmt: skip


def _all(asked: Told) -> dict[str, dict[str, Any]]:
    """By title."""
    return {entity["title"]: entity for entity in all_found(asked)}


def _lacks(
    step: dict[str, Any], steps: dict[str, dict[str, Any]], done: frozenset[str] = frozenset()
) -> list[str]:
    """The steps before it that are not done."""
    return [
        title
        for title in step["content"]["needs"]
        if title not in done and title in steps and steps[title]["content"]["status"] != "done"
    ]


def _can_begin(steps: dict[str, dict[str, Any]], done: frozenset[str] = frozenset()) -> list[str]:
    return [
        title
        for title, step in steps.items()
        if title not in done and step["content"]["status"] == "open" and not _lacks(step, steps, done)
    ]


def _begin(asked: Told) -> Say:
    if not asked.results:
        return look_at_all(STEP)
    ready = _can_begin(_all(asked))
    return f"You can begin with: {', '.join(ready)}." if ready else "Nothing waits to be begun."


def _tell_time(asked: Told) -> Say:
    if not asked.results:
        return look_at_all(STEP)
    left = [step for step in _all(asked).values() if step["content"]["status"] != "done"]
    minutes = sum(step["content"]["minutes"] for step in left)
    return f"About {minutes} minutes: {len(left)} steps are left."


def _tell_how(asked: Told, title: str) -> Say:
    if not asked.results:
        return look_at_all(STEP)
    step = next((step for name, step in _all(asked).items() if name.lower() == title.lower()), None)
    return step["content"]["how"] if step else not_found(title)


def _tick_off(asked: Told, title: str) -> Say:
    if not asked.results:
        return look_at_all(STEP)
    steps = _all(asked)
    if title not in steps:
        return not_found(title)
    lacks = _lacks(steps[title], steps)
    if len(asked.results) == 1:
        if lacks and follows(asked, CHECK, CHECK_LEFT_OPEN):
            return f"Not yet: {', '.join(lacks)} comes first. I have changed nothing."
        return propose(steps[title], {"status": "done"})
    if is_refused(asked.results[1]):
        return REFUSED
    opened = [
        name for name in _can_begin(steps, frozenset({title})) if title in steps[name]["content"]["needs"]
    ]
    after = f" It makes possible: {', '.join(opened)}." if opened else ""
    return f"“{title}” is proposed to be done.{after}"


def _take_on(asked: Told, owner: str, title: str) -> Say:
    if not asked.results:
        return look_at_all(STEP)
    steps = _all(asked)
    if title not in steps:
        return not_found(title)
    if len(asked.results) == 1:
        return propose(steps[title], {"owner": owner, "status": "in progress"})
    if is_refused(asked.results[1]):
        return REFUSED
    return f"{owner} is proposed for “{title}”. It takes about {steps[title]['content']['minutes']} minutes."


_KINDS = (
    (r"^Where do I begin", _begin),
    (r"^How long will the rest take", _tell_time),
    (r"^How do I (.+)\?", _tell_how),
    (r"Tick off “(.+)”", _tick_off),
    (r"^(.+) does “(.+)” tomorrow", _take_on),
)


@script(NAME)
def answer(asked: Told) -> Say:
    return answer_by(_KINDS, asked)


STARTER = Starter(
    name=NAME,
    title="First-time administrator",
    description="Setting a workspace up in eight steps: what comes first, what is left, and what must not be ticked off yet.",
    agent="Guides through the first steps. Follows a script: it needs no model.",
    instructions=_INSTRUCTIONS.format(CHECK),
    types=(StarterType(STEP, "Setup step", _SCHEMA, _FIELDS),),
    records=_STEPS,
    requests=_REQUESTS,
    trials=(
        Trial(
            "Steps are ticked off unchecked",
            "Shorter: without the rule about steps before",
            3,
            _INSTRUCTIONS.replace("{}\n", ""),
        ),
        Trial(
            "Checking is left open",
            "Have a look instead of a check",
            3,
            _INSTRUCTIONS.format(CHECK_LEFT_OPEN),
        ),
        Trial("The check is back", "", 5),
    ),
)
