"""Reads what a person who labels is shown of a replay: what it was asked and did, and nothing that anybody says of it.
Infrastructure."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from goldloop.evals.comparison.effects import by_key, writes_of
from goldloop.evals.model import ToolShape
from goldloop.evals.recorded import Tools, read_session
from goldloop.goldens.judges.label_service import Waiting
from goldloop.goldens.judges.model import LabelEffect, LabelItem, LabelPart, LabelPartKind
from goldloop.goldens.rubrics import read_parts
from goldloop.kit.db import Actor, Database
from goldloop.kit.outside import Outside
from goldloop.sessions.whole_sessions import PayloadLost, read_whole_session

TEXT_CHARACTERS = 20_000  # of one part: more than a person reads, and less than a page can show
MOST_PARTS = 1000


async def read_item(db: Database, outside: Outside, actor: Actor, waiting: Waiting) -> LabelItem:
    try:
        replay, lost = await read_whole_session(db, outside, actor, waiting.replay), False
    except PayloadLost:
        replay, lost = {"type": str(waiting.replay.type), "status": "completed", "events": []}, True
    rubric = waiting.sampled.rubric
    return LabelItem(
        sample=waiting.sample,
        replay_id=waiting.replay.id,
        rubric=rubric.name,
        description=rubric.description,
        ratings=rubric.ratings,
        parts=[_part(each) for each in read_parts(waiting.snapshot, replay)][:MOST_PARTS],
        effects=list(_effects(waiting.snapshot, replay)),
        lost=lost,
        mine=waiting.mine,
    )


def _effects(snapshot: Mapping[str, Any], replay: Mapping[str, Any]) -> Iterator[LabelEffect]:
    """Writes that worked, each once."""
    shapes = {name: ToolShape(writes=tool["writes"]) for name, tool in (snapshot.get("tools") or {}).items()}
    tools = Tools(shapes)
    for call in by_key(writes_of(read_session(replay, "replay"), tools), tools).values():
        yield LabelEffect(tool=call.name, arguments=call.arguments)


def _part(step: Mapping[str, Any]) -> LabelPart:
    kind, content = next(iter(step.items()))
    match kind:
        case "before":
            return _text(LabelPartKind.BEFORE, step["text"], name=content)
        case "asked":
            return _text(LabelPartKind.ASKED, content)
        case "agent":
            return _text(LabelPartKind.AGENT, content)
        case "calls":
            return _value(LabelPartKind.CALL, step.get("arguments"), name=content)
        case "result":
            return _value(LabelPartKind.RESULT, content)
        case "failed":
            return _value(LabelPartKind.FAILED, content)
        case _:
            return _value(LabelPartKind.OUTPUT, content)


def _text(kind: LabelPartKind, content: Any, name: Any = None) -> LabelPart:
    text = (
        content
        if isinstance(content, str)
        else ""
        if content is None
        else msgspec.json.encode(content).decode()
    )
    cut = len(text) > TEXT_CHARACTERS
    return LabelPart(kind=kind, name=_name(name), text=text[:TEXT_CHARACTERS], cut=cut)


def _value(kind: LabelPartKind, value: Any, name: Any = None) -> LabelPart:
    """What is too large to show as it is stands as the beginning of its text."""
    text = msgspec.json.encode(value).decode()
    if len(text) > TEXT_CHARACTERS:
        return LabelPart(kind=kind, name=_name(name), text=text[:TEXT_CHARACTERS], cut=True)
    return LabelPart(kind=kind, name=_name(name), value=value)


def _name(name: Any) -> str | None:
    return None if name is None else str(name)
